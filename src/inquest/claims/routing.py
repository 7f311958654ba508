"""Routing of claims to desks, with reasons (spec 000 and 002, RoutingAssignment).

Each desk decides whether it takes a claim. Rules for three specified but unbuilt desks let a report name the gap."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import chain

from inquest.claims.press_words import places_of
from inquest.domain.check import Assignment, Taken
from inquest.domain.claim import Claim, ClaimType
from inquest.domain.reasons import Catalogue, Reason, worded
from inquest.text.entities import is_likely, names, same_name
from inquest.text.regex import regex
from inquest.text.units import Dimension

_reason = Catalogue("routing")
_WIDEST = "news"  # The desk for claims that no other desk takes
_IN = regex(r"\b(?:in|at|near|from|outside|around|across|of|to|between)\s+(?:the\s+)?$", re.I)


def route(
    claims: Sequence[Claim], takes: Mapping[str, Callable[[Claim], Taken | None]], *, chosen: Sequence[str] = ()
) -> tuple[Assignment, ...]:
    """Assign each claim to its desks, most urgent first, with the claim's importance as priority. `takes`: a function
    for each installed desk; `chosen`: the desks to use, empty for all. A claim that no desk takes goes to the news desk
    if that is in use; otherwise it has no desk, with a reason."""
    allowed = {name: take for name, take in takes.items() if not chosen or name in chosen}
    return tuple(_assignment(claim, allowed, takes) for claim in claims)


def _assignment(
    claim: Claim, allowed: Mapping[str, Callable[[Claim], Taken | None]], installed: Collection[str]
) -> Assignment:
    taken = [(name, taking) for name, take in allowed.items() if (taking := take(claim)) is not None]
    taken.sort(key=lambda each: -each[1].priority)
    desks = [name for name, _ in taken]
    reasons = [
        _reason(
            "group" if each.group else "desk",
            desk=name,
            why=each.reason.strip().rstrip("."),
            **({"group": each.group} if each.group else {}),
        )
        for name, each in taken
    ]
    if not taken and _WIDEST in allowed:
        desks, reasons = [_WIDEST], [_reason("widest", desk=_WIDEST)]
    elif not taken:
        reasons = [_reason("nobody_of", desks=sorted(allowed)) if allowed else _reason("nobody")]
    missing = [(name, why) for name, rule in _MISSING_DESKS.items() if name not in installed and (why := rule(claim))]
    return Assignment(
        claim_id=claim.id,
        desks=tuple(desks),
        missing=tuple(name for name, _ in missing),
        priority=claim.importance,
        **worded([*reasons, *(why for _, why in missing)]),
    )


def _of_geography(claim: Claim) -> Reason | None:
    """Take a name with the form of a place, else one after 'in', 'at' or 'near' other than the company's."""
    if claim.type is not ClaimType.GEOGRAPHIC:
        return None
    after = (name.text for name in names(claim.text) if is_likely(name) and _IN.search(claim.text[: name.span.start]))
    others = (name for name in after if not (claim.company and same_name(name, claim.company)))
    place = next(chain(places_of(claim.text, claim.company), others), "")
    return _reason("place", place=place) if place else None


def _of_law(claim: Claim) -> Reason | None:
    if claim.type is ClaimType.LEGAL_GOVERNANCE and claim.company:
        return _reason("law")
    paragraphs = list(dict.fromkeys(f"{each.standard} {each.paragraph}" for each in claim.disclosures))
    return _reason("disclosure", paragraphs=paragraphs[:3]) if paragraphs else None


def _of_figures(claim: Claim) -> Reason | None:
    """Take claims whose figures can be checked against each other: three, two of them amounts of one kind. Two shares
    ('12 % of this and 8 % of that') need not be consistent, nor the years of a table row."""
    if "|" in claim.quote:
        return None
    kinds = Counter((each.dimension, each.unit) for each in claim.quantities)
    pairs = any(number > 1 and dimension != Dimension.SHARE.value for (dimension, _), number in kinds.items())
    return _reason("figures", number=len(claim.quantities)) if pairs and len(claim.quantities) > 2 else None


_MISSING_DESKS = {"geography": _of_geography, "legal": _of_law, "data": _of_figures}
"""Rules of the specified desks that may not be installed: the reason to take a claim, or None."""
