"""Which of a statement's words say what is done."""

from __future__ import annotations

import pytest

from inquest.entailment.predicates import predicates


@pytest.mark.parametrize(
    ("text", "deeds"),
    [
        ("At no time was drinking water affected by the Haverley works.", {"affect"}),
        ("Never before were so many wells closed.", {"clos"}),
        ("The company never paid the fine.", {"paid"}),
        ("Anna knew it.", {"knew"}),
    ],
)
def test_behind_a_fronted_no_the_subject_is_not_taken_for_the_deed(text: str, deeds: set[str]) -> None:
    assert predicates(text) == deeds
