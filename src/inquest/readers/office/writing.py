"""A document laid out block by block: what every office reader makes of its parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby

from inquest.domain.document import Block, BlockKind, Document, Place, Snapshot, Table
from inquest.domain.errors import PageUnreadable
from inquest.readers.grids import is_figure, is_year
from inquest.readers.html_leaves import Leaf
from inquest.readers.plain import clean, one_line
from inquest.readers.text import first_line
from inquest.sources.dating import from_text, from_url, from_value, publication_date
from inquest.text.languages import detect_language
from inquest.text.lexicon import pattern
from inquest.text.regex import regex
from inquest.text.tables import grid_text, moved
from inquest.text.urls import clean as clean_url
from inquest.text.urls import is_web_url

MAX_CHARACTERS = 20_000_000
"""Of a document's text; 5,000 printed pages."""
_RAISED = str.maketrans("0123456789+-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")
_TEN = regex(r"(?<![\d.,])(?:10|2)$")
_UNIT = regex(r"(?<![^\W_])(?:[kcdmµμn]?m|ft|in|mi|yd|[^\W\d_])$|\)$")
_NO_TITLE = pattern("inquest.readers.pdf", "no_title")
_MOST_HEADS = 4
"""Rows or columns; a table that begins with more of them is a text that is laid out as a table."""


class Line:
    """The running text of one paragraph or cell, piece by piece, each with its mark: '', up, down or struck."""

    def __init__(self) -> None:
        self.pieces: list[tuple[str, str]] = []

    def add(self, text: str, mark: str = "") -> None:
        """Append a piece."""
        if text:
            self.pieces.append((text, mark))

    def take(self) -> tuple[str, list[str]]:
        """The text, and what in it is struck out; the line is empty afterwards."""
        text, struck = "", []
        for mark, group in groupby(self.pieces, key=lambda piece: piece[1]):
            piece = "".join(words for words, _ in group)
            if mark == "struck":
                struck.append(clean(piece).strip())
                text += " " if piece[:1].isspace() or piece[-1:].isspace() else ""
            else:
                text += _shifted(text, piece, mark) if mark else piece
        self.pieces = []
        return clean(text).strip(), [each for each in struck if each]


def _shifted(before: str, piece: str, mark: str) -> str:
    """Raised or lowered text as it is written on a line: 10^4, m², CO2. It never joins a figure: 320 [1], not 3201."""
    solid, figure = piece.strip(), before[-1:].isdigit()
    if mark == "down":
        return f"_{solid}" if figure and solid[:1].isdigit() else piece
    if not solid or not any(char.isalnum() for char in solid):
        return piece
    if solid.isalpha():
        return f" [{solid}]" if figure and len(solid) == 1 else piece  # 1st, 2nd, Mme
    is_number = solid.lstrip("+-−").isdigit()
    if is_number and _TEN.search(before):
        return "^" + solid.replace("−", "-")
    if is_number and (_UNIT.search(before) or not solid.isdigit()):
        return solid.translate(_RAISED)
    return f" [{solid.strip('[]()')}]" if before.strip() else piece


@dataclass(slots=True)
class Facts:
    """What a file says of itself. `dates`: where each is ('the creation date of the file') and its value."""

    title: str = ""
    author: str = ""
    dates: list[tuple[str, str]] = field(default_factory=list)
    publisher: str = ""
    language: str = ""
    address: str = ""


class Writer:
    """Blocks, tables and places of a document in the making."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.notes: list[str] = []
        self.heading = ""
        """The first heading or title."""
        self.links: list[str] = []
        self.dated_by_text = True
        """False for workbooks: a date in a cell is not when it was published."""
        self.length = 0
        self._parts: list[str] = []
        self._blocks: list[Block] = []
        self._tables: list[Table] = []
        self._places: list[Place] = []
        self._notes_below: list[str] = []
        self._comments: list[str] = []
        self.counts: dict[str, int] = {}

    def count(self, what: str, by: int = 1) -> None:
        """Count something that is left out, for the notes: 'tracked deletions'."""
        self.counts[what] = self.counts.get(what, 0) + by

    def block(self, kind: BlockKind, text: str, struck: Sequence[str] = ()) -> None:
        """Write a block, and what in it was struck out as blocks of their own; an empty text is none."""
        if any(char.isalnum() for char in text):
            if kind in (BlockKind.HEADING, BlockKind.TITLE):
                self.heading = self.heading or one_line(text)
            last = self._blocks[-1] if self._blocks else None
            joined = kind is BlockKind.LIST and last is not None and last.kind is kind and last.end == self.length
            self._put(kind, text, joined=joined)
        for each in struck:
            if any(char.isalnum() for char in each):
                self._put(BlockKind.WITHDRAWN, each)

    def _put(self, kind: BlockKind, text: str, *, joined: bool = False) -> int:
        gap = ("\n" if joined else "\n\n") if self._parts else ""
        start = self.length + len(gap)
        self._append(gap + text)
        if joined:
            self._blocks[-1] = self._blocks[-1].model_copy(update={"end": self.length})
        else:
            self._blocks.append(Block(kind=kind, start=start, end=self.length))
        return start

    def _append(self, text: str) -> None:
        self._parts.append(text)
        self.length += len(text)

    def below(self, text: str) -> int:
        """Keep a footnote for the end of the document; gives its number."""
        self._notes_below.append(text)
        return len(self._notes_below)

    def comment(self, text: str, author: str = "", on: str = "") -> None:
        """Keep a comment for the end of the part or document; `on`: a cell."""
        if text:
            by, on = f" by {author}" if author else "", f" on {on}" if on else ""
            self._comments.append(f"Comment{by}{on}: {text}")

    def table(self, grid: Sequence[Sequence[str]], *, heads: int = 0, first_cell: str = "", hidden: Sequence[int] = (),
              caption: str = "") -> None:  # fmt: skip
        """Write a table whose spanning cells are repeated; `heads`: rows that are marked as heads, 0: to be guessed."""
        if not any(any(char.isalnum() for char in cell) for row in grid for cell in row):
            return
        rows, columns = guessed_heads(grid)
        made = grid_text(grid, head_rows=heads or rows, head_columns=columns, first_cell=first_cell,
                         hidden_rows=hidden, caption=caption)  # fmt: skip
        self._tables.append(moved(made.table, self._put(BlockKind.TABLE, made.text)))

    def leaf(self, leaf: Leaf) -> None:
        """Write a block of a chapter that is HTML."""
        if leaf.table is not None:
            self._tables.append(moved(leaf.table, self._put(BlockKind.TABLE, leaf.text)))
            self.block(BlockKind.PARAGRAPH, "", leaf.struck)
        elif leaf.kind is BlockKind.WITHDRAWN:
            self._put(leaf.kind, leaf.text)
        else:
            self.block(leaf.kind, leaf.text, leaf.struck)

    def place(self, label: str, *, hidden: bool = False) -> None:
        """Begin a part: a sheet, a slide, a chapter."""
        self._end_place()
        start = self.length + (2 if self._parts else 0)
        self._places.append(Place(label=label, start=start, hidden=hidden))

    def _end_place(self) -> None:
        """Write the comments of a part at its end; a part in which nothing was written is none."""
        comments, self._comments = self._comments, []
        for each in comments:
            self._put(BlockKind.COMMENT, each)
        if self._places and self._places[-1].start > self.length:
            self._places.pop()

    def document(self, snapshot: Snapshot, facts: Facts, empty: str = "holds no text") -> Document:
        """The document. Raises PageUnreadable where nothing was written; `empty` says what it is instead."""
        url = snapshot.final_url or snapshot.url
        for number, note in enumerate(self._notes_below, 1):
            self.block(BlockKind.PARAGRAPH, f"[{number}] {note}")
        if not any(block.kind.is_evidence or block.kind is BlockKind.HEADING for block in self._blocks):
            raise PageUnreadable(url, f"The document at {url} {empty}.", advice="Open it to see what is there.")
        self._end_place()
        text = "".join(self._parts)
        left = [f"left out: {what} ({count})" for what, count in self.counts.items() if count]
        stated = [from_value(given, name, how="file", now=snapshot.retrieved_at)
                  for name, given in facts.dates]  # fmt: skip
        printed = from_text(text) if self.dated_by_text else None
        witnesses = [each for each in (printed, from_url(url), *stated) if each]
        dated = publication_date(witnesses, snapshot.retrieved_at)
        title = one_line(facts.title)
        return Document(
            snapshot=snapshot.hash,
            url=url,
            title=(title if not _NO_TITLE.match(title) else "") or self.heading[:300] or first_line(text),
            author=one_line(facts.author) or None,
            published=dated.published,
            dates=dated.evidence,
            publisher=one_line(facts.publisher) or None,
            language=detect_language(text) or facts.language[:2].lower() or None,
            text=text,
            blocks=tuple(self._blocks),
            tables=tuple(self._tables),
            places=tuple(self._places),
            links=tuple(dict.fromkeys(clean_url(link) for link in self.links if is_web_url(link))),
            kind=self.kind,
            notes=(*left, *dict.fromkeys(self.notes), *dated.notes),
        )


def guessed_heads(grid: Sequence[Sequence[str]]) -> tuple[int, int]:
    """How many rows and columns of a grid are heads: those before the first figure that is no year. (0, 0): no figures.

    A table of words has one row of heads where it has more than one row and column.
    """
    sample = grid[:60]
    if len(sample) < 2 or max(map(len, sample)) < 2:
        return 0, 0
    figures = [[is_figure(cell) for cell in row] for row in sample]
    first = next((n for n, row in enumerate(sample) if not _is_head(row, figures[n])), None)
    if first is None:
        return 1, 0
    body = figures[first:]
    share = [sum(row[column : column + 1] == [True] for row in body) for column in range(max(map(len, sample)))]
    columns = next(column for column, count in enumerate(share) if 3 * count >= max(share))
    if not columns and all(is_year(row[0]) for row in sample[first:] if row and row[0]):
        columns = 1  # years down the side
    return (first if first <= _MOST_HEADS else 1), min(columns, _MOST_HEADS)


def _is_head(row: Sequence[str], figures: Sequence[bool]) -> bool:
    """True for a row whose only figures are years: 'Indicator | 2022 | 2023'."""
    return all(is_year(cell) for cell, figure in zip(row, figures, strict=True) if figure)
