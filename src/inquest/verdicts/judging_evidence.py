"""Evidence on a claim for the judge: witnesses and checks, separately, with what reduces their weight.

Witnesses are passages of pages. Checks are computed by a desk from the claim and a published rule, or summed up from
witnesses: they qualify a verdict and never vote, verify or contradict. A failed check lowers 'verified' to 'partially
true', and adds to the witnesses that contradict the claim. A desk's summaries and outages are neither.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from inquest.claims.claim_detection import PLANS
from inquest.claims.report.company import in_company_name, is_filing, is_own_word, name_masked, named_in
from inquest.domain.check import Subject
from inquest.domain.claim import Claim, ClaimType
from inquest.domain.finding import (
    WITNESSES,
    Assessment,
    ContradictionType,
    Finding,
    Speaker,
    SpeakerKind,
    Stance,
    Verdict,
)
from inquest.domain.reasons import Reason, sentences
from inquest.domain.source import Source
from inquest.domain.value import JsonObject
from inquest.text.moments import moments
from inquest.text.phrases import ended
from inquest.text.regex import regex
from inquest.text.sentences import shorten
from inquest.verdicts.testimony import as_testimony
from inquest.verdicts.votes import Vote, votes
from inquest.verdicts.weighing_reasons import reason, reasoned

CHECKS = (
    "sbti_validation",
    "certification_validation",
    "methodology_validation",
    "benchmark_comparison",
    "research_support",
    "registered_figure",
)
"""Evidence types of the academic desk's checks (spec 002, 10.1), those that rest on a fixed rule first."""
_OF_WITNESSES = "academic.judged_passages"
"""The reason of a check that rests on passages which were judged on the claim."""
_SURE = 0.5
_LOWERED = 0.8
"""Factor on the confidence of a verdict that a failed check lowers."""
_ADDED, _ADDED_AT_MOST = 0.03, 0.06
_EVIDENCE = ("finding_sources", "register_rows")
_SUMMARY = 320
"""Characters."""
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


def standing_checks(checks: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the checks on one claim that count, in the order of `CHECKS`: for each type those of the latest round with
    pages or rows, because a later round does not read a page again; if none has any, those of the first round, which
    asks every register."""
    found: list[Finding] = []
    for kind in CHECKS:
        of_kind = [check for check in checks if check.evidence_type == kind]
        based = [check for check in of_kind if any(map(check.details.get, _EVIDENCE))]
        rounds = [check.iteration for check in based or of_kind]
        standing = (max if based else min)(rounds, default=0)
        found += [check for check in based or of_kind if check.iteration == standing]
    return tuple(found)


def failed_checks(checks: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the checks that contradict the claim, surest first, unless a passed check of its type is as sure."""
    passed = passed_checks(checks)
    return tuple(
        check
        for check in _sure(checks, Stance.CONTRADICTS)
        if not any(
            other.evidence_type == check.evidence_type and other.confidence >= check.confidence for other in passed
        )
    )


def passed_checks(checks: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the checks that support the claim, surest first."""
    return tuple(_sure(checks, Stance.SUPPORTS))


def _sure(checks: Sequence[Finding], stance: Stance) -> list[Finding]:
    found = [
        check
        for check in checks
        if check.stance is stance
        and check.confidence >= _SURE
        and all(each.code != _OF_WITNESSES for each in check.reason_codes)
    ]
    return sorted(found, key=lambda check: (-check.confidence, check.id))


def qualified(assessment: Assessment, checks: Sequence[Finding]) -> Assessment:
    """Return the assessment qualified by the checks; failed checks that decide are added as contradicting."""
    failed, passed = failed_checks(checks), passed_checks(checks)
    verdict, confidence = assessment.verdict, assessment.confidence
    first: list[Reason] = []
    reasons = [_reason("check_fails", check) for check in failed] + [_reason("check_holds", check) for check in passed]
    neutral = [check for check in checks if check.stance is Stance.NEUTRAL]
    reasons += [
        _reason("check_doubt", check)
        for check in neutral
        if check.details.get("legitimacy_assessment") in ("questionable", "controversial", "not_recognized")
        or check.details.get("plausibility") == "outlier"
    ]
    contradicting = assessment.contradicting
    if failed and verdict is Verdict.VERIFIED:
        verdict, confidence = Verdict.PARTIALLY_TRUE, confidence * _LOWERED
        first = [reason("supported_and_failed")]
        contradicting += tuple(check.id for check in failed)
    elif failed and verdict in (Verdict.CONTRADICTED, Verdict.PARTIALLY_TRUE):
        confidence = _raised(confidence, len(failed))
        contradicting += tuple(check.id for check in failed)
    elif failed and verdict is Verdict.UNVERIFIED:
        first = [reason("failed_alone")]
    elif passed and not failed and verdict is Verdict.VERIFIED:
        confidence = _raised(confidence, len(passed))
    elif passed and verdict is Verdict.UNVERIFIED:
        reasons.append(reason("check_verifies_nothing"))
    against = tuple(dict.fromkeys(contradicting))
    update = {"verdict": verdict, "confidence": round(confidence, 3), "contradicting": against}
    changed = assessment.model_copy(update=update)
    return reasoned(changed, (*first, *assessment.reason_codes, *reasons))


def _raised(confidence: float, checks: int) -> float:
    """Never above 0.98, the limit for independent witnesses too (`weighing`)."""
    return max(confidence, min(0.98, confidence + min(_ADDED_AT_MOST, _ADDED * checks)))


def _reason(kind: str, check: Finding) -> Reason:
    return said_of_check(f"verdicts.{kind}", check, _SUMMARY)


def said_of_check(code: str, check: Finding, most: int) -> Reason:
    """A sentence with the yardstick of a check and its result, of at most `most` characters."""
    said = Reason.of(code, criteria=reason("criteria", kind=check.evidence_type), summary="")
    ends = accumulate(len(each) + 1 for each in sentences(check.summary_codes))
    whole = check.summary_codes[: max(1, sum(end <= most for end in ends))]
    data = said.data | {"summary": " ".join(sentences(whole)) or ended(shorten(check.summary or check.quote, most))}
    return said.model_copy(update={"data": data, "parts": said.parts | ({"summary": whole} if whole else {})})


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
    """Engines and registers that failed to answer; pages that could not be read are counted in the coverage."""
    without_model: bool
    """The model failed to answer, and the local analyst read instead."""


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
        if factor < 1 and finding.stance.decides:
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
    out = {(each.details.get("what"), each.details.get("where")) for each in own}
    return ClaimEvidence(
        witnesses=tuple(witnesses),
        checks=standing_checks([each for each in own if _counts(each, sources, subject.report_source)]),
        too_old=tuple(too_old),
        aged=tuple(aged),
        general=tuple(general),
        cast=votes(witnesses, sources, about=claim.text),
        period=period,
        outages=len({where for what, where in out if what not in (None, "page", "model", "passages")}),
        without_model=any(what == "model" for what, _ in out),
    )


def _is_general(claim: Claim, finding: Finding, source: Source, company: str) -> bool:
    """True for literature on the subject in general if the claim names the company, by whichever name."""
    if finding.evidence_type != "academic_source" or not company or finding.details.get("registered_as"):
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
        subject.company
        and testimony.kind is SpeakerKind.PARTY
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
