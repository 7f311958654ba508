"""Checks of a claim's figures by rows of registers: figures of accounts, and estimates of assets by others.

A figure is compared only with a row of the same company, measure, year and unit, and only if the claim is about the
whole company. A difference of less than a tenth may be another definition of the measure and decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from inquest.claims.report.company import name_masked
from inquest.desks.academic.terms import phrase_table, reason
from inquest.desks.academic.validation import Ruling, TechnicalClaim, by_evidence, conclude, witness_references
from inquest.desks.academic.witnesses import REGISTERS, AcademicEvidence, RegisterRow, bearing_of, quoted_rows, row_of
from inquest.domain.finding import Stance
from inquest.domain.reasons import Reason
from inquest.entailment.bases import scopes_named
from inquest.entailment.changes import is_change
from inquest.kit.desk import FindingDraft
from inquest.kit.rows import in_year
from inquest.text.company_names import LEGAL_WORDS, company_name
from inquest.text.quantities import Dimension, Quantity, Relation, compare, quantities
from inquest.text.regex import regex
from inquest.text.sentences import Span, content_words, sentences
from inquest.text.units import EMISSIONS, Measure, measures_named
from inquest.text.vocabulary import is_negated, negations, poles

ECHO = ("echo", "echo_water")
_OF_FIGURES = REGISTERS.keys() - {"sbti", "offsets"}
VIOLATIONS, PENALTIES, RELEASES = "violations", "penalties", "releases"
_OF_SITES = {PENALTIES: Dimension.MONEY, VIOLATIONS: Dimension.COUNT, RELEASES: Dimension.MASS}
_NONE = quantities("0 violations")[0]
_RELEASED = "on-site releases of "
_YEAR = regex(r"(?<![\d.,-])(?:FY\s?)?((?:19|20)\d\d)(?![\d])")
_PART = regex(
    r"\b(?:in|from|at|of|for)\s+(?:the\s+)?(?!FY|Xqx|[A-Z]{3}\s?\d|January|February|March|April|May|June|July|August|"
    r"September|October|November|December)[A-Z]\w+"
)
"""A name, other than the company's, of a place or part that limits a figure."""
_NEAR, _SURE = 0.1, 0.8
_ESTIMATE_NEAR, _ESTIMATE_FAR, _ESTIMATE_AGREES, _ESTIMATE_DIFFERS = 1 / 3, 2.0, 0.45, 0.5
"""An estimate within a third agrees, one that differs by this factor deviates; neither confidence decides a verdict."""
_FULL_YEAR = (11, 13)
"""Months."""


class ClaimedFigure(NamedTuple):
    """A figure of a claim with its measure and year; the year is 0 for a count or sum without a year."""

    measure: Measure
    figure: Quantity
    year: int
    sentence: str
    company: str = ""


class _Read(NamedTuple):
    stance: Stance
    confidence: float
    why: Reason
    quote: str = ""
    """The field that decides, if the row's fields are not one passage."""


def claimed_figures(text: str, company: str, year: int | None) -> tuple[ClaimedFigure, ...]:
    """Return the figures of a claim that registers may have, at most one of a sentence. A sentence with two measures,
    figures or years, or about a part of the company, is ambiguous. `year`: the default."""
    found, words = [], phrase_table("registered")
    for span in sentences(text):
        sentence = name_masked(span.of(text), company)
        named, years = measures_named(sentence), {int(each) for each in _YEAR.findall(sentence)}
        if len(years) > 1 or words["other"].search(sentence):
            continue
        when = years.pop() if years else year
        if (of_site := _of_site(sentence, named, when)) is not None:
            found.append(of_site._replace(company=company))
        elif len(named) == 1 and when is not None:
            kind = Dimension.MASS if named[0].name == EMISSIONS else Dimension.MONEY
            if len(figures := _figures(sentence, kind)) == 1:
                after = sentence[figures[0].span.end :]
                if kind is not Dimension.MASS or not after.startswith(" of ") or words["greenhouse"].search(after):
                    found.append(ClaimedFigure(named[0], figures[0], when, sentence, company))
    return tuple(found)


def _figures(sentence: str, kind: Dimension) -> list[Quantity]:
    return [each for each in quantities(sentence) if each.dimension is kind and not is_change(sentence, each)]


def _of_site(sentence: str, named: Sequence[Measure], year: int | None) -> ClaimedFigure | None:
    """Return a figure of the measures in registers of sites; greenhouse gases are not a release of a chemical."""
    words = phrase_table("registered")
    if any(each.name != EMISSIONS for each in named):
        return None
    for name, kind in _OF_SITES.items():
        if (match := words[name].search(sentence)) is None:
            continue
        figures, measure = _figures(sentence, kind), Measure(name, words[name])
        if name == RELEASES:
            figures = [each for each in figures if each.text.endswith(" of")]
            if len(figures) != 1 or year is None or words["greenhouse"].match(sentence, figures[0].span.end + 1):
                continue
            return ClaimedFigure(measure, figures[0], year, sentence)
        if not words["environmental"].search(sentence):
            continue
        figures = [each for each in figures if kind is Dimension.MONEY or match.re.search(each.unit)]
        if is_negated(Span(*match.span()), negations(sentence)) and not figures:
            figures = [_NONE]
        if len(figures) == 1:
            return ClaimedFigure(measure, figures[0], int(max(_YEAR.findall(sentence), default=0)), sentence)
    return None


def with_figures(claim: TechnicalClaim, witnesses: Sequence[AcademicEvidence]) -> tuple[AcademicEvidence, ...]:
    """Return the witnesses; rows of figures get the stance that follows from their columns."""
    every = {id(each): row for each in witnesses if (row := row_of(each)) is not None and row.register in _OF_FIGURES}
    figures = claimed_figures(claim.text, claim.company, claim.report_year)
    rows = [row for row in every.values() if row.register != "gleif" and _is_of(claim, row, every.values())]
    read = {id(row.witness): each for figure in figures for row, each in _judged(figure, rows)}

    def with_stance(each: AcademicEvidence, row: RegisterRow, read: _Read | None) -> AcademicEvidence:
        quote = (read.quote if read else "") or "; ".join(row.fields.values())
        start = each.text.find(quote)
        if read is None or start < 0 or read.stance is Stance.NEUTRAL:
            return each.without_stance()
        return each.with_reading(read.stance, read.confidence, Span(start, start + len(quote)), read.why)

    return tuple(with_stance(e, every[id(e)], read.get(id(e))) if id(e) in every else e for e in witnesses)


def figure_validation(claim: TechnicalClaim, witnesses: Sequence[AcademicEvidence]) -> FindingDraft:
    """Compare the claim's figures with the registers' rows, each with company, period, unit and scope."""
    figures = claimed_figures(claim.text, claim.company, claim.report_year)
    mine = [each for each in witnesses if (row := row_of(each)) is not None and row.register in _OF_FIGURES]
    speaking = [each for each in mine if each.stance.decides]
    bearing = bearing_of(speaking)
    rows = [row for row in map(row_of, speaking or mine) if row is not None]
    missing = [why for name, why in claim.unregistered.items() if name in _OF_FIGURES and not speaking]
    ruling = by_evidence(bearing, Ruling(Stance.NEUTRAL, 0.3, reason("no_row_of_figure" if figures else "no_reported")))
    computed = list(dict.fromkeys(each.reasons[0] for each in speaking if each.reasons))
    return conclude(
        "registered_figure",
        ruling,
        bearing,
        summary=(*(code for each in speaking for code in each.reason_codes[:1]), ruling.why, *missing),
        references=witness_references(speaking),
        reasons=(*quoted_rows(rows), *missing),
        figures=[{"measure": each.measure.name, "figure": each.figure.text, "year": each.year} for each in figures],
        rows=rows,
        computation=computed,
    )


def _is_of(claim: TechnicalClaim, row: RegisterRow, every: Iterable[RegisterRow]) -> bool:
    """Return True if a row is the company's, by its name or by another that GLEIF has for the same LEI or name.

    A facility's name must contain the company's; an installation or permit must be named in the claim.
    """
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


def _judged(claimed: ClaimedFigure, rows: Sequence[RegisterRow]) -> list[tuple[RegisterRow, _Read]]:
    """Compare a figure with the rows of its measure and year; rows of two companies of one name decide nothing."""
    if claimed.measure.name in (VIOLATIONS, PENALTIES):
        return _counted(claimed, [row for row in rows if row.register in ECHO])
    every = [_of_year(row, claimed.year) for row in rows]
    meant = [row for row in every if _measure(row, claimed) == claimed.measure.name]
    if claimed.measure.name in (EMISSIONS, RELEASES):
        dated = [row for row in meant if row.value("period")[:4] == str(claimed.year)]
        # An installation's only name is compared before; an asset's has words besides the company's.
        named = [row for row in dated if row.register == "eutl" or _names_asset(claimed, row)]
        alone = [row for row in named if sum(each.register == row.register for each in named) == 1]
        estimates = [(row, _estimated(claimed, row)) for row in alone if row.register == "climate_trace"]
        sites = [(row, read) for row in alone if row.register != "climate_trace" for read in _read(claimed, row)]
        return [*estimates, *sites] if scopes_named(claimed.sentence) <= {"1"} else []
    meant = [row for row in meant if _is_year(row.value("period"), str(claimed.year))]
    for register in {row.register for row in meant}:
        if len({row.value("number") for row in meant if row.register == register}) > 1:
            return []
    found = [(row, read) for row in meant for read in _read(claimed, row)]
    # Next to a row with the same figure, another for that year is an older filing or uses another definition.
    if same := [(row, read) for row, read in found if read.stance is Stance.SUPPORTS]:
        return same
    return [] if _PART.search(claimed.sentence) or len(found) != len(meant) else found


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


def _read(claimed: ClaimedFigure, row: RegisterRow) -> Iterator[_Read]:
    """Compare a figure with a reported or verified one; nothing if they are near each other, not comparable or of
    opposite signs: a loss may be written either way, and a negative emission marks a year without a figure."""
    theirs, quote = _value(row), row.fields.get(f"verified {claimed.year}", "")
    alike = theirs is not None and theirs.value * claimed.figure.value >= 0
    relation = compare(claimed.figure, theirs).relation if theirs is not None and alike else Relation.NOT_COMPARABLE
    far = theirs is not None and abs(claimed.figure.value - theirs.value) > _NEAR * abs(theirs.value)
    if relation is Relation.SAME and theirs is not None and not (quote and _moves_otherwise(claimed, row, theirs)):
        yield _Read(Stance.SUPPORTS, _SURE, _line("figure_same", claimed, row), quote)
    elif relation is Relation.DIFFERS and far:
        yield _Read(Stance.CONTRADICTS, _SURE, _line("figure_differs", claimed, row), quote)


def _moves_otherwise(claimed: ClaimedFigure, row: RegisterRow, theirs: Quantity) -> bool:
    """Return True if a claim has a rise or fall to its figure and an installation's row does not, from year to year."""
    before = next(iter(quantities(f"{row.value(f'verified {claimed.year - 1}')} t")), theirs)
    signs = {pole.sign for pole in poles(claimed.sentence) if pole.axis == "amount"}
    return any(sign * (theirs.value - before.value) <= 0 for sign in signs)


def _counted(claimed: ClaimedFigure, rows: Sequence[RegisterRow]) -> list[tuple[RegisterRow, _Read]]:
    """Compare a count with the sum for the company's facilities, or for those that the claim names. The register counts
    over years up to today, so a claim on one year is compared only with dated samples and penalties."""
    stated, name = set(content_words(claimed.sentence)), claimed.measure.name
    dated = [row for row in rows if row.value("violation") and name == VIOLATIONS]
    if samples := [row for row in dated if not claimed.year or row.value("period")[:4] == str(claimed.year)]:
        columns = ("number", "measure", "value", "limit", "period", "violation")
        exceeded = [(row, reason("sample_exceeds", **{each: row.value(each) for each in columns})) for row in samples]
        return [] if claimed.figure.high else [(row, _Read(Stance.CONTRADICTS, _SURE, why)) for row, why in exceeded]
    counted = [(row, found[0]) for row in rows if (found := quantities(row.value(name)))]
    own = set(content_words(f"{claimed.company} {' '.join(LEGAL_WORDS)}"))
    sites = [(set(content_words(row.value("company"))) - own, row, each) for row, each in counted]
    here = [(row, each) for words, row, each in sites if words and words <= stated]
    laws = phrase_table("registered")["environmental"]
    if not here and _PART.search(laws.sub("", claimed.sentence)):
        here = [(row, each) for row, each in counted if set(content_words(row.value("city"))) & stated]
    elif not here:
        here = counted
    if claimed.year:
        here = [(row, each) for row, each in here if name == PENALTIES and str(claimed.year) in row.value("penalised")]
    total = sum(each.value for _, each in here)
    terms = " + ".join(f"{row.value(name)} ({row.value('company')})" for row, _ in here)
    data = {"measure": name, "figure": claimed.figure.text, "terms": terms, "total": f"{total:g}"}
    why = reason("register_sum", **data, scope=here[0][0].value("scope") if here else "")
    read = _Read(Stance.CONTRADICTS, _SURE, why)
    if abs(total - claimed.figure.value) <= claimed.figure.step:
        # The register covers one of several laws, and only recent years.
        read = _Read(Stance.SUPPORTS, _SURE if total else _ESTIMATE_AGREES, why)
    elif claimed.figure.high:
        return []
    return [(row, read) for row, each in here if each.value or not total]


def _estimated(claimed: ClaimedFigure, row: RegisterRow) -> _Read:
    theirs = _value(row)
    ratio = claimed.figure.value / theirs.value if theirs is not None and theirs.value > 0 else 0.0
    if abs(ratio - 1) <= _ESTIMATE_NEAR or (theirs and compare(claimed.figure, theirs).relation is Relation.SAME):
        return _Read(Stance.SUPPORTS, _ESTIMATE_AGREES, _line("estimate_agrees", claimed, row))
    if ratio and not 1 / _ESTIMATE_FAR < ratio < _ESTIMATE_FAR:
        return _Read(Stance.CONTRADICTS, _ESTIMATE_DIFFERS, _line("estimate_differs", claimed, row))
    return _Read(Stance.NEUTRAL, 0.3, _line("estimate_undecided", claimed, row))


def _names_asset(claimed: ClaimedFigure, row: RegisterRow) -> bool:
    """Return True if the claim has every word of the asset's name except those of the company's name."""
    words = set(content_words(row.value("asset"))) - set(content_words(row.value("company")))
    return bool(words) and words <= set(content_words(claimed.sentence))


def _is_year(period: str, year: str) -> bool:
    """Return True if a row's period is a day or a full year that may be called that year."""
    begins, _, ends = period.rpartition("/")
    months = (int(ends[:4]) - int(begins[:4])) * 12 + int(ends[5:7]) - int(begins[5:7]) + 1 if begins else 12
    return in_year(ends, year) and _FULL_YEAR[0] <= months <= _FULL_YEAR[1]


def _value(row: RegisterRow) -> Quantity | None:
    return next(iter(quantities(row.value("value"))), None)


def _line(name: str, claimed: ClaimedFigure, row: RegisterRow) -> Reason:
    stated = {"figure": claimed.figure.text, "measure": claimed.measure.name, "year": str(claimed.year)}
    of = ", ".join(filter(None, (row.value("company"), row.value("asset"))))
    return reason(name, **stated, of=of, **{each: row.value(each) for each in ("value", "period", "scope")})
