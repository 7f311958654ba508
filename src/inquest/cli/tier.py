"""`inquest tier`: what a source is worth, and which rule says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from inquest.app.files import readable
from inquest.cli.common import print_json, run_async, stars
from inquest.domain.errors import InputError

EXAMPLES = """
[bold]Examples[/bold]

    inquest tier https://www.reuters.com/investigates/ sec.gov/litigation example.org

    inquest tier --file urls.txt --json

    inquest tier --age example.org
"""


def tier(
    urls: list[str] | None = typer.Argument(None, help="URLs or domains."),
    file: Path | None = typer.Option(None, help="A file with one URL a line (`-`: standard input)."),
    age: bool = typer.Option(False, "--age", help="Also ask the registries how old the domains are (RDAP)."),
    as_json: bool = typer.Option(False, "--json", help="A JSON array, in the order asked."),
) -> None:
    """Tier 1 to 4, score 0 to 100, stars, and the rule that gave them."""
    from inquest.app.wiring.ratings import rate_urls

    asked = [*(urls or []), *(_lines(file) if file else [])]
    if not asked:
        raise InputError("No URL was given.", advice="Give URLs, or --file FILE.")
    rated = rate_urls(asked)
    for row in rated[: len(urls or [])]:
        # Of what was typed: in a long list one odd line is no reason to rate none.
        if not row["domain"] or " " in row["domain"]:
            raise InputError(
                f"'{row['url']}' is no URL and no domain.", advice="Write it like https://example.org/page."
            )
    if age:
        from inquest.app.wiring.ratings import domain_ages_json

        for row, found in zip(rated, run_async(domain_ages_json(asked)), strict=True):
            row["age"] = found
    if as_json:
        print_json(rated)
        return
    for row in rated:
        known = "" if row["known"] else " (no rule knows this source)"
        typer.echo(
            f"{row['url']}\n  tier {row['tier']}  {stars(row['stars'])}  {row['score']}/100  {row['category']}{known}"
        )
        for label in ("owner", "leaning"):
            if row[label]:
                typer.echo(f"  {label}: {row[label]}")
        for reason in row["reasons"]:
            typer.echo(f"  - {reason}")
        for line in _age_lines(row.get("age")):
            typer.echo(f"  {line}")


def _age_lines(age: dict[str, Any] | None) -> list[str]:
    if age is None:
        return []
    if "could_not_ask" in age:
        return [f"age could not be asked: {age['could_not_ask']}"]
    if age["registered"] is None:
        return [f"age not known: {age['why_unknown']}"]
    by = f" with {age['registrar']}" if age["registrar"] else ""
    return [f"registered {age['registered'][:10]}{by}", *(f"warning: {each}" for each in age["warnings"])]


def _lines(file: Path) -> list[str]:
    import sys

    with readable(file):
        text = sys.stdin.read() if str(file) == "-" else file.read_text("utf-8-sig")
    return [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
