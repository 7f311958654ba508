"""Blocks of a document: the parts of its text that are evidence, and their sentences, which never cross a block."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from inquest.domain.document import Block, BlockKind, Document
from inquest.text.regex import regex
from inquest.text.sentences import Span, sentences, stripped

_BLANK = regex(r"\n[^\S\n]*\n\s*")
_MARK = regex(r"(?:[-*•‣▪–]|\(?\d{1,3}[.)])\s+(?=\S)")
_LISTED = regex(r"\s*(?:[-*•‣▪–]|\(?\d{1,3}[.)])\s+\S")
_ENDS = tuple('.!?…:;,"”»)。！？：؟')
_HEADING = 120
"""Maximum characters of a heading."""


def blocks_of(document: Document) -> tuple[Block, ...]:
    """The document's own blocks, or those its layout shows if it was stored without any."""
    return document.blocks or blocks_by_layout(document.text)


@lru_cache(maxsize=64)
def blocks_by_layout(text: str) -> tuple[Block, ...]:
    """Blocks of a plain text, separated by blank lines: lists, tables (' | ' between cells), quotes ('> '), headings
    (one short line without a digit or a final mark, with text below it) and paragraphs."""
    blanks = [Span(*match.span()) for match in _BLANK.finditer(text)]
    between = pairwise([Span(0, 0), *blanks, Span(len(text), len(text))])
    parts = [part for one, other in between if (part := stripped(text, Span(one.end, other.start))).start < part.end]
    kinds = [_kind(part.of(text), last=part is parts[-1]) for part in parts]
    if kinds.count(BlockKind.HEADING) * 2 > len(kinds):  # verse or a list of names
        kinds = [BlockKind.PARAGRAPH if kind is BlockKind.HEADING else kind for kind in kinds]
    return tuple(Block(kind=kind, start=part.start, end=part.end) for kind, part in zip(kinds, parts, strict=True))


def _kind(part: str, *, last: bool) -> BlockKind:
    lines = part.split("\n")
    if all(_LISTED.match(line) for line in lines) and len(lines) > 1:
        return BlockKind.LIST
    if sum(" | " in line for line in lines) * 2 > len(lines):
        return BlockKind.TABLE
    if all(line.startswith(">") for line in lines):
        return BlockKind.QUOTE
    if len(lines) == 1 and part.startswith("#") and part.lstrip("#").startswith(" "):
        return BlockKind.HEADING
    short = len(lines) == 1 and len(part) <= _HEADING and not last
    if short and not part.endswith(_ENDS) and not any(char.isdigit() for char in part):
        return BlockKind.HEADING
    return BlockKind.PARAGRAPH


def without_mark(text: str, span: Span) -> Span:
    """The span of a sentence without the list marker before it."""
    mark = _MARK.match(span.of(text))
    return Span(span.start + mark.end(), span.end) if mark else span


def evidence_spans(document: Document) -> tuple[Span, ...]:
    """The blocks that may be quoted as statements of the document, in order. See `BlockKind.is_evidence`."""
    return tuple(Span(block.start, block.end) for block in blocks_of(document) if block.kind.is_evidence)


def evidence_sentences(document: Document, limit: int | None = None) -> list[Span]:
    """The sentences that are evidence, in order, as offsets into the document's text; with `limit`, only those that
    begin in its first `limit` characters."""
    return [
        Span(block.start + span.start, block.start + span.end)
        for block in evidence_spans(document)
        if limit is None or block.start < limit
        for span in sentences(block.of(document.text))
        if limit is None or block.start + span.start < limit
    ]
