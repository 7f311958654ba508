"""The report as one self-contained, printable HTML file without scripts or external resources.

A citation number opens its quote in context, with source, date, tier and hash, in a native popover; on paper the same
entries form the list at the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from itertools import groupby

from inquest.domain.finding import Verdict
from inquest.domain.languages import language
from inquest.domain.report import Citation
from inquest.reports import wording
from inquest.reports.claim_entries import witness
from inquest.reports.parts import Block, Cell, Entry, Line, Part, Said, Table, one_line, paragraphs, shown
from inquest.reports.sections import citation_line, document
from inquest.reports.view import VERDICT_WORDS, ReportView
from inquest.reports.words import say
from inquest.text.phrases import day
from inquest.text.regex import regex
from inquest.text.urls import is_web_url

LONG_BRIEF = 600  # characters of a brief shown at the head; a longer one is folded
_DEEP = 3  # lines shown below a detail before the rest is folded
_LANGUAGE = regex(r"[a-z]{2,3}")
_SIGNS = {
    Verdict.VERIFIED.value: "✓",
    Verdict.PARTIALLY_TRUE.value: "◐",
    Verdict.CONTRADICTED.value: "✕",
    Verdict.DISPUTED.value: "⇄",
    Verdict.UNVERIFIED.value: "?",
}
"""A sign beside each verdict, so that colour is not the only cue."""
_MISSING = "missing-top"


def html(view: ReportView) -> str:
    """Return the whole page."""
    style = "".join(files("inquest.reports").joinpath(name).read_text("utf-8") for name in ("report.css", "check.css"))
    parts = [
        (f"{part.name}-top" if part.annex or part.folded else part.name, part.title or part.heading, _part(view, part))
        for part in document(view)
    ]
    if view.case.citations:
        parts.append(("citations", say("citations"), _citations(view)))
    contents = "".join(f'<li><a href="#{place}">{escape(title)}</a></li>' for place, title, _ in parts)
    body = "\n".join(content for _, _, content in parts)
    return (
        f'<!doctype html>\n<html lang="{language()}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="color-scheme" content="light dark">\n<meta name="referrer" content="no-referrer">\n'
        f"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{escape(one_line(view.title))}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        f'<nav id="contents" aria-label="{say("contents")}"><ol>{contents}</ol></nav>\n<main id="top">\n'
        f"{_head(view, missing=any(place == _MISSING for place, _, _ in parts))}\n{body}\n</main>\n</body>\n</html>\n"
    )


def _head(view: ReportView, *, missing: bool) -> str:
    case = view.case
    notice = ""
    if banner := wording.banner(case):
        what = f' <a href="#{_MISSING}">{say("what_is_missing")}</a>' if missing else ""
        notice = f"<p class=banner>{_phrase(banner)}{what}</p>"
    as_of = wording.as_of(case)
    figures = "".join(f"<div><dt>{what}</dt><dd>{number}</dd></div>" for number, what in wording.figures(view))
    tally = "".join(
        f'<li class="{verdict.value}"><a href="#verdicts">{_sign(verdict.value)} {number} {word.lower()}</a></li>'
        for verdict, word, number in view.verdict_counts
    )
    return (
        f"<header>\n<p class=kicker>Inquest · {say('case')} {escape(case.id)} · {day(case.created_at)} · "
        f"{wording.kind_of(case)}</p>\n<h1 dir=auto>{_phrase(view.title)}</h1>\n"
        f"{'' if view.is_check else _brief(case.brief.text)}\n"
        f"{notice}{f'<p class=as-of>{as_of}</p>' if as_of else ''}\n<dl class=figures>{figures}</dl>\n"
        f"{f'<ul class=tally>{tally}</ul>' if tally else ''}\n</header>"
    )


def _brief(text: str) -> str:
    if len(text) <= LONG_BRIEF:
        return f"<blockquote class=brief dir=auto>{_text(text)}</blockquote>"
    beginning = one_line(text)[:LONG_BRIEF].rsplit(" ", 1)[0]
    whole = _more(say("whole_brief"), f"<blockquote class=brief dir=auto>{_text(text)}</blockquote>")
    return f"<blockquote class=brief dir=auto>{escape(beginning)} …</blockquote>{whole}"


def _part(view: ReportView, part: Part) -> str:
    intro = "".join(f"<p class=pointer>{_phrase(words)}</p>" for words in part.intro)
    tables = "\n".join(_table(view, each) for each in part.tables)
    content = f"{intro}{tables}{_blocks(view, part.blocks, 3)}{_entries(view, part.entries)}"
    return _section(part.name, part.heading, content, folded=part.annex or part.folded)


def _section(name: str, heading: str, content: str, *, folded: bool = False) -> str:
    back = f'<a class=up href="#top" aria-label="{say("back_to_contents")}">↑</a>'
    head = f'<h2 id="{name}-h">{escape(heading)}{"" if folded else back}</h2>'
    top = f'<p id="{name}-top" class=kicker>{back}</p>'
    inner = (
        f"<details class=annex><summary>{head}</summary>\n{top}{content}\n</details>"
        if folded
        else f"{head}\n{content}"
    )
    return f'<section id="{name}" aria-labelledby="{name}-h">\n{inner}\n</section>'


def _entries(view: ReportView, entries: Sequence[Entry]) -> str:
    found = []
    for kind, group in groupby(entries, lambda each: each.kind in ("source", "copy")):
        items = "\n".join(_entry(view, each) for each in group)
        found.append(f"<ol class=sources>\n{items}\n</ol>" if kind else items)
    return "\n".join(found)


def _entry(view: ReportView, entry: Entry) -> str:
    blocks = _blocks(view, entry.blocks, 4)
    heading = _inline(view, entry.heading)
    if entry.kind in ("source", "copy"):
        return f'<li id="{entry.anchor}" class={entry.kind}><p class=title>{heading}</p>{blocks}</li>'
    if not entry.anchor:
        return f"<div>{f'<h3>{heading}</h3>' if heading else ''}\n{blocks}</div>"
    up = f'<a class=up href="#verdicts" aria-label="{say("back_to_verdicts")}">↑</a>'
    return (
        f'<article id="{entry.anchor}">\n<p class=kicker>{_inline(view, entry.kicker)} {up}</p>\n'
        f"<h3 dir=auto>{heading}</h3>\n{blocks}</article>"
    )


def _blocks(view: ReportView, blocks: Iterable[Block], level: int) -> str:
    """Render blocks in order, with the two sides of a claim side by side."""
    found = []
    for sides, group in groupby(blocks, lambda each: each.kind in ("for", "against")):
        shown = [_block(view, each, level) for each in group]
        found.append(
            f'<div class="sides{" alone" if len(shown) < 2 else ""}">{"".join(shown)}</div>'
            if sides
            else "".join(shown)
        )
    return "".join(found)


def _block(view: ReportView, block: Block, level: int) -> str:
    words = one_line(block.heading)
    if block.kind in ("own", "standing"):
        lines = "".join(f"<p dir=auto>{_inline(view, each)}</p>" for each in block.lines)
        return f"<div class={block.kind}>{lines}</div>"
    first, rest = block.lines, block.lines[block.at_once :] if block.at_once else ()
    if len(rest) > 1:
        first = block.lines[: block.at_once]
    folded = _more(say("n_more", number=len(rest)), _list(view, rest)) if len(rest) > 1 else ""
    content = f"{_list(view, first)}{folded}"
    if block.folded:
        return f"<div class={block.kind}>{_more(words, content)}</div>"
    heading = f"<h{level}>{escape(words)}</h{level}>" if words else ""
    return f'<div class="block {block.kind}">{heading}{content}</div>'


def _list(view: ReportView, lines: Sequence[Line], depth: int = 0) -> str:
    """Render nested lines; many lines at a deep level are folded."""
    if not lines:
        return ""
    items = "".join(f"<li dir=auto>{_inline(view, each)}{_list(view, each.below, depth + 1)}</li>" for each in lines)
    whole = f"<ul>{items}</ul>"
    return _more(say("n_points", number=len(lines)), whole) if depth > 1 and len(lines) > _DEEP else whole


def _table(view: ReportView, each: Table) -> str:
    rows = [[_cell(view, cell) for cell in row] for row in each.rows]
    if not any(each.head):
        return (
            f"<dl class={each.kind}>{''.join(f'<div><dt>{name}</dt><dd>{said}</dd></div>' for name, said in rows)}</dl>"
        )
    cells = "".join(f"<th scope=col>{escape(name)}</th>" for name in each.head)
    lines = "\n".join(
        "<tr>" + "".join(f'<td data-name="{escape(n)}">{c}</td>' for n, c in zip(each.head, row, strict=True)) + "</tr>"
        for row in rows
    )
    return f'<table class="{each.kind}">\n<thead><tr>{cells}</tr></thead>\n<tbody>\n{lines}\n</tbody>\n</table>'


def _cell(view: ReportView, lines: Cell) -> str:
    if len(lines) == 1:
        return _inline(view, lines[0])
    return "".join(f"<p dir=auto>{_inline(view, each)}</p>" for each in lines)


def _inline(view: ReportView, each: Line) -> str:
    by = f"<p class=by>{''.join(_said(view, said) for said in each.by)}</p>" if each.by else ""
    return "".join(_said(view, said) for said in each.parts) + by


def _said(view: ReportView, said: Said) -> str:
    words = _phrase(said.text)
    if said.claim:
        anchor = view.anchors.get(said.claim, "") if said.claim in view.shown_claims else ""
        words = f'<a href="#{anchor}">{words}</a>' if anchor else words
    elif said.source:
        words = f'<a href="#{said.source}">{words}</a>'
    elif said.url:
        words = _link(said.url, said.text)
    if said.quoted:
        language = f' lang="{said.language}"' if _LANGUAGE.fullmatch(said.language) else ""
        words = f"<q{language}>{words}</q>"
    if said.tone:
        sign = _sign(said.tone) if said.text in (*VERDICT_WORDS.values(), say("could_not_check")) else ""
        words = f'<span class="verdict {said.tone}">{sign}{words}</span>'
    if said.anchor:
        words = f'<b id="{escape(said.anchor)}">{words}</b>'
    if said.strong:
        words = f"<strong>{words}</strong>"
    before = " " if said.text[:1].isspace() else ""
    after = " " if said.text[1:] and said.text[-1].isspace() else ""
    return f"{before}{words if said.text.strip() else ''}{_refs(view, said.finding_ids)}{after}"


def _sign(tone: str) -> str:
    return f"<span aria-hidden=true>{_SIGNS[tone]} </span>" if tone in _SIGNS else ""


def _phrase(text: str) -> str:
    """Escape foreign text within a line and isolate its direction."""
    return f"<bdi>{escape(one_line(text))}</bdi>"


def _text(text: str) -> str:
    """Escape foreign text and keep its lines; the enclosing element has dir=auto."""
    return "<br>".join(escape(line) for line in paragraphs(text).split("\n"))


def _link(url: str, text: str) -> str:
    """Link web addresses only; show anything else (a file, a script) as text."""
    if not is_web_url(url):
        address = wording.address(url)
        return _phrase(text) if text == address else f"{_phrase(text)} <span class=address>{_phrase(address)}</span>"
    return f'<a href="{escape(shown(url), quote=True)}" rel="noopener noreferrer nofollow">{_phrase(text)}</a>'


def _refs(view: ReportView, finding_ids: Iterable[str]) -> str:
    """Render the citation numbers of these findings as buttons that open their quotes."""
    return "".join(
        f'<button class=ref type=button popovertarget="cite-{number}" '
        f'aria-label="{say("citation", number=number)}">{number}</button>'
        for number in view.refs(finding_ids)
    )


def _more(summary: str, content: str) -> str:
    """Render a section that opens on demand; on paper it is open."""
    return f"<details><summary>{escape(summary)}</summary>\n{content}\n</details>"


def _citations(view: ReportView) -> str:
    """Render every quote once, as a list entry that also serves as the popover of its number."""
    items = "\n".join(_citation(view, citation) for citation in view.case.citations)
    hint = f"<p class=hint>{say('citation_hint')}</p>"
    return _section("citations", say("citations"), f"{hint}\n<div class=citations>\n{items}\n</div>")


def _citation(view: ReportView, citation: Citation) -> str:
    finding, source = view.cited(citation)
    context, target = view.context(finding), f"cite-{citation.n}"
    place = f" · {_text(wording.place(finding))}" if finding.where else ""
    language = f' lang="{source.language}"' if _LANGUAGE.fullmatch(source.language or "") else ""
    by = "".join(_said(view, said) for said in witness(source))
    used = _inline(view, citation_line(view, finding.id))
    return (
        f'<div popover class=cite id="{target}" role=group aria-label="{say("citation", number=citation.n)}">'
        f"<p class=kicker><b>{say('citation', number=citation.n)}</b><span class=used> · {used}</span>"
        f'<button class=close type=button popovertarget="{target}" popovertargetaction=hide '
        f'aria-label="{say("close")}">✕</button></p>'
        f"<blockquote dir=auto{language}><span class=around>{_text(context.before)}</span>"
        f"<mark>{_text(context.quote)}</mark><span class=around>{_text(context.after)}</span></blockquote>"
        f"<p class=at>{_link(source.url, say('open_page'))}</p>"
        f"<p class=meta>{by}{place} · {say('archived_at', at=wording.moment(source.retrieved_at))}</p>"
        f"<p class=hash>{finding.snapshot} "
        f"<span>{say('characters', span=f'{finding.start}–{finding.end}')}</span></p></div>"
    )
