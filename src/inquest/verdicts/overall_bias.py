"""From the leanings of single sources to the bias of the whole: credible sources weigh more, and so does the choice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from inquest.domain.drafts import LeaningDraft
from inquest.domain.reasons import Reason, ReasonData, in_words, worded
from inquest.domain.report import Balance, Bias, Leaning, SourceLeaning
from inquest.domain.source import Source
from inquest.sources.owners import owner_or_site
from inquest.sources.tiers import TIER_WEIGHTS

# What the sources say matters more than which were found; both make a picture one-sided.
_WORDING, _CHOICE = 0.6, 0.4


def overall_bias(leanings: Sequence[LeaningDraft], sources: Mapping[str, Source]) -> Bias:
    """Bias of all sources together, 0 (balanced) to 10 (one-sided), one decimal.

    Sixty parts of a hundred are the sources' own bias, weighted by tier; forty are how unequal the two sides are.
    Sources that are not known or excluded do not count.
    """
    counted = [each for each in leanings if each.source_id in sources and not sources[each.source_id].excluded]
    tally = Counter(each.leaning for each in counted)
    balance = Balance(
        favourable=tally[Leaning.FAVOURABLE], neutral=tally[Leaning.NEUTRAL], critical=tally[Leaning.CRITICAL]
    )
    weights = [TIER_WEIGHTS[min(4, max(1, sources[each.source_id].rating.tier))] for each in counted]
    total = sum(weights)
    own = sum(weight * each.bias for weight, each in zip(weights, counted, strict=True)) / total if total else 0.0
    signed = sum(weight * _SIGN[each.leaning] for weight, each in zip(weights, counted, strict=True))
    overall = _WORDING * own + _CHOICE * 10 * abs(signed) / total if total else 0.0
    return Bias(
        overall=round(min(10.0, overall), 1),
        balance=balance,
        per_source=tuple(SourceLeaning.model_validate(each.model_dump()) for each in counted),
        **worded(_reasons(balance, [sources[each.source_id] for each in counted])),
        recommendation=_recommendation(balance, [sources[each.source_id] for each in counted]),
    )


_SIGN = {Leaning.FAVOURABLE: 1, Leaning.NEUTRAL: 0, Leaning.CRITICAL: -1}


def _reasons(balance: Balance, sources: Sequence[Source]) -> list[Reason]:
    total = len(sources)
    if not total:
        return [_reason("no_sources")]
    sides = {
        name: number
        for name, number in (
            ("neutral", balance.neutral), ("critical", balance.critical), ("favourable", balance.favourable)
        )
        if number
    }  # fmt: skip
    worded_sides = [in_words(_reason(name, number=number)) for name, number in sides.items()]
    said = [_reason(f"one_{next(iter(sides))}") if total == 1 else _reason("sources", total=total, sides=worded_sides)]
    owner, most = Counter(owner_or_site(source) for source in sources).most_common(1)[0]
    if total >= 6 and most >= total / 3:
        said.append(_reason("one_publisher", number=most, owner=owner))
    releases = sum(source.rating.press_release for source in sources)
    if releases:
        said.append(_reason("press_releases", number=releases) if total > 1 else _reason("press_release"))
    return said


def _recommendation(balance: Balance, sources: Sequence[Source]) -> str:
    if not sources:
        return ""
    much = max(2, len(sources) // 4)
    ahead = balance.critical - balance.favourable
    missing = {
        "add_subject": balance.critical > 2 * balance.favourable and ahead >= much,
        "add_others": balance.favourable > 2 * balance.critical and -ahead >= much,
        "add_records": not any(source.rating.tier == 1 for source in sources),
        "add_publishers": len({owner_or_site(source) for source in sources}) < 3,
    }
    names = [in_words(_reason(name)) for name, lacks in missing.items() if lacks]
    return in_words(_reason("add", missing=names) if names else _reason("balanced"))


def _reason(name: str, **data: ReasonData) -> Reason:
    return Reason(code=f"bias.{name}", data=data)
