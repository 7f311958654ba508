"""`inquest engines` and `inquest doctor`: what could be asked, and what is configured."""

from __future__ import annotations

import typer

from inquest.cli.common import print_json, run_async

__all__ = ["add_to"]


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("engines", epilog="[bold]Example[/bold]\n\n    inquest engines --json")(engines)
    app.command("doctor", epilog="[bold]Example[/bold]\n\n    inquest doctor --offline")(doctor)


def engines(as_json: bool = typer.Option(False, "--json", help="A JSON array.")) -> None:
    """The search engines: which are ready, what the others lack, and their limits."""
    from inquest.app.build import engine_table

    rows = engine_table()
    if as_json:
        print_json(rows)
        return
    from rich.console import Console
    from rich.table import Table

    table = Table("engine", "searches", "ready", "limits", "per call", box=None, pad_edge=False)
    for row in rows:
        limits = f"{row['per_second']:g}/s" + (f", {row['per_month']}/month" if row["per_month"] else "")
        price = f"${row['usd_per_call']:.4f}" if row["usd_per_call"] else "free"
        table.add_row(row["name"], ", ".join(row["kinds"]), row["lacks"] or "ready", limits, price)
    Console(highlight=False).print(table)


def doctor(
    as_json: bool = typer.Option(False, "--json", help="A JSON object."),
    offline: bool = typer.Option(False, help="Do not try to reach anything."),
) -> None:
    """What is configured, what is reachable, and what would be used. Keys are never shown."""
    from inquest.app.doctor import examine

    findings = run_async(examine(reach=not offline))
    if as_json:
        print_json(findings)
    else:
        width = max(len(row["what"]) for row in findings["checks"])
        for row in findings["checks"]:
            typer.echo(f"{'ok ' if row['ok'] else '-- '} {row['what']:<{width}}  {row['says']}")
    if not findings["ok"]:
        raise typer.Exit(2)
