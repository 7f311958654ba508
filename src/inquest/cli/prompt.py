"""The plan, and the question whether to carry it out."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter

from rich.console import Console
from rich.markup import escape

from inquest.cli.common import stars
from inquest.domain.case import Case
from inquest.domain.check import CheckRecord
from inquest.domain.claim import Claim

_MOST = 24
"""Queries that are shown one by one."""


def show_plan(case: Case) -> None:
    """The plan as a person reads it, on standard error."""
    plan = case.plan
    assert plan is not None
    console = Console(stderr=True, highlight=False)
    console.rule(f"Investigation plan{f', revision {plan.revision}' if plan.revision > 1 else ''}", style="dim")
    console.print(f"[bold]Topic[/]  {escape(plan.topic)}")
    if case.check is not None:
        _claims(console, case.claims, case.check)
    else:
        _list(console, "What will be investigated", plan.questions)
    _list(console, "Who and what is meant", [each.shown for each in plan.meant])
    if plan.times:
        console.print(f"[bold]Time[/]  {escape(', '.join(plan.times))}")
    _list(console, "Sources to gather", plan.source_kinds)
    if plan.user_sources:
        console.print("[bold]Your pages[/]")
        for page in plan.user_sources:
            if page.why_not:
                console.print(f"  [red]could not be read[/]  {escape(page.url)}: {escape(page.why_not)}")
            else:
                console.print(f"  {stars(page.stars)}  {escape(page.title)} ({escape(page.domain)})")
    times = Counter(query.text for query in plan.queries)
    # The same words are put to other engines, and for other times.
    texts = [text if count == 1 else f"{text}  ({count} ways)" for text, count in times.items()]
    more = [f"and {len(texts) - _MOST} more (all of them in the JSON)"] if len(texts) > _MOST else []
    _list(console, "Queries", [*texts[:_MOST], *more])
    console.print(f"[bold]Engines[/]  {', '.join(plan.engines) or 'none'}")
    _list(console, "Not asked", plan.left_out)
    analyst = "the local analyst (rules, no model service)" if plan.unaided else escape(plan.analyst)
    if case.check is not None:
        console.print(f"[bold]Read by[/]  {analyst}")
    else:
        settings = plan.mode.settings
        console.print(f"[bold]Mode[/]  {plan.mode.value} (up to {settings.source_limit} sources), read by {analyst}")
        if not plan.unaided:
            console.print(f"[bold]Estimated time[/]  {settings.minutes[0]} to {settings.minutes[1]} minutes")
    for note in plan.notes:
        console.print(f"[dim]{escape(note)}[/]")
    console.rule(style="dim")


def _claims(console: Console, claims: tuple[Claim, ...], check: CheckRecord) -> None:
    desks = {each.claim_id: each for each in check.routing}
    console.print("[bold]Claims to check[/]  (drop C3, C7 · only C1 and C4 · add: ...)")
    for claim in claims:
        page, kind = f"p. {claim.page}, " if claim.page else "", claim.type.value.replace("_", " and ")
        looking = ", ".join(desks[claim.id].desks) if claim.id in desks else ""
        console.print(f"  [bold]{escape(claim.id)}[/]  {escape(claim.text)}")
        console.print(f"      [dim]{page}{kind}; looked at by {looking or 'nobody'}[/]")


def _list(console: Console, heading: str, lines: tuple[str, ...] | list[str]) -> None:
    if lines:
        console.print(f"[bold]{heading}[/]")
        for line in lines:
            console.print(f"  • {escape(line)}")


async def asked() -> str | None:
    """What the user says to the plan: 'approve', 'reject', or the words of a change. None: no answer (end of input)."""
    while True:
        sys.stderr.write("Approve (y), reject (n), or say what to change: ")
        sys.stderr.flush()
        if sys.stdin.isatty():
            await _something_typed()
        line: str = await asyncio.to_thread(sys.stdin.readline)
        if not line:
            sys.stderr.write("\n")
            return None
        if line.strip():
            return line.strip()


async def _something_typed() -> None:
    """Waits on the terminal without a thread: one that waits for a line would keep Ctrl-C from ending the program."""
    loop = asyncio.get_running_loop()
    typed = asyncio.Event()
    loop.add_reader(sys.stdin.fileno(), typed.set)
    try:
        await typed.wait()
    finally:
        loop.remove_reader(sys.stdin.fileno())
