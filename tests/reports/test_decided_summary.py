"""The summary of a case after a person's decision: the decision comes before the result of the run."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from inquest.desks.inquiry.writing import fact, says
from inquest.domain.event import ClaimDecision, DecisionKind
from inquest.domain.finding import Verdict
from inquest.domain.reasons import Reason
from inquest.domain.report import Section, Summary
from inquest.reports.decided import as_decided
from tests.reports.report_cases import rich

CASE = rich().case
CLAIM = CASE.claims[0]
IT = f"“{CLAIM.text.rstrip('.')}”"
OVERRULED = "Overruled by Ada: contradicted instead of verified."


@pytest.mark.parametrize(
    ("codes", "shown"),
    [
        (
            [says("words", words="Is it so?"), says("yes"), says("claim_is", claim=IT, verdict="verified")],
            f"Is it so? {OVERRULED} The run found: Yes: {IT} is verified.",
        ),
        (
            [says("words", words=CLAIM.text), says("verified_alone", names=["courier.example"])],
            f"{OVERRULED} The run found: {CLAIM.text} Verified by courier.example alone.",
        ),
        (
            [says("words", words="What holds?"), says("of_all", verdict="verified", claims=f"{IT}; “Another”")],
            f"What holds? {IT}: {OVERRULED} The run found: Verified: {IT}; “Another”.",
        ),
        (
            [says("on_claim", claim="“Another”", against=says("quote_unknown", words=IT))],
            f"On the claim “Another”: a source says {IT}.",
        ),
    ],
)
def test_a_decision_comes_before_the_verdict_of_the_run(codes: list[Reason], shown: str) -> None:
    decided = _decided(Section(heading="Key findings", statements=(fact(codes, ()),)))
    assert decided.sections[1].statements[0].text == shown
    assert decided.sections[0].statements[0].text == f"{IT}: {OVERRULED} Reason: The lab took it back.", "only here"


@pytest.mark.parametrize("named", [IT, f"{IT[:20]}…”"])
def test_no_advice_is_given_on_a_claim_that_a_person_decided(named: str) -> None:
    advice = fact([says("second_source", claim=named)], ())
    other = fact([says("second_source", claim="“Another”")], ())
    first, *rest = _decided(Section(heading="Recommendations", statements=(advice, other))).sections
    assert [each.statements for each in rest] == [(other,)]
    first, *rest = _decided(Section(heading="Recommendations", statements=(advice,))).sections
    assert first.heading == "Decided by people" and not rest


def _decided(section: Section) -> Summary:
    assessments = tuple(
        each.model_copy(update={"verdict": Verdict.VERIFIED}) if each.claim_id == CLAIM.id else each
        for each in CASE.assessments
    )
    assert CASE.summary is not None
    summary = CASE.summary.model_copy(update={"sections": (section,)})
    case = CASE.model_copy(update={"assessments": assessments, "summary": summary})
    decision = ClaimDecision(
        id=1,
        at=datetime(2026, 1, 1, tzinfo=UTC),
        by="Ada",
        claim_id=CLAIM.id,
        claim=CLAIM.text,
        kind=DecisionKind.OVERRULE,
        found=Verdict.VERIFIED,
        decided=Verdict.CONTRADICTED,
        why="The lab took it back.",
    )
    decided = as_decided(case, [decision]).summary
    assert decided is not None
    return decided
