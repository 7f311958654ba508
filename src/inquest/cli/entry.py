"""All commands, and their errors as one sentence and an exit code, without a traceback."""

from __future__ import annotations

import io
import os
import sys
import tomllib
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import typer
import typer.core

from inquest.cli import cases, collection, looks, running, serving, setup, topics
from inquest.cli.common import with_values
from inquest.domain.errors import InquestError


class _Commands(typer.core.TyperGroup):
    """The commands, with Ctrl-C as an error, which the framework would not report."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as stopped:
            raise typer.Abort from stopped


app = typer.Typer(
    name="inquest",
    cls=_Commands,
    help="Check claims and investigate questions; every fact reported carries a verbatim quote from an archived page.",
    epilog="Start with: inquest demo   ·   inquest run 'BRIEF'   ·   inquest doctor",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


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


_COMMANDS: dict[str, dict[str, Callable[..., Any] | typer.Typer]] = {
    "Investigate": {
        "run": running.run,
        "check": running.check,
        "verify": running.verify,
        "audit": looks.audit,
        "ask": running.ask,
        "templates": running.templates,
        "demo": running.demo,
    },
    "Cases and reports": {
        "cases": cases.cases,
        "show": cases.show,
        "report": cases.report,
        "question": running.question,
        "export": cases.export,
        "review": cases.review,
        "resume": running.resume,
        "replay": running.replay,
        "save": running.save,
    },
    "Topics over time": {"topics": topics.app, "watch": topics.watch, "stats": topics.stats},
    "Single judgments": {
        "assess": looks.assess,
        "claims": looks.claims,
        "read": looks.read,
        "tier": looks.tier,
        "standards": looks.standards,
    },
    "Your own documents": {"collection": collection.app, "registries": setup.registry_app},
    "Set up": {"doctor": setup.doctor, "engines": setup.engines_app, "models": setup.models_app, "mcp": serving.mcp},
    "For teams": {
        "serve": serving.serve,
        "worker": serving.worker,
        "users": serving.users,
        "tokens": serving.tokens,
        "db": serving.database,
    },
}
"""The panels of `--help` in order of use, with commands and groups of commands."""
_EXAMPLES = tomllib.loads(files(__package__).joinpath("examples.toml").read_text("utf-8"))


def _examples(command: str) -> str | None:
    """The end of a command's help: commands that use it, and a paragraph."""
    if command not in _EXAMPLES:
        return None
    shown, more = _EXAMPLES[command]["examples"], _EXAMPLES[command].get("more", "")
    heading = f"[bold]Example{'s' if len(shown) > 1 else ''}[/bold]"
    return "\n" + "\n\n".join((heading, *(f"    {each}" for each in shown), more))  # the first line sets no indent


for _panel, _commands in _COMMANDS.items():
    for _name, _what in _commands.items():
        if isinstance(_what, typer.Typer):
            for _command in _what.registered_commands:
                _command.epilog = _examples(f"{_name} {_command.name}")
            app.add_typer(_what, name=_name, rich_help_panel=_panel, epilog=_examples(_name))
        else:
            app.command(_name, epilog=_examples(_name), rich_help_panel=_panel)(_what)


def run(arguments: list[str] | None = None) -> int:
    """Run a command line and return its exit code: 0 done, 1 input error, 2 outage or partial, 130 interrupted."""
    # Escape characters that the terminal does not support, such as '€' in Latin-1; JSON stays valid.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        result = app(args=with_values(sys.argv[1:] if arguments is None else arguments), standalone_mode=False)
    except (InquestError, typer.Exit, typer.Abort, KeyboardInterrupt, typer.TyperException, OSError) as error:
        return _exit_code(error)
    return result if isinstance(result, int) else 0


def _exit_code(error: BaseException) -> int:
    """Report an error and return its exit code."""
    match error:
        case InquestError():
            _report(error.sentence)
            return error.exit_code
        case typer.Exit():
            return error.exit_code
        case typer.TyperException():
            show: Any = error
            show.message = show.message.removeprefix("Value error, ")
            show.show()
            return 1
        case BrokenPipeError():
            # The reader of the output (head, less) has closed it.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        case OSError():
            _report(f"{error.filename or 'The disk'}: {error.strerror or error}.")
            return 2
        case _:
            _report("Interrupted.")
            return 130


def _report(sentence: str) -> None:
    typer.echo(f"inquest: {sentence}", err=True)
