"""One setting written into `inquest.toml`, with everything else in it left as it is."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from inquest.domain.errors import SettingError
from inquest.text.regex import regex

_SIMPLE = (
    r"(?P<before>[ \t]*{key}[ \t]*=[ \t]*)(?P<value>\"(?:[^\"\\\r\n]|\\.)*\"|'[^'\r\n]*')(?P<after>[ \t]*(?:#.*)?)"
)
_TABLE = regex(r"(?m)^[ \t]*\[")


def set_line(path: Path, key: str, value: str) -> None:
    """Set a text of the file's first part, which belongs to no table; comments, order and line ends stay. Written
    beside and then moved, with the file's own permissions, since keys may stand in it. What would come out is read
    before it is written: where it is anything but the old settings with this one set, nothing is. Raises SettingError
    with the line to write by hand."""
    line = _line(key, value)
    _set(path, key, {key: value}, partial(_ways, key=key, line=line), f"Write this line at the top of {path}: {line}")


def set_in_table(path: Path, table: str, key: str, value: str) -> None:
    """Set a text of one table of the file, which is made where it is not there; everything else stays as it is. As
    careful as `set_line`. Raises SettingError with what to write by hand, without the value, which may be a key."""
    ways = partial(_ways_in_table, table=table, key=key, line=_line(key, value))
    _set(path, key, {table: {key: value}}, ways, f"Write {key} under [{table}] in {path} by hand.")


def _line(key: str, value: str) -> str:
    return f"{key} = {json.dumps(value, ensure_ascii=False)}"


def _set(path: Path, key: str, new: dict[str, Any], ways: Callable[[str], Iterator[str]], by_hand: str) -> None:
    try:
        path = path.resolve()
        raw = path.read_bytes() if path.exists() else b""
        text = raw.decode("utf-8")
        wanted = tomllib.loads(text.replace("\r\n", "\n"))
        wanted |= {
            name: {**wanted.get(name, {}), **each} if isinstance(each, dict) else each for name, each in new.items()
        }
    except (OSError, ValueError, RuntimeError, TypeError) as error:
        raise SettingError(f"{path} cannot be read ({error}).", advice=by_hand) from error
    for changed in ways(text):
        with suppress(tomllib.TOMLDecodeError):
            if tomllib.loads(changed.replace("\r\n", "\n")) == wanted:
                _replace(path, changed.encode(), by_hand)
                return
    raise SettingError(f"{path} has {key} in a form that is not changed by a program.", advice=by_hand)


def _in_place(text: str, key: str, line: str) -> Iterator[str]:
    """The file with another value wherever the key stands by itself on a line."""
    value = line.partition(" = ")[2]
    for match in re.finditer(rf"(?m)^{_SIMPLE.format(key=re.escape(key))}(?=\r?$)", text):
        yield text[: match.start("value")] + value + text[match.end("value") :]


def _ways_in_table(text: str, *, table: str, key: str, line: str) -> Iterator[str]:
    end = "\r\n" if "\r\n" in text else "\n"
    yield from _in_place(text, key, line)
    for match in re.finditer(rf"(?m)^[ \t]*\[[ \t]*{re.escape(table)}[ \t]*\][ \t]*(?:#.*)?\r?$", text):
        yield text[: match.end()].rstrip("\r") + end + line + text[match.end() :]
    body = text.rstrip("\r\n")
    yield (body + end + end if body else "") + f"[{table}]" + end + line + end


def _ways(text: str, *, key: str, line: str) -> Iterator[str]:
    """The file with the line in it, the way that changes least first. Each is to be checked."""
    end = "\r\n" if "\r\n" in text else "\n"
    yield from _in_place(text, key, line)
    table = _TABLE.search(text)
    head, rest = (text[: table.start()], text[table.start() :]) if table else (text, "")
    # Before the first table, and a blank line stays before it.
    body = head.rstrip("\r\n")
    yield (body + end if body else "") + line + end + (end + rest if rest else "")
    yield line + end + text


def _replace(path: Path, content: bytes, by_hand: str) -> None:
    part: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        part = Path(name)
        with open(handle, "wb") as file:  # noqa: PTH123 - a descriptor is no path
            file.write(content)
        if path.exists():
            shutil.copymode(path, part)
        part.replace(path)
    except OSError as error:
        if part is not None:
            part.unlink(missing_ok=True)
        raise SettingError(f"{path} cannot be written ({error.strerror or error}).", advice=by_hand) from error
