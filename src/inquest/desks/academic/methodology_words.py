"""How a statement of method says what a standard asks for, and how it goes against one (`methodology.toml`)."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from typing import NamedTuple

from inquest.text.lexicon import compiled
from inquest.text.sentences import Span

__all__ = ["ASPECTS", "METHODS", "Against", "Aspect", "Method", "against"]


class Aspect(NamedTuple):
    """Something a standard asks a statement for: its words, and what to call it."""

    words: re.Pattern[str]
    named: str


class Method(NamedTuple):
    """A way of calculating that the standards know by name."""

    name: str
    words: re.Pattern[str]
    standard_id: str
    note: str
    """What is known of it that a reader should weigh."""


class Against(NamedTuple):
    """Where a statement goes against a requirement, and why."""

    span: Span
    reason: str


_TABLE = tomllib.loads((files(__package__) / "methodology.toml").read_text("utf-8"))
ASPECTS = {asks: Aspect(compiled(row["words"]), row["named"]) for asks, row in _TABLE["aspects"].items()}
"""By the name that rules of `sources/data/standards` ask for (`asks`)."""
METHODS = tuple(
    Method(row["name"], compiled(row["words"]), row["standard_id"], row["note"]) for row in _TABLE["methods"]
)
_AGAINST = tuple((row["asks"], compiled(row["words"]), row["reason"]) for row in _TABLE["against"])


def against(asks: str, text: str) -> Against | None:
    """Where and why a text goes against what a rule asks; None: it does not, or leaves it out."""
    for about, words, reason in _AGAINST:
        if about == asks and (match := words.search(text)):
            return Against(Span(*match.span()), reason)
    return None
