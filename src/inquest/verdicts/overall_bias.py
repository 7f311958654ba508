"""Combine the leanings of single sources into the bias of the whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from inquest.domain.drafts import LeaningDraft
from inquest.domain.reasons import Catalogue, Reason, worded
from inquest.domain.report import Balance, Bias, Leaning, SourceLeaning
from inquest.domain.source import Source
from inquest.sources.owners import owner_or_site
from inquest.sources.tiers import TIER_WEIGHTS
from inquest.text.phrases import stated

_reason = Catalogue("bias")
_WORDING, _CHOICE = 0.6, 0.4
"""Shares of the sources' own bias and of the choice of sources; the wording of the sources matters more."""
_SIGN = {Leaning.FAVOURABLE: 1, Leaning.NEUTRAL: 0, Leaning.CRITICAL: -1}


def overall_bias(leanings: Sequence[LeaningDraft], sources: Mapping[str, Source]) -> Bias:
    """Return the bias of all sources together, 0 (balanced) to 10 (one-sided), to one decimal.

    60 % of it is the sources' own bias, weighted by tier, and 40 % the imbalance of the two sides. Unknown and excluded
    sources do not count.
    """
    counted = [each for each in leanings if each.source_id in sources and not sources[each.source_id].excluded]
    cited = [sources[each.source_id] for each in counted]
    tally = Counter(each.leaning for each in counted)
    balance = Balance(
        favourable=tally[Leaning.FAVOURABLE], neutral=tally[Leaning.NEUTRAL], critical=tally[Leaning.CRITICAL]
    )
    weights = [TIER_WEIGHTS[min(4, max(1, source.rating.tier))] for source in cited]
    total = sum(weights)
    own = sum(weight * each.bias for weight, each in zip(weights, counted, strict=True)) / total if total else 0.0
    signed = sum(weight * _SIGN[each.leaning] for weight, each in zip(weights, counted, strict=True))
    overall = _WORDING * own + _CHOICE * 10 * abs(signed) / total if total else 0.0
    advice = _recommendation(balance, cited)
    return Bias(
        overall=round(min(10.0, overall), 1),
        balance=balance,
        per_source=tuple(SourceLeaning.model_validate(each.model_dump()) for each in counted),
        **worded(_reasons(balance, cited)),
        recommendation=stated(advice),
        recommendation_codes=advice,
    )


def _reasons(balance: Balance, sources: Sequence[Source]) -> list[Reason]:
    total = len(sources)
    if not total:
        return [_reason("no_sources")]
    sides = {name: number for name in ("neutral", "critical", "favourable") if (number := getattr(balance, name))}
    if total == 1:
        reasons = [_reason(f"one_{next(iter(sides))}")]
    else:
        words = [_reason(name, number=number) for name, number in sides.items()]
        reasons = [_reason("sources", total=total, sides=words)]
    owner, most = Counter(owner_or_site(source) for source in sources).most_common(1)[0]
    if total >= 6 and most >= total / 3:
        reasons.append(_reason("one_publisher", number=most, owner=owner))
    if releases := sum(source.rating.press_release for source in sources):
        reasons.append(_reason("press_releases", number=releases) if total > 1 else _reason("press_release"))
    return reasons


def _recommendation(balance: Balance, sources: Sequence[Source]) -> tuple[Reason, ...]:
    if not sources:
        return ()
    much = max(2, len(sources) // 4)
    ahead = balance.critical - balance.favourable
    missing = {
        "add_subject": balance.critical > 2 * balance.favourable and ahead >= much,
        "add_others": balance.favourable > 2 * balance.critical and -ahead >= much,
        "add_records": not any(source.rating.tier == 1 for source in sources),
        "add_publishers": len({owner_or_site(source) for source in sources}) < 3,
    }
    names = [_reason(name) for name, lacks in missing.items() if lacks]
    return (_reason("add", missing=names),) if names else ()
