"""Patterns and word lists in `words.toml`, and tables of facts in `facts.toml`, in the folder of the package that uses
them.

A table has a section for each module. A pattern is a regular expression, broken into lines after a `|`; line breaks and
the spaces around them are not part of it. Case is ignored, except in sections that end in `_cased`."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from inquest.text.regex import regex


def pattern(module: str, name: str) -> re.Pattern[str]:
    """Return the pattern `name` of a module, given by its `__name__`. Raises KeyError if the table lacks it."""
    package, _, section = module.rpartition(".")
    loaded = table(package)
    if name in loaded.get(section, {}):
        return regex(_joined(loaded[section][name]), re.IGNORECASE)
    return regex(_joined(loaded[f"{section}_cased"][name]))


def compiled(written: str) -> re.Pattern[str]:
    """Compile a pattern written as in the tables, ignoring case."""
    return regex(_joined(written), re.IGNORECASE)


def entries(module: str, section: str) -> dict[str, str]:
    """Return the entries of a section, each on one line. Raises KeyError if the table lacks the section."""
    return {name: _joined(written) for name, written in table(module.rpartition(".")[0])[section].items()}


def facts(module: str, section: str, name: str = "facts") -> dict[str, str]:
    """Return a section of `facts.toml`, or of another table. Raises KeyError if the table lacks it."""
    found: dict[str, str] = table(module.rpartition(".")[0], name)[section]
    return found


def word_set(module: str, name: str) -> frozenset[str]:
    """Return a list of words separated by spaces. Raises KeyError if the table lacks it."""
    package, _, section = module.rpartition(".")
    return frozenset(table(package)[section][name].split())


def word_lists(module: str, section: str) -> dict[str, tuple[str, ...]]:
    """Return the word lists of a section by name, in order. Raises KeyError if the table lacks the section."""
    return {name: tuple(listed.split()) for name, listed in table(module.rpartition(".")[0])[section].items()}


def any_of(module: str, name: str) -> re.Pattern[str]:
    """Return a pattern for any of the phrases separated by `|`; `*` matches any ending. Raises KeyError if missing."""
    package, _, section = module.rpartition(".")
    phrases = sorted(map(str.strip, _joined(table(package)[section][name]).split("|")), key=len, reverse=True)
    parts = (re.escape(phrase).replace(r"\*", r"\w*").replace(r"\ ", r"\s+") for phrase in phrases)
    return regex(rf"(?<![\w-])(?:{'|'.join(parts)})(?![\w])", re.IGNORECASE)


@cache
def verbose_patterns(package: str, name: str, flags: int = 0) -> dict[str, re.Pattern[str]]:
    """Compile the [patterns] of a package's `name`.toml with re.VERBOSE; <word> is replaced by that list of [words]."""
    loaded = table(package, name)
    words = loaded.get("words", {})

    def whole(written: str) -> str:
        spelled = _LIST.sub(lambda match: f"(?:{words[match[1]]})", written)
        return spelled if spelled == written else whole(spelled)

    return {key: regex(whole(written), flags | re.VERBOSE) for key, written in loaded["patterns"].items()}


_LIST = regex(r"(?<!\?P)<(\w+)>")  # A reference to a list of words in a pattern


def _joined(written: str) -> str:
    return "".join(line.strip() for line in written.splitlines())


@cache
def table(package: str, name: str = "words") -> dict[str, Any]:
    """Load a TOML file of a package."""
    return tomllib.loads((files(package) / f"{name}.toml").read_text(encoding="utf-8"))
