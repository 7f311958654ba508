"""What a company's filings say beside later news, quantity by quantity, both with their dates and words (spec 003).

A contradiction needs the same quantity, for the same period, on the same basis and in the same unit. What differs in
one of these is 'not comparable', and why is said. News that a plant cut its output does not contradict a goal for the
year; it points the other way, which is less.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from inquest.domain.market import AgainstFiling, FilingStatement, MarketQuote
from inquest.logic.dates import parse_date, utc
from inquest.logic.market_filing_terms import Measured, measured_in, measures_named, periods_in
from inquest.logic.quantities import Relation, compare, shown
from inquest.logic.text import fold

__all__ = ["against_filings", "compare_statement"]

_AHEAD = re.compile(
    r"\b(?:expects?|expected|projects?|projected|forecasts?|guidance|targets?|plans?|aims?|anticipat\w+|intends?|will|"
    r"outlook|on track|estimates?|goal)\b"
)
_OTHERS = re.compile(
    r"\b(?:analysts?|consensus|street|brokerages?|economists|estimates? (?:of|from|by)|"
    r"according to (?:a )?(?:survey|poll)|"
    r"[A-Z][\w&.]+(?: [A-Z][\w&.]+){0,2} (?:now )?(?:lower(?:s|ed)|cuts?|rais(?:es|ed)|trim(?:s|med)|expects?|sees)"
    r"[^.]{0,30}\bestimates?)\b"
)
_LESS = re.compile(
    r"\b(?:cut(?:s|ting)?|lower(?:s|ed|ing)?|slash(?:es|ed)|reduc(?:es|ed|ing|tion)|halt(?:s|ed)?|suspend(?:s|ed)?|"
    r"delay\w*|"
    r"withdr(?:aws?|ew|awn)|scrap(?:s|ped)|weak(?:er|ness)?|slow(?:s|ed|er|down|ing)?|f[ae]ll(?:s|en|ing)?|declin\w+|"
    r"drop(?:s|ped)?|miss(?:es|ed)?|shortfall|below|trim(?:s|med)?|clos(?:es|ed|ing|ure))\b"
)
_MORE = re.compile(
    r"\b(?:rais(?:es|ed|ing)|increas(?:es|ed|ing)|grow(?:s|n|th|ing)?|grew|lift(?:s|ed)|expan(?:ds|ded|ding|sion)|"
    r"rise[sn]?|"
    r"rose|rising|record|exceed(?:s|ed)?|beat(?:s)?|ramp(?:s|ed|ing)?|double[sd]?|higher|above|ahead of)\b"
)
_DEPENDS = {
    "deliveries": frozenset(("production", "shipments", "orders")),
    "shipments": frozenset(("production", "orders")),
    "revenue": frozenset(("deliveries", "shipments", "production", "orders", "same-store sales", "subscribers")),
    "production": frozenset(("capacity",)),
}
"""Of a quantity, those that bear on it without being it."""
_Relation = Literal["contradicts", "agrees", "not comparable", "points the other way"]


def against_filings(statements: Sequence[FilingStatement], news: Sequence[MarketQuote]) -> tuple[AgainstFiling, ...]:
    """Each statement beside each piece of later news on the same quantity: contradictions first, then what points the
    other way, what agrees, and what cannot be compared; earlier news is left out, for a filing already knew of it."""
    order = {"contradicts": 0, "points the other way": 1, "agrees": 2, "not comparable": 3}
    found = [each for statement in statements for quote in news for each in compare_statement(statement, quote)]
    return tuple(sorted(found, key=lambda each: (order[each.relation], each.forecast_by_others)))


def compare_statement(statement: FilingStatement, news: MarketQuote) -> tuple[AgainstFiling, ...]:
    """One statement beside one piece of news; () where they speak of different quantities, or the news is not later."""
    at = _date(news.published)
    days = (utc(at) - utc(statement.filed)).days if at and statement.filed else None
    if days is not None and days < 0:
        return ()
    shared = measures_named(statement.quote) & measures_named(news.quote)
    if not shared:
        return _bearing_on(statement, news, days)
    mine, theirs = measured_in(statement.quote), measured_in(news.quote)
    filed_on, said_on = (statement.filed.date() if statement.filed else None), (at.date() if at else None)
    periods = periods_in(statement.quote, filed_on), periods_in(news.quote, said_on)
    by_others = bool(_OTHERS.search(news.quote))
    found: list[AgainstFiling] = []
    for measure in sorted(shared):
        own = [each for each in mine if each.measure == measure]
        other = [each for each in theirs if each.measure == measure]
        levels = _best_pair(own, other)
        if levels is not None:
            one, two = levels
            relation, reason = _relation(one, two, *periods)
            if relation == "contradicts" and by_others:
                relation, reason = (
                    "points the other way",
                    f"{reason} It is an estimate of others, and not the company's.",
                )
            if relation == "not comparable" and (turned := _direction(statement.quote, news.quote, measure)):
                relation, reason = "points the other way", f"{turned} ({reason[0].lower()}{reason[1:]})"
            found.append(
                AgainstFiling(
                    relation=relation,
                    what=_what(measure, periods[0]),
                    filing=statement,
                    news=news,
                    filing_value=shown(one.quantity),
                    news_value=shown(two.quantity),
                    days_between=days,
                    reason=reason,
                    forecast_by_others=by_others,
                )
            )
        elif turned := _direction(statement.quote, news.quote, measure):
            found.append(
                AgainstFiling(
                    relation="points the other way", what=_what(measure, periods[0]), filing=statement, news=news,
                    filing_value=shown(own[0].quantity) if own else "", days_between=days, reason=turned,
                    forecast_by_others=by_others,
                )
            )  # fmt: skip
    return tuple(found)


def _bearing_on(statement: FilingStatement, news: MarketQuote, days: int | None) -> tuple[AgainstFiling, ...]:
    """News of a quantity on which the filing's depends: less made is less delivered."""
    mine, theirs = measures_named(statement.quote), measures_named(news.quote)
    for measure, causes in _DEPENDS.items():
        if measure in mine and (cause := next(iter(sorted(causes & theirs)), None)):
            turned = _direction(statement.quote, news.quote, measure, cause)
            if turned:
                filed_on = statement.filed.date() if statement.filed else None
                own = [each for each in measured_in(statement.quote) if each.measure == measure]
                return (
                    AgainstFiling(
                        relation="points the other way", what=_what(measure, periods_in(statement.quote, filed_on)),
                        filing=statement, news=news, filing_value=shown(own[0].quantity) if own else "",
                        days_between=days, reason=turned, forecast_by_others=bool(_OTHERS.search(news.quote)),
                    ),
                )  # fmt: skip
    return ()


def _best_pair(own: Sequence[Measured], other: Sequence[Measured]) -> tuple[Measured, Measured] | None:
    """The pair that is most alike in kind: both changes or both levels, of one dimension, on one basis.

    Of several figures of the news ('to 1.85 million from 2.1 million') the first one stands for what is said now.
    """
    pairs = [(one, two) for one in own for two in other]
    if not pairs:
        return None
    return max(
        pairs,
        key=lambda pair: (
            pair[0].change == pair[1].change,
            pair[0].quantity.dimension is pair[1].quantity.dimension,
            pair[0].quantity.unit == pair[1].quantity.unit,
            -other.index(pair[1]),
        ),
    )


def _relation(one: Measured, two: Measured, mine: frozenset[str], theirs: frozenset[str]) -> tuple[_Relation, str]:
    if one.change != two.change:
        return "not comparable", "One is a change in percent and the other a level."
    if one.basis != two.basis and (one.basis or two.basis):
        named = [", ".join(sorted(each)) or "on no stated basis" for each in (one.basis, two.basis)]
        return "not comparable", f"The bases differ: the filing's figure is {named[0]}, the news' {named[1]}."
    if mine and theirs and not mine & theirs:
        return "not comparable", (
            f"The filing speaks of {', '.join(sorted(mine))}, the news of {', '.join(sorted(theirs))}."
        )
    if bool(mine) != bool(theirs):
        return "not comparable", f"Only the {'filing' if mine else 'news'} says which period it speaks of."
    comparison = compare(one.quantity, two.quantity)
    if comparison.relation is Relation.NOT_COMPARABLE:
        return "not comparable", f"{comparison.reason[:1].upper()}{comparison.reason[1:]}."
    values = f"The filing says {shown(one.quantity)}, the news says {shown(two.quantity)}"
    overlap = one.quantity.low <= two.quantity.high and two.quantity.low <= one.quantity.high
    if comparison.relation is Relation.SAME or overlap:
        return "agrees", f"{values}, which is the same or lies within it."
    side = "above" if two.quantity.low > one.quantity.high else "below"
    return "contradicts", f"{values}, which is {side} it."


def _direction(filing: str, news: str, measure: str, cause: str = "") -> str:
    """How news points away from what a filing expects, in words; '' where it does not."""
    expects, said = fold(filing), fold(news)
    if not _AHEAD.search(expects):
        return ""
    less, more = bool(_LESS.search(said)), bool(_MORE.search(said))
    rising, falling = bool(_MORE.search(expects)), bool(_LESS.search(expects))
    if less and not more and not falling:
        less_of = f"less {cause or 'of it'}"
        return f"The filing looks ahead to {measure}, and the news tells of {less_of}; it gives no figure for the same."
    if more and not less and falling and not rising:
        return f"The filing looks ahead to less {measure}, and the news tells of more; it gives no figure for the same."
    return ""


def _what(measure: str, periods: frozenset[str]) -> str:
    named = sorted(each for each in periods if not each.startswith("?"))
    return f"{measure} for {', '.join(named)}" if named else measure


def _date(iso: str | None) -> datetime | None:
    published = parse_date(iso) if iso else None
    return published.at if published else None
