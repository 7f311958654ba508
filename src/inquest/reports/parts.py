"""The parts of a report that all its forms set alike: lines, tables and headed blocks, as values without markup."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Block", "Cell", "Line", "Part", "Said", "Table", "line", "text"]


@dataclass(frozen=True)
class Said:
    """A stretch of text, and what hangs on it."""

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


@dataclass(frozen=True)
class Line:
    """Stretches set one after another, and the lines that belong under them."""

    parts: tuple[Said, ...]
    below: tuple[Line, ...] = ()


Cell = tuple[Line, ...]
"""The lines of one cell."""


@dataclass(frozen=True)
class Table:
    """Rows under named columns; on a narrow page a row becomes a card. `kind` names its look."""

    kind: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True)
class Block:
    """A heading with its lines, inside a claim or a part."""

    heading: str
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Part:
    """A headed part of the report; one with nothing in it is left out."""

    name: str
    """Its anchor."""
    heading: str
    intro: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    blocks: tuple[Block, ...] = ()

    @property
    def empty(self) -> bool:
        return not self.tables and not any(block.lines for block in self.blocks)


def line(*parts: Said | str, below: tuple[Line, ...] = ()) -> Line:
    """A line; plain words may stand for a stretch without anything on it."""
    return Line(tuple(Said(part) if isinstance(part, str) else part for part in parts if part), below)


def text(words: str) -> Cell:
    """A cell of plain words; empty where there are none."""
    return (line(words),) if words else ()
