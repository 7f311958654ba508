"""`inquest templates`: briefs with blanks, printed as a command or run."""

from __future__ import annotations

import shlex

import typer

from inquest.cli.options import command_of
from inquest.domain.errors import InputError

TEMPLATES_EXAMPLES = """
[bold]Examples[/bold]

    inquest templates

    inquest templates study study="Smith et al. 2021" finding="coffee prevents gout"

    inquest templates rumour rumour="Calder Stone is for sale" ticker=CSTN --run
"""


def templates(
    name: str | None = typer.Argument(None, help="A template. Default: list all."),
    given: list[str] | None = typer.Argument(
        None, metavar="[KEY=VALUE]...", help="Values of its blanks, and options of the case (mode=quick)."
    ),
    run: bool = typer.Option(False, "--run", help="Run the case instead of printing the command."),
) -> int:
    """List templates of frequent briefs, show one, or fill one in and print or run its command."""
    from inquest.app.cases import templates as catalogue

    if name is None:
        for each in catalogue.templates().values():
            typer.echo(f"{each.name:<9} {each.title} ({', '.join(each.blanks)})")
        return 0
    template = catalogue.template(name)
    if not given and not run:
        typer.echo(f"{template.title}: {template.kind}")
        for what, value in (*template.request.items(), *template.blanks.items()):
            typer.echo(f"  {what}: {value}")
        return 0
    pairs = [each.partition("=") for each in given or ()]
    if wrong := next((key for key, equals, _ in pairs if not equals), None):
        raise InputError(f"Invalid blank '{wrong}': expected KEY=VALUE.", advice=f"Keys: {', '.join(template.blanks)}.")
    command = command_of(template.filled({key.strip(): value for key, _, value in pairs}))
    if not run:
        typer.echo(shlex.join(["inquest", *command]))
        return 0
    from inquest.cli.entry import run as run_command

    return run_command(command)
