"""`inquest check`: the claims of a company, each with a verdict."""

from __future__ import annotations

from pathlib import Path

import typer

from inquest.cli.common import run_async
from inquest.cli.inquiry import carry_out, check_targets
from inquest.cli.options import (
    Approve,
    Approving,
    AsOf,
    BudgetUsd,
    Collection,
    Deadline,
    Engines,
    JsonFile,
    Reports,
)

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
    engines: Engines = None,
    collection: Collection = None,
    approve: Approving = Approve.ask,
    as_of: AsOf = None,
    budget_usd: BudgetUsd = None,
    deadline: Deadline = None,
    json_file: JsonFile = None,
    report_file: Reports = None,
) -> int:
    """Check what a company claims against the press, literature, standards and benchmarks; one verdict a claim."""
    check_targets(report_file, json_file)

    async def work() -> int:
        from inquest.app.build import open_app
        from inquest.app.desks.checking import check_brief

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
