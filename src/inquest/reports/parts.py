"""The parts of a report as values without markup: every form of the report sets the same ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Said:
    """A span of text, and what hangs on it."""

    text: str
    finding_ids: tuple[str, ...] = ()
    """What it rests on; their citation numbers follow it."""
    claim: str = ""
    """Id of the claim that it leads to."""
    source: str = ""
    """Id of the source that it leads to."""
    url: str = ""
    tone: str = ""
    """A verdict, a side or a level of risk: the text is set as a mark of that colour."""
    quoted: bool = False
    """Somebody's own words: in quotation marks."""
    strong: bool = False
    anchor: str = ""
    """The name of this place, for links to it; where the claim or source has no entry of its own."""
    language: str = ""
    """Of a quote: ISO 639-1, where it is known."""


@dataclass(frozen=True)
class Line:
    """Spans set one after another, who says so, and the lines that belong under them."""

    parts: tuple[Said, ...]
    below: tuple[Line, ...] = ()
    by: tuple[Said, ...] = ()
    """Of a quote: its witness."""


Cell = tuple[Line, ...]
"""The lines of one cell."""


@dataclass(frozen=True)
class Table:
    """Rows under named columns; on a narrow page a row becomes a card. `kind` names its look. Without names of columns
    it is a list of names with what is to be said of each."""

    kind: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True)
class Block:
    """A heading, which may be '', with its lines."""

    heading: str
    lines: tuple[Line, ...]
    kind: str = ""
    """'prose': sentences of one paragraph; 'for' and 'against': two sides, set beside each other; 'own': the words of
    the report that is checked; 'notes': small lines."""
    at_once: int = 0
    """How many lines are shown before the rest folds away, where a form can fold; 0: all."""
    folded: bool = False
    """For whoever asks: folded away where a form can fold, else left out."""


@dataclass(frozen=True)
class Entry:
    """A claim, a source or a part of the summary: a heading and the blocks under it."""

    heading: Line
    blocks: tuple[Block, ...]
    anchor: str = ""
    kicker: Line = Line(())
    kind: str = ""


@dataclass(frozen=True)
class Part:
    """A headed part of the report; one with nothing in it is left out."""

    name: str
    """Its anchor."""
    heading: str
    intro: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    blocks: tuple[Block, ...] = ()
    entries: tuple[Entry, ...] = ()
    folded: bool = False
    """For whoever asks: folded away where a form can fold, else left out; the case as JSON has it."""
    annex: bool = False
    """For reference, after the answer and the verdicts: folded where a form can fold."""
    title: str = ""
    """In the table of contents, where the heading is too long for it."""

    @property
    def empty(self) -> bool:
        return not self.tables and not self.entries and not any(block.lines for block in self.blocks)


def line(*parts: Said | str, below: tuple[Line, ...] = (), by: tuple[Said, ...] = ()) -> Line:
    """A line; plain words may stand for a span without anything on it."""
    return Line(tuple(Said(part) if isinstance(part, str) else part for part in parts if part), below, by)


def text(words: str) -> Cell:
    """A cell of plain words; empty where there are none."""
    return (line(words),) if words else ()


def named_rows(rows: Iterable[tuple[str, Cell]]) -> tuple[Table, ...]:
    """A table of names, each with its cell, without the empty ones; () where all are."""
    filled = tuple((text(name), cell) for name, cell in rows if cell)
    return (Table("scope", ("", ""), filled),) if filled else ()


def joined(parts: Iterable[Said], joint: str = "; ") -> Iterator[Said]:
    """With the joint between them."""
    for number, part in enumerate(parts):
        if number:
            yield Said(joint)
        yield part


def to_claims(claim_ids: Iterable[str]) -> Line:
    """The claims by their ids, each leading to its place."""
    return line(*joined((Said(each, claim=each) for each in claim_ids), ", "))


def to_sources(source_ids: Iterable[str]) -> Line:
    """The sources by their ids, each once and leading to its place."""
    return line(*joined((Said(each, source=each) for each in dict.fromkeys(source_ids)), ", "))
