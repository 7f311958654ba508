"""Tables on a PDF page: lines with aligned figures become a grid with its headers. Pure.

A table has at least two rows with two figures each in the same columns, or one below their years; all else stays lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby, pairwise
from statistics import median
from typing import NamedTuple

from inquest.readers.pdf.chars import HYPHEN
from inquest.readers.pdf.lines import CELL, PdfLine, PdfPiece
from inquest.readers.plain import one_line
from inquest.text.blocks import grid_text
from inquest.text.regex import regex

_NOTED = r"(?:\s?(?:[*†‡§¶¹²³⁴-⁹]|\[(?:\d{1,3}|[a-zA-Z])(?:[,;–]\s?(?:\d{1,3}|[a-z]))*\]))"
_FIGURE = regex(
    r"(?!\d{1,2}\.\d{1,2}\.\d{2,4}$)(?!(?:19|20)\d\d [^\W\d_])(?:[<>~≈≤≥±]\s?)?[-–−+]?\s?\(?"
    r"(?:[€$£]|EUR|USD|GBP|CHF)?\s?[-–−+]?\d[\d.,'’\u00a0\u202f ]*\)?\s?"
    r"(?:%|‰|€|\$|£|[^\W\d_][\w²³₂/.]{0,7}(?:\s[\w²³₂/]{1,6})?)?\s?\)?"
    rf"{_NOTED}*"
)
_NOTHING = regex(r"[-–—.…•/]{1,3}|n\.?\s?/?\s?[aad]\.?|k\.\s?A\.|nil", re.I)
_YEAR = regex(rf"(?:FY\s?|GJ\s?)?(?:19|20)\d\d(?:\s?[/–-]\s?(?:\d\d)?\d\d)?{_NOTED}*")
_MARK = regex(rf"(?<=[\d%)]){_NOTED}+$")
_PROSE_WORDS = 9  # Words of a piece across a column of figures that make it running text.
_HEAD_LINES = 7
_TIGHT = 1.45  # Distance of the lines of one cell, at most, in type sizes.
_LEADING = 1.7  # Distance of the lines of one paragraph, at most, in type sizes.
_CLOSE = 0.5  # In type sizes; pieces closer together are one cell, except years.
_FAR = 8.0  # Distance of rows, in type sizes, that separates two tables.


Columns = list[tuple[float, float]]


class _Placed(NamedTuple):
    """A piece and the number of its line."""

    text: str
    left: float
    right: float
    line: int

    @property
    def is_year(self) -> bool:
        return bool(_YEAR.fullmatch(self.text))

    @property
    def is_figure(self) -> bool:
        return bool(_FIGURE.fullmatch(self.text) or _NOTHING.fullmatch(self.text))

    def meets(self, left: float, right: float) -> bool:
        return self.left < right and left < self.right


@dataclass(slots=True)
class _Row:
    """The pieces on one baseline."""

    top: float
    size: float
    pieces: list[_Placed]

    @property
    def figures(self) -> list[_Placed]:
        return [piece for piece in self.pieces if piece.is_figure]

    @property
    def is_of_years(self) -> bool:
        figures = self.figures
        return len(figures) >= 2 and all(piece.is_year for piece in figures)

    @property
    def is_seed(self) -> bool:
        figures = self.figures
        return len(figures) >= 2 and not self.is_of_years and any(any(map(str.isdigit, f.text)) for f in figures)


class _Block(NamedTuple):
    """A header cell of one or more lines."""

    text: str
    left: float
    right: float
    top: float
    bottom: float


def with_tables(lines: Sequence[PdfLine]) -> list[PdfLine]:
    """Return the lines of a page with each table as one line; other text beside a table is kept."""
    taken: dict[int, list[_Placed]] = {}
    found: dict[int, PdfLine] = {}
    for flow in _flows(lines):
        for table, used in _tables(_rows(lines, flow)):
            place = min(piece.line for piece in used)
            while place in found:
                place += 1
            found[place] = table
            for piece in used:
                taken.setdefault(piece.line, []).append(piece)
    if not found:
        return list(lines)
    kept: list[PdfLine] = []
    for index, line in enumerate(lines):
        if index in found:
            kept.append(found[index])
        if index in taken and line.added and (last := max((n for n in found if n <= index), default=None)) is not None:
            found[last] = kept[-1] = replace(found[last], added=found[last].added + line.added)
        rest = [piece for piece in _placed(line, index) if piece not in taken.get(index, ())]
        if index not in taken:
            kept.append(line)
        elif rest:
            text = CELL.join(piece.text for piece in rest)
            pieces = tuple(PdfPiece(*piece[:3]) for piece in rest)
            kept.append(replace(line, text=text, left=rest[0].left, right=rest[-1].right, pieces=pieces))
    return kept


def _flows(lines: Sequence[PdfLine]) -> list[list[int]]:
    """Group lines by text column: a jump far up begins one."""
    flows: list[list[int]] = []
    for index, line in enumerate(lines):
        if not line.pieces:
            continue
        if not flows or line.top > lines[flows[-1][-1]].bottom + 4 * line.size:
            flows.append([])
        flows[-1].append(index)
    return flows


def _rows(lines: Sequence[PdfLine], flow: Sequence[int]) -> list[_Row]:
    """Return the rows from top to bottom, their pieces from left to right."""
    rows: list[_Row] = []
    for index in sorted(flow, key=lambda index: -lines[index].top):
        line = lines[index]
        pieces = _placed(line, index)
        if rows and rows[-1].top - line.top < 0.3 * line.size:
            rows[-1].pieces += pieces
        else:
            rows.append(_Row(line.top, line.size, pieces))
    for row in rows:
        row.pieces.sort(key=lambda piece: piece.left)
    return rows


def _placed(line: PdfLine, index: int) -> list[_Placed]:
    """Return the pieces of a line, joined if closer than cells, unless both are years."""
    placed: list[_Placed] = []
    for piece in line.pieces:
        found = _Placed(*piece, index)
        above = placed[-1] if placed else None
        if above and piece.left - above.right <= _CLOSE * line.size and not (above.is_year and found.is_year):
            placed[-1] = _Placed(f"{above.text} {piece.text}", above.left, piece.right, index)
        elif piece.text:
            placed.append(found)
    return placed


def _tables(rows: Sequence[_Row]) -> Iterator[tuple[PdfLine, list[_Placed]]]:
    last = -1
    for first, end in _groups(rows):
        if max(first, last + 1) > end:
            continue
        found = _Finder(rows, max(first, last + 1), end, last + 1)
        if not found.is_table:
            continue
        if (across := found.seam()) is not None:
            for side in (True, False):
                part = [
                    _Row(row.top, row.size, [piece for piece in row.pieces if (piece.left < across) is side])
                    for row in rows[last + 1 :]
                ]
                yield from _tables([row for row in part if row.pieces])
            return
        last = found.last
        yield found.made()


def _groups(rows: Sequence[_Row]) -> Iterator[tuple[int, int]]:
    """Yield the first and last row of each run of rows whose figures are aligned."""
    seeds: list[int] = []
    for index, row in enumerate(rows):
        if not row.is_seed:
            continue
        if seeds and not _goes_on(rows, seeds, index):
            yield seeds[0], seeds[-1]
            seeds = []
        seeds.append(index)
    if seeds:
        yield seeds[0], seeds[-1]


def _under_years(rows: Sequence[_Row], index: int) -> bool:
    """Return True for a row with one figure under each of the years right above it."""
    above, row = rows[max(index - 1, 0)], rows[index]
    years, figures = above.figures, row.figures
    if not above.is_of_years or len(years) != len(figures) or above.top - row.top > 2.6 * row.size:
        return False
    return all(figure.meets(year.left, year.right) for year, figure in zip(years, figures, strict=True))


def _goes_on(rows: Sequence[_Row], seeds: Sequence[int], index: int) -> bool:
    above, row = rows[seeds[-1]], rows[index]
    if above.top - row.top > _FAR * row.size:
        return False
    known = _spans([piece for seed in seeds for piece in rows[seed].figures])
    for between in rows[seeds[-1] + 1 : index]:
        prose = (piece for piece in between.pieces if len(piece.text.split()) >= _PROSE_WORDS)
        if between.is_of_years or any(piece.meets(*column) for piece in prose for column in known):
            return False
    places = [[column for column in known if piece.meets(*column)] for piece in row.figures]
    met = [found[0] for found in places if len(found) == 1]
    return len(met) == len(set(met)) and 2 * len(met) >= len(places) and all(len(found) < 2 for found in places)


def _spans(pieces: Sequence[_Placed]) -> Columns:
    """Return the horizontal ranges that the pieces cover, from left to right."""
    spans: Columns = []
    for piece in sorted(pieces, key=lambda piece: piece.left):
        if spans and piece.left < spans[-1][1]:
            spans[-1] = (spans[-1][0], max(spans[-1][1], piece.right))
        else:
            spans.append((piece.left, piece.right))
    return spans


class _Finder:
    """A candidate table: its rows and columns, then its headers."""

    def __init__(self, rows: Sequence[_Row], first: int, last: int, top: int) -> None:
        self.rows, self.first, self.last, self._top = rows, first, last, top
        self.size = median(row.size for row in rows[first : last + 1])
        self.columns: Columns = []
        self.labels = 0
        """Number of header columns on the left."""
        self._leading: list[_Row] = []
        """The label of the first group of rows, if it stands alone above them."""
        self.is_table = self._measured()
        if self.is_table:
            tops = [row.top for row in rows[first : last + 1] if row.figures]
            self.pitch = median([above - below for above, below in pairwise(tops)] or [_LEADING * self.size])
            self._extended()

    def _measured(self) -> bool:
        body = [row for row in self.rows[self.first : self.last + 1] if row.figures]
        pieces = [piece for row in body for piece in row.pieces]
        for _ in range(2 + len(body) // 10):
            self.columns = _spans(pieces)
            among = set(pieces)
            if not any(self._crowded(row, among) for row in body):
                break
            # A cell that spans columns hides the gap between them.
            pieces.remove(max(pieces, key=lambda piece: (not piece.is_figure, piece.right - piece.left)))
        else:
            return False
        cells = [[p for row in body for p in row.pieces if p.meets(*column)] for column in self.columns]
        values = [2 * sum(piece.is_figure for piece in column) > len(column) for column in cells]
        named = [sum(any(map(str.isalpha, p.text)) and not p.is_figure for p in column) for column in cells]
        names_rows = any(named) and not all(piece.is_year for piece in cells[0])  # Years name the rows themselves.
        first_named = next(number for number, count in enumerate(named) if count) if names_rows else 0
        is_value = [
            value and not (number <= 1 and (all(p.is_year for p in column) or number < first_named))
            for number, (value, column) in enumerate(zip(values, cells, strict=True))
        ]
        if sum(is_value) < 2:
            return False
        self.labels = is_value.index(True)
        columns = [column for column, value in zip(self.columns, is_value, strict=True) if value]
        full = [row for row in body if sum(any(f.meets(*column) for f in row.figures) for column in columns) >= 2]
        return len(full) >= 2 or (len(full) == len(body) == 1 and _under_years(self.rows, self.first))

    def _crowded(self, row: _Row, pieces: set[_Placed]) -> bool:
        inside = ([piece for piece in row.pieces if piece in pieces and piece.meets(*each)] for each in self.columns)
        return any(len(found) > 1 and any(piece.is_figure for piece in found) for found in inside)

    @property
    def _edge(self) -> float:
        """The left edge of the columns of figures."""
        return self.columns[self.labels][0]

    def seam(self) -> float | None:
        """Return the left edge of the second of two tables side by side: a column of words between figures, with the
        same years above it or a far wider gap before it."""
        body = [row for row in self.rows[self.first : self.last + 1] if row.figures]
        gaps = [right[0] - left[1] for left, right in pairwise(self.columns)]
        for number in range(self.labels + 1, len(self.columns) - 1):
            cells = [p for row in body for p in row.pieces if p.meets(*self.columns[number])]
            words = [p for p in cells if not p.is_figure and sum(map(str.isalpha, p.text)) > 3]
            if 2 * len(words) <= len(cells) or len({piece.text for piece in words}) < 2:
                continue
            across = min(piece.left for piece in cells)
            heads = [p for row in self.rows[max(self._top, self.first - 3) : self.first] for p in row.pieces]
            years = [{p.text for p in heads if p.is_year and (p.left < across) is side} for side in (True, False)]
            others = [gap for place, gap in enumerate(gaps) if place not in (number - 1, number, self.labels - 1)]
            if years[0] & years[1] or gaps[number - 1] > max(2.5 * self.size, 1.5 * max(others, default=0.0)):
                return across - 0.1
        return None

    def _extended(self) -> None:
        """Extend the table by rows with a single figure above and below, and the rest of the last label ('(MWh)')."""
        left, right = self.columns[0][0] - self.size, self.columns[-1][1] + self.size
        for step in (-1, 1):
            index, at = (self.first, self.last)[step > 0] + step, self.rows[(self.first, self.last)[step > 0]].top
            while self._top <= index < len(self.rows):
                row = self.rows[index]
                gap = abs(at - row.top)
                inside = all(left < piece.left and piece.right < right for piece in row.pieces)
                figures = [
                    p for p in row.figures if not p.is_year and any(p.meets(*c) for c in self.columns[self.labels :])
                ]
                others = [p for p in row.pieces if p not in figures]
                near = gap <= 1.3 * self.pitch
                fits = figures and all(p.right < self._edge or p.left > self._edge for p in others) and near
                is_bracket = near and row.pieces[0].text[:1] + row.pieces[-1].text[-1:] == "()"
                wraps = (is_bracket or gap <= min(0.8 * self.pitch, _TIGHT * self.size)) and not figures
                if not inside or row.is_of_years or not (fits or (wraps and all(p.left < self._edge for p in others))):
                    break
                at = row.top
                self.first, self.last = (index, self.last) if step < 0 else (self.first, index)
                index += step

    def made(self) -> tuple[PdfLine, list[_Placed]]:
        """Return the table as a line, and its pieces."""
        heads, used, caption = self._head_rows()
        body = [*([piece.text] for row in reversed(self._leading) for piece in row.pieces), *self._body()]
        used += [piece for row in self.rows[self.first : self.last + 1] for piece in row.pieces]
        groups = _groups_of(body, self.labels)
        if any(groups):
            heads = [["", *row] for row in heads]
            body = [[group or "", *row] for group, row in zip(groups, body, strict=True) if group is not None]
        made = grid_text([*heads, *body], head_rows=len(heads), head_columns=self.labels + any(groups), caption=caption)
        among = set(used)
        tops = [row.top for row in self.rows if any(piece in among for piece in row.pieces)]
        left, right = min(piece.left for piece in used), max(piece.right for piece in used)
        line = PdfLine(
            made.text, left, right, max(tops), min(tops), self.size, weight=-1, end_weight=-1, table=made.table
        )
        return line, used

    def _body(self) -> list[list[str]]:
        rows = self.rows[self.first : self.last + 1]
        owners = self._owners(rows)
        grid = []
        for _, group in groupby(range(len(rows)), key=lambda index: owners[index]):
            cells: list[list[str]] = [[] for _ in self.columns]
            for index in group:
                for piece in rows[index].pieces:
                    met = [n for n, column in enumerate(self.columns) if piece.meets(*column)]
                    if not rows[index].figures or (met and not piece.is_figure and met[0] < self.labels):
                        met = met[:1]
                    for number in met or [self._nearest(piece)]:
                        cells[number].append(piece.text)
            grid.append([_cell_text(cell) for cell in cells])
        return grid

    def _owners(self, rows: Sequence[_Row]) -> list[int]:
        """Return for each row the row whose cells it continues, or itself."""
        anchors = [index for index, row in enumerate(rows) if row.figures]
        plain = [rows[a].top - rows[b].top for a, b in pairwise(anchors) if b == a + 1]
        tight = 0.8 * median(plain) if plain else _TIGHT * self.size
        owners = list(range(len(rows)))
        owners[: anchors[0]] = [anchors[0]] * anchors[0]
        for above, below in pairwise([*anchors, len(rows)]):
            run = range(above + 1, below)
            if not run:
                continue
            gaps = [rows[index - 1].top - rows[index].top for index in range(above + 1, min(below + 1, len(rows)))]
            if below == len(rows):
                gaps.append(self.pitch)
            even = max(gaps) < 1.15 * min(gaps)
            split = gaps.index(max(gaps))
            for place, index in enumerate(run):
                if not even and place < split and max(gaps[: place + 1]) <= tight:
                    owners[index] = above
                elif not even and place >= split and max(gaps[place + 1 :]) <= tight:
                    owners[index] = below
        return owners

    def _nearest(self, piece: _Placed | _Block) -> int:
        centre = (piece.left + piece.right) / 2
        return min(range(len(self.columns)), key=lambda n: abs(centre - sum(self.columns[n]) / 2))

    def _head_rows(self) -> tuple[list[list[str]], list[_Placed], str]:
        """Return the header rows, their pieces, and the caption above."""
        first, last, reach = self.columns[0][0], self.columns[-1][1], 8 * self.size
        taken: list[_Row] = []
        caption = ""
        at, index = self.rows[self.first].top, self.first - 1
        while index >= self._top and len(taken) < _HEAD_LINES:
            row = self.rows[index]
            if at - row.top > 0 or row.top - at > max(2.6 * self.size, 1.5 * self.pitch) or self._ends_prose(index):
                break
            inside = all(p.left < last and p.right > first for p in row.pieces)
            inside = inside and row.pieces[0].left > first - reach and row.pieces[-1].right < last + reach
            lone = len(row.pieces) == 1 and row.pieces[0].left < self.columns[max(self.labels - 1, 0)][1]
            prose = any(len(piece.text.split()) >= _PROSE_WORDS for piece in row.pieces)
            if not inside or prose or (lone and (row.pieces[0].right > self._edge or row.size > 1.15 * self.size)):
                if len(row.pieces) == 1 and len(row.pieces[0].text.split()) <= 15:
                    caption = one_line(row.pieces[0].text)
                break
            at, index = row.top, index - 1
            is_group = not taken and lone and self._is_group(row, self.rows[max(index, 0)])
            (self._leading if is_group else taken).append(row)
        while taken and not any(piece.right > self._edge for piece in taken[-1].pieces):
            caption = one_line(taken.pop().pieces[0].text)
        if taken:
            self._fit(taken[0].pieces)
        return self._levels(taken), [piece for row in (*self._leading, *taken) for piece in row.pieces], caption

    def _is_group(self, row: _Row, above: _Row) -> bool:
        """Return True for a lone label above the figures if there are others among them, or if the years above it, a
        row away, have a label of their own."""
        is_headed = len(above.figures) > 1 and above.pieces[0].right < self._edge and not above.pieces[0].is_year
        is_apart = above.top - row.top > 0.8 * self.pitch and _names_group([row.pieces[0].text], 1)
        return (is_headed and is_apart) or any(_names_group(each, self.labels) for each in self._body())

    def _fit(self, lowest: Sequence[_Placed]) -> None:
        """Fit the columns to the lowest header row."""
        values, edge = self.columns[self.labels :], self.columns[self.labels - 1][1] if self.labels else float("-inf")
        heads = [piece for piece in lowest if piece.left > edge]
        wide = [(min(p.left, left), max(p.right, right)) for p, (left, right) in zip(heads, values, strict=False)]
        if len(heads) == len(values) and all(one[1] <= other[0] for one, other in pairwise(wide)):
            self.columns[self.labels :] = wide  # Headers at the left and figures at the right of one may not meet.

    def _ends_prose(self, index: int) -> bool:
        """Return True for the last line of a paragraph: right below running text, with an end mark."""
        above, row = self.rows[max(index - 1, 0)], self.rows[index]
        words = " ".join(piece.text for piece in above.pieces).split()
        is_close = 0 < above.top - row.top <= _LEADING * row.size
        return is_close and len(words) >= _PROSE_WORDS and row.pieces[-1].text.endswith((".", "!", "?"))

    def _levels(self, taken: Sequence[_Row]) -> list[list[str]]:
        blocks = _blocks(taken)
        levels: list[list[_Block]] = []
        for block in sorted(blocks, key=lambda block: block.bottom):
            level = 0
            for number, others in enumerate(levels):
                for other in others:
                    over = block.left < other.right and other.left < block.right
                    above = other.top < block.bottom - 0.7 * self.size
                    if over or (above and min(block.left, other.left) >= self._edge - self.size):
                        level = max(level, number + 1)
            if level == len(levels):
                levels.append([])
            levels[level].append(block)
        grid = []
        leaves: list[str] = []
        for number, level_blocks in enumerate(levels, 1):
            cells: list[list[str]] = [[] for _ in self.columns]
            upper = [b for b in level_blocks if b.right > self._edge]
            for block in level_blocks:
                if block not in upper:
                    cells[min(self._nearest(block), max(self.labels - 1, 0))].append(block.text)
            ordered = sorted(upper, key=lambda b: b.left)
            # A level with fewer blocks than one above it, such as one of units, does not cover all columns.
            is_full = all(len(upper) >= sum(b.right > self._edge for b in above) for above in levels[number:])
            covered = _shared_out(ordered, self.columns, self.labels, leaves, 0.6 * self.size * is_full)
            for block, columns in zip(ordered, covered, strict=True):
                for column in columns or [self._nearest(block)]:
                    cells[column].append(block.text)
            grid.append([_cell_text(cell) for cell in cells])
            if not leaves:
                self._widened(upper)
            leaves = [" ".join(each).strip() for each in zip(*grid, strict=True)]
        return grid[::-1]

    def _widened(self, blocks: Sequence[_Block]) -> None:
        """Widen each column to the header that is above it alone."""
        for block in blocks:
            met = [n for n, column in enumerate(self.columns) if block.left < column[1] and column[0] < block.right]
            if len(met) == 1:
                left, right = self.columns[met[0]]
                self.columns[met[0]] = min(left, block.left), max(right, block.right)


def _groups_of(body: Sequence[Sequence[str]], labels: int) -> list[str | None]:
    """Return for each row the label above it that names its group, or ''; None for the row of that label. A label
    without figures names a group only if others repeat below it: else it may be a row without data. A label that is
    new after those, or is there twice, may be that of a total of all groups."""
    names = [tuple(row[:labels]) if any(row[:labels]) and any(row[labels:]) else () for row in body]
    last = max((number for number, name in enumerate(names) if name and name in names[:number]), default=-1)
    groups: list[str | None] = []
    group, done = "", set[tuple[str, ...]]()
    for row, name in zip(body[: last + 1], names, strict=False):
        if _names_group(row, labels):
            group = f"{group}, {row[0]}" if groups and groups[-1] is None else row[0]
            done = set()
            groups.append(None)
        else:
            groups.append("" if name in done else group)
            done.add(name)
    return groups + [""] * (len(body) - len(groups))


def _names_group(row: Sequence[str], labels: int) -> bool:
    return bool(labels and row[0] and not any(row[1:]) and not row[0][0].islower() and row[0][0] not in "([")


def _shared_out(
    blocks: Sequence[_Block], columns: Columns, first: int, leaves: Sequence[str], uncovered: float
) -> list[list[int]]:
    """Assign runs of columns to blocks: edges or centres agree, no lower header repeats, no year is above a year, few
    columns stay uncovered."""
    count = len(columns)

    def cost(block: _Block, start: int, end: int) -> float:
        left, right = columns[start][0], columns[end - 1][1]
        off = min(abs(block.left - left), abs(block.right - right), abs(block.left + block.right - left - right) / 2)
        below = [leaf for leaf in leaves[start:end] if leaf]
        is_over_year = _YEAR.fullmatch(block.text) and any(map(_YEAR.fullmatch, below))
        return off + 1000.0 * (len(below) != len(set(below)) or bool(is_over_year))

    @cache
    def solved(place: int, start: int) -> tuple[float, list[list[int]]]:
        if place == len(blocks):
            return uncovered * (count - start), []
        if start >= count:
            return 1e6 * (len(blocks) - place), [[] for _ in blocks[place:]]
        rest, runs = solved(place, start + 1)
        options = [(rest + uncovered, runs)]
        for end in range(start + 1, count + 1):
            rest, runs = solved(place + 1, end)
            options.append((rest + cost(blocks[place], start, end), [list(range(start, end)), *runs]))
        return min(options, key=lambda option: option[0])

    return solved(0, first)[1]


def _blocks(taken: Sequence[_Row]) -> list[_Block]:
    """Return the cells of the header; `taken` are its rows from the bottom up."""
    done: list[_Block] = []
    open_: list[_Block] = []
    for row in reversed(taken):
        following: list[_Block] = []
        for piece in row.pieces:
            over = [b for b in open_ if b.bottom - row.top <= _TIGHT * row.size and piece.meets(b.left, b.right)]
            alone = len(over) == 1 and sum(p.meets(over[0].left, over[0].right) for p in row.pieces) == 1
            if alone and not piece.is_year and not _YEAR.fullmatch(over[0].text):
                above = over[0]
                open_.remove(above)
                text = _cell_text([above.text, piece.text])
                edges = min(above.left, piece.left), max(above.right, piece.right)
                following.append(_Block(text, *edges, above.top, row.top))
            else:
                following.append(_Block(piece.text, piece.left, piece.right, row.top, row.top))
        # A cell with fewer lines may skip a row.
        done += [b for b in open_ if b.bottom - row.top > row.size]
        open_ = [b for b in open_ if b.bottom - row.top <= row.size] + following
    return done + open_


def _cell_text(parts: Sequence[str]) -> str:
    """Join the lines of a cell and drop note marks after a figure."""
    text = ""
    for part in parts:
        divided = text.endswith(("-", "‐")) and part[:1].islower()
        text = text[:-1] + part if divided else f"{text} {part}".strip()
    return _MARK.sub("", one_line(text.replace(HYPHEN, "").replace("|", "/")))
