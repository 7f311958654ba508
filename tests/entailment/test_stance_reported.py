"""Claims about what was said, and sentences that repeat a claim."""

from __future__ import annotations

import pytest

from inquest.domain.finding import Stance
from inquest.entailment.page import Page
from inquest.entailment.stance import stance_of

ADMITTED = "Lowmoor Foods admitted that its statement of May, according to which no batch was tainted, was wrong."


@pytest.mark.parametrize(
    ("claim", "passage", "stance"),
    [
        (ADMITTED, ADMITTED, Stance.SUPPORTS),
        (ADMITTED, "Inspectors found 14 tainted batches at Lowmoor Foods.", Stance.NEUTRAL),
        (ADMITTED, "No batch of ours was tainted, Lowmoor Foods said in May.", Stance.NEUTRAL),
        (
            "The minister denied that he had met the builder.",
            "The minister met the builder on 4 March.",
            Stance.NEUTRAL,
        ),
        (
            "The county did not close any of the three bridges.",
            "The county did not close any of the three bridges.",
            Stance.SUPPORTS,
        ),
        (
            "The county closed three bridges in June.",
            "The county closed five bridges in June.",
            Stance.CONTRADICTS,
        ),
    ],
)
def test_a_statement_and_its_matter_are_two_things(claim: str, passage: str, stance: Stance) -> None:
    assert stance_of(claim, passage, searched=True).stance is stance


@pytest.mark.parametrize(
    "passage", ["She disputes the charge.", "The company rejected all allegations and will appeal."]
)
def test_who_disputes_a_charge_says_that_it_was_made(passage: str) -> None:
    claim = "The director of Brackwell Foods was charged over the outbreak."
    told = f"The director of Brackwell Foods was charged over the outbreak. {passage}"
    assert stance_of(claim, told, page=Page()).stance is Stance.SUPPORTS


def test_who_denies_the_deed_goes_against_it() -> None:
    claim = "Brackwell Foods caused the outbreak."
    assert stance_of(claim, "Brackwell Foods denied that it caused the outbreak.", page=Page()).stance is (
        Stance.CONTRADICTS
    )
