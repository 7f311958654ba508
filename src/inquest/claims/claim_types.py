"""Of which of the five types a claim of a company's report is (P1), and why.

The routing of the desks rests on the type: figures and targets are held against benchmarks and criteria, certificates
against registries, places against maps, governance against law.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from inquest.claims.claim_words import LEGAL, SITES
from inquest.claims.environmental import environmental_score
from inquest.domain.claim import ClaimType
from inquest.text.lexicon import pattern
from inquest.text.quantities import Dimension, Quantity

__all__ = ["TypeOfClaim", "report_claim_type"]


class TypeOfClaim(NamedTuple):
    """A type, and why it is this one."""

    type: ClaimType
    reason: str


_I = re.IGNORECASE
_CERTIFIED = pattern(__name__, "certified")
_WHOLLY_RENEWABLE = pattern(__name__, "wholly_renewable")
_AIMED = pattern(__name__, "aimed")
_FIRMLY_AIMED = pattern(__name__, "firmly_aimed")
_DONE_BY = pattern(__name__, "done_by")
"""'By the end of 2024 we had spent': a date by which something was done, not one that is aimed at."""
_DATED = re.compile(r"\bby\s+(?:the\s+(?:end|beginning)\s+of\s+)?20[2-9]\d", _I)
_REACHED = pattern(__name__, "reached")
_LAND = pattern(__name__, "land")
_PLACED = pattern(__name__, "placed")
_GOVERNED = pattern(__name__, "governed")
_NATURE = pattern(__name__, "nature")
_LAW = pattern(__name__, "law")
_STATE = pattern(__name__, "state")


def report_claim_type(text: str, figures: tuple[Quantity, ...], *, own: bool = True) -> TypeOfClaim:
    """The first that applies of: a certificate; a law or a state's own target; an aim; land or a site; a figure;
    governance; the environment.

    `figures`: the quantities in the text. `own`: the company speaks of itself.
    """
    if _DONE_BY.search(text):
        text = _DATED.sub(lambda dated: " " * len(dated.group()), text)
    measured = [
        each for each in figures if not each.spelled or each.dimension is not Dimension.COUNT or each.value >= 100
    ]
    dated_aim = _FIRMLY_AIMED.search(text) and re.search(r"20[2-9]\d", text)
    if not dated_aim and (word := _CERTIFIED.search(text) or _WHOLLY_RENEWABLE.search(text)):
        return TypeOfClaim(ClaimType.ENVIRONMENTAL, f"it names a certificate or green supply (‘{word.group()}’)")
    law = _LAW.search(text)
    if law and (not own or _STATE.search(text)):
        return TypeOfClaim(ClaimType.LEGAL_GOVERNANCE, f"it speaks of law or a public body (‘{law.group()}’)")
    if not own and (state := _STATE.search(text)):
        return TypeOfClaim(ClaimType.LEGAL_GOVERNANCE, f"it speaks of what a state has set (‘{state.group()}’)")
    reached = _REACHED.search(text)
    if not reached and (aim := _FIRMLY_AIMED.search(text)):
        return TypeOfClaim(ClaimType.STRATEGIC, f"it says what is aimed at (‘{aim.group()}’)")
    if land := _LAND.search(text):
        return TypeOfClaim(ClaimType.GEOGRAPHIC, f"it speaks of land that can be looked up (‘{land.group()}’)")
    governed = _GOVERNED.search(text)
    placed = _PLACED.search(text)
    if measured:
        if governed and (not _with_unit(measured) or all(each.spelled for each in measured)):
            return TypeOfClaim(ClaimType.LEGAL_GOVERNANCE, f"it speaks of how it is governed (‘{governed.group()}’)")
        if law and not _with_unit(measured):
            return TypeOfClaim(ClaimType.LEGAL_GOVERNANCE, f"it speaks of law or a public body (‘{law.group()}’)")
        return TypeOfClaim(ClaimType.QUANTITATIVE, f"it gives a figure (‘{measured[0].text}’)")
    if placed:
        return TypeOfClaim(ClaimType.GEOGRAPHIC, f"it says where something is (‘{placed.group()}’)")
    if governed:
        return TypeOfClaim(ClaimType.LEGAL_GOVERNANCE, f"it speaks of how it is governed (‘{governed.group()}’)")
    return _without_marks(text)


def _without_marks(text: str) -> TypeOfClaim:
    if environmental_score(text) > 0 or _NATURE.search(text):
        return TypeOfClaim(ClaimType.ENVIRONMENTAL, "it speaks of what is done to the environment")
    if aim := _AIMED.search(text):
        return TypeOfClaim(ClaimType.STRATEGIC, f"it says what is aimed at (‘{aim.group()}’)")
    if law := LEGAL.search(text):
        return TypeOfClaim(ClaimType.LEGAL_GOVERNANCE, f"it speaks of law or governance (‘{law.group()}’)")
    if site := SITES.search(text):
        return TypeOfClaim(ClaimType.GEOGRAPHIC, f"it says where something is (‘{site.group()}’)")
    return TypeOfClaim(ClaimType.STRATEGIC, "it says how the company goes about its business")


def _with_unit(figures: list[Quantity]) -> bool:
    return any(each.dimension is not Dimension.COUNT for each in figures)
