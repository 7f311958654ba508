"""Default time limits of a case, its searches and its exchanges."""

from __future__ import annotations

from inquest.domain.plan import Brief, Mode
from inquest.kit.exchange import Purpose
from inquest.retrieval.search_plan import SearchLimits, Share, limits_for

_SECONDS = {Mode.QUICK: 120.0, Mode.DETAILED: 600.0}
"""For an inquiry or a topic."""
_PER_CLAIM, _FLOOR = 15.0, 60.0
"""For a check: per claim, and at least."""
_MARKET = 60.0
_AUDIT = 600.0
"""For an audit, at least; each citation adds the time of a claim beyond that."""
_MARGIN = 0.9
"""The share of a default time that is used: the rest is for writing the report."""
_EXCHANGES = {Purpose.ENGINE: (0.1, 30.0), Purpose.PAGE: (0.1, 20.0), Purpose.MODEL: (0.2, 300.0)}
"""The share of one exchange in the time of a case, and its maximum in seconds."""
_SLOW_MODEL = 0.5
"""The share of a call to a self-hosted model, which may write five tokens a second."""
_LEAST_EXCHANGE = 5.0
CLAIMS_DETAILED = 12
"""Claims of a detailed inquiry, to estimate its cost."""


def seconds_of(brief: Brief, claims: int) -> float:
    """Return the seconds that the case may take, by the user or by default. `claims`: those of a check."""
    if brief.deadline_seconds is not None:
        return brief.deadline_seconds
    if brief.market is not None:
        seconds = _MARKET
    elif brief.audit is not None:
        seconds = max(_AUDIT, _PER_CLAIM * brief.audit.citations)
    elif brief.check is not None:
        seconds = max(_FLOOR, _PER_CLAIM * claims)
    else:
        seconds = _SECONDS[brief.mode]
    return _MARGIN * seconds


def exchange_limits(seconds: float, *, slow_model: bool = False) -> dict[Purpose, float]:
    """Return the timeouts in seconds of an exchange with an engine, a page and a model, in a case of that many seconds:
    so that none can use up the time of the others. `slow_model`: the model is self-hosted."""
    shares = dict(_EXCHANGES)
    if slow_model:
        shares[Purpose.MODEL] = (_SLOW_MODEL, shares[Purpose.MODEL][1])
    return {purpose: min(most, max(_LEAST_EXCHANGE, share * seconds)) for purpose, (share, most) in shares.items()}


def search_limits(brief: Brief, share: Share, claims: int) -> SearchLimits:
    """Return the limits of the searches of a round with this many claims."""
    seconds = seconds_of(brief, claims)
    return limits_for(share, mode=brief.mode, seconds=seconds, claims=claims, usd=brief.budget_usd)


def search_usd(brief: Brief, claims: int, sources: int) -> float:
    """Return the dollars that all searches of a case may cost. `sources`: 0 for a check."""
    shares: tuple[Share, ...] = ("gather", "check") if sources else ("first", "further")
    return sum(search_limits(brief, share, claims).usd or 0.0 for share in shares)
