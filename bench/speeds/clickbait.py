"""The time to judge a title. The titles are made up here: a short, a medium and a long one of each kind."""

from __future__ import annotations

import time

from bench.figures import Figure
from inquest.sources.noise import clickbait_of

__all__ = ["measure"]

TITLES = (
    "Regulator fines mill over dye in the river",
    "Harbour board delays vote on dredging contract after engineers warn of contaminated silt near the fish market",
    "Grain prices fall",
    "You Will Never Guess What This Baker Put Into Her Wedding Cake",
    "17 Things Only People Who Grew Up Next To A River Will Understand",
    "Why Is Everyone Talking About This Goat",
)
ROUNDS = 2_000


def measure(arguments: list[str]) -> list[Figure]:
    """Microseconds of processor time per title, so that other load does not count: the best of five rounds."""
    taken = []
    for _ in range(5):
        began = time.process_time()
        for _ in range(ROUNDS):
            for title in TITLES:
                clickbait_of(title)
        taken.append((time.process_time() - began) / (ROUNDS * len(TITLES)))
    return [Figure("clickbait", "microseconds", min(taken) * 1e6, "us")]
