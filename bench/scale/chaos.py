"""`python -m bench.scale.chaos`: cases on workers that are killed and stopped, over a database that is restarted and an
object store that is away for a while.

Counted at the end: cases that did not end, duplicate events and findings, and searches that were repeated although
their reply had been stored. A call that was pending when its worker was killed has to be repeated, since its outcome
cannot be known; such calls are counted separately.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import text

from bench.scale.machines import ObjectStore, WorkerProcess, postgres, restart_postgres, worker_environment
from bench.scale.world import World
from inquest.app.cases.case_request import ClaimsRequest, GivenClaim
from inquest.app.desks.briefs import check_brief
from inquest.app.service.case_actions import Owner, open_brief
from inquest.app.settings import load_settings
from inquest.app.wiring.resources import Resources, open_resources
from inquest.app.work.worker import ByQueue
from inquest.domain.errors import StorageError

__all__ = ["Chaos", "Outcome", "open_cases", "run"]


_WATCHED = """
CREATE TABLE bench_kept (case_id text, fingerprint text);
CREATE FUNCTION bench_note() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN INSERT INTO bench_kept VALUES (NEW.case_id, NEW.fingerprint); RETURN NEW; END $$;
CREATE TRIGGER bench_note AFTER INSERT OR UPDATE ON replies
FOR EACH ROW WHEN (NEW.body IS NOT NULL) EXECUTE FUNCTION bench_note();
CREATE TABLE bench_taken (case_id text, runner text, at timestamptz);
CREATE FUNCTION bench_take() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN INSERT INTO bench_taken VALUES (NEW.id, NEW.runner, clock_timestamp()); RETURN NEW; END $$;
CREATE TRIGGER bench_take AFTER UPDATE ON cases
FOR EACH ROW WHEN (NEW.epoch <> OLD.epoch) EXECUTE FUNCTION bench_take();
CREATE TABLE bench_jobs (case_id text, status text, at timestamptz);
CREATE FUNCTION bench_job() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN INSERT INTO bench_jobs VALUES (NEW.lock, NEW.status, clock_timestamp()); RETURN NEW; END $$;
CREATE TRIGGER bench_job AFTER UPDATE ON procrastinate_jobs
FOR EACH ROW WHEN (NEW.status <> OLD.status) EXECUTE FUNCTION bench_job();
"""
"""Records each stored reply (one that is stored twice was paid for twice), which worker took each case and when, and
when its job returned to the queue and was fetched from it."""


class Takeover(NamedTuple):
    """The takeover of a killed worker's case by another worker, in seconds."""

    whole: float
    """From the death of the worker until another has taken the case."""
    noticed: float
    """The part until its job is in the queue again."""
    fetched: float
    """The part from there until a worker has room for it."""
    restarted: bool
    """True if the database was restarted meanwhile."""


@dataclass(frozen=True)
class Chaos:
    """The extent of the faults. `every`: seconds between two blows to a worker; `restarts`: of the database."""

    cases: int = 100
    workers: int = 3
    at_once: int = 4
    """Cases per worker."""
    every: float = 6.0
    blows: int | None = None
    """Number of blows; None: until all cases have ended."""
    restarts: int = 2
    store_away: float = 20.0
    """Seconds for which the object store is away, once, after `calm`."""
    calm: float = 15.0
    limit: float = 900.0
    seed: int = 14


@dataclass
class Outcome:
    """The outcome."""

    ended: Counter[str] = field(default_factory=Counter)
    lost: int = 0
    doubled_events: int = 0
    doubled_findings: int = 0
    calls: int = 0
    calls_again: int = 0
    """Searches that were made more than once."""
    paid_twice: int = 0
    """Requests of a case that were repeated although a reply had been stored."""
    blows: Counter[str] = field(default_factory=Counter)
    takeovers: list[Takeover] = field(default_factory=list)
    seconds: float = 0.0
    killed: list[tuple[int, datetime]] = field(default_factory=list)
    """Process and time."""
    restarts: list[datetime] = field(default_factory=list)
    """The times at which the database was told to restart."""

    def shares(self) -> dict[str, dict[str, float]]:
        """Seconds of the takeovers: the median and the 95th percentile of all, of those during which the database was
        not restarted, and of their parts."""
        parts = {
            "whole": [each.whole for each in self.takeovers],
            "whole_without_restart": [each.whole for each in self.takeovers if not each.restarted],
            "until_noticed": [each.noticed for each in self.takeovers],
            "until_somebody_has_room": [each.fetched for each in self.takeovers],
            "until_taken": [each.whole - each.noticed - each.fetched for each in self.takeovers],
        }
        return {
            name: {"n": len(found), "p50": _share(found, 50), "p95": _share(found, 95), "most": max(found, default=0)}
            for name, found in parts.items()
        }


def _share(values: list[float], percent: int) -> float:
    ordered = sorted(values)
    return round(ordered[max(0, -(-percent * len(ordered) // 100) - 1)], 2) if ordered else 0.0


async def open_cases(app: Resources, queue: ByQueue, count: int, *, prefix: str = "Firm") -> list[str]:
    """Checks of one claim each, approved beforehand; each on a different firm, so that no reply serves two."""
    made = []
    for number in range(count):
        name = f"{prefix}{number:05d}x"
        claim = GivenClaim(id="G1", text=f"{name} was fined 150,000 euros in September 2023.", company=name)
        brief = await check_brief(app, ClaimsRequest(claims=(claim,), desks=("news",), rounds=0, engines=("searxng",)))
        made.append((await open_brief(app, queue, brief, Owner("bench"), approve=True)).id)
    return made


async def run(chaos: Chaos, folder: Path) -> Outcome:
    """Run everything in this folder."""
    outcome, chance = Outcome(), random.Random(chaos.seed)
    with ExitStack() as stack:
        world = stack.enter_context(World())
        url, data = stack.enter_context(postgres())
        store = stack.enter_context(ObjectStore())
        os.environ.update(store.environment)
        environment = worker_environment(folder / "home", url, world.host, INQUEST_STORAGE_URL=store.url)
        settings = load_settings(
            home=folder / "home",
            database_url=url,
            storage_url=store.url,
            searxng_url=f"http://{world.host}",
            allow_hosts=world.host,
        )
        async with open_resources(settings) as app:
            queue = ByQueue(app)
            await queue.start()
            await (await app.database()).write(lambda connection: connection.exec_driver_sql(_WATCHED).close())
            workers = [
                WorkerProcess(environment, folder / f"worker{n}.log", at_once=chaos.at_once)
                for n in range(chaos.workers)
            ]
            stack.callback(lambda: [worker.end() for worker in workers])
            began = time.monotonic()
            await open_cases(app, queue, chaos.cases)
            strikes = asyncio.create_task(_strike(chaos, workers, data, outcome, chance))
            away = asyncio.create_task(_take_away(store, chaos, outcome))
            try:
                async with asyncio.timeout(chaos.limit):
                    while await _running(app):
                        await asyncio.sleep(0.5)
            except TimeoutError:
                print(f"not all had ended after {chaos.limit:g} s", file=sys.stderr)
            outcome.seconds = time.monotonic() - began
            away.cancel()
            strikes.cancel()
            with suppress(asyncio.CancelledError):
                await asyncio.gather(strikes, away)
            await _count(app, world, outcome)
            await queue.aclose()
    return outcome


async def _strike(
    chaos: Chaos, workers: list[WorkerProcess], data: Path, outcome: Outcome, chance: random.Random
) -> None:
    restarts, dealt = chaos.restarts, 0
    while chaos.blows is None or dealt < chaos.blows or restarts:
        await asyncio.sleep(chaos.every)
        if restarts and chance.random() < 0.4:
            restarts -= 1
            outcome.restarts.append(datetime.now(UTC))
            await asyncio.to_thread(restart_postgres, data)
            outcome.blows["restarted database"] += 1
        if chaos.blows is not None and dealt >= chaos.blows:
            continue
        dealt += 1
        worker = chance.choice(workers)
        if chance.random() < 0.5:
            outcome.killed.append((worker.process.pid, datetime.now(UTC)))
            worker.kill()
            outcome.blows["killed"] += 1
        else:
            worker.stop()
            outcome.blows["stopped"] += 1
            await asyncio.sleep(chance.uniform(9, 14))
            worker.go_on()


async def _take_away(store: ObjectStore, chaos: Chaos, outcome: Outcome) -> None:
    if chaos.store_away:
        await asyncio.sleep(chaos.calm)
        await asyncio.to_thread(store.go_away)
        await asyncio.sleep(chaos.store_away)
        await asyncio.to_thread(store.come_back)
        outcome.blows["store away"] += 1


async def _running(app: Resources) -> int:
    query = text("SELECT count(*) FROM cases WHERE status IN ('planned', 'running')")
    database = await app.database()
    try:
        left: int = await database.read(lambda connection: connection.execute(query).scalar_one())
    except StorageError:
        return 1  # it is being restarted
    return left


async def _count(app: Resources, world: World, outcome: Outcome) -> None:
    database = await app.database()

    def all_of(query: str) -> Any:
        return database.read(lambda connection: connection.execute(text(query)).all())

    outcome.ended = Counter({row[0]: row[1] for row in await all_of("SELECT status, count(*) FROM cases GROUP BY 1")})
    outcome.lost = outcome.ended["planned"] + outcome.ended["running"]
    # The findings of a case are reported once; a stage may be started twice, by the worker that died and by the next.
    told = "('source_found', 'claim_extracted', 'fact_checked', 'search_executed', 'case_finished', 'case_started')"
    twice = (
        f"SELECT count(*) FROM (SELECT 1 FROM events WHERE type IN {told}"
        " GROUP BY case_id, type, text HAVING count(*) > 1) t"
    )
    outcome.doubled_events = (await all_of(twice))[0][0]
    same = (
        "SELECT count(*) FROM (SELECT 1 FROM findings"
        " GROUP BY case_id, claim_id, source_id, agent, document HAVING count(*) > 1) t"
    )
    outcome.doubled_findings = (await all_of(same))[0][0]
    outcome.calls = sum(len(times) for times in world.calls_of_one_firm.values())
    outcome.calls_again = sum(len(times) - 1 for times in world.calls_of_one_firm.values())
    paid = "SELECT count(*) FROM (SELECT 1 FROM bench_kept GROUP BY case_id, fingerprint HAVING count(*) > 1) t"
    outcome.paid_twice = (await all_of(paid))[0][0]
    taken = await all_of("SELECT case_id, runner, at FROM bench_taken ORDER BY at")
    jobs = await all_of("SELECT case_id, status, at FROM bench_jobs ORDER BY at")
    outcome.takeovers = _takeovers(outcome, taken, jobs)


def _takeovers(outcome: Outcome, taken: Sequence[Any], jobs: Sequence[Any]) -> list[Takeover]:
    """The takeovers, for each killed process and each case that it had."""
    found = []
    for pid, at in outcome.killed:
        had: dict[str, int] = {}
        for case_id, runner, when in taken:
            process = int(runner.split(":")[-2])
            if when <= at:
                had[case_id] = process
            elif had.get(case_id) == pid:
                had.pop(case_id)
                if process != pid:
                    moves = [(each.status, each.at) for each in jobs if each.case_id == case_id and at < each.at < when]
                    found.append(_takeover(at, when, moves, outcome.restarts))
    return found


def _takeover(died: datetime, taken: datetime, moves: list[tuple[str, datetime]], restarts: list[datetime]) -> Takeover:
    back = next((at for status, at in moves if status == "todo"), taken)
    fetched = next((at for status, at in reversed(moves) if status == "doing" and at >= back), taken)
    whole, noticed, room = (each.total_seconds() for each in (taken - died, back - died, fetched - back))
    return Takeover(whole, noticed, room, any(died < at < taken for at in restarts))


def main() -> int:
    """Run it and print the outcome as JSON; exit code 1 if anything was lost or duplicated."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--at-once", type=int, default=100, help="of each worker; so that no case waits for its turn")
    parser.add_argument("--keep", type=Path, help="a folder for the workers' logs")
    parser.add_argument("--seed", type=int, default=14)
    given = parser.parse_args()
    chaos = Chaos(cases=given.cases, workers=given.workers, at_once=given.at_once, seed=given.seed)
    with tempfile.TemporaryDirectory(prefix="inquest-chaos-") as folder:
        outcome = asyncio.run(run(chaos, given.keep or Path(folder)))
    hidden = ("killed", "restarts")
    shown = {name: value for name, value in vars(outcome).items() if name not in hidden}
    shown |= {"takeovers": outcome.shares()}
    print(json.dumps(shown, indent=2))
    return 1 if outcome.lost or outcome.doubled_events or outcome.doubled_findings or outcome.paid_twice else 0


if __name__ == "__main__":
    sys.exit(main())
