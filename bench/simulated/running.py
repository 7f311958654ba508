"""The simulated web beside a measured run: in a process of its own, and without the engines' own limits."""

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
    """One request that the web was asked: begin and end (monotonic clock), kind, address."""

    began: float
    ended: float
    kind: str
    url: str


@dataclass
class LoggedWeb:
    """The web in a process of its own, which says at its end what it was asked."""

    process: subprocess.Popen[str]
    port: int

    def ended(self) -> tuple[list[Logged], dict[str, int]]:
        """Ends it, and gives what it was asked in the order in which it answered, and the bytes sent by kind."""
        said = json.loads(self.process.communicate()[0])
        return [Logged(*row) for row in said["log"]], said["sent"]


@contextmanager
def running(world: str, latencies: Latencies) -> Iterator[int]:
    """The web of a world (as `python -m bench.simulated` names it) in a process of its own: its port."""
    with logged(world, latencies) as web:
        yield web.port
        web.ended()


@contextmanager
def logged(world: str, latencies: Latencies) -> Iterator[LoggedWeb]:
    """The same, with what it was asked. It ends with the block at the latest."""
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
