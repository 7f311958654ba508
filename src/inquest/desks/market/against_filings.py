"""Compare a company's filings with later news, quantity by quantity, with the dates and words of both (spec 003).

A contradiction requires the same quantity, period, basis and unit; otherwise the two are 'not comparable', with the
reason. News that a plant cut its output does not contradict a goal for the year; it points the other way.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Literal, NamedTuple

from inquest.desks.market.events import says
from inquest.desks.market.filings import (
    AHEAD,
    DEPENDS_ON,
    Measured,
    direction_of,
    measured_in,
    measures_named,
    periods_in,
)
from inquest.domain.by_key import firsts
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
"""Figures further apart than this that agree only by their rounding ('$9 billion', '$10 billion') do not agree."""
_Kind = Literal["contradicts", "agrees", "not comparable", "points the other way"]


class _Verdict(NamedTuple):
    kind: _Kind
    reason: Reason


class _Pair(NamedTuple):
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
        """True if the news is an expectation of analysts, not of the company."""
        return bool(_OTHERS.search(_AUDIENCE.sub(" ", self.news.quote)))


def against_filings(
    statements: Sequence[FilingStatement], news: Sequence[MarketQuote], company: str = ""
) -> tuple[AgainstFiling, ...]:
    """Compare each statement with later news on the same quantity, contradictions first. `company`: the filer."""
    found: list[AgainstFiling] = []
    for statement in statements:
        others = [quote for quote in news if not quote.source_id or quote.source_id != statement.source_id]
        pairs = [each for quote in others for each in compare_statement(statement, quote, company)]
        # A page repeats itself in title and text; a sentence with a figure is preferred.
        compared = [each for each in pairs if each.relation != "not comparable"]
        compared.sort(key=lambda one: not one.news_value)
        once = firsts(((each.relation, each.what, each.news.source_id), each) for each in compared)
        words = set(content_words(statement.quote))
        nearest = sorted(pairs, key=lambda each: -len(words & set(content_words(each.news.quote))))
        found += list(once.values()) or nearest[:1]
    return tuple(sorted(found, key=lambda each: (_ORDER[each.relation], each.forecast_by_others)))


def compare_statement(statement: FilingStatement, news: MarketQuote, company: str = "") -> tuple[AgainstFiling, ...]:
    """Compare a statement with a piece of news; () if they are about different quantities or the news is not later."""
    published = parse_date(news.published) if news.published else None
    said_on = published.at.date() if published else None
    filed_on = statement.filed.date() if statement.filed else None
    if published and statement.filed and utc(published.at) < utc(statement.filed):
        return ()
    pair = _Pair(statement, news, company, filed_on, said_on)
    own, other = measured_in(statement.quote, company), measured_in(news.quote, company)
    mine, theirs = measures_named(statement.quote), measures_named(news.quote)
    first = {each.measure: each for each in reversed(own)}
    found: list[AgainstFiling] = []
    for measure in sorted(mine & theirs):
        levels = [(one, two) for one in own for two in other if one.measure == two.measure == measure]
        if levels:
            found.append(_beside(pair, measure, *max(levels, key=_likeness)))
        elif turned := _direction(pair, measure):
            found.append(_made(pair, measure, turned, first.get(measure)))
    if found:
        return tuple(found)
    for measure, causes in DEPENDS_ON.items():
        cause = next((each for each in causes if each in theirs), "")
        if measure in mine and cause and (turned := _direction(pair, measure, cause)):
            return (_made(pair, measure, turned, first.get(measure)),)
    return ()


def _likeness(pair: tuple[Measured, Measured]) -> tuple[bool, bool, bool, int]:
    """Likeness in kind; of several figures in the news the first is the current one."""
    one, two = pair
    same_unit = one.quantity.unit == two.quantity.unit
    return (
        one.change == two.change,
        one.quantity.dimension is two.quantity.dimension,
        same_unit,
        -two.quantity.span.start,
    )


def _beside(pair: _Pair, measure: str, one: Measured, two: Measured) -> AgainstFiling:
    reason = _differs(pair, one, two)
    verdict = _Verdict("not comparable", reason) if reason else _compared(one.quantity, two.quantity)
    if verdict.kind in ("contradicts", "agrees") and (doubt := _doubt(pair)):
        verdict = _Verdict("not comparable", doubt)
    if verdict.kind == "contradicts" and pair.by_others:
        verdict = _Verdict("points the other way", says("of_others", **_values(one.quantity, two.quantity)))
    return _made(pair, measure, verdict, one, two)


def _differs(pair: _Pair, one: Measured, two: Measured) -> Reason | None:
    """The reason why two figures of one measure are different quantities; None if absent."""
    mine, theirs = pair.periods
    if one.change != two.change:
        return says("a_change_and_a_level")
    for code, parts, none in (
        ("other_part", (one.scope, two.scope), "the whole"),
        ("other_basis", (one.basis, two.basis), "on no stated basis"),
    ):
        if parts[0] != parts[1]:
            filing, news = (", ".join(sorted(each)) or none for each in parts)
            return says(code, filing=filing, news=news)
    if mine and theirs and not mine & theirs:
        return says("other_period", filing=_spoken(mine), news=_spoken(theirs))
    if bool(mine) != bool(theirs):
        return says("one_period", which="filing" if mine else "news")
    return None


def _compared(one: Quantity, two: Quantity) -> _Verdict:
    comparison, values = compare(one, two), _values(one, two)
    if comparison.relation is Relation.NOT_COMPARABLE:
        return _Verdict("not comparable", says("no_comparison", why=str(comparison.reason)))
    apart = abs(one.value - two.value) > _COARSE * max(abs(one.value), abs(two.value))
    if comparison.relation is Relation.SAME and {one.bound, two.bound} == {Bound.EXACT} and apart:
        return _Verdict("not comparable", says("too_coarse", **values))
    if comparison.relation is Relation.SAME or (one.low <= two.high and two.low <= one.high):
        return _Verdict("agrees", says("the_same", **values))
    return _Verdict("contradicts", says("above" if two.low > one.high else "below", **values))


def _doubt(pair: _Pair) -> Reason | None:
    """The reason why two figures of one measure and period may be different quantities all the same."""
    if _of_another_company(pair):
        return says("somebody_else", company=pair.company or "the one that filed")
    if _POSSIBLE.search(pair.news.quote):
        return says("possible")
    in_part = [bool(_PART_OF_PERIOD.search(each.quote)) for each in (pair.news, pair.statement)]
    return says("part_of_period") if in_part[0] != in_part[1] else None


def _of_another_company(pair: _Pair) -> bool:
    """True if the news names another company first, and the company of the filing does not act in it."""
    if not pair.company or pair.by_others:
        return False
    named = [each.text for each in names(pair.news.quote) if each.sure]
    head = next((word for word in pair.company.split() if len(word) > 2), pair.company)
    if not named or same_name(named[0], pair.company) or head in named[0].split():
        return False
    form = re.escape(head) + r"(?:\s+[A-Z][\w&.]+)*"
    return not re.search(rf"\b{form}(?:,?\s+|['’]s?\s+)(?:[a-z][\w-]*\s+){{0,3}}?[a-z]+", pair.news.quote)


def _direction(pair: _Pair, measure: str, cause: str = "") -> _Verdict | None:
    """The verdict on news that points away from what a filing expects; None if it does not."""
    if not AHEAD.search(pair.statement.quote):
        return None
    expected, reported = direction_of(pair.statement.quote), direction_of(pair.news.quote)
    if reported < 0 and expected >= 0:
        return _Verdict("points the other way", says("less", measure=measure, cause=cause or "of it"))
    if reported > 0 and expected < 0:
        return _Verdict("points the other way", says("more", measure=measure))
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
        reason_codes=(verdict.reason,),
        forecast_by_others=pair.by_others,
    )


def _values(one: Quantity, two: Quantity) -> dict[str, ReasonData]:
    return {"filing": _between(one), "news": _between(two)}


def _between(quantity: Quantity) -> str:
    words = shown(quantity)
    return f"between {words}" if quantity.bound is Bound.RANGE and " and " in words else words


def _spoken(periods: frozenset[str]) -> str:
    """'2026', 'the third quarter of 2026', or 'a fourth quarter' without a year."""
    spoken = []
    for year, _, quarter in (each.partition("-Q") for each in sorted(periods)):
        nth = {"1": "first", "2": "second", "3": "third", "4": "fourth"}.get(quarter)
        spoken.append(year if nth is None else f"a {nth} quarter" if year == "?" else f"the {nth} quarter of {year}")
    return listed(spoken)
