"""What a passage that a search found says to a claim: likeness alone decides nothing, rules do."""

from __future__ import annotations

import pytest

from inquest.domain.finding import ContradictionType, Stance
from inquest.entailment.stance import stance_of

S, C, N = Stance.SUPPORTS, Stance.CONTRADICTS, Stance.NEUTRAL
DIRECT, CONTEXTUAL = ContradictionType.DIRECT, ContradictionType.CONTEXTUAL
OMISSION, TIMELINE = ContradictionType.OMISSION, ContradictionType.TIMELINE


def test_of_what_a_search_found_likeness_alone_contradicts_nothing() -> None:
    claim = "Norvane has spent 31 million euros on its treatment plant at Calder."
    passage = "Norvane gives work to 640 people at Calder, and the plant is not the only one in the valley."
    assert stance_of(claim, passage, searched=True).stance is N


def test_of_what_a_search_found_the_rules_still_judge() -> None:
    found = stance_of("Norvane paid a fine of $2.4bn.", "Norvane paid a fine of $240 million.", searched=True)
    assert found.stance is C


@pytest.mark.parametrize(
    ("claim", "stance"),
    [
        ("Calder Stone pays fine of 2.4 million euros over dust in Aldport", Stance.SUPPORTS),
        ("Calder Stone paid a fine of 2.4 million euros over dust in Aldport", Stance.NEUTRAL),
        ("Calder Stone pays fine of 4.2 million euros over dust in Aldport", Stance.CONTRADICTS),
    ],
    ids=["a headline's present", "what is due is not done", "another sum"],
)
def test_a_headline_tells_in_the_present_what_will_be_paid(claim: str, stance: Stance) -> None:
    passage = (
        "Calder Stone Ltd will pay a fine of 2.4 million euros over dust in Aldport, the regulator said on Thursday."
    )
    assert stance_of(claim, passage, searched=True).stance is stance
