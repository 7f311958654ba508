"""Checks of a claim's figures by rows of registers: figures of accounts, and estimates of assets by others.

A figure is compared only with a row of the same company, measure, year and unit, and only if the claim is about the
whole company. A difference of less than a tenth may be another definition of the measure and decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from inquest.desks.academic.claimed_figures import (
    CREDITS,
    PART,
    PENALTIES,
    RELEASES,
    SURE,
    VIOLATIONS,
    ClaimedFigure,
    FigureReading,
    claimed_figures,
)
from inquest.desks.academic.credits import credited
from inquest.desks.academic.terms import phrase_table, reason
from inquest.desks.academic.validation import Ruling, TechnicalClaim, by_evidence, conclude, witness_references
from inquest.desks.academic.witnesses import REGISTERS, AcademicEvidence, RegisterRow, bearing_of, quoted_rows, row_of
from inquest.domain.finding import Stance
from inquest.domain.reasons import Reason, in_words
from inquest.entailment.bases import scopes_named
from inquest.kit.desk import FindingDraft
from inquest.kit.rows import in_year
from inquest.text.company_names import LEGAL_WORDS, company_name
from inquest.text.quantities import Quantity, Relation, compare, quantities
from inquest.text.sentences import Span, content_words
from inquest.text.units import EMISSIONS
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
        return True  # `credited` compares the holder of its kind of transaction.
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
        return credited(claimed, [row for row in rows if row.register == "offsets"])
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
