"""A person's decision: who, when, what and why; stored beside the earlier ones, and the topic follows the latest."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from inquest.app.cases.topic_records import record_case, review, reviews_json
from inquest.app.settings import load_settings
from inquest.app.wiring.resources import Resources, open_resources
from inquest.domain.case import Case, CaseStatus
from inquest.domain.errors import InputError, NotFound
from inquest.domain.topic import ReviewFlag, Topic, VerificationLevel
from tests.app.topic_cases import SetClock, a_case

UNVERIFIED, VERIFIED, CERTIFIED = VerificationLevel


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
async def app(tmp_path: Path, clock: SetClock) -> AsyncIterator[Resources]:
    async with open_resources(load_settings(home=tmp_path / "home"), clock=clock) as opened:
        yield opened


@pytest.fixture
async def case(app: Resources) -> Case:
    """A case that found a topic verified despite a contradiction."""
    found = a_case(Topic(title="Bridge closed"), VERIFIED, flags=(ReviewFlag.CONTRADICTION,))
    await (await app.store()).create(found)
    await record_case(app, found)
    return found


async def test_before_a_decision_it_says_why_one_is_needed_and_then_it_is_accepted(
    app: Resources, case: Case, clock: SetClock
) -> None:
    found = await reviews_json(app, case.id)
    assert (found["requires_human_review"], found["review_flags"]) == (True, ["contradiction"])
    assert (found["reviewed"], found["reviews"]) == (False, [])
    assert (found["level_before"], found["level_found"], found["level_now"]) == ("unverified", "verified", "verified")
    clock.move(hours=1)
    kept, follows = await review(app, case.id[:10], accept=True, by="  The   desk ")
    assert follows
    assert (kept.by, kept.at, kept.level_decided) == ("The desk", clock.now(), VERIFIED)
    assert (await reviews_json(app, case.id))["level_now"] == "verified"


async def test_overruled_and_then_overruled_again(app: Resources, case: Case) -> None:
    await review(app, case.id, overrule="unverified", why="One post stands behind both papers.", by="A")
    await review(app, case.id, overrule="CERTIFIED", why="The court file is here.", by="B")
    found = await reviews_json(app, case.id)
    assert [(each["by"], each["decision"], each["level_decided"]) for each in found["reviews"]] == [
        ("A", "overrule", "unverified"),
        ("B", "overrule", "certified"),
    ]
    assert (found["level_found"], found["level_now"]) == ("verified", "certified")


@pytest.mark.parametrize(
    ("decision", "why"),
    [
        ({"by": "A", "accept": True, "overrule": "certified", "why": "x"}, "Missing decision"),
        ({"by": " ", "accept": True}, "Missing name of the reviewer"),
        ({"by": "A", "overrule": "unverified", "why": "  "}, "requires a reason"),
        ({"by": "A", "overrule": "true", "why": "x"}, "Invalid level 'true'"),
        ({"by": "A", "overrule": "verified", "why": "x"}, "is verified already"),
        ({"by": "A" * 201, "accept": True}, "200 for the name"),
    ],
)
async def test_what_is_no_decision_changes_nothing(
    app: Resources, case: Case, decision: dict[str, Any], why: str
) -> None:
    with pytest.raises(InputError, match=why):
        await review(app, case.id, **decision)
    assert (await reviews_json(app, case.id))["reviews"] == []


async def test_a_case_of_no_topic_has_no_level(app: Resources, case: Case) -> None:
    inquiry = case.model_copy(
        update={"id": "inquiry", "brief": case.brief.model_copy(update={"topic": None}), "investigation": None}
    )
    await (await app.store()).create(inquiry)
    with pytest.raises(InputError, match="investigates no topic"):
        await review(app, "inquiry", accept=True, by="A")
    with pytest.raises(NotFound, match="There is no case"):
        await review(app, "nowhere", accept=True, by="A")


async def test_nor_has_one_that_failed_or_still_runs(app: Resources, case: Case) -> None:
    failed = case.model_copy(
        update={"id": "failed", "status": CaseStatus.FAILED, "investigation": None, "why": "No net."}
    )
    await (await app.store()).create(failed)
    with pytest.raises(NotFound, match=r"has no result \(failed\). No net."):
        await reviews_json(app, "failed")
    await (await app.store()).create(failed.model_copy(update={"id": "runs", "status": CaseStatus.RUNNING}))
    with pytest.raises(InputError, match="has not ended yet"):
        await reviews_json(app, "runs")
