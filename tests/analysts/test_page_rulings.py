"""A fact-check's own rating of exactly this claim is used without a model."""

from __future__ import annotations

import pytest

from inquest.analysts.assessing import LocalJudge
from inquest.domain.finding import Reading, Stance
from inquest.domain.search import ClaimReview
from inquest.kit.analyst import Passage

CLAIM = "The Lenn harbour works cut its discharges by 40 percent."
TEXT = (
    "A leaflet went round in Lenn this spring. It praises the owner of the harbour for what he did in two years. "
    "We looked at the permits and at the meters. Our ruling: False. The owner did not answer."
)


def judged(
    claim: str = CLAIM, text: str = TEXT, *, verdict: str | None = "contradicted", rating: str = "False"
) -> Reading:
    reviewed = "The Lenn harbour works cut discharges by 40 percent."
    review = ClaimReview(claim=reviewed, rating=rating, verdict=verdict, url="https://checks.example/lenn")
    passage = Passage(id="P1", source_id="S1", snapshot="sha256:1", text=text, reviews=(review,))
    return LocalJudge().passages(claim, [passage])[0]


def test_a_page_that_rates_the_claim_false_contradicts_it_in_its_own_words() -> None:
    found = judged()
    assert found.stance is Stance.CONTRADICTS
    assert found.quote == TEXT[found.start : found.end]
    assert found.quote.endswith("Our ruling: False.")


def test_a_rating_of_another_figure_rules_on_another_claim() -> None:
    assert judged("The Lenn harbour works cut its discharges by 14 percent.").stance is not Stance.CONTRADICTS


@pytest.mark.parametrize("verdict", ["partially_true", None])
def test_a_rating_in_between_decides_nothing(verdict: str | None) -> None:
    assert judged(verdict=verdict, rating="Half true").stance is Stance.NEUTRAL


def test_what_such_a_page_restates_is_no_support() -> None:
    restated = (
        "The leaflet has it large. The Lenn harbour works cut its discharges by 40 percent. So it goes on for pages."
    )
    assert judged(text=restated).stance is Stance.NEUTRAL, "and the ruling itself is not in these words"
    assert judged(text=restated, verdict="verified", rating="True").stance is Stance.SUPPORTS
