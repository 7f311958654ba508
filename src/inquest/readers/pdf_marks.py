"""Raised and lowered text in the lines of a PDF: marks of notes are left out, exponents are spelled as such. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from inquest.readers.pdf_lines import SHIFTED, PdfLine
from inquest.text.regex import regex

RAISED, LINKED, LOWERED = 0xE000, 0xE200, 0xE400
"""Where raised characters, those that are a link of their own, and lowered ones are put: in the private use area, of
which a line has no characters otherwise."""
TAKEN_OUT = SHIFTED + 0x600
"""The code of a character that was struck out: it takes up its place on the line and is a blank in the text."""
_SLOTS = 0x200
_FAR = "†‡–−"
_FAR_SLOT = _SLOTS - len(_FAR)
_UP = "\ue000-\ue3ff"
_RAISED = regex(rf"(?P<gap>\s*)(?P<mark>[{_UP}]+)(?:\s+(?=[,;:.)](?:\s|$)))?")
_LOWERED = regex("[\ue400-\ue5ff]+")
_FRACTION = regex(f"([{_UP}]+)[/\u2044]([\ue400-\ue5ff]+|\\d+)")
_LABEL = r"\d{1,3}|[a-z]|[*†‡§¶]{1,3}"
_NOTE = regex(rf"\s*[\[(]?({_LABEL})(?:[\])][.:]?|[.:]?(?=\s)|(?<=[*†‡§¶])(?=\w))\s*\S")
_MARK = regex(rf"[\[(]?(?:(?:{_LABEL})[,–\s]?)+[\])]?")
_UNIT = regex(r"(?:(?:^|[\s/·(\d])(?:[kcdµn]m|mm|m)|(?:\d\s?|/)(?:ft|in|yd|mi|s)|(?<![\w'’])[^\W\d_])$")
_TEN = regex(r"(?:^|[^\d.,])10$")
_TIMES = regex(r"[×x·*∙]\s*10$")
_PRINTED = str.maketrans(
    {char: chr(RAISED + ord(digit)) for char, digit in zip("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789", strict=True)}
)
_PRINTED |= {TAKEN_OUT - SHIFTED + RAISED: " "}
_ABOVE = str.maketrans("0123456789+-−–()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁽⁾")
_BELOW = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_VULGAR = {"1/2": "½", "1/3": "⅓", "2/3": "⅔", "1/4": "¼", "3/4": "¾", "1/5": "⅕", "1/8": "⅛", "3/8": "⅜", "5/8": "⅝"}


def shifted(code: int, place: int) -> int:
    """The character that a raised, linked or lowered one is kept as in a line; the same one if it has no such form."""
    far = _FAR.find(chr(code)) if 0 < code < 0x110000 else -1
    slot = _FAR_SLOT + far if far >= 0 else code
    return SHIFTED + place - RAISED + slot if 0x20 < slot < _SLOTS else code


def _plain(text: str) -> str:
    slots = [(ord(char) - RAISED) % _SLOTS if "\ue000" <= char <= "\ue5ff" else ord(char) for char in text]
    return "".join(_FAR[slot - _FAR_SLOT] if _FAR_SLOT <= slot < _SLOTS else chr(slot) for slot in slots)


def without_marks(pages: Sequence[Sequence[PdfLine]]) -> list[tuple[PdfLine, ...]]:
    """The lines of all pages with what is raised or lowered in them settled.

    A mark is left out if it is a link, if a note with that mark begins a line of its page or one near the document's
    end, or if its number goes on a series. Any other raised figure is spelled so that it never joins a digit: '10^4',
    'm²', '320⁷'; a lowered one joins letters ('CO2') alone.
    """
    lined = [[_known(line) for line in lines] for lines in pages]
    total = sum(len(lines) for lines in lined)
    notes = [{label for line in lines if (label := _label(line.text))} for lines in lined]
    at_end = {
        label
        for line in [line for lines in lined for line in lines][-max(1, total // 5) :]
        if (label := _label(line.text))
    }
    series = _series([line.text for lines in lined for line in lines])
    return [
        tuple(_settled(line, own | at_end | series) if _has_any(line.text) else line for line in lines)
        for lines, own in zip(lined, notes, strict=True)
    ]


def _has_any(text: str) -> bool:
    return any("\ue000" <= char <= "\ue5ff" for char in text)


def _known(line: PdfLine) -> PdfLine:
    """The line with superscript characters treated as raised ones, and blanks for what was taken out."""
    text = line.text.translate(_PRINTED)
    if text == line.text:
        return line
    pieces = tuple(piece._replace(text=piece.text.translate(_PRINTED)) for piece in line.pieces)
    return replace(line, text=text, pieces=pieces)


def _label(text: str) -> str:
    found = _NOTE.match(_plain(text)) or re.match(rf"({_LABEL})(?=[^\W\d_]|$)", _plain(text[:3])[: _leading(text)])
    return found[1] if found else ""


def _leading(text: str) -> int:
    found = _RAISED.match(text)
    return found.end() if found else 0


def _series(texts: Sequence[str]) -> set[str]:
    """Numbers of marks that follow one another in the order of reading, the powers of ten aside."""
    numbers = [
        int(number)
        for text in texts
        for found in _RAISED.finditer(text)
        if found.start() and not _exponent(text[: found.start()], _plain(found["mark"]), set())
        for number in re.findall(r"[0-9]{1,3}", _plain(found["mark"]))
    ]
    return {str(number) for above, below in pairwise(numbers) if below == above + 1 for number in (above, below)}


def _settled(line: PdfLine, notes: set[str]) -> PdfLine:
    pieces = tuple(piece._replace(text=_spelled(piece.text, notes)) for piece in line.pieces)
    return replace(line, text=_spelled(line.text, notes), pieces=pieces)


def _spelled(text: str, notes: set[str]) -> str:
    text = _FRACTION.sub(_fraction, text)
    text = _RAISED.sub(lambda found: _raised(found, notes), text)
    return _LOWERED.sub(_lowered, text)


def _fraction(found: re.Match[str]) -> str:
    above, below = _plain(found[1]), _plain(found[2])
    return _VULGAR.get(f"{above}/{below}", f"{above.translate(_ABOVE)}\u2044{below.translate(_BELOW)}")


def _lowered(found: re.Match[str]) -> str:
    plain = _plain(found[0])
    joins = found.string[: found.start()][-1:].isdecimal() or found.string[found.end() :][:1].isdecimal()
    return plain.translate(_BELOW) if joins and plain[:1].isdecimal() else plain


def _raised(found: re.Match[str], notes: set[str]) -> str:
    before, after = found.string[: found.start()], found.string[found.end() :]
    plain, gap = _plain(found["mark"]), found["gap"]
    if not before:
        space = " " if plain[-1:].isdecimal() and after[:1].isalpha() and not re.match(r"[A-Z][a-z]?\b", after) else ""
        return (
            gap
            + (plain.translate(_ABOVE) if not space and after[:1].isalpha() and plain.isdecimal() else plain)
            + space
        )
    if gap and plain.isdecimal() and re.match(r"[A-Z][a-z]?(?![a-z])", after):
        return gap + plain.translate(_ABOVE)  # an isotope: the figure belongs to what follows
    if not gap and (spelled := _exponent(before, plain, notes)):
        return spelled
    labels = set(re.findall(_LABEL, plain))
    is_linked = any(char >= chr(LINKED) for char in found["mark"])
    if _MARK.fullmatch(plain) and ((is_linked and not plain.isalpha()) or labels & notes):
        return " " if gap and after[:1].isalnum() else ""
    return gap + (plain.translate(_ABOVE) if any(char.isdecimal() for char in plain) else plain)


def _exponent(before: str, plain: str, notes: set[str]) -> str:
    """The exponent of a unit or of ten as it is spelled; '' for anything else."""
    number = plain.lstrip("+-−–")
    if not (number.isdecimal() and number.isascii()):
        return ""
    is_signed = number != plain
    if _TEN.search(before) and (is_signed or _TIMES.search(before) or number not in notes):
        return "^" + plain.translate(str.maketrans("−–", "--"))
    is_unit = number in ("2", "3") or (is_signed and len(number) == 1)
    if is_signed or (is_unit and _UNIT.search(before)):
        return plain.translate(_ABOVE)
    return ""
