"""What a company's filings say beside later news, quantity by quantity, both with their dates and words (spec 003).

A contradiction needs the same quantity, for the same period, on the same basis and in the same unit. What differs in
one of these is 'not comparable', and the reason is given. News that a plant cut its output does not contradict a goal
for the year; it points the other way.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Literal, NamedTuple

from inquest.desks.market.measures import (
    DEPENDS_ON,
    Measured,
    direction_of,
    looks_ahead,
    measured_in,
    measures_named,
    periods_in,
)
from inquest.domain.market import AgainstFiling, FilingStatement, MarketQuote
from inquest.domain.reasons import Reason, ReasonData, in_words
from inquest.text.dates import parse_date, utc
from inquest.text.entities import names, same_name
from inquest.text.lexicon import pattern
from inquest.text.numerals import Bound
from inquest.text.phrases import listed
from inquest.text.quantities import Quantity, Relation, compare, shown
from inquest.text.sentences import content_words

_OTHERS, _AUDIENCE = pattern(__name__, "others"), pattern(__name__, "audience")
_POSSIBLE, _PART_OF_PERIOD = pattern(__name__, "possible"), pattern(__name__, "part_of_period")
_ORDER = {"contradicts": 0, "points the other way": 1, "agrees": 2, "not comparable": 3}
_COARSE = 0.05
"""Figures that are further apart than this and agree by their rounding alone ('$9 billion', '$10 billion') do not
agree."""
_Kind = Literal["contradicts", "agrees", "not comparable", "points the other way"]


class _Verdict(NamedTuple):
    kind: _Kind
    reason: Reason


class _Pair(NamedTuple):
    """A statement and a piece of news, with the days on which each was said."""

    statement: FilingStatement
    news: MarketQuote
    company: str
    filed_on: date | None
    said_on: date | None

    @property
    def periods(self) -> tuple[frozenset[str], frozenset[str]]:
        return periods_in(self.statement.quote, self.filed_on), periods_in(self.news.quote, self.said_on)

    @property
    def by_others(self) -> bool:
        """Whether it is analysts who expect something, and not the company."""
        return bool(_OTHERS.search(_AUDIENCE.sub(" ", self.news.quote)))


def against_filings(
    statements: Sequence[FilingStatement], news: Sequence[MarketQuote], company: str = ""
) -> tuple[AgainstFiling, ...]:
    """Each statement beside each piece of later news on the same quantity, contradictions first; what cannot be
    compared is given for a statement only where nothing else is, and once. `company`: whose filings they are."""
    found: list[AgainstFiling] = []
    for statement in statements:
        others = [quote for quote in news if not quote.source_id or quote.source_id != statement.source_id]
        pairs = [each for quote in others for each in compare_statement(statement, quote, company)]
        # A page says the same in its title and below; what has a figure says more.
        once: dict[tuple[str, str, str], AgainstFiling] = {}
        for each in sorted(pairs, key=lambda one: not one.news_value):
            if each.relation != "not comparable":
                once.setdefault((each.relation, each.what, each.news.source_id), each)
        words = set(content_words(statement.quote))
        nearest = sorted(pairs, key=lambda each: -len(words & set(content_words(each.news.quote))))
        found += list(once.values()) or nearest[:1]
    return tuple(sorted(found, key=lambda each: (_ORDER[each.relation], each.forecast_by_others)))


def compare_statement(statement: FilingStatement, news: MarketQuote, company: str = "") -> tuple[AgainstFiling, ...]:
    """One statement beside one piece of news; () where they speak of different quantities, or the news is not later."""
    published = parse_date(news.published) if news.published else None
    said_on = published.at.date() if published else None
    filed_on = statement.filed.date() if statement.filed else None
    if published and statement.filed and utc(published.at) < utc(statement.filed):
        return ()
    pair = _Pair(statement, news, company, filed_on, said_on)
    own, other = measured_in(statement.quote, company), measured_in(news.quote, company)
    mine, theirs = measures_named(statement.quote), measures_named(news.quote)
    found: list[AgainstFiling] = []
    for measure in sorted(mine & theirs):
        levels = _best(
            [each for each in own if each.measure == measure], [each for each in other if each.measure == measure]
        )
        if levels is not None:
            found.append(_beside(pair, measure, *levels))
        elif turned := _direction(pair, measure):
            found.append(_made(pair, measure, turned, _first(own, measure)))
    if found:
        return tuple(found)
    for measure, causes in DEPENDS_ON.items():
        cause = next((each for each in causes if each in theirs), "")
        if measure in mine and cause and (turned := _direction(pair, measure, cause)):
            return (_made(pair, measure, turned, _first(own, measure)),)
    return ()


def _first(own: Sequence[Measured], measure: str) -> Measured | None:
    return next((each for each in own if each.measure == measure), None)


def _best(own: Sequence[Measured], other: Sequence[Measured]) -> tuple[Measured, Measured] | None:
    """The pair most alike in kind; of several figures of the news the first counts as what is said now."""
    pairs = [(one, two) for one in own for two in other]
    return max(
        pairs,
        default=None,
        key=lambda pair: (
            pair[0].change == pair[1].change,
            pair[0].quantity.dimension is pair[1].quantity.dimension,
            pair[0].quantity.unit == pair[1].quantity.unit,
            -other.index(pair[1]),
        ),
    )


def _beside(pair: _Pair, measure: str, one: Measured, two: Measured) -> AgainstFiling:
    reason = _differs(pair, one, two)
    verdict = _Verdict("not comparable", reason) if reason else _compared(one.quantity, two.quantity)
    if verdict.kind in ("contradicts", "agrees") and (doubt := _doubt(pair)):
        verdict = _Verdict("not comparable", doubt)
    if verdict.kind == "contradicts" and pair.by_others:
        verdict = _Verdict("points the other way", _reason("of_others", **_values(one.quantity, two.quantity)))
    return _made(pair, measure, verdict, one, two)


def _differs(pair: _Pair, one: Measured, two: Measured) -> Reason | None:
    """Why two figures of one measure are not of the same quantity; None where nothing says so."""
    mine, theirs = pair.periods
    if one.change != two.change:
        return _reason("a_change_and_a_level")
    if one.scope != two.scope:
        return _reason("other_part", filing=_part(one.scope, "the whole"), news=_part(two.scope, "the whole"))
    if one.basis != two.basis:
        bases = [_part(each, "on no stated basis") for each in (one.basis, two.basis)]
        return _reason("other_basis", filing=bases[0], news=bases[1])
    if mine and theirs and not mine & theirs:
        return _reason("other_period", filing=_spoken(mine), news=_spoken(theirs))
    if bool(mine) != bool(theirs):
        return _reason("one_period", which="filing" if mine else "news")
    return None


def _compared(one: Quantity, two: Quantity) -> _Verdict:
    comparison, values = compare(one, two), _values(one, two)
    if comparison.relation is Relation.NOT_COMPARABLE:
        return _Verdict("not comparable", _reason("no_comparison", why=str(comparison.reason)))
    apart = abs(one.value - two.value) > _COARSE * max(abs(one.value), abs(two.value))
    if comparison.relation is Relation.SAME and {one.bound, two.bound} == {Bound.EXACT} and apart:
        return _Verdict("not comparable", _reason("too_coarse", **values))
    if comparison.relation is Relation.SAME or (one.low <= two.high and two.low <= one.high):
        return _Verdict("agrees", _reason("the_same", **values))
    return _Verdict("contradicts", _reason("above" if two.low > one.high else "below", **values))


def _doubt(pair: _Pair) -> Reason | None:
    """Why two figures of one measure and period may not be the same quantity after all."""
    if _of_somebody_else(pair):
        return _reason("somebody_else", company=pair.company or "the one that filed")
    if _POSSIBLE.search(pair.news.quote):
        return _reason("possible")
    in_part = [bool(_PART_OF_PERIOD.search(each.quote)) for each in (pair.news, pair.statement)]
    return _reason("part_of_period") if in_part[0] != in_part[1] else None


def _of_somebody_else(pair: _Pair) -> bool:
    """Whether another name than the company's comes first in the news, and the company does not act in it."""
    if not pair.company or pair.by_others:
        return False
    said = [each.text for each in names(pair.news.quote) if each.sure]
    head = next((word for word in pair.company.split() if len(word) > 2), pair.company)
    if not said or same_name(said[0], pair.company) or head in said[0].split():
        return False
    form = re.escape(head) + r"(?:\s+[A-Z][\w&.]+)*"
    return not re.search(rf"\b{form}(?:,?\s+|['’]s?\s+)(?:[a-z][\w-]*\s+){{0,3}}?[a-z]+", pair.news.quote)


def _direction(pair: _Pair, measure: str, cause: str = "") -> _Verdict | None:
    """How news points away from what a filing expects; None where it does not."""
    if not looks_ahead(pair.statement.quote):
        return None
    expected, reported = direction_of(pair.statement.quote), direction_of(pair.news.quote)
    if reported < 0 and expected >= 0:
        return _Verdict("points the other way", _reason("less", measure=measure, cause=cause or "of it"))
    if reported > 0 and expected < 0:
        return _Verdict("points the other way", _reason("more", measure=measure))
    return None


def _made(
    pair: _Pair, measure: str, verdict: _Verdict, one: Measured | None, two: Measured | None = None
) -> AgainstFiling:
    scope = one.scope if one is not None and two is not None else frozenset()
    named = frozenset(each for each in pair.periods[0] if not each.startswith("?"))
    what = f"{measure} ({listed(sorted(scope))})" if scope else measure
    return AgainstFiling(
        relation=verdict.kind,
        what=f"{what} for {_spoken(named)}" if named else what,
        filing=pair.statement,
        news=pair.news,
        filing_value=shown(one.quantity) if one else "",
        news_value=shown(two.quantity) if two else "",
        days_between=(pair.said_on - pair.filed_on).days if pair.said_on and pair.filed_on else None,
        reason=in_words(verdict.reason),
        forecast_by_others=pair.by_others,
    )


def _reason(code: str, **data: ReasonData) -> Reason:
    return Reason(code=f"market.{code}", data=data)


def _values(one: Quantity, two: Quantity) -> dict[str, ReasonData]:
    return {"filing": _between(one), "news": _between(two)}


def _between(quantity: Quantity) -> str:
    said = shown(quantity)
    return f"between {said}" if quantity.bound is Bound.RANGE and " and " in said else said


def _part(names_of: frozenset[str], none: str) -> str:
    return ", ".join(sorted(names_of)) or none


def _spoken(periods: frozenset[str]) -> str:
    """'2026', 'the third quarter of 2026', 'a fourth quarter' where the year is not said."""
    said = []
    for year, _, quarter in (each.partition("-Q") for each in sorted(periods)):
        nth = {"1": "first", "2": "second", "3": "third", "4": "fourth"}.get(quarter)
        said.append(year if nth is None else f"a {nth} quarter" if year == "?" else f"the {nth} quarter of {year}")
    return listed(said)
