"""The basis of a figure: figures on different bases are not compared, and neither refutes the other.

Scopes and methods are those of the GHG Protocol (Corporate Standard, 2004; Scope 2 Guidance, 2015): direct emissions
(1), purchased energy (2), the value chain (3); Scope 2 by contracts (market-based) or by the grid (location-based). The
word lists are in `bases.toml`.
"""

from __future__ import annotations

import re
from functools import partial

from inquest.text.lexicon import verbose_patterns
from inquest.text.quantities import LIMITS, Quantity
from inquest.text.regex import regex
from inquest.text.sentences import stem

_SCOPES = regex(r"\bscopes?\s*((?:[123](?:\s*(?:,|and|&|\+|/|to|-|–|or)\s*)*)+)", re.I)

_PER = regex(
    r"(?:\bper\s+(?!cents?\b)(?:square\s+|cubic\s+)?|(?<=[\ds€])\s+(?:an?|each|every)\s+"
    r"(?=(?:hour|day|night|week|month|quarter|year)\b(?!['’]|\s+(?:ago|earlier|later|before))))(\w+)",
    re.I,
)

_PERIODS = {stem(each) for each in ("hour", "day", "night", "week", "month", "quarter", "year")}

_METHODS = (
    ("market_based", "location_based"),
    ("gross", "net"),
    ("counter_sample", "official_sample"),
    ("middle", "extreme"),
)
_BEFORE = 60
"""Characters before a figure that are searched for words of a limit."""


_patterns = partial(verbose_patterns, "inquest.entailment", "bases", re.I)


def not_comparable(claim: str, statement: str) -> str:
    """Return the code of the reason why two figures cannot be compared, or ''.

    Only what both texts state counts, except for a figure per unit of output, which never equals a total. Codes: scope,
    method, output, period, base_year.
    """
    wanted, found = scopes_named(claim), scopes_named(statement)
    if wanted and found and wanted != found:
        return "scope"
    if by_other_method(claim, statement):
        return "method"
    if _on_one_side("per_output", claim, statement):
        return "output"
    if per_other_unit(claim, statement, periods=True):
        return "period"
    mine, theirs = _base_years(claim), _base_years(statement)
    if mine and theirs and mine.isdisjoint(theirs):
        return "base_year"
    return "base_year" if (mine or theirs) and _on_one_side("year_on_year", claim, statement) else ""


def per_other_unit(claim: str, statement: str, *, periods: bool = False) -> bool:
    """True if both texts give an amount per unit, and of different units: per litre and per gallon. `periods`: if both
    give one per period, and not of the same periods: a month and a year."""
    mine, theirs = ({stem(each) for each in _PER.findall(text)} for text in (claim, statement))
    if periods:
        mine, theirs = mine & _PERIODS, theirs & _PERIODS
    return bool(mine and theirs) and (mine != theirs if periods else mine.isdisjoint(theirs))


def is_allowed(text: str, figure: Quantity) -> bool:
    """True for an allowed value: 'shall not exceed 250'. 'Never exceeded the limit of 250' is a measurement."""
    before = text[max(0, figure.span.start - _BEFORE) : figure.span.start]
    found = _patterns()["limit"].search(before)
    if found is None:
        return False
    compared = figure.bound in LIMITS and not _patterns()["modal"].search(before)
    return not (compared and re.match(r"\w*\s*limit", found[0].strip(), re.I))


def scopes_named(text: str) -> frozenset[str]:
    """Return the Scopes that a text names: '1', '2', '3'."""
    found: set[str] = set()
    for match in _SCOPES.finditer(text):
        digits = re.findall(r"[123]", match[1])
        if re.search(r"\bto\b|-|–", match[1]) and len(digits) == 2:
            digits = [str(each) for each in range(int(digits[0]), int(digits[1]) + 1)]
        found.update(digits)
    return frozenset(found)


def _on_one_side(name: str, claim: str, statement: str) -> bool:
    pattern = _patterns()[name]
    return bool(pattern.search(claim)) != bool(pattern.search(statement))


def by_other_method(claim: str, statement: str) -> bool:
    """True if each text has only one of two opposite methods, and not the same one: gross and net, mean and maximum."""
    named = [
        [[name for name in pair if _patterns()[name].search(text)] for text in (claim, statement)] for pair in _METHODS
    ]
    return any(len(mine) == len(theirs) == 1 and mine != theirs for mine, theirs in named)


def _base_years(text: str) -> set[str]:
    return {next(year for year in match.groups() if year) for match in _patterns()["base_year"].finditer(text)}
