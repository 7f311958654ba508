"""Cleaning of text, so that a quote has the same characters in every document."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

from inquest.domain.document import Block, BlockKind
from inquest.text.regex import regex

_LINE_ENDS = regex("\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_SPACES = regex(r"[^\S\n]+")
_BLANK_LINES = regex(r"\n(?:[^\S\n]*\n){2,}")
_SPACE_AT_LINE_END = regex(r"[^\S\n]+(?=\n)")
# ZWNJ and ZWJ are part of words in Arabic, Persian and Indian scripts; elsewhere they are only invisible.
_JOINERS = regex(r"(?<![\u0600-\u0dff])[\u200c\u200d]|[\u200c\u200d](?![\u0600-\u0dff])")
_ASCII_TEXT = regex(r"[\n\x20-\x7e]*")


def clean(text: str, *, keep_spacing: bool = False) -> str:
    """Return text in NFC with LF line ends, at most one blank line in a row, and no invisible characters.

    Removed are control and format characters (zero-width, bidirectional overrides, soft hyphens, tags, byte order
    marks), private-use characters, lone surrogates and non-characters, which could make a quote differ from what is
    read. All kinds of space become plain ones, and runs of them one unless `keep_spacing`, for files laid out by hand.
    """
    if not _ASCII_TEXT.fullmatch(text):
        text = _LINE_ENDS.sub("\n", text)
        text = _JOINERS.sub("", text)
        text = text.translate(_OUT)
        text = unicodedata.normalize("NFC", text)
    if not keep_spacing:
        text = _SPACES.sub(" ", text).replace("\n ", "\n")
    text = _SPACE_AT_LINE_END.sub("", text)
    return _BLANK_LINES.sub("\n\n", text).strip(" \n" if not keep_spacing else "\n").rstrip()


def one_line(text: str) -> str:
    """Return the text cleaned and on one line, as for titles, names and table cells."""
    return " ".join(clean(text).split())


def listed(items: Sequence[object]) -> str:
    """Return up to ten items separated by commas; dots stand for the rest."""
    return ", ".join(map(str, items[:10])) + (", ..." if len(items) > 10 else "")


def struck_note(blocks: Iterable[Block]) -> list[str]:
    """Return a note on struck-out passages, if there are any."""
    struck = sum(block.kind is BlockKind.WITHDRAWN for block in blocks)
    passages = "1 passage is" if struck == 1 else f"{struck} passages are"
    return [f"{passages} struck out: shown, but not used as evidence"] if struck else []


class _Table(dict[int, str | int | None]):
    """The replacement of each character, computed when it is first met."""

    def __missing__(self, code: int) -> str | int | None:
        char = chr(code)
        category = unicodedata.category(char)
        kept: str | int | None = code
        if char == "\n" or char in "\u200c\u200d":
            kept = code
        elif category == "Zs" or char == "\t":
            kept = " "
        elif category in ("Cc", "Cf", "Co", "Cs") or (code & 0xFFFE) == 0xFFFE or 0xFDD0 <= code <= 0xFDEF:
            kept = None
        self[code] = kept
        return kept


_OUT = _Table()
