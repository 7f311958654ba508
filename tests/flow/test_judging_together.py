"""A claim that several desks check is sent to the model once, and each passage on it once for the whole case; each desk
gets the same result as alone."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bench.simulated.companies import a_company_world
from bench.simulated.company_claims import TECHNICAL
from bench.simulated.running import limits_lifted
from bench.simulated.server import Faults, simulated_web
from inquest import Inquest
from inquest.domain.case import Case, CaseStatus
from inquest.domain.check import RequestStatus
from inquest.engines.scholarly.crossref import Crossref
from inquest.engines.web.tavily import Tavily
from inquest.flow.investigating import investigate
from inquest.flow.services import SharedWork
from tests.analysts.scripted import scripted_analyst

CLAIMS = [row.claim for row in TECHNICAL.rows[:4]]
BOTH = ("news", "academic")
JUDGE = "Task: judge how each"


@pytest.fixture(autouse=True)
def _no_limits() -> Iterator[None]:
    with limits_lifted(Tavily, Crossref):
        yield


class Asked:
    """The model's requests on claims: for each the claim, and the passages."""

    def __init__(self) -> None:
        self.judgments: list[tuple[str, tuple[str, ...]]] = []

    def __call__(self, request: dict[str, Any]) -> None:
        system, user = request["messages"][0]["content"], request["messages"][-1]["content"]
        if JUDGE in system:
            claim = next(each for each in CLAIMS if f"]]\n{each}\n[[" in user)
            texts = tuple(part.split("text:\n", 1)[1] for part in user.split("[[data ") if "text:\n" in part)
            self.judgments.append((claim, texts))

    def of(self, claim: str) -> list[tuple[str, ...]]:
        return [texts for one, texts in self.judgments if one == claim]


@asynccontextmanager
async def a_house(home: Path, asked: Asked | None = None) -> AsyncIterator[Inquest]:
    home.mkdir(exist_ok=True)
    async with simulated_web(a_company_world((TECHNICAL,)), faults=Faults(model=asked or Asked())) as web:
        ratings = home / "ratings.csv"
        ratings.write_text(web.world.ratings_csv())
        async with Inquest(home=home, ratings=ratings, **web.settings) as inquest:
            yield inquest


async def checked(inquest: Inquest, desks: tuple[str, ...] = BOTH, rounds: int = 0) -> Case:
    """A check of the claims; of two of them if no second round is wanted, which the others cause."""
    claims = CLAIMS if rounds else CLAIMS[:2]
    return await inquest.check(
        company=TECHNICAL.name, industry=TECHNICAL.industry, claims=claims, desks=desks, rounds=rounds,
        engines=("tavily", "crossref"), as_of="2024-12-31",
    )  # fmt: skip


async def test_two_desks_cost_a_claim_one_judgment_in_each_round(tmp_path: Path) -> None:
    asked = Asked()
    async with a_house(tmp_path, asked) as inquest:
        case = await checked(inquest, rounds=1)
        assert (await inquest.replay(case.id)).difference == ""
    assert case.check is not None and case.check.reinvestigations, "a second round was run"
    assert len({name for each in case.check.routing for name in each.desks}) == 2
    answered = Counter(each.claim_id for each in case.check.requests if each.status is not RequestStatus.UNAVAILABLE)
    again = Counter(each.claim_id for each in case.check.reinvestigations)
    for claim in case.claims:
        assert 1 <= len(asked.of(claim.text)) <= 1 + again[claim.id] + answered[claim.id]
        texts = [text for request in asked.of(claim.text) for text in request]
        # Two searches run in parallel, and may find the same page.
        assert len(texts) == len(set(texts)) or answered[claim.id] > 1


async def test_a_desk_finds_beside_another_what_it_finds_alone_and_when_its_node_runs_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = Asked()

    async def cut_off(*work: Any) -> None:
        """The machine fails when the desks have done their work, and it is not stored."""
        await investigate(*work)
        raise RuntimeError("the machine goes down")

    async with a_house(tmp_path / "cut", asked) as inquest:
        with monkeypatch.context() as patched, pytest.raises(RuntimeError, match="goes down"):
            patched.setattr("inquest.flow.nodes.exchange.investigate", cut_off)
            await checked(inquest)
        (listed,) = await inquest.app.cases()
        case = await inquest.resume(listed.id)
        assert (await inquest.replay(case.id)).difference == ""
    assert case.status is CaseStatus.COMPLETED, case.why
    whole = Asked()
    async with a_house(tmp_path / "whole", whole) as inquest:
        both = await checked(inquest)
        assert Counter(asked.judgments) == Counter(whole.judgments), "what was judged was recorded, and served"
        alone = await checked(inquest, desks=("academic",))

    def told(case: Case) -> set[tuple[Any, ...]]:
        own = [each for each in case.findings if each.confidence > 0 and each.quote]
        return {(each.claim_id, each.snapshot, each.start, each.end, each.stance) for each in own}

    assert told(alone) and told(alone) <= told(both)


def test_desks_share_a_judge_unless_one_has_a_model_of_its_own() -> None:
    common, _ = scripted_analyst()
    assert common.judge_of("news") == common.judge_of("academic")
    own, _ = scripted_analyst(model_academic="openai:gpt-4o")
    assert own.judge_of("news") != own.judge_of("academic")


class Work:
    """Work that waits until it is released; counts how often it was started."""

    def __init__(self) -> None:
        self.begun, self.stopped, self.go = 0, 0, asyncio.Event()

    async def __call__(self) -> int:
        self.begun += 1
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.stopped += 1
            raise
        return self.begun


async def test_shared_work_is_done_once_for_all_who_wait() -> None:
    shared, work = SharedWork(), Work()
    waiting = [asyncio.create_task(shared.once("gather", work)) for _ in range(3)]
    await asyncio.sleep(0)
    work.go.set()
    assert await asyncio.gather(*waiting) == [1, 1, 1]
    assert await shared.once("gather", work) == 1, "late comers are given the same"


async def test_shared_work_goes_on_while_one_still_waits_and_stops_with_the_last() -> None:
    shared, work = SharedWork(), Work()
    first, second = (asyncio.create_task(shared.once("gather", work)) for _ in range(2))
    await asyncio.sleep(0.01)
    first.cancel()
    await asyncio.sleep(0.01)
    assert first.cancelled() and work.stopped == 0
    second.cancel()
    await asyncio.sleep(0.01)
    assert second.cancelled() and work.stopped == 1
    work.go.set()
    assert await shared.once("gather", work) == 2, "what was stopped is begun anew"


async def test_what_shared_work_raises_is_raised_to_each() -> None:
    shared = SharedWork()

    async def fails() -> None:
        await asyncio.sleep(0)
        raise ValueError("no")

    found = await asyncio.gather(*(shared.once("x", fails) for _ in range(2)), return_exceptions=True)
    assert [type(each) for each in found] == [ValueError, ValueError]
