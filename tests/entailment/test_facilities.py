"""Works that are called by their owner in one document, and by their place in another."""

from __future__ import annotations

import pytest

from inquest.entailment.facilities import Facility, facilities, known_facilities


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
