"""A case at the terminal: its result, and the files it is written to."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from inquest.cli.common import write_json_file, write_whole
from inquest.cli.options import OutputFlags
from inquest.cli.progress import VERDICT_STYLE
from inquest.domain.case import Case, CaseStatus
from inquest.domain.case_question import CaseQuestion
from inquest.domain.errors import UserError
from inquest.domain.investigation import InvestigationResult
from inquest.domain.report import Citation
from inquest.domain.topic import VerificationLevel

if TYPE_CHECKING:
    from inquest.app.build import App

_CLAIMS, _QUOTE = 8, 300
"""Unverified claims that the terminal shows the nearest sentence of, and its characters."""
LEVEL_STYLE = {VerificationLevel.UNVERIFIED: "yellow"}


def exit_code(case: Case) -> int:
    """0 done, 2 an outage or a partial result, 130 stopped by the user."""
    if case.status is CaseStatus.COMPLETED or case.is_rejected:
        return 0
    return 130 if case.status is CaseStatus.CANCELLED else 2


async def write_outputs(app: App, case: Case, flags: OutputFlags) -> None:
    """Write the JSON and the reports that were asked for."""
    if flags.json_file is not None:
        write_json_file(flags.json_file, await app.case_document(case))
    if case.summary is None and flags.reports:
        Console(stderr=True).print("[yellow]There is nothing to report, so no report was written.[/]")
        return
    for path in flags.reports:
        write_whole(path, await app.render(case, path.suffix.lower().lstrip(".")))


async def write_and_show(
    app: App, case: Case, flags: OutputFlags, show: Callable[[list[Path]], Awaitable[None]]
) -> int:
    """Write what was asked for, and show the result with where it lies; returns the exit code. What was found is shown
    also where it cannot be written. Raises UserError."""
    try:
        await write_outputs(app, case, flags)
    except UserError:
        await show([])
        raise
    await show(flags.reports)
    return exit_code(case)


async def show_result(app: App, case: Case, reports: list[Path], *, to_stdout: bool) -> None:
    """The summary, the verdicts, and where everything is kept."""
    console = Console(stderr=not to_stdout, highlight=False)
    print_case(console, case)
    messages = Console(stderr=True, highlight=False)
    if case.why:
        messages.print(f"[yellow]{case.status.value}[/]: {escape(case.why)}")
    written = list(reports) if case.summary else []
    if case.summary and not written:
        written = [await app.keep_report(case)]
    for path in written:
        messages.print(f"Report   {path.absolute()}", soft_wrap=True)
    if case.investigation is not None:
        messages.print(f"Level    {_level(case, case.investigation)}", soft_wrap=True)
    messages.print(
        f"Case     {case.id}   (inquest show {case.id} · inquest report {case.id} --format pdf)", soft_wrap=True
    )
    messages.print(f"Archive  {app.archive_folder}", soft_wrap=True)


def print_case(console: Console, case: Case) -> None:
    """The summary with its numbered citations, and the verdicts."""
    if case.summary is None:
        return
    console.print()
    console.print(f"[bold]{escape(case.summary.title)}[/]")
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
    if case.nearest:
        console.print("\n[bold]Nearest to what could not be verified, for you to judge[/]")
        domains = {source.id: source.domain or source.title for source in case.sources}
        for id in list(dict.fromkeys(each.claim_id for each in case.nearest))[:_CLAIMS]:
            near = case.nearest_to(id)[0]
            quote = shorten(near.quote, _QUOTE, placeholder=" …")
            console.print(f"  {id}: “{escape(quote)}” — {escape(domains.get(near.source_id, ''))}")


def show_answer(case: Case, asked: CaseQuestion, citations: Sequence[Citation]) -> None:
    """The answer to a question about a case, with its quotes."""
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
    """What a topic's investigation came to, in a line."""
    level, before = result.recommended_verification_level, result.upgrade.before
    style = LEVEL_STYLE.get(level, "green")
    said = f"[bold {style}]{level.value.upper()}[/], " + (f"was {before.value}" if level is not before else "as before")
    return f"{said}. To be looked at: inquest review {case.id}" if result.requires_human_review else f"{said}."


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
