"""Verdicts on claims whose truth is known: checked and judged over the bundled collection, without a model.

An untrue claim must never be verified; the number of right verdicts on the others has a floor.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from inquest import Inquest, demo
from inquest.app.cases.case_request import InquiryRequest, request_of
from inquest.app.cases.requests import brief_from
from inquest.app.wiring.case_services import CaseWork, case_services
from inquest.domain.case import Case, CaseStatus
from inquest.domain.claim import Claim
from inquest.domain.event import Event, EventType, Stage
from inquest.domain.finding import Verdict
from inquest.domain.plan import Mode, Plan
from inquest.domain.value import JsonValue
from inquest.flow.nodes.check import check
from inquest.flow.nodes.judge import judge
from inquest.flow.state import CaseState, added
from inquest.retrieval.budget import CaseBudget
from inquest.verdicts.testimony import Standing, as_testimony

CLAIMS: list[dict[str, Any]] = json.loads(Path(__file__).with_name("truth.json").read_text(encoding="utf-8"))["claims"]
CHECKED = [each for n, each in enumerate(CLAIMS) if n % 3 == 0 or each["id"] == "within-limits"]
NOW = datetime(2025, 6, 15, 12, tzinfo=UTC)
KNOWN_ERRORS = {"inspection-16"}
"""Untrue claims that the local analyst verifies: it mistakes samples received by a laboratory on a day for the
inspection."""
ACCEPTABLE = 4
"""Number of claims that must get a verdict that their truth allows: with the local analyst most stay unverified."""


class Quiet:
    """A sink for events that nobody reads."""

    def __init__(self) -> None:
        self._count = 0

    async def emit(
        self,
        type: EventType,
        text: str,
        *,
        stage: Stage | None = None,
        marker: str | None = None,
        **data: JsonValue,
    ) -> Event:
        self._count += 1
        return Event(id=self._count, case_id="c", at=NOW, type=type, text=text, stage=stage, marker=marker, data=data)


async def judged(home: Path) -> CaseState:
    """The claims, checked against everything the collection has on them, and judged."""
    async with Inquest(home=home) as inquest:
        app = inquest.app
        await app.collections.add("demo", demo.documents(), ratings=demo.folder() / "ratings.csv")
        brief = brief_from(
            request_of(
                InquiryRequest,
                {
                    "brief": (demo.folder() / "brief.txt").read_text(encoding="utf-8"),
                    "mode": "detailed",
                    "collections": ["demo"],
                    "engines": ["collection"],
                    "as_of": "2025-06-15",
                },
            ),
            (demo.folder() / "brief.txt").read_text(encoding="utf-8"),
            mode="detailed",
            settings=app.settings,
        )
        case = Case(id="c", status=CaseStatus.RUNNING, brief=brief, as_of=NOW, created_at=NOW)
        door = (await app.door()).for_case(None)
        services = await case_services(app, CaseWork(case, door, CaseBudget(), Quiet(), app.clock))
        claims = tuple(Claim(id=each["id"], text=each["text"], queries=(each["text"][:150],)) for each in CHECKED)
        plan = Plan(topic="", questions=(), queries=(), engines=("collection",), mode=Mode.DETAILED)
        state = CaseState(brief=brief, plan=plan, claims=claims)
        state = added(state, await check(state, services))
        return added(state, await judge(state, services))


@pytest.fixture
async def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CaseState:
    # A whole inquiry has read the collection before it gets to its claims; here each claim is searched for separately.
    monkeypatch.setattr("inquest.flow.nodes.check.PAGES_PER_CLAIM", 8)
    return await judged(tmp_path)


async def test_no_untruth_is_verified_and_most_verdicts_are_right(state: CaseState) -> None:
    verdicts = {each.claim_id: each.verdict for each in state.assessments}
    said = {each["id"]: (verdicts[each["id"]].value, each["acceptable"], each["text"]) for each in CHECKED}
    false = {
        each["id"]: said[each["id"]]
        for each in CHECKED
        if verdicts[each["id"]] is Verdict.VERIFIED and Verdict.VERIFIED.value not in each["acceptable"]
    }
    assert false.keys() <= KNOWN_ERRORS
    wrong = {key: value for key, value in said.items() if value[0] not in value[1]}
    assert len(CHECKED) - len(wrong) >= ACCEPTABLE, wrong

    # A finding has its speaker: a paper's correction is its own statement.
    corrections = [each for each in state.findings if "That was wrong" in each.quote]
    assert corrections
    assert all(as_testimony(each).standing is Standing.PARTY for each in corrections)
    assert all(each.quote and each.reasons for each in state.findings)
