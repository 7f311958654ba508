"""Scores with reasons: a table of what speaks for and against, and one sum over it (`worth.toml`).

A row counts by a fact that code has found (`fact`), or by its own words (`words`, as in text/lexicon.py): once, or as
often as they stand, up to `most` times. `why` is the code of its reason, '' for none; its data are the `words` found.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from inquest.domain.reasons import Reason, ReasonData
from inquest.text.lexicon import compiled


class ScoreRow(NamedTuple):
    """One thing that counts: its weight is below 0 where it speaks against."""

    weight: float
    why: str
    fact: str
    words: re.Pattern[str] | None
    most: float


class Scored(NamedTuple):
    """The sum of the weights that apply, and their reasons in the order of the table."""

    score: float
    reasons: tuple[Reason, ...]


def claim_reason(name: str, **data: ReasonData) -> Reason:
    """A reason of `domain/wording/claims.toml`."""
    return Reason(code=f"claims.{name}", data=data)


@cache
def table(name: str) -> tuple[ScoreRow, ...]:
    """The rows of one table. Raises KeyError where there is none."""
    rows = tomllib.loads((files("inquest.claims") / "worth.toml").read_text("utf-8"))[name]
    return tuple(
        ScoreRow(
            row["weight"],
            row.get("why", ""),
            row.get("fact", ""),
            compiled(row["words"]) if "words" in row else None,
            row.get("most", 1),
        )
        for row in rows
    )


def scored(rows: Sequence[ScoreRow], facts: Mapping[str, float | str], text: str) -> Scored:
    """Add up what applies. A fact counts by its number (True is 1), or once where it is words that are not empty."""
    score = 0.0
    reasons: list[Reason] = []
    for row in rows:
        found = facts[row.fact] if row.fact else row.words.search(text) if row.words else None
        if not found:
            continue
        times = float(found) if isinstance(found, int | float) else 1.0
        if row.words is not None and row.most > 1:
            times = len(row.words.findall(text))
        score += row.weight * min(row.most, times)
        if row.why:
            words = found.group() if isinstance(found, re.Match) else found
            reasons.append(claim_reason(row.why, **({"words": words} if isinstance(words, str) else {})))
    return Scored(score, tuple(reasons))
