"""Pieces that summaries are written of."""

from __future__ import annotations

import pytest

from inquest.desks.inquiry.writing_parts import claimed, witnesses_counted
from inquest.text.phrases import one_stop
from tests.case_parts import claim, source


def test_a_claim_stands_in_quotation_marks_as_it_is_worded() -> None:
    assert claimed(claim("Brackwell to pay 3.7 million euros.")) == "“Brackwell to pay 3.7 million euros”"
    assert claimed(claim("The tide came in over the causeway."), most=14) == "“The tide…”"


def test_how_many_sources_a_summary_rests_on() -> None:
    first = [source(f"S{number}", 1) for number in range(2)]
    others = [source(f"T{number}", 3) for number in range(3)]
    assert witnesses_counted(first[:1]) == "one source, of the first tier"
    assert witnesses_counted(others[:1]) == "one source"
    assert witnesses_counted([*first, *others]) == "five independent sources, two of them of the first tier"
    copies = [each.model_copy(update={"story": "T1", "origin_of_story": "T0"}) for each in others]
    assert witnesses_counted(copies) == "three sources (one independent)"
    assert witnesses_counted([*first, *copies]) == "five sources (three independent), two of them of the first tier"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('The port said, "It closed.".', 'The port said, "It closed."'),
        ("It said “closed”.", "It said “closed”."),
        ("It trailed off...", "It trailed off..."),
    ],
)
def test_a_quotation_that_ends_in_its_own_mark_has_no_second(text: str, said: str) -> None:
    assert one_stop(text) == said
