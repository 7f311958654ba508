"""Names by their form, and when two spellings mean the same person or company."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.text.entities import NameKind, names, names_met, same_name

TEXT = (
    "The Environment Protection Authority (EPA) fined Harlow Chemicals plc in March 2023. Residents near Lake Erie "
    "complained. Mr John Smith of the University of Oxford agreed."
)


def test_names_are_found_with_kind_and_acronym() -> None:
    found = {name.text: name for name in names(TEXT)}
    assert found["Environment Protection Authority"].kind is NameKind.ORGANISATION
    assert found["Environment Protection Authority"].acronym == "EPA"
    assert found["Lake Erie"].kind is NameKind.PLACE
    assert found["John Smith"].kind is NameKind.PERSON
    assert not found["Residents"].sure
    assert "March" not in " ".join(found)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Harlow Chemicals plc", "Harlow", True),
        ("EPA", "Environment Protection Authority", True),
        ("Angela Merkel", "Merkel", True),
        ("James Stewart", "James Maitland Stewart", True),
        ("Germany", "German", True),
        ("Müller Mühle", "Mueller Muehle", True),
        ("Müller Mühle", "Muller Muhle", True),
        ("Ørsbæk", "Orsbaek", True),
        ("John Smith", "Jane Smith", False),
        ("Harlow", "Norvane", False),
        ("Harlow Chemicals", "Norvane Chemicals", False),
    ],
)
def test_aliases(one: str, other: str, same: bool) -> None:
    assert same_name(one, other) is same
    assert same_name(other, one) is same


def test_the_names_of_a_claim_are_met_in_any_form_or_missing() -> None:
    found = names_met(
        "Harlow Chemicals was fined by the EPA in Germany.", "The Environment Protection Authority fined Harlow."
    )
    assert found.met == ("Harlow Chemicals", "EPA")
    assert found.missing == ("Germany",)


def test_a_name_in_the_title_counts() -> None:
    assert names_met("Norvane was fined.", "The company was fined.", context="Norvane in court").missing == ()


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    for name in names(text):
        assert text[name.span.start : name.span.end] == name.text


@pytest.mark.parametrize(
    ("text", "found"),
    (
        ("Brackwell's Scope 1 emissions fell.", ["Brackwell", "Scope 1"]),
        ("They inspected Brackwell's Orme works.", ["Brackwell", "Orme"]),
        ("It was certified by Lloyd's Register.", ["Lloyd's Register"]),
        ("He studied at King's College London.", ["King's College London"]),
        ("Nobody in the works knew.", []),
        ("The emissions of Alvenor Foods' mills fell.", ["Alvenor Foods"]),
    ),
)
def test_an_owner_and_what_it_owns_are_two_names(text: str, found: list[str]) -> None:
    assert [name.text for name in names(text)] == found
