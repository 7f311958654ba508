"""Code that commands share: options, running a coroutine, printing JSON, reading JSON lines."""

from __future__ import annotations

import json
import sys
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import Field, dataclass, fields
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import typer

from inquest.app.cases.case_request import KINDS, CaseRequest, CaseSettings
from inquest.app.files import readable, write_whole
from inquest.app.grouped import FieldsOf
from inquest.domain.errors import InputError

Approve = Literal["ask", "auto"]  # the approval of a plan: by the user or in advance
Priority = Literal["high", "normal", "low"]  # the priority of a topic
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
_KEEP_A_REPORT = _OF_A_CASE - {"ask", "replay"}  # commands that keep a report by default


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


if TYPE_CHECKING:
    from rich.console import Console
    from rich.status import Status

    from inquest.app.wiring.resources import Resources

T = TypeVar("T")


def run_async(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine. Raises KeyboardInterrupt if Ctrl-C stops it."""
    import asyncio

    try:
        return asyncio.run(work)
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


def with_app(work: Callable[[Resources], Awaitable[T]]) -> T:
    """Run `work` with the resources of this process, opened with its settings. Raises as `run_async`."""
    from inquest.app.wiring.resources import open_resources

    async def opened() -> T:
        async with open_resources() as app:
            return await work(app)

    return run_async(opened())


def print_json(value: Any, *, indent: int | None = 2) -> None:
    """Print JSON on standard output."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=indent) + "\n")


def print_result(value: Any, words: str | Iterable[str], *, as_json: bool) -> None:
    """Print a result as JSON, or in words: as a sentence or as lines."""
    if as_json:
        print_json(value)
        return
    for line in (words,) if isinstance(words, str) else words:
        sys.stdout.write(f"{line}\n")


def write_json_file(path: Path, value: Any) -> None:
    """Write JSON to a file, whole or not at all, or to standard output for '-'."""
    if str(path) == "-":
        print_json(value)
    else:
        write_whole(path, (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode())


def json_lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of a JSONL file ('-': standard input). Raises InputError with the line's number."""
    with readable(path), sys.stdin if str(path) == "-" else path.open(encoding="utf-8-sig") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                value = json.loads(line)
            except json.JSONDecodeError as error:
                raise InputError(f"Line {number} of {path} is not JSON ({error.msg}).") from error
            if not isinstance(value, dict):
                raise InputError(f"Line {number} of {path} is not a JSON object.")
            yield value


def err_console() -> Console:
    """A console on standard error, for progress and messages."""
    from rich.console import Console

    return Console(stderr=True, highlight=False)


@contextmanager
def status_line(words: str) -> Iterator[Status]:
    """A status line on standard error, shown on a terminal only."""
    console = err_console()
    status = console.status(words)
    if console.is_terminal:
        status.start()
    try:
        yield status
    finally:
        status.stop()


def note_on_topic(note: str) -> None:
    """Print a note on a topic on standard error."""
    sys.stderr.write(f"Topic: {note}\n")


def warn_of_future(as_of: datetime | None, now: datetime) -> None:
    """Warn that pages until a future moment are missing. A date means the end of its day in any time zone, so today and
    tomorrow do not count as future."""
    if as_of is not None and as_of > now + timedelta(days=2):
        sys.stderr.write(
            f"--as-of {as_of:%Y-%m-%d} is in the future: freshness is measured from that day, and pages published "
            "between now and then are missing.\n"
        )


def stars(number: int) -> str:
    """Format a rating as ★★★☆☆."""
    return "★" * number + "☆" * (5 - number)
