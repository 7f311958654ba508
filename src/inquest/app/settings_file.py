"""Writing a setting or table to `inquest.toml` without other changes."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from inquest.app.files import replacing
from inquest.domain.errors import SettingError
from inquest.text.regex import regex

_SIMPLE = (
    r"(?P<before>[ \t]*{key}[ \t]*=[ \t]*)(?P<value>\"(?:[^\"\\\r\n]|\\.)*\"|'[^'\r\n]*')(?P<after>[ \t]*(?:#.*)?)"
)
_TABLE = regex(r"(?m)^[ \t]*\[")


def set_line(path: Path, key: str, value: str, *, table: str = "") -> None:
    """Set a text in a table of the file, or at its top level; comments, order and line ends stay. The file is replaced
    atomically with its permissions, because it may contain keys, and only if it parses to the old settings with this
    one. Raises SettingError with what to write by hand, without values of tables, which may be keys."""
    shown = json.dumps(value, ensure_ascii=False)
    line = f"{key} = {shown}"
    by_hand = f"Write {key} under [{table}] in {path} by hand." if table else f"Write at the top of {path}: {line}"

    def change(values: dict[str, Any]) -> None:
        (values.setdefault(table, {}) if table else values)[key] = value

    def variants(text: str, end: str) -> Iterator[str]:
        for match in re.finditer(rf"(?m)^{_SIMPLE.format(key=re.escape(key))}(?=\r?$)", text):
            yield text[: match.start("value")] + shown + text[match.end("value") :]
        if table:
            for match in re.finditer(rf"(?m)^[ \t]*\[[ \t]*{re.escape(table)}[ \t]*\][ \t]*(?:#.*)?\r?$", text):
                yield text[: match.end()].rstrip("\r") + end + line + text[match.end() :]
            yield _with_table(text, end, table, [line])
            return
        first = _TABLE.search(text)
        head, rest = (text[: first.start()], text[first.start() :]) if first else (text, "")
        # Before the first table, with a blank line between.
        body = head.rstrip("\r\n")
        yield (body + end if body else "") + line + end + (end + rest if rest else "")
        yield line + end + text

    _rewrite(path, key, by_hand, change, variants)


def set_table(path: Path, table: tuple[str, str], values: Mapping[str, str] | None) -> None:
    """Add a table [A.B] of texts, or for None remove it with its subtables, as `set_line`. Raises SettingError."""
    outer, inner = table
    name = ".".join(table)

    def change(whole: dict[str, Any]) -> None:
        if values is not None:
            whole.setdefault(outer, {})[inner] = dict(values)
        else:
            del whole[outer][inner]
            if not whole[outer]:
                del whole[outer]

    def variants(text: str, end: str) -> Iterator[str]:
        if values is not None:
            lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in values.items()]
            yield _with_table(text, end, name, lines)
        else:
            head = rf"[ \t]*\[[ \t]*{re.escape(name)}(?:\.[^\]\r\n]+)?[ \t]*\]"
            yield re.sub(rf"(?m)^{head}[^\n]*\n?(?:^(?![ \t]*\[)[^\n]*\n?)*", "", text)

    _rewrite(path, name, f"Write or remove [{name}] in {path} by hand.", change, variants)


def _with_table(text: str, end: str, name: str, lines: list[str]) -> str:
    body = text.rstrip("\r\n")
    return (body + end + end if body else "") + end.join([f"[{name}]", *lines, ""])


def _rewrite(
    path: Path,
    what: str,
    by_hand: str,
    change: Callable[[dict[str, Any]], None],
    variants: Callable[[str, str], Iterator[str]],
) -> None:
    """Write the first variant of the file, the smallest change first, that parses to the old settings with the change.
    `variants` is given the text and its line end."""
    try:
        path = path.resolve()
        text = path.read_bytes().decode("utf-8") if path.exists() else ""
        wanted = tomllib.loads(text.replace("\r\n", "\n"))
        change(wanted)
    except (OSError, ValueError, RuntimeError, TypeError, AttributeError, KeyError) as error:
        raise SettingError(f"{path} cannot be read ({error}).", advice=by_hand) from error
    for changed in variants(text, "\r\n" if "\r\n" in text else "\n"):
        with suppress(tomllib.TOMLDecodeError):
            if tomllib.loads(changed.replace("\r\n", "\n")) == wanted:
                _replace(path, changed.encode(), by_hand)
                return
    raise SettingError(f"{path} has {what} in a form that Inquest does not change.", advice=by_hand)


def _replace(path: Path, content: bytes, by_hand: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as part:
            part.touch(0o600)  # it may contain keys
            part.write_bytes(content)
            if path.exists():
                shutil.copymode(path, part)
    except OSError as error:
        raise SettingError(f"{path} cannot be written ({error.strerror or error}).", advice=by_hand) from error
