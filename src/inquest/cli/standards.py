"""`inquest standards`: the rules that claims are checked against, with their figures, dates and sources."""

from __future__ import annotations

from typing import Any

import typer

from inquest.cli.common import print_json

EXAMPLES = """
[bold]Examples[/bold]

    inquest standards

    inquest standards sbti

    inquest standards "ISO 14064-1" --json
"""


def standards(
    name: str | None = typer.Argument(
        None, help="A standard, scheme or registry in any spelling; none: a list of all."
    ),
    as_json: bool = typer.Option(False, "--json", help="A JSON array with every rule, date and source."),
) -> None:
    """Standards, certificates and offsets: rules, figures, versions, dates in force, public sources."""
    from inquest.app.tools.reading import standards_json

    rows = standards_json(name)
    if as_json:
        print_json(rows)
    elif name is None:
        for row in rows:
            typer.echo(f"{row['id']:24} {row['name']} ({row['kind']}; {row['publisher']})")
    else:
        typer.echo("\n\n".join("\n".join(_lines(row)) for row in rows))


def _lines(row: dict[str, Any]) -> list[str]:
    lines = [f"{row['name']} ({row['id']})", f"  {row['publisher']}. {row['about']}"]
    lines += [f"  part: {part}" for part in row["parts"]]
    for edition in row["editions"]:
        note = f" {edition['note']}" if edition["note"] else ""
        lines.append(f"  edition {edition['version']}: {_in_force(edition)}.{note}")
        lines.append(f"      {_source(edition['source'])}")
    for rule in row["rules"]:
        figure = f" [{rule['figure']:g} {rule['unit']}]" if rule["figure"] is not None else ""
        editions = f" ({', '.join(rule['editions'])})" if rule["editions"] else ""
        place = f", {rule['place']}" if rule["place"] else ""
        lines.append(f"  - {rule['id']}{editions}: {rule['text']}{figure}")
        lines.append(f"      {_source(rule['source'])}{place}")
    for criticism in row["criticisms"]:
        lines.append(f"  ! {criticism['about']}: {criticism['text']}")
        lines.append(f"      {_source(criticism['source'])}")
    return lines


def _in_force(edition: dict[str, Any]) -> str:
    first, last = edition["in_force_from"], edition["in_force_until"]
    if first is None:
        return f"published {edition['published']}" if edition["published"] else "date not known"
    return f"in force {first} to {last}" if last else f"in force since {first}"


def _source(source: dict[str, Any]) -> str:
    return f"{source['title']} ({source['publisher']}, {source['year']}) {source['url']} · {source['checked']}"
