"""What the PDF of a check of claims has beside that of every report, as data for its template."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from inquest.reports import check_claim, check_parts, topic_parts
from inquest.reports.check_view import CheckView
from inquest.reports.parts import Block, Line, Part, Said
from inquest.reports.plain import isolated
from inquest.reports.view import ReportView, Verified
from inquest.text.urls import is_web_url

__all__ = ["NOTHING", "check_of", "claim_after", "claim_before"]

Words = Callable[[str], str]
"""How text is made fit for the page: on one line, and breakable."""
NOTHING: dict[str, Any] = {"scope": None, "risks": None, "groups": [], "after": [], "missing": []}
"""Of a case that is no check."""


def check_of(view: ReportView, words: Words) -> dict[str, Any]:
    """The parts that only a check has, or the investigation of a topic."""
    if not view.is_check:
        first = [part for each in topic_parts.before(view) if (part := _part(view, each, words))]
        last = [part for each in topic_parts.after(view) if (part := _part(view, each, words))]
        return NOTHING | {"scope": first[0] if first else None, "after": last}
    check = CheckView(view)
    after = (check_parts.contradictions(check), check_parts.exchange(check), check_parts.routing(check))
    return {
        "scope": _part(view, check_parts.scope(check), words),
        "risks": _part(view, check_parts.risks(check), words),
        "groups": [
            {
                "heading": check_parts.group_heading(verdict, len(claims)),
                "claims": [view.anchors[checked.claim.id] for checked in claims],
            }
            for verdict, claims in check.groups
        ],
        "after": [part for each in after if (part := _part(view, each, words))],
        "missing": [_block(view, block, words) for block in check_parts.missing(check)],
    }


def claim_before(view: ReportView, checked: Verified, words: Words) -> list[dict[str, Any]]:
    """The report's own words."""
    if not view.is_check:
        return []
    return _lines(view, check_claim.own_words(CheckView(view), checked.claim), words)


def claim_after(view: ReportView, checked: Verified, words: Words) -> list[dict[str, Any]]:
    """Checks, summaries, what would change the verdict, and how it came about."""
    if not view.is_check:
        return []
    return [_block(view, block, words) for block in check_claim.blocks(CheckView(view), checked)]


def _part(view: ReportView, part: Part, words: Words) -> dict[str, Any] | None:
    if part.empty:
        return None
    return {
        "heading": part.heading,
        "intro": list(part.intro),
        "tables": [
            {
                "kind": table.kind,
                "head": list(table.head),
                "rows": [[_lines(view, cell, words) for cell in row] for row in table.rows],
            }
            for table in part.tables
        ],
        "blocks": [_block(view, block, words) for block in part.blocks],
    }


def _block(view: ReportView, block: Block, words: Words) -> dict[str, Any]:
    return {"heading": words(block.heading), "lines": _lines(view, block.lines, words)}


def _lines(view: ReportView, lines: Iterable[Line], words: Words) -> list[dict[str, Any]]:
    return [
        {
            "parts": [_said(view, said, words) for said in each.parts],
            "below": _lines(view, each.below, words),
        }
        for each in lines
    ]


def _said(view: ReportView, said: Said, words: Words) -> dict[str, Any]:
    blanks = [" " if end != said.text else "" for end in (said.text.lstrip(), said.text.rstrip())]
    text = isolated(words(said.text))
    return {
        "text": f"{blanks[0]}{text}{blanks[1]}" if text else blanks[0],
        "refs": view.refs(said.finding_ids),
        "claim": view.anchors[said.claim] if said.claim in view.shown_claims else "",
        "url": said.url if is_web_url(said.url) else "",
        "tone": said.tone,
        "quoted": said.quoted,
        "strong": said.strong,
    }
