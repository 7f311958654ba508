"""What the judge is given on a claim: witnesses and checks, apart from each other, with what takes from their weight.

Witnesses are passages of pages. Checks are what a desk computes from the claim and a published rule, or sums up from
witnesses: they qualify and never vote. A desk's summaries, and what could not be asked or judged, are neither.
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
from inquest.verdicts.judging_checks import IN_WORDS, standing_checks
from inquest.verdicts.testimony import as_testimony
from inquest.verdicts.votes import Vote, votes

CHECKS = tuple(IN_WORDS)
"""Evidence types of the academic desk's checks (spec 002, 10.1), those that rest on a fixed rule first."""
_GENERAL = 0.7
"""What is left of evidence that is about the matter and not about the company."""


@dataclass(frozen=True)
class ClaimEvidence:
    """The evidence on one claim, as it is to be weighed."""

    witnesses: tuple[Finding, ...]
    """With the confidence that time and directness leave them, and the company's own pages marked as its own."""
    checks: tuple[Finding, ...]
    """Those that stand (`standing_checks`), in the order of `CHECKS`."""
    too_old: tuple[Finding, ...]
    """Support from before the year whose result the claim gives."""
    aged: tuple[str, ...]
    """Ids of witnesses that weigh less for their age."""
    general: tuple[Finding, ...]
    """Literature that supports the matter and does not name the company: no witness to what the company did."""
    cast: tuple[Vote, ...]
    """The witnesses, once each."""
    period: Period
    outages: int
    """Findings that say that something could not be asked."""


def evidence_on(
    claim: Claim, findings: Sequence[Finding], sources: Mapping[str, Source], subject: Subject
) -> ClaimEvidence:
    """What there is on the claim. Findings on other claims, and what rests on the report itself, are left aside; the
    order in which they come does not matter."""
    own = sorted({each.id: each for each in findings if each.claim_id == claim.id}.values(), key=lambda each: each.id)
    period = period_of(claim, subject.report_year, subject.now.year)
    witnesses: list[Finding] = []
    too_old: list[Finding] = []
    general: list[Finding] = []
    aged: list[str] = []
    general_against: list[str] = []
    for each in own:
        source = sources.get(each.source_id)
        if each.evidence_type not in WITNESSES or source is None or source.id == subject.report_source:
            continue
        if not source.excluded and cannot_confirm(period, each, source):
            too_old.append(each)
            continue
        apart = _about_the_matter(claim, each, source, subject.company)
        if apart and each.stance is Stance.SUPPORTS:
            general.append(each)
            continue
        if apart and each.stance is Stance.CONTRADICTS:
            general_against.append(each.id)
        factor = age_factor(period, each, source)
        if factor < 1:
            aged.append(each.id)
        witnesses.append(_marked(_general(each) if apart else each, factor, source, subject))
    if general and general_against:
        # Of the matter in general literature says both: that tells nothing of the company.
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


def _about_the_matter(claim: Claim, finding: Finding, source: Source, company: str) -> bool:
    """Whether literature speaks of the matter in general, while the claim says it of the company."""
    if finding.evidence_type != "academic_source" or not company:
        return False
    if not named_in(company, in_company_name(claim.text, company)):
        return False
    around = " ".join((finding.quote, finding.summary, source.title, source.summary, *source.key_claims))
    return not named_in(company, around)


def _general(finding: Finding) -> Finding:
    kind = finding.contradiction_type
    if kind in (None, ContradictionType.DIRECT) and finding.stance is Stance.CONTRADICTS:
        kind = ContradictionType.CONTEXTUAL
    return finding.model_copy(update={"contradiction_type": kind, "confidence": finding.confidence * _GENERAL})


def _marked(finding: Finding, factor: float, source: Source, subject: Subject) -> Finding:
    update: dict[str, object] = {}
    if factor < 1:
        update["confidence"] = finding.confidence * factor
    said = as_testimony(finding)
    filed = is_filing(source, subject.company)
    its_own = (filed or _is_its_own(source, subject)) and not said.against_self
    if its_own:
        # What a company files against what it says elsewhere, it says against itself.
        speaker = Speaker(kind=SpeakerKind.PARTY, name=subject.company)
        whose: JsonObject = {"speaker": speaker.model_dump(mode="json"), "company_own_word": True}
        if filed and finding.stance is Stance.CONTRADICTS:
            whose["against_self"] = True
        update["details"] = {**finding.details, **whose}
    elif said.kind is SpeakerKind.PARTY and not said.name and source.rating.known:
        # The 'we' of a publisher that is known is not the company's: 'nothing came to our attention', says the auditor.
        update["details"] = {name: value for name, value in finding.details.items() if name != "speaker"}
    return finding.model_copy(update=update) if update else finding


def _is_its_own(source: Source, subject: Subject) -> bool:
    """A page of the company itself. A release that somebody distributes is a party's word in any case, and whose it is
    does not follow from where it appears."""
    if source.rating.press_release and not {source.domain, source.rating.domain} & set(subject.own_domains):
        return False
    return is_own_word(source, subject.company, subject.own_domains)


def _counts(finding: Finding, sources: Mapping[str, Source], report: str) -> bool:
    """A check may rest on the claim's own words in the report; on another page that does not count, it does not."""
    source = sources.get(finding.source_id)
    return finding.source_id == report or source is None or not source.excluded
