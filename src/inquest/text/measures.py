"""Measures: by which words texts name them, and as which concepts of us-gaap and ifrs-full they are filed."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from inquest.text.lexicon import any_of, entries

EMISSIONS = "emissions"


class Measure(NamedTuple):
    """What a figure is of."""

    name: str
    words: re.Pattern[str]
    concepts: frozenset[str] = frozenset()
    """Without their taxonomy: 'Revenues'. Empty: no account has it."""


@cache
def measures() -> dict[str, Measure]:
    """Those that registers have figures of, by name."""
    filed = entries(__name__, "filed")
    return {
        (shown := name.replace("_", " ")): Measure(
            shown, any_of(__name__, name), frozenset(filed.get(name, "").split())
        )
        for name in entries(__name__, "measures")
    }


def measures_named(text: str) -> tuple[Measure, ...]:
    """The measures that a text names."""
    return tuple(each for each in measures().values() if each.words.search(text))


def filed_as(concept: str) -> str:
    """The measure that a concept is of, with or without its taxonomy; '' for any other."""
    bare = concept.rpartition(":")[2]
    return next((each.name for each in measures().values() if bare in each.concepts), "")
