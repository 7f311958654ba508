"""Works that are called by their owner in one document, and by their place in another."""

from __future__ import annotations

import pytest

from inquest.domain.finding import Stance
from inquest.entailment.facilities import Facility, facilities, known_facilities, spelled_out
from inquest.entailment.page import Page
from inquest.entailment.stance import stance_of


@pytest.mark.parametrize(
    ("text", "owner", "place"),
    [
        ("Inspectors came to the Ashcombe plant of Brackwell Foods plc in March.", "Brackwell Foods plc", "Ashcombe"),
        ("Brackwell's Ashcombe plant was closed.", "Brackwell", "Ashcombe"),
        ("The Brackwell plant at Ashcombe was closed.", "Brackwell", "Ashcombe"),
        ("A depot owned by Calder Stone at Bexley burned down.", "Calder Stone", "Bexley"),
    ],
)
def test_a_text_ties_an_owner_to_a_place(text: str, owner: str, place: str) -> None:
    assert facilities(text) == (Facility(owner, place),)


def test_a_month_is_no_place_and_nothing_is_tied_to_itself() -> None:
    assert facilities("The works of Brackwell Foods in March were busy.") == ()
    assert facilities("Ashcombe's Ashcombe plant") == ()


def test_an_owner_is_known_by_the_longest_of_its_names_whatever_the_order() -> None:
    texts = ["Brackwell's Ashcombe plant was closed.", "The Ashcombe plant of Brackwell Foods plc was closed."]
    expected = (Facility("Brackwell Foods plc", "Ashcombe"),)
    assert known_facilities(texts) == known_facilities(reversed(texts)) == expected


@pytest.mark.parametrize(
    ("statement", "meant"),
    [
        (
            "The discharge from the Ashcombe plant rose.",
            "The discharge from the Ashcombe plant of Brackwell Foods rose.",
        ),
        (
            "Listeria was found at the plant in Ashcombe.",
            "Listeria was found at the plant in Ashcombe of Brackwell Foods.",
        ),
        ("The Brackwell plant was closed.", "The Brackwell plant at Ashcombe was closed."),
        ("Brackwell's Ashcombe plant was closed.", "Brackwell's Ashcombe plant was closed."),
        ("The Dunmore plant was closed.", "The Dunmore plant was closed."),
        ("Ashcombe voted on Sunday.", "Ashcombe voted on Sunday."),
    ],
)
def test_what_a_statement_leaves_out_is_put_in(statement: str, meant: str) -> None:
    assert spelled_out(statement, [Facility("Brackwell Foods", "Ashcombe")]) == meant


def test_where_two_could_be_meant_nothing_is_put_in() -> None:
    known = [Facility("Brackwell Foods", "Ashcombe"), Facility("Brackwell Foods", "Dunmore")]
    assert spelled_out("The Brackwell plant was closed.", known) == "The Brackwell plant was closed."
    rivals = [Facility("Brackwell Foods", "Ashcombe"), Facility("Calder Stone", "Ashcombe")]
    assert spelled_out("The Ashcombe plant was closed.", rivals) == "The Ashcombe plant was closed."


def test_an_authority_that_names_the_place_alone_speaks_of_the_owner_in_the_claim() -> None:
    claim = "The outbreak of 11 August 2023 was caused by the Brackwell plant."
    passage = "The Agency found no evidence that the Ashcombe plant caused the outbreak of 11 August 2023."
    assert stance_of(claim, passage, page=Page()).stance is Stance.NEUTRAL
    found = stance_of(claim, passage, page=Page(facilities=(Facility("Brackwell Foods plc", "Ashcombe"),)))
    assert found.stance is Stance.CONTRADICTS
    assert any("another document" in reason for reason in found.reasons)
