"""Decoding bytes to characters, whatever was declared."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.readers.plain import decode

GERMAN = "Der Bürgermeister sagte: „Die Straße bleibt für drei Wochen gesperrt“, so die Behörde über die Brücke."
RUSSIAN = "Мэр города заявил, что дорога останется закрытой на три недели после аварии на мосту."
JAPANESE = "市長は、事故の後、橋の道路が三週間閉鎖されると述べた。住民は不満を訴えている。"


@pytest.mark.parametrize(
    ("text", "encoding", "declared"),
    [
        (GERMAN, "utf-8", "iso-8859-1"),
        (GERMAN, "cp1252", "utf-8"),
        (GERMAN, "utf-16", ""),
        (GERMAN, "utf-16-le", "utf-8"),
        (GERMAN, "utf-8-sig", "windows-1252"),
        (RUSSIAN, "cp1251", ""),
        (JAPANESE, "shift_jis", "utf-8"),
        (GERMAN, "cp1252", "no-such-charset"),
    ],
)
def test_a_text_is_recovered_whatever_the_header_says(text: str, encoding: str, declared: str) -> None:
    body = text.encode(encoding)
    assert decode(body, f"text/html; charset={declared}").text == text


def test_a_page_may_declare_its_own_set() -> None:
    body = f'<html><head><meta charset="windows-1251"></head><p>{RUSSIAN}</p>'.encode("cp1251")
    assert RUSSIAN in decode(body, "text/html").text


def test_a_few_stray_bytes_do_not_spoil_a_page() -> None:
    body = GERMAN.encode() * 20 + b"It\x92s here" + GERMAN.encode()
    decoded = decode(body, "text/html; charset=utf-8")
    assert "It’s here" in decoded.text and GERMAN in decoded.text
    assert decoded.note and "Windows-1252" in decoded.note


def test_a_text_that_ends_within_a_character_is_read_to_there() -> None:
    decoded = decode(("Ende der Straße und noch ein Wort: " * 5 + "ß").encode()[:-1])
    assert decoded.text.endswith("Wort: ") and decoded.note


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Die Behörde maß in Köln 12 µg/l Lösungsmittel im Fluß. Der Betreiber bestreitet das.\n" * 5, "cp1252"),
        ("The works’ output rose by 5 % – “too much”, said the mayor. It cost £5 or €6.\n", "cp1252"),
        ("Uzina a depăşit limita, a spus primarul.\n", "cp1250"),
        ("Přístav v Říčanech vydělal loni 45 milionů korun. Žádný z úředníků se nevyjádřil.\n", "cp1250"),
        ("A kikötő bevétele 2023-ban 45 millió forint volt, tíz százalékkal több a vártnál.\n", "iso8859-2"),
        ("Le déficit s'élève à 12 µg/l, soit ½ de moins, a déclaré le maire à la fête des pêcheurs.\n", "cp1252"),
        ("Zakład w Łodzi przekroczył dopuszczalną wartość, powiedział urzędnik. Żaden nie chciał.\n", "iso8859-2"),
    ],
)
def test_where_no_set_is_declared_the_signs_are_right_as_well_as_the_letters(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)).text == text


@given(st.binary(max_size=400), st.text(max_size=30))
def test_any_bytes_give_text(body: bytes, declared: str) -> None:
    assert isinstance(decode(body, f"text/html; charset={declared}").text, str)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=200))
def test_utf8_is_read_as_utf8(text: str) -> None:
    if "\x1b" not in text and "\0" not in text and not text.startswith("\ufeff"):
        assert decode(text.encode(), "text/plain; charset=latin-1").text == text
