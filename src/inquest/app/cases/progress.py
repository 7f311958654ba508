"""Events of a running case before they are stored; and its progress: the current claim, the estimated end, and an event
with both while nothing else is reported."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from inquest.domain.case import Case, CaseStatus
from inquest.domain.errors import StorageError, Superseded
from inquest.domain.event import Event, EventType, Stage
from inquest.domain.languages import count
from inquest.domain.value import JsonValue
from inquest.flow.planned import seconds_of
from inquest.kit.ports import Clock, EventSink

SILENCE = 2.5
"""Seconds without an event before progress is reported, so that nobody waits more than three seconds."""
_JUDGED = (EventType.CLAIM_CHECKED, EventType.FACT_CHECKED)


@dataclass(frozen=True)
class Pace:
    """The progress of a case according to its events. `claim`: the number of the claim being checked, out of `claims`,
    or 0; `ends`: the estimated end of the checks and the time limit of the case, None before a plan is approved."""

    claim: int = 0
    claims: int = 0
    ends: tuple[datetime, datetime] | None = None

    def left(self, now: datetime) -> tuple[datetime, bool] | None:
        """The end, and True if it is estimated from the checks, False for the time limit; None: unknown or past."""
        if self.ends is None or self.ends[1] <= now:
            return None
        likely, latest = self.ends
        return (likely, likely != latest) if likely > now else (latest, False)


def pace_of(case: Case, events: Sequence[Event]) -> Pace:
    """The pace of a case according to its events, oldest first; for a further round, those of the round only."""
    claims = len({claim_of(e) for e in events if e.type in (EventType.CLAIM_EXTRACTED, EventType.CLAIMS_ROUTED)})
    started = [e.at for e in events if e.type in (EventType.PLAN_DECIDED, EventType.CASE_RESUMED)]
    if not started or case.status is CaseStatus.PLANNED:
        return Pace(claims=claims)
    latest = started[-1] + timedelta(seconds=seconds_of(case.brief, len(case.claims)))
    checks = [e.at for e in events if e.stage in (Stage.FACT_CHECK, Stage.DESKS)]
    judged = [e for e in events if e.type in _JUDGED]
    done = len({claim_of(e) for e in judged})
    likely = latest
    if checks and done and claims:
        likely = min(checks[0] + (judged[-1].at - checks[0]) * (claims / done), latest)
    return Pace(done + 1 if checks and done < claims else 0, claims, (likely, latest))


def claim_of(event: Event) -> str:
    """The id of the event's claim, or its text if it has no id."""
    return str(event.data.get("claim_id") or event.text)


class Beat:
    """Reports the progress of a case with EventType.WORKING, which is not stored, while it has no other events."""

    def __init__(
        self, sink: EventSink, case: Callable[[], Case | None], clock: Clock, earlier: Iterable[Event]
    ) -> None:
        """`case` returns the running case, or None while it waits and after its end. `earlier`: its events so far."""
        self._sink, self._case, self._clock = sink, case, clock
        self._events = list(earlier)
        self._last = 0.0

    def note(self, event: Event) -> None:
        """Take note of an event of the case."""
        self._last = asyncio.get_running_loop().time()
        if event.type is not EventType.WORKING:
            self._events.append(event)

    @asynccontextmanager
    async def going(self) -> AsyncIterator[None]:
        """Report while the block runs."""
        work = asyncio.ensure_future(self._report())
        try:
            yield
        finally:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)

    async def _report(self) -> None:
        loop = asyncio.get_running_loop()
        self._last = loop.time()
        with suppress(Superseded, StorageError):  # the work itself encounters and reports the same error
            while True:
                await asyncio.sleep(max(self._last + SILENCE - loop.time(), 0))
                if loop.time() - self._last >= SILENCE:
                    if (case := self._case()) is not None:
                        await self._emit(case)
                    self._last = loop.time()

    async def _emit(self, case: Case) -> None:
        now = self._clock.now()
        since = case.rounds[-1].at if case.rounds else case.created_at
        pace = pace_of(case, [event for event in self._events if event.at >= since])
        text = f"Claim {pace.claim} of {pace.claims} is being checked" if pace.claim else "At work"
        ends = pace.left(now)
        seconds = round((ends[0] - now).total_seconds()) if ends else None
        if ends and seconds and seconds > 0:
            duration = count(seconds, "second") if seconds < 90 else count(round(seconds / 60), "minute")
            text += f"; {'about' if ends[1] else 'at most'} {duration} left"
        await self._sink.emit(
            EventType.WORKING, f"{text}.", claim=pace.claim or None, claims=pace.claims or None, seconds_left=seconds
        )


class MemorySink:
    """Numbers events and passes each to `keep` (kit.ports.EventSink)."""

    def __init__(self, case_id: str, clock: Clock, keep: Callable[[Event], object] = lambda event: None) -> None:
        self._case_id, self._clock, self._keep, self._count = case_id, clock, keep, 0

    async def emit(self, type: EventType, text: str, **details: Any) -> Event:
        return self.add(type, text, **details)

    def add(
        self, type: EventType, text: str, *, stage: Stage | None = None, marker: str | None = None, **data: JsonValue
    ) -> Event:
        """Emit an event synchronously."""
        self._count += 1
        now = self._clock.now()
        event = Event(
            id=self._count, case_id=self._case_id, at=now, type=type, stage=stage, text=text, marker=marker, data=data
        )
        self._keep(event)
        return event
