"""Units (`units.toml`) and the measures for which registers have figures (`words.toml`)."""

from __future__ import annotations

import re
import tomllib
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from inquest.text.lexicon import any_of, entries

EMISSIONS = "emissions"


class Dimension(StrEnum):
    """The kind of a quantity. Only quantities of one dimension can be compared."""

    MASS = "mass"
    ENERGY = "energy"
    POWER = "power"
    VOLUME = "volume"
    LENGTH = "length"
    AREA = "area"
    DURATION = "duration"
    TEMPERATURE = "temperature"
    SPEED = "speed"
    CONCENTRATION = "concentration"
    SHARE = "share"
    """Percent of something."""
    POINTS = "percentage points"
    MONEY = "money"
    LIMIT = "times a limit"
    """A multiple of what is allowed: within the limit, twice the maximum."""
    FACTOR = "factor"
    """A multiple of another amount: doubled, threefold, 2.5 times."""
    COUNT = "count"
    """A number of things; the thing is the unit."""


class Unit(NamedTuple):
    """A unit: its dimension, its size in base units, and the base unit's symbol."""

    dimension: Dimension
    factor: float
    base: str
    offset: float = 0.0
    """Added after multiplying (Fahrenheit, kelvin)."""


_TABLE = tomllib.loads((files(__package__) / "units.toml").read_text(encoding="utf-8"))

UNITS: dict[str, Unit] = {
    name: Unit(Dimension(dimension["name"]), factor, dimension["base"], *offset)
    for dimension in _TABLE["dimensions"]
    for factor, names, *offset in dimension["units"]
    for name in names.split("|")
}
"""Units by their spellings. Case counts if two units differ only in case (mW and MW, t and T)."""

SCALES: dict[str, float] = {name: factor for names, factor in _TABLE["scales"].items() for name in names.split("|")}
"""Words that multiply a number, in lower case. 'billion' is 10^9 throughout (short scale)."""

FACTORS: dict[str, float] = {word: factor for words, factor in _TABLE["factors"].items() for word in words.split("|")}
"""Words that multiply another amount, with the factor: doubled, twofold."""

SHARED_NAMES = {name: frozenset(codes.split()) for name, codes in _TABLE["shared_names"].items()}
"""The currencies that are also written with the name or sign of another, without their country."""
CURRENCIES: dict[str, str] = {name: code for code, names in _TABLE["currencies"].items() for name in names.split("|")}
"""Codes of currencies by their spellings."""


class Measure(NamedTuple):
    """A measure for which registers have figures, such as revenue or emissions."""

    name: str
    words: re.Pattern[str]
    concepts: frozenset[str] = frozenset()
    """Concepts of us-gaap and ifrs-full, without their taxonomy: 'Revenues'. Empty if no account has the measure."""


@cache
def measures() -> dict[str, Measure]:
    """The measures by name."""
    filed = entries(__name__, "filed")
    names = {name.replace("_", " "): name for name in entries(__name__, "units")}
    return {
        shown: Measure(shown, any_of(__name__, name), frozenset(filed.get(name, "").split()))
        for shown, name in names.items()
    }


def measures_named(text: str) -> tuple[Measure, ...]:
    """The measures that a text names."""
    return tuple(measure for measure in measures().values() if measure.words.search(text))


def filed_as(concept: str) -> str:
    """The name of a concept's measure, given with or without its taxonomy; '' if absent."""
    bare = concept.rpartition(":")[2]
    return next((measure.name for measure in measures().values() if bare in measure.concepts), "")
