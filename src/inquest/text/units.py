"""Units of measure: what a unit measures, and how many base units it is (units.toml)."""

from __future__ import annotations

import tomllib
from enum import StrEnum
from importlib.resources import files
from typing import NamedTuple


class Dimension(StrEnum):
    """What a quantity measures. Only quantities of one dimension can be compared."""

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
    """How many times what is allowed: within the limit, twice the maximum."""
    FACTOR = "factor"
    """How many times as much: doubled, threefold, 2.5 times."""
    COUNT = "count"
    """How many of a thing; the thing is the unit."""


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
"""Every spelling of a unit. Case counts where two units differ by it alone (mW and MW, t and T)."""

SCALES: dict[str, float] = {name: factor for names, factor in _TABLE["scales"].items() for name in names.split("|")}
"""Words that multiply a number, in lower case. 'billion' is 10^9 throughout (short scale)."""

CURRENCIES: dict[str, str] = {name: code for code, names in _TABLE["currencies"].items() for name in names.split("|")}
"""Every spelling of a currency, with its code."""
