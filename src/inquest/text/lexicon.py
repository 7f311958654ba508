"""Patterns and lists of words as tables beside the code that uses them: `words.toml` in the package's folder; tables of
facts in its `facts.toml`.

A table has a section for each module. A pattern is a regular expression, broken into lines after a `|`; line breaks and
the blanks around them are no part of it. Upper and lower case are alike, except in sections that end in `_cased`.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files

from inquest.text.regex import regex


def pattern(module: str, name: str) -> re.Pattern[str]:
    """The pattern `name` of a module, given by its `__name__`. Raises KeyError where the table has none."""
    package, _, section = module.rpartition(".")
    table = _table(package)
    if name in table.get(section, {}):
        return regex(_joined(table[section][name]), re.IGNORECASE)
    return regex(_joined(table[f"{section}_cased"][name]))


def compiled(written: str) -> re.Pattern[str]:
    """A pattern as tables have it; upper and lower case are alike."""
    return regex(_joined(written), re.IGNORECASE)


def entries(module: str, section: str) -> dict[str, str]:
    """All entries of one section beside a module, each on one line. Raises KeyError where there is no such section."""
    return {name: _joined(written) for name, written in _table(module.rpartition(".")[0])[section].items()}


def facts(module: str, section: str, name: str = "facts") -> dict[str, str]:
    """A table beside a module as it is written: of `facts.toml`. Raises KeyError where there is no such section."""
    return _table(module.rpartition(".")[0], name)[section]


def word_set(module: str, name: str) -> frozenset[str]:
    """A list of words, parted by blanks. Raises KeyError where the table has none."""
    package, _, section = module.rpartition(".")
    return frozenset(_table(package)[section][name].split())


def word_lists(module: str, section: str) -> dict[str, tuple[str, ...]]:
    """The lists of words of a section beside a module, by their names, in order. Raises KeyError."""
    return {name: tuple(listed.split()) for name, listed in _table(module.rpartition(".")[0])[section].items()}


def any_of(module: str, name: str) -> re.Pattern[str]:
    """A pattern for any of the words or phrases, parted by `|`; a `*` stands for any ending. Raises KeyError."""
    package, _, section = module.rpartition(".")
    phrases = sorted(
        (each.strip() for each in _joined(_table(package)[section][name]).split("|")), key=len, reverse=True
    )
    parts = (re.escape(each).replace(r"\*", r"\w*").replace(r"\ ", r"\s+") for each in phrases)
    return regex(rf"(?<![\w-])(?:{'|'.join(parts)})(?![\w])", re.IGNORECASE)


@cache
def verbose_patterns(package: str, name: str, flags: int = 0) -> dict[str, re.Pattern[str]]:
    """The [patterns] of `name`.toml in a package, written with re.VERBOSE; <word> stands for a list of its [words]."""
    loaded = _table(package, name)
    words = loaded.get("words", {})

    def whole(written: str) -> str:
        spelled = _LIST.sub(lambda match: f"(?:{words[match[1]]})", written)
        return spelled if spelled == written else whole(spelled)

    return {key: regex(whole(written), flags | re.VERBOSE) for key, written in loaded["patterns"].items()}


_LIST = regex(r"(?<!\?P)<(\w+)>")
"""The name of a list of words within a pattern."""


def _joined(written: str) -> str:
    return "".join(line.strip() for line in written.splitlines())


@cache
def _table(package: str, name: str = "words") -> dict[str, dict[str, str]]:
    return tomllib.loads((files(package) / f"{name}.toml").read_text(encoding="utf-8"))
