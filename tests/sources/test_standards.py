"""Standards and registries are recognised in all their spellings, and words that only look like them are not."""

from __future__ import annotations

from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.desks.academic.terms import ASPECTS
from inquest.sources.standards import Edition, PublicSource, Standard, named_standards, standards_book


def ids(text: str) -> list[str]:
    return [each.standard.id for each in named_standards(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the Greenhouse-Gas\nProtocol", ["ghg-protocol"]),
        ("DIN EN ISO 14064-1", ["iso-14064-1"]),
        ("Gold–Standard carbon credits", ["gold-standard", "carbon-credit"]),
        ("certified to ISO 14067:2018", ["iso-14067"]),
        ("Herkunftsnachweise (HKN) für Strom", ["go", "go"]),
        ("IREC and I-RECs", ["i-rec", "i-rec"]),
        ("offset credits of CAR and ACR", ["carbon-credit", "car", "acr"]),
    ],
)
def test_spellings(text: str, expected: list[str]) -> None:
    assert ids(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "The CAR park is the gold standard of design.",
        "Two VCs invested, and the CER was high.",
        "They're 100 years old, an evident success.",
        "An ISO 9001 certificate was issued.",
        "TCFDX and XSBTi are no such names.",
        "",
    ],
)
def test_what_only_looks_like_a_standard_is_none(text: str) -> None:
    assert ids(text) == []


@pytest.mark.parametrize(
    ("text", "edition"),
    [
        ("ISO 14064-1:2018", "2018"),
        ("ISO 14064-1 (2006)", "2006"),
        ("SBTi Criteria version 5.1", "5.1"),
        ("Corporate Net-Zero Standard v1.2", "1.2"),
        ("IPCC Fifth Assessment Report", "AR5"),
        ("ISO 14067", ""),
    ],
)
def test_the_edition_that_is_named(text: str, edition: str) -> None:
    assert named_standards(text)[0].edition == edition


def test_every_spelling_and_mark_leads_to_its_standard() -> None:
    for standard in standards_book():
        for spelling in standard.spellings:
            assert named_standards(f"It follows {spelling}, they say.")[0].standard.id == standard.id, spelling
        for mark in standard.marks:
            beside = f" ({standard.beside[0]})" if standard.beside else ""
            found = named_standards(f"It has {mark}{beside}.")
            assert standard.id in {each.standard.id for each in found}, mark


@given(
    st.text(max_size=80), st.sampled_from(["ISO 14064-1:2018", "Gold Standard credits", "SBTi"]), st.text(max_size=80)
)
def test_spans_hold_the_words_and_do_not_overlap(before: str, name: str, after: str) -> None:
    text = f"{before} {name} {after}"
    found = named_standards(text)
    assert found
    assert all(each.span.of(text) == each.text for each in found)
    assert all(one.span.end <= other.span.start for one, other in pairwise(found))


BOOK = standards_book()
SOURCE = PublicSource(title="T", publisher="P", year=2020, url="https://example.org", checked="Read.")


def test_the_rows_of_the_book_have_names_units_and_editions_in_order() -> None:
    ids = [standard.id for standard in BOOK]
    assert len(ids) == len(set(ids)) > 45
    assert {standard.family for standard in BOOK} - {""} <= set(ids)
    assert all(standard.spellings or standard.marks for standard in BOOK)
    assert [rule.id for standard in BOOK for rule in standard.rules if rule.figure is not None and not rule.unit] == []
    for standard in BOOK:
        ids = [rule.id for rule in standard.rules]
        assert len(ids) == len(set(ids)), standard.id
    for standard in BOOK:
        begins = [edition.in_force_from for edition in standard.editions if edition.in_force_from]
        assert begins == sorted(begins), standard.id
        for edition in standard.editions:
            if edition.in_force_from and edition.in_force_until:
                assert edition.in_force_from < edition.in_force_until
    kinds = ("accounting", "product", "project", "verification", "neutrality")
    asked = {rule.asks for standard in BOOK if standard.kind in kinds for rule in standard.rules}
    assert asked - {""} <= set(ASPECTS)


def test_every_source_is_public_dated_and_says_how_it_was_checked() -> None:
    sources = [edition.source for standard in BOOK for edition in standard.editions]
    sources += [rule.source for standard in BOOK for rule in standard.rules]
    sources += [criticism.source for standard in BOOK for criticism in standard.criticisms]
    assert len(sources) > 150
    for source in sources:
        assert source.url.startswith("https://"), source
        assert 1990 <= source.year <= 2026, source
        assert source.checked.endswith("."), source
        assert source.title, source
        assert source.publisher, source


@pytest.mark.parametrize(
    ("day", "versions"),
    [
        (date(2020, 5, 1), ["4.x"]),
        (date(2022, 1, 1), ["4.x", "5.0"]),
        (date(2022, 7, 15), ["5.0"]),
        (date(2023, 6, 1), ["5.1"]),
        (date(2024, 5, 1), ["5.2"]),
        (date(2026, 1, 1), ["5.3"]),
        (date(2026, 5, 1), ["5.3 (revised contraction)"]),
        (date(2010, 1, 1), []),
    ],
)
def test_the_criteria_in_force_on_a_day(day: date, versions: list[str]) -> None:
    assert [edition.version for edition in BOOK["sbti-near-term"].editions_on(day)] == versions


def test_a_rule_of_an_edition_that_is_not_there_is_refused() -> None:
    rule = {"id": "r", "text": "t", "editions": ("9",), "source": SOURCE}
    with pytest.raises(ValueError, match="edition"):
        Standard.model_validate(
            {
                "id": "x",
                "name": "X",
                "kind": "k",
                "publisher": "P",
                "about": "",
                "rules": [rule],
                "editions": [Edition(version="1", source=SOURCE)],
            }
        )
