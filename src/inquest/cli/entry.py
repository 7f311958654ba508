"""All commands, and their errors as one sentence and an exit code, without a traceback."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from typing import Any

import typer
import typer.core

from inquest.cli import cases, check, collection, engines, inquiry, looks, models, serving, topics
from inquest.cli.options import examples, with_values
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


_COMMANDS: dict[str, dict[str, tuple[Callable[..., Any], str | None] | typer.Typer]] = {
    "Investigate": {
        "run": (inquiry.run, inquiry.RUN_EXAMPLES),
        "check": (check.check, check.CHECK_EXAMPLES),
        "verify": (check.verify, check.VERIFY_EXAMPLES),
        "audit": (looks.audit, looks.AUDIT_EXAMPLES),
        "ask": (check.ask, check.ASK_EXAMPLES),
        "templates": (inquiry.templates, inquiry.TEMPLATES_EXAMPLES),
        "demo": (inquiry.demo, inquiry.DEMO_EXAMPLES),
    },
    "Cases and reports": {
        "cases": (cases.cases, examples("inquest cases --json")),
        "show": (
            cases.show,
            examples(
                "inquest show 20261121-7f3a --json",
                "inquest show --snapshot sha256:... --text",
            ),
        ),
        "report": (cases.report, examples("inquest report 20261121-7f3a --format pdf --out report.pdf")),
        "question": (inquiry.question, inquiry.QUESTION_EXAMPLES),
        "export": (cases.export, cases.EXPORT_EXAMPLES),
        "review": (cases.review, cases.REVIEW_EXAMPLES),
        "resume": (inquiry.resume, examples("inquest resume 20261121-7f3a")),
        "replay": (inquiry.replay, examples("inquest replay 20261121-7f3a --report again.md")),
        "save": (check.save, examples("inquest save 20261121-7f3a")),
    },
    "Topics over time": {
        "topics": topics.app,
        "watch": (topics.watch, topics.WATCH_EXAMPLES),
        "stats": (topics.stats, examples("inquest stats --days 30 --json")),
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
        "doctor": (engines.doctor, examples("inquest doctor --offline")),
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
"""The panels of `--help` in order of use, with commands and their examples, and groups of commands."""
for _panel, _commands in _COMMANDS.items():
    for _name, _what in _commands.items():
        if isinstance(_what, typer.Typer):
            app.add_typer(_what, name=_name, rich_help_panel=_panel)
        else:
            app.command(_name, epilog=_what[1], rich_help_panel=_panel)(_what[0])


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
