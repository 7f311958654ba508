"""From the leanings of single sources to the bias of the whole: credible sources weigh more, and so does the choice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Protocol

from inquest.domain.english import filled
from inquest.domain.report import Balance, Bias, Leaning, SourceLeaning
from inquest.domain.source import Source
from inquest.sources.owners import owner_or_site
from inquest.sources.tiers import TIER_WEIGHTS
from inquest.text.phrases import capitalised, count, listed, numeral


class _Leaned(Protocol):
    @property
    def source_id(self) -> str: ...
    @property
    def leaning(self) -> Leaning: ...
    @property
    def bias(self) -> float: ...
    @property
    def reasons(self) -> tuple[str, ...]: ...


# What the sources say matters more than which were found; both make a picture one-sided.
_WORDING, _CHOICE = 0.6, 0.4


def overall_bias(leanings: Sequence[_Leaned], sources: Mapping[str, Source]) -> Bias:
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
        per_source=tuple(
            SourceLeaning(source_id=each.source_id, leaning=each.leaning, bias=each.bias, reasons=each.reasons)
            for each in counted
        ),
        reasons=_reasons(balance, [sources[each.source_id] for each in counted]),
        recommendation=_recommendation(balance, [sources[each.source_id] for each in counted]),
    )


_SIGN = {Leaning.FAVOURABLE: 1, Leaning.NEUTRAL: 0, Leaning.CRITICAL: -1}


def _reasons(balance: Balance, sources: Sequence[Source]) -> tuple[str, ...]:
    total = len(sources)
    if not total:
        return ("There are no sources to judge.",)
    parts = [
        filled(f"{{n:numeral}} {words}", {"n": number})
        for number, words in (
            (balance.neutral, "{n:reports/report} evenly"),
            (balance.critical, "{n:leans/lean} against the subject"),
            (balance.favourable, "{n:leans/lean} towards the subject"),
        )
        if number
    ]
    said = [
        f"The {parts[0].replace('one', 'one source', 1)}."
        if total == 1
        else f"Of {count(total, 'source')}, {listed(parts)}."
    ]
    owners = Counter(owner_or_site(source) for source in sources)
    owner, most = owners.most_common(1)[0]
    if total >= 6 and most >= total / 3:
        said.append(f"{capitalised(numeral(most))} of them belong to one publisher ({owner}).")
    releases = sum(source.rating.press_release for source in sources)
    if releases:
        verb = "is a press release" if releases == 1 else "are press releases"
        said.append(f"{capitalised(numeral(releases))} of them {verb}." if total > 1 else "It is a press release.")
    return tuple(said)


def _recommendation(balance: Balance, sources: Sequence[Source]) -> str:
    if not sources:
        return ""
    missing = []
    much = max(2, len(sources) // 4)
    if balance.critical > 2 * balance.favourable and balance.critical - balance.favourable >= much:
        missing.append("the subject's own account and commentary from its side")
    elif balance.favourable > 2 * balance.critical and balance.favourable - balance.critical >= much:
        missing.append("independent reporting and the voices of those affected")
    if not any(source.rating.tier == 1 for source in sources):
        missing.append("official records or other first-hand documents")
    if len({owner_or_site(source) for source in sources}) < 3:
        missing.append("sources of other publishers")
    if not missing:
        return "The sources are balanced enough; none needs to be added for balance."
    return f"Consider adding {listed(missing)}."
