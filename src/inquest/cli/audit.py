"""`inquest audit`: do the citations of a text hold?"""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from inquest.cli.common import err_console, with_app, write_whole
from inquest.domain.errors import InputError

if TYPE_CHECKING:
    from inquest.app.build import App
    from inquest.domain.audit import Audit

EXAMPLES = """
[bold]Examples[/bold]

    inquest audit report.md

    inquest audit https://example.org/article --format html --out audit.html

    inquest audit draft.docx --fail-on does_not_exist --fail-on says_otherwise

    cat answer.md | inquest audit - --format json
"""


class Form(StrEnum):
    """Forms of the result."""

    md = "md"
    html = "html"
    json = "json"
    sarif = "sarif"


class FailOn(StrEnum):
    """Outcomes that make the command fail."""

    does_not_exist = "does_not_exist"
    withdrawn = "withdrawn"
    says_otherwise = "says_otherwise"
    misattributed = "misattributed"
    not_there = "not_there"
    partly = "partly"
    second_hand = "second_hand"
    no_citation = "no_citation"


_BY_DEFAULT = [each for each in FailOn if each is not FailOn.no_citation]


def audit(
    what: str = typer.Argument(..., metavar="FILE|URL|-", help="A text, page or document, or a case as JSON."),
    form: Form = typer.Option(Form.md, "--format", help="The form of the result."),
    out: Path | None = typer.Option(None, metavar="FILE", help="Write the result to FILE."),
    limit: int | None = typer.Option(None, min=1, help="Look at the first so many citations."),
    fail_on: list[FailOn] | None = typer.Option(
        None, help="Outcome with exit code 1; may be given again. By default all but no_citation."
    ),
    min_share: float | None = typer.Option(
        None, min=0, max=1, help="Exit code 1 only where a smaller share of the citations that were read holds."
    ),
) -> int:
    """Look up every citation of a text: does its source exist, and does it say so? With the quote and the reason."""
    text = None
    if what == "-":
        text = sys.stdin.read()
        if not text.strip():
            raise InputError("Standard input is empty.", advice="Pipe a text into the command.")
    console = err_console()

    async def work(app: App) -> Audit:
        from inquest.app.tools.auditing import AuditRequest
        from inquest.app.tools.auditing import audit as audited

        return await audited(app, AuditRequest(what, text, limit), lambda said: console.print(said, markup=False))

    done = with_app(work)
    from inquest.app.tools.auditing import exit_code, rendered
    from inquest.domain.audit import Outcome

    content = rendered(done, form.value)
    if out is None:
        sys.stdout.write(content)
    else:
        write_whole(out, content.encode())
        console.print(done.summary, markup=False)
    return exit_code(done, {Outcome(each.value) for each in fail_on or _BY_DEFAULT}, min_share)
