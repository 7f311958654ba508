"""The lines of a PDF page with their places, as the library finds them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from statistics import median
from typing import NamedTuple

from inquest.domain.document import Table
from inquest.readers.pdf.chars import HYPHEN, PageChars

__all__ = ["CELL", "HYPHEN", "PdfLine", "PdfPiece", "by_columns", "page_lines"]

CELL = " | "
"""Separator between texts far apart on a line: cells of a row, or columns side by side."""
_CELL_GAP = 1.9
"""Relative to the type size. A space is 0.25 of it, justified lines rarely stretch one beyond 1, an icon in the text
takes 1.8; columns of tables in the reports used to set this value begin at 2.0."""
_COLUMN_LINES, _COLUMN_WIDTH = 4, 25
"""Lines, and the usual characters per line, that make two cells side by side columns of running text."""
_PIECE_GAP = 0.36  # In type sizes. Cells of dense tables may be this close; the rows around them decide.


Words = list[tuple[int, int]]
"""Start and end of each word among the characters of a page."""


class PdfPiece(NamedTuple):
    """Words of a line closer together than cells, with left and right edge in points."""

    text: str
    left: float
    right: float


@dataclass(frozen=True, slots=True)
class PdfLine:
    """One line. Places in points from the lower left corner of the page; `top` and `bottom` are the baselines of its
    first and last characters, which differ where a divided word ties two lines together."""

    text: str
    left: float
    right: float
    top: float
    bottom: float
    size: float
    """Type size in points."""
    weight: int
    """Font weight of the first character, 400 for regular; -1 if the font does not declare it."""
    end_weight: int
    pieces: tuple[PdfPiece, ...] = ()
    """The line, cut wherever two cells of a table could meet."""
    table: Table | None = None
    """The table, with offsets into `text`, if the line represents one."""
    added: str = ""
    """Signs of blocks that follow the paragraph of this line (see form)."""


def page_lines(page: PageChars, added: Sequence[tuple[int, str]] = ()) -> list[PdfLine]:
    """Return the lines of a page in content order. `added`: pairs of a character and the sign for its line."""
    lines: list[PdfLine] = []
    waiting = sorted(added, reverse=True)
    start, count = 0, len(page.texts) if page.runs else -1
    for index in range(count + 1):
        if index < count and page.texts[index] != "\n":
            continue
        if words := list(page.words(start, index)):
            size = _usual_size(page, words)
            parts = _on_one_baseline(page, words, 0.5 * size)
            lines += [_line(page, part, size if part == words else _usual_size(page, part)) for part in parts]
        start = index + 1
        while lines and waiting and waiting[-1][0] < index:
            lines[-1] = replace(lines[-1], added=lines[-1].added + waiting.pop()[1])
    return lines


def by_columns(lines: Sequence[PdfLine]) -> list[PdfLine]:
    """Reorder lines written across two columns of running text column by column; rows of a table are kept."""
    found: list[PdfLine] = []
    halved = ((line, _halves(line)) for line in lines)
    for _, group in groupby(halved, key=lambda each: each[1] is None):
        rows = list(group)
        columns = list(zip(*(halves for _, halves in rows if halves), strict=True)) or [()]
        whole = [line for line, _ in rows]
        found += [line for column in columns for line in column] if all(map(_runs_on, columns)) else whole
    return found


def _halves(line: PdfLine) -> tuple[PdfLine, PdfLine] | None:
    """Split a line of two cells."""
    texts = line.text.split(CELL)
    cuts = [
        at for at, (one, other) in enumerate(pairwise(line.pieces), 1) if other.left - one.right > _CELL_GAP * line.size
    ]
    if len(texts) != 2 or len(cuts) != 1:
        return None
    first, second = line.pieces[: cuts[0]], line.pieces[cuts[0] :]
    left = replace(line, text=texts[0], right=first[-1].right, pieces=first)
    return left, replace(line, text=texts[1], left=second[0].left, pieces=second, added="")


def _runs_on(column: Sequence[PdfLine]) -> bool:
    """Return True for running text: long lines below one another, half of which begin in lower case."""
    if len(column) < _COLUMN_LINES or median(len(line.text) for line in column) < _COLUMN_WIDTH:
        return False
    lefts = [line.left for line in column]
    aligned = max(lefts) - min(lefts) < 2 * column[0].size
    return aligned and 2 * sum(line.text[:1].islower() for line in column) >= len(column)


def _on_one_baseline(page: PageChars, words: Words, step: float) -> Iterator[Words]:
    """Yield the words of a line by baseline, as the library may join several."""
    first, last = page.run_at(words[0][0]), page.run_at(words[-1][1] - 1)
    begun = 0
    is_one = first.turn == last.turn and abs(first.base - last.base) <= step
    if not is_one and HYPHEN not in page.texts[words[0][0] : words[-1][1]]:
        for number, (above, run) in enumerate(pairwise([page.run_at(start) for start, _ in words]), 1):
            if run.turn != above.turn or abs(run.base - above.base) > step:
                yield words[begun:number]
                begun = number
    yield words[begun:]


def _line(page: PageChars, words: Words, size: float) -> PdfLine:
    first, last = page.run_at(words[0][0]), page.run_at(words[-1][1] - 1)
    text, pieces = _with_cells(page, words, size, first.turn)
    divided = [i for start, end in words for i in range(start + 1, end) if page.texts[i] == HYPHEN]
    return PdfLine(
        text=text,
        left=page.origin(words[0][0], first.turn),
        # A line with a divided word extends to the end of the first half.
        right=max([pieces[-1].right, *(page.box(index - 1, first.turn)[2] for index in divided)]),
        top=first.base,
        bottom=last.base,
        size=size,
        weight=first.weight,
        end_weight=last.weight,
        pieces=tuple(pieces),
    )


def _usual_size(page: PageChars, words: Words) -> float:
    """Return the size of most of a line; links and superscripts are often smaller."""
    seen = [index for start, end in words for index in range(start, end)]
    sampled = [round(page.run_at(index).size, 1) for index in seen[:: max(1, len(seen) // 7)]]
    size = max(sampled, key=lambda size: (sampled.count(size), size))
    return size if 0.5 < size < 1000 else 10.0


def _with_cells(page: PageChars, words: Words, size: float, turn: int) -> tuple[str, list[PdfPiece]]:
    """Return the text of a line and its pieces. Words separated by more than a space are cells, unless the gap is left
    by hidden words."""
    text, gap = "", 0.0
    pieces: list[PdfPiece] = []
    for number, (start, end) in enumerate(words):
        left, right, word = page.box(start, turn)[0], page.box(end - 1, turn)[2], page.text(start, end)
        if number:
            before = words[number - 1][1]
            gap = 0.0 if page.gone and not page.gone.isdisjoint(range(before, start)) else left - pieces[-1].right
            text += CELL if gap > _CELL_GAP * size else " "
        text += word
        if number and gap <= _PIECE_GAP * size:
            pieces[-1] = PdfPiece(f"{pieces[-1].text} {word}", pieces[-1].left, right)
        else:
            pieces.append(PdfPiece(word, left, right))
    return text, pieces
