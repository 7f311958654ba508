"""Figures of claims that registers may have, each with its measure and year."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from inquest.claims.report.company import name_masked
from inquest.desks.academic.terms import phrase_table, reason
from inquest.domain.finding import Stance
from inquest.domain.reasons import Reason
from inquest.entailment.changes import is_change
from inquest.text.quantities import Dimension, Quantity, quantities
from inquest.text.regex import regex
from inquest.text.sentences import Span, sentences
from inquest.text.units import EMISSIONS, Measure, measures_named
from inquest.text.vocabulary import is_negated, negations

VIOLATIONS, PENALTIES, RELEASES = "violations", "penalties", "releases"
_OF_SITES = {PENALTIES: Dimension.MONEY, VIOLATIONS: Dimension.COUNT, RELEASES: Dimension.MASS}
CREDITS = {f"credits {each}": each for each in ("retired", "issued", "cancelled")}
"""Measures of carbon credits, each with its kind of transaction."""
SURE = 0.8
_NONE = quantities("0 violations")[0]
PROJECT = regex(r"\b(VCS|ACR|CAR|ART|GS)[ -]?(\d{2,6})\b")
YEAR = regex(r"(?<![\d.,-])(?:FY\s?)?((?:19|20)\d\d)(?![\d])")
VINTAGE = regex(r"\bvintages? (?:of |year )?((?:19|20)\d\d)\b")
_FOR_YEAR = regex(r"\bfor (?:(?:the|its|our|their) )?(?:\w+ )?(?:year )?(?:FY ?)?(?:19|20)\d\d\b")
"""The year for which credits are used, which need not be that of their retirement."""
PART = regex(
    r"\b(?:in|from|at|of|for)\s+(?:the\s+)?(?!FY|Xqx|[A-Z]{3}\s?\d|January|February|March|April|May|June|July|August|"
    r"September|October|November|December)[A-Z]\w+"
)
"""A name, other than the company's, of a place or part that limits a figure."""


class ClaimedFigure(NamedTuple):
    """A figure of a claim with its measure and year; the year is 0 for a count or sum without a year."""

    measure: Measure
    figure: Quantity
    year: int
    sentence: str
    company: str = ""

    def reason(self, code: str, **data: str) -> Reason:
        """Return the reason of a comparison with `data` of a register."""
        return reason(code, figure=self.figure.text, measure=self.measure.name, **data)


class FigureReading(NamedTuple):
    """The stance of a row on a figure, with the computation."""

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
        named, years = measures_named(sentence), {int(each) for each in YEAR.findall(sentence)}
        if (of_credits := _of_credits(sentence, year)) is not None:
            found.append(of_credits)
        if of_credits or len(years) > 1 or words["other"].search(sentence):
            continue
        when = years.pop() if years else year
        if (of_site := _of_site(sentence, named, when)) is not None:
            found.append(of_site)
        elif len(named) == 1 and when is not None:
            kind = Dimension.MASS if named[0].name == EMISSIONS else Dimension.MONEY
            if len(figures := _figures(sentence, kind)) == 1:
                after = sentence[figures[0].span.end :]
                if kind is not Dimension.MASS or not after.startswith(" of ") or words["greenhouse"].search(after):
                    found.append(ClaimedFigure(named[0], figures[0], when, sentence))
    return tuple(each._replace(company=company) for each in found)


def _figures(sentence: str, kind: Dimension) -> list[Quantity]:
    return [each for each in quantities(sentence) if each.dimension is kind and not is_change(sentence, each)]


def _of_credits(sentence: str, year: int | None) -> ClaimedFigure | None:
    """Return a number of carbon credits that were retired, issued or cancelled."""
    words = phrase_table("registered")
    kinds = {name: match for name, kind in CREDITS.items() if (match := words[kind].search(sentence))}
    denied = any(is_negated(Span(*each.span()), negations(sentence)) for each in kinds.values())
    if denied or len(kinds) != 1 or words["other"].search(words["credits"].sub("", sentence)):
        return None
    undated = VINTAGE.sub("", PROJECT.sub("", sentence))
    figures = quantities(undated)
    if len(figures) != 1 or is_change(undated, figures[0]) or _FOR_YEAR.search(sentence):
        return None
    years = {int(each) for each in YEAR.findall(undated.replace(figures[0].text, ""))}
    is_mass = figures[0].dimension is Dimension.MASS and words["credits"].search(sentence)
    if len(years) > 1 or not (is_mass or words["credits"].fullmatch(figures[0].unit)):
        return None
    return ClaimedFigure(
        Measure(next(iter(kinds)), words["credits"]), figures[0], max(years, default=year or 0), sentence
    )


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
            return ClaimedFigure(measure, figures[0], int(max(YEAR.findall(sentence), default=0)), sentence)
    return None
