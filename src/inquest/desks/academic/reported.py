"""Checks of a claim's figures by rows of registers: figures of accounts, estimates of assets by others, and carbon
credits.

A figure is compared only with a row of the same company, measure, year and unit, and only if the claim is about the
whole company. A difference of less than a tenth may be another definition of the measure and decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from inquest.desks.academic.claimed_figures import (
    CREDITS,
    PART,
    PENALTIES,
    PROJECT,
    RELEASES,
    SURE,
    VINTAGE,
    VIOLATIONS,
    YEAR,
    ClaimedFigure,
    FigureReading,
    claimed_figures,
)
from inquest.desks.academic.terms import phrase_table, reason
from inquest.desks.academic.validation import Ruling, TechnicalClaim, by_evidence, conclude, witness_references
from inquest.desks.academic.witnesses import REGISTERS, AcademicEvidence, RegisterRow, bearing_of, quoted_rows, row_of
from inquest.domain.finding import Stance
from inquest.domain.reasons import Reason, in_words
from inquest.domain.search import Query
from inquest.entailment.bases import scopes_named
from inquest.kit.desk import FindingDraft
from inquest.kit.rows import in_year
from inquest.sources.standards import named_standards
from inquest.text.company_names import LEGAL_WORDS, company_name
from inquest.text.quantities import Bound, Dimension, Quantity, Relation, compare, quantities
from inquest.text.sentences import Span, content_words
from inquest.text.units import EMISSIONS, UNITS
from inquest.text.vocabulary import poles

ECHO = ("echo", "echo_water")
_OF_FIGURES = REGISTERS.keys() - {"sbti"}
_RELEASED = "on-site releases of "
_NEAR = 0.1
_ESTIMATE_NEAR, _ESTIMATE_FAR = 1 / 3, 2.0
"""An estimate within a third agrees, one that differs by this factor deviates."""
_ESTIMATES = {
    "agrees": (Stance.SUPPORTS, 0.45),
    "differs": (Stance.CONTRADICTS, 0.5),
    "undecided": (Stance.NEUTRAL, 0.3),
}
"""The stance of an estimate, with a confidence that decides no verdict."""
_ROUNDED = 0.05
"""The most by which a rounded number may differ from the entries."""
_FULL_YEAR = (11, 13)
"""Months."""


def with_figures(claim: TechnicalClaim, witnesses: Sequence[AcademicEvidence]) -> tuple[AcademicEvidence, ...]:
    """Return the witnesses; rows of figures get the stance that follows from their columns."""
    every = {id(each): row for each in witnesses if (row := row_of(each)) is not None and row.register in _OF_FIGURES}
    figures = claimed_figures(claim.text, claim.company, claim.report_year)
    rows = [row for row in every.values() if row.register != "gleif" and _is_of(claim, row, every.values())]
    read = {id(row.witness): each for figure in figures for row, each in _judged(figure, rows)}

    def with_stance(each: AcademicEvidence, row: RegisterRow, read: FigureReading | None) -> AcademicEvidence:
        quote = (read.quote if read else "") or "; ".join(row.fields.values())
        start = each.text.find(quote)
        if read is None or start < 0:
            return each.without_stance()
        return each.with_reading(read.stance, read.confidence, Span(start, start + len(quote)), read.why)

    return tuple(with_stance(e, every[id(e)], read.get(id(e))) if id(e) in every else e for e in witnesses)


def figure_validation(claim: TechnicalClaim, witnesses: Sequence[AcademicEvidence]) -> FindingDraft:
    """Compare the claim's figures with the registers' rows, each with company, period, unit and scope."""
    figures = claimed_figures(claim.text, claim.company, claim.report_year)
    asked = {"offsets"} if any(each.measure.name in CREDITS for each in figures) else _OF_FIGURES - {"offsets"}
    mine = [each for each in witnesses if (row := row_of(each)) is not None and row.register in asked]
    speaking = [each for each in mine if each.stance.decides]
    bearing = bearing_of(speaking)
    rows = [row for row in map(row_of, speaking or mine) if row is not None]
    missing = [why for name, why in claim.unregistered.items() if name in asked and not speaking]
    ruling = by_evidence(bearing, Ruling(Stance.NEUTRAL, 0.3, reason("no_row_of_figure" if figures else "no_reported")))
    computed = list(dict.fromkeys(code for each in speaking or mine if each.quote for code in each.reason_codes[:1]))
    return conclude(
        "registered_figure",
        ruling,
        bearing,
        summary=(*computed, ruling.why, *missing),
        references=witness_references(speaking),
        reasons=(*quoted_rows(rows, claim.text), *missing),
        figures=[{"measure": each.measure.name, "figure": each.figure.text, "year": each.year} for each in figures],
        rows=rows,
        computation=[*map(in_words, computed)],
    )


def _is_of(claim: TechnicalClaim, row: RegisterRow, every: Iterable[RegisterRow]) -> bool:
    """Return True if a row is the company's, by its name or by another that GLEIF has for the same LEI or name.

    A facility's name must contain the company's; an installation or permit must be named in the claim.
    """
    if row.register == "offsets":
        return True  # `_credited` compares the holder of its kind of transaction.
    meant, name = company_name(claim.company), company_name(row.value("company"))
    if row.register == "eutl":
        site = f" {name.core} ".replace(f" {meant.core} ", " ").strip() or name.core
        return f" {site} " in f" {company_name(claim.text).core} "
    if row.register in ECHO:
        return f" {meant.core} " in f" {name.core} " if name.core else row.value("number") in claim.text
    if meant.is_of(name):
        return True
    for each in every:
        if each.register != "gleif":
            continue
        former = [part.rpartition(" (")[0] for part in each.value("names").split("), ")]
        names = [company_name(one) for one in (each.value("company"), *former)]
        one = each.value("number") == row.value("number") or any(name.is_of(other) for other in names)
        if one and any(meant.is_of(other) for other in names):
            return True
    return False


def _judged(claimed: ClaimedFigure, rows: Sequence[RegisterRow]) -> list[tuple[RegisterRow, FigureReading]]:
    """Compare a figure with the rows of its measure and year; rows of two companies of one name decide nothing."""
    if claimed.measure.name in (VIOLATIONS, PENALTIES):
        return _counted(claimed, [row for row in rows if row.register in ECHO])
    if claimed.measure.name in CREDITS:
        return _credited(claimed, [row for row in rows if row.register == "offsets"])
    every = [_of_year(row, claimed.year) for row in rows]
    meant = [row for row in every if _measure(row, claimed) == claimed.measure.name]
    if claimed.measure.name in (EMISSIONS, RELEASES):
        dated = [row for row in meant if row.value("period")[:4] == str(claimed.year)]
        # An installation's only name is compared before; an asset's has words besides the company's.
        named = [row for row in dated if row.register == "eutl" or _names_asset(claimed, row)]
        meant = [row for row in named if sum(each.register == row.register for each in named) == 1]
        found = [(row, read) for row in meant if (read := _read(claimed, row)) is not None]
        return found if scopes_named(claimed.sentence) <= {"1"} else []
    meant = [row for row in meant if _is_year(row.value("period"), str(claimed.year))]
    if len({(row.register, row.value("number")) for row in meant}) > len({row.register for row in meant}):
        return []
    found = [(row, read) for row in meant if (read := _read(claimed, row)) is not None]
    # Next to a row with the same figure, another for that year is an older filing or uses another definition.
    if same := [(row, read) for row, read in found if read.stance is Stance.SUPPORTS]:
        return same
    return [] if PART.search(claimed.sentence) or len(found) != len(meant) else found


def _of_year(row: RegisterRow, year: int) -> RegisterRow:
    """Return a row of an installation with its verified emissions of one year as its figure, other rows unchanged."""
    if row.register != "eutl" or not (verified := row.value(f"verified {year}")):
        return row
    given = {"value": f"{verified} t CO2e", "period": f"{year}-01-01/{year}-12-31"}
    given["scope"] = "verified emissions of the whole installation under the EU ETS (Scope 1)"
    return row._replace(fields={**row.fields, **{name: f"{name}: {value}" for name, value in given.items()}})


def _measure(row: RegisterRow, claimed: ClaimedFigure) -> str:
    """Return the measure of a row in the claim's terms, or '' for a chemical that the claim does not name."""
    if row.register == "eutl":
        return EMISSIONS
    released = row.value("measure").removeprefix(_RELEASED)
    if released != row.value("measure"):
        return RELEASES if set(content_words(released)) <= set(content_words(claimed.sentence)) else ""
    return row.value("measure").partition(" (")[0]


def _read(claimed: ClaimedFigure, row: RegisterRow) -> FigureReading | None:
    """Compare a figure with a row's. None for a reported or verified one that is near it, not comparable or of the
    opposite sign: a loss may be written either way, and a negative emission marks a year without a figure."""
    stated, theirs = claimed.figure, next(iter(quantities(row.value("value"))), None)
    relation = compare(stated, theirs) if theirs is not None else Relation.NOT_COMPARABLE
    if row.register == "climate_trace":
        ratio = stated.value / theirs.value if theirs is not None and theirs.value > 0 else 0.0
        differs = ratio and not 1 / _ESTIMATE_FAR < ratio < _ESTIMATE_FAR
        result = "differs" if differs else "undecided"
        if abs(ratio - 1) <= _ESTIMATE_NEAR or relation is Relation.SAME:
            result = "agrees"
        return FigureReading(*_ESTIMATES[result], _line(f"estimate_{result}", claimed, row))
    if theirs is None or theirs.value * stated.value < 0:
        return None
    quote = row.fields.get(f"verified {claimed.year}", "")
    if relation is Relation.SAME and not (quote and _moves_otherwise(claimed, row, theirs)):
        return FigureReading(Stance.SUPPORTS, SURE, _line("figure_same", claimed, row), quote)
    if relation is Relation.DIFFERS and abs(stated.value - theirs.value) > _NEAR * abs(theirs.value):
        return FigureReading(Stance.CONTRADICTS, SURE, _line("figure_differs", claimed, row), quote)
    return None


def _moves_otherwise(claimed: ClaimedFigure, row: RegisterRow, theirs: Quantity) -> bool:
    """Return True if a claim has a rise or fall to its figure and an installation's row does not, from year to year."""
    before = next(iter(quantities(f"{row.value(f'verified {claimed.year - 1}')} t")), theirs)
    signs = {pole.sign for pole in poles(claimed.sentence) if pole.axis == "amount"}
    return any(sign * (theirs.value - before.value) <= 0 for sign in signs)


def _counted(claimed: ClaimedFigure, rows: Sequence[RegisterRow]) -> list[tuple[RegisterRow, FigureReading]]:
    """Compare a count with the sum for the company's facilities, or for those that the claim names. The register counts
    over years up to today, so a claim on one year is compared only with dated samples and penalties."""
    stated, name = set(content_words(claimed.sentence)), claimed.measure.name
    dated = [row for row in rows if row.value("violation") and name == VIOLATIONS]
    if samples := [row for row in dated if not claimed.year or row.value("period")[:4] == str(claimed.year)]:
        columns = ("number", "measure", "value", "limit", "period", "violation")
        whys = [(row, reason("sample_exceeds", **{each: row.value(each) for each in columns})) for row in samples]
        return [] if claimed.figure.high else [(row, FigureReading(Stance.CONTRADICTS, SURE, why)) for row, why in whys]
    counted = [(row, found[0]) for row in rows if (found := quantities(row.value(name)))]
    own = set(content_words(f"{claimed.company} {' '.join(LEGAL_WORDS)}"))
    sites = [(set(content_words(row.value("company"))) - own, row, each) for row, each in counted]
    here = [(row, each) for words, row, each in sites if words and words <= stated]
    laws = phrase_table("registered")["environmental"]
    if not here and PART.search(laws.sub("", claimed.sentence)):
        here = [(row, each) for row, each in counted if set(content_words(row.value("city"))) & stated]
    elif not here:
        here = counted
    if claimed.year:
        here = [(row, each) for row, each in here if name == PENALTIES and str(claimed.year) in row.value("penalised")]
    total = sum(each.value for _, each in here)
    terms = " + ".join(f"{row.value(name)} ({row.value('company')})" for row, _ in here)
    scope = here[0][0].value("scope") if here else ""
    why = claimed.reason("register_sum", terms=terms, total=f"{total:g}", scope=scope)
    read = FigureReading(Stance.CONTRADICTS, SURE, why)
    if abs(total - claimed.figure.value) <= claimed.figure.step:
        # The register covers one of several laws, and only recent years.
        read = FigureReading(Stance.SUPPORTS, SURE if total else _ESTIMATES["agrees"][1], why)
    elif claimed.figure.high:
        return []
    return [(row, read) for row, each in here if each.value or not total]


def _names_asset(claimed: ClaimedFigure, row: RegisterRow) -> bool:
    """Return True if the claim has every word of the asset's name except those of the company's name."""
    words = set(content_words(row.value("asset"))) - set(content_words(row.value("company")))
    return bool(words) and words <= set(content_words(claimed.sentence))


def _is_year(period: str, year: str) -> bool:
    """Return True if a row's period is a day or a full year that may be called that year."""
    begins, _, ends = period.rpartition("/")
    months = (int(ends[:4]) - int(begins[:4])) * 12 + int(ends[5:7]) - int(begins[5:7]) + 1 if begins else 12
    return in_year(ends, year) and _FULL_YEAR[0] <= months <= _FULL_YEAR[1]


def _line(name: str, claimed: ClaimedFigure, row: RegisterRow) -> Reason:
    of = ", ".join(filter(None, (row.value("company"), row.value("asset"))))
    theirs = {each: row.value(each) for each in ("value", "period", "scope")}
    return claimed.reason(name, year=str(claimed.year), of=of, **theirs)


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


def _credited(claimed: ClaimedFigure, rows: Sequence[RegisterRow]) -> list[tuple[RegisterRow, FigureReading]]:
    """Compare a number of credits (of 1 t CO2e each) with the sum of the entries of its kind, year, project and
    vintage, then with each, which must have exactly the number. As entries may be missing, a smaller sum decides
    nothing, nor an equal one of as many rows as a query returns; a greater one only if the claim is about no more than
    its number. An equal entry of another year, project or vintage is only shown."""
    kind, figure = CREDITS[claimed.measure.name], claimed.figure
    tonne = UNITS["t"].factor if figure.dimension is Dimension.MASS else 1.0
    own = [each for row in rows if (each := _entry(row, kind)) is not None and _is_holder(claimed, row, kind)]
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


def _is_holder(claimed: ClaimedFigure, row: RegisterRow, kind: str) -> bool:
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
