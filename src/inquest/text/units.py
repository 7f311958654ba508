"""Units of measure: what a unit measures, and how many base units it is. Factors are the SI's and, for others, the
exact international definitions (1959 yard and pound agreement; NIST SP 811, appendix B)."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

__all__ = ["CURRENCIES", "SCALES", "UNITS", "Dimension", "Unit"]


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


_TABLE: tuple[tuple[Dimension, str, tuple[tuple[float, str], ...]], ...] = (
    (
        Dimension.MASS,
        "kg",
        (
            (1e-6, "mg|milligram|milligrams"),
            (1e-9, "µg|μg|ug|microgram|micrograms"),
            (1e-3, "g|gram|grams|gramme|grammes|gCO2e|gCO2|gCO₂e|gCO₂"),
            (1.0, "kg|kilo|kilos|kilogram|kilograms|kilogramme|kilogrammes|kgCO2e|kgCO2|kgCO₂e|kgCO₂"),
            (1e3, "t|tonne|tonnes|metric ton|metric tons|ton|tons|tonnen|tCO2e|tCO2|tCO₂e|tCO₂|mt of co2"),
            (1e6, "kt|ktCO2e|kilotonne|kilotonnes|kiloton|kilotons"),
            (1e9, "Mt|MtCO2e|MtCO2|megatonne|megatonnes|megaton|megatons"),
            (1e12, "Gt|GtCO2e|GtCO2|GtC|gigatonne|gigatonnes|gigaton|gigatons"),
            (907.18474, "short ton|short tons"),
            (1016.0469088, "long ton|long tons"),
            (0.45359237, "lb|lbs|pounds of"),
            (0.028349523125, "oz|ounce|ounces"),
        ),
    ),
    (
        Dimension.ENERGY,
        "J",
        (
            (1.0, "J|joule|joules"),
            (1e3, "kJ"),
            (1e6, "MJ|megajoule|megajoules"),
            (1e9, "GJ|gigajoule|gigajoules"),
            (1e12, "TJ|terajoule|terajoules"),
            (1e15, "PJ|petajoule|petajoules"),
            (1e18, "EJ"),
            (3.6e6, "kWh|kilowatt hours|kilowatt-hours|kilowatt hour|kilowatt-hour"),
            (3.6e9, "MWh|megawatt hours|megawatt-hours|megawatt hour|megawatt-hour"),
            (3.6e12, "GWh|gigawatt hours|gigawatt-hours|gigawatt hour|gigawatt-hour"),
            (3.6e15, "TWh|terawatt hours|terawatt-hours|terawatt hour|terawatt-hour"),
            (4184.0, "kcal|kilocalories"),
            # The International Energy Agency's tonne of oil equivalent; the international table's Btu.
            (41.868e9, "toe|tonne of oil equivalent|tonnes of oil equivalent"),
            (41.868e12, "ktoe"),
            (41.868e15, "Mtoe"),
            (1.05505585262e9, "MMBtu|mmBtu|million Btu"),
        ),
    ),
    (
        Dimension.POWER,
        "W",
        (
            (1.0, "W|watt|watts"),
            (1e3, "kW|kilowatt|kilowatts"),
            (1e6, "MW|megawatt|megawatts"),
            (1e9, "GW|gigawatt|gigawatts"),
            (1e12, "TW|terawatt|terawatts"),
        ),
    ),
    (
        Dimension.VOLUME,
        "m3",
        (
            (1e-6, "ml|millilitre|millilitres|milliliter|milliliters"),
            (1e-3, "l|L|litre|litres|liter|liters"),
            (1.0, "m3|m³|cubic metre|cubic metres|cubic meter|cubic meters"),
            (1e9, "km3|km³|cubic kilometre|cubic kilometres|cubic kilometers"),
            (4.54609e-3, "imperial gallon|imperial gallons"),
            (3.785411784e-3, "gallon|gallons"),
            (0.158987294928, "barrel|barrels|bbl"),
        ),
    ),
    (
        Dimension.LENGTH,
        "m",
        (
            (1e-3, "mm|millimetre|millimetres|millimeter|millimeters"),
            (1e-2, "cm|centimetre|centimetres|centimeter|centimeters"),
            (1.0, "m|metre|metres|meter|meters"),
            (1e3, "km|kilometre|kilometres|kilometer|kilometers"),
            (1609.344, "mi|mile|miles"),
            (0.3048, "ft|foot|feet"),
            (0.0254, "in|inch|inches"),
            (0.9144, "yd|yard|yards"),
            (1852.0, "nautical mile|nautical miles"),
        ),
    ),
    (
        Dimension.AREA,
        "m2",
        (
            (1.0, "m2|m²|sq m|square metre|square metres|square meter|square meters"),
            (1e4, "ha|hectare|hectares"),
            (1e6, "km2|km²|sq km|square kilometre|square kilometres|square kilometer|square kilometers"),
            (4046.8564224, "acre|acres"),
            (2589988.110336, "square mile|square miles|sq mi"),
            (0.09290304, "square foot|square feet|sq ft"),
        ),
    ),
    (
        Dimension.DURATION,
        "days",
        (
            (1 / 86400, "second|seconds"),
            (1 / 1440, "minute|minutes"),
            (1 / 24, "hour|hours"),
            (1.0, "day|days"),
            (7.0, "week|weeks"),
            (30.4375, "month|months"),
            (365.25, "year|years"),
            (3652.5, "decade|decades"),
            (36525.0, "century|centuries"),
        ),
    ),
    (
        Dimension.SPEED,
        "m/s",
        (
            (1.0, "m/s|metres per second|meters per second"),
            (1 / 3.6, "km/h|kph|kilometres per hour|kilometers per hour"),
            (0.44704, "mph|miles per hour"),
        ),
    ),
    (
        Dimension.CONCENTRATION,
        "ppm",
        ((1.0, "ppm|parts per million"), (1e-3, "ppb|parts per billion")),
    ),
    (Dimension.SHARE, "%", ((1.0, "%|percent|per cent|pct|prozent|pc"),)),
    (
        Dimension.POINTS,
        "pp",
        ((1.0, "percentage point|percentage points|percent points|%-points|pp|ppt|prozentpunkte"),),
    ),
    (Dimension.FACTOR, "x", ((1.0, "times|x|×|fold|-fold"),)),
)

UNITS: dict[str, Unit] = {
    name: Unit(dimension, factor, base)
    for dimension, base, rows in _TABLE
    for factor, names in rows
    for name in names.split("|")
} | {
    "°C": Unit(Dimension.TEMPERATURE, 1.0, "°C"),
    "degrees Celsius": Unit(Dimension.TEMPERATURE, 1.0, "°C"),
    "degrees celsius": Unit(Dimension.TEMPERATURE, 1.0, "°C"),
    "degrees C": Unit(Dimension.TEMPERATURE, 1.0, "°C"),
    "°F": Unit(Dimension.TEMPERATURE, 5 / 9, "°C", -160 / 9),
    "degrees Fahrenheit": Unit(Dimension.TEMPERATURE, 5 / 9, "°C", -160 / 9),
    "degrees fahrenheit": Unit(Dimension.TEMPERATURE, 5 / 9, "°C", -160 / 9),
    "degrees F": Unit(Dimension.TEMPERATURE, 5 / 9, "°C", -160 / 9),
}
"""Every spelling of a unit. Case counts where two units differ by it alone (mW and MW, t and T)."""

SCALES: dict[str, float] = {
    name: factor
    for factor, names in (
        (1e2, "hundred|hundreds of"),
        (1e3, "thousand|k|tsd|tsd.|thousands of|tausend"),
        (1e6, "million|millions|millions of|mn|mln|m|mio|mio.|millionen"),
        (1e9, "billion|billions|billions of|bn|b|mrd|mrd.|milliarden|milliard"),
        (1e12, "trillion|trillions|tn|trn|bio."),
        (1e5, "lakh"),
        (1e7, "crore"),
    )
    for name in names.split("|")
}
"""Words that multiply a number, in lower case. 'billion' is 10^9 throughout (short scale)."""

CURRENCIES: dict[str, str] = {
    spelling: code
    for code, spellings in (
        ("USD", "$|US$|USD|dollar|dollars|US dollars|U.S. dollars|usd"),
        ("EUR", "€|EUR|euro|euros|eur"),
        ("GBP", "£|GBP|pounds|pounds sterling|gbp"),
        ("CHF", "CHF|Swiss francs|francs"),
        ("JPY", "¥|JPY|yen"),
        ("CNY", "CNY|RMB|yuan"),
        ("AUD", "A$|AUD|AU$|Australian dollars"),
        ("CAD", "C$|CAD|CA$|Canadian dollars"),
        ("INR", "₹|INR|rupees|Rs|Rs."),
        ("SEK", "SEK"),
        ("NOK", "NOK"),
        ("DKK", "DKK"),
        ("NGN", "₦|naira"),
        ("RUB", "rubles|roubles"),
        ("cent", "cents"),
    )
    for spelling in spellings.split("|")
}
