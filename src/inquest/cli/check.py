"""`inquest check`: claims, or those of a company's report, each with a verdict."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from inquest.app.cases.case_request import ClaimsRequest, request_of
from inquest.app.grouped import spelled_out
from inquest.cli.inquiry import carry_out_new
from inquest.cli.options import Approve, Approving, OutputFlags, options_of

if TYPE_CHECKING:
    from inquest.app.build import App
    from inquest.domain.brief import Brief

EXAMPLES = """
[bold]Examples[/bold]

    inquest check --claim "The metro carried 1.2 million people a day in 2024."

    inquest check report.pdf --company "Norvane Chemicals" --industry chemicals --report check.html

    inquest check --claim "We cut Scope 1 emissions by 42 % since 2019." --company "Norvane Chemicals" --desks academic

    inquest check https://example.org/report.html --company Norvane --claims mine.jsonl --max-claims 10 --approve auto
"""


@spelled_out
def check(
    options: Annotated[dict[str, Any], options_of(ClaimsRequest, "claims", "report")],
    output: OutputFlags,
    report: str | None = typer.Argument(None, metavar="[REPORT]", help="A PDF, page or text: a file or a URL."),
    claim: list[str] | None = typer.Option(None, help="A claim in words. May be given again."),
    claims: Path | None = typer.Option(
        None,
        metavar="FILE",
        help="Claims of your own: JSON lines with `id`, `text`, and `company`, `type`, `page` if known.",
    ),
    approve: Approving = Approve.ask,
) -> int:
    """Check claims, or what a company reports, against press, literature, standards; one verdict a claim."""
    request = request_of(ClaimsRequest, {**options, "report": report or "", "claims": claim or ()})

    async def brief(app: App) -> Brief:
        from inquest.app.desks.briefs import check_brief

        return await check_brief(app, request, claims_file=claims)

    return carry_out_new(brief, approve, output)
