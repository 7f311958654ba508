"""A market world: a share that fell, the reasons, and the pages that report it, for the simulated web and its
measures."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from bench.simulated.worlds import PLACES, Page, Telling, World, aside

__all__ = ["NOW", "QUESTION", "a_market_world"]

QUESTION = "Why is Norvane Semiconductor (NRVN) down today?"
NOW = datetime(2026, 3, 2, 20, tzinfo=UTC)
"""A Monday, during the session in New York."""

_LEADS = (
    "Shares of Norvane Semiconductor fell {move} on Monday after the company cut its revenue guidance for 2026.",
    "Norvane Semiconductor dropped {move} after it lowered its guidance, traders in {place} said.",
    "Norvane Semiconductor stock lost {move} on Monday, following a cut of its outlook.",
)
_MORE = (
    "Norvane Semiconductor said that it now expects revenue of $4.1 billion in 2026, down from $4.8 billion.",
    "Analysts at Calder Brook cut their price target for Norvane Semiconductor to $38 from $52.",
    "Norvane Semiconductor named weak orders from carmakers as the reason for the lower guidance.",
    "Other semiconductor stocks fell as well, and the sector index lost 2.1%.",
)


def a_market_world(pages: int = 24) -> World:
    """The given number of pages, each by a different publisher, all from the last hours."""
    made = tuple(_page(number) for number in range(pages))
    return World((), made, {page.host: 50 + 3 * (n % 10) for n, page in enumerate(made)}, topic="Norvane Semiconductor")


def _page(number: int) -> Page:
    place = PLACES[number % len(PLACES)]
    return Page(
        f"market{number:02d}.press.example",
        f"/2026/{number}",
        f"Norvane Semiconductor shares down on lower guidance, report {number} of the {place} desk",
        NOW - timedelta(minutes=25 + 31 * number),
        tuple(Telling(sentence, "", True) for sentence in _sentences(number, place)),
        tuple(aside(place, number + step) for step in range(6)),
    )


def _sentences(number: int, place: str) -> Iterator[str]:
    yield _LEADS[number % len(_LEADS)].format(move=f"{8 + number % 3 / 10:.1f}%", place=place)
    yield _MORE[number % len(_MORE)]
    yield _MORE[(number + 1) % len(_MORE)]
