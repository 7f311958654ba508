"""`assess`: the judgment at the centre, usable alone. Loads nothing but the rules and the small model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from inquest.analysts.assessing import LocalJudge
from inquest.app.minds import pair_reader
from inquest.app.settings import load_settings
from inquest.domain.errors import InputError
from inquest.kit.analyst import Judgement

__all__ = ["judge_pair", "judge_pairs", "judgement_json"]


_AT_ONCE = 256
"""Lines that are judged together: enough for every core, few enough that the first come soon."""

Told = Callable[[str], None]
"""Is told in a sentence why the small model could not be used."""


def judge_pair(claim: str, passage: str, *, told: Told) -> dict[str, Any]:
    """How a passage bears on a claim, as JSON. Raises InputError where either is empty."""
    if not claim.strip() or not passage.strip():
        raise InputError("The claim and the passage must both have text.")
    judge = LocalJudge(pair_reader(load_settings()))
    judged = judgement_json(judge.pair(claim, passage))
    if judge.outage is not None:
        told(str(judge.outage))
    return judged


def judge_pairs(lines: Iterable[Mapping[str, Any]], *, told: Told) -> Iterator[dict[str, Any]]:
    """One judgement per line, in order, with its `id` (the line's own, or its number from 1). What stands before a
    line that is wrong is judged. Raises InputError."""
    judge = LocalJudge(pair_reader(load_settings()))
    silent = False
    numbered = enumerate(lines, 1)
    wrong = None
    while wrong is None:
        good, wrong = _batch(numbered)
        if not good and wrong is None:
            return
        judgements = judge.pairs([(claim, passage) for _, claim, passage in good])
        if judge.outage is not None and not silent:
            silent = True
            told(str(judge.outage))
        for (name, _, _), judged in zip(good, judgements, strict=True):
            yield {"id": name} | judgement_json(judged)
    raise wrong


def _batch(
    numbered: Iterator[tuple[int, Mapping[str, Any]]],
) -> tuple[list[tuple[object, str, str]], InputError | None]:
    """The next lines as (id, claim, passage), as far as they are right, and what is wrong with the one after them."""
    good: list[tuple[object, str, str]] = []
    try:
        for number, line in islice(numbered, _AT_ONCE):
            claim, passage = line.get("claim"), line.get("passage")
            if not isinstance(claim, str) or not isinstance(passage, str):
                raise InputError(f"Line {number} has no `claim` and `passage` of text.")
            if not claim.strip() or not passage.strip():
                raise InputError(f"Line {number} has an empty claim or passage.")
            good.append((line.get("id", number), claim, passage))
    except InputError as error:
        return good, error
    return good, None


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
