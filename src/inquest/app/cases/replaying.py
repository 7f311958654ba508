"""Running a case again from its recorded replies alone, and holding the two reports against each other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from inquest.app.cases.memory_events import MemorySink
from inquest.app.cases.reporting import render
from inquest.app.clock import FixedClock
from inquest.app.wiring.case_services import CaseWork, case_services
from inquest.domain.case import Case, CaseStatus, in_force
from inquest.domain.errors import InputError
from inquest.kit.exchange import Purpose, Reply, Request
from inquest.kit.ports import HttpClient

if TYPE_CHECKING:
    import httpx2

    from inquest.app.wiring.resources import Resources


@dataclass(frozen=True)
class Replayed:
    """A case run again from its recording, and how its report compares."""

    case: Case
    same: bool
    difference: str
    replies: int


async def replay(app: Resources, case_id: str) -> Replayed:
    """Run the case again with its own answers, and compare the reports byte for byte. Raises InputError."""
    from langgraph.checkpoint.memory import InMemorySaver

    from inquest.flow.runner import CaseRunner
    from inquest.retrieval.budget import CaseBudget

    case = await app.case(case_id)
    if case.summary is None:
        raise InputError(
            f"The case {case.id} has no report to compare with.", advice="Finish it with `inquest resume`."
        )
    clock = FixedClock(case.created_at)
    budget = CaseBudget()
    door = _Counting((await app.door()).for_case(case.id, budget, replay=True))
    services = await case_services(app, CaseWork(case, door, budget, MemorySink(case.id, clock), clock, replay=True))
    bare = case.model_copy(update={"plan": None, "approvals": (), "rounds": (), "status": CaseStatus.PLANNED})
    runner = CaseRunner(bare, services, InMemorySaver(), None, timings=case.timings, cost=case.cost)
    async with runner:
        again = await runner.start()
        for approval in in_force(case.approvals, case.rounds):
            again = await runner.decide(approval)
    again = again.model_copy(update={"approvals": case.approvals, "rounds": case.rounds})
    before, after = [await render(app, each, "md") for each in (case, again)]
    return Replayed(again, before == after, _first_difference(before, after), door.count)


class _Counting:
    """A door that counts what passes."""

    def __init__(self, door: HttpClient) -> None:
        self._door, self.count = door, 0

    async def fetch(self, request: Request, *, purpose: Purpose, label: str = "") -> Reply:
        self.count += 1
        return await self._door.fetch(request, purpose=purpose, label=label)

    def expect(self, urls: Iterable[str]) -> None:
        """A replay asks nobody beforehand."""

    def transport(self, model: str) -> httpx2.AsyncBaseTransport:
        from inquest.net.transport import DoorTransport

        return DoorTransport(self, model)


def _first_difference(before: bytes, after: bytes) -> str:
    for number, (old, new) in enumerate(zip(before.splitlines(), after.splitlines(), strict=False), 1):
        if old != new:
            return f"line {number} was “{old.decode()[:200]}” and is “{new.decode()[:200]}”"
    return "" if before == after else "one is longer than the other"
