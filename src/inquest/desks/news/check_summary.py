"""The summary of a check of a company's claims, written by rule: the first page of an analyst's note.

Every sentence that states a fact cites the findings it rests on; what is said of the work itself need not. Nothing is
advised, and nothing said of what nobody looked into but that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from inquest.desks.inquiry.writing_findings import key_finding, tally
from inquest.desks.inquiry.writing_parts import CITED, Checked, Witnesses, clause, fact, note, witnesses_told
from inquest.domain.assessment import Assessment, Verdict
from inquest.domain.check import RiskLevel, TopicRisk
from inquest.domain.claim import Claim
from inquest.domain.finding import Finding, Stance
from inquest.domain.report import OutageNote, Section, Statement, Summary
from inquest.domain.source import Source
from inquest.sources.own_domains import own_domains
from inquest.sources.own_reports import is_own_report
from inquest.text.phrases import capitalised, count, day, ended, listed, uncapitalised
from inquest.text.sentences import shorten
from inquest.verdicts.judging import NOBODY_ASKED
from inquest.verdicts.judging_checks import IN_WORDS, failed_checks, standing_checks
from inquest.verdicts.judging_evidence import CHECKS
from inquest.verdicts.judging_parts import said_of_parts
from inquest.verdicts.own_word import is_own_word

__all__ = ["check_summary"]

_MOST = 8
"""Claims that a section tells one by one; the table of verdicts has all."""
_MOST_SILENT, _MOST_OUTAGES = 5, 6
_CLAIM, _CHECK = 220, 320
_ORDER = (RiskLevel.HIGH, RiskLevel.MODERATE)


def check_summary(
    company: str,
    claims: Sequence[Claim],
    assessments: Sequence[Assessment],
    findings: Sequence[Finding],
    sources: Sequence[Source],
    risks: Sequence[TopicRisk],
    outages: Sequence[OutageNote],
    *,
    as_of: datetime | None = None,
    found_claims: int = 0,
    missing_desks: Sequence[str] = (),
) -> Summary:
    """What was checked and what came of it, the contradicted and disputed claims first.

    `found_claims`: how many checkable claims the report has, where known; `missing_desks`: those that should have
    looked at a claim and are not installed. Parts with nothing to say are left out.
    """
    known = {finding.id: finding for finding in findings}
    checked = _checked(claims, assessments, known)
    witnesses = Witnesses(sources)
    by_verdict = {verdict: [each for each in checked if each.verdict is verdict] for verdict in Verdict}
    doubtful = by_verdict[Verdict.CONTRADICTED] + by_verdict[Verdict.DISPUTED]
    reached = {each.claim.id for each in checked}
    left = [claim for claim in claims if claim.id not in reached]
    parts: list[tuple[str, list[Statement]]] = [
        ("What was checked", _scope(company, checked, left, sources, as_of, found_claims)),
        ("Contradicted or disputed", _told(doubtful, company, witnesses, known)),
        ("True in part", _told(by_verdict[Verdict.PARTIALLY_TRUE], company, witnesses, known)),
        ("Borne out", _told(by_verdict[Verdict.VERIFIED], company, witnesses, known)),
        ("What could not be told", _open(by_verdict[Verdict.UNVERIFIED], left, company, witnesses, known)),
        ("Where a second look is due", _risky(risks, known)),
        ("What could not be asked", _not_asked(outages, missing_desks)),
    ]
    return Summary(
        title=shorten(f"Claims of {company or 'the company'} beside public evidence", 160),
        sections=tuple(Section(heading=heading, statements=tuple(said)) for heading, said in parts if said),
    )


def _checked(claims: Sequence[Claim], assessments: Iterable[Assessment], known: dict[str, Finding]) -> list[Checked]:
    """In the order of the claims."""
    by_claim = {each.claim_id: each for each in assessments if each.checked}
    return [
        Checked(
            claim,
            found,
            tuple(known[fid] for fid in found.supporting if fid in known),
            tuple(known[fid] for fid in found.contradicting if fid in known),
        )
        for claim in claims
        if (found := by_claim.get(claim.id)) is not None
    ]


def _scope(
    company: str,
    checked: Sequence[Checked],
    left: Sequence[Claim],
    sources: Sequence[Source],
    as_of: datetime | None,
    found_claims: int,
) -> list[Statement]:
    number = len(checked) + len(left)
    if not number:
        return [note(f"No claim of {company or 'the company'} was found that could be checked")]
    whose = f"of {company or 'the company'} {'was' if number == 1 else 'were'}"
    text = f"{capitalised(count(number, 'claim'))} {whose} taken up"
    if found_claims > number:
        text += f", out of {found_claims:,} checkable ones in its report"
    if as_of is not None:
        text += f", with what was known on {day(as_of)}"
    written = [note(text)]
    if checked:
        written.append(note(tally(checked)))
    counted = [source for source in sources if not source.excluded]
    if counted:
        written.append(note(_resting(checked, counted)))
    elif checked:
        lacks = next((each.assessment.lacks for each in checked if each.assessment.lacks), "")
        written.append(note(f"No source was found that counts as evidence{f', and {lacks}' if lacks else ''}"))
    return written


def _resting(checked: Sequence[Checked], counted: Sequence[Source]) -> str:
    """How many sources were found, and on how many of them the verdicts rest."""
    cited = {finding.source_id for each in checked for finding in (*each.supporting, *each.contradicting)}
    bearing = [source for source in counted if source.id in cited]
    text = f"{capitalised(count(len(counted), 'source'))} that {_count_as(len(counted))} as evidence "
    if not bearing:
        return f"{text}{'was' if len(counted) == 1 else 'were'} found, and no verdict rests on any of them"
    text += f"{'was' if len(counted) == 1 else 'were'} found. The verdicts rest on {witnesses_told(bearing)}"
    return text


def _count_as(number: int) -> str:
    return "counts" if number == 1 else "count"


def _told(checked: Sequence[Checked], company: str, witnesses: Witnesses, known: dict[str, Finding]) -> list[Statement]:
    """Each claim with who says what, most important first."""
    ordered = sorted(checked, key=lambda each: (_place(each), -each.claim.importance))
    written = [_sentence(each, turn, company, witnesses, known) for turn, each in enumerate(ordered[:_MOST])]
    more = len(ordered) - _MOST
    if more > 0:
        written.append(note(f"{capitalised(count(more, 'further claim'))} {_are(more)} in the table of verdicts"))
    return written


def _place(checked: Checked) -> int:
    return 0 if checked.verdict is Verdict.CONTRADICTED else 1


def _sentence(checked: Checked, turn: int, company: str, witnesses: Witnesses, known: dict[str, Finding]) -> Statement:
    """The claim's number, what was found on it by whom, and what a check against a standard adds."""
    told = _by_witnesses(checked, company, witnesses)
    checks = _failed(checked, known)
    found = key_finding(told, witnesses, turn)
    if parts := checked.assessment.parts:
        text = said_of_parts(parts)
        ids = [fid for part in parts for fid in (*part.supporting[:1], *part.contradicting[:1]) if fid in known]
    elif found is not None and (told.contradicting or checked.verdict is not Verdict.CONTRADICTED):
        text, ids = found.text, list(found.finding_ids)
    elif checks:
        that = clause(checked.claim)
        if checked.verdict is Verdict.CONTRADICTED:
            text = f"The claim that {that} is contradicted by no source, but by a published rule."
        else:
            text = f"No source bears out or contradicts that {that}, but a check speaks against it."
        ids = []
    else:
        text, ids = ended(f"{checked.claim.text.rstrip('. ')}: {_reason(checked)}"), []
    for each in checks[:2]:
        text += f" Held against {IN_WORDS[each.evidence_type]}: {ended(shorten(each.summary or each.quote, _CHECK))}"
        ids.append(each.id)
    text = f"{_label(checked.claim)}: {text}"
    return fact(text, ids) if ids else note(text)


def _by_witnesses(checked: Checked, company: str, witnesses: Witnesses) -> Checked:
    """Without the checks, whose quote is the claim's own, and without the company's word for itself, unless there is
    nothing else: neither is somebody who bears the claim out."""
    homes = own_domains(company)

    def others(findings: Sequence[Finding]) -> tuple[Finding, ...]:
        told = tuple(each for each in findings if each.evidence_type not in CHECKS)
        apart = tuple(
            each
            for each in told
            if not each.details.get("party")
            and (source := witnesses.get(each.source_id)) is not None
            and not is_own_word(source, company, homes)
            and not (each.stance is Stance.SUPPORTS and is_own_report(source, company))
        )
        return apart or told

    return Checked(checked.claim, checked.assessment, others(checked.supporting), others(checked.contradicting))


def _failed(checked: Checked, known: dict[str, Finding]) -> tuple[Finding, ...]:
    """The failed checks that count towards the verdict; of an open one, all that failed."""
    if checked.verdict is Verdict.UNVERIFIED:
        own = [f for f in known.values() if f.claim_id == checked.claim.id and f.evidence_type in CHECKS]
        return failed_checks(standing_checks(own))
    return tuple(each for each in checked.contradicting if each.evidence_type in CHECKS)


def _and_lacks(checked: Sequence[Checked]) -> str:
    """What could not be asked about these claims, as the end of a sentence."""
    return "".join(f", and {lacks}" for lacks in dict.fromkeys(each.assessment.lacks for each in checked) if lacks)


def _label(claim: Claim) -> str:
    return f"{claim.id} (page {claim.page})" if claim.page else claim.id


def _reason(checked: Checked) -> str:
    first = checked.assessment.reasons[0] if checked.assessment.reasons else "nothing was found that bears on it."
    return uncapitalised(first)


def _open(
    unverified: Sequence[Checked],
    left: Sequence[Claim],
    company: str,
    witnesses: Witnesses,
    known: dict[str, Finding],
) -> list[Statement]:
    """What something was found on and not enough, what nothing was found on, what was not reached."""
    spoken = [each for each in unverified if each.cited or _failed(each, known)]
    silent = [each for each in unverified if each not in spoken]
    written = _told(spoken, company, witnesses, known)
    for each in silent[:_MOST_SILENT]:
        that = shorten(clause(each.claim), _CLAIM)
        asked = all(why.code != NOBODY_ASKED for why in each.assessment.reason_codes[:1])
        said = (
            f"nothing was found that confirms or contradicts that {that}{_and_lacks([each])}"
            if asked
            else f"nobody was asked whether {that}"
        )
        written.append(note(f"{_label(each.claim)}: {said}"))
    more = silent[_MOST_SILENT:]
    if more:
        ids = listed([each.claim.id for each in more])
        written.append(note(f"Nor was anything found on {ids}{_and_lacks(more)}"))
    unassessed = sum(each.assessment.unassessed for each in unverified)
    if unassessed:
        counts = "counts" if unassessed == 1 else "count"
        written.append(
            note(f"{capitalised(count(unassessed, 'passage'))} could not be judged and {counts} for nothing")
        )
    if left:
        ids = listed([claim.id for claim in left[:12]] + ([f"{len(left) - 12} more"] if len(left) > 12 else []))
        written.append(note(f"{capitalised(count(len(left), 'claim'))} could not be checked: {ids}"))
    return written


def _risky(risks: Sequence[TopicRisk], known: dict[str, Finding]) -> list[Statement]:
    """The topics with a high or moderate risk, the highest first; then those that cannot be told."""
    shown = sorted((each for each in risks if each.level in _ORDER), key=lambda each: -(each.score or 0))
    written = []
    for risk in shown:
        score = f" ({risk.score:g} of 10)" if risk.score is not None else ""
        text = f"{risk.topic}, {risk.level.value} risk{score}: {' '.join(risk.reasons[:3])}"
        written.append(note(text, [fid for fid in risk.finding_ids if fid in known][:CITED]))
    low = [risk.topic.lower() for risk in risks if risk.level is RiskLevel.LOW]
    unknown = [risk.topic.lower() for risk in risks if risk.level is RiskLevel.UNKNOWN]
    if low:
        written.append(note(f"What was found gives little reason for doubt on {listed(low)}"))
    if unknown:
        written.append(note(f"Too little was found to say on {listed(unknown)}"))
    if shown:
        written.append(note("These are pointers for a reader, and no finding that anybody misleads"))
    return written


def _not_asked(outages: Sequence[OutageNote], missing_desks: Sequence[str]) -> list[Statement]:
    written = [
        note(f"Could not be asked: {where}. {ended(why)}")
        for where, why in list(dict.fromkeys((each.where, each.why) for each in outages))[:_MOST_OUTAGES]
    ]
    more = len(dict.fromkeys((each.where, each.why) for each in outages)) - _MOST_OUTAGES
    if more > 0:
        written.append(note(f"{capitalised(count(more, 'more outage'))} {_are(more)} in the list of outages"))
    if missing_desks:
        desks = list(dict.fromkeys(missing_desks))
        noun = "desk that" if len(desks) == 1 else "desks that"
        written.append(note(f"Not installed: the {listed(desks)} {noun} should have looked at some of the claims"))
    return written


def _are(number: int) -> str:
    return "stands" if number == 1 else "stand"
