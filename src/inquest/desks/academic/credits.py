"""Carbon credits: a claim's number compared with the entries of registers, one or their sum."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from inquest.desks.academic.claimed_figures import (
    CREDITS,
    PART,
    PROJECT,
    SURE,
    VINTAGE,
    YEAR,
    ClaimedFigure,
    FigureReading,
)
from inquest.desks.academic.terms import phrase_table
from inquest.desks.academic.witnesses import RegisterRow
from inquest.domain.finding import Stance
from inquest.domain.search import Query
from inquest.sources.standards import named_standards
from inquest.text.company_names import company_name
from inquest.text.quantities import Bound, Dimension, Relation, compare, quantities
from inquest.text.units import UNITS

_ROUNDED = 0.05
"""The most by which a rounded number may differ from the entries."""


class _Entry(NamedTuple):
    """A number of credits in a row; the year is 0 for a project's total."""

    row: RegisterRow
    number: float
    column: str
    day: str

    @property
    def year(self) -> int:
        return int(next(iter(YEAR.findall(self.day)), 0))

    @property
    def shown(self) -> str:
        vintage = self.row.value("vintage")[:4]
        about = (self.row.value("id"), self.day[:10].rstrip("T "), f"vintage {vintage}" if vintage else "")
        return f"{self.number:,.0f} ({', '.join(filter(None, about))})"


def credited(claimed: ClaimedFigure, rows: Sequence[RegisterRow]) -> list[tuple[RegisterRow, FigureReading]]:
    """Compare a number of credits (of 1 t CO2e each) with the sum of the entries of its kind, year, project and
    vintage, then with each, which must have exactly the number. As entries may be missing, a smaller sum decides
    nothing, nor an equal one of as many rows as a query returns; a greater one only if the claim is about no more than
    its number. An equal entry of another year, project or vintage is only shown."""
    kind, figure = CREDITS[claimed.measure.name], claimed.figure
    tonne = UNITS["t"].factor if figure.dimension is Dimension.MASS else 1.0
    own = [each for row in rows if (each := _entry(row, kind)) is not None and _is_of(claimed, row, kind)]
    read = {each.row.witness.source.id: each for each in own}.values()
    meant = [each for each in read if _is_meant(claimed, each)]
    dated = [each for each in meant if each.year]
    total = sum(each.number for each in dated) * tonne

    def same(number: float) -> bool:
        theirs = replace(figure, low=number, high=number, bound=Bound.EXACT, step=0.0)
        near = figure.bound is Bound.AT_LEAST or abs(number - figure.value) <= _ROUNDED * number
        return near and compare(figure, theirs) is Relation.SAME

    def readings(code: str, entries: Sequence[_Entry], stance: Stance) -> list[tuple[RegisterRow, FigureReading]]:
        terms, added = " + ".join(each.shown for each in entries), f"{sum(each.number for each in entries):,.0f}"
        columns = ("proponent",) if kind == "issued" else ("beneficiary", "account", "proponent")
        holders = (next(filter(None, map(each.row.value, columns)), "") for each in entries)
        whose = ", ".join(dict.fromkeys(filter(None, holders))) or "–"
        why = claimed.reason(code, terms=terms, total=added, scope=whose)
        return [(each.row, FigureReading(stance, SURE, why, each.row.fields[each.column])) for each in entries]

    most = figure.bound is Bound.AT_MOST
    is_known = figure.bound is Bound.AT_LEAST or len(rows) < Query.model_fields["limit"].default
    if dated and is_known and not most and same(total):
        return readings("register_sum", dated, Stance.SUPPORTS)
    if most or phrase_table("registered")["whole"].search(claimed.sentence):
        over = claimed.year and total > figure.high + figure.step and not same(total)
        return readings("register_sum", dated, Stance.CONTRADICTS) if over else []
    if equal := [each for each in meant if each.number * tonne == figure.value and same(each.number * tonne)]:
        return readings("register_sum", equal[:1], Stance.SUPPORTS)
    apart = [each for each in read if each not in meant and same(each.number * tonne)]
    return [one for each in apart for one in readings("credits_apart", [each], Stance.NEUTRAL)]


def _entry(row: RegisterRow, kind: str) -> _Entry | None:
    """Return the number of a row of this kind of transaction. A row without a kind is that of a project."""
    words = phrase_table("registered")
    form = next((str(hit.details.get("form", "")) for hit in row.witness.hits), "")
    column, day = "quantity", "date"
    if not row.value(column):
        column, day = kind, "date" if kind == "issued" else ""
    elif kind == "issued" and row.value("issued"):
        day = "issued"
    else:
        each = (
            [name for name in CREDITS.values() if words[name].search(text)]
            for text in (row.fields.get("transaction", ""), row.fields.get("date", ""), form)
        )
        if next((kinds for kinds in each if len(kinds) == 1), []) != [kind]:
            return None
    number = next((each.value for each in quantities(f"{row.value(column)} credits")), 0.0)
    return _Entry(row, number, column, row.value(day)) if number > 0 and row.span(column) else None


def _is_meant(claimed: ClaimedFigure, entry: _Entry) -> bool:
    """Return True if an entry has the year, project, vintage, scheme, kind of project and places of the claim."""
    row, text = entry.row, claimed.sentence
    projects = {number for each in PROJECT.finditer(text) for number in (each[2], each[1] + each[2])}
    # A project's total is compared with a claim on that project without a year.
    if entry.year not in (claimed.year, 0 if claimed.year else entry.year) or (
        not entry.year and (YEAR.search(text) or not projects)
    ):
        return False
    source, vintages = row.witness.source, VINTAGE.findall(text)
    words = f"{source.title} {source.publisher} {row.witness.text}".casefold()
    schemes = [each.standard for each in named_standards(text) if each.standard.kind == "offset"]
    names = [(each.name, *each.spellings, *each.marks) for each in schemes if each.family]
    kinds = [each for each in phrase_table("project_types").values() if each.search(text)]
    placed = phrase_table("registered")["greenhouse"].sub("", PROJECT.sub("", text))
    places = [each.rsplit(maxsplit=1)[-1] for each in PART.findall(placed)]
    return (
        (not projects or row.value("id").upper() in projects)
        and vintages in ([], [row.value("vintage")[:4]])
        and all(any(name.casefold() in words for name in each) for each in names)
        and all(each.search(words) for each in kinds)
        and all(each.casefold() in words for each in places)
    )


def _is_of(claimed: ClaimedFigure, row: RegisterRow, kind: str) -> bool:
    """Return True if credits are the company's, or are of a project that the claim names and nobody else's."""
    names = [company_name(each) for each in (claimed.company, str(row.witness.registered_as.get("name", ""))) if each]
    project = PROJECT.search(claimed.sentence) is not None

    def mine(column: str) -> bool:
        return bool(row.value(column)) and any(each.is_of(company_name(row.value(column))) for each in names)

    if kind == "issued":
        return project or mine("proponent")
    if not (beneficiary := row.value("beneficiary")):
        return mine("account") or (project and not row.value("account"))
    named = f" {company_name(beneficiary).core} " in f" {company_name(claimed.sentence).core} "
    return mine("beneficiary") or (named and mine("account"))
