"""Write: the cited summary. It may only be written from findings; what cites nothing is dropped and counted."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import add

from inquest.desks.inquiry.answers import QuestionAnswer, answer_section, answers_to
from inquest.desks.inquiry.brief_claims import asked, asserted
from inquest.domain.event import EventType, Stage
from inquest.domain.report import Coverage, Section, Summary
from inquest.flow.archived import texts_of
from inquest.flow.services import Services
from inquest.flow.state import CaseState, Delta
from inquest.kit.analyst import WriteMaterial
from inquest.text.grounding import check_grounded
from inquest.verdicts.coverage import lacking


async def write(state: CaseState, services: Services) -> Delta:
    """The summary, or nothing where there is no source: no source, no report."""
    if state.plan is None or not any(not source.excluded for source in state.sources):
        return {}
    await services.progress(Stage.SUMMARY, "Writing the summary")
    material = WriteMaterial(
        plan=state.plan,
        as_of=services.now(state.brief.as_of),
        sources=state.sources,
        claims=state.claims,
        findings=(*state.findings, *state.event_findings),
        assessments=state.assessments,
        timeline=state.timeline,
        bias=state.bias,
        missing=state.missing,
    )
    depth = state.brief.mode.settings.summary_depth
    summary, outages = await services.judged(
        "write", lambda analyst: analyst.write(material, depth=depth), Stage.SUMMARY
    )
    answers = await _answers(state, services)
    found = tuple(finding for answer in answers for finding in answer.findings)
    summary = _with_answers(summary, answers, state)
    summary = grounded_only(summary, {finding.id for finding in (*material.findings, *found)})
    await services.events.emit(
        EventType.SUMMARY_WRITTEN, f"The summary is written: {summary.title}", stage=Stage.SUMMARY, title=summary.title
    )
    return {"summary": summary, "outages": outages, "event_findings": (*state.event_findings, *found)}


async def _answers(state: CaseState, services: Services) -> tuple[QuestionAnswer, ...]:
    """What the sources answer to the brief's own questions, in their words."""
    questions = asked(state.brief.text) if state.brief.topic is None else ()
    documents = await texts_of(state.sources, services) if questions else {}
    claims = {claim.id: claim for claim in state.claims}
    verdicts = [(claims[each.claim_id], each) for each in state.assessments if each.claim_id in claims]
    own = asserted(state.brief.text, state.plan.questions) if state.plan else ()
    answers = answers_to(questions, state.sources, documents, verdicts, own)
    by_snapshot = {document.snapshot: document.text for document in documents.values()}
    for finding in (finding for answer in answers for finding in answer.findings):
        check_grounded(finding, by_snapshot[finding.snapshot])
    return answers


def _with_answers(summary: Summary, answers: Sequence[QuestionAnswer], state: CaseState) -> Summary:
    """The summary with the answers behind its first section, which sums up."""
    lacks = lacking(reduce(add, state.coverage.values(), Coverage()))
    section = answer_section(answers, state.sources, lacks, state.findings, unaided=state.read_unaided)
    if section is None:
        return summary
    return summary.model_copy(update={"sections": (*summary.sections[:1], section, *summary.sections[1:])})


def grounded_only(summary: Summary, finding_ids: set[str]) -> Summary:
    """The summary without sentences that state a fact and cite no finding; `dropped` counts them.

    A citation of a finding that does not exist is no citation. A sentence about the work itself needs none.
    """
    dropped = summary.dropped
    sections = []
    for section in summary.sections:
        kept = []
        for statement in section.statements:
            cited = tuple(fid for fid in dict.fromkeys(statement.finding_ids) if fid in finding_ids)
            if cited or statement.about_the_work:
                kept.append(statement.model_copy(update={"finding_ids": cited}))
            else:
                dropped += 1
        if kept:
            sections.append(Section(heading=section.heading, statements=tuple(kept)))
    return summary.model_copy(update={"sections": tuple(sections), "dropped": dropped})
