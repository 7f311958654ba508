"""The options that commands share, each declared once; those of a case come from its request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import Field, dataclass, fields
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from inquest.app.cases.case_request import KINDS, CaseRequest, CaseSettings
from inquest.app.grouped import FieldsOf

Approve = Literal["ask", "auto"]
"""Who agrees to the plan."""


Priority = Literal["high", "normal", "low"]
"""How soon a topic is to be investigated."""


Approving = Annotated[Approve, typer.Option(help="ask: show the plan and wait; auto: the plan runs as it is.")]


@dataclass(frozen=True)
class OutputFlags:
    """Where the result goes."""

    json_file: Annotated[
        Path | None,
        typer.Option("--json", metavar="[FILE]", help="Write the case as JSON to FILE (without: standard output)."),
    ] = None
    report_files: Annotated[
        list[Path] | None,
        typer.Option("--report", metavar="FILE.{md,html,json,pdf}", help="Write the report; may be given again."),
    ] = None

    @property
    def reports(self) -> list[Path]:
        """The files that are to hold the report."""
        return self.report_files or []

    @property
    def to_stdout(self) -> bool:
        """False where JSON has standard output to itself."""
        return str(self.json_file) != "-"


def options_of(request: type[CaseSettings], *leave_out: str) -> FieldsOf:
    """The fields of a request as options of the command line, with the help and the limits that are declared there."""
    return FieldsOf(request, ("kind", *leave_out), _option)


def _option(field: Field[Any], hint: Any) -> tuple[Any, Any]:
    said, types = field.metadata, str(hint)
    several = "tuple[" in types
    kind: Any = str
    if several and "flag" in said:
        kind = list[str]
    elif hint is bool or "Literal" in types:
        kind = hint
    elif "datetime" not in types and not several:
        kind = int if "int" in types else float if types.startswith("float") else str
    flag = _flag(field)
    help_ = said["description"] + (" May be given again." if kind == list[str] else "")
    return Annotated[kind | None, typer.Option(flag, metavar=said.get("metavar"), help=help_)], None


def _flag(field: Field[Any]) -> str:
    return str(field.metadata.get("flag") or f"--{field.name.replace('_', '-')}")


_VERBS = {"inquiry": "run", "claims": "check", "topic": "verify", "market": "ask", "audit": "audit"}


def command_of(request: CaseRequest) -> list[str]:
    """The arguments of the command that makes this request."""
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
"""Commands that keep a report where none is asked for."""


def with_values(arguments: Sequence[str]) -> list[str]:
    """The command line with what an option without its value stands for: `--json` for standard output, `--report` for
    the report that is kept anyway."""
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
