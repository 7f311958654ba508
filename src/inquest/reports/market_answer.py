"""The market desk's answer as Markdown in the form of spec 003: answer, developments, analysts, context, sources.

Words of pages are quoted with their author and date, and escaped. The text itself recommends nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from inquest.desks.market.summary import AnswerLine, AnswerSection, parts_of
from inquest.domain.languages import agreeing
from inquest.domain.market import AnswerState, EngineNote, MarketAnswer, MarketSource, NoiseCount
from inquest.reports.plain import markdown_text
from inquest.text.phrases import capitalised, count, listed, numeral


def market_markdown(answer: MarketAnswer) -> str:
    """Return the whole answer; for a headline, the parts available so far."""
    parts = [f"## {markdown_text(capitalised(answer.question.about))} - Real-Time Update"]
    parts.append(f"*{markdown_text(answer.question.text, opens=False)}* (as of {answer.at:%Y-%m-%d %H:%M %Z})".rstrip())
    found = parts_of(answer)
    notes = next((part for part in found if part.of_the_work), None)
    parts += [block for part in found if part is not notes for block in _part(part)]
    if answer.state is not AnswerState.HEADLINE:
        if answer.sources:
            parts += ["### Sources", "\n".join(_source(each) for each in answer.sources)]
        lines = [*(_point(line, 0) for line in (notes.lines if notes else ())), *_method(answer)]
        parts += ["### Notes", "\n".join(lines)] if lines else []
    parts.append(f"*{answer.disclaimer}*")
    return "\n\n".join(part for part in parts if part) + "\n"


def _part(part: AnswerSection) -> Iterator[str]:
    """Yield the heading, paragraphs and lists of a part."""
    yield f"### {markdown_text(part.heading, opens=False)}"
    points: list[str] = []
    number = 0
    for line in part.lines:
        if line.level == 0:
            if points:
                yield "\n".join(points)
                points = []
            text = markdown_text(line.text)
            yield f"**{text}**" if line.strong else text
        else:
            number += line.level == 1
            points.append(_point(line, number if part.numbered else 0))
    if points:
        yield "\n".join(points)


def _point(line: AnswerLine, number: int) -> str:
    text = markdown_text(line.text, opens=False)
    shown = f"**{text}**" if line.strong else text
    if line.level > 1:
        return f"   - {shown}"
    return f"{number}. {shown}" if number else f"- {shown}"


def _source(source: MarketSource) -> str:
    marks = [f"Credibility: Tier-{source.tier}", f"Freshness: {source.age or 'no date'}"]
    marks += ["press release"] if source.press_release else []
    title = f" {markdown_text(source.title, opens=False)}" if source.title else ""
    note = f" {markdown_text(source.note, opens=False)}" if source.note else ""
    return f"- {markdown_text(source.publisher)}:{title} {_link(source.url)} ({', '.join(marks)}){note}"


def _method(answer: MarketAnswer) -> Iterator[str]:
    asked = [_engine(each) for each in answer.engines if each.state != "left_out"]
    if asked:
        yield f"- Asked: {listed(asked)}."
    if answer.noise.seen:
        yield from _noise(answer.noise)


def _noise(noise: NoiseCount) -> Iterator[str]:
    copies = agreeing(noise.duplicates, "as a duplicate", "as duplicates")
    kinds = ((noise.clickbait, "as clickbait"), (noise.duplicates, copies), (noise.promotional, "as promotion"))
    removed = listed([f"{numeral(number)} {name}" for number, name in kinds if number])
    leads = count(noise.seen, "lead")
    were = agreeing(noise.removed, "was", "were")
    left = f"{numeral(noise.removed)} ({noise.share:.0%}) {were} left unread: {removed}"
    yield f"- Of {leads}, {left if removed else 'none was left out as noise'}."
    yield from (f"  - {markdown_text(each)}" for each in noise.examples)


def _engine(note: EngineNote) -> str:
    hits = count(note.hits, "lead") if note.hits else "nothing found"
    return f"{markdown_text(note.title or note.engine, opens=False)} ({hits})"


def _link(url: str) -> str:
    """Return a web address as a link, any other as plain text."""
    if urlsplit(url).scheme not in ("http", "https") or any(char in url for char in ' <>"\\`\n\r\t'):
        return markdown_text(url, opens=False)
    return f"<{url}>"
