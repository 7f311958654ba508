"""Functions shared by commands: running a coroutine, printing JSON, reading JSON lines."""

from __future__ import annotations

import json
import sys
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from inquest.app.files import readable, written
from inquest.domain.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.status import Status

    from inquest.app.build import App

T = TypeVar("T")


def run_async(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine. Raises KeyboardInterrupt if Ctrl-C stops it."""
    import asyncio

    try:
        return asyncio.run(work)
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


def with_app(work: Callable[[App], Awaitable[T]]) -> T:
    """Run `work` with the use cases, opened with the settings of this process. Raises as `run_async`."""
    from inquest.app.build import open_app

    async def opened() -> T:
        async with open_app() as app:
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


def write_whole(path: Path, content: bytes) -> None:
    """Write a file whole or not at all. Raises InputError if it cannot be written."""
    if path.is_dir():
        raise InputError(f"{path} is a folder.", advice="Name a file in it.")
    with written(path) as part:
        part.write_bytes(content)


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
