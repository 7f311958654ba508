"""The parts of the HTML report that only a check of claims has, and what it adds to a claim."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from inquest.reports import check_claim, check_parts
from inquest.reports.check_view import CheckView
from inquest.reports.html_parts import link, more, phrase, refs, section, table, to_claim
from inquest.reports.parts import Block, Line, Part, Said, Table
from inquest.reports.plain import one_line
from inquest.reports.view import ReportView, Verified

__all__ = ["block_html", "claim_after", "claim_before", "missing", "part_html"]

_AT_ONCE = 3
"""Lines under a detail of a check that are shown; more of them fold away."""


def claim_before(view: ReportView, checked: Verified) -> str:
    """The report's own words, above the verdict."""
    lines = check_claim.own_words(CheckView(view), checked.claim)
    return (
        f"<div class=own>{''.join(f'<p dir=auto>{_inline(view, each)}</p>' for each in lines)}</div>" if lines else ""
    )


def claim_after(view: ReportView, checked: Verified) -> str:
    """Checks, summaries, what would change the verdict and how it came about, below the two sides."""
    return "".join(block_html(view, block, 4) for block in check_claim.blocks(CheckView(view), checked))


def missing(view: ReportView) -> str:
    """What could not be asked or judged, beyond the outages."""
    return "".join(block_html(view, block, 3) for block in check_parts.missing(CheckView(view)))


def part_html(view: ReportView, part: Part) -> str:
    """A whole part; nothing where it is empty."""
    if part.empty:
        return ""
    intro = "".join(f"<p class=pointer>{phrase(words)}</p>" for words in part.intro)
    tables = "\n".join(_table(view, each) for each in part.tables)
    blocks = "".join(block_html(view, each, 3) for each in part.blocks)
    return section(part.name, part.heading, f"{intro}{tables}{blocks}")


def block_html(view: ReportView, block: Block, level: int) -> str:
    """A heading with its lines."""
    return f"<div class=block><h{level}>{escape(one_line(block.heading))}</h{level}>{_list(view, block.lines)}</div>"


def _table(view: ReportView, each: Table) -> str:
    if not any(each.head):
        rows = "".join(
            f"<div><dt>{_cell(view, name)}</dt><dd>{_cell(view, said)}</dd></div>" for name, said in each.rows
        )
        return f"<dl class={each.kind}>{rows}</dl>"
    return table(each.head, ([_cell(view, cell) for cell in row] for row in each.rows), f"check {each.kind}")


def _cell(view: ReportView, lines: Sequence[Line]) -> str:
    if len(lines) == 1:
        return _inline(view, lines[0])
    return "".join(f"<p dir=auto>{_inline(view, each)}</p>" for each in lines)


def _list(view: ReportView, lines: Sequence[Line], depth: int = 0) -> str:
    """Lines and those under them; long ones deep below a line fold away."""
    if not lines:
        return ""
    items = "".join(f"<li dir=auto>{_inline(view, each)}{_list(view, each.below, depth + 1)}</li>" for each in lines)
    whole = f"<ul>{items}</ul>"
    return more(f"{len(lines)} points", whole) if depth > 1 and len(lines) > _AT_ONCE else whole


def _inline(view: ReportView, each: Line) -> str:
    return "".join(_said(view, said) for said in each.parts)


def _said(view: ReportView, said: Said) -> str:
    if said.claim:
        words = to_claim(view, said.text)
    elif said.source:
        words = f'<a href="#{said.source}">{phrase(said.text)}</a>'
    elif said.url:
        words = link(said.url, said.text)
    else:
        words = phrase(said.text)
    if said.quoted:
        words = f"<q>{words}</q>"
    if said.tone:
        words = f'<span class="verdict {said.tone}">{words}</span>'
    if said.strong:
        words = f"<strong>{words}</strong>"
    before = " " if said.text[:1].isspace() else ""
    after = " " if said.text[1:] and said.text[-1].isspace() else ""
    return f"{before}{words if said.text.strip() else ''}{refs(view, said.finding_ids)}{after}"
