"""The market desk's answer as Markdown in the form of spec 003: answer, developments, analysts, context, sources.

Words of pages are quoted with their author and date, and escaped. The text itself recommends nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from inquest.desks.market.events import DISCLAIMER, says
from inquest.desks.market.summary import AnswerLine, AnswerSection, parts_of
from inquest.domain.languages import speaking
from inquest.domain.market import AnswerState, EngineNote, MarketAnswer, MarketSource, NoiseCount
from inquest.domain.reasons import in_words
from inquest.reports.plain import markdown_text
from inquest.reports.words import say
from inquest.sources.freshness import NO_DATE
from inquest.text.phrases import capitalised


def market_markdown(answer: MarketAnswer) -> str:
    """Return the whole answer; for a headline, the parts available so far."""
    parts = [f"## {say('market_update', name=markdown_text(capitalised(answer.question.about)))}"]
    as_of = say("market_as_of", at=f"{answer.at:%Y-%m-%d %H:%M %Z}".rstrip())
    parts.append(f"*{markdown_text(answer.question.text, opens=False)}* ({as_of})")
    with speaking("en"):
        found = parts_of(answer)
    notes = next((part for part in found if part.of_the_work), None)
    parts += [block for part in found if part is not notes for block in _part(part)]
    if answer.state is not AnswerState.HEADLINE:
        if answer.sources:
            parts += [f"### {say('sources')}", "\n".join(_source(each) for each in answer.sources)]
        lines = [*(_point(line, 0) for line in (notes.lines if notes else ())), *_method(answer)]
        parts += [f"### {in_words(says('head_notes'))}", "\n".join(lines)] if lines else []
    parts.append(f"*{in_words(DISCLAIMER)}*")
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
    marks = [
        say("market_credibility", tier=source.tier),
        say("market_freshness", age=in_words(source.age_code) if source.age_code else source.age or in_words(NO_DATE)),
    ]
    marks += [say("press_release")] if source.press_release else []
    title = f" {markdown_text(source.title, opens=False)}" if source.title else ""
    note = f" {markdown_text(source.note, opens=False)}" if source.note else ""
    return f"- {markdown_text(source.publisher)}:{title} {_link(source.url)} ({', '.join(marks)}){note}"


def _method(answer: MarketAnswer) -> Iterator[str]:
    asked = [_engine(each) for each in answer.engines if each.state != "left_out"]
    if asked:
        yield f"- {say('market_asked', names=asked)}"
    if answer.noise.seen:
        yield from _noise(answer.noise)


def _noise(noise: NoiseCount) -> Iterator[str]:
    kinds = {"clickbait": noise.clickbait, "duplicates": noise.duplicates, "promotion": noise.promotional}
    names = [say(f"market_{kind}", number=number) for kind, number in kinds.items() if number]
    said = say(
        "market_noise" if names else "market_no_noise",
        number=noise.seen, best=noise.removed, share=noise.share, names=names,
    )  # fmt: skip
    yield f"- {said}"
    yield from (f"  - {markdown_text(each)}" for each in noise.examples)


def _engine(note: EngineNote) -> str:
    hits = say("market_leads", number=note.hits) if note.hits else say("market_nothing")
    return f"{markdown_text(note.title or note.engine, opens=False)} ({hits})"


def _link(url: str) -> str:
    """Return a web address as a link, any other as plain text."""
    if urlsplit(url).scheme not in ("http", "https") or any(char in url for char in ' <>"\\`\n\r\t'):
        return markdown_text(url, opens=False)
    return f"<{url}>"
