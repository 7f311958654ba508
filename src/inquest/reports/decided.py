"""A case as people decided it: their verdict is the claim's, the run's stands beside it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from inquest.desks.inquiry.writing_parts import checked_claims, tally
from inquest.domain.assessment import Assessment, Verdict, VerdictDecision
from inquest.domain.case import Case
from inquest.domain.claim_decision import ClaimDecision, DecisionKind, by_claim, standing_decision
from inquest.domain.report import Section, Statement, Summary
from inquest.text.phrases import ended


def as_decided(case: Case, decisions: Iterable[ClaimDecision]) -> Case:
    """The case as it is shown: its verdicts are those that people decided on, with the run's beside them, and the
    summary begins with what was overruled. What the run stored stays as it is."""
    if any(each.decision for each in case.assessments):
        return case  # it is one already
    by_id = by_claim(case.claims, decisions)
    standing = {each.claim_id: standing_decision(by_id.get(each.claim_id, ())) for each in case.assessments}
    if not any(standing.values()):
        return case
    assessments = tuple(_decided(each, standing[each.claim_id]) for each in case.assessments)
    summary = case.summary and _with_decisions(case.summary, case, assessments)
    return case.model_copy(update={"assessments": assessments, "summary": summary})


def _decided(assessment: Assessment, last: ClaimDecision | None) -> Assessment:
    if last is None:
        return assessment
    verdict = last.decided if last.kind is DecisionKind.OVERRULE else assessment.verdict
    decision = VerdictDecision(verdict=verdict, reason=last.why, by=last.by, at=last.at)
    shown = assessment.model_copy(
        update={"verdict": verdict, "decision": decision, "machine_verdict": assessment.verdict}
    )
    return shown.model_copy(update={"reasons": (_sentence(shown), *shown.reasons)}) if shown.overruled else shown


def _with_decisions(summary: Summary, case: Case, assessments: Sequence[Assessment]) -> Summary:
    """The summary with a sentence on each overruled verdict first, a note at every other sentence on its claim, and the
    verdicts counted as they are now."""
    texts = {claim.id: claim.text.strip().rstrip(".") for claim in case.claims}
    changed = [(texts[each.claim_id], each) for each in assessments if each.overruled and each.claim_id in texts]
    if not changed:
        return summary
    first = Section(
        heading="Decided by people",
        statements=tuple(Statement(text=f"“{text}”: {_sentence(each)}", about_the_work=True) for text, each in changed),
    )
    before, now = (checked_claims(case.claims, case.findings, found) for found in (case.assessments, assessments))
    counted = {tally(before): tally(now)} if before else {}

    def noted(statement: Statement) -> Statement:
        notes = [_sentence(each) for text, each in changed if text in statement.text]
        text = " ".join((counted.get(statement.text, statement.text), *notes))
        return statement.model_copy(update={"text": text})

    sections = (
        section.model_copy(update={"statements": tuple(map(noted, section.statements))}) for section in summary.sections
    )
    return summary.model_copy(update={"sections": (first, *sections)})


def _sentence(assessment: Assessment) -> str:
    """'Overruled by Ada: contradicted instead of verified. Reason: the court ruled otherwise.'"""
    decision, machine = assessment.decision, assessment.machine_verdict
    assert decision is not None and machine is not None  # it was overruled
    reason = f" Reason: {ended(decision.reason.strip())}" if decision.reason.strip() else ""
    return f"Overruled by {decision.by}: {_worded(decision.verdict)} instead of {_worded(machine)}.{reason}"


def _worded(verdict: Verdict) -> str:
    return verdict.value.replace("_", " ")
