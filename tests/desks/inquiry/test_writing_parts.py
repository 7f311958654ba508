"""Pieces that summaries are written of."""

from __future__ import annotations

import pytest

from inquest.desks.inquiry.writing_parts import claimed, clause, witnesses_counted
from inquest.domain.claim import Claim
from inquest.text.phrases import one_stop
from tests.case_parts import claim, source


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Brackwell to pay 3.7 million euros over listeria", "Brackwell will pay 3.7 million euros over listeria"),
        ("Brackwell Foods plc to close two plants.", "Brackwell Foods plc will close two plants"),
        ("The company is to close two plants.", "the company is to close two plants"),
        ("Welcome to paradise", "Welcome to paradise"),
    ],
)
def test_a_claim_goes_on_after_that(text: str, said: str) -> None:
    assert clause(Claim(id="C1", text=text)) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "School bus left on the causeway as the tide came in",
            "“School bus left on the causeway as the tide came in”",
        ),
        ("Dialysis chain Corvane will pay back $61 million.", "“Dialysis chain Corvane will pay back $61 million”"),
        ("Corvane opened its centre in June.", "that Corvane opened its centre in June"),
        ("Corvane Care treats 21,000 patients.", "that Corvane Care treats 21,000 patients"),
        ("Seventy-two children were on board.", "that seventy-two children were on board"),
        ("The tide came in.", "that the tide came in"),
        ("Der Bus blieb auf dem Damm stehen.", "“Der Bus blieb auf dem Damm stehen”"),
    ],
)
def test_no_capital_that_is_no_names_stands_after_that(text: str, said: str) -> None:
    assert claimed(Claim(id="C1", text=text)) == said


def test_how_many_sources_a_summary_rests_on() -> None:
    first = [source(f"S{number}", 1) for number in range(2)]
    others = [source(f"T{number}", 3) for number in range(3)]
    assert witnesses_counted(first[:1]) == "one source, of the first tier"
    assert witnesses_counted(others[:1]) == "one source"
    assert witnesses_counted([*first, *others]) == ("five independent sources, two of them of the first tier")
    copies = [each.model_copy(update={"story": "T1", "origin_of_story": "T0"}) for each in others]
    assert witnesses_counted(copies) == "three sources that count as one"
    assert witnesses_counted([*first, *copies]) == (
        "five sources, three of them independent of one another and two of the first tier"
    )


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


def test_a_claim_in_another_language_stands_in_quotation_marks() -> None:
    said = "Le groupe restituera 27,5 millions de dollars, selon l'accord rendu public mercredi."
    assert clause(claim(said)) == f"“{said.rstrip('.')}”"
