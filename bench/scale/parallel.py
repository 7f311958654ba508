"""`python -m bench.scale.parallel`: 200 reads at once from a separate server, of one finished case and of ten (30
claims): p50, p95 and maximum (s), and the server's processor time for each (ms). Two rounds: the first one makes the
pages."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import quantiles

import httpx2

from inquest import Inquest
from tests.faces_web.seeding import seed
from tests.reports.report_cases import long

MOST_P95 = 2.0
"""Seconds, on two cores without other work (the goal)."""
_AT_ONCE = 200
_CASES = 10


async def _filled(home: Path) -> list[str]:
    async with Inquest(home=home) as inquest:
        case = long(20, 30).case
        for number in range(_CASES):
            await seed(inquest.app, case.model_copy(update={"id": f"20240601-0000{number:04d}"}))
    return [f"20240601-0000{number:04d}" for number in range(_CASES)]


def _processor(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def _read(site: str, paths: list[str], pid: int) -> dict[str, float]:
    limits, times = httpx2.Limits(max_connections=_AT_ONCE), []
    async with httpx2.AsyncClient(base_url=site, limits=limits, timeout=120) as client:

        async def one(path: str) -> None:
            began = time.perf_counter()
            (await client.get(path)).raise_for_status()
            times.append(time.perf_counter() - began)

        before = _processor(pid)
        await asyncio.gather(*(one(paths[number % len(paths)]) for number in range(_AT_ONCE)))
    cuts = quantiles(times, n=100, method="inclusive")
    used = (_processor(pid) - before) / _AT_ONCE * 1000
    return {"p50": round(cuts[49], 2), "p95": round(cuts[94], 2), "max": round(max(times), 2), "ms": round(used, 1)}


async def measure(home: Path) -> dict[str, dict[str, float]]:
    """The figures by kind of read and round."""
    ids = await _filled(home)
    script = "from inquest.cli.entry import run; import sys; sys.exit(run(sys.argv[1:]))"
    command = [sys.executable, "-c", script, "serve", "--port", "0"]
    env = os.environ | {"INQUEST_HOME": str(home)}
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env)
    try:
        assert server.stdout is not None
        site = next(word for line in server.stdout for word in line.split() if word.startswith("http://"))
        forms = ("/cases/{}", "/cases/{}/verdicts", "/api/v1/cases/{}")
        mixed = [form.format(each) for each in ids for form in forms]
        reads = {"case page": [f"/cases/{ids[0]}"], "JSON": [f"/api/v1/cases/{ids[0]}"], "ten cases": mixed}
        return {
            f"{name}, round {number}": await _read(site, paths, server.pid)
            for name, paths in reads.items()
            for number in (1, 2)
        }
    finally:
        server.terminate()
        server.wait(30)


def main() -> int:
    """Print the figures as JSON; exit code 1 if a p95 is over the goal."""
    with tempfile.TemporaryDirectory(prefix="inquest-parallel-") as home:
        found = asyncio.run(measure(Path(home)))
    print(json.dumps(found, indent=2))
    return int(any(each["p95"] > MOST_P95 for each in found.values()))


if __name__ == "__main__":
    sys.exit(main())
