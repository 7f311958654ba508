"""A case while it runs, as its events tell it: the stage it is at, what was found, what is being checked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from inquest.app.pages.event_lines import SourceLine, found_source
from inquest.domain.case import Case, CaseKind
from inquest.domain.event import Event, EventType, Stage

_AT_ONCE = (Stage.FACT_CHECK, Stage.BIAS, Stage.TIMELINE)
_STEPS = {
    CaseKind.CLAIMS: ((Stage.PLAN,), (Stage.CLAIMS,), (Stage.DESKS,), (Stage.EXCHANGE, Stage.JUDGE), (Stage.SUMMARY,)),
    CaseKind.MARKET: ((Stage.PLAN,), (Stage.SOURCES,), (Stage.SUMMARY,)),
}
"""The stages in their order; those of one group run beside one another."""
_USUAL = ((Stage.PLAN,), (Stage.SOURCES,), (Stage.CLAIMS,), _AT_ONCE, (Stage.SUMMARY,))
_LATEST_SOURCES = 5
_LATEST_LINES = 8
_URL_OF = {EventType.SOURCE_FOUND: "url", EventType.SOURCE_EVALUATED: "source_url"}
"""Events that tell of a source, and where each has its address."""
_SHOWN_IN_PROGRESS = frozenset(
    (
        EventType.STAGE_STARTED,
        EventType.STAGE_FINISHED,
        EventType.QUERY_ANSWERED,
        EventType.SEARCH_EXECUTED,
        EventType.FACT_CHECKED,
        EventType.OUTAGE,
        EventType.ERROR,
        EventType.CONTRADICTION_DETECTED,
        EventType.VERDICT_CHANGED,
    )
)


@dataclass(frozen=True)
class CaseStep:
    """A stage of the case: `state` is done, now or later."""

    stage: str
    state: str


@dataclass(frozen=True)
class CaseProgress:
    """What has happened so far. `lines` and `sources` are the latest, newest first."""

    steps: tuple[CaseStep, ...] = ()
    sources: tuple[SourceLine, ...] = ()
    lines: tuple[Event, ...] = ()
    checking: str = ""
    """The claim that was checked last."""
    counts: dict[str, int] = field(default_factory=dict)
    """found sources (those that the case holds are among them), claims, checked claims, outages."""
    begun: datetime | None = None
    """When the first of these events happened."""
    last_id: int = 0
    last_at: datetime | None = None
    stopping: bool = False
    """True once somebody asked it to stop."""


def progress_of(case: Case, events: Sequence[Event]) -> CaseProgress:
    """The state that these events, oldest first, have brought the case to; of a further round, its own alone."""
    if case.rounds:
        events = [event for event in events if event.at >= case.rounds[-1].at]
    checked = [event for event in events if event.type in (EventType.FACT_CHECKED, EventType.CLAIM_INVESTIGATING)]
    found = {_text(event, _URL_OF[event.type]) or event.text: event for event in events if event.type in _URL_OF}
    latest = sorted(found.values(), key=lambda event: event.id, reverse=True)[:_LATEST_SOURCES]
    return CaseProgress(
        steps=_steps(case, events),
        sources=tuple(map(found_source, latest)),
        lines=tuple(reversed([event for event in events if event.type in _SHOWN_IN_PROGRESS][-_LATEST_LINES:])),
        checking=_text(checked[-1], "claim_text") or checked[-1].text if checked else "",
        counts={
            "sources": max(len(found), 0 if case.rounds else sum(not each.excluded for each in case.sources)),
            "claims": len(_claims(events)),
            "checked": sum(event.type is EventType.FACT_CHECKED for event in events),
            "outages": len({event.text for event in events if event.type is EventType.OUTAGE}),
        },
        begun=events[0].at if events else None,
        last_id=events[-1].id if events else 0,
        last_at=events[-1].at if events else None,
        stopping=any(event.type is EventType.CANCELLED for event in events),
    )


def _claims(events: Iterable[Event]) -> set[str]:
    kinds = (EventType.CLAIM_EXTRACTED, EventType.CLAIMS_ROUTED)
    return {_text(event, "claim_id") or event.text for event in events if event.type in kinds}


def _steps(case: Case, events: Iterable[Event]) -> tuple[CaseStep, ...]:
    groups = _STEPS.get(case.kind, _USUAL)
    seen = {event.stage for event in events if event.stage is not None}
    reached = max((place for place, group in enumerate(groups) if seen.intersection(group)), default=0)
    if case.status.ended:
        reached = len(groups)
    states = ["done" if place < reached else "now" if place == reached else "later" for place in range(len(groups))]
    return tuple(CaseStep(stage.value, state) for group, state in zip(groups, states, strict=True) for stage in group)


def _text(event: Event, name: str) -> str:
    value = event.data.get(name)
    return value if isinstance(value, str) else ""
