"""What a company's filings say beside later news, quantity by quantity, both with their dates and words (spec 003).

A contradiction needs the same quantity, for the same period, on the same basis and in the same unit. What differs in
one of these is 'not comparable', and why is said. News that a plant cut its output does not contradict a goal for the
year; it points the other way, which is less.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime
from typing import Literal

from inquest.desks.market.analysts import estimate_of_others
from inquest.desks.market.filing_scopes import is_part_of_period, is_possibility, of_somebody_else
from inquest.desks.market.filing_terms import Measured, measured_in, measures_named, periods_in
from inquest.domain.market import AgainstFiling, FilingStatement, MarketQuote
from inquest.text.dates import parse_date, utc
from inquest.text.phrases import listed
from inquest.text.quantities import Bound, Quantity, Relation, compare, shown
from inquest.text.sentences import content_words, fold

__all__ = ["against_filings", "compare_statement"]

_AHEAD = re.compile(
    r"\b(?:expects?|expected|projects?|projected|forecasts?|guidance|targets?|plans?|aims?|anticipat\w+|intends?|will|"
    r"outlook|on track|estimates?|goal)\b"
)
_OTHERS = re.compile(
    r"\b(?:[Aa]nalysts?|[Cc]onsensus|[Ss]treet|[Bb]rokerages?|[Ee]conomists|[Ee]stimates? (?:of|from|by)|"
    r"[Aa]ccording to (?:a )?(?:survey|poll)|"
    r"[A-Z][\w&.]+(?: [A-Z][\w&.]+){0,2} (?:now )?(?:lower(?:s|ed)|cuts?|rais(?:es|ed)|trim(?:s|med)|expects?|sees)"
    r"[^.]{0,30}\bestimates?)\b"
)
_AUDIENCE = re.compile(
    r"\b(?:(?:told|tells|telling|inform(?:s|ed)|said to|speaking to|answer(?:s|ed))\s+(?:\w+\s+){0,2}?|"
    r"(?:call|meeting|conference|presentation|briefing|event|day|webcast)\s+(?:with|for)\s+(?:\w+\s+){0,2}?)"
    r"(?:analysts?|economists)\b",
    re.I,
)
"""Analysts to whom a company speaks: what is told them is its own word."""
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
_ORDER = {"contradicts": 0, "points the other way": 1, "agrees": 2, "not comparable": 3}
_COARSE = 0.05
"""Figures that are further apart than this and agree by their rounding alone ('$9 billion', '$10 billion') do not
agree."""
_Relation = Literal["contradicts", "agrees", "not comparable", "points the other way"]


def against_filings(
    statements: Sequence[FilingStatement], news: Sequence[MarketQuote], company: str = ""
) -> tuple[AgainstFiling, ...]:
    """Each statement beside each piece of later news on the same quantity: contradictions first, then what points the
    other way, what agrees, and what cannot be compared; earlier news is left out, for a filing already knew of it.

    What cannot be compared is told of a statement only where nothing else is, and once. `company`: whose filings they
    are.
    """
    found: list[AgainstFiling] = []
    for statement in statements:
        pairs = [each for quote in news for each in compare_statement(statement, quote, company)]
        telling = sorted(
            (each for each in pairs if each.relation != "not comparable"), key=lambda each: not each.news_value
        )
        # A page says the same in its title and below; what has a figure says more.
        once = {(each.relation, each.what, each.news.source_id): each for each in reversed(telling)}
        told = [each for each in telling if once[each.relation, each.what, each.news.source_id] is each]
        # Of what cannot be compared, the news that speaks most nearly of the same.
        words = set(content_words(statement.quote))
        nearest = sorted(pairs, key=lambda each: -len(words & set(content_words(each.news.quote))))
        found += told or nearest[:1]
    return tuple(sorted(found, key=lambda each: (_ORDER[each.relation], each.forecast_by_others)))


def compare_statement(statement: FilingStatement, news: MarketQuote, company: str = "") -> tuple[AgainstFiling, ...]:
    """One statement beside one piece of news; () where they speak of different quantities, or the news is not later."""
    at = _date(news.published)
    days = (utc(at) - utc(statement.filed)).days if at and statement.filed else None
    if days is not None and days < 0:
        return ()
    shared = measures_named(statement.quote) & measures_named(news.quote)
    if not shared:
        return _bearing_on(statement, news, days)
    mine, theirs = measured_in(statement.quote, company), measured_in(news.quote, company)
    filed_on, said_on = (statement.filed.date() if statement.filed else None), (at.date() if at else None)
    periods = periods_in(statement.quote, filed_on), periods_in(news.quote, said_on)
    by_others = _by_others(news.quote)
    found: list[AgainstFiling] = []
    for measure in sorted(shared):
        own = [each for each in mine if each.measure == measure]
        other = [each for each in theirs if each.measure == measure]
        levels = _best_pair(own, other)
        if levels is not None:
            one, two = levels
            own_periods = _periods_of(statement.quote, one, filed_on, periods[0])
            relation, reason = _relation(one, two, own_periods, _periods_of(news.quote, two, said_on, periods[1]))
            # An analyst's firm that is named before the company tells of the company all the same.
            whose = "" if estimate_of_others(news.quote, company) else company
            if relation in ("contradicts", "agrees") and (doubt := _doubt(statement.quote, news.quote, whose)):
                relation, reason = "not comparable", doubt
            if relation == "contradicts" and by_others:
                relation, reason = (
                    "points the other way",
                    f"{reason} It is an estimate of others, and not the company's.",
                )
            if relation == "not comparable" and (turned := _direction(statement.quote, news.quote, measure)):
                relation, reason = "points the other way", f"{turned.partition(_NO_FIGURE)[0]}. {reason}"
            found.append(
                AgainstFiling(
                    relation=relation,
                    what=_what(measure, periods[0], one.scope),
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
                        days_between=days, reason=turned, forecast_by_others=_by_others(news.quote),
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
        return "not comparable", "One is a change and the other a level."
    if one.scope != two.scope:
        named = [", ".join(sorted(each)) or "the whole" for each in (one.scope, two.scope)]
        return "not comparable", f"The filing's figure is of {named[0]}, the news' of {named[1]}."
    if one.basis != two.basis and (one.basis or two.basis):
        named = [", ".join(sorted(each)) or "on no stated basis" for each in (one.basis, two.basis)]
        return "not comparable", f"The bases differ: the filing's figure is {named[0]}, the news' {named[1]}."
    if mine and theirs and not mine & theirs:
        return "not comparable", (f"The filing speaks of {_spoken(mine)}, the news of {_spoken(theirs)}.")
    if bool(mine) != bool(theirs):
        return "not comparable", f"Only the {'filing' if mine else 'news'} says which period it speaks of."
    comparison = compare(one.quantity, two.quantity)
    if comparison.relation is Relation.NOT_COMPARABLE:
        return "not comparable", f"{comparison.reason[:1].upper()}{comparison.reason[1:]}."
    values = f"The filing says {_between(one.quantity)}, the news says {_between(two.quantity)}"
    apart = abs(one.quantity.value - two.quantity.value) > _COARSE * max(
        abs(one.quantity.value), abs(two.quantity.value)
    )
    exact = {one.quantity.bound, two.quantity.bound} == {Bound.EXACT}
    if comparison.relation is Relation.SAME and exact and apart:
        return "not comparable", f"{values}; both are rounded too coarsely to tell whether they differ."
    overlap = one.quantity.low <= two.quantity.high and two.quantity.low <= one.quantity.high
    if comparison.relation is Relation.SAME or overlap:
        return "agrees", f"{values}, which is the same or lies within it."
    side = "above" if two.quantity.low > one.quantity.high else "below"
    return "contradicts", f"{values}, which is {side} it."


def _by_others(text: str) -> bool:
    """Whether it is analysts who expect something, and not the company."""
    return bool(_OTHERS.search(_AUDIENCE.sub(" ", text)))


def _between(quantity: Quantity) -> str:
    said = shown(quantity)
    return f"between {said}" if quantity.bound is Bound.RANGE and " and " in said else said


def _periods_of(text: str, measured: Measured, said: date | None, whole: frozenset[str]) -> frozenset[str]:
    """The periods of the part of a sentence in which a figure stands, where semicolons divide it: what is said of last
    year in its second half is not said of the first."""
    if ";" not in text or len(whole) == 0:
        return whole
    start = text.rfind(";", 0, measured.quantity.span.start) + 1
    end = text.find(";", measured.quantity.span.end)
    return periods_in(text[start : end if end >= 0 else len(text)], said)


def _doubt(filing: str, news: str, company: str) -> str:
    """Why two figures of one measure and period may not be the same quantity after all; '' where nothing says so."""
    if of_somebody_else(news, company):
        return f"The news may give the figure of another company than {company}."
    if is_possibility(news):
        return "The news tells what could be, or what somebody alleges."
    if is_part_of_period(news) != is_part_of_period(filing):
        return "One of them speaks of a part of the period."
    return ""


_NO_FIGURE = "; it gives no figure for the same"


def _direction(filing: str, news: str, measure: str, cause: str = "") -> str:
    """How news points away from what a filing expects, in words; '' where it does not."""
    expects, said = fold(filing), fold(news)
    if not _AHEAD.search(expects):
        return ""
    less, more = bool(_LESS.search(said)), bool(_MORE.search(said))
    rising, falling = bool(_MORE.search(expects)), bool(_LESS.search(expects))
    if less and not more and not falling:
        less_of = f"less {cause or 'of it'}"
        return f"The filing looks ahead to {measure}, and the news tells of {less_of}{_NO_FIGURE}."
    if more and not less and falling and not rising:
        return f"The filing looks ahead to less {measure}, and the news tells of more{_NO_FIGURE}."
    return ""


def _spoken(periods: frozenset[str]) -> str:
    """'2026', 'the third quarter of 2026', 'a fourth quarter' where the year is not said."""
    told = []
    for year, _, quarter in (each.partition("-Q") for each in sorted(periods)):
        nth = {"1": "first", "2": "second", "3": "third", "4": "fourth"}.get(quarter)
        told.append(year if nth is None else f"a {nth} quarter" if year == "?" else f"the {nth} quarter of {year}")
    return listed(told)


def _what(measure: str, periods: frozenset[str], scope: frozenset[str] = frozenset()) -> str:
    """'revenue (services) for 2027'."""
    measure = f"{measure} ({listed(sorted(scope))})" if scope else measure
    named = frozenset(each for each in periods if not each.startswith("?"))
    return f"{measure} for {_spoken(named)}" if named else measure


def _date(iso: str | None) -> datetime | None:
    published = parse_date(iso) if iso else None
    return published.at if published else None
