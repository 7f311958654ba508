"""`inquest check`, `verify`, `ask` and `save`: checks, topics and market questions."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from inquest.app.cases.case_request import ClaimsRequest, MarketQuestion, TopicRequest, request_of
from inquest.app.grouped import spelled_out
from inquest.cli.common import err_console, note_on_topic, with_app
from inquest.cli.inquiry import carry_out_new, check_targets
from inquest.cli.options import Approving, CaseId, ClaimsFile, OutputFlags, examples, options_of

if TYPE_CHECKING:
    from inquest.app.build import App

CHECK_EXAMPLES = examples(
    'inquest check --claim "The metro carried 1.2 million people a day in 2024."',
    'inquest check report.pdf --company "Norvane Chemicals" --industry chemicals --report check.html',
    'inquest check --claim "We cut Scope 1 emissions by 42 % since 2019." --company "Norvane Chemicals" '
    "--desks academic",
    "inquest check https://example.org/report.html --company Norvane --claims mine.jsonl --max-claims 10 "
    "--approve auto",
)


@spelled_out
def check(
    options: Annotated[dict[str, Any], options_of(ClaimsRequest, "claims", "report")],
    output: OutputFlags,
    report: str | None = typer.Argument(None, metavar="[REPORT]", help="A PDF, web page or text, as a file or a URL."),
    claim: list[str] | None = typer.Option(None, help="A claim in words. Repeatable."),
    claims: ClaimsFile = None,
    approve: Approving = "ask",
) -> int:
    """Check claims, or a company's report, against the press, literature and standards, with a verdict on each."""
    from inquest.app.desks.briefs import check_brief

    request = request_of(ClaimsRequest, {**options, "report": report or "", "claims": claim or ()})
    return carry_out_new(lambda app: check_brief(app, request, claims_file=claims), approve, output)


VERIFY_EXAMPLES = examples(
    "inquest verify https://example.org/story --report story.html",
    "inquest verify topic.json --priority high --as-of 2026-03-01 --json result.json",
    "inquest verify 17 --again",
)


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


ASK_EXAMPLES = examples(
    'inquest ask "Why is NVDA down today?"',
    'inquest ask "Is Tesla on track with its deliveries?" --ticker TSLA --filing 10-k.pdf --report answer.md',
    'inquest ask "Latest news on BRK.B" --engines bing_news,edgar_current --save --json -',
)


@spelled_out
def ask(
    options: Annotated[dict[str, Any], options_of(MarketQuestion, "question", "languages")],
    output: OutputFlags,
    question: str = typer.Argument(..., help="What you want to know, in a sentence."),
) -> int:
    """Summarise reports on a share, a company or a market, with their freshness and credibility. Gives no advice."""
    check_targets(output)
    request = request_of(MarketQuestion, {**options, "question": question})

    async def work(app: App) -> int:
        from rich.markup import escape

        from inquest.app.desks.briefs import answer_markdown, brief_of
        from inquest.cli.inquiry import to_its_end
        from inquest.cli.show import write_and_show

        case = await to_its_end(app, await app.new_case(await brief_of(app, request)), "auto")
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
            until = ""
            if case.kept_until:
                until = f"; deleted {case.kept_until:%Y-%m-%d %H:%M} UTC unless you run `inquest save {case.id}`"
            messages.print(f"Case     {case.id}{until}", soft_wrap=True)

        return await write_and_show(app, case, output, show)

    return with_app(work)


def save(case: CaseId) -> None:
    """Keep a market answer for longer than a day."""
    from inquest.app.desks.briefs import save_case

    kept = with_app(lambda app: save_case(app, case))
    typer.echo(f"{kept.id} will be kept.", err=True)
