"""`inquest check`: claims, or those of a company's report, each with a verdict."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from inquest.app.grouped import spelled_out
from inquest.cli.inquiry import carry_out_new
from inquest.cli.options import Approve, Approving, CaseFlags

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


@dataclass(frozen=True)
class _What:
    """What is checked, and by whom."""

    company: Annotated[str, typer.Option(help="Whose claims they are; a report needs it.")] = ""
    claim: Annotated[list[str] | None, typer.Option(help="A claim in words; may be given again.")] = None
    claims: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Claims of your own: JSON lines with `id`, `text`, and `company`, `type`, `page` if known.",
        ),
    ] = None
    industry: Annotated[
        str, typer.Option(help="The company's industry: for queries, benchmarks and the claims' order.")
    ] = ""
    desks: Annotated[
        str, typer.Option(metavar="LIST", help="Who may look, comma-separated: news, academic. Default: all.")
    ] = ""
    max_claims: Annotated[
        int | None, typer.Option(min=1, help="Check at most so many of the report's claims (20).")
    ] = None
    rounds: Annotated[int | None, typer.Option(min=0, help="How often the judge may send desks out again (1).")] = None


@spelled_out
def check(
    what: _What,
    case: CaseFlags,
    report: str | None = typer.Argument(None, metavar="[REPORT]", help="A PDF, page or text: a file or a URL."),
    approve: Approving = Approve.ask,
) -> int:
    """Check claims, or what a company reports, against press, literature, standards; one verdict a claim."""

    async def brief(app: App) -> Brief:
        from inquest.app.desks.checking import check_brief

        return await check_brief(
            app,
            report,
            company=what.company,
            claims=what.claim or [],
            claims_file=what.claims,
            industry=what.industry,
            desks=what.desks,
            max_claims=what.max_claims,
            rounds=what.rounds,
            **case.options,
        )

    return carry_out_new(brief, approve, case)
