"""The market desk's answer as a cited summary, in the form in which every kind of case is reported."""

from __future__ import annotations

from collections.abc import Iterable

from inquest.domain.market import (
    AgainstFiling,
    AnalystAction,
    Development,
    FilingStatement,
    MarketAnswer,
    MarketQuote,
    QuestionKind,
)
from inquest.domain.report import Section, Statement, Summary
from inquest.text.phrases import capitalised, count, day, ended, listed, quoted
from inquest.text.sentences import fold

__all__ = ["action_words", "market_summary"]


def market_summary(answer: MarketAnswer) -> Summary:
    """The answer in sections; what is about the work itself (what was asked, what can be done next) cites nothing."""
    parts = (
        ("Breaking news summary", [*map(_quote, answer.breaking), *_work(answer.breaking_note)]),
        *(
            (f"Key development {number}{f' ({answer.window})' if number == 1 else ''}", list(_development(each)))
            for number, each in enumerate(answer.developments, 1)
        ),
        ("Analyst commentary", [_action(each) for each in answer.commentary]),
        ("Sentiment", list(_sentiment(answer))),
        *_history(answer),
        ("What it can mean", [one for each in answer.meanings for one in _work(capitalised(each))]),
        ("What can be done next", [one for each in answer.offers for one in _work(each)]),
        ("Notes", [one for each in (*answer.notes, answer.disclaimer) for one in _work(each)]),
    )  # fmt: skip
    sections = tuple(Section(heading=heading, statements=tuple(said)) for heading, said in parts if said)
    return Summary(title=f"{capitalised(answer.question.about)}: real-time update", sections=sections)


def _history(answer: MarketAnswer) -> list[tuple[str, list[Statement]]]:
    """What filings say and what news says against them. Asked about a company's course, its filing comes first: it is
    what the news is to be read beside."""
    against = ("Against the filings", [_against(each) for each in answer.against_filings])
    context = ("Historical context", [*_filings(answer), *map(_quote, answer.context)])
    return [context, against] if answer.question.kind is QuestionKind.STRATEGY else [against, context]


def action_words(action: AnalystAction) -> str:
    """'Wedbush: reiterated (Outperform), raised target (950 → 1200 USD)', 'Wedbush: cut estimate (2026 delivery: 2.1
    million → 1.85 million)', as events and the firm's."""
    grade, _, target = action.action.partition(", ")
    if target:
        parts = (action.model_copy(update={"action": grade, "target_to": None}),
                 action.model_copy(update={"action": target, "grade_from": None, "grade_to": None}))  # fmt: skip
        return f"{action.firm}: {', '.join(_event_words(each) for each in parts)}"
    return f"{action.firm}: {_event_words(action)}"


def _event_words(action: AnalystAction) -> str:
    told = []
    if action.grade_to or action.grade_from:
        same = action.grade_to and action.grade_from and fold(action.grade_to) == fold(action.grade_from)
        if action.grade_to and action.grade_from and not same:
            told.append(f"{action.grade_from} → {action.grade_to}")
        else:
            told.append(action.grade_to or f"from {action.grade_from}")
    if action.target_to is not None:
        amount = f"{action.target_to:g}{f' {action.currency}' if action.currency else ''}"
        before = f"{action.target_from:g} → " if action.target_from is not None else ""
        changed = action.action.endswith("target")
        told.append(f"{'' if changed else 'target '}{before}{amount}" if before or not changed else f"to {amount}")
    if action.estimate_to is not None:
        before = f"{action.estimate_from} → " if action.estimate_from else ""
        before = before or ("" if action.estimate_of or action.action == "estimate" else "to ")
        of = f"{action.estimate_of}: " if action.estimate_of else ""
        told.append(f"{of}{before}{action.estimate_to}")
    return f"{action.action}{' (' + ', '.join(told) + ')' if told else ''}"


def _quote(quote: MarketQuote) -> Statement:
    return Statement(text=_said(quote), finding_ids=(quote.finding_id,))


def _said(quote: MarketQuote) -> str:
    return f"{quoted(quote.quote)} ({quote.publisher}, {quote.age or 'no date'})"


def _work(words: str) -> Iterable[Statement]:
    if words:
        yield Statement(text=ended(words), about_the_work=True)


def _development(each: Development) -> Iterable[Statement]:
    yield _quote(each.heading)
    yield from map(_quote, each.details)
    for quote in each.impact:
        yield Statement(text=f"Impact: {_said(quote)}", finding_ids=(quote.finding_id,))
    if each.unconfirmed:
        alone = listed([kind.value for kind in each.unconfirmed])
        yield from _work(f"Single source: {alone}. Fewer than two independent sources tell of it")
    elif each.witnesses > 1:
        yield from _work(f"Told by {count(each.witnesses, 'independent source')}")
    if each.disputed:
        yield from _work(each.disputed)


def _action(action: AnalystAction) -> Statement:
    words = action_words(action)
    if action.quote is not None:
        return Statement(text=f"{words}. {_said(action.quote)}", finding_ids=(action.quote.finding_id,))
    when = f", {action.age}" if action.age else ""
    return Statement(text=f"{words} (the table of {action.lead_by or 'an engine'}{when}; no page was read).",
                     about_the_work=True)  # fmt: skip


def _sentiment(answer: MarketAnswer) -> Iterable[Statement]:
    told = answer.sentiment
    if told is None or not (told.positive or told.negative or told.neutral):
        return
    yield from _work(f"{capitalised(told.label.value)} ({told.score:+.2f} on a scale of -1 to +1). "
                     f"{' '.join(told.reasons)}".strip())  # fmt: skip
    yield from map(_quote, told.basis)


def _against(each: AgainstFiling) -> Statement:
    gap = f", {count(each.days_between, 'day')} later" if each.days_between else ""
    text = (
        f"{capitalised(each.relation)}, {each.what}: {_filing_said(each.filing)}; news{gap}: {_said(each.news)}. "
        f"{ended(each.reason)}"
    )
    return Statement(text=text, finding_ids=(each.news.finding_id,))


def _filings(answer: MarketAnswer) -> list[Statement]:
    shown = {each.filing.quote for each in answer.against_filings}
    rest = [each for each in answer.filing_context if each.quote not in shown]
    return [Statement(text=_filing_said(each), about_the_work=True) for each in rest]


def _filing_said(statement: FilingStatement) -> str:
    name = ", ".join(part for part in (statement.source_id, statement.form or "filing", statement.section) if part)
    filed = f"filed {day(statement.filed)}" if statement.filed else "filing date not known"
    return f"{quoted(statement.quote)} ({name}, {filed})"
