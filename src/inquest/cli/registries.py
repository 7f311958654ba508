"""`inquest registries`: tables of registers on this machine, taken in and listed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from inquest.cli.common import print_json, with_app

app = typer.Typer(
    help="Tables of registers (climate targets, carbon credits): take them in and list them.",
    invoke_without_command=True,
    rich_markup_mode="markdown",
)
_UPDATE = """
[bold]Examples[/bold]

    inquest registries update

    inquest registries update sbti --file companies.xlsx --json
"""
_JSON: bool = typer.Option(False, "--json", help="A JSON array, one object for each table.")


@app.callback()
def registries(context: typer.Context, as_json: bool = _JSON) -> None:
    """List the tables: size, age, address, licence and attribution. Nothing is fetched."""
    if context.invoked_subcommand is None:
        _show(with_app(_listed), as_json=as_json)


@app.command("update", epilog=_UPDATE)
def update(
    name: str | None = typer.Argument(None, metavar="[NAME]", help="The table; without it, all of them."),
    file: Path | None = typer.Option(None, help="A file that you have, in place of the publisher's address."),
    as_json: bool = _JSON,
) -> None:
    """Fetch a table from its publisher. A table that cannot be read leaves the one that is there in use."""
    if file is not None and name is None:
        raise typer.BadParameter("expected the NAME of the table that the file is of", param_hint="--file")

    async def updated(app: Any) -> list[dict[str, Any]]:
        names = [name] if name else [row["name"] for row in app.registries.list()]
        return [await app.registries.update(each, file) for each in names]

    _show(with_app(updated), as_json=as_json)


async def _listed(app: Any) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = app.registries.list()
    return rows


def _show(rows: list[dict[str, Any]], *, as_json: bool) -> None:
    if as_json:
        print_json(rows)
        return
    for row in rows:
        typer.echo(f"{row['name']:<8} {row['title']}: {_state(row)}")
        typer.echo(f"         from {row.get('source', row['address'])}")
        typer.echo(f"         licence: {row['licence']}")
        typer.echo(f"         {row['attribution']}")


def _state(row: dict[str, Any]) -> str:
    if "problem" in row or not row["there"]:
        return str(row.get("problem") or f"not on this machine. Get it with: {row['update']}")
    days = row["age_days"]
    age = "today" if days == 0 else f"{days} day{'s' if days > 1 else ''} ago"
    wrong = f", {row['wrong_numbers']:,} wrong LEI or ISIN" if row["wrong_numbers"] else ""
    stale = f". New every week: {row['update']}" if days > 7 else ""
    return f"{row['rows']:,} rows, {row['bytes'] / 1e6:,.1f} MB, taken in {age}{wrong}{stale}"
