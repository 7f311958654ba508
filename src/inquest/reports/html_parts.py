"""The small pieces of the HTML report: foreign text made harmless, links, citation numbers, sections."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

from inquest.domain.assessment import Verdict
from inquest.domain.finding import Finding
from inquest.domain.source import Source
from inquest.reports import wording
from inquest.reports.plain import one_line, paragraphs, shown
from inquest.reports.view import ReportView
from inquest.text.urls import is_web_url

__all__ = [
    "SIGNS",
    "block",
    "cite_id",
    "lang",
    "link",
    "more",
    "phrase",
    "place",
    "refs",
    "section",
    "table",
    "to_claim",
    "witness",
]

_LANGUAGE = re.compile(r"[a-z]{2,3}")

SIGNS = {
    Verdict.VERIFIED: "✓",
    Verdict.PARTIALLY_TRUE: "◐",
    Verdict.CONTRADICTED: "✕",
    Verdict.DISPUTED: "⇄",
    Verdict.UNVERIFIED: "?",
}
"""A sign beside each verdict's word, so that nothing is said by colour alone."""


def phrase(text: str) -> str:
    """Foreign text within a line: escaped, and isolated so that its direction moves nothing around it."""
    return f"<bdi>{escape(one_line(text))}</bdi>"


def block(text: str) -> str:
    """Foreign text that keeps its lines; what it stands in has dir=auto."""
    return "<br>".join(escape(line) for line in paragraphs(text).split("\n"))


def lang(source: Source) -> str:
    """The attribute that names the language of a source's words, with a leading blank; '' where it is not known."""
    language = source.language or ""
    return f' lang="{language}"' if _LANGUAGE.fullmatch(language) else ""


def link(url: str, text: str) -> str:
    """A link for web addresses only; anything else (a file, a trick) is shown as text."""
    if not is_web_url(url):
        shown_as = wording.address(url)
        return phrase(text) if text == shown_as else f"{phrase(text)} <span class=address>{phrase(shown_as)}</span>"
    return f'<a href="{escape(shown(url), quote=True)}" rel="noopener noreferrer nofollow">{phrase(text)}</a>'


def witness(source: Source) -> str:
    """Who, when, tier, and the way to the source's entry."""
    return f'<a href="#{source.id}">{source.id}</a> · ' + " · ".join(phrase(part) for part in wording.witness(source))


def cite_id(number: int) -> str:
    return f"cite-{number}"


def refs(view: ReportView, finding_ids: Iterable[str]) -> str:
    """The citation numbers of these findings; each opens its quote in context."""
    return "".join(
        f'<button class=ref type=button popovertarget="{cite_id(number)}" aria-label="Citation {number}">'
        f"{number}</button>"
        for number in view.refs(finding_ids)
    )


def to_claim(view: ReportView, claim_id: str) -> str:
    """The id of a claim, and the way to it where it stands in the report."""
    anchor = view.anchors.get(claim_id, "") if claim_id in view.shown_claims else ""
    words = claim_id if claim_id == anchor else phrase(claim_id)
    return f'<a href="#{anchor}">{words}</a>' if anchor else words


def section(name: str, heading: str, content: str) -> str:
    """A headed part with a way back to the top; nothing where it has no content."""
    if not content:
        return ""
    back = '<a class=up href="#top" aria-label="Back to the contents">↑</a>'
    return (
        f'<section id="{name}" aria-labelledby="{name}-h">\n<h2 id="{name}-h">{escape(heading)}{back}</h2>\n'
        f"{content}\n</section>"
    )


def more(summary: str, content: str) -> str:
    """A part that opens on demand; on paper it is open."""
    return f"<details><summary>{escape(summary)}</summary>\n{content}\n</details>"


def table(head: Iterable[str], body: Iterable[Iterable[str]], kind: str) -> str:
    """A table; on a narrow screen each row becomes a card whose cells are named by `head`."""
    names = tuple(head)
    cells = "".join(f"<th scope=col>{escape(name)}</th>" for name in names)
    lines = "\n".join(
        "<tr>"
        + "".join(f'<td data-name="{escape(n)}">{cell}</td>' for n, cell in zip(names, row, strict=True))
        + "</tr>"
        for row in body
    )
    return f'<table class="{kind}">\n<thead><tr>{cells}</tr></thead>\n<tbody>\n{lines}\n</tbody>\n</table>'


def place(finding: Finding) -> str:
    """Hash and span: where in the archive the quote stands."""
    return f"<p class=hash>{finding.snapshot} <span>characters {finding.start}–{finding.end}</span></p>"
