"""A case at the terminal: its plan, progress and result, and its output files."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.status import Status
from rich.table import Table

from inquest.app.files import write_whole
from inquest.cli.common import OutputFlags, stars, write_json_file
from inquest.domain.audit import OUTCOME_WORDS, Outcome
from inquest.domain.case import Case, CaseStatus
from inquest.domain.errors import StorageError, UserError
from inquest.domain.event import CaseQuestion, Event, EventType, Stage
from inquest.domain.investigation import InvestigationResult
from inquest.domain.report import Citation, OutageNote, outage_lines
from inquest.domain.topic import VerificationLevel

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

VERDICT_STYLE = {
    "verified": "green",
    "partially_true": "yellow",
    "contradicted": "red",
    "disputed": "magenta",
    "unverified": "dim",
}


class ProgressLines:
    """Shows events on a console; use as a context manager."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._status = Status("", console=console)
        self._live = console.is_terminal
        self._pending: list[OutageNote] = []  # consecutive outages, joined by their reason into one line
        self._shown: set[tuple[str, str]] = set()
        """Outages already shown, by place and reason, which are not repeated for other desks or rounds."""
        self._degraded: set[str] = set()

    def __enter__(self) -> ProgressLines:
        if self._live:
            self._status.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._show_outages()
        self._status.stop()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Hide the status line while the user is asked a question."""
        self._show_outages()
        self._status.stop()
        try:
            yield
        finally:
            if self._live:
                self._status.start()

    def show(self, event: Event) -> None:
        """Show an event as a line or in the status line."""
        if event.type is not EventType.OUTAGE:
            self._show_outages()
        own = _OWN_FORM.get(event.type)
        if own is not None:
            own(self, event)
        elif event.type in _LINES:
            self._console.print(_LINES[event.type].format(escape(event.text)))
        elif event.type in _MOVING:
            self._status.update(f"[dim]{escape(event.text)}[/]")
            if event.stage is Stage.PLAN and not self._live:
                # Nothing else is reported before the plan, so without a status line a slow page would look like a hang.
                self._console.print(f"[dim]{escape(event.text)}[/]")

    def _plan(self, event: Event) -> None:
        """Show at once that no engine can be queried, which is the first note of such a plan."""
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

    def _show_outages(self) -> None:
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
"""Events shown as a line, with its form."""
_MOVING = frozenset(
    (
        EventType.STAGE_STARTED, EventType.QUERY_ANSWERED, EventType.AGENT_THINKING, EventType.CLAIM_INVESTIGATING,
        EventType.CLAIM_CHECKED, EventType.WORKING, EventType.SEARCH_EXECUTED,
    )
)  # fmt: skip
"""Events shown in the status line. All others are not shown."""
_MOST_QUERIES = 24


def show_plan(case: Case) -> None:
    """Print the plan on standard error."""
    plan = case.plan
    assert plan is not None
    console = Console(stderr=True, highlight=False)
    console.rule(f"Investigation plan{f', revision {plan.revision}' if plan.revision > 1 else ''}", style="dim")
    console.print(f"[bold]Topic[/]  {escape(plan.topic)}")
    if case.check is not None:
        desks = {each.claim_id: each for each in case.check.routing}
        console.print("[bold]Claims to check[/]  (drop C3, C7 · only C1 and C4 · add: ...)")
        for claim in case.claims:
            place, kind = f"p. {claim.page}, " if claim.page else "", claim.type.value.replace("_", " and ")
            assigned = ", ".join(desks[claim.id].desks) if claim.id in desks else ""
            console.print(f"  [bold]{escape(claim.id)}[/]  {escape(claim.text)}")
            console.print(f"      [dim]{place}{kind}; desks: {assigned or 'none'}[/]")
    else:
        _list(console, "What will be investigated", plan.questions)
    _list(console, "People and things meant", [each.shown for each in plan.meant])
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
    # The same words may go to several engines or time ranges.
    texts = [text if count == 1 else f"{text}  ({count} ways)" for text, count in times.items()]
    more = [f"and {len(texts) - _MOST_QUERIES} more (all in the JSON)"] if len(texts) > _MOST_QUERIES else []
    _list(console, "Queries", [*texts[:_MOST_QUERIES], *more])
    console.print(f"[bold]Engines[/]  {', '.join(plan.engines) or 'none'}")
    _list(console, "Engines left out", plan.left_out)
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


def _list(console: Console, heading: str, lines: tuple[str, ...] | list[str]) -> None:
    if lines:
        console.print(f"[bold]{heading}[/]")
        for line in lines:
            console.print(f"  • {escape(line)}")


async def asked() -> str | None:
    """Ask for the user's answer to the plan. None: no answer (end of input)."""
    while True:
        sys.stderr.write("Approve (y), reject (n), or write what to change: ")
        sys.stderr.flush()
        if sys.stdin.isatty():
            # Wait for the terminal without a thread, which would keep Ctrl-C from ending the program.
            loop = asyncio.get_running_loop()
            typed = asyncio.Event()
            loop.add_reader(sys.stdin.fileno(), typed.set)
            try:
                await typed.wait()
            finally:
                loop.remove_reader(sys.stdin.fileno())
        line: str = await asyncio.to_thread(sys.stdin.readline)
        if not line:
            sys.stderr.write("\n")
            return None
        if line.strip():
            return line.strip()


_OPEN_CLAIMS, _QUOTE = 8, 300  # unverified claims with their nearest sentence, and the characters shown of it


def exit_code(case: Case) -> int:
    """0 done, 1 an audit with citations that do not hold, 2 an outage or a partial result, 130 stopped by the user."""
    if case.audit is not None and case.status is CaseStatus.COMPLETED:
        from inquest.app.cases.auditing import exit_code as audit_exit_code

        return audit_exit_code(case.audit, {each for each in Outcome if each is not Outcome.NO_CITATION}, None)
    if case.status is CaseStatus.COMPLETED or case.is_rejected:
        return 0
    return 130 if case.status is CaseStatus.CANCELLED else 2


async def write_outputs(app: Resources, case: Case, flags: OutputFlags) -> None:
    """Write the JSON and the reports."""
    from inquest.app.cases.claim_decisions import case_document
    from inquest.app.cases.reporting import render

    if flags.json_file is not None:
        write_json_file(flags.json_file, await case_document(app, case))
    if case.summary is None and flags.reports:
        Console(stderr=True).print("[yellow]The case has no result, so no report was written.[/]")
        return
    for path in flags.reports:
        write_whole(path, await render(app, case, path.suffix.lower().lstrip(".")))


async def write_and_show(
    app: Resources, case: Case, flags: OutputFlags, show: Callable[[list[Path]], Awaitable[None]]
) -> int:
    """Write the output files, show the result with their paths, and return the exit code. The result is shown even if
    it cannot be written. Raises UserError."""
    try:
        await write_outputs(app, case, flags)
    except UserError:
        await show([])
        raise
    await show(flags.reports)
    return exit_code(case)


async def _kept_report(app: Resources, case: Case) -> Path:
    """Write the HTML report into the data folder, and return its path."""
    from inquest.app.cases.reporting import render
    from inquest.app.files import replacing

    content = await render(app, case, "html")
    path = app.settings.home / "reports" / f"{case.id}.html"
    try:
        path.parent.mkdir(exist_ok=True)
        with replacing(path) as part:
            part.write_bytes(content)
    except OSError as error:
        raise StorageError(f"The report cannot be written to {path} ({error.strerror}).") from error
    return path


async def show_result(app: Resources, case: Case, reports: list[Path], *, to_stdout: bool) -> None:
    """Print the summary, the verdicts, and the paths of the report and the archive."""
    console = Console(stderr=not to_stdout, highlight=False)
    print_case(console, case)
    messages = Console(stderr=True, highlight=False)
    if case.why:
        messages.print(f"[yellow]{case.status.value}[/]: {escape(case.why)}")
    written = list(reports) if case.summary else []
    if case.summary and not written:
        written = [await _kept_report(app, case)]
    for path in written:
        messages.print(f"Report   {path.absolute()}", soft_wrap=True)
    if case.investigation is not None:
        messages.print(f"Level    {_level(case, case.investigation)}", soft_wrap=True)
    messages.print(
        f"Case     {case.id}   (inquest show {case.id} · inquest report {case.id} --format pdf)", soft_wrap=True
    )
    messages.print(f"Archive  {app.archive_folder}", soft_wrap=True)


def print_case(console: Console, case: Case) -> None:
    """Print the summary with numbered citations, and the verdicts."""
    if case.summary is None:
        return
    console.print()
    console.print(f"[bold]{escape(case.summary.title)}[/]")
    if case.audit is not None:
        for outcome, number in case.audit.tally:
            console.print(f"  {number:>4}  {OUTCOME_WORDS[outcome]}")
        for item in case.audit.by_harm:
            if item.outcome is not Outcome.HOLDS:
                console.print(f"\n[bold]{OUTCOME_WORDS[item.outcome]}[/]  {escape(item.statement.text)}")
                console.print(f"  [dim]{escape(item.reason)}[/]")
    if case.investigation is not None:
        console.print(_level(case, case.investigation), soft_wrap=True)
    for section in case.summary.sections:
        console.print(f"\n[bold]{escape(section.heading)}[/]")
        for statement in section.statements:
            cited = "".join(f"[{n}]" for n in case.cited_as(statement.finding_ids))
            console.print(f"  {escape(statement.text)} {escape(cited)}".rstrip())
    if case.assessments:
        console.print()
        console.print(_verdicts(case))
    if nearest := [near[0] for claim in case.claims if (near := case.nearest_to(claim.id))]:
        console.print("\n[bold]Closest sentences to the unverified claims, for you to judge[/]")
        domains = {source.id: source.domain or source.title for source in case.sources}
        for each in nearest[:_OPEN_CLAIMS]:
            quote = shorten(each.quote, _QUOTE, placeholder=" …")
            console.print(f"  {each.claim_id}: “{escape(quote)}” — {escape(domains.get(each.source_id, ''))}")


def show_answer(case: Case, asked: CaseQuestion, citations: Sequence[Citation]) -> None:
    """Print the answer to a question about a case, with its quotes."""
    console = Console(highlight=False)
    numbers = "".join(f"[{each.n}]" for each in citations)
    console.print(escape(f"{asked.worded} {numbers}".rstrip()), soft_wrap=True)
    for each in citations:
        console.print(escape(f"  [{each.n}] “{each.quote}” {each.url}"), soft_wrap=True)
    if not asked.answered:
        messages = Console(stderr=True, highlight=False)
        command = f'inquest question {case.id} "{asked.question}" --search'
        messages.print(f"Search for it: {escape(command)}", soft_wrap=True)


def _level(case: Case, result: InvestigationResult) -> str:
    """The outcome of an investigation in one line."""
    level, before = result.recommended_verification_level, result.upgrade.before
    style = "yellow" if level is VerificationLevel.UNVERIFIED else "green"
    line = f"[bold {style}]{level.value.upper()}[/], " + (f"was {before.value}" if level is not before else "unchanged")
    return f"{line}. Needs review: inquest review {case.id}" if result.requires_human_review else f"{line}."


def _verdicts(case: Case) -> Table:
    texts = {claim.id: claim.text for claim in case.claims}
    table = Table("verdict", "claim", "for", "against", "independent", box=None, pad_edge=False, title_justify="left")
    for assessment in case.assessments:
        style = VERDICT_STYLE[assessment.verdict.value]
        word = assessment.verdict.value.replace("_", " ") if assessment.checked else "could not be checked"
        table.add_row(
            f"[{style}]{word}[/]",
            escape(texts.get(assessment.claim_id, "")),
            str(len(assessment.supporting)),
            str(len(assessment.contradicting)),
            str(assessment.independent_sources),
        )
    return table
