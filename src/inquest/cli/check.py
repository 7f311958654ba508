"""`inquest check`: the claims of a company, each with a verdict."""

from __future__ import annotations

from pathlib import Path

import typer

from inquest.cli.common import run_async
from inquest.cli.inquiry import APPROVE_OPTION, JSON_OPTION, Approve, carry_out, check_targets

__all__ = ["add_to"]

EXAMPLES = """
[bold]Examples[/bold]

    inquest check report.pdf --company "Norvane Chemicals" --industry chemicals --report check.html

    inquest check --claim "We cut Scope 1 emissions by 42 % since 2019." --company "Norvane Chemicals" --desks academic

    inquest check https://example.org/report.html --company Norvane --claims mine.jsonl --max-claims 10 --approve auto
"""


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("check", epilog=EXAMPLES)(check)


def check(
    report: str | None = typer.Argument(None, metavar="[REPORT]", help="A PDF, page or text: a file or a URL."),
    company: str = typer.Option("", help="Whose claims they are."),
    claim: list[str] | None = typer.Option(None, help="A claim in words; may be given again."),
    claims: Path | None = typer.Option(
        None,
        metavar="FILE",
        help="Claims of your own: JSON lines with `id`, `text`, and `company`, `type`, `page` if known.",
    ),
    industry: str = typer.Option("", help="The company's industry: for queries, benchmarks and the claims' order."),
    desks: str = typer.Option("", metavar="LIST", help="Who may look, comma-separated: news, academic. Default: all."),
    max_claims: int | None = typer.Option(None, min=1, help="Check at most so many of the report's claims (20)."),
    rounds: int | None = typer.Option(None, min=0, help="How often the judge may send desks out again (1)."),
    engines: str | None = typer.Option(None, metavar="LIST", help="Engines to ask, comma-separated, best first."),
    collection: list[str] | None = typer.Option(None, metavar="NAME", help="A collection of your own documents."),
    approve: Approve = APPROVE_OPTION,
    as_of: str | None = typer.Option(None, metavar="DATE", help="Nothing published after it counts as evidence."),
    budget_usd: float | None = typer.Option(None, min=0, help="Stop and report when this much is spent."),
    deadline: str | None = typer.Option(None, metavar="5m", help="Stop and report when this time is over."),
    json_file: Path | None = JSON_OPTION,
    report_file: list[Path] | None = typer.Option(
        None, "--report", metavar="FILE.{md,html,json,pdf}", help="Write the report; may be given again."
    ),
) -> int:
    """Check what a company claims against the press, literature, standards and benchmarks; one verdict a claim."""
    check_targets(report_file, json_file)

    async def work() -> int:
        from inquest.app.build import open_app
        from inquest.app.checking import check_brief

        async with open_app() as app:
            brief = await check_brief(
                app,
                report,
                company=company,
                claims=claim or [],
                claims_file=claims,
                industry=industry,
                desks=desks,
                max_claims=max_claims,
                rounds=rounds,
                engines=engines,
                collections=collection or [],
                as_of=as_of,
                budget_usd=budget_usd,
                deadline=deadline,
            )
            session = await app.new_case(brief)
            return await carry_out(app, session, approve, json_file, report_file or [])

    return run_async(work())
