"""A further round does not wait for what the model says of publishers, unless that may change what is asked."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

from inquest.analysts.local import LocalAnalyst
from inquest.desks.news.desk import NewsDesk
from inquest.domain.brief import Brief, Mode
from inquest.domain.check import Assignment, CheckRequest
from inquest.domain.finding import Finding, Stance
from inquest.domain.plan import Plan
from inquest.domain.search import EngineKind
from inquest.domain.source import Source
from inquest.flow.nodes.judge import judge_check
from inquest.flow.services import Asked, Services
from inquest.flow.state import CaseState, CheckState
from inquest.kit.desk import Subject
from inquest.retrieval.engine_choice import EngineChoice
from inquest.sources.tiers import rating_of
from tests.flow.test_classifying import NOT_KNOWN, NOW, claim, finding, services, source

DAILY = rating_of("daily.example", 80, [NOT_KNOWN])


def given(mind: LocalAnalyst) -> Services:
    class Events:
        async def emit(self, *told: Any, **data: Any) -> None: ...

    more = {
        "desks": {"news": NewsDesk()},
        "engines": [EngineChoice("paper", (EngineKind.NEWS,))],
        "events": Events(),
        "now": lambda as_of: NOW,
    }
    return cast(Services, SimpleNamespace(**vars(services(mind)), **more))


def state(sources: list[Source], findings: list[Finding], *, rounds: int = 1) -> CaseState:
    """Two claims: on the first is what is given, on the second nothing, so that it is looked into again."""
    claims = (claim(1, 9), claim(2, 9))
    check = CheckState(
        subject=Subject(company="Calder Stone", industry="", now=NOW),
        routing=tuple(Assignment(claim_id=each.id, desks=("news",), reasons=()) for each in claims),
    )
    request = CheckRequest(company="Calder Stone", claims=claims, rounds=rounds)
    plan = Plan(topic="", questions=(), queries=(), engines=("paper",), mode=Mode.QUICK, analyst="a-model")
    brief, found = Brief(text="", check=request), tuple(findings)
    return CaseState(brief=brief, plan=plan, claims=claims, sources=tuple(sources), findings=found, check=check)


def papers() -> list[Source]:
    """Two dailies that a rule knows, and a paper that none does."""
    dailies = [
        source(n).model_copy(update={"rating": DAILY.model_copy(update={"domain": f"d{n}.example"})}) for n in (1, 2)
    ]
    return [*dailies, source(3)]


async def judged(case: CaseState) -> tuple[bool, str]:
    """Whether the judge had to wait for the answer, and why there is no further round."""
    services_ = given(_Model())
    answer: asyncio.Future[Asked] = asyncio.get_running_loop().create_future()
    services_.publishers["paper3.example"] = answer
    judging = asyncio.ensure_future(judge_check(case, services_))
    await asyncio.wait([judging, asyncio.ensure_future(_idle())], return_when=asyncio.FIRST_COMPLETED)
    waited = not judging.done()
    answer.set_result((None, None))
    return waited, (await judging)["check"].stopped


async def _idle() -> None:
    """Until whatever could go on without the answer has gone on."""
    for _ in range(200):
        await asyncio.sleep(0)


class _Model(LocalAnalyst):
    def __init__(self) -> None:
        super().__init__(None)


async def test_a_round_that_would_be_the_same_is_not_held_back() -> None:
    findings = [finding(n).model_copy(update={"confidence": 0.95}) for n in (1, 2, 3)]
    assert await judged(state(papers(), findings)) == (False, "")


async def test_where_the_publisher_may_decide_the_verdict_the_round_waits_for_it() -> None:
    alone = [finding(3, Stance.CONTRADICTS).model_copy(update={"confidence": 0.95})]
    assert await judged(state(papers(), alone)) == (True, "")


async def test_the_last_verdicts_are_given_with_all_that_is_known_of_publishers() -> None:
    findings = [finding(n).model_copy(update={"confidence": 0.95}) for n in (1, 2, 3)]
    waited, why = await judged(state(papers(), findings, rounds=0))
    assert waited and why
