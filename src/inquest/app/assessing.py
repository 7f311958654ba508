"""`assess`: the judgment at the centre, usable alone. Loads nothing but the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from inquest.analysts.assessing import assess_pair
from inquest.domain.errors import InputError
from inquest.kit.analyst import Judgement

__all__ = ["judge_pair", "judge_pairs", "judgement_json"]


def judge_pair(claim: str, passage: str) -> dict[str, Any]:
    """How a passage bears on a claim, as JSON. Raises InputError where either is empty."""
    if not claim.strip() or not passage.strip():
        raise InputError("The claim and the passage must both have text.")
    return judgement_json(assess_pair(claim, passage))


def judge_pairs(lines: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """One judgement per line, in order, with its `id` (the line's own, or its number from 1). Raises InputError."""
    for number, line in enumerate(lines, 1):
        claim, passage = line.get("claim"), line.get("passage")
        if not isinstance(claim, str) or not isinstance(passage, str):
            raise InputError(f"Line {number} has no `claim` and `passage` of text.")
        if not claim.strip() or not passage.strip():
            raise InputError(f"Line {number} has an empty claim or passage.")
        yield {"id": line.get("id", number)} | judgement_json(assess_pair(claim, passage))


def judgement_json(judged: Judgement) -> dict[str, Any]:
    """A judgement as others hold on to it (INTERFACES.md)."""
    return {
        "stance": judged.stance.value,
        "confidence": round(judged.confidence, 4),
        "contradiction_type": judged.contradiction_type.value if judged.contradiction_type else None,
        "quote": judged.quote,
        "start": judged.start,
        "end": judged.end,
        "reasons": list(judged.reasons),
    }
