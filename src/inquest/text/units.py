"""Units (`units.toml`), the measures for which registers have figures (`words.toml`), and spellings of numbers: digits
with their grouping, number words, scales, and words that limit a number."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable
from enum import StrEnum
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

from inquest.text.lexicon import any_of, entries, facts, pattern, word_lists
from inquest.text.regex import regex
from inquest.text.sentences import Span
from inquest.text.vocabulary import is_negated, negations

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
    SHARE = "share"  # Percent of something
    POINTS = "percentage points"
    MONEY = "money"
    LIMIT = "times a limit"  # A multiple of what is allowed: within the limit, twice the maximum
    FACTOR = "factor"  # A multiple of another amount: doubled, threefold, 2.5 times
    SCORE = "score"  # The two sides of a vote or match: 14 to 9, 3-2
    COUNT = "count"  # A number of things; the thing is the unit


class Unit(NamedTuple):
    """A unit: its dimension, its size in base units, and the base unit's symbol."""

    dimension: Dimension
    factor: float
    base: str
    offset: float = 0.0  # Added after multiplying (Fahrenheit, kelvin)


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
_OF_ACCOUNTS = {"k": 1e3, "T": 1e3, "M": 1e6, "m": 1e6}
ACCOUNT_UNITS: dict[str, tuple[str, float]] = {
    f"{prefix}{name}": (code, factor)
    for name, code in CURRENCIES.items()
    if name in {code, "€"}
    for prefix, factor in _OF_ACCOUNTS.items()
    if f"{prefix}{name}" not in CURRENCIES
}
"""Codes and factors of the units of accounts: kEUR, TEUR, MSEK, mNOK."""


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


class Bound(StrEnum):
    """The limit that a text sets to a number."""

    EXACT = "exact"
    ABOUT = "about"
    AT_LEAST = "at least"  # Also 'more than', 'over'
    AT_MOST = "at most"  # Also 'less than', 'under', 'up to'
    RANGE = "range"


def either(names: Iterable[str]) -> str:
    """A pattern for any of the names, longest first."""
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))


_WORDS = word_lists(__name__, "number_words")
WORD_NUMBERS = {word: float(number) for number, word in enumerate(_WORDS["ones"])} | {
    word: 10.0 * number for number, word in enumerate(_WORDS["tens"], 2)
}
FRACTIONS = {"half": 50.0} | {
    f"{name}{end}": 100 / parts
    for name, parts in (("third", 3), ("quarter", 4), ("fifth", 5), ("tenth", 10))
    for end in ("", "s")
}
_OTHER_SIDE = {Bound.AT_LEAST: Bound.AT_MOST, Bound.AT_MOST: Bound.AT_LEAST}
_BOUND_OF = {word: Bound(bound) for bound, words in facts(__name__, "bounds").items() for word in words.split("|")}
_BOUND = regex(
    r"(?:^|(?<=[\s(\"“,]))("
    + either(_BOUND_OF)
    + r")(?:\s+(?:the|a|an|its|their)(?:\s+\w+)?\s+(?:limit|threshold|ceiling|cap)\s+of)?\s*$",
    re.I,
)

_NOT = regex(r"\b(?:not|never)\s+$", re.I)


def bound_before(before: str) -> Bound:
    """The bound that the words before a number set, exact by default. A negated limit is one on the other side: 'at no
    time exceeded 40' is at most 40."""
    if (found := _BOUND.search(before)) is None:
        return Bound.EXACT
    bound, place = _BOUND_OF[found.group(1).lower()], Span(*found.span(1))
    negated = _NOT.search(before[: place.start]) or is_negated(place, negations(before))
    return _OTHER_SIDE.get(bound, bound) if negated else bound


_PRECISE = 3  # Digits before the final zeros from which a number is written to its precision
_NUMBER = "|".join(
    (
        r"\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?",  # 15,00,000
        r"(?:\d+(?:[.,]\d+)?\s?[×x·⋅]\s?)?10(?:\^[-−]?\d{1,2}|⁻?[⁰¹²³⁴-⁹]{1,2})(?!\d)",  # 3×10^4, 10⁴
        r"\d{1,3}(?:[,'’]\d{3})+(?:\.\d+)?",  # 2,300,000.5
        r"\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?",  # 2.300.000,5
        r"\d{1,3}(?:[\u00a0\u202f\u2009 ]\d{3})+(?:[.,]\d+)?(?!\d)",  # 2 300 000
        r"\d+(?:[.,]\d+)?",
    )
)
_TENS = "|".join(_WORDS["tens"])
_WORDED_SMALL = rf"(?:(?:(?:{_TENS})[\s-])?(?:{'|'.join(WORD_NUMBERS)}|a dozen|dozens of|dozen)\b)"
_PART = r"(?:a|one|two|three|four)[\s-](?:third|thirds|quarter|quarters|fifth|fifths|tenth|tenths)"
_WORDED_SCALE = r"(?:hundred|thousand|million|billion|dozen)\b"
_SYMBOLS = [
    name for name in CURRENCIES if not name[0].islower() and not name.endswith(("dollars", "francs", "Euro", "Euros"))
]
_SYMBOLS += ACCOUNT_UNITS
DIGITS = regex(
    rf"""(?<![\w.,:/#&=@])(?P<money>(?:{either(_SYMBOLS)})\s?)?
    (?P<sign>[-−–](?=\d)(?<![\w)]-)(?<![\w)]–)|minus\s(?=\d))?(?P<number>{_NUMBER})(?![\w]*@)
    (?:(?P<dash>\s?(?:-|–|—|to|and|bis)\s?)(?:{either(_SYMBOLS)})?(?P<second>{_NUMBER}))?""",
    re.VERBOSE,
)
SCALE = regex(rf"[\s-]?(?P<scale>{either(SCALES)})(?![\w/])", re.I)
DECIMAL_COMMA = regex(r"[\s-]?(?:tsd|tausend|mio|millionen|mrd|milliarden?|bio|miljoen|miljard|millones)\b", re.I)
"""Scale words of languages with decimal commas (2,345 for English 2.345)."""
UNIT = regex(rf"[\s\u00a0-]?(?P<unit>{either(UNITS.keys() - set('CF'))}|(?<=[\d.]\d)[CF])(?![\w²³/])")
"""'C' and 'F' are units only right after two digits: '45C', but 'hall 12 C'."""
MONEY = rf"(?P<money>{either({**CURRENCIES, **ACCOUNT_UNITS})})"
CURRENCY = regex(rf"[\s-]?{MONEY}(?:\s?(?P<scale>(?i:{either(SCALES)})|['’]?000))?(?!\w)")
"""A currency with the scale that accounts write after it: 'EUR million', '€m', "£'000"."""
_ONE = either(name for name, unit in UNITS.items() if unit.base not in ("%", "pp", "x") and len(name) > 2)
SPELLED = regex(
    rf"""\b(?:
    (?P<factor>{"|".join(FACTORS)})
    |(?P<whole>{_WORDED_SMALL})\s+and\s+(?P<part>{_PART}|a\s+half)(?=\s)
    |a[ ](?=fortnight\b)|(?:(?<=\bthan[ ])|(?<=\bleast[ ]))an?[ ](?=(?:{_ONE})\b)
    |(?P<share>{_PART}|half)(?!\w|[\s-]time)
    |(?P<word>{_WORDED_SMALL}(?:(?:[\s-]{_WORDED_SCALE})+(?:\s+(?:and\s+)?{_WORDED_SMALL}(?:[\s-]{_WORDED_SCALE})*)*)?)
    |a[ ](?P<one>hundred|thousand|million|billion)
    )\b(?![-']\w*(?!))""",
    re.VERBOSE | re.IGNORECASE,
)
_SMALL = rf"\d{{1,3}}|{'|'.join(WORD_NUMBERS)}|(?:a\s)?hundred"
RATIO = regex(
    rf"\b(?P<part>{_SMALL})\s(?:in|out\sof)\s(?:every\s)?(?P<whole>{_SMALL})\b(?![\d.,:]*\d)(?![-\s]hundred)", re.I
)
"""A share as a ratio: 'one in four', '3 out of every 10'."""
# Digits that are part of a name and not a count.
NAMED = pattern("inquest.text.numerals", "named")
NAMED_SUFFIX = regex(r"[A-Za-z]+-$")
REFERENCE = regex(r"0\d|\d{1,6}/(?:19|20)\d\d\b")  # A number of a file or an order: '003/2024'
_LOCANT = r"(?:\d{1,2}[a-z]?|[NOSP])['′]?"
LOCANTS = regex(
    rf"(?<![\w.,-]){_LOCANT}(?:,{_LOCANT})+(?:[-‐‑](?=[ ,])|(?:[-‐‑]|[ ](?=[a-z]*(?:an|en|ol|on)es?\b))(?=[a-z]{{4}})"
    rf"(?!(?:fold|fach|times|year|month|week|hour|minute|second|per|prozent|point|million|billion|milliarde|tonn|seat|page|"
    rf"mile)|(?:{either(UNITS)})\b))",
    re.IGNORECASE,
)
"""IUPAC locants, the positions of groups in a molecule: '1,4-dioxane', 'N,N-dimethyl'."""
CLOCK = regex(r":\d\d|\s?(?:a\.?m\.?|p\.?m\.?|o'clock|uhr)\b|(?:st|nd|rd|th)\b", re.I)
PHONE = regex(r"(?:\+|\(0)[\d\s()/-]{7,}|\b\d{3,5}[-/\s]\d{3,4}[-/\s]\d{3,}\b")


_POWER = regex(r"(?:(?P<factor>[\d.,]+)[×x·⋅])?10(?:\^(?=[-−\d])|(?!\d))(?P<exponent>[-−⁻]?[\d⁰¹²³⁴-⁹]+)")
NOTE_MARK = regex(r"\s?(?:\[(?:\d{1,3}|[a-z]|[*†‡§])(?:[,;–-]\s?\d{1,3})*\]|[¹²³⁴-⁹]{1,2}(?=\s))")
"""The mark of a note after a figure: '320 [1] tonnes'."""


@lru_cache(maxsize=4096)
def number_of(spelled: str, *, decimal_comma: bool) -> tuple[float, float]:
    """Parse digits; return the value, and half the value of one unit in its last significant place. A comma before
    three digits groups thousands ('2,300', '1,234 million'), except with `decimal_comma`, before a scale word of a
    language with decimal commas ('2,345 Mio.'), where a point groups them. Before any other number of digits it is a
    decimal comma."""
    text = re.sub(r"[\s'’\u00a0\u202f\u2009]", "", spelled)
    if power := _POWER.fullmatch(text):
        value, step = number_of(power["factor"] or "1", decimal_comma=decimal_comma)
        scale = 10.0 ** int(unicodedata.normalize("NFKC", power["exponent"]).replace("−", "-"))
        return value * scale, step * scale
    if text.count(".") > 1 or (decimal_comma and text[-4:-3] == "."):
        text = text.replace(".", "").replace(",", ".")
    elif "," in text:
        whole, _, last = text.rpartition(",")
        grouped = len(last) == 3 and "." not in whole and not (decimal_comma and text.count(",") == 1)
        text = text.replace(",", "") if grouped or "." in last else whole.replace(",", "") + "." + last
    value = float(text)
    if "." in text:
        return value, 0.5 * 10.0 ** -len(text.partition(".")[2])
    # Final zeros of a whole number may be exact or rounded: one of them is taken as exact, the others as rounded, and
    # all of them after three other digits (412,306 is 412,000).
    zeros = len(text) - len(text.rstrip("0")) if value else 0
    return value, 0.5 * 10.0 ** max(0, zeros - (len(text) - zeros < _PRECISE))


def worded_number(spelled: str) -> float:
    """Parse number words: 'two million', 'one hundred and eighty-one', 'a dozen' (12)."""
    total = current = 0.0
    for word in re.split(r"[\s-]+", spelled.lower()):
        if word in WORD_NUMBERS:
            current += WORD_NUMBERS[word]
        elif word in ("dozen", "dozens"):
            current = max(1.0, current) * 12
        elif word == "hundred":
            current = max(1.0, current) * 100
        elif word in SCALES:
            total += max(1.0, current) * SCALES[word]
            current = 0.0
    return total + current
