"""Timeline: dated sentences of the sources, merged into events, each resting on findings."""

from __future__ import annotations

from inquest.desks.inquiry.timeline import dated_passages
from inquest.domain.document import Published
from inquest.domain.event import EventType, Stage
from inquest.domain.finding import Finding, Stance
from inquest.domain.report import TimelineEvent
from inquest.flow.services import Services
from inquest.flow.state import CaseState, Delta
from inquest.kit.analyst import DatedPassage, EventDraft
from inquest.text.grounding import check_grounded


async def timeline(state: CaseState, services: Services) -> Delta:
    """The events that matter, oldest first. Quick mode leaves them out."""
    assert state.plan is not None
    if state.brief.mode.settings.skip_timeline:
        return await _skipped(services, "Quick mode: no timeline is made.")
    await services.progress(Stage.TIMELINE, "Constructing the timeline from the sources")
    topic = state.plan.topic
    passages: list[DatedPassage] = []
    texts: dict[str, str] = {}
    for source in state.sources:
        document = None if source.excluded else await services.archive.document(source.snapshot)
        if document:
            texts[document.snapshot] = document.text
            for found in dated_passages(document, source, state.plan.topic):
                passages.append(found.model_copy(update={"id": f"D{len(passages) + 1}"}))
    if not passages:
        return await _skipped(services, "The sources give no dates.")
    drafts, outages = await services.judged("timeline", lambda analyst: analyst.events(topic, passages), Stage.TIMELINE)
    by_id = {passage.id: passage for passage in passages}
    findings: list[Finding] = []
    events = tuple(_event(draft, by_id, texts, findings) for draft in drafts)
    for event in events:
        await services.events.emit(
            EventType.TIMELINE_EVENT,
            f"{event.date}: {event.text}",
            stage=Stage.TIMELINE,
            event_date=event.date,
            event_text=event.text,
            source_ids=list(event.source_ids),
            conflict=event.conflict,
        )
    return {"timeline": events, "event_findings": tuple(findings), "outages": outages}


async def _skipped(services: Services, why: str) -> Delta:
    await services.events.emit(EventType.STAGE_FINISHED, why, stage=Stage.TIMELINE, marker="TIMELINE_SKIPPED")
    return {"markers": ("TIMELINE_SKIPPED",)}


def _event(
    draft: EventDraft, passages: dict[str, DatedPassage], texts: dict[str, str], findings: list[Finding]
) -> TimelineEvent:
    told_by = [passages[passage_id] for passage_id in draft.passages]
    date = Published(at=draft.date, precision=draft.precision).iso
    made = []
    for passage in told_by:
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
        source_ids=tuple(dict.fromkeys(passage.source_id for passage in told_by)),
        finding_ids=tuple(made),
        conflict=draft.conflict,
    )
