"""The texts of the page, from one catalogue."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from types import SimpleNamespace
from typing import Any


@cache
def words() -> SimpleNamespace:
    """Return the catalogue `words.toml`: tables as namespaces, entries as text, nouns as singular and plural."""
    found: SimpleNamespace = _space(tomllib.loads((files(__package__) / "words.toml").read_text("utf-8")))
    return found


def amount(number: int, noun: str) -> str:
    """Format a count: '1 source', '1,204 sources'. `noun`: an entry of the table `nouns`."""
    one, many = getattr(words().nouns, noun)
    return f"{number:,} {one if number == 1 else many}"


def _space(value: Any) -> Any:
    if isinstance(value, dict):
        return SimpleNamespace(**{name: _space(each) for name, each in value.items()})
    return value
