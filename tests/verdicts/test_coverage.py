"""What could not be asked is said in the sentence that says that nothing was found."""

from __future__ import annotations

import pytest

from inquest.domain.assessment import Verdict
from inquest.domain.check import Gap, Reinvestigation
from inquest.domain.claim import Claim
from inquest.domain.report import Coverage
from inquest.verdicts.coverage import gap_with_coverage, lacking, with_coverage
from inquest.verdicts.weighing import assess_claim

NOTHING = assess_claim(Claim(id="C1", text="The bridge opened in 2024."), [], {})


def test_where_everybody_answered_nothing_is_added() -> None:
    assert with_coverage(NOTHING, Coverage(answered=4)) == NOTHING


@pytest.mark.parametrize("coverage", [Coverage(answered=2, out=("brave",)), Coverage(answered=2, unread=3, read=1)])
def test_no_sentence_says_nothing_was_found_without_what_could_not_be_asked(coverage: Coverage) -> None:
    found = with_coverage(NOTHING, coverage)
    silent = [sentence for sentence in found.reasons if "Nothing was found" in sentence]
    assert silent and all(lacking(coverage) in sentence for sentence in silent)
    assert found.checked and found.verdict is Verdict.UNVERIFIED and found.lacks


def test_where_nobody_answered_the_claim_could_not_be_checked() -> None:
    found = with_coverage(NOTHING, Coverage(out=("brave", "serper")))
    assert not found.checked and found.verdict is Verdict.UNVERIFIED
    assert found.reasons == ("It could not be checked: brave and serper could not be asked.",)


def test_where_no_page_that_was_found_could_be_read_the_claim_could_not_be_checked() -> None:
    found = with_coverage(NOTHING, Coverage(answered=4, unread=3))
    assert not found.checked
    assert found.reasons == ("It could not be checked: three pages could not be read.",)


def test_rounds_and_desks_add_up() -> None:
    both = Coverage(answered=1, out=("brave",)) + Coverage(answered=2, out=("brave", "exa"), unread=1)
    assert both == Coverage(answered=3, out=("brave", "exa"), unread=1)


@pytest.mark.parametrize(
    ("coverage", "said"),
    [
        (Coverage(answered=2), "Nothing was found that bears on the claim."),
        (Coverage(answered=2, out=("brave",)), "Nothing was found that bears on the claim, and brave did not answer."),
        (Coverage(out=("brave", "serper")), "Brave and serper could not be asked."),
    ],
)
def test_what_is_asked_for_again_says_who_was_silent(coverage: Coverage, said: str) -> None:
    words = "Nothing was found that bears on the claim."
    gap = Reinvestigation(
        claim_id="C1",
        desks=("news",),
        gap=Gap.NOTHING_FOUND,
        evidence_gap=words,
        refined_queries=(),
        required_evidence="A page.",
        iteration=2,
    )
    found = gap_with_coverage(gap, coverage)
    assert found is not None and found.evidence_gap == said
    assert gap_with_coverage(None, coverage) is None
