"""`python -m bench.simulated [SOURCES [MODEL SEARCH PAGE [ROBOTS]]]`: the simulated web in a process of its own.

Prints its port, and ends when its standard input does. The waits are in seconds.
"""

from __future__ import annotations

import asyncio
import sys

from bench.simulated.server import FIRST, Latencies, simulated_web
from bench.simulated.worlds import a_world


async def serve(arguments: list[str]) -> None:
    """Run until nobody listens any more."""
    sources = int(arguments[0]) if arguments else 20
    latencies = Latencies(*(float(argument) for argument in arguments[1:])) if len(arguments) > 3 else FIRST
    async with simulated_web(a_world(sources), latencies) as web:
        print(web.port, flush=True)
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1:]))
