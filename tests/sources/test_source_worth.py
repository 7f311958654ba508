"""What lowers a document's worth: that it was retracted, as its title or the notice beside it says."""

from __future__ import annotations

import pytest

from inquest.sources.source_worth import worth_of
from inquest.sources.tiers import rating_of

PAPER = "Reading tablets and comprehension: a school trial"
NOTICE = f'Retraction notice to "{PAPER}"'
JOURNAL = rating_of("journal.example", 92, (), category="scholarly")
TABLOID = rating_of("paper.example", 92, (), category="newspaper")


@pytest.mark.parametrize(("title", "beside"), [(f"RETRACTED: {PAPER}", ()), (PAPER, (NOTICE, "Other news"))])
def test_a_retracted_work_is_no_evidence(title: str, beside: tuple[str, ...]) -> None:
    worth = worth_of(JOURNAL, None, [title], beside)
    assert worth.excluded == "retracted" and worth.rating.tier == 4


@pytest.mark.parametrize(
    ("title", "beside"),
    [(PAPER, ()), (PAPER, ("Retraction notice to: Chalk and comprehension",)), (NOTICE, (NOTICE,)), (PAPER, (PAPER,))],
)
def test_another_works_notice_and_the_notice_itself_lower_nothing(title: str, beside: tuple[str, ...]) -> None:
    assert worth_of(JOURNAL, None, [title], beside).rating == JOURNAL


def test_a_headline_of_the_press_is_no_mark() -> None:
    assert worth_of(TABLOID, None, ["Removed: statues that nobody misses"]).excluded is None
