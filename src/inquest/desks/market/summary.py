"""The market desk's answer in sections and lines, from which Markdown and the cited summary are made.

The direct answer comes first, then developments, analysts, filings, sentiment, and what could not be queried. A line
that states a fact cites the findings that it quotes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby, zip_longest
from typing import NamedTuple

from inquest.desks.market.developments import grave
from inquest.desks.market.events import DISCLAIMER, is_denied, says
from inquest.desks.market.filings import measures_named
from inquest.desks.market.notes import few, left_out_sentences
from inquest.domain.market import (
    AgainstFiling,
    AnalystAction,
    AnswerState,
    Development,
    FilingStatement,
    MarketAnswer,
    MarketQuestion,
    MarketQuote,
    MarketReply,
    QuestionKind,
    ReplyKind,
    ReplyPoint,
)
from inquest.domain.reasons import Reason, as_written, coded, in_words, sentence, sentences
from inquest.domain.report import Section, Statement, Summary
from inquest.sources.ranking import NO_DATE
from inquest.text.phrases import ended, quoted

_BASIS = 4
"""Maximum sentences shown for the sentiment."""
_OPEN = (ReplyKind.OPEN, ReplyKind.DENIED, ReplyKind.NOTHING)
"""Answers that name what could not be queried."""


class AnswerLine(NamedTuple):
    """One line of an answer."""

    codes: tuple[Reason, ...]
    finding_ids: tuple[str, ...] = ()
    level: int = 1
    """0: a paragraph, 1: a bullet point, 2: a nested one."""
    strong: bool = False

    @property
    def text(self) -> str:
        """Its text, in the language of the report."""
        return " ".join(sentences(self.codes))


class AnswerSection(NamedTuple):
    """A section of an answer."""

    code: Reason
    lines: tuple[AnswerLine, ...]
    numbered: bool = False
    of_the_work: bool = False
    """True if it is about how the answer was made; it then appears last."""

    @property
    def heading(self) -> str:
        """Its heading, in the language of the report."""
        return in_words(self.code)


def parts_of(answer: MarketAnswer) -> tuple[AnswerSection, ...]:
    """The sections with content; only the first for an early headline."""
    first = AnswerSection(says("head_breaking"), tuple(_opening(answer)))
    if answer.state is AnswerState.HEADLINE:
        return (first,)
    left = left_out_sentences(answer.engines)
    notes = [
        code or as_written(ended(text))
        for text, code in zip_longest(answer.notes, answer.note_codes)
        if code not in left and text not in sentences(left)
    ]
    prices = coded(answer.prices, answer.price_codes) if answer.question.kind is not QuestionKind.STOCK_MOVEMENT else ()
    others = [says("others_cover_it", names=few(answer.not_asked))] if answer.not_asked else []
    replied = {point.quote for point in answer.reply.points} if answer.reply else set()
    commentary = (_action(each) for each in answer.commentary if each.quote not in replied)
    meanings = [sentence(each) for each in coded(answer.meanings, answer.meaning_codes)]
    window = answer.window_code or as_written(answer.window)
    parts = (
        first,
        AnswerSection(says("head_developments", window=window), tuple(_developments(answer)), numbered=True),
        AnswerSection(says("head_analysts"), tuple(commentary)),
        AnswerSection(says("head_sector"), tuple(_sector(answer))),
        AnswerSection(says("head_context"), tuple(_context(answer))),
        AnswerSection(says("head_sentiment"), tuple(_sentiment(answer))),
        AnswerSection(says("head_not_asked"), _points(left)),
        AnswerSection(says("head_meanings"), _points(meanings)),
        AnswerSection(says("head_offers"), _points(coded(answer.offers, answer.offer_codes))),
        AnswerSection(says("head_notes"), _points((*prices, *notes, *others)), of_the_work=True),
    )
    return tuple(part for part in parts if part.lines)


def market_summary(answer: MarketAnswer) -> Summary:
    """The answer as a cited summary, the form of every kind of case."""
    disclaimer = AnswerSection(says("head_disclaimer"), (AnswerLine((DISCLAIMER,)),))
    sections = [
        Section(
            heading=part.heading,
            heading_code=part.code,
            statements=tuple(
                Statement(
                    text=line.text,
                    finding_ids=line.finding_ids,
                    about_the_work=not line.finding_ids,
                    reason_codes=line.codes,
                )
                for line in part.lines
            ),
        )
        for part in (*parts_of(answer), disclaimer)
    ]
    title = says("title", name=answer.question.about)
    return Summary(title=in_words(title), title_code=title, sections=tuple(sections))


def _points(reasons: Iterable[Reason]) -> tuple[AnswerLine, ...]:
    return tuple(AnswerLine((each,)) for each in reasons)


def _quote(quote: MarketQuote) -> Reason:
    age = (quote.age_code or as_written(quote.age)) if quote.age else NO_DATE
    return says("quote", quote=quoted(quote.quote), origin=says("origin", name=quote.publisher, age=age))


def _line(quote: MarketQuote, level: int = 1, *before: Reason, strong: bool = False) -> AnswerLine:
    return AnswerLine((*before, _quote(quote)), (quote.finding_id,), level, strong)


def _opening(answer: MarketAnswer) -> Iterator[AnswerLine]:
    """The direct answer or, without one, the breaking news. Contradictions of filings come before an open answer and
    after a decided one, which they may not concern."""
    against = list(_against(each for each in answer.against_filings if _leads(each, answer.question)))
    is_open = answer.reply is None or answer.reply.kind in _OPEN
    yield from against if is_open else ()
    if answer.question.kind is QuestionKind.STOCK_MOVEMENT:
        yield from (AnswerLine((each,), level=0) for each in coded(answer.prices, answer.price_codes))
    if answer.reply is not None:
        yield from _reply(answer.reply, answer)
    else:
        yield from (_line(quote, level=0) for quote in answer.breaking)
    if answer.breaking_note:
        yield AnswerLine(coded([answer.breaking_note], answer.breaking_codes), level=0)
    yield from () if is_open else against


def _reply(reply: MarketReply, answer: MarketAnswer) -> Iterator[AnswerLine]:
    named = [says(f"event_{each.event}") for each in reply.points if each.event]
    out = [each.title for each in answer.engines if each.state == "left_out"]
    could_not = [says("pages_unread", number=answer.unread)] if answer.unread else []
    could_not += [says("engines_unasked", names=few(out))] if out else []
    name = f"reply_{reply.kind.name.lower()}"
    if could_not and reply.kind in _OPEN:
        unread = reply.kind is ReplyKind.NOTHING and answer.unread and not answer.sources
        name = "reply_unknown" if unread else f"{name}_but"
    opening = [] if reply.kind is ReplyKind.REPORTED else [says(name, reasons=could_not)]
    if reply.kind is ReplyKind.REPORTED and answer.question.claim:
        opening = [says("party_says_so")]
    if named:
        opening = [says("causes", names=named)]
    if reply.kind in (ReplyKind.YES, ReplyKind.NO, ReplyKind.IN_PART) and reply.points:
        opening.append(says("one_says_so" if reply.witnesses < 2 else "say_so", number=reply.witnesses))
    if opening:
        yield AnswerLine(tuple(opening), level=0, strong=True)
    yield from map(_point, reply.points)
    if reply.against:
        yield AnswerLine((says("other_side"),), level=0)
        yield from map(_line, reply.against)


def _point(point: ReplyPoint) -> AnswerLine:
    if not point.event:
        return _line(point.quote)
    others = says(
        "quote_of_many" if point.witnesses > 1 else "quote_of_one",
        quote=_quote(point.quote),
        number=point.witnesses - 1,
    )
    return AnswerLine((says("of_cause", cause=says(f"event_{point.event}")), others), (point.quote.finding_id,))


def _sector(answer: MarketAnswer) -> Iterator[AnswerLine]:
    if answer.wider and answer.question.step_back:
        yield AnswerLine((says("wider", question=answer.question.step_back),), level=0)
        yield from map(_line, answer.wider)


def _developments(answer: MarketAnswer) -> Iterator[AnswerLine]:
    """The developments, and the number of them without an impact."""
    for each in answer.developments:
        yield _line(each.heading, strong=True)
        yield from (_line(quote, 2) for quote in each.details)
        yield from (_line(quote, 2, says("impact")) for quote in each.impact)
        if support := _support(each):
            yield AnswerLine(support, level=2)
        if each.disputed:
            yield AnswerLine((says("warning", why=each.disputed_code or as_written(ended(each.disputed))),), level=2)
    if answer.question.tickers and (none := sum(bool(each.impact_note) for each in answer.developments)):
        yield AnswerLine((says("impact_of_none", number=none, total=len(answer.developments)),), level=0)


def _support(each: Development) -> tuple[Reason, ...]:
    """The confirmation of a development; a denial is marked, so that it is not taken for the event denied."""
    number = each.witnesses
    if each.critical and is_denied(each.heading.quote):
        return (says("denial_alone" if number < 2 else "denial", names=grave(each.critical), number=number),)
    confirmed = [kind for kind in each.critical if kind not in each.unconfirmed]
    found = [says("single_source", names=grave(each.unconfirmed))] if each.unconfirmed else []
    found += [says("two_or_more", names=grave(confirmed))] if confirmed else []
    found += [says("reported_by", number=number)] if not each.critical and number > 1 else []
    return tuple(found)


def _action(action: AnalystAction) -> AnswerLine:
    if action.quote is not None:
        return _line(action.quote)
    grades = " → ".join(dict.fromkeys(filter(None, (action.grade_from, action.grade_to))))
    table = says(
        "in_table_of" if action.age else "in_table",
        name=action.lead_by or "an engine",
        age=action.age_code or as_written(action.age),
    )
    done = ", ".join(filter(None, (action.action, grades)))
    return AnswerLine((as_written(f"{action.firm}: {done}"), table))


def _sentiment(answer: MarketAnswer) -> Iterator[AnswerLine]:
    mood = answer.sentiment
    if mood is None or not (mood.positive or mood.negative or mood.neutral):
        return
    label = says("on_scale", label=says(f"mood_{mood.label.value}"), score=f"{mood.score:+.2f}")
    yield AnswerLine((label, *coded(mood.reasons, mood.reason_codes)), level=0)
    yield from map(_line, mood.basis[:_BASIS])


def _context(answer: MarketAnswer) -> Iterator[AnswerLine]:
    """Filings and news against them; for a question on strategy the filing comes first."""
    shown = {each.filing.quote for each in answer.against_filings}
    rest = _points(_filing(each) for each in answer.filing_context if each.quote not in shown)
    filed = [AnswerLine((says("filing_says"),), level=0, strong=True), *rest] if rest else []
    against = list(_against(each for each in answer.against_filings if not _leads(each, answer.question)))
    yield from (*filed, *against) if answer.question.kind is QuestionKind.STRATEGY else (*against, *filed)
    if answer.context and (filed or against):
        yield AnswerLine((says("earlier_reports"),), level=0, strong=True)
    yield from map(_line, answer.context)


def _leads(each: AgainstFiling, question: MarketQuestion) -> bool:
    """True for a contradiction of a filing that may concern the answer: not for somebody else's forecast, or if the
    question names another measure."""
    asked = measures_named(question.text)
    concerns = not asked or bool(asked & measures_named(each.filing.quote))
    return concerns and each.relation == "contradicts" and not each.forecast_by_others


def _against(news: Iterable[AgainstFiling]) -> Iterator[AnswerLine]:
    """A statement of a filing once, with all the news that bears on it in the same way."""
    for _, group in groupby(news, key=lambda each: (each.relation, each.filing.quote)):
        together = list(group)
        first = together[0]
        relation = says(first.relation.replace(" ", "_"), what=first.what)
        yield AnswerLine((relation,), level=0, strong=True)
        yield AnswerLine((says("filing"), _filing(first.filing)))
        for each in together:
            yield _line(
                each.news, 1, says("news_later" if each.days_between else "news", number=each.days_between or 0)
            )
        for reason in dict.fromkeys(coded([ended(each.reason)], each.reason_codes) for each in together if each.reason):
            yield AnswerLine(reason)


def _filing(statement: FilingStatement) -> Reason:
    name = ", ".join(part for part in (statement.form or "filing", statement.section) if part)
    date = statement.filed.date().isoformat() if statement.filed else ""
    return says("filed_on" if date else "filed_undated", quote=quoted(statement.quote), name=name, date=date)
