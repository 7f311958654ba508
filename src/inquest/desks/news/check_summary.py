"""Rule-based summary of a check of claims: the verdicts, the sources they are based on, and the outages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from inquest.claims.report.company import is_own_report, is_own_word
from inquest.desks.inquiry.writing import (
    CITED,
    CheckedClaim,
    Witnesses,
    checked_claims,
    claimed,
    fact,
    key_finding,
    note,
    nothing_found,
    others_in_table,
    says,
    set_apart,
    some_of,
    summary_of,
    tally,
    unassessed_note,
    witnesses_counted,
)
from inquest.desks.news.greenwashing import topic_words
from inquest.domain.check import RiskLevel, TopicRisk
from inquest.domain.claim import Claim
from inquest.domain.finding import Assessment, Finding, Stance, Verdict
from inquest.domain.languages import whole
from inquest.domain.reasons import Reason, ReasonData, coded
from inquest.domain.report import OutageNote, Statement, Summary, outage_lines
from inquest.domain.source import Source
from inquest.sources.owners import own_domains
from inquest.text.phrases import ended
from inquest.verdicts.judging import NOBODY_ASKED, said_of_parts
from inquest.verdicts.judging_evidence import CHECKS, failed_checks, said_of_check, standing_checks
from inquest.verdicts.testimony import Standing, as_testimony

_MOST, _LISTED, _TOPICS, _OUTAGES = 8, 12, 5, 6
"""Maximum claims in a section, ids in a row, topics and outages; the tables list all."""
_IN_WORDS = 2
"""Maximum claims of a check that a sentence quotes instead of giving their ids."""
_CHECK = 240
"""Maximum characters of a quoted claim or result of a check."""


@dataclass(frozen=True)
class CheckMaterial:
    """The input of the summary of a check."""

    company: str
    claims: Sequence[Claim]
    assessments: Sequence[Assessment]
    findings: Sequence[Finding]
    sources: Sequence[Source]
    risks: Sequence[TopicRisk] = ()
    outages: Sequence[OutageNote] = ()
    as_of: datetime | None = None
    found_claims: int = 0
    """Number of checkable claims in the report; 0 if unknown."""
    missing_desks: Sequence[str] = ()
    """Desks responsible for one of the claims that are not installed."""
    unaided: bool = False
    """True if no language model read the pages."""
    beside: int = 0
    """Number of pages that were read and are not among the sources."""

    @cached_property
    def known(self) -> frozenset[str]:
        """Ids of the findings."""
        return frozenset(finding.id for finding in self.findings)

    @cached_property
    def witnesses(self) -> Witnesses:
        """The sources by id, with the origins of their stories."""
        return Witnesses(self.sources)

    @cached_property
    def checked(self) -> list[CheckedClaim]:
        """The claims that were checked, in the order of `claims`."""
        by_id = {each.claim.id: each for each in checked_claims(self.claims, self.findings, self.assessments)}
        return [by_id[claim.id] for claim in self.claims if claim.id in by_id]


def check_summary(material: CheckMaterial) -> Summary:
    """Summarise the results of a check, contradicted and disputed claims first."""
    by_verdict = {verdict: [each for each in material.checked if each.verdict is verdict] for verdict in Verdict}
    refuted = by_verdict[Verdict.CONTRADICTED] + by_verdict[Verdict.DISPUTED]
    parts: list[tuple[str, list[Statement]]] = [
        ("In short", [note(tally(material.checked))] if material.checked else _extent(material)),
        ("Contradicted or disputed", _claims(refuted, material)),
        ("True in part", _claims(by_verdict[Verdict.PARTIALLY_TRUE], material)),
        ("Verified", _claims(by_verdict[Verdict.VERIFIED], material)),
        ("Not verified", _open(by_verdict[Verdict.UNVERIFIED], material)),
        ("Where a second look is due", _risky(material)),
        ("What could not be asked", _not_asked(material)),
        ("What this rests on", _extent(material) if material.checked else []),
    ]
    of = f" of {material.company}" if material.company else ""
    return summary_of(f"Claims{of} beside public evidence", parts)


def _extent(material: CheckMaterial) -> list[Statement]:
    """The number of claims checked, and the sources behind the verdicts."""
    number, of = len(material.claims), "_of" if material.company else ""
    if not number:
        return [note(says(f"none_taken_up{of}", company=material.company))]
    written = [] if material.checked else [note(says("none_checked"))]
    form = f"taken_up{'_from' if material.found_claims > number else ''}{'_known' if material.as_of else ''}"
    taken = says(f"claims{of}", number=number, company=material.company)
    known = material.as_of.date().isoformat() if material.as_of else ""
    written.append(note(says(form, claims=taken, number=number, found=whole(material.found_claims), date=known)))
    evidence = [source for source in material.sources if not source.excluded]
    if not evidence:
        return [*written, note(_and("no_evidence", material.checked))] if material.checked else written
    cited = {f.source_id for each in material.checked for f in (*each.supporting, *each.contradicting)}
    homes = own_domains(material.company)
    independent = [s for s in evidence if s.id in cited and not is_own_word(s, material.company, homes)]
    if independent:
        rests = says("rests_verdicts", sources=witnesses_counted(independent))
    else:
        rests = says("rests_own" if cited else "rests_none", company=material.company)
    read = note(says("read", number=len(evidence) + material.beside, rests=rests))
    return [*written, read, *set_apart(material.sources)]


def _claims(checked: Sequence[CheckedClaim], material: CheckMaterial) -> list[Statement]:
    """A sentence for each claim, contradicted ones first, then by importance."""
    ordered = sorted(checked, key=lambda each: (each.verdict is not Verdict.CONTRADICTED, -each.claim.importance))
    return [*(_sentence(each, material) for each in ordered[:_MOST]), *others_in_table(len(ordered) - _MOST)]


def _sentence(checked: CheckedClaim, material: CheckMaterial) -> Statement:
    """The claim's id, the finding with its sources, and the result of a check against a standard."""
    by_sources, checks = _by_sources(checked, material), _failed(checked, material)
    claim, by_rule = checked.claim, checked.verdict is Verdict.CONTRADICTED
    ids: list[str] = []
    if parts := checked.assessment.parts:
        text = [said_of_parts(parts)]
        found_ids = (fid for part in parts for fid in (*part.supporting[:1], *part.contradicting[:1]))
        ids = [fid for fid in found_ids if fid in material.known]
    elif by_sources.cited and (by_sources.contradicting or not by_rule):
        finding = key_finding(by_sources, material.witnesses)
        text, ids = [*finding.reason_codes], list(finding.finding_ids)
    elif checks and by_rule:
        text = [says("by_a_rule", claim=claimed(claim))]
    elif checks:
        text = [_and("by_a_check", [checked], claim=claimed(claim))]
    else:
        text = [says("words", words=ended(claim.text)), *checked.assessment.reason_codes[:1]]
    for each in checks[:2]:
        text.append(said_of_check("summary.held_against", each, _CHECK))
        ids.append(each.id)
    text.insert(0, says("id_page" if claim.page else "id", id=claim.id, page=claim.page or 0))
    return fact(text, ids) if ids else note(text)


def _by_sources(checked: CheckedClaim, material: CheckMaterial) -> CheckedClaim:
    """Remove findings of checks, which quote the claim itself, and the company's own statements unless alone."""
    company, homes = material.company, own_domains(material.company)

    def without_own(findings: Sequence[Finding]) -> tuple[Finding, ...]:
        from_sources = tuple(each for each in findings if each.evidence_type not in CHECKS)
        return tuple(filter(independent, from_sources)) or from_sources

    def independent(finding: Finding) -> bool:
        source = material.witnesses.get(finding.source_id)
        if source is None or as_testimony(finding).standing is Standing.PARTY or is_own_word(source, company, homes):
            return False
        return finding.stance is not Stance.SUPPORTS or not is_own_report(source, company)

    supporting, contradicting = without_own(checked.supporting), without_own(checked.contradicting)
    return CheckedClaim(checked.claim, checked.assessment, supporting, contradicting)


def _failed(checked: CheckedClaim, material: CheckMaterial) -> tuple[Finding, ...]:
    """The failed checks behind the verdict; for an unverified claim, all failed checks."""
    if checked.verdict is Verdict.UNVERIFIED:
        on_claim = [f for f in material.findings if f.claim_id == checked.claim.id and f.evidence_type in CHECKS]
        return failed_checks(standing_checks(on_claim))
    return tuple(each for each in checked.contradicting if each.evidence_type in CHECKS)


def _open(unverified: Sequence[CheckedClaim], material: CheckMaterial) -> list[Statement]:
    """Sentences on claims with too little evidence, with none, and on claims not reached."""
    cited = [each for each in unverified if each.cited or _failed(each, material)]
    written = _claims(cited, material)
    unasked: list[CheckedClaim] = []
    by_lack: dict[str, list[CheckedClaim]] = {}
    for each in unverified:
        if each in cited:
            continue
        if any(reason.code == NOBODY_ASKED for reason in each.assessment.reason_codes):
            unasked.append(each)
        else:
            by_lack.setdefault(each.assessment.lacks, []).append(each)
    if unasked:
        written.append(note(_and("nobody_asked", unasked, claims=_ids([each.claim.id for each in unasked]))))
    in_words = len(material.claims) <= _IN_WORDS
    for silent in by_lack.values():
        which = [claimed(each.claim, most=_CHECK) if in_words else each.claim.id for each in silent]
        shown = some_of(which, _LISTED, "other_claims")
        lacks = [*silent[0].assessment.lacking.values()]
        written.append(nothing_found(shown, lacks, unaided=material.unaided))
    written += unassessed_note(unverified)
    reached = {each.claim.id for each in material.checked}
    if unreached := [claim.id for claim in material.claims if claim.id not in reached]:
        written.append(note(says("unreached", number=len(unreached), claims=_ids(unreached))))
    return written


def _and(name: str, checked: Sequence[CheckedClaim], **data: ReasonData | list[Reason]) -> Reason:
    """A sentence that also names the outages that affect these claims."""
    lacks = {words: code for each in checked for words, code in each.assessment.lacking.items()}
    return says(f"{name}_and", lacks=[*lacks.values()], **data) if lacks else says(name, **data)


def _ids(ids: Sequence[str]) -> list[Reason]:
    return some_of(ids, _LISTED, "others")


def _risky(material: CheckMaterial) -> list[Statement]:
    """Sentences on the topics of high or moderate risk, highest first."""
    risky = [each for each in material.risks if each.level in (RiskLevel.HIGH, RiskLevel.MODERATE)]
    written = []
    for risk in sorted(risky, key=lambda each: -(each.score or 0))[:_TOPICS]:
        of: dict[str, Reason | str] = {"topic": topic_words(risk.topic), "level": risk.level.value}
        head = says("risk", **of) if risk.score is None else says("risk_scored", **of, score=risk.score)
        why = coded(risk.reasons, risk.reason_codes)[:2]
        written.append(note([head, *why], [fid for fid in risk.finding_ids if fid in material.known][:CITED]))
    return [*written, note(says("pointers"))] if written else []


def _not_asked(material: CheckMaterial) -> list[Statement]:
    pages = {each.where for each in material.outages if each.what == "page"}
    written = [note(says("pages_unread", number=len(pages)))] if pages else []
    written += map(note, outage_lines([each for each in material.outages if each.what != "page"], _OUTAGES))
    if desks := list(dict.fromkeys(material.missing_desks)):
        written.append(note(says("desks_missing", desks=[says("desk", name=desk) for desk in desks])))
    return written
