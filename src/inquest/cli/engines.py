"""`inquest engines`, `doctor` and `registries`: sources of evidence and the configuration."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from inquest.cli.common import print_json, print_result, run_async, with_app
from inquest.cli.options import examples
from inquest.domain.errors import InputError

if TYPE_CHECKING:
    from inquest.app.build import App

_EXAMPLES = examples(
    "inquest engines --json",
    "inquest engines --test crossref",
    "inquest engines add mcp:papers https://papers.example/mcp",
)
_ADD = examples(
    "inquest engines add mcp:papers https://papers.example/mcp --tool search_papers",
    "inquest engines add mcp:notes 'npx -y some-search-server'",
    more="A server started by its command is given none of your keys. "
    "List hosts of your own network in INQUEST_ALLOW_HOSTS.",
)
engines_app = typer.Typer(
    help="List and test the search engines; add and remove MCP servers as engines.",
    invoke_without_command=True,
    rich_markup_mode="rich",
    epilog=_EXAMPLES,
)


@engines_app.command("add", epilog=_ADD)
def add(
    name: str = typer.Argument(..., metavar="mcp:NAME", help="The name of the engine."),
    where: list[str] = typer.Argument(
        ..., metavar="COMMAND|URL", help="The command of the server (in quotes, or after --), or its address."
    ),
    tool: str | None = typer.Option(None, "--tool", metavar="TOOL", help="The tool to search with."),
    as_json: bool = typer.Option(False, "--json", help="Print a JSON object."),
) -> None:
    """Add an MCP server as an engine. By default, the search tool is chosen from those it lists."""
    from inquest.app.tools.mcp_engines import add_server

    added = with_app(lambda app: add_server(app, name, where, tool))
    print_result(added, added["says"], as_json=as_json)


@engines_app.command("remove", epilog=examples("inquest engines remove mcp:notes"))
def remove(
    name: str = typer.Argument(..., metavar="mcp:NAME", help="An added engine."),
    as_json: bool = typer.Option(False, "--json", help="Print a JSON object."),
) -> None:
    """Remove an MCP server from the engines. Cases that used it can no longer be replayed."""
    from inquest.app.settings import load_settings
    from inquest.app.tools.mcp_engines import remove_server

    remove_server(load_settings(), name)
    print_result({"removed": name}, f"The engine {name} is removed.", as_json=as_json)


@engines_app.callback()
def engines(
    context: typer.Context,
    test: str | None = typer.Option(None, "--test", metavar="NAME", help="Send one live query to this engine."),
    query: str | None = typer.Option(None, "--query", metavar="TEXT", help="With --test: the query."),
    as_json: bool = typer.Option(False, "--json", help="Print a JSON array; with --test an object."),
) -> None:
    """List the search engines with their limits and missing settings, or test one of them."""
    from inquest.app.wiring.engine_choices import engine_table

    if context.invoked_subcommand is not None:
        if test is not None or query is not None or as_json:
            raise InputError("Options go after the command's name.", advice="See `inquest engines --help`.")
        return
    if test is not None:
        result = with_app(lambda app: app.try_engine(test, query))
        if as_json:
            print_json(result)
        else:
            _show(result)
        if not result["ok"]:
            raise typer.Exit(2)
        return
    if query is not None:
        raise InputError("--query needs an engine.", advice="Add --test NAME.")

    rows = engine_table()
    if as_json:
        print_json(rows)
        return
    from rich.console import Console
    from rich.table import Table

    table = Table("engine", "searches", "ready", "limits", "per call", box=None, pad_edge=False)
    for row in rows:
        pace = row["per_second"]
        limits = [f"{round(pace, 2):g}/s" if pace >= 1 else f"1 in {1 / pace:.3g} s" if pace else "no limit"]
        limits += [f"{row[name]}/{unit}" for name, unit in (("per_day", "day"), ("per_month", "month")) if row[name]]
        price = f"${row['usd_per_call']:.4f}" if row["usd_per_call"] else "free"
        table.add_row(row["name"], ", ".join(row["kinds"]), row["lacks"] or "ready", ", ".join(limits), price)
    Console(highlight=False).print(table)


_SPECIAL = ("post", "work", "review", "filing", "figures", "identifiers")


def _show(result: dict[str, Any]) -> None:
    cost = f", ${result['usd']:.4f}" if result["usd"] else ""
    calls = f"{result['calls']} {'call' if result['calls'] == 1 else 'calls'}, {result['seconds']:.2f} s{cost}"
    typer.echo(f"{result['title']}: “{result['query']}” ({calls})")
    if not result["ok"]:
        error = result["error"]
        typer.echo(f"{error['kind']}: {error['message']} {error['advice']}".rstrip())
        if "status" in error:
            typer.echo(f"It answered with status {error['status']}: {error['said'] or '(nothing)'}")
        return
    for number, hit in enumerate(result["hits"], 1):
        typer.echo(f"{number:>2}. {hit['title'] or '(no title)'}\n    {hit['url']}")
        about = [hit[key] for key in ("published", "author", "publisher", "language") if hit.get(key)]
        if about:
            typer.echo(f"    {' · '.join(about)}")
        for key in _SPECIAL:
            if hit.get(key):
                typer.echo(f"    {key}: {json.dumps(hit[key], ensure_ascii=False)[:300]}")
    typer.echo(f"{len(result['hits'])} {'hit' if len(result['hits']) == 1 else 'hits'}.")


def doctor(
    as_json: bool = typer.Option(False, "--json", help="Print a JSON object."),
    offline: bool = typer.Option(False, help="Make no connections."),
) -> None:
    """Check the configuration, the connections and the components that would be used. Keys are never shown."""
    from inquest.app.tools.doctor import examine

    findings = run_async(examine(reach=not offline))
    width = max(len(row["what"]) for row in findings["checks"])
    lines = (f"{'ok ' if row['ok'] else '-- '} {row['what']:<{width}}  {row['says']}" for row in findings["checks"])
    print_result(findings, lines, as_json=as_json)
    if not findings["ok"]:
        raise typer.Exit(2)


registry_app = typer.Typer(
    help="Download and list register tables (climate targets, carbon credits).",
    invoke_without_command=True,
    rich_markup_mode="markdown",
)
_UPDATE = examples(
    "inquest registries update",
    "inquest registries update sbti --file companies.xlsx --json",
)
_JSON: bool = typer.Option(False, "--json", help="Print a JSON array with an object for each table.")


@registry_app.callback()
def registries(context: typer.Context, as_json: bool = _JSON) -> None:
    """List the tables with size, age, address, licence and attribution. Nothing is downloaded."""

    async def listed(app: App) -> list[dict[str, Any]]:
        return app.registries.list()

    if context.invoked_subcommand is None:
        _show_tables(with_app(listed), as_json=as_json)


@registry_app.command("update", epilog=_UPDATE)
def update(
    name: str | None = typer.Argument(None, metavar="[NAME]", help="The table. Default: all."),
    file: Path | None = typer.Option(None, help="A downloaded file to use instead of the publisher's address."),
    as_json: bool = _JSON,
) -> None:
    """Download a table from its publisher. If it cannot be read, the earlier table stays in use."""
    if file is not None and name is None:
        raise typer.BadParameter("expected the NAME of the file's table", param_hint="--file")

    async def updated(app: App) -> list[dict[str, Any]]:
        names = [name] if name else [row["name"] for row in app.registries.list()]
        return [await app.registries.update(each, file) for each in names]

    _show_tables(with_app(updated), as_json=as_json)


def _show_tables(rows: list[dict[str, Any]], *, as_json: bool) -> None:
    form = "{name:<8} {title}: {state}\n         from {source}\n         licence: {licence}\n         {attribution}"
    lines = (form.format_map({"source": row["address"], **row, "state": _state(row)}) for row in rows)
    print_result(rows, lines, as_json=as_json)


def _state(row: dict[str, Any]) -> str:
    if "problem" in row or not row["there"]:
        return str(row.get("problem") or f"not on this machine. Get it with: {row['update']}")
    days = row["age_days"]
    age = "today" if days == 0 else f"{days} day{'s' if days > 1 else ''} ago"
    wrong = f", {row['wrong_numbers']:,} invalid LEI or ISIN" if row["wrong_numbers"] else ""
    stale = f". Updated every week: {row['update']}" if days > 7 else ""
    return f"{row['rows']:,} rows, {row['bytes'] / 1e6:,.1f} MB, downloaded {age}{wrong}{stale}"
