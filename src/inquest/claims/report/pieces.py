"""A report's readable text as the pieces that can be claims: whole sentences, items of a list with the sentence that
opens it, blocks of table rows. Every piece is a span of the text; nothing is rewritten here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from inquest.text.regex import regex
from inquest.text.sentences import Span, sentences

BULLET = regex(r"[^\S\n]*(?:[•◦▪▫■□●○‣⁃·>»→✓–—*-]|\(?\d{1,2}[.)]|\(?[a-z]\))[^\S\n]+(?=\S)")
_BLANK = regex(r"\n[^\S\n]*\n\s*")
_CELL = regex(r"\S[^\S\n]*\|[^\S\n]*\S|^\s*\|")
_ENDED = regex(r"[.!?…:;][\"'”’»)\]\d]{0,3}\s*$")
_LEADING_IN = regex(r":\s*$")
_HEADING = 60
"""Characters. What is shorter and ends in no mark is taken for a heading, not for half a sentence."""
_SEAM = regex(r"\s*\n\s*\n\s*")
_NOTE_MARK = regex(r"(?:(?<=[a-z)%][.!?])|(?<=\s(?:19|20)\d\d\.))\d{1,2}(?=\s+[A-Z]|\s*$)")
"""The number of a footnote after a sentence's end, as it stands in text that has lost its raised letters."""


class PieceKind(StrEnum):
    """What a piece is in the layout of the report."""

    SENTENCE = "sentence"
    ITEM = "item"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class ReportBlock:
    """A span of the text that may state something."""

    kind: PieceKind
    span: Span
    lead: Span | None = None
    """For an item of a list, the sentence that opens the list."""
    before: Span | None = None
    """The sentence before it in the same paragraph."""


def pieces(text: str) -> Iterator[ReportBlock]:
    """The pieces in order. A sentence that runs over a page or a column is one, with the break inside its span."""
    lead: Span | None = None
    for block in _joined(text, list(_blocks(text))):
        content = block.of(text)
        if _CELL.search(content):
            lead = None
            yield ReportBlock(PieceKind.TABLE, block)
            continue
        item_starts = [match.start() for match in re.finditer(rf"(?m)^{BULLET.pattern}", content)]
        if item_starts:
            opening = Span(block.start, block.start + item_starts[0])
            if opening.of(text).strip():
                cut = _sentences(text, opening)
                yield from _following(cut)
                lead = cut[-1] if cut and _LEADING_IN.search(cut[-1].of(text)) else lead
            yield from _items(text, block, item_starts, lead)
            continue
        cut = _sentences(text, block)
        yield from _following(cut)
        lead = cut[-1] if cut and _LEADING_IN.search(cut[-1].of(text)) else None


def pages_without_text(text: str, pages: tuple[int, ...]) -> tuple[int, ...]:
    """The numbers (from 1) of the pages on which nothing stands."""
    ends = (*pages[1:], len(text)) if pages else ()
    return tuple(
        number for number, (start, end) in enumerate(zip(pages, ends, strict=True), 1) if not text[start:end].strip()
    )


def _blocks(text: str) -> Iterator[Span]:
    start = 0
    for match in _BLANK.finditer(text):
        if text[start : match.start()].strip():
            yield Span(start, match.start())
        start = match.end()
    if text[start:].strip():
        yield Span(start, len(text))


def _joined(text: str, blocks: list[Span]) -> Iterator[Span]:
    """The blocks, those put together again that a page's or a column's end has parted inside a sentence."""
    held: Span | None = None
    for block in blocks:
        if held is not None and _goes_on(held.of(text), block.of(text)):
            held = Span(held.start, block.end)
            continue
        if held is not None:
            yield held
        held = block
    if held is not None:
        yield held


def _goes_on(above: str, below: str) -> bool:
    last = above.rsplit("\n", 1)[-1]
    if _ENDED.search(last) or "|" in last or "|" in below.split("\n", 1)[0]:
        return False
    # What is broken off stands at the end of a paragraph; a heading is all of its block.
    enough = len(above) >= _HEADING and re.search(r"[a-z]", last) is not None
    return enough and below.lstrip()[:1].islower() and not BULLET.match(below)


def _sentences(text: str, block: Span) -> list[Span]:
    # Same length, so that offsets hold: a break inside a sentence that was joined does not end it.
    flat = _SEAM.sub(lambda seam: " " * len(seam.group()), block.of(text))
    flat = _NOTE_MARK.sub(lambda mark: " " * len(mark.group()), flat)
    return [Span(block.start + each.start, block.start + each.end) for each in sentences(flat)]


def _following(cut: list[Span]) -> Iterator[ReportBlock]:
    before: Span | None = None
    for span in cut:
        yield ReportBlock(PieceKind.SENTENCE, span, before=before)
        before = span


def _items(text: str, block: Span, starts: list[int], lead: Span | None) -> Iterator[ReportBlock]:
    content = block.of(text)
    for start, end in zip(starts, (*starts[1:], len(content)), strict=True):
        bullet = BULLET.match(content, start)
        begins = bullet.end() if bullet else start
        item = Span(block.start + begins, block.start + end)
        cut = _sentences(text, item)
        if not cut:
            continue
        # Lines of one item belong together unless a sentence ends: a heading's line does not end one here.
        whole = [cut[0]]
        for span in cut[1:]:
            if re.search(r"[.!?…][\"'”’»)\]]*$", whole[-1].of(text)):
                whole.append(span)
            else:
                whole[-1] = Span(whole[-1].start, span.end)
        yield ReportBlock(PieceKind.ITEM, whole[0], lead=lead)
        for before, span in pairwise(whole):
            yield ReportBlock(PieceKind.SENTENCE, span, before=before)
