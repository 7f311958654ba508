"""All commands, and what becomes of errors: one sentence and the right exit code, no traceback for a user's error."""

from __future__ import annotations

import io
import os
import sys
from typing import Any

import typer
import typer.core
from typer.models import CommandInfo, TyperInfo

from inquest.cli import (
    ask,
    assess,
    cases,
    check,
    claims,
    collection,
    engines,
    export,
    inquiry,
    mcp,
    models,
    read,
    review,
    serve,
    standards,
    stats,
    tier,
    topics,
    users,
    verify,
    watch,
    work,
)
from inquest.cli.options import with_values
from inquest.domain.errors import InquestError


class _Commands(typer.core.TyperGroup):
    """The commands, and Ctrl-C as something that is said: on its own the framework ends without a word."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as stopped:
            raise typer.Abort from stopped


app = typer.Typer(
    name="inquest",
    cls=_Commands,
    help="Ascertains the facts: from a brief to verdicts in which every stated fact carries a verbatim quote.",
    epilog="Start with: inquest demo   ·   inquest run 'BRIEF'   ·   inquest doctor",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

INTERRUPTED = 130


def _version(value: bool) -> None:
    if value:
        from inquest import __version__

        typer.echo(f"inquest {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
) -> None:
    pass


inquiry.add_to(app)
check.add_to(app)
verify.add_to(app)
ask.add_to(app)
cases.add_to(app)
export.add_to(app)
app.add_typer(collection.app, name="collection")
assess.add_to(app)
read.add_to(app)
claims.add_to(app)
tier.add_to(app)
standards.add_to(app)
engines.add_to(app)
app.add_typer(models.app, name="models")
app.add_typer(topics.app, name="topics")
review.add_to(app)
watch.add_to(app)
stats.add_to(app)
mcp.add_to(app)
serve.add_to(app)
work.add_to(app)
app.add_typer(work.database, name="db")
app.add_typer(users.users, name="users")
app.add_typer(users.tokens, name="tokens")

_PANELS: dict[str, tuple[str, ...]] = {
    "Find out": ("run", "check", "verify", "ask", "demo"),
    "Cases and reports": ("cases", "show", "report", "export", "review", "resume", "replay", "save"),
    "Topics over time": ("topics", "watch", "stats"),
    "Single judgments": ("assess", "claims", "read", "tier", "standards"),
    "Your own documents": ("collection",),
    "Set up": ("doctor", "engines", "models", "mcp"),
    "For teams": ("serve", "worker", "users", "tokens", "db"),
}
"""What people do, in the order in which they come to it, and the commands for it: the panels of `--help`."""


def _arrange() -> None:
    """Every command and group of commands into its panel, in the order of the table."""
    place = {name: (panel, rank) for panel, names in _PANELS.items() for rank, name in enumerate(names)}
    panels = list(_PANELS)

    def order(each: CommandInfo | TyperInfo) -> tuple[int, int]:
        panel, rank = place[str(each.name)]
        each.rich_help_panel = panel
        return panels.index(panel), rank

    app.registered_commands.sort(key=order)
    app.registered_groups.sort(key=order)


_arrange()


def run(arguments: list[str] | None = None) -> int:
    """Run one command line and return its exit code: 0 done, 1 the input, 2 an outage or partial, 130 interrupted."""
    _writable()
    try:
        result = app(args=with_values(sys.argv[1:] if arguments is None else arguments), standalone_mode=False)
    except (InquestError, typer.Exit, typer.Abort, KeyboardInterrupt, typer.TyperException, OSError) as error:
        return _exit_code(error)
    return result if isinstance(result, int) else 0


def _exit_code(error: BaseException) -> int:
    """What an error means to whoever called the command, when it has been said."""
    match error:
        case InquestError():
            _say(error.sentence)
            return error.exit_code
        case typer.Exit():
            return error.exit_code
        case typer.TyperException():
            show: Any = error
            show.message = show.message.removeprefix("Value error, ")
            show.show()
            return 1
        case BrokenPipeError():
            # The reader of our output (head, less) has what it wanted.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        case OSError():
            _say(f"{error.filename or 'The disk'}: {error.strerror or error}.")
            return 2
        case _:
            _say("Interrupted.")
            return INTERRUPTED


def _writable() -> None:
    """A terminal that lacks a character ('€' in Latin-1) gets its number; in JSON that is the same character."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _say(sentence: str) -> None:
    typer.echo(f"inquest: {sentence}", err=True)
