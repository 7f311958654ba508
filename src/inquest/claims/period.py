"""The period of a company's claim, by which evidence is found too old for it."""

from __future__ import annotations

import re
from typing import NamedTuple

from inquest.claims.claim_detection import PLANS
from inquest.claims.report.company import name_masked
from inquest.domain.claim import Claim, ClaimType
from inquest.domain.finding import ContradictionType, Finding, Stance
from inquest.domain.source import Source
from inquest.text.moments import moments
from inquest.text.regex import regex

_I = re.IGNORECASE
_BASE_BEFORE = regex(
    r"\b(?:from|since|versus|vs\.?|against|compared\s+(?:to|with)|relative\s+to|below|over|than\s+in|on|base(?:line)?(?:\s+year)?(?:\s+of)?)"
    r"\s+(?:(?:a|an|the|its|our|fy|fiscal\s+year|base(?:line)?(?:\s+year)?|reference(?:\s+year)?|levels?\s+(?:of|in))\s+)*\W?$",
    _I,
)
_BASE_AFTER = regex(r"^\W?\s?(?:base(?:line)?\b|levels?\b|reference\b|emissions\s+level)", _I)
_BY = regex(r"\b(?:by|until)\s+(?:the\s+(?:end|beginning)\s+of\s+)?20\d\d\b", _I)
_OLD_RESULT = 0.7
"""Factor for a contradiction published before the year that the claim names."""
_PER_YEAR, _LEAST = 0.9, 0.65
"""Factor per year by which evidence is older than the claim's period, and its minimum."""


class Period(NamedTuple):
    """The year of a claim's result: None for a claim about the future, or if no year is known."""

    year: int | None
    named: bool
    """True if the claim names the year; False if it is the report's."""


def period_of(claim: Claim, report_year: int | None, now_year: int) -> Period:
    """Return the latest year that the claim names, base years and future years aside; else the report's.

    A claim about an aim has no period, because evidence of an announcement does not age.
    """
    named, ahead = [], False
    for moment in moments(claim.text):
        year = moment.end.year
        before, after = claim.text[: moment.span.start], claim.text[moment.span.end :]
        if year > now_year:
            ahead = True
        elif not (_BASE_BEFORE.search(before) or _BASE_AFTER.match(after)):
            named.append(year)
    aimed = bool(PLANS.search(name_masked(claim.text, claim.company)))
    if ahead or (aimed and (not named or (claim.type is ClaimType.STRATEGIC and _BY.search(claim.text)))):
        return Period(None, False)
    if named:
        return Period(max(named), True)
    return Period(report_year, False)


def cannot_confirm(period: Period, finding: Finding, source: Source) -> bool:
    """Return True if a supporting source was published before the year whose result the claim states."""
    return period.named and finding.stance is Stance.SUPPORTS and _years_before(period, source) > 0


def age_factor(period: Period, finding: Finding, source: Source) -> float:
    """Return the factor, 0.65 to 1, by which the source's age lowers a finding's confidence; 1 without date or period.

    A contradiction of the timeline does not age: that a date will be missed is usually known beforehand.
    """
    years = _years_before(period, source)
    if years <= 0 or finding.contradiction_type is ContradictionType.TIMELINE:
        return 1.0
    # Last year's report still describes this year well, so the first year is free.
    return max(_LEAST, (_OLD_RESULT if period.named else 1.0) * _PER_YEAR ** (years - 1))


def _years_before(period: Period, source: Source) -> int:
    """Return how many years the source is older than the period; 0 if either is unknown."""
    return period.year - source.published.latest.year if period.year and source.published else 0
