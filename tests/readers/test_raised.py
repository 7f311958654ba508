"""Raised and lowered text as spelled on its line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.readers.raised import exponent, lowered, raised


@pytest.mark.parametrize(
    ("before", "text", "after", "written"),
    [
        ("emitted 320", "1", " tonnes", " [1]"),
        ("emitted 320", "b", " tonnes", " [b]"),
        ("3×10", "4", " cells", "^4"),
        ("on 40 m", "2", "/s", "²"),
        ("a plan of 9 s", "−1", "", "⁻¹"),
        ("with Ca", "2+", " there", "²⁺"),
        ("the 1", "st", " of May", "st"),
        ("at 20", "o", "C", "°"),
        ("for $19", "99", " each", ".99"),
        ("for $1,249", "99", " each", ".99"),
        ("for 1.249", "99", " € each", ",99"),
        ("for 2,", "95", " euros", "95"),
        ("for €10", "50", "", ".50"),
        ("in 2,", "95", " tonnes", " [95]"),
        ("took 3", "1", "/2 hours", " 1"),
        ("took 2", "1", "⁄", " 1"),
        ("some 10", "3", "/", "^3"),
        ("used ", "14", "C for it", "¹⁴"),
        ("", "1", " Measured there", "[1]"),
        ("made by Acme", "TM", " and", "™"),
    ],
)
def test_raised_text_is_spelled_by_what_is_around_it(before: str, text: str, after: str, written: str) -> None:
    assert raised(text, before, after) == written


def test_ordinals_of_one_letter_need_their_language() -> None:
    assert raised("e", "le 2", " lac", "fr") == "e"


@pytest.mark.parametrize(("before", "text", "written"), [("CO", "2", "2"), ("10", "2", "₂"), ("in ", "6", "6")])
def test_lowered_figures_join_letters_alone(before: str, text: str, written: str) -> None:
    assert lowered(text, before) == written


def test_ten_alone_proves_no_exponent_where_there_is_a_note() -> None:
    assert (exponent("2", "in 10", noted=True), exponent("2", "3 × 10", noted=True), exponent("2", "9 m")) == (
        "",
        "^2",
        "²",
    )


@given(st.integers(1, 10**6), st.from_regex(r"[0-9]{1,3}|[a-z]|[*†]", fullmatch=True))
def test_no_raised_text_joins_a_figure(figure: int, text: str) -> None:
    written = raised(text, f"they lost {figure}", " litres")
    assert not written[:1].isalnum()
    assert not lowered(text, f"they lost {figure}")[:1].isascii() or not text.isdigit()


@pytest.mark.parametrize(
    ("text", "before", "language", "wanted"),
    [
        ("e", "au XIX", "fr", "e"),
        ("e", "au mot", "fr", " [e]"),
        ("a", "la 5.", "es", "a"),
        ("de", "la 2", "fr", "de"),
        ("te", "l’H", "fr", "te"),
        ("a,b", "a second", "en", " [a,b]"),
        (",", "in 1999", "en", ""),
    ],
)
def test_ordinals_and_abbreviations_are_joined_and_marks_are_not(
    text: str, before: str, language: str, wanted: str
) -> None:
    assert raised(text, before, " ", language) == wanted
