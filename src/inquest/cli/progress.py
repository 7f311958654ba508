"""Live progress: what is being done per stage, and one line per source with its stars and key finding."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape
from rich.status import Status

from inquest.cli.common import stars
from inquest.domain.event import Event, EventType, Stage
from inquest.domain.outages import outage_lines
from inquest.domain.report import OutageNote

VERDICT_STYLE = {
    "verified": "green",
    "partially_true": "yellow",
    "contradicted": "red",
    "disputed": "magenta",
    "unverified": "dim",
}


class ProgressLines:
    """Tells events on a console; use as a context manager."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._status = Status("", console=console)
        self._live = console.is_terminal
        self._pending: list[OutageNote] = []
        """Outages that came one after another: what is out for the same reason is one line."""
        self._shown: set[tuple[str, str]] = set()
        """Outages that were shown, by place and reason: met again, by another desk or in another round, they are not
        shown again."""
        self._degraded: set[str] = set()

    def __enter__(self) -> ProgressLines:
        if self._live:
            self._status.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._tell_outages()
        self._status.stop()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Without the moving line, while the user is asked something."""
        self._tell_outages()
        self._status.stop()
        try:
            yield
        finally:
            if self._live:
                self._status.start()

    def tell(self, event: Event) -> None:
        """One event, as a line or in the moving line."""
        if event.type is not EventType.OUTAGE:
            self._tell_outages()
        own = _OWN_FORM.get(event.type)
        if own is not None:
            own(self, event)
        elif event.type in _LINES:
            self._console.print(_LINES[event.type].format(escape(event.text)))
        elif event.type in _MOVING:
            self._status.update(f"[dim]{escape(event.text)}[/]")
            if event.stage is Stage.PLAN and not self._live:
                # Before the plan nothing else is told: where no line moves, a page that hangs would be silence.
                self._console.print(f"[dim]{escape(event.text)}[/]")

    def _plan(self, event: Event) -> None:
        """Before anything is asked: that nobody can be, which is the first note of such a plan."""
        plan = event.data.get("plan")
        notes = plan.get("notes") if isinstance(plan, dict) and not plan.get("engines") else None
        if isinstance(notes, list) and notes:
            self._console.print(f"[bold]{escape(str(notes[0]))}[/]")

    def _source(self, event: Event) -> None:
        data = event.data
        credibility = f"[yellow]{stars(int(str(data['stars'])))}[/]  {escape(str(data['domain']))}"
        self._console.print(f"[bold]{escape(event.text)}[/]")
        self._console.print(f"   {credibility}  [dim]{escape(str(data['key_finding']))}[/]")

    def _left_out(self, event: Event) -> None:
        if (str(event.data.get("url")), str(event.data.get("why"))) not in self._shown:
            self._console.print(f"[dim]{escape(event.text)}[/]")

    def _verdict(self, event: Event) -> None:
        self._console.print(f"[{VERDICT_STYLE[str(event.data['verdict'])]}]{escape(event.text)}[/]")

    def _outage(self, event: Event) -> None:
        what, where, why, called = (str(event.data.get(name, "")) for name in ("what", "where", "why", "called"))
        if (where, why) not in self._shown:
            self._shown.add((where, why))
            self._pending.append(OutageNote(what=what, where=where, why=why, called=called, at=event.at))

    def _tell_outages(self) -> None:
        for line in outage_lines(self._pending, len(self._pending)):
            self._console.print(f"[yellow]{escape(line)}[/]")
        self._pending.clear()

    def _less_able(self, event: Event) -> None:
        if event.text not in self._degraded:
            self._degraded.add(event.text)
            self._console.print(f"[yellow]{escape(event.text)}[/]")


_OWN_FORM: Mapping[EventType, Callable[[ProgressLines, Event], None]] = {
    EventType.SOURCE_FOUND: ProgressLines._source,
    EventType.SOURCE_LEFT_OUT: ProgressLines._left_out,
    EventType.FACT_CHECKED: ProgressLines._verdict,
    EventType.VERDICT_CHANGED: ProgressLines._verdict,
    EventType.OUTAGE: ProgressLines._outage,
    EventType.PLAN_READY: ProgressLines._plan,
    EventType.DEGRADED: ProgressLines._less_able,
}
_LINES: Mapping[EventType, str] = {
    EventType.ANSWER_HEADLINE: "[bold green]First[/]  {}",
    EventType.TOPIC_INVESTIGATED: "[bold]{}[/]",
    EventType.CONTRADICTION_DETECTED: "   {}",
    EventType.TIMELINE_EVENT: "   {}",
    EventType.CLAIM_EXTRACTED: "   claim: {}",
    EventType.INFO_REQUEST_POSTED: "[dim]{}[/]",
    EventType.BUDGET_MET: "[yellow]{}[/]",
    EventType.DEPARTURE: "[yellow]{}[/]",
    EventType.STAGE_FINISHED: "[cyan]{}[/]",
    EventType.BIAS_ANALYSED: "[cyan]{}[/]",
    EventType.CASE_STARTED: "[cyan]{}[/]",
    EventType.CASE_RESUMED: "[cyan]{}[/]",
    EventType.AGENT_COMPLETED: "[cyan]{}[/]",
}
"""Events that are a line of their own, and how it looks."""
_MOVING = frozenset(
    (
        EventType.STAGE_STARTED,
        EventType.QUERY_ANSWERED,
        EventType.AGENT_THINKING,
        EventType.CLAIM_INVESTIGATING,
        EventType.SEARCH_EXECUTED,
    )
)
"""Events that only move the moving line; all others are not shown."""
