"""Options shared by commands, each declared once; those of a case are derived from its request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import Field, dataclass, fields
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from inquest.app.cases.case_request import KINDS, CaseRequest, CaseSettings
from inquest.app.grouped import FieldsOf

Approve = Literal["ask", "auto"]
"""The approval of a plan: by the user or in advance."""
Priority = Literal["high", "normal", "low"]
"""The priority of a topic."""
CaseId = Annotated[str, typer.Argument(help="The id of the case, or its beginning.")]
ClaimsFile = Annotated[
    Path | None,
    typer.Option(
        "--claims",
        metavar="FILE",
        help="Your own claims: a JSONL file with `id`, `text`, and optionally `company`, `type`, `page`.",
    ),
]
Approving = Annotated[Approve, typer.Option(help="ask: show the plan and wait; auto: run it without asking.")]


@dataclass(frozen=True)
class OutputFlags:
    """The files for the result."""

    json_file: Annotated[
        Path | None,
        typer.Option("--json", metavar="[FILE]", help="Write the case as JSON to FILE. Default: standard output."),
    ] = None
    report_files: Annotated[
        list[Path] | None,
        typer.Option("--report", metavar="FILE.{md,html,json,pdf}", help="Write the report. Repeatable."),
    ] = None

    @property
    def reports(self) -> list[Path]:
        """The files for the report."""
        return self.report_files or []

    @property
    def to_stdout(self) -> bool:
        """False if JSON goes to standard output."""
        return str(self.json_file) != "-"


def examples(*commands: str, more: str = "") -> str:
    """The end of a command's help: commands that use it, and a paragraph."""
    heading = f"[bold]Example{'s' if len(commands) > 1 else ''}[/bold]"
    return "\n" + "\n\n".join((heading, *(f"    {each}" for each in commands), more))  # the first line sets no indent


def options_of(request: type[CaseSettings], *leave_out: str) -> FieldsOf:
    """The fields of a request as options of the command line, with the descriptions declared there."""
    return FieldsOf(request, ("kind", *leave_out), _option)


def _option(field: Field[Any], hint: Any) -> tuple[Any, Any]:
    types = str(hint)
    several = "tuple[" in types
    kind: Any = str
    if several and "flag" in field.metadata:
        kind = list[str]
    elif hint is bool or "Literal" in types:
        kind = hint
    elif "datetime" not in types and not several:
        kind = int if "int" in types else float if types.startswith("float") else str
    help_ = field.metadata["description"] + (" Repeatable." if kind == list[str] else "")
    return Annotated[kind | None, typer.Option(_flag(field), metavar=field.metadata.get("metavar"), help=help_)], None


def _flag(field: Field[Any]) -> str:
    return str(field.metadata.get("flag") or f"--{field.name.replace('_', '-')}")


_VERBS = {"inquiry": "run", "claims": "check", "topic": "verify", "market": "ask", "audit": "audit"}


def command_of(request: CaseRequest) -> list[str]:
    """The arguments of the command for this request."""
    first = KINDS[request.kind][1] if request.kind != "claims" else ""
    options: list[str] = []
    for field in fields(request):
        value = getattr(request, field.name)
        if field.name in ("kind", first) or value == field.default:
            continue
        if isinstance(value, tuple) and "flag" in field.metadata:
            options += [part for each in value for part in (_flag(field), str(each))]
        else:
            written = ",".join(value) if isinstance(value, tuple) else str(value)
            options += [_flag(field)] if value is True else [_flag(field), written]
    return [_VERBS[request.kind], *options, *(["--", getattr(request, first)] if first else [])]


_OF_A_CASE = frozenset(("run", "check", "verify", "ask", "resume", "replay", "demo"))
_KEEP_A_REPORT = _OF_A_CASE - {"ask", "replay"}
"""Commands that keep a report by default."""


def with_values(arguments: Sequence[str]) -> list[str]:
    """Complete options without a value: `--json` means standard output, `--report` the report that is kept anyway."""
    command = next((each for each in arguments if not each.startswith("-")), "")
    if command not in _OF_A_CASE:
        return list(arguments)
    found: list[str] = []
    for index, each in enumerate(arguments):
        if each == "--":
            return [*found, *arguments[index:]]
        alone = index + 1 == len(arguments) or (arguments[index + 1].startswith("-") and arguments[index + 1] != "-")
        if each == "--report" and alone and command in _KEEP_A_REPORT:
            continue
        found += ["--json", "-"] if each == "--json" and alone else [each]
    return found
