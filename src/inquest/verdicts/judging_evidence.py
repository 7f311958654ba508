"""Evidence on a claim for the judge: witnesses and checks, separately, with what reduces their weight.

Witnesses are passages of pages. Checks are computed by a desk from the claim and a published rule, or summed up from
witnesses: they qualify a verdict and never vote. A desk's summaries and outages are neither.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from inquest.claims.own_pages import is_filing, is_own_word
from inquest.claims.period import Period, age_factor, cannot_confirm, period_of
from inquest.claims.report.company import in_company_name, named_in
from inquest.domain.check import Subject
from inquest.domain.claim import Claim
from inquest.domain.finding import WITNESSES, ContradictionType, Finding, Stance
from inquest.domain.reading import Speaker, SpeakerKind
from inquest.domain.source import Source
from inquest.domain.value import JsonObject
from inquest.verdicts.judging_checks import KINDS, standing_checks
from inquest.verdicts.testimony import as_testimony
from inquest.verdicts.votes import Vote, votes

CHECKS = KINDS
"""Evidence types of the academic desk's checks (spec 002, 10.1), those that rest on a fixed rule first."""
_GENERAL = 0.7
"""Factor on the confidence of evidence about the subject in general that does not name the company."""


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
        if is_general and finding.stance is Stance.CONTRADICTS:
            general_against.append(finding.id)
        factor = age_factor(period, finding, source)
        if factor < 1:
            aged.append(finding.id)
        witnesses.append(_marked(_reduced(finding) if is_general else finding, factor, source, subject))
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
    """True for literature on the subject in general, where the claim names the company."""
    if finding.evidence_type != "academic_source" or not company:
        return False
    if not named_in(company, in_company_name(claim.text, company)):
        return False
    around = " ".join((finding.quote, finding.summary, source.title, source.summary, *source.key_claims))
    return not named_in(company, around)


def _reduced(finding: Finding) -> Finding:
    kind = finding.contradiction_type
    if kind in (None, ContradictionType.DIRECT) and finding.stance is Stance.CONTRADICTS:
        kind = ContradictionType.CONTEXTUAL
    return finding.model_copy(update={"contradiction_type": kind, "confidence": finding.confidence * _GENERAL})


def _marked(finding: Finding, factor: float, source: Source, subject: Subject) -> Finding:
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
    elif testimony.kind is SpeakerKind.PARTY and not testimony.name and source.rating.known:
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
