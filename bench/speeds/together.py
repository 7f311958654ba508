"""Concurrent cases compared with the same cases one after another, in one process: `python -m bench.speed together
[CASES]`.

Each case (20) is a check of one claim by the news desk on the simulated web (model 1.0 s, search 0.5, page 0.4), as a
server runs it: one `Inquest`, one data folder, the small models loaded beforehand. No two cases have a claim in common,
so that none gets another's replies. `ratio`: with a model, so that cases mostly wait; `ratio_local`: without one, so
that cases mostly compute. Both have floors: the computing of one case must not hold up the others.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.figures import Figure
from bench.simulated.companies import a_company_world
from bench.simulated.company_claims import COMPANIES
from bench.simulated.running import limits_lifted, running
from bench.simulated.server import FIRST, Latencies, settings_for

__all__ = ["measure"]

_CLAIMS = [(company, row.claim) for company in COMPANIES for row in company.rows]


def measure(arguments: list[str]) -> list[Figure]:
    """The ratios, with each run in its own process."""
    cases = int(arguments[0]) if arguments else 20
    return [_ratio(name, judge, cases) for name, judge in (("ratio", "model"), ("ratio_local", "local"))]


def _ratio(name: str, judge: str, cases: int) -> Figure:
    said = {}
    for way in ("in_turn", "at_once"):
        command = [sys.executable, "-m", "bench.speeds.together", way, judge, str(cases)]
        said[way] = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    details = {f"{key}_{way}": value for way, each in said.items() for key, value in each.items()}
    return Figure(
        "together", name, said["in_turn"]["seconds"] / said["at_once"]["seconds"], "x", {"cases": cases, **details}
    )


async def run(way: str, judge: str, cases: int) -> dict[str, float]:
    """Seconds of all the cases and of the processor. Raises RuntimeError if one is not completed."""
    from inquest import Inquest
    from inquest.engines.web.tavily import Tavily

    with tempfile.TemporaryDirectory() as folder, limits_lifted(Tavily):
        ratings = Path(folder) / "ratings.csv"
        ratings.write_text(a_company_world(COMPANIES).ratings_csv())

        async def checked(port: int, chosen: list[int], home: str) -> None:
            settings = settings_for(port) | ({"model": None} if judge == "local" else {})
            async with Inquest(home=Path(folder) / home, ratings=ratings, **settings) as inquest:

                async def one(number: int) -> None:
                    company, claim = _CLAIMS[number % len(_CLAIMS)]
                    case = await inquest.check(
                        company=company.name, claims=[claim], desks=("news",), rounds=0, engines=("tavily",)
                    )
                    if case.status != "completed":
                        raise RuntimeError(f"{claim}: {case.status}, {case.why}")

                if way == "at_once":
                    await asyncio.gather(*map(one, chosen))
                else:
                    for number in chosen:
                        await one(number)

        with running("companies", Latencies()) as port:
            await checked(port, [cases], "first")
        with running("companies", FIRST) as port:
            wall, cpu = time.perf_counter(), time.process_time()
            await checked(port, list(range(cases)), "measured")
            return {
                "seconds": round(time.perf_counter() - wall, 2),
                "cpu_seconds": round(time.process_time() - cpu, 2),
            }


if __name__ == "__main__":
    print(json.dumps(asyncio.run(run(sys.argv[1], sys.argv[2], int(sys.argv[3])))))
