"""The market desk's answer in sections and lines, from which Markdown and the cited summary are made.

The direct answer comes first, then developments, analysts, filings, sentiment, and what could not be asked. A line that
states a fact cites the findings that it quotes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from inquest.desks.market.events import cause_label, is_denied
from inquest.desks.market.notes import few, left_out_sentences
from inquest.domain.market import (
    AgainstFiling,
    AnalystAction,
    AnswerState,
    Development,
    FilingStatement,
    MarketAnswer,
    MarketQuote,
    MarketReply,
    QuestionKind,
    ReplyKind,
    ReplyPoint,
)
from inquest.domain.report import Section, Statement, Summary
from inquest.text.phrases import capitalised, count, day, ended, listed, numeral, quoted
from inquest.text.sentences import fold

_BASIS = 4
"""Sentences that are shown for the sentiment."""
_OPENING = {
    ReplyKind.YES: "Yes.",
    ReplyKind.NO: "No.",
    ReplyKind.IN_PART: "In part.",
    ReplyKind.DISPUTED: "Sources disagree.",
    ReplyKind.OPEN: "Open: no source that was read settles it{missing}. They report:",
    ReplyKind.DENIED: "Not confirmed by any source that was read{missing}. They report a denial:",
    ReplyKind.NOTHING: "Not answered: no page that was read mentions it{missing}.",
}
_RELATION = {
    "contradicts": "Contradicts the filing",
    "points the other way": "Points the other way",
    "agrees": "In line with the filing",
    "not comparable": "Not comparable",
}


class AnswerLine(NamedTuple):
    """One line of an answer."""

    text: str
    finding_ids: tuple[str, ...] = ()
    level: int = 1
    """0: a paragraph, 1: a point, 2: a point below one."""
    strong: bool = False


class AnswerSection(NamedTuple):
    """A section of an answer."""

    heading: str
    lines: tuple[AnswerLine, ...]
    numbered: bool = False
    of_the_work: bool = False
    """It is about how the answer was made, and appears last."""


def parts_of(answer: MarketAnswer) -> tuple[AnswerSection, ...]:
    """The sections with content; only the first for an early headline."""
    first = AnswerSection("Breaking News Summary", tuple(_opening(answer)))
    if answer.state is AnswerState.HEADLINE:
        return (first,)
    left = left_out_sentences(answer.engines)
    notes = [each for each in answer.notes if each not in left]
    prices = answer.prices if answer.question.kind is not QuestionKind.STOCK_MOVEMENT else ()
    others = "Not asked, because others cover the question within the limits on time and price: "
    work = [*prices, *notes, *([others + listed(few(answer.not_asked))] if answer.not_asked else [])]
    parts = (
        first,
        AnswerSection(f"Key Developments ({capitalised(answer.window)})", tuple(_developments(answer)), numbered=True),
        AnswerSection("Analyst Commentary", tuple(_action(each) for each in answer.commentary)),
        AnswerSection("Sector Impact", tuple(_sector(answer))),
        AnswerSection("Historical Context", tuple(_context(answer))),
        AnswerSection("Sentiment", tuple(_sentiment(answer))),
        AnswerSection("What could not be asked", tuple(AnswerLine(each) for each in left)),
        AnswerSection("This could mean", tuple(AnswerLine(ended(capitalised(each))) for each in answer.meanings)),
        AnswerSection("What can be done next", tuple(AnswerLine(each) for each in answer.offers)),
        AnswerSection("Notes", tuple(AnswerLine(ended(each)) for each in work), of_the_work=True),
    )
    return tuple(part for part in parts if part.lines)


def market_summary(answer: MarketAnswer) -> Summary:
    """The answer as a cited summary, the form of every kind of case."""
    sections = [
        Section(
            heading=part.heading,
            statements=tuple(
                Statement(text=line.text, finding_ids=line.finding_ids, about_the_work=not line.finding_ids)
                for line in part.lines
            ),
        )
        for part in (*parts_of(answer), AnswerSection("Disclaimer", (AnswerLine(answer.disclaimer),)))
    ]
    return Summary(title=f"{capitalised(answer.question.about)}: real-time update", sections=tuple(sections))


def action_words(action: AnalystAction) -> str:
    """'Wedbush: upgraded (Neutral → Outperform, target 950 → 1200 USD)'."""
    parts = []
    if action.grade_to or action.grade_from:
        both = action.grade_to and action.grade_from and fold(action.grade_to) != fold(action.grade_from)
        alone = action.grade_to or f"from {action.grade_from}"
        parts.append(f"{action.grade_from} → {action.grade_to}" if both else alone)
    if action.target_to is not None:
        amount = f"{action.target_to:g}{f' {action.currency}' if action.currency else ''}"
        before = f"{action.target_from:g} → " if action.target_from is not None else ""
        changed = action.action.endswith("target")
        parts.append(f"{'' if changed else 'target '}{before}{amount}" if before or not changed else f"to {amount}")
    return f"{action.firm}: {action.action}{' (' + ', '.join(parts) + ')' if parts else ''}"


def _origin(quote: MarketQuote) -> str:
    return f"[{quote.publisher}, {quote.age or 'no date'}]"


def _line(quote: MarketQuote, level: int = 1, before: str = "", *, strong: bool = False) -> AnswerLine:
    return AnswerLine(f"{before}{quoted(quote.quote)} {_origin(quote)}", (quote.finding_id,), level, strong)


def _opening(answer: MarketAnswer) -> Iterator[AnswerLine]:
    """Contradictions of filings; then the direct answer or, without one, the breaking news."""
    for each in answer.against_filings:
        if _is_contradiction(each):
            yield from _against(each)
    if answer.question.kind is QuestionKind.STOCK_MOVEMENT:
        yield from (AnswerLine(each, level=0) for each in answer.prices)
    if answer.reply is not None:
        yield from _reply(answer.reply, answer)
    else:
        yield from (_line(quote, level=0) for quote in answer.breaking)
    if answer.breaking_note:
        yield AnswerLine(answer.breaking_note, level=0)


def _reply(reply: MarketReply, answer: MarketAnswer) -> Iterator[AnswerLine]:
    named = [cause_label(each.event) for each in reply.points if each.event]
    out = [each.title for each in answer.engines if each.state == "left_out"]
    read = f"{count(answer.unread, 'page')} that came up could not be read" if answer.unread else ""
    asked = f"{listed(few(out))} could not be asked" if out else ""
    could_not = " and ".join(each for each in (read, asked) if each)
    opening = _OPENING.get(reply.kind, "").format(missing=could_not and f"; {could_not}")
    if reply.kind is ReplyKind.NOTHING and answer.unread and not answer.sources:
        opening = f"Not answered: {could_not}, so it is unknown if there are any reports."
    if named:
        opening = f"Reported as the {'causes' if len(named) > 1 else 'cause'}: {listed(named)}."
    if reply.kind in (ReplyKind.YES, ReplyKind.NO, ReplyKind.IN_PART) and reply.points:
        some = count(reply.witnesses, "independent source")
        opening += " One independent source alone says so:" if reply.witnesses < 2 else f" {capitalised(some)} say so:"
    if opening:
        yield AnswerLine(opening, level=0, strong=True)
    yield from map(_point, reply.points)
    if reply.against:
        yield AnswerLine("On the other side:", level=0)
        yield from map(_line, reply.against)


def _point(point: ReplyPoint) -> AnswerLine:
    line = _line(point.quote, before=f"{capitalised(cause_label(point.event))}: " if point.event else "")
    if not point.event:
        return line
    others = f" and {count(point.witnesses - 1, 'other independent source')}"
    return line._replace(text=f"{line.text}{others if point.witnesses > 1 else ', one source alone'}")


def _sector(answer: MarketAnswer) -> Iterator[AnswerLine]:
    """The wider question and the quotes that answer it, if any."""
    if answer.developments and answer.question.step_back and answer.question.company:
        nothing = "" if answer.wider else " No sentence on the company that was read answers it."
        yield AnswerLine(f"Wider question: {answer.question.step_back}{nothing}", level=0)
        yield from map(_line, answer.wider)


def _developments(answer: MarketAnswer) -> Iterator[AnswerLine]:
    """The developments, and the number of them without an impact."""
    for each in answer.developments:
        yield from _development(each)
    if answer.question.tickers and (none := sum(bool(each.impact_note) for each in answer.developments)):
        of = count(len(answer.developments), "development")
        yield AnswerLine(
            f"Impact: for {numeral(none)} of {of} no source that was read reports a move of the share.", level=0
        )


def _development(each: Development) -> Iterator[AnswerLine]:
    yield _line(each.heading, strong=True)
    yield from (_line(quote, 2) for quote in each.details)
    yield from (_line(quote, 2, "Impact: ") for quote in each.impact)
    if support := _support(each):
        yield AnswerLine(support, level=2)
    if each.disputed:
        yield AnswerLine(f"⚠ {ended(each.disputed)}", level=2)


def _support(each: Development) -> str:
    """The confirmation of a development; a denial is marked, so that it is not taken for the event denied."""
    alone = [kind.value for kind in each.unconfirmed]
    confirmed = [kind.value for kind in each.critical if kind not in each.unconfirmed]
    some = count(each.witnesses, "independent source")
    if each.critical and is_denied(each.heading.quote):
        of = listed([kind.value for kind in each.critical])
        return f"{'⚠ ' if each.witnesses < 2 else ''}A denial ({of}), reported by {some}."
    parts = [f"⚠ Single source: {listed(alone)}. Fewer than two independent sources report it."] if alone else []
    parts += [f"Two or more independent sources report it ({listed(confirmed)})."] if confirmed else []
    parts += [f"Reported by {some}."] if not each.critical and each.witnesses > 1 else []
    return " ".join(parts)


def _action(action: AnalystAction) -> AnswerLine:
    if action.quote is not None:
        return AnswerLine(f"{action_words(action)} {_origin(action.quote)}", (action.quote.finding_id,))
    when = f", {action.age}" if action.age else ""
    return AnswerLine(f"{action_words(action)} [the table of {action.lead_by or 'an engine'}{when}; no page was read]")


def _sentiment(answer: MarketAnswer) -> Iterator[AnswerLine]:
    mood = answer.sentiment
    if mood is None or not (mood.positive or mood.negative or mood.neutral):
        return
    label = f"{capitalised(mood.label.value)} ({mood.score:+.2f} on a scale of -1 to +1)."
    yield AnswerLine(f"{label} {' '.join(mood.reasons)}".strip(), level=0)
    yield from map(_line, mood.basis[:_BASIS])


def _context(answer: MarketAnswer) -> Iterator[AnswerLine]:
    """Filings and news against them; for a question on strategy the filing comes first."""
    shown = {each.filing.quote for each in answer.against_filings}
    rest = [AnswerLine(_filing(each)) for each in answer.filing_context if each.quote not in shown]
    filed = [AnswerLine("What the filing says", level=0, strong=True), *rest] if rest else []
    against = [line for each in answer.against_filings if not _is_contradiction(each) for line in _against(each)]
    yield from (*filed, *against) if answer.question.kind is QuestionKind.STRATEGY else (*against, *filed)
    if answer.context and (filed or against):
        yield AnswerLine("Earlier reports", level=0, strong=True)
    yield from map(_line, answer.context)


def _is_contradiction(each: AgainstFiling) -> bool:
    """True for a contradiction of a filing that is not a forecast of others."""
    return each.relation == "contradicts" and not each.forecast_by_others


def _against(each: AgainstFiling) -> Iterator[AnswerLine]:
    mark = "⚠ " if each.relation in ("contradicts", "points the other way") else ""
    gap = f", {count(each.days_between, 'day')} later" if each.days_between else ""
    yield AnswerLine(f"{mark}{_RELATION[each.relation]}: {each.what}", level=0, strong=True)
    yield AnswerLine(f"Filing: {_filing(each.filing)}")
    yield _line(each.news, before=f"News{gap}: ")
    yield AnswerLine(ended(each.reason))


def _filing(statement: FilingStatement) -> str:
    name = ", ".join(part for part in (statement.form or "filing", statement.section) if part)
    filed = f"filed {day(statement.filed)}" if statement.filed else "filing date not known"
    return f"{quoted(statement.quote)} [{name}, {filed}]"
