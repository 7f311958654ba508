"""Standards and registries are recognised in all their spellings, and words that only look like them are not."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.sources.standards import named_standards
from inquest.sources.standards_book import standards_book


def ids(text: str) -> list[str]:
    return [each.standard.id for each in named_standards(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Calculated by the GHG Protocol.", ["ghg-protocol"]),
        ("the Greenhouse-Gas\nProtocol", ["ghg-protocol"]),
        ("the GHG Protocol Corporate Standard", ["ghg-protocol-corporate"]),
        ("the Corporate Value Chain (Scope 3) Standard", ["ghg-protocol-scope-3"]),
        ("DIN EN ISO 14064-1", ["iso-14064-1"]),
        ("Gold–Standard carbon credits", ["gold-standard", "carbon-credit"]),
        ("ISO 14064-1, -2 and -3", ["iso-14064-1", "iso-14064-2", "iso-14064-3"]),
        ("ISO 14064-1/-3", ["iso-14064-1", "iso-14064-3"]),
        ("certified to ISO 14067:2018", ["iso-14067"]),
        ("PAS2060", ["pas-2060"]),
        ("the Sectoral Decarbonisation Approach", ["sbti-sda"]),
        ("guarantees of origin for electricity", ["go"]),
        ("Herkunftsnachweise (HKN) für Strom", ["go", "go"]),
        ("IREC and I-RECs", ["i-rec", "i-rec"]),
        ("unbundled RECs", ["rec"]),
        ("REGO-backed supply", ["rego"]),
        ("LGCs were surrendered", ["lgc"]),
        ("credits registered in WREGIS", ["rec"]),
        ("Verified Carbon Units of Verra", ["vcs", "vcs"]),
        ("CERs of a CDM project", ["cdm", "cdm"]),
        ("offset credits of CAR and ACR", ["carbon-credit", "car", "acr"]),
        ("Plan Vivo Certificates", ["plan-vivo"]),
        ("J-Credits", ["j-credit"]),
        ("We joined RE100.", ["re100"]),
    ],
)
def test_spellings(text: str, expected: list[str]) -> None:
    assert ids(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "The CAR park is the gold standard of design.",
        "Two VCs invested, and the CER was high.",
        "GO team! The REC room is open.",
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
        ("IPCC AR6", "AR6"),
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
