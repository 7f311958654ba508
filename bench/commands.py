"""`python -m bench.commands [NAME ...] [--times N]`: the installed `inquest` as a process, measured as its user waits
for it.

Each job runs on the simulated web of `bench.simulated` (model 1.0 s, search 0.5, page 0.4), each time in a fresh data
folder; the jobs take turns, and each figure is the median of N runs (3).

- `NAME_ratio`: wall time of the whole command, relative to the longest unavoidable chain of waits in its work (`JOBS`).
- `NAME_serial`: the time it waited for consecutive requests, relative to that chain: the longest sequence of requests
  of which each began when the one before had ended. It has a floor that holds for a machine with a spare core: on a
  busy one, requests that could be sent together are sent one after another, and form sequences of their own.
- `NAME_first_share`: time until the first external request, relative to the wall time.
- `NAME_prompts`: bytes sent to the model; the same in every run, and therefore with a floor.
- `NAME_kept`: bytes that the case adds to a database with empty tables.

Also shown, for the median run: seconds, seconds without a pending request (`idle`), processor seconds, peak memory, and
requests by kind.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from bench.figures import Figure, print_figures
from bench.simulated.companies import a_company_world
from bench.simulated.company_claims import COMPANIES, TECHNICAL
from bench.simulated.markets import NOW, QUESTION
from bench.simulated.running import Logged, logged
from bench.simulated.server import CERTIFICATE, FIRST
from bench.simulated.worlds import BRIEF, a_world
from inquest.store.database import Database

__all__ = ["JOBS", "Job", "main"]

INQUEST = Path(sys.executable).with_name("inquest")
M, S, P = FIRST.model, FIRST.search, FIRST.page
_CHECK = ("--engines", "tavily,crossref", "--approve", "auto")
_NEWS, _BOTH = ("--desks", "news"), ("--desks", "news,academic")


class Job(NamedTuple):
    """A command, the world it runs in, and the longest chain of waits in its work, in seconds."""

    arguments: tuple[str, ...]
    world: str
    chain: float
    model: bool = True
    text: str = ""
    """Written to `text.md` in the folder where the command runs."""


def _claims(number: int, *more: str) -> tuple[str, ...]:
    company = TECHNICAL
    words = [part for row in company.rows[:number] for part in ("--claim", row.claim)]
    return ("check", *words, "--company", company.name, *more, *_CHECK)


def _cited(citations: int) -> str:
    """A text that cites each page of a world for a claim that it supports, and the first pages for a second claim."""
    world = a_world(22)
    claims = [
        (number, told.told if telling.supports else told.denied)
        for turn in range(3)
        for number, page in enumerate(world.pages, 1)
        for telling in page.tellings[turn : turn + 1]
        for told in (world.fact(telling.fact),)
    ]
    entries = "\n".join(f"{number}. {page.url}" for number, page in enumerate(world.pages, 1))
    said = "\n".join(f"{claim} [{number}]" for number, claim in claims[:citations])
    return f"{said}\n\n## Sources\n\n{entries}\n"


_CHECKED, _AGAIN = M + S + P + M + M, S + P + M
"""The chain of a check: queries, search, page, judgement, summary; of a further round: search, page, judgement."""

JOBS: dict[str, Job] = {
    "one_claim": Job(_claims(1, *_NEWS), "technical", _CHECKED),
    "five_claims": Job(_claims(5, *_NEWS), "technical", _CHECKED + _AGAIN),
    "five_claims_both": Job(_claims(5, *_BOTH), "technical", _CHECKED + _AGAIN),
    "ten_claims_both": Job(_claims(10, *_BOTH), "technical", _CHECKED + _AGAIN),
    "five_claims_local": Job(_claims(5, *_BOTH), "technical", 2 * (S + P), model=False),
    "report": Job(
        ("run", BRIEF, "--mode", "detailed", "--engines", "tavily", "--approve", "auto"),
        "20",
        M + S + P + M + M + S + P + M + M,
    ),
    "audit": Job(("audit", "text.md"), "22", P + M, text=_cited(40)),
    "audit_local": Job(("audit", "text.md"), "22", P, model=False, text=_cited(40)),
    "market": Job(("ask", QUESTION, "--engines", "tavily", "--as-of", NOW.isoformat()), "market", M + S + P),
}
"""The chain of a report: queries, search, page, summaries, merging, search, page, judgement, writing. For some of five
and ten claims, the judge has the desks search again."""


class Run(NamedTuple):
    """One run of a command."""

    wall: float
    first: float
    """Seconds from the start to the first external request."""
    serial: float
    idle: float
    cpu: float
    memory: float
    """Peak memory in MB."""
    requests: dict[str, int]
    prompts: int
    """Bytes sent to the model."""
    kept: int
    """Bytes that the case adds to the database."""


def run(job: Job) -> Run:
    """Run the command with a process, a web and a data folder of its own. Raises RuntimeError if it fails."""
    with tempfile.TemporaryDirectory() as folder, logged(job.world, FIRST) as web:
        home = Path(folder)
        (home / "ratings.csv").write_text(a_company_world((*COMPANIES, TECHNICAL)).ratings_csv())
        began = time.monotonic()
        (home / "text.md").write_text(job.text)
        command = [str(INQUEST), *job.arguments, *(() if job.text else ("--json", str(home / "case.json")))]
        with (home / "said.txt").open("w+") as said:
            process = subprocess.Popen(
                command, env=_environment(home, web.port, job), stdout=said, stderr=said, cwd=home
            )
            _, status, usage = os.wait4(process.pid, 0)
            wall = time.monotonic() - began
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode not in (0, 1 if job.text else 2, 2):
                said.seek(0)
                raise RuntimeError(said.read())
        log, sent = web.ended()
        return Run(
            wall,
            min((row.began for row in log), default=began) - began,
            _serial(log),
            wall - _waited(log),
            usage.ru_utime + usage.ru_stime,
            usage.ru_maxrss / 1024,
            dict(Counter(row.kind for row in log)),
            sent.get("model", 0),
            sum(file.stat().st_size for file in home.glob("inquest.db*")) - _empty_database(),
        )


@cache
def _empty_database() -> int:
    """Bytes of a database with its tables and nothing in them."""

    async def made(folder: str) -> None:
        database = await Database.open(f"sqlite:///{folder}/inquest.db")
        await database.close()

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(made(folder))
        return sum(file.stat().st_size for file in Path(folder).glob("inquest.db*"))


def _environment(home: Path, port: int, job: Job) -> dict[str, str]:
    # An installed package has its bytecode; a source tree has it only after the first run.
    left_out = ("INQUEST_", "PYTHONDONTWRITEBYTECODE")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(left_out)}
    own = {
        "INQUEST_HOME": str(home),
        "INQUEST_RATINGS": str(home / "ratings.csv"),
        "INQUEST_PROXY": f"http://127.0.0.1:{port}",
        "INQUEST_CA_FILE": str(CERTIFICATE),
        "TAVILY_API_KEY": "tvly-simulated-0123",
    }
    model = {"INQUEST_MODEL": "openai:gpt-4o-mini", "OPENAI_API_KEY": "sk-simulated-0123"} if job.model else {}
    return kept | own | model


def _serial(log: Sequence[Logged]) -> float:
    """The longest sequence of requests of which each began when the one before had ended, in seconds of waiting."""
    best: list[tuple[float, float]] = []
    for row in sorted(log, key=lambda row: row.ended):
        before = max((sum_ for ended, sum_ in best if ended <= row.began), default=0.0)
        best.append((row.ended, before + row.ended - row.began))
    return max((sum_ for _, sum_ in best), default=0.0)


def _waited(log: Sequence[Logged]) -> float:
    """Seconds in which at least one request was pending."""
    total, end = 0.0, 0.0
    for row in sorted(log):
        total += max(0.0, row.ended - max(row.began, end))
        end = max(end, row.ended)
    return total


def figures(name: str, runs: Sequence[Run]) -> list[Figure]:
    """The ratios of a job, with the figures of the median run."""
    job = JOBS[name]
    middle = sorted(runs)[len(runs) // 2]
    details = {key: round(value, 2) if isinstance(value, float) else value for key, value in middle._asdict().items()}
    details |= {"chain": job.chain, "walls": sorted(round(run.wall, 2) for run in runs)}
    return [
        Figure("commands", f"{name}_ratio", middle.wall / job.chain, "x", details),
        Figure("commands", f"{name}_serial", statistics.median(run.serial for run in runs) / job.chain, "x"),
        Figure("commands", f"{name}_first_share", statistics.median(run.first for run in runs) / middle.wall, "x"),
        Figure("commands", f"{name}_prompts", statistics.median(run.prompts for run in runs), "bytes"),
        Figure("commands", f"{name}_kept", statistics.median(run.kept for run in runs), "bytes"),
    ]


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and return 1 if a ratio misses its floor."""
    parser = argparse.ArgumentParser(prog="python -m bench.commands", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*JOBS, []])
    parser.add_argument("--times", type=int, default=3)
    chosen = parser.parse_args(arguments)
    names = chosen.names or list(JOBS)
    taken: dict[str, list[Run]] = {name: [] for name in names}
    for _ in range(chosen.times):
        for name in names:
            taken[name].append(run(JOBS[name]))
    missed = print_figures([figure for name in names for figure in figures(name, taken[name])])
    for why in missed:
        print(why, file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
