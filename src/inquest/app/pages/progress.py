"""A case while it runs, as its events tell it: the stage it is at, what was found, what is being checked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from inquest.app.pages.event_lines import FoundSource, found_source
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
class Step:
    """A stage of the case: `state` is done, now or later."""

    stage: str
    state: str


@dataclass(frozen=True)
class Progress:
    """What has happened so far. Counts are of events; `lines` and `sources` are the latest, newest first."""

    steps: tuple[Step, ...] = ()
    sources: tuple[FoundSource, ...] = ()
    lines: tuple[Event, ...] = ()
    checking: str = ""
    """The claim that was checked last."""
    counts: dict[str, int] = field(default_factory=dict)
    """found sources, claims, checked claims, outages."""
    last_id: int = 0
    last_at: datetime | None = None
    stopping: bool = False
    """True once somebody asked it to stop."""


def progress_of(case: Case, events: Sequence[Event]) -> Progress:
    """The state that these events, oldest first, have brought the case to."""
    counted = (
        (EventType.SOURCE_FOUND, "sources"),
        (EventType.CLAIM_EXTRACTED, "claims"),
        (EventType.FACT_CHECKED, "checked"),
        (EventType.OUTAGE, "outages"),
    )
    checked = [event for event in events if event.type in (EventType.FACT_CHECKED, EventType.CLAIM_INVESTIGATING)]
    return Progress(
        steps=_steps(case, events),
        sources=tuple(
            found_source(event)
            for event in reversed([each for each in events if each.type is EventType.SOURCE_FOUND][-_LATEST_SOURCES:])
        ),
        lines=tuple(reversed([event for event in events if event.type in _SHOWN_IN_PROGRESS][-_LATEST_LINES:])),
        checking=_text(checked[-1], "claim_text") or checked[-1].text if checked else "",
        counts={name: sum(event.type is kind for event in events) for kind, name in counted},
        last_id=events[-1].id if events else 0,
        last_at=events[-1].at if events else None,
        stopping=any(event.type is EventType.CANCELLED for event in events),
    )


def _steps(case: Case, events: Iterable[Event]) -> tuple[Step, ...]:
    groups = _STEPS.get(case.kind, _USUAL)
    seen = {event.stage for event in events if event.stage is not None}
    reached = max((place for place, group in enumerate(groups) if seen.intersection(group)), default=0)
    if case.status.ended:
        reached = len(groups)
    states = ["done" if place < reached else "now" if place == reached else "later" for place in range(len(groups))]
    return tuple(Step(stage.value, state) for group, state in zip(groups, states, strict=True) for stage in group)


def _text(event: Event, name: str) -> str:
    value = event.data.get(name)
    return value if isinstance(value, str) else ""
