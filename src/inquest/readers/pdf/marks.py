"""Raised and lowered text in PDF lines: note marks are removed, exponents are spelled out. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from inquest.readers.pdf.lines import CELL, PdfLine
from inquest.readers.raised import MARKS, exponent, lowered, raised
from inquest.text.regex import regex

RAISED, LINKED, LOWERED, END = "\ue000\ue001\ue002\ue003"
"""Signs before raised text, raised text that is a link of its own, and lowered text, and behind each of them. They are
in the private use area, from which a line has no other characters."""
_SHIFTED = regex(
    rf"(?P<gap>\s*)(?P<kind>[{RAISED}{LINKED}{LOWERED}])(?P<text>[^{END}]*){END}(?:\s+(?=[,;:.)](?:\s|$)))?"
)
_ONE_AFTER_ANOTHER = regex(rf"{END}([,;]?\s?)[{RAISED}{LINKED}]")
_FIRST_NOTE = 0x60000
"""Signs from here on keep the place of a note mark or of a link; they are in a Unicode plane without characters."""
_NOTES = "[\U00060000-\U0006ffff]"
NOTES = regex(_NOTES)
_NOTED = regex(rf"(\s\S*)({_NOTES}+)")
_SIGNS = regex(rf"[{RAISED}{LINKED}{LOWERED}{END}]|{_NOTES}")
_LABEL = r"\d{1,3}|[a-z]|[*†‡§¶]{1,3}"
_LABELS = regex(_LABEL)
_NOTE = regex(rf"\s*[\[(]?({_LABEL})(?:[\])][.:]?|[.:]?(?=\s)|(?<=[*†‡§¶])(?=\w))\s*\S")
_RAISED_NOTE = regex(rf"\s*[{RAISED}{LINKED}]({_LABEL}){END}")
_PRINTED = regex("[⁰¹²³⁴-⁹]+")
_PLAIN = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_LETTERS, _LINKS = 0x1000, 0x8000
_SMALL = 0.95  # Relative to the usual type size: notes are set smaller than the text, unlike numbered lists.


def without_marks(pages: Sequence[Sequence[PdfLine]], language: str = "") -> list[tuple[PdfLine, ...]]:
    """Spell out raised and lowered text in the lines of all pages, without note marks; `language` as in `raised`.

    A mark is removed if it is a link, or if a note with that mark, raised or in small print, begins a line of its page
    or one near the document's end; a sign of its label keeps its place (see `mark_of`). Anything else never joins a
    digit: '10^4', 'm²', '320 [7]'.
    """
    sizes: Counter[float] = Counter()
    for lines in pages:
        for line in lines:
            sizes[round(line.size, 1)] += len(line.text)
    usual = max(sizes, key=lambda size: (sizes[size], size), default=0.0)
    labels = [[_label(line, usual) for line in lines] for lines in pages]
    every = [label for found in labels for label in found]
    at_end = set(every[-max(1, len(every) // 5) :])
    return [
        tuple(_settled(line, (at_end | set(own)) - {""}, language) for line in lines)
        for lines, own in zip(pages, labels, strict=True)
    ]


def _label(line: PdfLine, usual: float) -> str:
    text = line.text[:12]
    if (found := _RAISED_NOTE.match(text)) or (line.size < _SMALL * usual and (found := _NOTE.match(text))):
        return found[1]
    return text[0] if text[:1] in ("*", "†", "‡", "§", "¶") and len(text) > 1 else ""


def _settled(line: PdfLine, notes: set[str], language: str) -> PdfLine:
    if line.text.isascii() or not (_SIGNS.search(line.text) or _PRINTED.search(line.text)):
        return line

    def spelled(text: str) -> str:
        text = _PRINTED.sub(lambda found: f"{RAISED}{found[0].translate(_PLAIN)}{END}", text)
        text = _ONE_AFTER_ANOTHER.sub(r"\1", text)
        return _SHIFTED.sub(lambda found: _spelled(found, notes, language), text)

    # Cells are compared, and the ends of lines examined: a sign is kept only in running text, before the last word.
    pieces = tuple(piece._replace(text=NOTES.sub("", spelled(piece.text))) for piece in line.pieces)
    text = spelled(line.text)
    text = NOTES.sub("", text) if CELL in text else _NOTED.sub(r"\2\1", text)
    return replace(line, text=text, pieces=pieces)


def link_sign(number: int) -> str:
    """Return the sign for the end of a link with that number among the links of a document."""
    return chr(_FIRST_NOTE + min(_LINKS + number, 0xFFFF))


def mark_of(sign: str, urls: Sequence[str]) -> tuple[str, str]:
    """Return the label of the note mark that a sign replaces, and '' or the address of the link that it ends."""
    number = ord(sign) - _FIRST_NOTE
    if number >= _LINKS:
        return "", urls[number - _LINKS]
    return str(number) if number < _LETTERS else chr(number - _LETTERS), ""


def _spelled(found: re.Match[str], notes: set[str], language: str) -> str:
    before, after = (_SIGNS.sub("", part) for part in (found.string[: found.start()], found.string[found.end() :]))
    gap, text = found["gap"], found["text"].strip(",; ")
    if found["kind"] == LOWERED:
        return gap + lowered(text, before + gap, after)
    labels = set(_LABELS.findall(text))
    if before and (spelled := exponent(text, before, noted=bool(labels & notes))):
        return spelled
    is_noted = labels & notes or (found["kind"] == LINKED and not text.isalpha())
    if before and is_noted and MARKS.fullmatch(text) and after[:1] not in ("/", "⁄"):
        numbers = (int(each) if each.isdigit() else _LETTERS + ord(each[0]) for each in _LABELS.findall(text))
        return "".join(chr(_FIRST_NOTE + each) for each in numbers) + (" " if gap and after[:1].isalnum() else "")
    spelled = raised(text, before + gap, after, language)
    return gap + spelled + (" " if spelled.endswith("]") and after[:1].isalnum() else "")
