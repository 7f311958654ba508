"""What several commands share: running a coroutine, printing JSON, reading JSON lines."""

from __future__ import annotations

import json
import sys
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from inquest.app.files import readable, written
from inquest.domain.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console

    from inquest.app.build import App

T = TypeVar("T")


def run_async(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end. Raises KeyboardInterrupt where Ctrl-C has stopped it."""
    import asyncio

    try:
        return asyncio.run(work)
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


def with_app(work: Callable[[App], Awaitable[T]]) -> T:
    """Do something with the use cases, opened with the settings of this process. Raises as `run_async`."""
    from inquest.app.build import open_app

    async def opened() -> T:
        async with open_app() as app:
            return await work(app)

    return run_async(opened())


def print_json(value: Any, *, indent: int | None = 2) -> None:
    """JSON on standard output, and nothing else."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=indent) + "\n")


def write_json_file(path: Path, value: Any) -> None:
    """JSON into a file, or on standard output for '-'. Never half a file: written beside, then moved."""
    if str(path) == "-":
        print_json(value)
        return
    write_whole(path, (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode())


def write_whole(path: Path, content: bytes) -> None:
    """Write a file whole or not at all. Raises InputError where it cannot be written."""
    if path.is_dir():
        raise InputError(f"{path} is a folder.", advice="Name a file in it.")
    with written(path) as part:
        part.write_bytes(content)


def json_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSONL file ('-': standard input). Raises InputError with the line's number."""
    with readable(path), sys.stdin if str(path) == "-" else path.open(encoding="utf-8-sig") as lines:
        yield from _objects(lines, path)


def _objects(lines: Iterable[str], path: Path) -> Iterator[dict[str, Any]]:
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
    """A console on standard error: progress and messages never mix with results."""
    from rich.console import Console

    return Console(stderr=True, highlight=False)


def tell_of_topic(note: str) -> None:
    """What a topic lacks and what follows from that, beside the result."""
    sys.stderr.write(f"Topic: {note}\n")


def tell_of_future(as_of: datetime | None, now: datetime) -> None:
    """That nobody can know what was published until a moment to come. A date means the end of its day, wherever on
    earth it was meant, so that today and tomorrow are no future."""
    if as_of is not None and as_of > now + timedelta(days=2):
        sys.stderr.write(
            f"--as-of {as_of:%Y-%m-%d} lies in the future: freshness counts from that day, and what will be published "
            "until then is missing.\n"
        )


def stars(number: int) -> str:
    """Five places: ★★★☆☆."""
    return "★" * number + "☆" * (5 - number)
