"""Self-contained sentences: attribution removed, pronouns resolved, and only if that is safe."""

from __future__ import annotations

import pytest

from inquest.claims.standalone import (
    depends_on_context,
    in_its_name,
    main_organisation,
    without_attribution,
    without_dateline,
    without_leader,
)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The works spilled 30 tonnes of brine, the letter says.", "The works spilled 30 tonnes of brine."),
        ("The works spilled 30 tonnes of brine, according to the agency.", "The works spilled 30 tonnes of brine."),
        ("According to the agency, the works spilled 30 tonnes.", "The works spilled 30 tonnes."),
        ("The regulator found that the works spilled 30 tonnes.", "The works spilled 30 tonnes."),
        (
            "Our sister paper, the Courier, reported on Tuesday that the works spilled 30 tonnes.",
            "The works spilled 30 tonnes.",
        ),
    ],
)
def test_attribution_comes_off(sentence: str, expected: str) -> None:
    assert without_attribution(sentence) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "The company denied that it spilled anything, its spokesman said.",
        "Condition 9 of the permit says that an exceedance shall be reported within 24 hours.",
        "It rained, he said.",
        "The works spilled 30 tonnes of brine in March.",
    ],
)
def test_what_would_lose_its_sense_stays(sentence: str) -> None:
    assert without_attribution(sentence) == sentence


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("- The value was 780.", "The value was 780."),
        ("STENNICK (Agency) - A works spilled brine.", "A works spilled brine."),
        ("However, the value was 780.", "The value was 780."),
        ("Ada Brand, Minister of Health: The wells were closed.", "The wells were closed."),
    ],
)
def test_what_leads_a_sentence_in_comes_off(sentence: str, expected: str) -> None:
    assert without_leader(sentence) == expected


def test_a_quote_loses_its_dateline_and_no_word() -> None:
    assert without_dateline("STENNICK (Agency) - However, Ada Holm knew.") == "However, Ada Holm knew."
    assert without_dateline("SALES (real) -1.7% in May.") == "SALES (real) -1.7% in May."
    assert without_dateline("Ada Holm: We knew of it.") == "Ada Holm: We knew of it."


def test_the_company_is_the_one_that_is_named_and_of_two_nobody_can_tell() -> None:
    text = "Harlow Metals plc runs a works in Brindle. Harlow Metals was fined. The Environment Agency measured it."
    organisation = main_organisation("Harlow Metals plc is fined", text)
    assert organisation == "Harlow Metals"
    resolved = depends_on_context("The company will cut 58 posts.", organisation)
    assert resolved == ("Harlow Metals will cut 58 posts.", False)
    assert depends_on_context("The company's works is old.", organisation)[0] == "Harlow Metals' works is old."
    text = "Harlow Metals plc sued Orme Steel plc. Orme Steel plc denied it. Harlow Metals plc did not answer."
    assert main_organisation("", text) is None
    assert main_organisation("", "Staff of two works\n\n | Aust | Berg\nGroup | 2024 | 2024\nMen | 12 | 14") is None
    assert depends_on_context("The company was fined.", None) == ("The company was fined.", True)


@pytest.mark.parametrize(
    "sentence",
    [
        "He signed it.",
        "This was wrong.",
        "Two of them were closed.",
        "Harlow confirmed this on Tuesday.",
        "The county and Harlow have agreed on the following terms.",
    ],
)
def test_what_points_back_is_known_to(sentence: str) -> None:
    assert depends_on_context(sentence, None) == (sentence, True)


def test_the_first_person_is_named_outside_quotes() -> None:
    assert in_its_name("At no time was water affected by our works.", "Harlow") == (
        "At no time was water affected by Harlow's works."
    )
    assert in_its_name("In 2024 we cut our emissions at our works.", "Harlow") == (
        "In 2024 Harlow cut its emissions at its works."
    )
    assert in_its_name('We have acted. "Our works is safe."', "Harlow") == 'Harlow has acted. "Our works is safe."'
    assert in_its_name("Harlow opened our school.", "Harlow Metals") == "Harlow opened its school."


def test_a_noun_that_nothing_determines_depends_on_its_text() -> None:
    assert depends_on_context("The laboratory found 780 micrograms per litre.", None)[1]
    assert not depends_on_context("The laboratory of the county found 780 micrograms per litre.", None)[1]
    assert not depends_on_context("The laboratory found 780 micrograms per litre in the Veldra.", None)[1]
