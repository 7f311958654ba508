"""The summary of a check of claims, written by rule: the answer, then what it rests on, then what could not be asked.

Every sentence that states a fact cites the findings it rests on; what is said of the work itself need not. Nothing is
advised, and nothing said of what nobody looked into but that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from inquest.claims.own_pages import is_own_report, is_own_word
from inquest.desks.inquiry.writing_parts import (
    CITED,
    CheckedClaim,
    Witnesses,
    claimed,
    fact,
    key_finding,
    note,
    nothing_found,
    set_apart,
    tally,
    unassessed_note,
    witnesses_counted,
)
from inquest.domain.assessment import Assessment, Verdict
from inquest.domain.check import RiskLevel, TopicRisk
from inquest.domain.claim import Claim
from inquest.domain.english import agreeing
from inquest.domain.finding import Finding, Stance
from inquest.domain.outages import outage_lines
from inquest.domain.report import OutageNote, Section, Statement, Summary
from inquest.domain.source import Source
from inquest.sources.own_domains import own_domains
from inquest.text.phrases import capitalised, count, day, ended, listed
from inquest.text.sentences import shorten
from inquest.verdicts.judging import NOBODY_ASKED
from inquest.verdicts.judging_checks import IN_WORDS, failed_checks, standing_checks
from inquest.verdicts.judging_evidence import CHECKS
from inquest.verdicts.judging_parts import said_of_parts
from inquest.verdicts.testimony import Standing, as_testimony

_MOST, _LISTED, _TOPICS, _OUTAGES = 8, 12, 5, 6
"""Claims that a section tells one by one, ids in a row, topics and outages; the tables have all."""
_IN_WORDS = 2
"""Claims of a check, up to which a sentence tells them by what they say."""
_CHECK = 240
"""Characters of what a check came to."""


@dataclass(frozen=True)
class CheckMaterial:
    """All that the summary of a check may be written from."""

    company: str
    claims: Sequence[Claim]
    assessments: Sequence[Assessment]
    findings: Sequence[Finding]
    sources: Sequence[Source]
    risks: Sequence[TopicRisk] = ()
    outages: Sequence[OutageNote] = ()
    as_of: datetime | None = None
    found_claims: int = 0
    """How many checkable claims the report has, where that is known."""
    missing_desks: Sequence[str] = ()
    """Those that should have looked at a claim and are not installed."""
    unaided: bool = False
    """No language model has read what was found."""

    @cached_property
    def known(self) -> dict[str, Finding]:
        """Findings by id."""
        return {finding.id: finding for finding in self.findings}

    @cached_property
    def witnesses(self) -> Witnesses:
        return Witnesses(self.sources)

    @cached_property
    def checked(self) -> list[CheckedClaim]:
        """The claims that the case got to, in their order."""
        by_claim = {each.claim_id: each for each in self.assessments if each.checked}
        return [
            CheckedClaim(claim, found, self._of(found.supporting), self._of(found.contradicting))
            for claim in self.claims
            if (found := by_claim.get(claim.id)) is not None
        ]

    def _of(self, ids: Sequence[str]) -> tuple[Finding, ...]:
        return tuple(self.known[each] for each in ids if each in self.known)


def check_summary(material: CheckMaterial) -> Summary:
    """What came of the check, the contradicted and disputed claims first. Parts with nothing to say are left out."""
    by_verdict = {verdict: [each for each in material.checked if each.verdict is verdict] for verdict in Verdict}
    doubtful = by_verdict[Verdict.CONTRADICTED] + by_verdict[Verdict.DISPUTED]
    parts: list[tuple[str, list[Statement]]] = [
        ("In short", _extent(material)),
        ("Contradicted or disputed", _claims(doubtful, material)),
        ("True in part", _claims(by_verdict[Verdict.PARTIALLY_TRUE], material)),
        ("Verified", _claims(by_verdict[Verdict.VERIFIED], material)),
        ("Not verified", _open(by_verdict[Verdict.UNVERIFIED], material)),
        ("Where a second look is due", _risky(material)),
        ("What could not be asked", _not_asked(material)),
    ]
    whose = f"Claims of {material.company}" if material.company else "Claims"
    return Summary(
        title=shorten(f"{whose} beside public evidence", 160),
        sections=tuple(Section(heading=heading, statements=tuple(said)) for heading, said in parts if said),
    )


def _extent(material: CheckMaterial) -> list[Statement]:
    """How many claims came out how, of how many, and on what that rests."""
    of = f" of {material.company}" if material.company else ""
    number = len(material.claims)
    if not number:
        return [note(f"No claim{of} was found that could be checked")]
    none = f"{'The claim' if number == 1 else 'None of the claims'} could be checked"
    none = none.replace("could", "could not") if number == 1 else none
    written = [note(tally(material.checked) if material.checked else none)]
    text = f"{capitalised(count(number, 'claim'))}{of} {agreeing(number, 'was', 'were')} taken up"
    if material.found_claims > number:
        text += f", out of {material.found_claims:,} checkable ones in its report"
    if material.as_of is not None:
        text += f", with what was known on {day(material.as_of)}"
    written.append(note(text))
    counted = [source for source in material.sources if not source.excluded]
    if not counted:
        but = _lacks(material.checked)
        return [*written, note(f"No source was found that counts as evidence{but}")] if material.checked else written
    cited = {f.source_id for each in material.checked for f in (*each.supporting, *each.contradicting)}
    homes = own_domains(material.company)
    others = [source for source in counted if not is_own_word(source, material.company, homes)]
    bearing = [source for source in others if source.id in cited]
    found = f"{capitalised(count(len(counted), 'source'))} {agreeing(len(counted), 'was', 'were')} read"
    of_itself = f"what they say of the claims is {material.company}'s own word" if cited else ""
    on_none = of_itself or f"no verdict rests on {agreeing(len(counted), 'it', 'any of them')}"
    rests = f"the verdicts rest on {witnesses_counted(bearing)}" if bearing else on_none
    return [*written, note(f"{found}; {rests}"), *set_apart(material.sources)]


def _claims(checked: Sequence[CheckedClaim], material: CheckMaterial) -> list[Statement]:
    """Each claim with who says what, most important first."""
    ordered = sorted(checked, key=lambda each: (each.verdict is not Verdict.CONTRADICTED, -each.claim.importance))
    written = [_sentence(each, material) for each in ordered[:_MOST]]
    if (more := len(ordered) - _MOST) > 0:
        stand = agreeing(more, "stands", "stand")
        written.append(note(f"{capitalised(count(more, 'further claim'))} {stand} in the table of verdicts"))
    return written


def _sentence(checked: CheckedClaim, material: CheckMaterial) -> Statement:
    """The claim's number, what was found on it by whom, and what a check against a standard adds."""
    apart = _by_witnesses(checked, material)
    checks = _failed(checked, material)
    found = key_finding(apart, material.witnesses) if apart.cited else None
    ids: list[str] = []
    if parts := checked.assessment.parts:
        text = said_of_parts(parts)
        found_ids = (fid for part in parts for fid in (*part.supporting[:1], *part.contradicting[:1]))
        ids = [fid for fid in found_ids if fid in material.known]
    elif found is not None and (apart.contradicting or checked.verdict is not Verdict.CONTRADICTED):
        text, ids = found.text, list(found.finding_ids)
    elif checks and checked.verdict is Verdict.CONTRADICTED:
        text = f"The claim {claimed(checked.claim)} is contradicted by no source, but by a published rule."
    elif checks:
        silent = f"No source supports or contradicts {claimed(checked.claim)}"
        text = f"{silent}{_lacks([checked])}, but a check speaks against it."
    else:
        text = f"{ended(checked.claim.text)} {' '.join(checked.assessment.reasons[:1])}"
    for each in checks[:2]:
        text += f" Held against {IN_WORDS[each.evidence_type]}: {ended(shorten(each.summary or each.quote, _CHECK))}"
        ids.append(each.id)
    claim = checked.claim
    text = f"{claim.id}{f' (page {claim.page})' if claim.page else ''}: {text}"
    return fact(text, ids) if ids else note(text)


def _by_witnesses(checked: CheckedClaim, material: CheckMaterial) -> CheckedClaim:
    """Without the checks, whose quote is the claim's own, and without the company's word for itself, unless there is
    nothing else: neither is somebody who supports the claim."""
    company, homes = material.company, own_domains(material.company)

    def others(findings: Sequence[Finding]) -> tuple[Finding, ...]:
        quoted = tuple(each for each in findings if each.evidence_type not in CHECKS)
        apart = tuple(
            each
            for each in quoted
            if as_testimony(each).standing is not Standing.PARTY
            and (source := material.witnesses.get(each.source_id)) is not None
            and not is_own_word(source, company, homes)
            and not (each.stance is Stance.SUPPORTS and is_own_report(source, company))
        )
        return apart or quoted

    return CheckedClaim(checked.claim, checked.assessment, others(checked.supporting), others(checked.contradicting))


def _failed(checked: CheckedClaim, material: CheckMaterial) -> tuple[Finding, ...]:
    """The failed checks that count towards the verdict; of an open one, all that failed."""
    if checked.verdict is Verdict.UNVERIFIED:
        own = [f for f in material.findings if f.claim_id == checked.claim.id and f.evidence_type in CHECKS]
        return failed_checks(standing_checks(own))
    return tuple(each for each in checked.contradicting if each.evidence_type in CHECKS)


def _open(unverified: Sequence[CheckedClaim], material: CheckMaterial) -> list[Statement]:
    """What something was found on and not enough, what nothing was found on, what was not reached."""
    spoken = [each for each in unverified if each.cited or _failed(each, material)]
    silent = [each for each in unverified if each not in spoken]
    written = _claims(spoken, material)
    unasked = [each for each in silent if any(r.code == NOBODY_ASKED for r in each.assessment.reason_codes)]
    if unasked:
        ids = _ids([each.claim.id for each in unasked])
        written.append(note(f"Nobody was asked about {ids}: there was no engine to ask{_lacks(unasked)}"))
    by_lack: dict[str, list[Claim]] = {}
    for each in silent:
        if each not in unasked:
            by_lack.setdefault(_lacks([each]), []).append(each.claim)
    written += [nothing_found(_which(some, material), but, unaided=material.unaided) for but, some in by_lack.items()]
    written += unassessed_note(unverified)
    reached = {each.claim.id for each in material.checked}
    if left := [claim.id for claim in material.claims if claim.id not in reached]:
        written.append(note(f"{capitalised(count(len(left), 'claim'))} could not be checked: {_ids(left)}"))
    return written


def _lacks(checked: Sequence[CheckedClaim]) -> str:
    """What could not be asked about these claims, as the end of a sentence."""
    return "".join(f", and {lacks}" for lacks in dict.fromkeys(each.assessment.lacks for each in checked) if lacks)


def _which(claims: Sequence[Claim], material: CheckMaterial) -> str:
    """The claims of a short check by what they say, those of a longer one by their ids."""
    if len(material.claims) > _IN_WORDS:
        return _ids([claim.id for claim in claims])
    return " or ".join(claimed(claim, most=_CHECK) for claim in claims)


def _ids(ids: Sequence[str]) -> str:
    more = [f"{len(ids) - _LISTED} more"] if len(ids) > _LISTED else []
    return listed([*ids[:_LISTED], *more])


def _risky(material: CheckMaterial) -> list[Statement]:
    """The topics with a high or moderate risk, the highest first; then those that nothing can be said of."""
    risks = material.risks
    if all(risk.level is RiskLevel.UNKNOWN for risk in risks):
        return []
    levels = (RiskLevel.HIGH, RiskLevel.MODERATE)
    shown = sorted((each for each in risks if each.level in levels), key=lambda each: -(each.score or 0))
    written = []
    for risk in shown[:_TOPICS]:
        score = f" ({risk.score:g} of 10)" if risk.score is not None else ""
        text = f"{risk.topic}, {risk.level.value} risk{score}: {' '.join(risk.reasons[:2])}"
        written.append(note(text, [fid for fid in risk.finding_ids if fid in material.known][:CITED]))
    for level, words in (
        (RiskLevel.LOW, "What was found gives little reason for doubt on"),
        (RiskLevel.UNKNOWN, "Too little was found to say on"),
    ):
        if topics := [risk.topic.lower() for risk in risks if risk.level is level]:
            parted = "; ".join if any(" and " in each for each in topics) else listed
            written.append(note(f"{words} {parted(topics)}"))
    if shown:
        written.append(note("These are pointers for a reader, and no finding that anybody misleads"))
    return written


def _not_asked(material: CheckMaterial) -> list[Statement]:
    notes = [each for each in material.outages if each.what != "page"]
    pages = {each.where for each in material.outages if each.what == "page"}
    written = [note(f"{capitalised(count(len(pages), 'page'))} could not be read")] if pages else []
    written += map(note, outage_lines(notes, _OUTAGES))
    if desks := list(dict.fromkeys(material.missing_desks)):
        noun = agreeing(len(desks), "desk that", "desks that")
        written.append(note(f"Not installed: the {listed(desks)} {noun} should have looked at some of the claims"))
    return written
