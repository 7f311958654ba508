"""A case with people's additions: their verdicts, each with the run's beside it, and their questions after the run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from inquest.desks.inquiry.writing import checked_claims, note, says, tally
from inquest.domain.case import Case
from inquest.domain.event import CaseQuestion, ClaimDecision, DecisionKind, by_claim, standing_decision
from inquest.domain.finding import Assessment, Finding, Stance, Verdict, VerdictDecision
from inquest.domain.reasons import Reason, in_words, sentences
from inquest.domain.report import Citation, Section, Statement, Summary
from inquest.text.phrases import before_answer, ended

HEADING = "Questions asked of the case"
_AFTER_CLAIM = ("summary.verified", "summary.verified_alone")
"""Codes of the sentences that follow the claim whose verdict they state."""
_VERDICT = frozenset(
    f"summary.{name}" for name in ("yes", "no", "claim_is", "of_all", "contradicted_alone", *Verdict)
).union(_AFTER_CLAIM)
"""Codes of the sentences that state a verdict."""
_ADVICE = ("summary.compare_sides", "summary.second_source")
"""Codes of the sentences that recommend what would settle a claim."""
ASKED = "ask-"  # prefix of the ids of findings that answer such a question


def as_decided(case: Case, decisions: Iterable[ClaimDecision]) -> Case:
    """Return the case with the verdicts that people decided on, each with the run's beside it, and a summary that
    begins with the overruled ones. The stored run does not change."""
    if any(each.decision for each in case.assessments):
        return case  # already applied
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
    if not shown.overruled:
        return shown
    why, codes = _overruled(shown), shown.reason_codes
    added = {"reasons": (in_words(why), *shown.reasons), "reason_codes": (why, *codes) if codes else ()}
    return shown.model_copy(update=added)


def _with_decisions(summary: Summary, case: Case, assessments: Sequence[Assessment]) -> Summary:
    """Put a sentence on each overruled verdict first, add a note to other sentences on its claim, leave out advice on
    it, and recount the verdicts."""
    texts = {claim.id: claim.text.strip().rstrip(".") for claim in case.claims}
    changed = [(texts[each.claim_id], each) for each in assessments if each.overruled and each.claim_id in texts]
    if not changed:
        return summary
    first = Section(
        heading="Decided by people",
        statements=tuple(note([_on(text), _overruled(each)]) for text, each in changed),
    )
    before, now = (checked_claims(case.claims, case.findings, found) for found in (case.assessments, assessments))
    counted = {in_words(tally(before)): tally(now)} if before else {}

    def noted(statement: Statement) -> Statement:
        several = any("claims" in each.data for each in statement.reason_codes)
        named = [(text, _overruled(each, briefly=True)) for text, each in changed if text in _named(statement)]
        notes = [each for text, note in named for each in ((_on(text), note) if several else (note,))]
        recounted = counted.get(statement.text)
        if not notes and recounted is None:
            return statement
        codes = (recounted,) if recounted else statement.reason_codes or (says("words", words=statement.text),)
        # The decision comes before the run's findings, so that no sentence is mistaken for the case's verdict.
        at = next((n for n, each in enumerate(codes) if each.code in _VERDICT), None) if notes else None
        if at and codes[at].code in _AFTER_CLAIM:
            at -= 1
        codes = (*codes, *notes) if at is None else (*codes[:at], *notes, says("the_run"), *codes[at:])
        return statement.model_copy(update={"text": " ".join(sentences(codes)), "reason_codes": codes})

    def settled(statement: Statement) -> bool:
        advice = [str(each.data.get("claim")) for each in statement.reason_codes if each.code in _ADVICE]
        return any(text.startswith(each.strip("“”…")) for each in advice for text, _ in changed)

    sections = []
    for section in summary.sections:
        statements = tuple(noted(each) for each in section.statements if not settled(each))
        if statements:
            sections.append(section.model_copy(update={"statements": statements}))
    return summary.model_copy(update={"sections": (first, *sections)})


def _named(statement: Statement) -> str:
    """Return the words in which a sentence names claims; a source quoted in it may have the words of another claim."""
    if not statement.reason_codes:
        return statement.text
    return "; ".join(str(each.data.get(key)) for each in statement.reason_codes for key in ("claim", "claims", "words"))


def _on(text: str) -> Reason:
    return says("words", words=f"“{text}”:")


def _overruled(assessment: Assessment, *, briefly: bool = False) -> Reason:
    """Return 'Overruled by Ada: contradicted instead of verified. Reason: the court ruled otherwise.'"""
    decision, machine = assessment.decision, assessment.machine_verdict
    assert decision is not None and machine is not None  # it was overruled
    why = {"why": ended(decision.reason.strip())} if decision.reason.strip() and not briefly else {}
    name = "overruled_because" if why else "overruled"
    return says(name, name=decision.by, verdict=decision.verdict.value, machine=machine.value, **why)


def numbered(case: Case, questions: Sequence[CaseQuestion]) -> tuple[Case, tuple[CaseQuestion, ...]]:
    """Add the quotes of the answers to the case as findings, numbered after its own citations; return the case and the
    questions with these findings. A quote that is already cited keeps its number; a quote from a page that a later
    round left out is dropped."""
    sources = {source.snapshot: source for source in case.sources}
    numbers = case.citation_numbers
    known = {(each.snapshot, each.start, each.end): each for each in case.findings if each.id in numbers}
    findings, citations = [*case.findings], [*case.citations]
    shown = []
    for question in questions:
        rests_on: list[Finding] = []
        for quote in question.findings:
            place, source = (quote.snapshot, quote.start, quote.end), sources.get(quote.snapshot)
            if source is None:
                continue
            if place not in known:
                changed = {"id": f"{ASKED}{question.id}-{len(rests_on) + 1}", "source_id": source.id, "claim_id": None}
                found = quote.model_copy(update=changed | {"stance": Stance.NEUTRAL})
                n = max((each.n for each in citations), default=0) + 1
                cited = Citation(n=n, finding_id=found.id, source_id=source.id, url=source.url, quote=quote.quote)
                findings.append(found)
                citations.append(cited)
                known[place] = found
            rests_on.append(known[place])
        shown.append(question.model_copy(update={"findings": tuple(rests_on)}))
    return case.model_copy(update={"findings": tuple(findings), "citations": tuple(citations)}), tuple(shown)


def with_questions(case: Case, questions: Sequence[CaseQuestion]) -> Case:
    """Append the questions and their cited answers to the summary."""
    if not questions or any(each.heading == HEADING for each in (case.summary.sections if case.summary else ())):
        return case
    case, questions = numbered(case, questions)
    if case.summary is None:
        return case
    statements = tuple(
        Statement(
            text=f"{before_answer(each.question)} {ended(each.worded)}",
            finding_ids=tuple(finding.id for finding in each.findings),
            about_the_work=not each.findings,
        )
        for each in questions
    )
    sections = (*case.summary.sections, Section(heading=HEADING, statements=statements))
    return case.model_copy(update={"summary": case.summary.model_copy(update={"sections": sections})})
