"""Write what a report says beside the verdicts: the timeline of dated events, the balance of the sources, the cited
summary, and the risks of a check by topic.

A summary may only be written from findings; statements that cite none are dropped and counted.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import reduce
from operator import add

from inquest.desks.inquiry.answers import QuestionAnswer, answer_section, answers_to, with_nearest
from inquest.desks.inquiry.brief_claims import asked, asserted
from inquest.desks.inquiry.digest import dated_passages
from inquest.desks.inquiry.writing import ANSWERS, with_corrections
from inquest.desks.news.check_summary import CheckMaterial, check_summary
from inquest.desks.news.greenwashing import risk_overview
from inquest.domain.document import Document, Published
from inquest.domain.errors import ModelError
from inquest.domain.event import EventType, Stage
from inquest.domain.finding import Finding, Stance
from inquest.domain.reasons import Reason
from inquest.domain.report import Coverage, OutageNote, Section, Statement, Summary, TimelineEvent
from inquest.domain.source import Source
from inquest.flow.planned import more_asked
from inquest.flow.services import Services, texts_of
from inquest.flow.state import CaseState, Delta, new_outages
from inquest.kit.analyst import DatedPassage, EventDraft, WriteMaterial
from inquest.text.grounding import check_grounded
from inquest.text.phrases import before_answer, stated
from inquest.verdicts.judging_gaps import lacking
from inquest.verdicts.overall_bias import overall_bias


async def timeline(state: CaseState, services: Services) -> Delta:
    """Make the timeline, oldest event first. Quick mode skips it."""
    if state.brief.mode.settings.skip_timeline:
        return await services.skipped("Quick mode: no timeline is made.", Stage.TIMELINE, "TIMELINE_SKIPPED")
    await services.progress(Stage.TIMELINE, "Constructing the timeline from the sources")
    topic = state.planned.topic
    pairs = await _counted(state, services)
    texts = {document.snapshot: document.text for _, document in pairs}
    dated = [passage for source, document in pairs for passage in dated_passages(document, source, topic)]
    passages = [passage.model_copy(update={"id": f"D{number}"}) for number, passage in enumerate(dated, 1)]
    if not passages:
        return await services.skipped("The sources give no dates.", Stage.TIMELINE, "TIMELINE_SKIPPED")
    drafts, outages = await services.judged("timeline", lambda analyst: analyst.events(topic, passages), Stage.TIMELINE)
    by_id = {passage.id: passage for passage in passages}
    findings: list[Finding] = []
    events = tuple(_event(draft, by_id, texts, findings) for draft in drafts)
    for event in events:
        await report_event(event, services)
    return {"timeline": events, "event_findings": tuple(findings), "outages": outages}


async def _counted(state: CaseState, services: Services) -> list[tuple[Source, Document]]:
    """Return the sources that count, with their texts."""
    counted = [source for source in state.sources if not source.excluded]
    texts = await texts_of(counted, services)
    return [(source, texts[source.id]) for source in counted if source.id in texts]


async def report_event(event: TimelineEvent, services: Services) -> None:
    """Emit an event of the timeline."""
    await services.events.emit(
        EventType.TIMELINE_EVENT,
        f"{event.date}: {event.text}",
        stage=Stage.TIMELINE,
        event_date=event.date,
        event_text=event.text,
        source_ids=list(event.source_ids),
        conflict=event.conflict,
    )


def _event(
    draft: EventDraft, passages: dict[str, DatedPassage], texts: dict[str, str], findings: list[Finding]
) -> TimelineEvent:
    cited = [passages[passage_id] for passage_id in draft.passages]
    date = Published(at=draft.date, precision=draft.precision).iso
    made, said = [], draft.conflict
    for passage in cited:
        finding = Finding(
            id=f"T{len(findings) + 1}",
            claim_id=None,
            source_id=passage.source_id,
            agent="timeline",
            evidence_type="event",
            stance=Stance.NEUTRAL,
            confidence=1.0,
            quote=passage.quote,
            snapshot=passage.snapshot,
            start=passage.start,
            end=passage.end,
            summary=f"Dates the event to {date}.",
        )
        check_grounded(finding, texts[passage.snapshot])
        findings.append(finding)
        made.append(finding.id)
    return TimelineEvent(
        date=date,
        precision=draft.precision,
        text=draft.text,
        source_ids=tuple(dict.fromkeys(passage.source_id for passage in cited)),
        finding_ids=tuple(made),
        conflict=stated([said]) if isinstance(said, Reason) else said,
        conflict_codes=(said,) if isinstance(said, Reason) else (),
    )


async def bias(state: CaseState, services: Services) -> Delta:
    """Rate the overall bias and balance of the sources, and each source in detailed mode."""
    topic, pairs = state.planned.topic, await _counted(state, services)
    if not pairs:
        return await services.skipped("No sources to analyse for bias.", Stage.BIAS, "BIAS_SKIPPED")
    await services.progress(Stage.BIAS, "Analysing the balance of the coverage")
    drafts, outages = await services.judged("bias", lambda analyst: analyst.leanings(topic, pairs), Stage.BIAS)
    result = overall_bias(drafts, {source.id: source for source, _ in pairs})
    if state.brief.mode.settings.bias_level == "overall":
        result = result.model_copy(update={"per_source": ()})
    balance = result.balance
    await services.progress(
        Stage.BIAS,
        f"Overall bias {result.overall:.1f}/10 ({result.label}): {balance.favourable} favourable, "
        f"{balance.neutral} neutral, {balance.critical} critical",
        EventType.BIAS_ANALYSED,
        overall=result.overall,
        balance=balance.model_dump(),
        recommendation=result.recommendation,
    )
    return {"bias": result, "outages": outages}


async def write(state: CaseState, services: Services) -> Delta:
    """Write the summary, if the case has a source."""
    if state.plan is None or all(source.excluded for source in state.sources):
        return {}
    await services.progress(Stage.SUMMARY, "Writing the summary")
    material = _material(state, services)
    depth = state.brief.mode.settings.summary_depth
    summary, outages = await services.judged(
        "write", lambda analyst: analyst.write(material, depth=depth), Stage.SUMMARY
    )
    return {**await _completed(summary, state, services), "outages": outages}


def _material(state: CaseState, services: Services) -> WriteMaterial:
    return WriteMaterial(
        language=state.brief.language,
        plan=state.planned,
        as_of=services.now(state.brief.as_of),
        sources=state.sources,
        claims=state.claims,
        findings=(*state.findings, *state.event_findings),
        assessments=state.assessments,
        questions=tuple(each for each in _questions(state) if all(claim.question != each for claim in state.claims)),
        timeline=state.timeline,
        bias=state.bias,
        missing=state.missing,
    )


def _questions(state: CaseState) -> tuple[str, ...]:
    """Return the questions of the brief and of further rounds."""
    questions = asked(state.brief.text) if state.brief.topic is None and state.brief.check is None else ()
    return tuple(dict.fromkeys((*questions, *(each.text for each in more_asked(state)))))


async def _answers(state: CaseState, services: Services, written: Sequence[Statement]) -> tuple[QuestionAnswer, ...]:
    """Answer the questions as a model has, or by quotes from the sources."""
    questions = _questions(state)
    documents = await texts_of(state.sources, services) if questions else {}
    claims = {claim.id: claim for claim in state.claims}
    verdicts = [(claims[each.claim_id], each) for each in state.assessments if each.claim_id in claims]
    own = asserted(state.brief.text, state.plan.questions, state.plan.stated) if state.plan and questions else {}
    pages = [(source, documents[source.id]) for source in state.sources if source.id in documents]
    answers = await asyncio.to_thread(answers_to, questions, pages, verdicts, own, state.findings)
    by_question = {one: each for one in questions for each in written if each.text.startswith(f"{before_answer(one)} ")}
    answers = tuple(
        QuestionAnswer(each.question, written=by_question[each.question]) if each.question in by_question else each
        for each in answers
    )
    answers = await asyncio.to_thread(with_nearest, answers, verdicts, services.local.likeness)
    by_snapshot = {document.snapshot: document.text for document in documents.values()}
    for finding in (finding for answer in answers for finding in answer.findings):
        check_grounded(finding, by_snapshot[finding.snapshot])
    return answers


async def _completed(summary: Summary, state: CaseState, services: Services) -> Delta:
    """Add corrections and answers, drop statements that cite no finding, and report that the summary is written."""
    given = [each for each in summary.sections if each.heading == ANSWERS]
    answers = await _answers(state, services, [each for section in given for each in section.statements])
    found = (*state.event_findings, *(finding for answer in answers for finding in answer.findings))
    summary = with_corrections(summary, state.findings, state.sources)
    lacks = lacking(reduce(add, state.coverage.values(), Coverage()))
    section = answer_section(answers, state.sources, lacks, state.findings)
    if section is not None:
        first = 0 if given or state.read_unaided else 1
        others = tuple(each for each in summary.sections if each.heading != ANSWERS)
        sections = (*others[:first], section, *others[first:])
        summary = summary.model_copy(update={"sections": sections})
    summary = grounded_only(summary, {finding.id for finding in (*state.findings, *found)})
    await services.events.emit(
        EventType.SUMMARY_WRITTEN, f"The summary is written: {summary.title}", stage=Stage.SUMMARY, title=summary.title
    )
    return {"summary": summary, "event_findings": found}


def grounded_only(summary: Summary, finding_ids: set[str]) -> Summary:
    """Drop statements that cite no existing finding and are not about the work itself; `dropped` counts them."""
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


async def report_check(state: CaseState, services: Services) -> Delta:
    """Write the report of a check: the risks by topic, and a summary by the model or else by rule."""
    assert state.brief.check is not None
    await services.progress(Stage.SUMMARY, "Writing the summary")
    company = state.brief.check.company
    risks = risk_overview(state.claims, state.assessments, state.findings) if company else ()
    written, outages = await _written(state, services)
    material = CheckMaterial(
        company=company,
        claims=state.claims,
        assessments=state.assessments,
        findings=state.findings,
        sources=state.sources,
        risks=risks,
        outages=_missing(state),
        as_of=state.brief.as_of,
        found_claims=state.checking.found_claims,
        unaided=state.read_unaided,
        beside=len({each.snapshot for each in state.checking.aside} - {each.snapshot for each in state.sources}),
        missing_desks=tuple(dict.fromkeys(name for each in state.checking.routing for name in each.missing)),
    )
    return {
        **await _completed(written or check_summary(material), state, services),
        "check": state.checking.model_copy(update={"risks": risks}),
        "outages": new_outages(outages, state.outages),
    }


def _missing(state: CaseState) -> tuple[OutageNote, ...]:
    """Return the outages without desks that are not installed: the plan names these, and the report their requests."""
    return tuple(note for note in state.missing if note.what != "desk")


async def _written(state: CaseState, services: Services) -> tuple[Summary | None, tuple[OutageNote, ...]]:
    """Return the model's summary; None without a model, after its failure, or if the budget is met first."""
    if services.analyst is services.local or not any(each.stance.decides for each in state.findings):
        return None, ()  # without findings on a claim there is nothing to cite
    assert state.brief.check is not None
    about = state.brief.check.company or state.planned.topic
    material = _material(state, services).model_copy(
        update={"plan": state.planned.model_copy(update={"topic": about}), "missing": _missing(state)}
    )

    async def ask() -> tuple[Summary | None, tuple[OutageNote, ...]]:
        try:
            return await services.analyst.write(material, depth="comprehensive"), ()
        except ModelError as error:
            return None, (await services.outage("model", error.who, error, Stage.SUMMARY),)

    (given,) = await services.side_by_side([("write", ask)])
    return given or (None, ())
