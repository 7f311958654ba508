"""Live progress: what is being done per stage, and one line per source with its stars and key finding."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape
from rich.status import Status

from inquest.cli.common import stars
from inquest.domain.event import Event, EventType, Stage

__all__ = ["Progress"]

VERDICT_STYLE = {
    "verified": "green",
    "partially_true": "yellow",
    "contradicted": "red",
    "disputed": "magenta",
    "unverified": "dim",
}


class Progress:
    """Tells events on a console; use as a context manager."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._status = Status("", console=console)
        self._live = console.is_terminal
        self._missing: set[str] = set()
        """Outages that were told: the same trouble met again, by another desk or in another round, is one line."""

    def __enter__(self) -> Progress:
        if self._live:
            self._status.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._status.stop()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Without the moving line, while the user is asked something."""
        self._status.stop()
        try:
            yield
        finally:
            if self._live:
                self._status.start()

    def tell(self, event: Event) -> None:
        """One event, as a line or in the moving line."""
        say, data, text = self._console.print, event.data, escape(event.text)
        match event.type:
            case EventType.SOURCE_FOUND:
                say(f"[bold]{text}[/]")
                credibility = f"[yellow]{stars(int(str(data['stars'])))}[/]  {escape(str(data['domain']))}"
                say(f"   {credibility}  [dim]{escape(str(data['key_finding']))}[/]")
            case EventType.ANSWER_HEADLINE:
                say(f"[bold green]First[/]  {text}")
            case EventType.SOURCE_LEFT_OUT:
                # A page that could not be read was told as an outage, in the same words.
                if not any(missing.endswith(event.text.removeprefix("Left out ")) for missing in self._missing):
                    say(f"[dim]{text}[/]")
            case EventType.FACT_CHECKED | EventType.VERDICT_CHANGED:
                say(f"[{VERDICT_STYLE[str(data['verdict'])]}]{text}[/]")
            case EventType.TOPIC_INVESTIGATED:
                say(f"[bold]{text}[/]")
            case EventType.CONTRADICTION_DETECTED:
                say(f"   {text}")
            case EventType.INFO_REQUEST_POSTED | EventType.REINVESTIGATION_REQUESTED:
                say(f"[dim]{text}[/]")
            case EventType.OUTAGE:
                if event.text not in self._missing:
                    self._missing.add(event.text)
                    # Of a desk that is not installed the reason says itself who it is.
                    said = escape(str(data["why"])) if data.get("what") == "desk" else text
                    say(f"[yellow]{said}[/]")
            case EventType.BUDGET_MET | EventType.DEPARTURE | EventType.DEGRADED:
                say(f"[yellow]{text}[/]")
            case EventType.CLAIM_EXTRACTED:
                say(f"   claim: {text}")
            case EventType.TIMELINE_EVENT:
                say(f"   {text}")
            case (
                EventType.STAGE_FINISHED
                | EventType.BIAS_ANALYSED
                | EventType.CASE_STARTED
                | EventType.CASE_RESUMED
                | EventType.AGENT_COMPLETED
            ):
                say(f"[cyan]{text}[/]")
            case (
                EventType.STAGE_STARTED
                | EventType.QUERY_ANSWERED
                | EventType.AGENT_THINKING
                | EventType.CLAIM_INVESTIGATING
                | EventType.SEARCH_EXECUTED
            ):
                self._status.update(f"[dim]{text}[/]")
                if event.stage is Stage.PLAN and not self._live:
                    # Before the plan nothing else is told: where no line moves, a page that hangs would be silence.
                    say(f"[dim]{text}[/]")
            case _:
                pass
