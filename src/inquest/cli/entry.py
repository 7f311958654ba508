"""All commands, and what becomes of errors: one sentence and the right exit code, no traceback for a user's error."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from typing import Any

import typer
import typer.core

from inquest.cli import cases, check, collection, engines, inquiry, looks, models, serving, templates, topics
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


_EXAMPLE = "[bold]Example[/bold]\n\n    inquest "
_COMMANDS: dict[str, dict[str, tuple[Callable[..., Any], str | None] | typer.Typer]] = {
    "Find out": {
        "run": (inquiry.run, inquiry.RUN_EXAMPLES),
        "check": (check.check, check.CHECK_EXAMPLES),
        "verify": (check.verify, check.VERIFY_EXAMPLES),
        "audit": (looks.audit, looks.AUDIT_EXAMPLES),
        "ask": (check.ask, check.ASK_EXAMPLES),
        "templates": (templates.templates, templates.TEMPLATES_EXAMPLES),
        "demo": (inquiry.demo, inquiry.DEMO_EXAMPLES),
    },
    "Cases and reports": {
        "cases": (cases.cases, f"{_EXAMPLE}cases --json"),
        "show": (
            cases.show,
            "[bold]Examples[/bold]\n\n    inquest show 20261121-7f3a --json\n\n"
            "    inquest show --snapshot sha256:... --text",
        ),
        "report": (cases.report, f"{_EXAMPLE}report 20261121-7f3a --format pdf --out report.pdf"),
        "question": (inquiry.question, inquiry.QUESTION_EXAMPLES),
        "export": (cases.export, cases.EXPORT_EXAMPLES),
        "review": (cases.review, cases.REVIEW_EXAMPLES),
        "resume": (inquiry.resume, f"{_EXAMPLE}resume 20261121-7f3a"),
        "replay": (inquiry.replay, f"{_EXAMPLE}replay 20261121-7f3a --report again.md"),
        "save": (check.save, f"{_EXAMPLE}save 20261121-7f3a"),
    },
    "Topics over time": {
        "topics": topics.app,
        "watch": (topics.watch, topics.WATCH_EXAMPLES),
        "stats": (topics.stats, f"{_EXAMPLE}stats --days 30 --json"),
    },
    "Single judgments": {
        "assess": (looks.assess, looks.ASSESS_EXAMPLES),
        "claims": (looks.claims, looks.CLAIMS_EXAMPLES),
        "read": (looks.read, looks.READ_EXAMPLES),
        "tier": (looks.tier, looks.TIER_EXAMPLES),
        "standards": (looks.standards, looks.STANDARDS_EXAMPLES),
    },
    "Your own documents": {"collection": collection.app, "registries": engines.registry_app},
    "Set up": {
        "doctor": (engines.doctor, f"{_EXAMPLE}doctor --offline"),
        "engines": engines.engines_app,
        "models": models.app,
        "mcp": (serving.mcp, serving.MCP_EXAMPLES),
    },
    "For teams": {
        "serve": (serving.serve, serving.SERVE_EXAMPLES),
        "worker": (serving.worker, None),
        "users": serving.users,
        "tokens": serving.tokens,
        "db": serving.database,
    },
}
"""What people do, in the order in which they come to it: the panels of `--help`, each with its commands and their
examples, and its groups of commands."""
for _panel, _commands in _COMMANDS.items():
    for _name, _what in _commands.items():
        if isinstance(_what, typer.Typer):
            app.add_typer(_what, name=_name, rich_help_panel=_panel)
        else:
            app.command(_name, epilog=_what[1], rich_help_panel=_panel)(_what[0])


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
