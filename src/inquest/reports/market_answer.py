"""The market desk's answer as Markdown, in spec 003's form: what is breaking, developments, analysts, context, sources.

Words of pages stand in quotation marks with who said them and when; nothing in them is markup. The text around them
recommends nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import urlsplit

from inquest.desks.market.events import cause_label
from inquest.desks.market.summary import action_words
from inquest.domain.market import (
    AgainstFiling,
    AnalystAction,
    AnswerState,
    Development,
    EngineNote,
    FilingStatement,
    MarketAnswer,
    MarketQuote,
    MarketSource,
    QuestionKind,
    Reply,
    ReplyKind,
    ReplyPoint,
    Sentiment,
)
from inquest.reports.plain import markdown_text
from inquest.text.phrases import capitalised, count, day, ended, listed, quoted

__all__ = ["market_markdown"]

_BASIS = 4
"""Sentences that are shown for the mood of the news."""
_RELATION = {
    "contradicts": "Contradicts the filing",
    "points the other way": "Points the other way",
    "agrees": "In line with the filing",
    "not comparable": "Not comparable",
}


def market_markdown(answer: MarketAnswer) -> str:
    """The whole answer; of a headline, what is there so far."""
    parts = [f"## {markdown_text(capitalised(answer.question.about))} - Real-Time Update"]
    parts.append(f"*{markdown_text(answer.question.text, opens=False)}* (as of {answer.at:%Y-%m-%d %H:%M %Z})".rstrip())
    parts += ["### Breaking News Summary", *_reply(answer), *_breaking(answer)]
    if answer.state is AnswerState.HEADLINE:
        return "\n\n".join([*parts, f"*{answer.disclaimer}*"]) + "\n"
    if answer.developments:
        parts += [
            f"### Key Developments ({markdown_text(capitalised(answer.window), opens=False)})",
            _developments(answer.developments),
        ]
    if answer.commentary:
        parts += ["### Analyst Commentary", "\n".join(_action(each) for each in answer.commentary)]
    parts += list(_sentiment(answer.sentiment))
    if answer.context or answer.filing_context or answer.against_filings:
        parts += ["### Historical Context", *_context(answer)]
    if answer.meanings:
        parts += ["This could mean that", "\n".join(f"{n}. {each}" for n, each in enumerate(answer.meanings, 1))]
    if answer.offers:
        parts += ["What can be done next:", "\n".join(f"- {markdown_text(each)}" for each in answer.offers)]
    if answer.sources:
        parts += ["### Sources", "\n".join(_source(each) for each in answer.sources)]
    parts += list(_method(answer))
    parts.append(f"*{answer.disclaimer}*")
    return "\n\n".join(part for part in parts if part) + "\n"


_OPENING = {
    ReplyKind.YES: "**Yes.**",
    ReplyKind.NO: "**No.**",
    ReplyKind.IN_PART: "**In part.**",
    ReplyKind.DISPUTED: "**Sources disagree.**",
    ReplyKind.OPEN: "**Open.** No source that was read settles it. They say of it:",
    ReplyKind.DENIED: "**Not confirmed by any source that was read.** What they report of it is a denial:",
    ReplyKind.NOTHING: "**Not answered.** Nothing that was read speaks of it.",
}


def _reply(answer: MarketAnswer) -> Iterator[str]:
    """The answer to the question: yes or no with who says so, the causes that are given, or what is reported of it."""
    reply = answer.reply
    if answer.prices and answer.question.kind is QuestionKind.STOCK_MOVEMENT:
        yield "\n".join(markdown_text(each) for each in answer.prices)
    if reply is None:
        return
    named = [cause_label(each.event) for each in reply.points if each.event]
    causes = f"**Reported as the {'causes' if len(named) > 1 else 'cause'}: {listed(named)}.**" if named else ""
    if opening := causes or _OPENING.get(reply.kind, ""):
        yield f"{opening} {_support(reply)}".strip()
    if reply.points:
        yield "\n".join(_point(each) for each in reply.points)
    if reply.against:
        yield "On the other side:"
        yield "\n".join(f"- {_words(quote)} {_from(quote)}" for quote in reply.against)


def _point(point: ReplyPoint) -> str:
    label = f"{capitalised(cause_label(point.event))}: " if point.event else ""
    others = (
        f" and {count(point.witnesses - 1, 'other independent source')}" if point.event and point.witnesses > 1 else ""
    )
    alone = ", one source alone" if point.event and point.witnesses < 2 else ""
    return f"- {label}{_words(point.quote)} {_from(point.quote)}{others}{alone}"


def _support(reply: Reply) -> str:
    """How many independent sources stand behind a yes or no."""
    if reply.kind not in (ReplyKind.YES, ReplyKind.NO, ReplyKind.IN_PART) or not reply.points:
        return ""
    if reply.witnesses < 2:
        return "One independent source alone says so:"
    return f"{capitalised(count(reply.witnesses, 'independent source'))} say so:"


def _breaking(answer: MarketAnswer) -> Iterator[str]:
    for quote in answer.breaking:
        yield f"{_words(quote)} {_from(quote)}"
    if answer.breaking_note:
        yield markdown_text(answer.breaking_note)


def _developments(developments: Sequence[Development]) -> str:
    lines = []
    for number, each in enumerate(developments, 1):
        lines.append(f"{number}. **{_words(each.heading)}** {_from(each.heading)}")
        lines += [f"   - {_words(quote)} {_from(quote)}" for quote in each.details]
        lines += [f"   - Impact: {_words(quote)} {_from(quote)}" for quote in each.impact]
        if each.unconfirmed:
            alone = listed([kind.value for kind in each.unconfirmed])
            lines.append(f"   - ⚠ Single source: {alone}. Fewer than two independent sources report it.")
        borne_out = [kind.value for kind in each.critical if kind not in each.unconfirmed]
        if borne_out:
            lines.append(f"   - Reported by two or more independent sources: {listed(borne_out)}.")
        elif not each.critical and each.witnesses > 1:
            lines.append(f"   - Reported by {count(each.witnesses, 'independent source')}.")
        if each.disputed:
            lines.append(f"   - ⚠ {markdown_text(ended(each.disputed), opens=False)}")
    return "\n".join(lines)


def _action(action: AnalystAction) -> str:
    told = f"- {markdown_text(action_words(action))}"
    if action.quote is not None:
        return f"{told} {_from(action.quote)}"
    when = f", {action.age}" if action.age else ""
    by = markdown_text(action.lead_by or "an engine", opens=False)
    return f"{told} \\[the table of {by}{when}; no page was read\\]"


def _sentiment(sentiment: Sentiment | None) -> Iterator[str]:
    if sentiment is None or not (sentiment.positive or sentiment.negative or sentiment.neutral):
        return
    yield "### Sentiment"
    label = capitalised(sentiment.label.value)
    yield f"{label} ({sentiment.score:+.2f} on a scale of -1 to +1). {' '.join(sentiment.reasons)}"
    if sentiment.basis:
        yield "\n".join(f"- {_words(quote)} {_from(quote)}" for quote in sentiment.basis[:_BASIS])


def _context(answer: MarketAnswer) -> Iterator[str]:
    shown = {each.filing.quote for each in answer.against_filings}
    rest = [each for each in answer.filing_context if each.quote not in shown]
    said = ["**What the filing says**\n" + "\n".join(f"- {_filing(each)}" for each in rest)] if rest else []
    against = [_against(each) for each in answer.against_filings]
    # Asked about a company's course, its filing is what the news is to be read beside.
    yield from (*said, *against) if answer.question.kind is QuestionKind.STRATEGY else (*against, *said)
    if answer.context:
        yield "\n".join(f"- {_words(quote)} {_from(quote)}" for quote in answer.context)


def _against(each: AgainstFiling) -> str:
    mark = "⚠ " if each.relation in ("contradicts", "points the other way") else ""
    gap = f", {count(each.days_between, 'day')} later" if each.days_between else ""
    lines = [
        f"**{mark}{_RELATION[each.relation]}: {markdown_text(each.what, opens=False)}**",
        f"- Filing: {_filing(each.filing)}",
        f"- News{gap}: {_words(each.news)} {_from(each.news)}",
        f"- {markdown_text(ended(each.reason))}",
    ]
    return "\n".join(lines)


def _filing(statement: FilingStatement) -> str:
    name = ", ".join(part for part in (statement.form or "filing", statement.section) if part)
    filed = f", filed {day(statement.filed)}" if statement.filed else ", filing date not known"
    return f"{markdown_text(quoted(statement.quote), opens=False)} \\[{markdown_text(name, opens=False)}{filed}\\]"


def _source(source: MarketSource) -> str:
    marks = [f"Credibility: Tier-{source.tier}", f"Freshness: {source.age or 'no date'}"]
    marks += ["press release"] if source.press_release else []
    title = f" {markdown_text(source.title, opens=False)}" if source.title else ""
    note = f" {markdown_text(source.note, opens=False)}" if source.note else ""
    return f"- {markdown_text(source.publisher)}:{title} {_link(source.url)} ({', '.join(marks)}){note}"


def _method(answer: MarketAnswer) -> Iterator[str]:
    first = answer.prices if answer.question.kind is not QuestionKind.STOCK_MOVEMENT else ()
    lines = [f"- {markdown_text(note)}" for note in (*first, *answer.notes)]
    asked = [_engine(each) for each in answer.engines if each.state != "left_out"]
    if asked:
        lines.append(f"- Asked: {listed(asked)}.")
    noise = answer.noise
    if noise.seen:
        kinds = ((noise.clickbait, "bait"), (noise.duplicates, "duplicate"), (noise.too_short, "too short"),
                 (noise.promotional, "promotional"))  # fmt: skip
        removed = ", ".join(f"{number} {name}" for number, name in kinds if number)
        leads = count(noise.seen, "lead")
        left = f"{noise.removed} ({noise.share:.0%})"
        lines.append(
            f"- Of {leads} {left} {'was' if noise.removed == 1 else 'were'} taken out unread ({removed})."
            if noise.removed
            else f"- Of {leads} none was taken out as noise."
        )
        lines += [f"  - {markdown_text(each)}" for each in noise.examples]
    if lines:
        yield "### Notes"
        yield "\n".join(lines)


def _engine(note: EngineNote) -> str:
    hits = count(note.hits, "lead") if note.hits else "nothing found"
    return f"{markdown_text(note.title or note.engine, opens=False)} ({hits})"


def _words(quote: MarketQuote) -> str:
    return markdown_text(quoted(quote.quote), opens=False)


def _from(quote: MarketQuote) -> str:
    parts: Iterable[str] = (quote.publisher, quote.age or "no date")
    return f"\\[{markdown_text(', '.join(parts), opens=False)}\\]"


def _link(url: str) -> str:
    """The address as a link where it is one of the web's, and as plain words otherwise."""
    if urlsplit(url).scheme not in ("http", "https") or any(char in url for char in ' <>"\\`\n\r\t'):
        return markdown_text(url, opens=False)
    return f"<{url}>"
