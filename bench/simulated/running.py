"""The simulated web for a measured run: in its own process, and without the engines' own limits."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

from bench.simulated.server import Latencies
from inquest.kit.engine import Engine, Limits

__all__ = ["Logged", "LoggedWeb", "limits_lifted", "logged", "running"]


class Logged(NamedTuple):
    """One request to the web: begin and end (monotonic clock), kind, address."""

    began: float
    ended: float
    kind: str
    url: str


@dataclass
class LoggedWeb:
    """The web in its own process, which reports its requests when it ends."""

    process: subprocess.Popen[str]
    port: int

    def ended(self) -> tuple[list[Logged], dict[str, int]]:
        """End it, and return its requests in the order in which it answered, and the bytes sent by kind."""
        said = json.loads(self.process.communicate()[0])
        return [Logged(*row) for row in said["log"]], said["sent"]


@contextmanager
def running(world: str, latencies: Latencies) -> Iterator[int]:
    """Run the web of a world (as named by `python -m bench.simulated`) in its own process; yields its port."""
    with logged(world, latencies) as web:
        yield web.port
        web.ended()


@contextmanager
def logged(world: str, latencies: Latencies) -> Iterator[LoggedWeb]:
    """The same, with its requests. It ends with the block at the latest."""
    waits = [str(each) for each in (latencies.model, latencies.search, latencies.page, latencies.robots)]
    command = [sys.executable, "-m", "bench.simulated", world, *waits]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield LoggedWeb(process, int(process.stdout.readline()))
        finally:
            if process.poll() is None:
                process.kill()


@contextmanager
def limits_lifted(*engines: type[Engine]) -> Iterator[None]:
    """Use the engines as if their services had no limits."""
    lifted = Limits(per_second=1_000, concurrency=100)
    before = {engine: engine.spec for engine in engines}
    for engine, spec in before.items():
        engine.spec = spec.model_copy(update={"limits": lifted})
    try:
        yield
    finally:
        for engine, spec in before.items():
            engine.spec = spec
