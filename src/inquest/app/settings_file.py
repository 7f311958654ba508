"""One setting written into `inquest.toml`, with everything else in it left as it is."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from inquest.domain.errors import SettingError
from inquest.text.regex import regex

_SIMPLE = (
    r"(?P<before>[ \t]*{key}[ \t]*=[ \t]*)(?P<value>\"(?:[^\"\\\r\n]|\\.)*\"|'[^'\r\n]*')(?P<after>[ \t]*(?:#.*)?)"
)
_TABLE = regex(r"(?m)^[ \t]*\[")


def set_line(path: Path, key: str, value: str) -> None:
    """Set a text of the file's first part, which belongs to no table; comments, order and line ends stay.

    Written beside and then moved, with the file's own permissions, since keys may stand in it. What would come out is
    read before it is written: where it is anything but the old settings with this one set, nothing is. Raises
    SettingError with the line to write by hand.
    """
    line = f"{key} = {json.dumps(value, ensure_ascii=False)}"
    by_hand = f"Write this line at the top of {path}: {line}"
    try:
        path = path.resolve()
        raw = path.read_bytes() if path.exists() else b""
        text = raw.decode("utf-8")
        wanted = tomllib.loads(text.replace("\r\n", "\n")) | {key: value}
    except (OSError, ValueError, RuntimeError) as error:
        raise SettingError(f"{path} cannot be read ({error}).", advice=by_hand) from error
    for changed in _ways(text, key, line):
        with suppress(tomllib.TOMLDecodeError):
            if tomllib.loads(changed.replace("\r\n", "\n")) == wanted:
                _replace(path, changed.encode(), by_hand)
                return
    raise SettingError(f"{path} has {key} in a form that is not changed by a program.", advice=by_hand)


def set_in_table(path: Path, table: str, key: str, value: str) -> None:
    """Set a text of one table of the file, which is made where it is not there; everything else stays as it is.

    As careful as `set_line`. Raises SettingError with what to write by hand, without the value, which may be a key.
    """
    by_hand = f"Write {key} under [{table}] in {path} by hand."
    line = f"{key} = {json.dumps(value, ensure_ascii=False)}"
    try:
        path = path.resolve()
        raw = path.read_bytes() if path.exists() else b""
        text = raw.decode("utf-8")
        wanted = tomllib.loads(text.replace("\r\n", "\n"))
        wanted = wanted | {table: {**wanted.get(table, {}), key: value}}
    except (OSError, ValueError, RuntimeError, TypeError) as error:
        raise SettingError(f"{path} cannot be read.", advice=by_hand) from error
    for changed in _ways_in_table(text, table, key, line):
        with suppress(tomllib.TOMLDecodeError):
            if tomllib.loads(changed.replace("\r\n", "\n")) == wanted:
                _replace(path, changed.encode(), by_hand)
                return
    raise SettingError(f"{path} has {key} in a form that is not changed by a program.", advice=by_hand)


def _ways_in_table(text: str, table: str, key: str, line: str) -> Iterator[str]:
    end = "\r\n" if "\r\n" in text else "\n"
    value = line.partition(" = ")[2]
    for match in re.finditer(rf"(?m)^{_SIMPLE.format(key=re.escape(key))}(?=\r?$)", text):
        yield text[: match.start("value")] + value + text[match.end("value") :]
    for match in re.finditer(rf"(?m)^[ \t]*\[[ \t]*{re.escape(table)}[ \t]*\][ \t]*(?:#.*)?\r?$", text):
        yield text[: match.end()].rstrip("\r") + end + line + text[match.end() :]
    body = text.rstrip("\r\n")
    yield (body + end + end if body else "") + f"[{table}]" + end + line + end


def _ways(text: str, key: str, line: str) -> Iterator[str]:
    """The file with the line in it, the way that changes least first. Each is to be checked."""
    end = "\r\n" if "\r\n" in text else "\n"
    value = line.partition(" = ")[2]
    for match in re.finditer(rf"(?m)^{_SIMPLE.format(key=re.escape(key))}(?=\r?$)", text):
        yield text[: match.start("value")] + value + text[match.end("value") :]
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
