"""`inquest engines` and `inquest doctor`: what could be asked, and what is configured."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import typer

from inquest.cli.common import print_json, run_async, with_app
from inquest.domain.errors import InputError

if TYPE_CHECKING:
    from inquest.app.build import App


def engines(
    test: str | None = typer.Option(None, "--test", metavar="NAME", help="Ask this engine once, for real."),
    query: str | None = typer.Option(None, "--query", metavar="TEXT", help="With --test: what to ask."),
    as_json: bool = typer.Option(False, "--json", help="A JSON array; with --test an object."),
) -> None:
    """The search engines: which are ready, what the others lack, and their limits; or one of them put to the test."""
    from inquest.app.wiring.engine_choices import engine_table

    if test is not None:
        _test(test, query, as_json)
        return
    if query is not None:
        raise InputError("--query says what to ask an engine, and none is named.", advice="Add --test NAME.")

    rows = engine_table()
    if as_json:
        print_json(rows)
        return
    from rich.console import Console
    from rich.table import Table

    table = Table("engine", "searches", "ready", "limits", "per call", box=None, pad_edge=False)
    for row in rows:
        limits = ", ".join(
            [_pace(row["per_second"])]
            + [f"{row[name]}/{unit}" for name, unit in (("per_day", "day"), ("per_month", "month")) if row[name]]
        )
        price = f"${row['usd_per_call']:.4f}" if row["usd_per_call"] else "free"
        table.add_row(row["name"], ", ".join(row["kinds"]), row["lacks"] or "ready", limits, price)
    Console(highlight=False).print(table)


def _pace(per_second: float) -> str:
    """'2/s', '1 in 3 s'; 0: no limit."""
    if not per_second:
        return "no limit"
    return f"{round(per_second, 2):g}/s" if per_second >= 1 else f"1 in {1 / per_second:.3g} s"


def _test(name: str, query: str | None, as_json: bool) -> None:

    async def ask(app: App) -> dict[str, Any]:
        return await app.try_engine(name, query)

    said = with_app(ask)
    if as_json:
        print_json(said)
    else:
        _show(said)
    if not said["ok"]:
        raise typer.Exit(2)


_SPECIAL = ("post", "work", "review", "filing", "figures", "identifiers")


def _show(said: dict[str, Any]) -> None:
    cost = f", ${said['usd']:.4f}" if said["usd"] else ""
    calls = f"{said['calls']} {'call' if said['calls'] == 1 else 'calls'}, {said['seconds']:.2f} s{cost}"
    typer.echo(f"{said['title']}: “{said['query']}” ({calls})")
    if not said["ok"]:
        error = said["error"]
        typer.echo(f"{error['kind']}: {error['message']} {error['advice']}".rstrip())
        if "status" in error:
            typer.echo(f"It answered with status {error['status']}: {error['said'] or '(nothing)'}")
        return
    for number, hit in enumerate(said["hits"], 1):
        typer.echo(f"{number:>2}. {hit['title'] or '(no title)'}\n    {hit['url']}")
        about = [hit[key] for key in ("published", "author", "publisher", "language") if hit.get(key)]
        if about:
            typer.echo(f"    {' · '.join(about)}")
        for key in _SPECIAL:
            if hit.get(key):
                typer.echo(f"    {key}: {json.dumps(hit[key], ensure_ascii=False)[:300]}")
    typer.echo(f"{len(said['hits'])} {'hit' if len(said['hits']) == 1 else 'hits'}.")


def doctor(
    as_json: bool = typer.Option(False, "--json", help="A JSON object."),
    offline: bool = typer.Option(False, help="Do not try to reach anything."),
) -> None:
    """What is configured, what is reachable, and what would be used. Keys are never shown."""
    from inquest.app.tools.doctor import examine

    findings = run_async(examine(reach=not offline))
    if as_json:
        print_json(findings)
    else:
        width = max(len(row["what"]) for row in findings["checks"])
        for row in findings["checks"]:
            typer.echo(f"{'ok ' if row['ok'] else '-- '} {row['what']:<{width}}  {row['says']}")
    if not findings["ok"]:
        raise typer.Exit(2)
