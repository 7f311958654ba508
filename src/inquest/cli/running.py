"""`inquest run`, `check`, `verify`, `ask`, `resume`, `question`, `replay`, `demo`, `save` and `templates`."""

from __future__ import annotations

import importlib.util
import os
import shlex
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from inquest.app.cases.case_request import (
    ClaimsRequest,
    Depth,
    InquiryRequest,
    MarketQuestion,
    TopicRequest,
    request_of,
)
from inquest.app.files import is_there, readable
from inquest.app.grouped import spelled_out
from inquest.cli.common import (
    Approve,
    Approving,
    CaseId,
    ClaimsFile,
    OutputFlags,
    command_of,
    err_console,
    note_on_topic,
    options_of,
    warn_of_future,
    with_app,
)
from inquest.domain.errors import InputError, SettingError

if TYPE_CHECKING:
    from inquest.app.cases.session import Session
    from inquest.app.wiring.resources import Resources
    from inquest.domain.case import Case
    from inquest.domain.plan import Approval, Brief

MAX_BRIEF = 100_000
"""Characters. Longer input is a document, not a brief."""


@spelled_out
def run(
    options: Annotated[dict[str, Any], options_of(InquiryRequest, "brief")],
    output: OutputFlags,
    brief: str | None = typer.Argument(
        None, help="What you want to know, a file that says so, or `-` for standard input."
    ),
    approve: Approving = "ask",
) -> int:
    """Plan an inquiry, show the plan, and once it is approved, investigate and report."""
    from inquest.app.desks.briefs import brief_of

    request = request_of(InquiryRequest, {**options, "brief": _brief_text(brief)})
    return carry_out_new(lambda app: brief_of(app, request), approve, output)


@spelled_out
def resume(output: OutputFlags, case: CaseId, approve: Approving = "ask") -> int:
    """Continue a case that is waiting for approval, or was stopped or interrupted."""
    check_targets(output)

    async def work(app: Resources) -> int:
        from inquest.app.cases.session import open_session

        return await _carry_out(app, await open_session(app, case), approve, output)

    return with_app(work)


@spelled_out
def question(
    output: OutputFlags,
    case: CaseId,
    question: str = typer.Argument(..., help="What you want to know."),
    search: bool = typer.Option(False, "--search", help="Search for the answer in a further round of the case."),
    approve: Approving = "ask",
) -> int:
    """Ask a question about a case that has ended, answered from its archived pages with quotes."""
    check_targets(output)

    async def work(app: Resources) -> int:
        from inquest.app.cases.claim_decisions import ask_case
        from inquest.app.cases.requests import user_name
        from inquest.app.cases.session import open_session
        from inquest.app.service.case_actions import reopen
        from inquest.cli.show import show_answer, write_outputs

        found = await app.case(case)
        if search:
            await reopen(app, found, "", question, by=user_name())
            return await _carry_out(app, await open_session(app, found.id), approve, output)
        show_answer(found, *await ask_case(app, found, question, by=user_name()))
        await write_outputs(app, found, output)
        return 0

    return with_app(work)


@spelled_out
def replay(output: OutputFlags, case: CaseId) -> int:
    """Run a case again from its recording, offline, and compare the reports byte for byte."""
    check_targets(output)

    async def work(app: Resources) -> int:
        from inquest.app.cases.reporting import replay as replayed
        from inquest.cli.show import write_outputs

        again = await replayed(app, case)
        await write_outputs(app, again.case, output)
        if again.same:
            err_console().print(f"[green]The report is identical[/] ({again.replies} recorded replies).")
            return 0
        err_console().print(f"[red]The report differs[/]: {again.difference}")
        return 2

    return with_app(work)


@spelled_out
def demo(
    output: OutputFlags,
    mode: Depth = typer.Option("detailed", help="quick or detailed. No effect with --claims."),
    claims: bool = typer.Option(False, "--claims", help="Check the claims in a bundled sustainability report."),
    topic: bool = typer.Option(False, "--topic", help="Verify a headline from the bundled press articles."),
) -> int:
    """Run an inquiry, a claim check or a topic on the bundled collection, without keys or a network."""
    if claims and topic:
        raise InputError("--claims and --topic cannot be combined.", advice="Use one of them.")
    from inquest.app.desks.briefs import prepare

    which = "claims" if claims else "topic" if topic else "inquiry"
    return carry_out_new(lambda app: prepare(app, which, mode), "auto", output, plan_first=True)


def carry_out_new(
    brief: Callable[[Resources], Awaitable[Brief]], approve: Approve, output: OutputFlags, *, plan_first: bool = False
) -> int:
    """Run a new case to its end, after checking its output files, and return the exit code. `plan_first`: show the plan
    even without asking for approval."""
    check_targets(output)

    async def work(app: Resources) -> int:
        from inquest.app.cases.session import new_session

        session = await new_session(app, await brief(app), approved=approve == "auto")
        return await _carry_out(app, session, approve, output, plan_first=plan_first)

    return with_app(work)


async def _carry_out(
    app: Resources, session: Session, approve: Approve, output: OutputFlags, *, plan_first: bool = False
) -> int:
    """Run a case to its end, write and show the result, and return the exit code."""
    from inquest.cli.show import show_result, write_and_show

    case = await to_its_end(app, session, approve, plan_first=plan_first)
    if case is None:
        return 0
    return await write_and_show(app, case, output, partial(show_result, app, case, to_stdout=output.to_stdout))


async def to_its_end(app: Resources, session: Session, approve: Approve, *, plan_first: bool = False) -> Case | None:
    """Run a case to its end with progress; None: its plan waits for an answer."""
    from inquest.cli.show import ProgressLines, show_plan
    from inquest.domain.case import CaseStatus

    console = err_console()
    warn_of_future(session.case.brief.as_of, app.clock.now())
    with ProgressLines(console) as progress, _stoppable(session):

        async def answered(case: Case) -> Approval | None:
            with progress.paused():
                if plan_first:
                    show_plan(case)
                return await _decision(case, approve if case.brief.needs_approval else "auto")

        session.listen(progress.show)
        with _resumable(session):
            async with session:
                case = await session.run(answered)
    if case.status is CaseStatus.PLANNED:
        console.print(f"The plan is saved. Continue with: [bold]inquest resume {case.id}[/]")
        return None
    return case


@contextmanager
def _resumable(session: Session) -> Iterator[None]:
    """Print the command to resume an interrupted case."""
    from inquest.domain.case import CaseStatus

    try:
        yield
    except BaseException:
        if session.is_kept and (not session.case.status.ended or session.case.status is CaseStatus.CANCELLED):
            resume = f"[bold]inquest resume {session.case.id}[/]"
            err_console().print(f"The case is saved so far. Continue with: {resume}", soft_wrap=True)
        raise


async def _decision(case: Case, approve: Approve) -> Approval | None:
    from inquest.app.cases.requests import approval_from
    from inquest.cli.show import asked, show_plan

    assert case.plan is not None
    if approve == "auto":
        return approval_from("approve", case.plan, how="option")
    show_plan(case)
    answer = await asked()
    return None if answer is None else approval_from(answer, case.plan, how="prompt")


def _brief_text(given: str | None) -> str:
    """Read the brief from the argument, a file named by it, or standard input."""
    if given is None or given == "-":
        if given is None and sys.stdin.isatty():
            raise InputError("Missing brief.", advice='Write one: inquest run "What do you want to know?"')
        return _checked(sys.stdin.read(), "standard input")
    path = Path(given).expanduser()
    if "\n" not in given and is_there(path) and path.is_file():
        with readable(path):
            content = path.read_bytes()
            if content.startswith(b"%PDF-"):
                raise InputError(
                    f"{path} is a PDF, not a brief.",
                    advice=f"Check its claims: inquest check {path} --company NAME. Or add it to a collection "
                    "(inquest collection add NAME FILE), and write the brief in words.",
                )
            return _checked(content.decode("utf-8-sig").replace("\r\n", "\n"), str(path))
    if path.suffix in (".txt", ".md") and " " not in given:
        raise InputError(f"There is no file {given}.", advice="Check the path, or write the brief in quotes.")
    return _checked(given, "the brief")


def _checked(text: str, where: str) -> str:
    if not text.strip():
        raise InputError(f"The brief is empty ({where}).", advice="Write what you want to know in a sentence or two.")
    if len(text) > MAX_BRIEF:
        raise InputError(
            f"The brief has {len(text):,} characters: expected at most {MAX_BRIEF:,}.",
            advice="Add long material to a collection (`inquest collection add`) and write a short brief.",
        )
    return text.strip()


def check_targets(output: OutputFlags) -> None:
    """Check output files before the work. Raises InputError, SettingError."""
    reports, json_file = output.reports, output.json_file
    for path in reports:
        if path.suffix.lower() not in (".md", ".html", ".json", ".pdf"):
            raise InputError(f"Invalid file name {path.name}: expected .md, .html, .json or .pdf.")
        if path.suffix.lower() == ".pdf" and importlib.util.find_spec("typst") is None:
            raise SettingError(
                f"{path.name} cannot be written: PDF needs the extra packages of `inquest[pdf]`.",
                advice="Install them, or use .html or .md.",
            )
    for path in [*reports, *([json_file] if json_file and str(json_file) != "-" else [])]:
        if not path.absolute().parent.is_dir():
            raise InputError(f"There is no folder {path.absolute().parent}.", advice="Create it first.")
        if path.is_dir():
            raise InputError(f"{path} is a folder.", advice="Name a file in it.")
        if not os.access(path.absolute().parent, os.W_OK):
            raise InputError(f"The folder {path.absolute().parent} is read-only.", advice="Choose another one.")


@contextmanager
def _stoppable(session: Session) -> Iterator[None]:
    """Let the first Ctrl-C stop the case with a partial report, and the second one at once."""
    import asyncio
    import signal

    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    interrupts = 0

    def interrupted() -> None:
        nonlocal interrupts
        interrupts += 1
        if interrupts == 1 and session.stop():
            err_console().print("[yellow]Stopping with a partial report. Press Ctrl-C again to stop at once.[/]")
        elif task is not None:
            task.cancel()

    loop.add_signal_handler(signal.SIGINT, interrupted)
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGINT)


def templates(
    name: str | None = typer.Argument(None, help="A template. Default: list all."),
    given: list[str] | None = typer.Argument(
        None, metavar="[KEY=VALUE]...", help="Values for its blanks, and options for the case (mode=quick)."
    ),
    run: bool = typer.Option(False, "--run", help="Run the case instead of printing the command."),
) -> int:
    """List templates for common briefs, show one, or fill one in and print or run its command."""
    from inquest.app.cases import case_request as catalogue

    if name is None:
        for each in catalogue.templates().values():
            typer.echo(f"{each.name:<9} {each.title} ({', '.join(each.blanks)})")
        return 0
    template = catalogue.template(name)
    if not given and not run:
        typer.echo(f"{template.title}: {template.kind}")
        for what, value in (*template.request.items(), *template.blanks.items()):
            typer.echo(f"  {what}: {value}")
        return 0
    pairs = [each.partition("=") for each in given or ()]
    if wrong := next((key for key, equals, _ in pairs if not equals), None):
        raise InputError(f"Invalid blank '{wrong}': expected KEY=VALUE.", advice=f"Keys: {', '.join(template.blanks)}.")
    command = command_of(template.filled({key.strip(): value for key, _, value in pairs}))
    if not run:
        typer.echo(shlex.join(["inquest", *command]))
        return 0
    from inquest.cli.entry import run as run_command

    return run_command(command)


@spelled_out
def check(
    options: Annotated[dict[str, Any], options_of(ClaimsRequest, "claims", "report")],
    output: OutputFlags,
    report: str | None = typer.Argument(None, metavar="[REPORT]", help="A PDF, web page or text, as a file or a URL."),
    claim: list[str] | None = typer.Option(None, help="The text of a claim. Repeatable."),
    claims: ClaimsFile = None,
    approve: Approving = "ask",
) -> int:
    """Check claims, or a company's report, against the press, literature and standards, with a verdict on each."""
    from inquest.app.desks.briefs import check_brief

    request = request_of(ClaimsRequest, {**options, "report": report or "", "claims": claim or ()})
    return carry_out_new(lambda app: check_brief(app, request, claims_file=claims), approve, output)


@spelled_out
def verify(
    options: Annotated[dict[str, Any], options_of(TopicRequest, "topic")],
    output: OutputFlags,
    topic: str = typer.Argument(..., help="A URL, a file with one topic, or a stored topic's number."),
    approve: Approving = "auto",
) -> int:
    """Verify a story: find confirmations, its origin and contradictions, and recommend a level."""
    from inquest.app.desks.briefs import brief_of

    request = request_of(TopicRequest, {**options, "topic": topic})
    return carry_out_new(lambda app: brief_of(app, request, on_note=note_on_topic), approve, output)


@spelled_out
def ask(
    options: Annotated[dict[str, Any], options_of(MarketQuestion, "question", "languages")],
    output: OutputFlags,
    question: str = typer.Argument(..., help="What you want to know, in a sentence."),
) -> int:
    """Summarise reports on a share, a company or a market, with their freshness and credibility. Gives no advice."""
    check_targets(output)
    request = request_of(MarketQuestion, {**options, "question": question})

    async def work(app: Resources) -> int:
        from rich.markup import escape

        from inquest.app.cases.session import new_session
        from inquest.app.desks.briefs import answer_markdown, brief_of
        from inquest.cli.show import write_and_show

        case = await to_its_end(app, await new_session(app, await brief_of(app, request)), "auto")
        assert case is not None

        async def show(reports: list[Path]) -> None:
            text, out = answer_markdown(case), sys.stdout if output.to_stdout else sys.stderr
            if out.isatty():
                from rich.console import Console
                from rich.markdown import Markdown

                Console(file=out, highlight=False).print(Markdown(text))
            else:
                out.write(text)
            messages = err_console()
            if case.why:
                messages.print(f"[yellow]{case.status.value}[/]: {escape(case.why)}")
            for path in reports if case.summary else ():
                messages.print(f"Report   {path.absolute()}", soft_wrap=True)
            until = (
                f"; deleted {case.kept_until:%Y-%m-%d %H:%M} UTC unless you run `inquest save {case.id}`"
                if case.kept_until
                else ""
            )
            messages.print(f"Case     {case.id}{until}", soft_wrap=True)

        return await write_and_show(app, case, output, show)

    return with_app(work)


def save(case: CaseId) -> None:
    """Keep a market answer for longer than a day."""
    from inquest.app.desks.briefs import save_case

    kept = with_app(lambda app: save_case(app, case))
    typer.echo(f"{kept.id} will be kept.", err=True)
