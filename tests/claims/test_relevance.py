"""The relevance of a document and a sentence to a brief."""

from __future__ import annotations

from inquest.claims.relevance import topic_terms
from inquest.desks.inquiry.digest import read_document
from tests.case_parts import document

BRIEF = "How much did Harlow reduce CO2 emissions of its lorry fleet, and what are its targets for 2030?"
MATTER = topic_terms(BRIEF, BRIEF)
OWN = "Harlow reduced the CO2 emissions of its lorry fleet by a fifth. Its target for 2030 is a reduction by half."
OTHERS = OWN.replace("Harlow", "Brindle").replace("Its", "Brindle's")


def test_a_document_that_never_names_the_subject_is_hardly_relevant_however_alike_its_words() -> None:
    assert MATTER.of_document("Report", OWN) > 0.6
    assert MATTER.of_document("Report", OTHERS) < 0.15


def test_a_substance_is_nobodys_name_and_a_year_asked_for_is_part_of_the_matter() -> None:
    assert MATTER.names == {"harlow"}
    assert "co2" in MATTER.weights
    assert MATTER.of_sentence("The fleet target is set for 2030.") > MATTER.of_sentence("The fleet target is set.")


def test_in_a_long_document_claims_are_about_the_subject_and_found_wherever_they_stand() -> None:
    law = "The Transport Agency set new CO2 emission targets of {} grams for every lorry fleet by 2030 in the Union."
    filler = "The weather in the valley was mild that week, and nothing else of note was written down by anybody."
    long = "\n\n".join([*(law.format(number) for number in range(40, 50)), *[filler] * 900, OWN])
    reading = read_document(BRIEF, BRIEF, document(long, title="Harlow and the climate"))
    assert reading.key_claims[0].text.startswith("Harlow reduced the CO2 emissions")
