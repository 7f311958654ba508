"""The options that commands share, each declared once: what a case is told whatever it is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from inquest.app.cases.requests import CaseOptions


class Approve(StrEnum):
    """Who agrees to the plan."""

    ask = "ask"
    auto = "auto"


class ModeOption(StrEnum):
    """The modes of spec 004."""

    quick = "quick"
    detailed = "detailed"


class PriorityOption(StrEnum):
    """How soon a topic is to be investigated."""

    high = "high"
    normal = "normal"
    low = "low"


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


@dataclass(frozen=True)
class CaseFlags(OutputFlags):
    """What every case can be told, whatever it is about, and where its result goes."""

    engines: Annotated[
        str | None, typer.Option(metavar="LIST", help="Engines to ask, comma-separated, best first.")
    ] = None
    collection: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A collection of your own documents.")
    ] = None
    languages: Annotated[
        str | None, typer.Option(metavar="de,fr", help="Languages of the pages that are looked for; any without.")
    ] = None
    as_of: Annotated[
        str | None, typer.Option(metavar="DATE", help="The 'now' of the case: nothing published later is evidence.")
    ] = None
    budget_usd: Annotated[float | None, typer.Option(min=0, help="Stop and report when this much is spent.")] = None
    deadline: Annotated[
        str | None,
        typer.Option(
            metavar="5m",
            help="Stop and report when this time is over. Without: 2m quick, 10m detailed; a check 15s a claim, 1m at "
            "least; a market answer 1m.",
        ),
    ] = None

    @property
    def options(self) -> CaseOptions:
        """As the use cases take them."""
        return {
            "engines": self.engines,
            "collections": self.collection or [],
            "languages": self.languages,
            "as_of": self.as_of,
            "budget_usd": self.budget_usd,
            "deadline": self.deadline,
        }


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
