"""Parts of a report as values without markup, which every format renders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Said:
    """A span of text with its links and marks."""

    text: str
    finding_ids: tuple[str, ...] = ()
    """Findings whose citation numbers follow the text."""
    claim: str = ""
    """Id of the claim to link to."""
    source: str = ""
    """Id of the source to link to."""
    url: str = ""
    tone: str = ""
    """A verdict, a side or a risk level, which gives the colour of the mark."""
    quoted: bool = False
    """A verbatim quote, set in quotation marks."""
    strong: bool = False
    anchor: str = ""
    """The link target at this place, if the claim or source has no entry of its own."""
    language: str = ""
    """ISO 639-1 code of a quote's language, if known."""


@dataclass(frozen=True)
class Line:
    """Consecutive spans, the lines nested below them and, for a quote, its witness."""

    parts: tuple[Said, ...]
    below: tuple[Line, ...] = ()
    by: tuple[Said, ...] = ()
    """The witness of a quote."""


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
    at_once: int = 0
    """Number of lines shown before the rest is folded, if the format can fold; 0: all."""
    folded: bool = False
    """Supplementary: folded if the format can fold, else left out."""


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

    name: str
    """The link target."""
    heading: str
    intro: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    blocks: tuple[Block, ...] = ()
    entries: tuple[Entry, ...] = ()
    folded: bool = False
    """Supplementary: folded if the format can fold, else left out; the case as JSON has it."""
    annex: bool = False
    """Reference matter after the answer and the verdicts, folded if the format can fold."""
    title: str = ""
    """A shorter heading for the table of contents."""

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
