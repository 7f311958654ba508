"""What a new case is likely to cost and take, and what its engines add, before it is begun: the figures that its plan
has, for a case of usual size."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from inquest.domain.brief import Brief, Mode
from inquest.domain.check import CheckRequest
from inquest.domain.search import EngineKind
from inquest.flow.time_limits import search_limits, seconds_of
from inquest.retrieval.search_plan import CostEstimate, Share, estimated

_MILLION = 1_000_000
_CLAIMS_DETAILED = 12
"""As in the plan of a detailed inquiry."""
_CLAIMS = 10
"""Of the check that the figures are given for."""


@dataclass(frozen=True)
class Price:
    """US dollars for a million tokens, by the list of genai-prices."""

    into: float
    out: float


@lru_cache(maxsize=64)
def price_of(model: str) -> Price | None:
    """The price of `provider:model`; None: no list has it, as for a model of one's own machine."""
    from genai_prices import Usage, calc_price

    provider, _, name = model.partition(":")
    try:
        into, out = (
            float(calc_price(usage, name, provider_id=provider).total_price)
            for usage in (Usage(input_tokens=_MILLION), Usage(output_tokens=_MILLION))
        )
    except (LookupError, ValueError):
        return None
    return Price(into, out)


@dataclass(frozen=True)
class EngineOffer:
    """A search engine and what it lacks; '' where it is ready."""

    name: str
    title: str
    kinds: tuple[str, ...]
    lacks: str
    usd: float


@dataclass(frozen=True)
class OfferedKind:
    """The engines whose first kind this is. `ready` are asked; each of `lacking` needs what it lacks."""

    kind: str
    ready: tuple[EngineOffer, ...]
    lacking: tuple[EngineOffer, ...]


@dataclass(frozen=True)
class Likely:
    """`size`: quick, detailed, claims or market; `cost`: None where nobody knows the model's price."""

    size: str
    minutes: int
    """At most."""
    cost: CostEstimate | None
    claims: int


def offered_kinds(engines: Sequence[EngineOffer]) -> tuple[OfferedKind, ...]:
    """The engines by what they search, kinds in their usual order."""
    by_kind = [(kind.value, [each for each in engines if each.kinds[:1] == (kind.value,)]) for kind in EngineKind]
    return tuple(
        OfferedKind(kind, tuple(e for e in group if not e.lacks), tuple(e for e in group if e.lacks))
        for kind, group in by_kind
        if group
    )


def likely_cases(kind: str, engines: Sequence[EngineOffer], model: str) -> tuple[Likely, ...]:
    """The sizes that a case of this kind can have. `engines`: those that are ready; `model`: '' for local rules."""
    paid = any(each.usd for each in engines)
    price = _price(model)
    match kind:
        case "claims" | "report":
            brief = Brief(text="-", check=CheckRequest(company=""))
            return (_likely("claims", brief, (_CLAIMS, 0), paid, price),)
        case "market":
            brief = Brief(text="-", deadline_seconds=60.0)
            return (_likely("market", brief, (0, 0), paid, price),)
    return tuple(
        _likely(
            mode.value,
            Brief(text="-", mode=mode),
            (mode.settings.claim_limit or _CLAIMS_DETAILED, mode.settings.source_limit),
            paid,
            price,
        )
        for mode in Mode
    )


def _likely(
    size: str, brief: Brief, work: tuple[int, int], paid: bool, price: Callable[[int, int], float] | None
) -> Likely:
    claims, sources = work
    shares: tuple[Share, ...] = ("gather", "check") if sources else ("first", "further")
    searches = sum(search_limits(brief, share, claims).usd or 0.0 for share in shares) if paid else 0.0
    cost = estimated(claims, sources, searches, price) if price else None
    return Likely(size, math.ceil(seconds_of(brief, claims) / 60), cost, claims)


def _price(model: str) -> Callable[[int, int], float] | None:
    if not model:
        return lambda tokens_in, tokens_out: 0.0
    found = price_of(model)
    if found is None:
        return None
    return lambda tokens_in, tokens_out: (tokens_in * found.into + tokens_out * found.out) / _MILLION
