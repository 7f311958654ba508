"""Make the timeline of dated events, each with its findings, and the balance of the sources."""

from __future__ import annotations

from inquest.desks.inquiry.timeline import dated_passages
from inquest.domain.document import Document, Published
from inquest.domain.event import EventType, Stage
from inquest.domain.finding import Finding, Stance
from inquest.domain.reasons import Reason
from inquest.domain.report import TimelineEvent
from inquest.domain.source import Source
from inquest.flow.services import Services, texts_of
from inquest.flow.state import CaseState, Delta
from inquest.kit.analyst import DatedPassage, EventDraft
from inquest.text.grounding import check_grounded
from inquest.text.phrases import stated
from inquest.verdicts.overall_bias import overall_bias


async def timeline(state: CaseState, services: Services) -> Delta:
    """Make the timeline, oldest event first. Quick mode skips it."""
    assert state.plan is not None
    if state.brief.mode.settings.skip_timeline:
        return await services.skipped("Quick mode: no timeline is made.", Stage.TIMELINE, "TIMELINE_SKIPPED")
    await services.progress(Stage.TIMELINE, "Constructing the timeline from the sources")
    topic = state.plan.topic
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
    assert state.plan is not None
    topic, pairs = state.plan.topic, await _counted(state, services)
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
