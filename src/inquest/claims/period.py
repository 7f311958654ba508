"""The time that a company's claim is about, so that evidence can be found too old for it."""

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
"""What is left of a contradiction that was written before the year it is held against."""
_A_YEAR, _LEAST = 0.9, 0.65
"""What is left for each year by which evidence is older than the claim's period, and at least."""


class Period(NamedTuple):
    """The year that a claim's result is about."""

    year: int | None
    """None: it speaks of the future, or no year is known."""
    named: bool
    """The claim itself names it; False: it is the report's."""


def period_of(claim: Claim, report_year: int | None, now_year: int) -> Period:
    """The latest year that the claim's words name, base years and years to come aside; without one, the report's. A
    claim about what is aimed at has no period: an announcement is as good in any year."""
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
    """Whether the source was published before the year whose result the claim gives, so that it cannot know it."""
    return period.named and finding.stance is Stance.SUPPORTS and _years_before(period, source) > 0


def age_factor(period: Period, finding: Finding, source: Source) -> float:
    """What the source's age leaves of the finding's confidence, 0.65 to 1; 1 where no date or no period is known.

    A contradiction of the timeline keeps all of it: that a date would be missed is mostly known beforehand.
    """
    years = _years_before(period, source)
    if years <= 0 or finding.contradiction_type is ContradictionType.TIMELINE:
        return 1.0
    # A report of one year tells much of the year before: only what is older still has aged.
    return max(_LEAST, (_OLD_RESULT if period.named else 1.0) * _A_YEAR ** (years - 1))


def _years_before(period: Period, source: Source) -> int:
    """By how many years the source is older than the period; 0 where one of them is not known."""
    return period.year - source.published.latest.year if period.year and source.published else 0
