"""All words of the page, from one catalogue."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from types import SimpleNamespace
from typing import Any


@cache
def words() -> SimpleNamespace:
    """The catalogue `words.toml`: a table is a namespace, an entry a text or, for a noun, its two numbers."""
    found: SimpleNamespace = _space(tomllib.loads((files(__package__) / "words.toml").read_text("utf-8")))
    return found


def amount(number: int, noun: str) -> str:
    """'1 source', '1,204 sources'; the noun is an entry of the table `nouns`."""
    one, many = getattr(words().nouns, noun)
    return f"{number:,} {one if number == 1 else many}"


def _space(value: Any) -> Any:
    if isinstance(value, dict):
        return SimpleNamespace(**{name: _space(each) for name, each in value.items()})
    return value
