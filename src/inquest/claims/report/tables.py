"""Reading of the complete rows of a report's tables: measure, unit, amount and year.

Rows without a unit or a year cannot be checked; they are left out and counted. In a table whose other figures have
units, whole numbers without one are counts."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from inquest.domain.document import Document, Table
from inquest.text.blocks import Cell, cells_of_row
from inquest.text.lexicon import pattern
from inquest.text.quantities import Dimension, Quantity, Relation, compare, quantities
from inquest.text.regex import regex
from inquest.text.sentences import Span
from inquest.text.units import CURRENCIES, CURRENCY, SCALES, UNITS, either, measures_named

_YEAR = regex(
    r"^(?:(?:FY|CY|31\.12\.|Dec(?:ember)?\.?\s*31,?)?\s*((?:19|20)\d\d(?:\s?/\s?\d\d(?:\d\d)?)?)|[FC]Y\s?['’]?(\d\d))"
    r"(?:\s*[\d¹²³*]\)?)?$",
    re.I,
)
_NUMBER = r"[-–−+]?\s?\(?\d[\d.,'’\u00a0\u202f ]*\)?"
_VALUE = regex(
    rf"^(?:(?P<money>[€$£]|EUR|USD|GBP)\s?)?(?P<number>[<>~≤≥]?\s?{_NUMBER})\s?"
    r"(?P<unit>[^\W\d][\w₂²³/. ]{0,18}|%)?[*¹²³]?$"
)
_FOOTNOTE = regex(r"(?<=[\w%²])\d{1,2}\)(?=\s|$)|(?<=\w)[¹⁴⁵⁶⁷⁸⁹]|\*+$|\s*(?:\.{3,}|…)[.…\s]*$")
_UNIT_IN_LABEL = regex(r"(?:\(|\[|,\s|\bin\s+)(?P<unit>[^()\[\],|]{1,28})[)\]]?\s*$")
_COUNTING = regex(
    r"^(?:number|no\.?|#|count|headcount|FTEs?|people|persons|employees|anzahl|nombre|número|numero|aantal)$", re.I
)
_COUNT, _WHOLE = "(count)", regex(r"\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3})*|\d+")
"""The unit given to whole numbers without one in a table whose other figures have units, and the pattern of such a
number."""
_ACCOUNT, _NOT_AMOUNT = pattern(__name__, "account"), pattern(__name__, "not_amount")
_FRACTION = regex(r"\D*[\d.,'’ ]*\d[.,]\d{1,2}(?!\d).*")
_EXCEPT = regex(r"[\s,;:(–-]+(?:unless|except|soweit|sofern|sauf|salvo|tenzij)\b.*", re.I | re.S)
_IN_MILLIONS = regex(rf"(?<!\w)({either(CURRENCIES)})\s+in\s+({either(SCALES)})s?(?!\w)", re.I)
_OF_UNIT = regex(r"\s*(?:[^\s\w].*|\S*|(?:per|of|in|an?|pro|je)\b.*)")
"""Text that may follow the name of a unit: a sign, one word ('gross'), or the thing measured."""
_OF_CO2 = regex(r"(?:metric\s)?(?P<mass>[^\W\d_]+?)\s?(?:of\s)?CO[2₂]", re.I)
_UNIT_HEAD = regex(r"units?(?:\s+of\s+measure(?:ment)?)?|einheit", re.I)
_SEPARATOR = regex(r"^[\s|:—–-]*$")
_LABEL = regex(r"[^\W\d_]{2,}")
_YEAR_BESIDE = regex(r"^(?P<before>.*?)[\s,:;(|–-]*\b(?P<year>(?:19|20)\d\d)\b\)?[\s,:;|–-]*(?P<after>.*)$")
_COMPARED = regex(r"\b(?:19|20)\d\d\b.*\d|chang|compar|\bvs\b|versus|against|since|Δ", re.I)
"""The header of a column with changes or comparisons, not figures of the year that it names."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A complete row."""

    span: Span
    measure: str
    amounts: tuple[tuple[str, str], ...]  # Years with their amounts
    head: Span | None = None

    @property
    def text(self) -> str:
        """The row without its subject: 'Scope 1 emissions: 110 t CO2e in 2022, 120 t CO2e in 2021'."""
        return f"{self.measure}: " + ", ".join(f"{amount} in {year}" for year, amount in self.amounts)


@dataclass
class TableReader:
    """Reader of the tables of a document, block by block."""

    incomplete: int = 0  # Number of rows with figures that are not claims

    def read_all(self, document: Document, blocks: Iterable[Span]) -> dict[Span, list[TableRow]]:
        """Return the complete rows of each block, without those of one measure that give different figures for a year:
        what distinguishes them is not in the rows."""
        found = {block: list(self.read(document, block)) for block in blocks}
        figures: dict[tuple[str, str], Quantity] = {}
        unclear = set()
        for row in itertools.chain.from_iterable(found.values()):
            for year, amount in row.amounts:
                for figure in quantities(amount)[:1]:
                    known = figures.setdefault((row.measure, year), figure)
                    if compare(known, figure) is Relation.DIFFERS:
                        unclear.add(row.measure)
        kept = {block: [row for row in rows if row.measure not in unclear] for block, rows in found.items()}
        self.incomplete += sum(map(len, found.values())) - sum(map(len, kept.values()))
        return kept

    def read(self, document: Document, block: Span) -> Iterator[TableRow]:
        """Yield the complete rows of a block: of the document's tables, and of lines of cells outside them."""
        at = block.start
        for table in document.tables:
            places = [(row[0][0], row[-1][1]) for row in table.rows]
            inside = [(start, end) for start, end in places if block.start <= start and end <= block.end]
            if inside:
                yield from self._of_text(document, Span(at, max(at, inside[0][0])))
                at = inside[-1][1]
                yield from self._of_table(document, table, Span(inside[0][0], at))
        yield from self._of_text(document, Span(at, block.end))

    def _of_text(self, document: Document, block: Span) -> Iterator[TableRow]:
        """Read a table that is marked only by '|' between cells. A row with more or fewer cells than the header is left
        out: a figure under the wrong year is worse than none."""
        rows = [_cells(document.text, line) for line in _lines(document.text, block)]
        if not rows:
            return
        written = [[document.text[start:end] for start, end in row] for row in rows]
        head_rows = _head_rows(written)
        first_year = next((n for row in written[:head_rows] for n, cell in enumerate(row) if _YEAR.match(cell)), 1)
        width = len(rows[0]) if head_rows else 0
        fitting = [row for row in rows if len(row) == width or not width]
        self.incomplete += sum(_has_figures(row) for row in written if len(row) != width and width)
        widest = max(map(len, fitting))
        grid = tuple((*row, *((row[-1][1], row[-1][1]),) * (widest - len(row))) for row in fitting)
        table = Table(rows=grid, head_rows=head_rows, head_columns=max(1, first_year))
        yield from self._of_table(document, table, block)

    def _of_table(self, document: Document, table: Table, within: Span) -> Iterator[TableRow]:
        """Read the rows of a table within a span."""
        grid = [[document.text[start:end].strip() for start, end in row] for row in table.rows]
        heads, body = grid[: table.head_rows], grid[table.head_rows :]
        head = Span(table.rows[0][0][0], table.rows[table.head_rows - 1][-1][1]) if heads else None
        above = document.text[: table.rows[0][0][0]].rstrip().rpartition("\n")[2].strip("()[].: ")
        corner = (*(cell for row in heads for cell in row[: max(1, table.head_columns)]), table.caption)
        over = (_unqualified(each) for each in (*corner, above, _title_over(document.text[: table.rows[0][0][0]])))
        common = next((unit for each in over if (unit := _unit_in_label(each)[1] or _unit(each))), "")
        titles = [row[0] for row in heads if row.count(row[0]) > 1]  # over the names of rows and the figures alike
        units = _column_of_units(heads, body)
        labels = (
            *(cell for row in heads for cell in row),
            *(each for row in body for each in row[: table.head_columns]),
        )
        # 'en k€': which of the rows are counts is unknown.
        in_money = any(map(CURRENCY.fullmatch, re.split(r"[\s()\[\],;:'’]+", " ".join(corner))))
        is_measured = bool(units) or any(map(_unit_of_label, labels))
        # Whole numbers under 'EUR million' may be counts: then it is the unit of named accounts alone.
        plain = (row for row in body if _has_figures(row) and not _unit_of_label(row[0]))
        may_count = not all(any(map(_FRACTION.fullmatch, row[1:])) for row in plain)
        # Labels alone, with units, from the first row on name groups; others may be rows without data.
        groups = [row[0] for row in body if row[0][:1].isupper() and not any(row[1:])]
        if len(groups) < 2 or groups[0] != body[0][0] or not any(map(_unit_of_label, groups)):
            groups = []
        group = ""
        for number, (row, written) in enumerate(zip(table.rows, grid, strict=True)):
            filled = [place for place in row if place[0] < place[1]] or [row[0]]
            group = written[0] if written[0] in groups and not any(written[1:]) else group
            span = Span(filled[0][0], filled[-1][1])
            if number < table.head_rows or span.start < within.start or span.end > within.end:
                continue
            unit = (units and written[units].strip("-–—")) or common or (_COUNT if is_measured and not in_money else "")
            cells = cells_of_row(document, table, number)
            below = grid[number + 1] if number + 1 < len(grid) else [""]
            label = written[0]
            if below[0] and not any(below[1:]) and not below[0][0].isupper():  # The label continues below.
                label = f"{written[0]} {below[0]}"
                cells = [cell._replace(row_heads=(label, *cell.row_heads[1:])) for cell in cells]
            if group and not _unit_of_label(label):
                cells = [cell._replace(row_heads=(group, *cell.row_heads)) for cell in cells]
            complete = list(_under_heads(cells, unit, span, head, titles, may_count=may_count))
            yield from complete
            self.incomplete += not complete and _has_figures(written)


def _title_over(text: str) -> str:
    """Return the heading above the sentence or two that introduce a table: no sentence, and no other table between."""
    *_, heading, introduction = ("", "", *text.rstrip().split("\n\n")[-2:])
    return heading if not re.search(r"[|\n]|[.!?:]$", heading) and "|" not in introduction else ""


def _unqualified(text: str) -> str:
    """Return 'EUR million' of 'EUR in millions, except per share data'."""
    return _IN_MILLIONS.sub(lambda found: f"{found[1]} {found[2]}", _EXCEPT.sub("", text))


def _unit_of_label(label: str) -> str:
    return _unit(label) or _unit_in_label(_unmarked(label))[1]


def _column_of_units(heads: Sequence[Sequence[str]], body: Sequence[Sequence[str]]) -> int:
    """Return the number of the column that is named for units, or contains some and no figures; 0 if absent."""
    for number, cells in enumerate(zip(*body, strict=True)):
        is_named = any(_UNIT_HEAD.fullmatch(row[number]) for row in heads)
        if number and (is_named or (any(map(_unit, cells)) and not any(map(_VALUE.match, cells)))):
            return number
    return 0


def _head_rows(written: Sequence[Sequence[str]]) -> int:
    """Count the header rows at the top: down to the first with years as columns, else one row without figures."""
    heads = []
    for row in written[:3]:
        if any(
            re.search(r"\d", cell) and not (_YEAR.match(cell) or (_unit(cell) and not cell[0].isdigit()))
            for cell in row
        ):
            break
        heads.append(row)
    with_years = (number for number, row in enumerate(heads, 1) if any(map(_YEAR.match, row)))
    return next(with_years, min(1, len(heads)))


def _has_figures(written: Sequence[str]) -> bool:
    return any(map(_VALUE.match, written[1:])) and bool(_LABEL.search(written[0]))


def _cells(text: str, line: Span) -> list[tuple[int, int]]:
    """Return the cells of a line as offsets, without the marks between them."""
    inner = line.of(text).strip().strip("|")
    at = line.start + line.of(text).index(inner)
    cells = []
    for cell in inner.split("|"):
        lead = len(cell) - len(cell.lstrip())
        cells.append((at + lead, max(at + lead, at + len(cell.rstrip()))))
        at += len(cell) + 1
    return cells


def _unmarked(text: str) -> str:
    """Return a text without marks of footnotes; '(m3)' closes with no such mark."""

    def kept(mark: re.Match[str]) -> str:
        before = text[: mark.start()]
        return mark.group() if before.count("(") > before.count(")") else ""

    return _FOOTNOTE.sub(kept, text).strip()


def _amount(cell: str, unit: str, label: str = "") -> str:
    """Return the figure of a cell with its unit; '' without figure or unit. A count (unit _COUNT) is a whole number of
    something that is not a measure."""
    value = _VALUE.match(cell)
    measure = (value["unit"] or "").strip() or unit if value else ""
    if value is None or not (measure or value["money"]):
        return ""
    if measure == _COUNT and not value["money"] and (not _WHOLE.fullmatch(cell) or measures_named(label)):
        return ""
    amount = f"{value['money'] + ' ' if value['money'] else ''}{value['number'].strip()}"
    measure = measure.replace("m2", "m²").replace("m3", "m³")
    return amount if measure in ("", _COUNT) or _COUNTING.match(measure) else f"{amount} {measure}"


def _under_heads(
    cells: list[Cell], common: str, span: Span, head: Span | None, titles: Sequence[str], *, may_count: bool
) -> Iterator[TableRow]:
    """Yield a row for each measure in the column headers, with each figure under its year."""
    if not cells:
        return
    label, year_of_row, unit = "", "", ""
    beside = [cell.text for cell in cells if not _VALUE.match(cell.text)]
    for part in (*cells[0].row_heads, *beside):
        text = _unmarked(part)
        if found := text if text == common else _unit(text):
            unit = unit or found
            # 'Headcount' above rows names what is counted in them.
            label = text if not label and _COUNTING.match(text) and (part,) == cells[0].row_heads[:-1][:1] else label
        elif match := _YEAR.match(text):
            year_of_row = match[1] or f"20{match[2]}"
        elif part in cells[0].row_heads and _LABEL.search(text):
            own, found = _unit_in_label(text)
            label, unit = f"{label}, {own}" if label else own, unit or found
    if len(label) > 140:
        return
    measures: dict[str, list[tuple[str, str]]] = {}
    for cell in cells:
        measure, year, of_head = _read_heads(cell.column_heads, titles)
        over = of_head if of_head and measure else _unit_over(of_head or common, (label, measure), may_count=may_count)
        amount = _amount(_unmarked(cell.text), unit or over, f"{label} {measure}")
        if _VALUE.match(_unmarked(cell.text)) and (year or year_of_row) and not (year and year_of_row):
            measures.setdefault(measure, []).append((year or year_of_row, amount))
    for measure, amounts in measures.items():
        what = ", ".join(part for part in (label, measure) if part)
        # Two figures of a year under one name differ in something that the headers do not contain.
        if what and all(amount for _, amount in amounts) and len({year for year, _ in amounts}) == len(amounts):
            amounts.sort(key=lambda each: each[0], reverse=True)
            yield TableRow(span, what, tuple(amounts), head)


def _unit_over(unit: str, names: Sequence[str], *, may_count: bool) -> str:
    """Return the unit over a table. If that is money and its names do not make the row an amount of money, it is _COUNT
    for a row that begins with such a word, else ''."""
    if not (CURRENCY.fullmatch(unit) or unit.lower() in SCALES):
        return unit
    is_money = any(map(_ACCOUNT.search, names)) if may_count else not any(map(_NOT_AMOUNT.search, names))
    counts = CURRENCY.fullmatch(unit) and any(_COUNTING.match(name.partition(" ")[0]) for name in names)
    return unit if is_money else _COUNT if counts else ""


def _read_heads(heads: tuple[str, ...], titles: Sequence[str]) -> tuple[str, str, str]:
    """Return measure, year and unit of a column; no year if the headers name several or compare years. The title of the
    table is the measure if no other header names one."""
    names: list[str] = []
    title: list[str] = []
    years, unit = [], ""
    for each in heads:
        head = _unmarked(each)
        if match := _YEAR.match(head):
            years.append(match[1] or f"20{match[2]}")
            continue
        if _COMPARED.search(head):
            years += ["", ""]
        elif match := _YEAR_BESIDE.match(head):
            years.append(match["year"])
            head = ", ".join(part.strip() for part in (match["before"], match["after"]) if part.strip())
        name, own = _unit_in_label(head)
        own = own or _unit(head.strip("()[] "))
        unit = own or unit
        if name and not (own and name == head):
            (title if each in titles else names).append(name)
    return ", ".join(names or title), years[0] if len(years) == 1 else "", unit


def _lines(text: str, block: Span) -> Iterator[Span]:
    """Yield the rows of a block as spans; lines without '|' are the wrapped beginning of the next row."""
    start: int | None = None
    for match in re.finditer(r"[^\n]+", block.of(text)):
        start = match.start() if start is None else start
        if "|" in match.group() and not _SEPARATOR.match(match.group()):
            yield Span(block.start + start, block.start + match.end())
        if "|" in match.group():
            start = None


def _unit(cell: str) -> str:
    """Return the cell if it is a unit of measure, else ''."""
    bare = cell.removeprefix("in ").removeprefix("In ")
    if bare == "%" or _COUNTING.match(bare) or CURRENCY.fullmatch(bare):
        return bare
    if not cell or len(cell) > 28 or (re.search(r"[0-9]", cell) and not re.search(r"CO2|m[23]|100", cell)):
        return ""
    is_titled = bare.istitle()
    bare = bare.lower() if is_titled else bare
    written = f"It was 3 {bare}."
    measured = quantities(written)
    # 'Year' and 'Month' are the headers of columns with dates.
    others = {Dimension.COUNT, Dimension.DURATION} if is_titled else {Dimension.COUNT}
    is_measure = bool(measured) and measured[0].dimension not in others
    if bare.lower().partition(" of ")[0] in SCALES:
        return bare.replace("s of ", " ", 1)  # '47.9 million crowns'
    known = is_measure and _OF_UNIT.fullmatch(written, measured[0].span.end)
    of_gas = _OF_CO2.match(bare)  # 't CO2e', not the name of a measure: 'CO2 emitted'
    mass = of_gas["mass"] if of_gas else ""
    if mass not in UNITS and mass.lower() in UNITS:  # 'Tonnes of CO2e'
        return bare[0].lower() + bare[1:]
    return bare if known or mass in UNITS or mass.capitalize() in UNITS else ""


def _unit_in_label(label: str) -> tuple[str, str]:
    """Split 'Energy use (MWh)' into label and unit; '' for a label without one."""
    match = _UNIT_IN_LABEL.search(label)
    unit = _unit(match["unit"].strip()) if match else ""
    return (label[: match.start()].strip() or label, unit) if match and unit else (label, "")
