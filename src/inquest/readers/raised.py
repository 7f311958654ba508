"""Spelling of raised and lowered text on its line: exponents, indices, ordinals, note marks. Pure.

Raised text never joins a digit: 320 with a note is not 3201, and 10 with an exponent is not 104.
"""

from __future__ import annotations

import re

from inquest.text.lexicon import word_set
from inquest.text.regex import regex
from inquest.text.units import CURRENCIES, CURRENCY, UNITS, either

MARK = regex(r"[\[(]?\s*(\d{1,3}|[a-zA-Z]|[ivx]{2,4}|[*†‡§¶#]{1,3})\s*[\])]?")
"""A single mark of a note, with or without brackets."""
MARKS = regex(rf"{MARK.pattern}(?:\s*[,;–-]?\s*{MARK.pattern})*")
_ORDINALS = word_set(__name__, "ordinals")
_ONE_LETTER_ORDINALS = word_set(__name__, "one_letter_ordinals")
"""Languages (ISO 639-1) and their ordinals of one letter: 'fr:e' is 2e."""
_COUNTED = regex(
    r"\d$|(?<![^\W_])(?:\d{1,3}|[^\W\d_]{1,2})\.$"
    r"|(?<![^\W_])(?=[ivxlcdm])m*(?:c[md]|d?c{0,3})(?:x[cl]|l?x{0,3})(?:i[xv]|v?i{0,3})$",
    re.IGNORECASE,
)
"""Text before the raised end of an ordinal: figures, '5.', 'n.', a Roman numeral."""
_SHORT_WORD = regex(r"(?<![^\W\d_])[^\W\d_]{1,2}$")
_TIMES = regex(r"[×·x*∙⋅]\s?(?:10|2)$")
_POWER = regex(r"(?<![\d.,])(?:10|2)$")
_SIGNED = regex(r"[-−–+]?\d{1,3}[-−–+]?|[-−–+]")
_UNIT = regex(
    r"(?<![^\W\d_])(?:(?:[hkcdmµμn]|da)?m|(?<![^\W_])[^\W\d_]|(?<=[\d/])(?:ft|in|mi|yd)|(?<=\d\s)(?:ft|in|mi|yd))$"
    r"|(?<=[=+−*/×·(])[^\W\d_]{1,2}$|(?<=[=+−*/×·]\s)[^\W\d_]{1,2}$"
)
_SEVERAL = regex(
    r"[\[(]?\d{1,3}[\])](?:[\s,;–-]*[\[(]?\d{1,3}[\])]?)*|\d{1,3}(?:[\s,;–-]+\d{1,3})+|(?:[a-z]|[*†‡§¶]+)(?:\s?[,;]\s?(?:\w|[*†‡§¶]+))+"
)
_PRICE = regex(
    rf"(?:(?<!\w)(?P<sign>{either(name for name in CURRENCIES if not name[0].islower())})\s?)?"
    r"(?<![\d.,])(?P<whole>\d{1,3}(?:[.,'’\s]\d{3})+|\d{1,6})(?P<point>[.,])?$"
)
_DEGREES = regex(r"\s?[CF]\b")
_OVER = regex(r"⁄|/\d")
_ELEMENT = regex(r"[A-Z][a-z]?(?![a-z])")
_SIGNS = {"tm": "™", "sm": "℠", "(r)": "®", "(c)": "©"}
_HIGH = str.maketrans("0123456789+-−–", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻")
_LOW = str.maketrans("0123456789+-−–", "₀₁₂₃₄₅₆₇₈₉₊₋₋₋")
_OPENING = "([{$€£¥/-–"


def apart(text: str) -> str:
    """Put a mark in brackets of its own: '[1]'."""
    return f"[{text.strip('[]() ')}]"


def exponent(text: str, before: str, *, noted: bool = False) -> str:
    """Spell the exponent of ten, two or a unit ('^4', '²'); return '' for a possible note mark.

    `noted`: the page has a note with that mark, so that 10 without a factor does not prove an exponent.
    """
    if not _SIGNED.fullmatch(text):
        return ""
    is_signed = not text.isdigit()
    if any(map(str.isdigit, text)) and (_TIMES.search(before) or (_POWER.search(before) and (is_signed or not noted))):
        return "^" + text.replace("−", "-").replace("–", "-")
    if (text in ("2", "3") and _UNIT.search(before)) or (is_signed and not before[-1:].isdigit()):
        return text.translate(_HIGH)
    return ""


def cents(text: str, before: str, after: str = "") -> str:
    """Spell two digits in an element of their own behind the whole of a price ('.99'); return '' without a currency."""
    price = _PRICE.search(before) if len(text) == 2 and text.isdigit() else None
    if price is None or not (price["sign"] or CURRENCY.match(after)):
        return ""
    return text if price["point"] else f"{',' if '.' in price['whole'] else '.'}{text}"


def lowered(text: str, before: str, after: str = "") -> str:
    """Spell lowered text: an index (CO2), a denominator (1/2), the base of a number."""
    last = before[-1:]
    if not last.isalnum() or (last.isalpha() and len(text) <= 4):
        is_isotope = text.isdigit() and not last.strip() and after[:1].isalpha()
        return text.translate(_LOW) if is_isotope else text
    return text.translate(_LOW) if _SIGNED.fullmatch(text) else f" {apart(text)}"


def raised(text: str, before: str, after: str = "", language: str = "") -> str:
    """Spell raised text without a note, between `before` and `after` on its line.

    `language` (ISO 639-1, or '') decides ordinals of one letter. A possible mark is separated: '320' and '1' are '320
    [1]'.
    """
    last = before[-1:]
    if (price := cents(text, before, after)) or text in (",", ";"):
        return price  # ',' is between marks
    if not any(map(str.isalnum, text)) or (last and last in _OPENING):
        return text.translate(_HIGH) if last.isalpha() and _SIGNED.fullmatch(text) else text
    if _SEVERAL.fullmatch(text):
        return f" {apart(text)}"
    is_fraction = _OVER.match(after) or (after.strip() == "/" and not before.endswith("10"))
    if last.strip() and not (is_fraction and last.isdigit()) and (spelled := exponent(text, before)):
        return spelled
    if is_fraction or after[:1] == "/":
        return f" {text}" if last.isdigit() else text
    is_degree = text in ("o", "0", "º") and last.isdigit() and _DEGREES.match(after)
    sign = "°" if is_degree else last.isalpha() and _SIGNS.get(text.lower())
    return sign or (_number(text, before, after) if _SIGNED.fullmatch(text) else _letters(text, before, language))


def _number(text: str, before: str, after: str) -> str:
    last = before[-1:]
    if not last.strip():
        is_isotope = bool(_ELEMENT.match(after)) and text.isdigit()
        return text.translate(_HIGH) if is_isotope else apart(text)
    if not last.isdigit() and (_UNIT.search(before) or last == ")"):
        return text.translate(_HIGH)
    return f" {apart(text)}"


def _letters(text: str, before: str, language: str) -> str:
    last, bare = before[-1:], text.lower().strip(".")
    if (bare in _ORDINALS or f"{language}:{bare}" in _ONE_LETTER_ORDINALS) and _COUNTED.search(before):
        return text
    if last.isdigit():
        is_unit = text in UNITS and len(text) == 1 and bare != "a"
        return f" {apart(text)}" if MARK.fullmatch(text) and not is_unit else f" {text}"
    if not last.isalpha():
        return apart(text) if MARK.fullmatch(text) and last.strip() else text
    if len(text) <= 3 and _SHORT_WORD.search(before):  # Mme, Dr, no
        return text
    return f" {apart(text)}" if MARK.fullmatch(text) else f" {text}"
