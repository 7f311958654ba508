"""How long a case may take where the user says nothing, and what share of it searches may wait."""

from __future__ import annotations

from inquest.domain.brief import Brief, Mode
from inquest.kit.exchange import Purpose
from inquest.retrieval.search_plan import SearchLimits, Share, limits_for

_SECONDS = {Mode.QUICK: 120.0, Mode.DETAILED: 600.0}
"""Of an inquiry or the verification of a topic."""
_PER_CLAIM, _FLOOR = 15.0, 60.0
"""Of a check: seconds for a claim, and at least."""
_MARKET = 60.0
_AUDIT = 600.0
"""Of an audit, whose citations may take the time of claims beyond that."""
_MARGIN = 0.9
"""Of a time by default, what is used: the rest is for putting the report together."""
_EXCHANGES = {Purpose.ENGINE: (0.1, 30.0), Purpose.PAGE: (0.1, 20.0), Purpose.MODEL: (0.2, 300.0)}
"""Of one exchange: its share of the time of a case, and at most so many seconds."""
_SLOW_MODEL = 0.5
"""The share of a call to a model on a server of one's own, which may write five tokens a second."""
_LEAST_EXCHANGE = 5.0


def seconds_of(brief: Brief, claims: int) -> float:
    """Seconds that the case may take: what the user gave, or what its kind has by default. `claims`: of a check."""
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


def post_limits(brief: Brief) -> SearchLimits:
    """How much networks may be asked for posts on a topic."""
    return limits_for("posts", mode=brief.mode, seconds=seconds_of(brief, 1), claims=1, usd=brief.budget_usd)


def exchange_limits(seconds: float, *, slow_model: bool = False) -> dict[Purpose, float]:
    """Seconds for one exchange with an engine, a page and a model, in a case of that many seconds: none of them can
    use the time of the others up. `slow_model`: it is on a server of one's own."""
    shares = dict(_EXCHANGES)
    if slow_model:
        shares[Purpose.MODEL] = (_SLOW_MODEL, shares[Purpose.MODEL][1])
    return {purpose: min(most, max(_LEAST_EXCHANGE, share * seconds)) for purpose, (share, most) in shares.items()}


def search_limits(brief: Brief, share: Share, claims: int) -> SearchLimits:
    """How much a round of the case may ask for this many claims."""
    seconds = seconds_of(brief, claims)
    return limits_for(share, mode=brief.mode, seconds=seconds, claims=claims, usd=brief.budget_usd)
