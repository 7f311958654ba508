"""What a company's filings say beside later news, quantity by quantity, both with their dates and words (spec 003).

A contradiction needs the same quantity, for the same period, on the same basis and in the same unit. What differs in
one of these is 'not comparable', and why is said. News that a plant cut its output does not contradict a goal for the
year; it points the other way, which is less, and is said only where the news gives no figure for the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime
from typing import Literal, NamedTuple

from inquest.desks.market.measures import (
    Measured,
    days_of_levels,
    measured_in,
    measures,
    measures_named,
    periods_in,
    says,
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

_OTHERS = pattern(__name__, "others")
_AUDIENCE = pattern(__name__, "audience")
"""Analysts to whom a company speaks: what is said to them is its own word."""
_ORDER = {"contradicts": 0, "points the other way": 1, "agrees": 2, "not comparable": 3}
_COARSE = 0.05
"""Figures that are further apart than this and agree by their rounding alone ('$9 billion', '$10 billion') do not
agree."""
_Kind = Literal["contradicts", "agrees", "not comparable", "points the other way"]


class _Verdict(NamedTuple):
    kind: _Kind
    reason: Reason


class _Pair(NamedTuple):
    """A statement and a piece of news, read."""

    statement: FilingStatement
    news: MarketQuote
    company: str
    days: int | None
    filed_on: date | None
    said_on: date | None

    @property
    def periods(self) -> tuple[frozenset[str], frozenset[str]]:
        return periods_in(self.statement.quote, self.filed_on), periods_in(self.news.quote, self.said_on)

    @property
    def by_others(self) -> bool:
        """Whether it is analysts who expect something, and not the company."""
        said = _AUDIENCE.sub(" ", self.news.quote)
        return bool(_OTHERS.search(said))


def against_filings(
    statements: Sequence[FilingStatement], news: Sequence[MarketQuote], company: str = ""
) -> tuple[AgainstFiling, ...]:
    """Each statement beside each piece of later news on the same quantity: contradictions first, then what points the
    other way, what agrees, and what cannot be compared; earlier news is left out, for a filing already knew of it.

    What cannot be compared is given for a statement only where nothing else is, and once. `company`: whose filings
    they are.
    """
    found: list[AgainstFiling] = []
    for statement in statements:
        others = [quote for quote in news if not quote.source_id or quote.source_id != statement.source_id]
        pairs = [each for quote in others for each in compare_statement(statement, quote, company)]
        informative = sorted(
            (each for each in pairs if each.relation != "not comparable"), key=lambda one: not one.news_value
        )
        # A page says the same in its title and below; what has a figure says more.
        once: dict[tuple[str, str, str], AgainstFiling] = {}
        for each in informative:
            once.setdefault((each.relation, each.what, each.news.source_id), each)
        words = set(content_words(statement.quote))
        nearest = sorted(pairs, key=lambda each: -len(words & set(content_words(each.news.quote))))
        found += list(once.values()) or nearest[:1]
    return tuple(sorted(found, key=lambda each: (_ORDER[each.relation], each.forecast_by_others)))


def compare_statement(statement: FilingStatement, news: MarketQuote, company: str = "") -> tuple[AgainstFiling, ...]:
    """One statement beside one piece of news; () where they speak of different quantities, or the news is not later."""
    published = parse_date(news.published) if news.published else None
    at: datetime | None = published.at if published else None
    days = (utc(at) - utc(statement.filed)).days if at and statement.filed else None
    if days is not None and days < 0:
        return ()
    filed_on = statement.filed.date() if statement.filed else None
    pair = _Pair(statement, news, company, days, filed_on, at.date() if at else None)
    own, other = measured_in(statement.quote, company), measured_in(news.quote, company)
    found: list[AgainstFiling] = []
    for measure in sorted(measures_named(statement.quote) & measures_named(news.quote)):
        mine = [each for each in own if each.measure == measure]
        levels = _best(mine, [each for each in other if each.measure == measure])
        if levels is not None:
            found.append(_beside(pair, measure, *levels))
        elif turned := _direction(pair, measure):
            found.append(_made(pair, measure, turned, mine[0] if mine else None))
    return tuple(found) or _bearing_on(pair, own)


def _bearing_on(pair: _Pair, own: Sequence[Measured]) -> tuple[AgainstFiling, ...]:
    """News of a quantity on which the filing's depends: less made is less delivered."""
    mine, theirs = measures_named(pair.statement.quote), measures_named(pair.news.quote)
    for measure in measures():
        cause = next(iter(sorted(set(measure.depends_on) & theirs)), "")
        if measure.name in mine and cause and (turned := _direction(pair, measure.name, cause)):
            level = next((each for each in own if each.measure == measure.name), None)
            return (_made(pair, measure.name, turned, level),)
    return ()


def _best(own: Sequence[Measured], other: Sequence[Measured]) -> tuple[Measured, Measured] | None:
    """The pair most alike in kind; of several figures of the news the first stands for what is said now."""
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
    verdict = _differs(pair, one, two) or _compared(one.quantity, two.quantity)
    if verdict.kind in ("contradicts", "agrees") and (doubt := _doubt(pair)):
        verdict = _Verdict("not comparable", doubt)
    if verdict.kind == "contradicts" and pair.by_others:
        verdict = _Verdict("points the other way", _reason("of_others", **_values(one.quantity, two.quantity)))
    return _made(pair, measure, verdict, one, two)


def _differs(pair: _Pair, one: Measured, two: Measured) -> _Verdict | None:
    """Why two figures of one measure are not of the same quantity; None where nothing says so."""
    mine, theirs = pair.periods
    reason: Reason | None = None
    if one.change != two.change:
        reason = _reason("a_change_and_a_level")
    elif one.scope != two.scope:
        reason = _reason("other_part", filing=_part(one.scope, "the whole"), news=_part(two.scope, "the whole"))
    elif days_of_levels(pair.statement.quote) != days_of_levels(pair.news.quote):
        reason = _reason("other_day")
    elif one.basis != two.basis:
        bases = [_part(each, "on no stated basis") for each in (one.basis, two.basis)]
        reason = _reason("other_basis", filing=bases[0], news=bases[1])
    elif mine and theirs and not mine & theirs:
        reason = _reason("other_period", filing=_spoken(mine), news=_spoken(theirs))
    elif bool(mine) != bool(theirs):
        reason = _reason("one_period", which="filing" if mine else "news")
    return _Verdict("not comparable", reason) if reason else None


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
    if says("others", pair.news.quote) or _of_somebody_else(pair):
        return _reason("somebody_else", company=pair.company or "the one that filed")
    if says("possible", pair.news.quote):
        return _reason("possible")
    in_part = [says("part_of_period", each.quote) for each in (pair.news, pair.statement)]
    return _reason("part_of_period") if in_part[0] != in_part[1] else None


def _of_somebody_else(pair: _Pair) -> bool:
    """Whether another name than the company's comes first in the news, and the company does not act in it."""
    if not pair.company or pair.by_others:
        return False
    said = [each.text for each in names(pair.news.quote) if each.sure]
    head = next((word for word in pair.company.split() if len(word) > 2), pair.company)
    own = [name for name in said if same_name(name, pair.company) or head in name.split()]
    form = re.escape(head) + r"(?:\s+[A-Z][\w&.]+)*"
    acts = re.search(rf"\b{form},?\s+(?:now |also |has |had |is |was |said |says )*[a-z]+", pair.news.quote)
    figure = re.search(rf"\b{form}['’]s?\s+(?:[a-z][\w-]*\s+){{0,3}}?[a-z]+", pair.news.quote)
    own_figure = figure is not None and bool(measures_named(figure.group()))
    return bool(said) and own[:1] != said[:1] and not (acts or own_figure)


def _direction(pair: _Pair, measure: str, cause: str = "") -> _Verdict | None:
    """How news points away from what a filing expects; None where it does not."""
    filing, news = pair.statement.quote, pair.news.quote
    if not says("ahead", filing):
        return None
    less, more = says("less", news), says("more", news)
    rising, falling = says("more", filing), says("less", filing)
    if less and not more and not falling:
        return _Verdict("points the other way", _reason("less", measure=measure, cause=cause or "of it"))
    if more and not less and falling and not rising:
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
        days_between=pair.days,
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
