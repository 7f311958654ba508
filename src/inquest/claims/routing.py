"""Which desk looks at which claim, and why: the orchestrator's routing plan (spec 000 and 002, RoutingAssignment).

A desk says itself whether a claim is its business. Three desks that the specifications name and nobody has built are
known here by what would be theirs, so that a report can say who should have looked and did not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Protocol

from inquest.claims.press_words import places_of
from inquest.domain.check import Assignment
from inquest.domain.claim import Claim, ClaimType
from inquest.domain.reasons import Reason, ReasonData, worded
from inquest.text.entities import is_likely, names, same_name
from inquest.text.regex import regex
from inquest.text.units import Dimension

_WIDEST = "news"
"""The desk for what no other takes: public reporting is about everything."""
_IN = regex(r"\b(?:in|at|near|from|outside|around|across|of|to|between)\s+(?:the\s+)?$", re.I)


class Taking(Protocol):
    """That a desk takes a claim, as its `takes` says it (kit.desk.Taken)."""

    @property
    def priority(self) -> float:
        """How urgent it finds it, 0 to 1."""
        ...

    @property
    def reason(self) -> str:
        """Why, readable by a person."""
        ...

    @property
    def group(self) -> str:
        """How the desk groups it for its work, '' for none."""
        ...


def route(
    claims: Sequence[Claim], takes: Mapping[str, Callable[[Claim], Taking | None]], *, chosen: Sequence[str] = ()
) -> tuple[Assignment, ...]:
    """One assignment for each claim, in their order and with their importance as priority.

    `takes`: of each installed desk by name, whether it takes a claim. `chosen`: the desks that may look, empty for all.
    The desks of a claim come with the most urgent first. A claim that none of them takes goes to the news desk, where
    that may look; where not, its assignment has no desk and says so.
    """
    allowed = {name: take for name, take in takes.items() if not chosen or name in chosen}
    return tuple(_assignment(claim, allowed, frozenset(takes)) for claim in claims)


def _assignment(
    claim: Claim, allowed: Mapping[str, Callable[[Claim], Taking | None]], installed: frozenset[str]
) -> Assignment:
    taken = [(name, taking) for name, take in allowed.items() if (taking := take(claim)) is not None]
    taken.sort(key=lambda each: -each[1].priority)
    desks = [name for name, _ in taken] or [name for name in (_WIDEST,) if name in allowed]
    reasons = [_taken(name, taking) for name, taking in taken]
    if not taken and desks:
        reasons = [_reason("widest", desk=_WIDEST)]
    elif not taken:
        reasons = [_reason("nobody_of", desks=sorted(allowed)) if allowed else _reason("nobody")]
    missing = [(name, why) for name, rule in MISSING_DESKS.items() if name not in installed and (why := rule(claim))]
    return Assignment(
        claim_id=claim.id,
        desks=tuple(desks),
        missing=tuple(name for name, _ in missing),
        priority=claim.importance,
        **worded([*reasons, *(why for _, why in missing)]),
    )


def _taken(name: str, taking: Taking) -> Reason:
    why = taking.reason.strip().rstrip(".")
    if taking.group:
        return _reason("group", desk=name, group=taking.group, why=why)
    return _reason("desk", desk=name, why=why)


def _reason(name: str, **data: ReasonData) -> Reason:
    return Reason(code=f"routing.{name}", data=data)


def _of_geography(claim: Claim) -> Reason | None:
    place = _place(claim) if claim.type is ClaimType.GEOGRAPHIC else ""
    return _reason("place", place=place) if place else None


def _place(claim: Claim) -> str:
    """A name that by its form is a place's, else one after 'in', 'at' or 'near' that is not the company's."""
    after = (name.text for name in names(claim.text) if is_likely(name) and _IN.search(claim.text[: name.span.start]))
    others = (name for name in after if not (claim.company and same_name(name, claim.company)))
    return next(chain(places_of(claim.text, claim.company), others), "")


def _of_law(claim: Claim) -> Reason | None:
    if claim.type is ClaimType.LEGAL_GOVERNANCE:
        return _reason("law")
    asked = list(dict.fromkeys(f"{each.standard} {each.paragraph}" for each in claim.disclosures))
    return _reason("disclosure", paragraphs=asked[:3]) if asked else None


def _of_figures(claim: Claim) -> Reason | None:
    """The claim's own figures can be held against one another: two amounts of one kind, with a share or a third. Two
    shares alone ('12 % of this and 8 % of that') need not fit, nor the years of a table's row."""
    if "|" in claim.quote:
        return None
    kinds = Counter((each.dimension, each.unit) for each in claim.quantities)
    pairs = any(number > 1 and dimension != Dimension.SHARE.value for (dimension, _), number in kinds.items())
    return _reason("figures", number=len(claim.quantities)) if pairs and len(claim.quantities) > 2 else None


MISSING_DESKS: dict[str, Callable[[Claim], Reason | None]] = {
    "geography": _of_geography,
    "legal": _of_law,
    "data": _of_figures,
}
"""Desks that the specifications name: why a claim would be theirs; None where it would not."""
