"""How long a case may take where the user says nothing, and what share of it searches may wait."""

from __future__ import annotations

from inquest.domain.brief import Brief, Mode
from inquest.retrieval.search_plan import SearchLimits, Share, limits_for

__all__ = ["search_limits", "seconds_of"]

_SECONDS = {Mode.QUICK: 120.0, Mode.DETAILED: 600.0}
"""Of an inquiry or the verification of a topic."""
_PER_CLAIM, _FLOOR = 15.0, 60.0
"""Of a check: seconds for a claim, and at least."""
_MARKET = 60.0


def seconds_of(brief: Brief, claims: int) -> float:
    """Seconds that the case may take: what the user gave, or what its kind has by default. `claims`: of a check."""
    if brief.deadline_seconds is not None:
        return brief.deadline_seconds
    if brief.market is not None:
        return _MARKET
    if brief.check is not None:
        return max(_FLOOR, _PER_CLAIM * claims)
    return _SECONDS[brief.mode]


def search_limits(brief: Brief, share: Share, claims: int, taken: float = 0.0) -> SearchLimits:
    """How much a round of the case may ask for this many claims; `taken`: as in `limits_for`."""
    return limits_for(
        share,
        mode=brief.mode,
        seconds=seconds_of(brief, claims),
        claims=claims,
        usd=brief.budget_usd,
        taken=taken,
    )
