"""Parts of a report as values without markup, which every format renders, and their text made safe to display.

Only the formats that people read are cleaned; the archive and the case as JSON keep the original text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from inquest.text.regex import regex


@dataclass(frozen=True)
class Said:
    """A span of text with its links and marks."""

    text: str
    finding_ids: tuple[str, ...] = ()  # findings whose citation numbers follow the text
    claim: str = ""  # id of the claim to link to
    source: str = ""  # id of the source to link to
    url: str = ""
    tone: str = ""  # a verdict, a side or a risk level, which gives the colour of the mark
    quoted: bool = False  # a verbatim quote, set in quotation marks
    strong: bool = False
    anchor: str = ""  # the link target at this place, if the claim or source has no entry of its own
    language: str = ""  # ISO 639-1 code of a quote's language, if known


@dataclass(frozen=True)
class Line:
    """Consecutive spans, the lines nested below them and, for a quote, its witness."""

    parts: tuple[Said, ...]
    below: tuple[Line, ...] = ()
    by: tuple[Said, ...] = ()  # the witness of a quote


Cell = tuple[Line, ...]


@dataclass(frozen=True)
class Table:
    """Rows under named columns; a row becomes a card on a narrow page. `kind` selects the style. Without column names
    the table is a list of names and descriptions."""

    kind: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True)
class Block:
    """A heading, which may be empty, and its lines."""

    heading: str
    lines: tuple[Line, ...]
    kind: str = ""
    """'prose': sentences of one paragraph; 'for' and 'against': two columns; 'own': words of the checked report;
    'notes': small lines."""
    at_once: int = 0  # number of lines shown before the rest is folded, if the format can fold; 0: all
    folded: bool = False  # supplementary: folded if the format can fold, else left out


@dataclass(frozen=True)
class Entry:
    """A claim, a source or a section of the summary: a heading and its blocks; those without lines are dropped."""

    heading: Line
    blocks: tuple[Block, ...]
    anchor: str = ""
    kicker: Line = Line(())
    kind: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "blocks", tuple(block for block in self.blocks if block.lines))


@dataclass(frozen=True)
class Part:
    """A part of the report with a heading. Tables without rows and blocks without lines are dropped, and parts without
    content are left out."""

    name: str  # the link target
    heading: str
    intro: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    blocks: tuple[Block, ...] = ()
    entries: tuple[Entry, ...] = ()
    folded: bool = False  # supplementary: folded if the format can fold, else left out; the case as JSON has it
    annex: bool = False  # reference matter after the answer and the verdicts, folded if the format can fold
    title: str = ""  # a shorter heading for the table of contents

    def __post_init__(self) -> None:
        object.__setattr__(self, "tables", tuple(table for table in self.tables if table.rows))
        object.__setattr__(self, "blocks", tuple(block for block in self.blocks if block.lines))

    @property
    def empty(self) -> bool:
        return not (self.tables or self.entries or self.blocks)


def line(*parts: Said | str, below: tuple[Line, ...] = (), by: tuple[Said, ...] = ()) -> Line:
    """Build a line; a plain string is a span without links or marks."""
    return Line(tuple(Said(part) if isinstance(part, str) else part for part in parts if part), below, by)


def text(words: str) -> Cell:
    """Return a cell of plain text; empty for an empty string."""
    return (line(words),) if words else ()


def named_rows(*rows: tuple[str, Cell]) -> Table:
    """Return a table of names and cells without the empty ones."""
    return Table("scope", ("", ""), tuple((text(name), cell) for name, cell in rows if cell))


def joined(parts: Iterable[Said], joint: str = "; ") -> Iterator[Said]:
    """Yield the spans with a separator between them."""
    for number, part in enumerate(parts):
        if number:
            yield Said(joint)
        yield part


def to_claims(claim_ids: Iterable[str]) -> Line:
    """Return claim ids, each linked to its claim."""
    return line(*joined((Said(each, claim=each) for each in claim_ids), ", "))


def to_sources(source_ids: Iterable[str]) -> Line:
    """Return source ids without repetition, each linked to its source."""
    return line(*joined((Said(each, source=each) for each in dict.fromkeys(source_ids)), ", "))


# Invisible characters that can only mislead: controls, bidirectional embeddings, overrides and isolates (reports
# isolate foreign text themselves), zero-width spaces, byte order marks, fillers, tags, noncharacters. Joiners (200C,
# 200D), directional marks (200E, 200F) and variation selectors stay: scripts and emoji need them.
_UNSEEN = regex(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b\u202a-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\U000e0000-\U000e0fff]"
)
_SURROGATE = regex("[\ud800-\udfff]")
_LINE_END = regex("\r\n?|\x85|\u2028|\u2029")
_MANY_LINES = regex(r"[^\S\n]*\n\s*")


def shown(text: str) -> str:
    """Remove invisible characters, replace lone surrogates by U+FFFD and every kind of line end by a line feed."""
    return _SURROGATE.sub("\ufffd", _UNSEEN.sub("", _LINE_END.sub("\n", text)))


def one_line(text: str) -> str:
    """Return the `shown` text on one line."""
    return " ".join(shown(text).split())


def paragraphs(text: str) -> str:
    """Return the `shown` text line by line, without empty lines; spaces at either end become one."""
    return _MANY_LINES.sub("\n", re.sub(r"[^\S\n]+", " ", shown(text)))


_RIGHT_TO_LEFT = regex("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


def isolated(text: str) -> str:
    """Enclose text with right-to-left letters in Unicode isolates, so that it does not reorder the text around it."""
    return f"\u2068{text}\u2069" if _RIGHT_TO_LEFT.search(text) else text


_SPECIAL = regex(r"[\\`*\[\]<|~]|(?<![^\W_])_|_(?![^\W_])|&(?=[#\w]+;)")
_AT_START = regex(r"^(?:([-+=>#:])|(\d{1,9})([.)])(?=\s|$))")


def markdown_text(text: str, *, opens: bool = True) -> str:
    """Return the text on one line, escaped so that Markdown reads no heading, list, link or tag in it.

    `opens`: the text may begin a line, where more characters are special.
    """
    escaped = _SPECIAL.sub(lambda special: "\\" + special.group(), one_line(text))
    if not opens:
        return escaped
    return _AT_START.sub(lambda start: f"\\{start[1]}" if start[1] else f"{start[2]}\\{start[3]}", escaped)
