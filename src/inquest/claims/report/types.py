"""Of which of the five types a claim of a company's report is (P1), and why.

The routing of the desks rests on the type: figures and targets are held against benchmarks and criteria, certificates
against registries, places against maps, governance against law.
"""

from __future__ import annotations

import re
from collections.abc import Callable
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


class _Claim(NamedTuple):
    text: str
    own: bool
    measured: tuple[Quantity, ...]
    """Figures that measure something."""

    @property
    def bare(self) -> bool:
        """Its figures have no unit."""
        return bool(self.measured) and all(each.dimension is Dimension.COUNT for each in self.measured)


_Rule = Callable[[_Claim], str | None]
"""The words of a claim for which the rule applies; None: it does not."""


def _words(*patterns: re.Pattern[str]) -> _Rule:
    def found(claim: _Claim) -> str | None:
        return next((match.group() for each in patterns if (match := each.search(claim.text))), None)

    return found


def _if(applies: Callable[[_Claim], object], rule: _Rule) -> _Rule:
    return lambda claim: rule(claim) if applies(claim) else None


def _aims_at_a_year(claim: _Claim) -> bool:
    return bool(_FIRMLY_AIMED.search(claim.text) and re.search(r"20[2-9]\d", claim.text))


_law, _state, _governed = _words(_LAW), _words(_STATE), _words(_GOVERNED)
_RULES: tuple[tuple[ClaimType, str, _Rule], ...] = (
    (
        ClaimType.ENVIRONMENTAL,
        "it names a certificate or green supply",
        _if(lambda claim: not _aims_at_a_year(claim), _words(_CERTIFIED, _WHOLLY_RENEWABLE)),
    ),
    (
        ClaimType.LEGAL_GOVERNANCE,
        "it speaks of law or a public body",
        _if(lambda claim: not claim.own or _state(claim), _law),
    ),
    (
        ClaimType.LEGAL_GOVERNANCE,
        "it speaks of what a state has set",
        _if(lambda claim: not claim.own, _state),
    ),
    (
        ClaimType.STRATEGIC,
        "it says what is aimed at",
        _if(lambda claim: not _REACHED.search(claim.text), _words(_FIRMLY_AIMED)),
    ),
    (ClaimType.GEOGRAPHIC, "it speaks of land that can be looked up", _words(_LAND)),
    (
        ClaimType.LEGAL_GOVERNANCE,
        "it speaks of how it is governed",
        _if(lambda claim: claim.bare or (claim.measured and all(each.spelled for each in claim.measured)), _governed),
    ),
    (ClaimType.LEGAL_GOVERNANCE, "it speaks of law or a public body", _if(lambda claim: claim.bare, _law)),
    (
        ClaimType.QUANTITATIVE,
        "it gives a figure",
        lambda claim: claim.measured[0].text if claim.measured else None,
    ),
    (ClaimType.GEOGRAPHIC, "it says where something is", _words(_PLACED)),
    (ClaimType.LEGAL_GOVERNANCE, "it speaks of how it is governed", _governed),
    (
        ClaimType.ENVIRONMENTAL,
        "it speaks of what is done to the environment",
        lambda claim: "" if environmental_score(claim.text) > 0 or _NATURE.search(claim.text) else None,
    ),
    (ClaimType.STRATEGIC, "it says what is aimed at", _words(_AIMED)),
    (ClaimType.LEGAL_GOVERNANCE, "it speaks of law or governance", _words(LEGAL)),
    (ClaimType.GEOGRAPHIC, "it says where something is", _words(SITES)),
)
"""In this order: a certificate; a law or a state's own target; an aim; land or a site; a figure; governance; the
environment; and what only sounds like one of them."""


def report_claim_type(text: str, figures: tuple[Quantity, ...], *, own: bool = True) -> TypeOfClaim:
    """The first rule that applies. `figures`: the quantities in the text. `own`: the company speaks of itself."""
    if _DONE_BY.search(text):
        text = _DATED.sub(lambda dated: " " * len(dated.group()), text)
    measured = tuple(
        each for each in figures if not each.spelled or each.dimension is not Dimension.COUNT or each.value >= 100
    )
    claim = _Claim(text, own, measured)
    for kind, why, rule in _RULES:
        words = rule(claim)
        if words is not None:
            return TypeOfClaim(kind, f"{why} (‘{words}’)" if words else why)
    return TypeOfClaim(ClaimType.STRATEGIC, "it says how the company goes about its business")
