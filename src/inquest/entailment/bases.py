"""What a figure is a figure of: two that are not of the same kind are not compared, and neither refutes the other.

Scopes and methods are those of the GHG Protocol (Corporate Standard, 2004; Scope 2 Guidance, 2015): direct emissions
(1), bought energy (2), the value chain (3); Scope 2 by contracts (market-based) or by the grid (location-based).
"""

from __future__ import annotations

import re

from inquest.text.quantities import quantities

__all__ = ["not_comparable", "scopes_named"]

_SCOPES = re.compile(r"\bscopes?\s*((?:[123](?:\s*(?:,|and|&|\+|/|to|-|–|or)\s*)*)+)", re.I)
_MARKET, _LOCATION = re.compile(r"\bmarket[- ]based\b", re.I), re.compile(r"\blocation[- ]based\b", re.I)
_PER_OUTPUT = re.compile(
    r"\b(?:per|a|each|every)\s+(?:(?:metric|short|long|square|produced|sold|million|thousand|passenger|full-time)\s+){0,2}"
    r"(?:tonnes?|tons?|kg|kilograms?|kwh|mwh|m2|m²|metres?|meters?|foot|feet|unit|vehicle|car|product|employee|person|head|"
    r"capita|kilomet(?:re|er)|km|litre|liter|hectolitre|barrel|euro|dollar|pound|€|\$|£|revenue|turnover|sales|hectare|bed|"
    r"night|flat|house|bottle|tyre)\b|\b(?:carbon|emissions?|energy|water)\s+intensity\b|\bspecific\s+(?:emissions?|energy|water)\b",
    re.I,
)
_ABSOLUTE = re.compile(r"\b(?:absolute|total|overall|in\s+total|altogether)\b", re.I)
_GROSS, _NET = re.compile(r"\bgross\b", re.I), re.compile(r"\bnet\b(?![- ]zero)", re.I)
_BASE_YEAR = re.compile(
    r"\b(?:compared\s+(?:with|to)|against|relative\s+to|versus|vs\.?|than(?:\s+in)?|from|on|over|below|above|since)\s+(?:an?\s+|the\s+|its\s+|their\s+)?"
    r"(?:(?:base(?:line)?|reference)(?:\s+year)?(?:\s+of)?\s+|levels?\s+(?:of|in)\s+)?((?:19|20)\d\d)\b(?!\s*(?:to|until|and|-|–)\s*(?:19|20)\d\d)"
    r"|\b((?:19|20)\d\d)\s+(?:base(?:line)?(?:\s+year)?|levels?)\b|\bbase(?:line)?\s+year\s+(?:of\s+|is\s+|was\s+)?((?:19|20)\d\d)\b",
    re.I,
)
_YEAR_ON_YEAR = re.compile(
    r"\b(?:on|than|over|from|compared\s+(?:with|to)|against)\s+(?:(?:the|a)\s+)?(?:year\s+(?:before|earlier)|previous\s+year|prior\s+"
    r"year|last\s+year)\b|\byear[\s-]on[\s-]year\b|\ba\s+year\s+earlier\b",
    re.I,
)
_CURRENCIES = (
    ("euros", re.compile(r"€|\beuros?\b|\bEUR\b", re.I)),
    ("US dollars", re.compile(r"(?<![A-Z])\$|\b(?:US\s*)?dollars?\b|\bUSD\b", re.I)),
    ("pounds", re.compile(r"£|\bpounds?\s+sterling\b|\bGBP\b|\b(?:million|billion)\s+pounds\b", re.I)),
    ("yen", re.compile(r"¥|\byen\b|\bJPY\b", re.I)),
    ("francs", re.compile(r"\bfrancs?\b|\bCHF\b", re.I)),
    ("kronor", re.compile(r"\bkron(?:or|er|a|e)\b|\b(?:SEK|NOK|DKK)\b", re.I)),
)


_OTHER_SAMPLE = re.compile(
    r"\b(?:counter|second|repeat|control|B)[-\s]+samples?\b|\bown\s+(?:\w+[-\s]+)?samples?\b", re.I
)
"""A sample is one measurement: what another one gave is another figure."""


def not_comparable(claim: str, statement: str) -> str:
    """Why the figures of the two are of different kinds, in a person's words; '' where they may be compared.

    Only what both sides say counts, except for a figure per unit of output, which is never that of the whole.
    """
    wanted, found = scopes_named(claim), scopes_named(statement)
    if wanted and found and wanted != found:
        return f"The claim is of {_named(wanted)}, the passage of {_named(found)}: they are not comparable."
    for one, other, name, opposite in (
        (_MARKET, _LOCATION, "market-based", "location-based"),
        (_GROSS, _NET, "gross", "net"),
    ):
        for first, second, mine, theirs in ((one, other, name, opposite), (other, one, opposite, name)):
            only_mine = first.search(claim) and not second.search(claim)
            if only_mine and second.search(statement) and not first.search(statement):
                return f"The claim's figure is {mine}, the passage's {theirs}: they are not comparable."
    if not quantities(claim) or not quantities(statement):
        return ""
    return (
        _per_output(claim, statement)
        or _base_years(claim, statement)
        or _currencies(claim, statement)
        or _samples(claim, statement)
    )


def scopes_named(text: str) -> frozenset[str]:
    """The Scopes a text speaks of: '1', '2', '3'."""
    found: set[str] = set()
    for match in _SCOPES.finditer(text):
        digits = re.findall(r"[123]", match[1])
        if re.search(r"\bto\b|-|–", match[1]) and len(digits) == 2:
            digits = [str(each) for each in range(int(digits[0]), int(digits[1]) + 1)]
        found.update(digits)
    return frozenset(found)


def _named(scopes: frozenset[str]) -> str:
    *first, last = sorted(scopes)
    return f"Scope {', '.join(first)} and {last}" if first else f"Scope {last}"


def _per_output(claim: str, statement: str) -> str:
    mine, theirs = bool(_PER_OUTPUT.search(claim)), bool(_PER_OUTPUT.search(statement))
    if mine == theirs:
        return ""
    whole = statement if mine else claim
    if not _ABSOLUTE.search(whole) and not re.search(
        r"\bemissions?\b|\bconsum|\bwaste\b|\bwater\b|\benergy\b", whole, re.I
    ):
        return ""
    who = ("claim's", "passage's") if mine else ("passage's", "claim's")
    return f"The {who[0]} figure is per unit of output, the {who[1]} of the whole: they are not comparable."


def _base_years(claim: str, statement: str) -> str:
    mine, theirs = _years(claim), _years(statement)
    if len(mine) == len(theirs) == 1 and mine != theirs:
        return f"The claim counts from {min(mine)}, the passage from {min(theirs)}: they are not comparable."
    for base, text, whose in ((mine, statement, "passage"), (theirs, claim, "claim")):
        years = set(re.findall(r"\b(?:19|20)\d\d\b", text))
        near = len(base) == 1 and years and all(int(year) == int(min(base)) + 1 for year in years)
        if len(base) == 1 and not near and _YEAR_ON_YEAR.search(text) and not base & years:
            return f"Only the {whose}'s figure is of one year on the year before: they are not comparable."
    return ""


def _years(text: str) -> set[str]:
    return {next(year for year in match.groups() if year) for match in _BASE_YEAR.finditer(text)}


def _currencies(claim: str, statement: str) -> str:
    mine = [name for name, form in _CURRENCIES if form.search(claim)]
    theirs = [name for name, form in _CURRENCIES if form.search(statement)]
    if len(mine) == len(theirs) == 1 and mine != theirs:
        return f"The claim is in {mine[0]}, the passage in {theirs[0]}: without the rate they are not comparable."
    return ""


def _samples(claim: str, statement: str) -> str:
    mine, theirs = _OTHER_SAMPLE.search(claim), _OTHER_SAMPLE.search(statement)
    if bool(mine) == bool(theirs):
        return ""
    whose = "claim's" if mine else "passage's"
    return f"Only the {whose} figure is of a sample of its own: they are not comparable."
