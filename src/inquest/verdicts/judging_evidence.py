"""Evidence on a claim for the judge: witnesses and checks, separately, with what reduces their weight.

Witnesses are passages of pages. Checks are computed by a desk from the claim and a published rule, or summed up from
witnesses: they qualify a verdict and never vote. A desk's summaries and outages are neither.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from inquest.claims.claim_detection import PLANS
from inquest.claims.own_pages import is_filing, is_own_word
from inquest.claims.report.company import in_company_name, name_masked, named_in
from inquest.domain.check import Subject
from inquest.domain.claim import Claim, ClaimType
from inquest.domain.finding import WITNESSES, ContradictionType, Finding, Stance
from inquest.domain.reading import Speaker, SpeakerKind
from inquest.domain.source import Source
from inquest.domain.value import JsonObject
from inquest.text.moments import moments
from inquest.text.regex import regex
from inquest.verdicts.judging_checks import KINDS, standing_checks
from inquest.verdicts.testimony import as_testimony
from inquest.verdicts.votes import Vote, votes

CHECKS = KINDS
"""Evidence types of the academic desk's checks (spec 002, 10.1), those that rest on a fixed rule first."""
_GENERAL = 0.7
"""Factor on the confidence of evidence about the subject in general that does not name the company."""
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
_PER_YEAR, _LEAST_FACTOR = 0.9, 0.65
"""Factor per year by which evidence is older than the claim's period, and its minimum."""


class Period(NamedTuple):
    """The year of a claim's result: None for a claim about the future, or if no year is known."""

    year: int | None
    named: bool
    """True if the claim names the year; False if it is the report's."""


@dataclass(frozen=True)
class ClaimEvidence:
    """The evidence on one claim, ready to be weighed."""

    witnesses: tuple[Finding, ...]
    """With confidence reduced for age and generality; the company's own pages are marked as party statements."""
    checks: tuple[Finding, ...]
    """The checks that count (`standing_checks`), in the order of `CHECKS`."""
    too_old: tuple[Finding, ...]
    """Support from before the year whose result the claim gives."""
    aged: tuple[str, ...]
    """Ids of witnesses that weigh less because of their age."""
    general: tuple[Finding, ...]
    """Literature that supports the claim in general without naming the company: no evidence of what the company did."""
    cast: tuple[Vote, ...]
    period: Period
    outages: int
    """Findings that record a search that failed."""


def evidence_on(
    claim: Claim, findings: Sequence[Finding], sources: Mapping[str, Source], subject: Subject
) -> ClaimEvidence:
    """Return the evidence on the claim, without findings in the report itself. The order does not matter."""
    own = sorted({each.id: each for each in findings if each.claim_id == claim.id}.values(), key=lambda each: each.id)
    period = period_of(claim, subject.report_year, subject.now.year)
    witnesses: list[Finding] = []
    too_old: list[Finding] = []
    general: list[Finding] = []
    aged: list[str] = []
    general_against: list[str] = []
    for finding in own:
        source = sources.get(finding.source_id)
        if finding.evidence_type not in WITNESSES or source is None or source.id == subject.report_source:
            continue
        if not source.excluded and cannot_confirm(period, finding, source):
            too_old.append(finding)
            continue
        is_general = _is_general(claim, finding, source, subject.company)
        if is_general and finding.stance is Stance.SUPPORTS:
            general.append(finding)
            continue
        factor = age_factor(period, finding, source)
        if factor < 1:
            aged.append(finding.id)
        if is_general:
            kind = finding.contradiction_type
            if finding.stance is Stance.CONTRADICTS:
                general_against.append(finding.id)
                kind = ContradictionType.CONTEXTUAL if kind in (None, ContradictionType.DIRECT) else kind
            lower = {"contradiction_type": kind, "confidence": finding.confidence * _GENERAL}
            finding = finding.model_copy(update=lower)
        witnesses.append(_marked(finding, factor, source, subject, claim))
    if general and general_against:
        # Literature in general that is on both sides shows nothing about the company.
        witnesses = [each for each in witnesses if each.id not in general_against]
        general = []
    return ClaimEvidence(
        witnesses=tuple(witnesses),
        checks=standing_checks(
            [each for each in own if each.evidence_type in CHECKS and _counts(each, sources, subject.report_source)]
        ),
        too_old=tuple(too_old),
        aged=tuple(aged),
        general=tuple(general),
        cast=votes(witnesses, sources, about=claim.text),
        period=period,
        outages=sum(each.evidence_type == "error" for each in own),
    )


def _is_general(claim: Claim, finding: Finding, source: Source, company: str) -> bool:
    """True for literature on the subject in general if the claim names the company."""
    if finding.evidence_type != "academic_source" or not company:
        return False
    if not named_in(company, in_company_name(claim.text, company)):
        return False
    around = " ".join((finding.quote, finding.summary, source.title, source.summary, *source.key_claims))
    return not named_in(company, around)


def _marked(finding: Finding, factor: float, source: Source, subject: Subject, claim: Claim) -> Finding:
    update: dict[str, object] = {}
    if factor < 1:
        update["confidence"] = finding.confidence * factor
    testimony = as_testimony(finding)
    filed = is_filing(source, subject.company)
    if (filed or _is_own_page(source, subject)) and not testimony.against_self:
        speaker = Speaker(kind=SpeakerKind.PARTY, name=subject.company)
        marks: JsonObject = {"speaker": speaker.model_dump(mode="json"), "company_own_word": True}
        if filed and finding.stance is Stance.CONTRADICTS:
            # A filing that contradicts the company's other statements is a statement against itself.
            marks["against_self"] = True
        update["details"] = {**finding.details, **marks}
    elif (
        testimony.kind is SpeakerKind.PARTY
        and not testimony.name
        and source.rating.known
        and not named_in(source.publisher or "", claim.text)
    ):
        # The 'we' of a known publisher is not the company: an auditor's 'nothing came to our attention'.
        update["details"] = {name: value for name, value in finding.details.items() if name != "speaker"}
    return finding.model_copy(update=update) if update else finding


def _is_own_page(source: Source, subject: Subject) -> bool:
    """True for a page of the company itself. A release on a distributor's site is a party statement anyway, and the
    site does not show whose it is."""
    if source.rating.press_release and not {source.domain, source.rating.domain} & set(subject.own_domains):
        return False
    return is_own_word(source, subject.company, subject.own_domains)


def _counts(finding: Finding, sources: Mapping[str, Source], report: str) -> bool:
    """True unless the check rests on an excluded page; the claim's own words in the report always count."""
    source = sources.get(finding.source_id)
    return finding.source_id == report or source is None or not source.excluded


def period_of(claim: Claim, report_year: int | None, now_year: int) -> Period:
    """Return the latest year that the claim names, ignoring base years and future years; else the report's.

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
    return max(_LEAST_FACTOR, (_OLD_RESULT if period.named else 1.0) * _PER_YEAR ** (years - 1))


def _years_before(period: Period, source: Source) -> int:
    """Return how many years the source is older than the period; 0 if either is unknown."""
    return period.year - source.published.latest.year if period.year and source.published else 0
