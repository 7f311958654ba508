"""`python -m bench.simulated [WORLD [MODEL SEARCH PAGE [ROBOTS]]]`: the simulated web in its own process.

WORLD: the number of sources in the world of an inquiry; `companies` or `technical`, for the world of a check; or
`market`. Prints its port, and ends when its standard input does; then it prints its requests as JSON: the `log` with
the machine's monotonic clock, and the bytes `sent`. The waits are in seconds.
"""

from __future__ import annotations

import asyncio
import json
import sys

from bench.simulated.companies import a_company_world
from bench.simulated.company_claims import COMPANIES, TECHNICAL
from bench.simulated.markets import a_market_world
from bench.simulated.server import FIRST, Latencies, simulated_web
from bench.simulated.worlds import World, a_world


def the_world(name: str) -> World:
    """The world with that name."""
    if name == "market":
        return a_market_world()
    checked = {"companies": COMPANIES, "technical": (TECHNICAL,)}
    return a_company_world(checked[name]) if name in checked else a_world(int(name))


async def serve(arguments: list[str]) -> None:
    """Run until standard input ends."""
    latencies = Latencies(*(float(argument) for argument in arguments[1:])) if len(arguments) > 3 else FIRST
    async with simulated_web(the_world(arguments[0] if arguments else "20"), latencies) as web:
        print(web.port, flush=True)
        await asyncio.to_thread(sys.stdin.read)
        print(json.dumps({"log": web.log, "sent": web.sent}))


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1:]))
