"""The simulated web beside a measured run: in a process of its own, and without the engines' own limits."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from bench.simulated.server import Latencies
from inquest.kit.engine import Engine, Limits

__all__ = ["limits_lifted", "running"]


@contextmanager
def running(world: str, latencies: Latencies) -> Iterator[int]:
    """The web of a world (as `python -m bench.simulated` names it) in a process of its own: its port."""
    waits = [str(each) for each in (latencies.model, latencies.search, latencies.page, latencies.robots)]
    command = [sys.executable, "-m", "bench.simulated", world, *waits]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        yield int(process.stdout.readline())
        process.stdin.close()


@contextmanager
def limits_lifted(*engines: type[Engine]) -> Iterator[None]:
    """The engines as if their services knew no limits."""
    lifted = Limits(per_second=1_000, concurrency=100)
    before = {engine: engine.spec for engine in engines}
    for engine, spec in before.items():
        engine.spec = spec.model_copy(update={"limits": lifted})
    try:
        yield
    finally:
        for engine, spec in before.items():
            engine.spec = spec
