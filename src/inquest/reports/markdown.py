"""The report, and the market desk's answer, as Markdown that is readable as plain text; replays are compared in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from textwrap import indent
from urllib.parse import urlsplit

from inquest.desks.market.events import DISCLAIMER, says
from inquest.desks.market.summary import AnswerLine, AnswerSection, parts_of
from inquest.domain.languages import in_quotation_marks, speaking
from inquest.domain.market import AnswerState, EngineNote, MarketAnswer, MarketSource, NoiseCount
from inquest.domain.reasons import in_words
from inquest.reports import wording
from inquest.reports.parts import Block, Entry, Line, Part, Said, Table, markdown_text, shown
from inquest.reports.parts import markdown_text as _plain
from inquest.reports.sections import document, method, missing
from inquest.reports.view import ReportView
from inquest.reports.words import say
from inquest.sources.ranking import NO_DATE
from inquest.text.phrases import capitalised, day
from inquest.text.urls import is_web_url

_PARAGRAPH = ("standing", "prose")  # kinds of block whose lines form one paragraph


def markdown(view: ReportView) -> str:
    """Return the whole report."""
    if view.case.answer is not None:
        # The market answer contains its sources; only the places of its quotes and the method follow.
        shown = [
            market_markdown(view.case.answer).rstrip(),
            *(_part(view, part) for part in (missing(view), method(view))),
        ]
    else:
        parts = document(view)
        first = [_part(view, part) for part in parts if not part.annex]
        annexes = [_part(view, part) for part in parts if part.annex]
        shown = [_head(view), *first, "---", *annexes]
    return "\n\n".join(part for part in (*shown, _citations(view)) if part) + "\n"


def _head(view: ReportView) -> str:
    case = view.case
    blocks = [
        f"# {_plain(view.title)}",
        *(
            []
            if view.is_check
            else ["\n>\n".join(f"> {_plain(line)}" for line in case.brief.text.splitlines() if line.strip())]
        ),
    ]
    if banner := wording.banner(case):
        first, _, rest = banner.partition(". ")
        blocks.append(f"**{_plain(first)}.** {_plain(rest)}".rstrip())
    numbers = ", ".join(f"{number} {what}" for number, what in wording.figures(view))
    blocks.append(
        f"{capitalised(say('case'))} {case.id} · {day(case.created_at)} · {wording.kind_of(case)} · {numbers}"
    )
    return "\n\n".join([*blocks, *filter(None, (wording.as_of(case),))])


def _part(view: ReportView, part: Part) -> str:
    if part.empty or part.folded:
        return ""
    content = [*map(_plain, part.intro), *(_table(view, table) for table in part.tables)]
    content += [_block(view, block) for block in part.blocks]
    content += [_entry(view, entry) for entry in part.entries if entry.kind not in ("source", "copy")]
    listed = [_listed(view, entry) for entry in part.entries if entry.kind in ("source", "copy")]
    return "\n\n".join(filter(None, (f"## {part.heading}", *content, "\n".join(listed))))


def _entry(view: ReportView, entry: Entry) -> str:
    number = f"{_plain(entry.kicker.parts[0].text)}: " if entry.kicker.parts else ""
    rest = "".join(said.text for said in entry.kicker.parts[2:])
    standing = " ".join(_block(view, b) for b in entry.blocks if b.kind in _PARAGRAPH)
    first = next((b for b in entry.blocks if b.kind in _PARAGRAPH), None)
    blocks = [
        standing if b is first else _block(view, b) for b in entry.blocks if b is first or b.kind not in _PARAGRAPH
    ]
    heading = _inline(view, entry.heading)
    return "\n\n".join(filter(None, (f"### {number}{heading}" if heading else "", _plain(rest), *blocks)))


def _listed(view: ReportView, entry: Entry) -> str:
    """Return a source as a list item."""
    lines = [f"- {_inline(view, entry.heading)}"]
    lines += [f"  - {_inline(view, each)}" for block in entry.blocks if not block.folded for each in block.lines]
    return indent("\n".join(lines), "  " if entry.kind == "copy" else "")


def _block(view: ReportView, block: Block) -> str:
    if block.folded or not block.lines:
        return ""
    prose = block.kind in _PARAGRAPH
    words = (" " if prose else "\n").join(
        [_inline(view, each) for each in block.lines] if prose else _lines(view, block.lines)
    )
    return f"{_plain(block.heading)}:\n\n{words}" if block.heading else words


def _table(view: ReportView, table: Table) -> str:
    rows = ([_cell(view, cell) for cell in row] for row in table.rows)
    if not any(table.head):
        return "\n".join(_pair(view, *row) for row in table.rows)
    lines = [table.head, ["---"] * len(table.head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _pair(view: ReportView, name: Sequence[Line], said: Sequence[Line]) -> str:
    if len(said) > 2:
        return "\n".join((f"- {_inline(view, name[0])}:", *(f"  - {_inline(view, each)}" for each in said)))
    return f"- {_inline(view, name[0])}: {_cell(view, said)}"


def _cell(view: ReportView, lines: Sequence[Line]) -> str:
    words = [_inline(view, each) for each in lines]
    if any(each.rstrip("*").endswith((".", "”", "?")) for each in words[:-1]):
        return " ".join(words)
    return "; ".join(words)


def _lines(view: ReportView, lines: Iterable[Line], depth: int = 0) -> Iterable[str]:
    for each in lines:
        yield f"{'  ' * depth}- {_inline(view, each)}"
        yield from _lines(view, each.below, depth + 1)


def _inline(view: ReportView, each: Line) -> str:
    by = "".join(_said(view, said, opens=False) for said in each.by)
    words = "".join(_said(view, said, opens=not n) for n, said in enumerate(each.parts)).strip()
    return f"{words} — {by}" if by else words


def _said(view: ReportView, said: Said, *, opens: bool) -> str:
    words = _plain(said.text, opens=opens)
    if said.quoted:
        words = in_quotation_marks(words)
    if said.strong or said.tone or said.anchor:
        words = f"**{words}**"
    if said.url and said.url == said.text and _linkable(said.url):
        words = f"<{said.url}>"
    elif said.url and _linkable(said.url):
        words = f"[{words}](<{said.url}>)"
    elif said.url and not is_web_url(said.url) and wording.address(said.url) != said.text:
        words += f" ({_plain(wording.address(said.url))})"
    numbers = "".join(f"[{n}]" for n in view.refs(said.finding_ids))
    blanks = [" " if end != said.text else "" for end in (said.text.lstrip(), said.text.rstrip())]
    return (
        " "
        if not words and not numbers
        else f"{blanks[0]}{words}{' ' if words and numbers else ''}{numbers}{blanks[1]}"
    )


def _citations(view: ReportView) -> str:
    items = []
    for citation in view.case.citations:
        finding, source = view.cited(citation)
        place = f", {_plain(wording.place(finding))}" if finding.where else ""
        address = f"<{citation.url}>" if _linkable(citation.url) else _plain(wording.address(citation.url))
        by = _plain(", ".join((source.id, *wording.witness(source))))
        items.append(
            f"{citation.n}. {in_quotation_marks(_plain(citation.quote))} — {by}{place}. {address}\n"
            f"    `{finding.snapshot}` {say('from_to', start=finding.start, end=finding.end)}"
        )
    return f"## {say('citations')}\n\n" + "\n".join(items) if items else ""


def _linkable(url: str) -> bool:
    return is_web_url(url) and url == shown(url) and not any(char in url for char in "<>\\ \t\n`")


def market_markdown(answer: MarketAnswer) -> str:
    """Return the whole answer; for a headline, the parts available so far."""
    parts = [f"## {say('market_update', name=markdown_text(capitalised(answer.question.about)))}"]
    as_of = say("market_as_of", at=f"{answer.at:%Y-%m-%d %H:%M %Z}".rstrip())
    parts.append(f"*{markdown_text(answer.question.text, opens=False)}* ({as_of})")
    with speaking("en"):
        found = parts_of(answer)
    notes = next((part for part in found if part.of_the_work), None)
    parts += [block for part in found if part is not notes for block in _market_part(part)]
    if answer.state is not AnswerState.HEADLINE:
        if answer.sources:
            parts += [f"### {say('sources')}", "\n".join(_market_source(each) for each in answer.sources)]
        lines = [*(_point(line, 0) for line in (notes.lines if notes else ())), *_market_method(answer)]
        parts += [f"### {in_words(says('head_notes'))}", "\n".join(lines)] if lines else []
    parts.append(f"*{in_words(DISCLAIMER)}*")
    return "\n\n".join(part for part in parts if part) + "\n"


def _market_part(part: AnswerSection) -> Iterator[str]:
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


def _market_source(source: MarketSource) -> str:
    marks = [
        say("market_credibility", tier=source.tier),
        say("market_freshness", age=in_words(source.age_code) if source.age_code else source.age or in_words(NO_DATE)),
    ]
    marks += [say("press_release")] if source.press_release else []
    title = f" {markdown_text(source.title, opens=False)}" if source.title else ""
    note = f" {markdown_text(source.note, opens=False)}" if source.note else ""
    return f"- {markdown_text(source.publisher)}:{title} {_link(source.url)} ({', '.join(marks)}){note}"


def _market_method(answer: MarketAnswer) -> Iterator[str]:
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
