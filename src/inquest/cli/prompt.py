"""The plan, and the question whether to carry it out."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.markup import escape

from inquest.cli.common import stars
from inquest.domain.plan import Plan

__all__ = ["ask", "show_plan"]


def show_plan(plan: Plan) -> None:
    """The plan as a person reads it, on standard error."""
    console = Console(stderr=True, highlight=False)
    console.rule(f"Investigation plan{f', revision {plan.revision}' if plan.revision > 1 else ''}", style="dim")
    console.print(f"[bold]Topic[/]  {escape(plan.topic)}")
    _list(console, "What will be investigated", plan.questions)
    _list(console, "Sources to gather", plan.source_kinds)
    if plan.user_sources:
        console.print("[bold]Your pages[/]")
        for page in plan.user_sources:
            if page.why_not:
                console.print(f"  [red]could not be read[/]  {escape(page.url)}: {escape(page.why_not)}")
            else:
                console.print(f"  {stars(page.stars)}  {escape(page.title)} ({escape(page.domain)})")
    _list(console, "Queries", [query.text for query in plan.queries])
    console.print(f"[bold]Engines[/]  {', '.join(plan.engines) or 'none'}")
    _list(console, "Not asked", plan.left_out)
    low, high = plan.mode.settings.minutes
    analyst = "the local analyst (rules, no model service)" if plan.analyst == "local" else escape(plan.analyst)
    console.print(
        f"[bold]Mode[/]  {plan.mode.value} (up to {plan.mode.settings.source_limit} sources), read by {analyst}"
    )
    if plan.analyst != "local":
        console.print(f"[bold]Estimated time[/]  {low} to {high} minutes")
    for note in plan.notes:
        console.print(f"[dim]{escape(note)}[/]")
    console.rule(style="dim")


def _list(console: Console, heading: str, lines: tuple[str, ...] | list[str]) -> None:
    if lines:
        console.print(f"[bold]{heading}[/]")
        for line in lines:
            console.print(f"  • {escape(line)}")


def ask() -> str | None:
    """What the user says to the plan: 'approve', 'reject', or the words of a change. None: no answer (end of input)."""
    sys.stderr.write("Approve (y), reject (n), or say what to change: ")
    sys.stderr.flush()
    line = sys.stdin.readline()
    if not line:
        sys.stderr.write("\n")
        return None
    return line.strip() or ask()
