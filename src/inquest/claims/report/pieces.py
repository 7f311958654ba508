"""A report's readable text as the pieces that can be claims: whole sentences, items of a list with the sentence that
opens it, blocks of table rows. Every piece is a span of the text; nothing is rewritten here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

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


def pieces(text: str) -> Iterator[ReportBlock]:
    """The pieces in order. A sentence that runs over a page or a column is one, with the break inside its span."""
    lead: Span | None = None
    for block in _joined(text, _blocks(text)):
        content = block.of(text)
        if _CELL.search(content):
            lead = None
            yield ReportBlock(PieceKind.TABLE, block)
            continue
        item_starts = [block.start + match.start() for match in re.finditer(rf"(?m)^{BULLET.pattern}", content)]
        opening = Span(block.start, item_starts[0] if item_starts else block.end)
        cut = _sentences(text, opening) if opening.of(text).strip() else []
        yield from (ReportBlock(PieceKind.SENTENCE, span) for span in cut)
        if cut and _LEADING_IN.search(cut[-1].of(text)):
            lead = cut[-1]
        elif not item_starts:
            lead = None
        for start, end in zip(item_starts, (*item_starts[1:], block.end), strict=False):
            yield from _item(text, Span(start, end), lead)


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


def _joined(text: str, blocks: Iterable[Span]) -> list[Span]:
    """The blocks, those put together again that a page's or a column's end has parted inside a sentence."""
    joined: list[Span] = []
    for block in blocks:
        if joined and _goes_on(joined[-1].of(text), block.of(text)):
            joined[-1] = Span(joined[-1].start, block.end)
        else:
            joined.append(block)
    return joined


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


def _item(text: str, item: Span, lead: Span | None) -> Iterator[ReportBlock]:
    bullet = BULLET.match(text, item.start)
    whole: list[Span] = []
    for span in _sentences(text, Span(bullet.end() if bullet else item.start, item.end)):
        # Lines of one item belong together unless a sentence ends: a heading's line does not end one here.
        if whole and not re.search(r"[.!?…][\"'”’»)\]]*$", whole[-1].of(text)):
            whole[-1] = Span(whole[-1].start, span.end)
        else:
            whole.append(span)
    for place, span in enumerate(whole):
        yield ReportBlock(PieceKind.SENTENCE, span) if place else ReportBlock(PieceKind.ITEM, span, lead)
