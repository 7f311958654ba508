"""The desk's tables, read once: word lists, kinds of event, sectors, measures and brokers, each beside the code."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files

__all__ = ["alternatives", "table", "word_set"]


@cache
def table(name: str) -> dict[str, object]:
    """The table `name`.toml of this folder."""
    return tomllib.loads((files(__package__) / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def word_set(key: str, section: str = "") -> frozenset[str]:
    """A list of words of `words.toml`, parted by blanks."""
    found = table("words")
    part = found[section] if section else found
    assert isinstance(part, dict)
    return frozenset(str(part[key]).split())


def alternatives(words: str, *, flags: int = 0) -> re.Pattern[str]:
    """A pattern that finds any of the alternatives, parted by '|', as whole words; line breaks in the list are none."""
    joined = "".join(line.strip() for line in words.splitlines())
    return re.compile(rf"(?<![\w-])(?:{joined})(?![\w-])", flags)
