"""The report as one self-contained HTML file: no script, nothing loaded from anywhere, fit for print.

A citation number opens its quote in the context of the archived page, with source, date, tier and hash (the browser's
own popover); on paper the same entries stand in the list at the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from importlib.resources import files

from inquest.domain.report import Statement
from inquest.reports import check_parts, topic_parts, wording
from inquest.reports.check_view import CheckView
from inquest.reports.html_check import missing, part_html
from inquest.reports.html_evidence import by_verdict, evidence, tally, verdicts
from inquest.reports.html_parts import block, more, phrase, refs, section, table
from inquest.reports.html_sources import balance, citations, excluded, sources
from inquest.reports.plain import one_line
from inquest.reports.view import ReportView
from inquest.text.phrases import day

__all__ = ["html"]

_ISO = re.compile(r"(\d{4})(?:-\d{2}(?:-\d{2}(?:T[\d:]+Z)?)?)?")
AT_ONCE = 8
"""Sentences of one part of the summary that are shown before the rest folds away."""
LONG_BRIEF = 600
"""Characters of a brief that stand at the head; a longer one folds away behind its beginning."""


def html(view: ReportView) -> str:
    """The whole page."""
    style = files("inquest.reports").joinpath("report.css").read_text("utf-8")
    if view.is_check or view.case.investigation is not None:
        style += files("inquest.reports").joinpath("check.css").read_text("utf-8")
    found = _check(view) if view.is_check else _topic(view)
    parts = {
        "scope": found.pop("scope", ("", "")),
        "level": found.pop("level", ("", "")),
        "summary": ("Summary", _summary(view)),
        "verdicts": ("Verdicts", verdicts(view)),
        **found,
        "timeline": ("Timeline", _timeline(view)),
        "balance": ("Balance", balance(view)),
        "sources": ("Sources", sources(view)),
        "excluded": ("Not counted", excluded(view)),
        "missing": ("What is missing", _missing(view)),
        "method": ("Method", _method(view)),
        "citations": ("Citations", citations(view)),
    }
    there = {name: (title, content) for name, (title, content) in parts.items() if content}
    contents = "".join(f'<li><a href="#{name}">{title}</a></li>' for name, (title, _) in there.items())
    body = "\n".join(content for _, content in there.values())
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="color-scheme" content="light dark">\n<meta name="referrer" content="no-referrer">\n'
        f"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{escape(one_line(view.title))}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        f'<nav id="contents" aria-label="Contents"><ol>{contents}</ol></nav>\n<main id="top">\n{_head(view)}\n{body}\n'
        f"</main>\n</body>\n</html>\n"
    )


def _check(view: ReportView) -> dict[str, tuple[str, str]]:
    """The parts of a check of claims, by their anchors: what was checked first, then what follows the verdicts."""
    check = CheckView(view)
    before = {"scope": ("Scope", check_parts.scope), "risks": ("Greenwashing risk", check_parts.risks)}
    after = {
        "contradictions": ("Contradictions", check_parts.contradictions),
        "exchange": ("Requests", check_parts.exchange),
        "routing": ("Routing", check_parts.routing),
    }
    first, last = (
        {name: (title, part_html(view, make(check))) for name, (title, make) in parts.items()}
        for parts in (before, after)
    )
    return first | by_verdict(view) | last


def _topic(view: ReportView) -> dict[str, tuple[str, str]]:
    """The evidence, and of the investigation of a topic what stands before and after it."""
    first = {part.name: (part.heading, part_html(view, part)) for part in topic_parts.before(view)}
    last = {part.name: (part.heading, part_html(view, part)) for part in topic_parts.after(view)}
    return first | {"evidence": ("Evidence", evidence(view))} | last


def _head(view: ReportView) -> str:
    case = view.case
    banner = wording.banner(case)
    notice = ""
    if banner:
        what = ' <a href="#missing">What is missing</a>' if _missing(view) else ""
        notice = f"<p class=banner>{phrase(banner)}{what}</p>"
    as_of = wording.as_of(case)
    figures = "".join(f"<div><dt>{what}</dt><dd>{number}</dd></div>" for number, what in wording.figures(view))
    return (
        f"<header>\n<p class=kicker>Inquest · case {escape(case.id)} · {day(case.created_at)} · "
        f"{wording.kind_of(case)}</p>\n<h1 dir=auto>{phrase(view.title)}</h1>\n"
        f"{'' if view.is_check else _brief(case.brief.text)}\n"
        f"{notice}{f'<p class=as-of>{as_of}</p>' if as_of else ''}\n<dl class=figures>{figures}</dl>\n"
        f"{tally(view)}\n</header>"
    )


def _brief(text: str) -> str:
    if len(text) <= LONG_BRIEF:
        return f"<blockquote class=brief dir=auto>{block(text)}</blockquote>"
    beginning = one_line(text)[:LONG_BRIEF].rsplit(" ", 1)[0]
    whole = more("The whole brief", f"<blockquote class=brief dir=auto>{block(text)}</blockquote>")
    return f"<blockquote class=brief dir=auto>{escape(beginning)} …</blockquote>{whole}"


def _summary(view: ReportView) -> str:
    parts = []
    for part in view.summary.sections:
        first, rest = part.statements[:AT_ONCE], part.statements[AT_ONCE:]
        if len(rest) < 3:
            first, rest = part.statements, ()
        folded = more(f"{len(rest)} more", _statements(view, rest)) if rest else ""
        parts.append(f"<div><h3>{phrase(part.heading)}</h3>\n{_statements(view, first)}{folded}</div>")
    return section("summary", "Summary", "\n".join(parts))


def _statements(view: ReportView, statements: Iterable[Statement]) -> str:
    lines = "\n".join(f"<li dir=auto>{phrase(s.text)}{refs(view, s.finding_ids)}</li>" for s in statements)
    return f"<ul>\n{lines}\n</ul>"


def _timeline(view: ReportView) -> str:
    lines, year = [], ""
    for event in view.case.timeline:
        dated = _ISO.fullmatch(event.date)
        if dated and dated[1] != year:
            year = dated[1]
            lines.append(f"<li class=year>{year}</li>")
        conflict = f"<p class=conflict>{phrase(event.conflict)}</p>" if event.conflict else ""
        when = f' datetime="{event.date}"' if dated else ""
        lines.append(
            f"<li><time{when}>{phrase(wording.event_date(event))}</time><div dir=auto>{phrase(event.text)}"
            f"{refs(view, event.finding_ids)}{conflict}</div></li>"
        )
    return section("timeline", "Timeline", "<ol class=timeline>\n" + "\n".join(lines) + "\n</ol>" if lines else "")


def _missing(view: ReportView) -> str:
    case = view.case
    body = [tuple(phrase(words) for words in wording.outage_words(note)) for note in case.outages]
    found = table(("Could not be asked", "Why"), body, "missing") if body else ""
    departures = "".join(f"<li>{phrase(line)}</li>" for line in wording.departures(case))
    if departures:
        found += f"<h3>Departures from the approved plan</h3>\n<ul>{departures}</ul>"
    if view.is_check:
        found += missing(view)
    return section("missing", wording.MISSING, found)


def _method(view: ReportView) -> str:
    items = "".join(f"<dt>{name}</dt>{_lines(lines)}" for name, lines in check_parts.method(view))
    return section("method", "How this was done", f"<dl class=method>{items}</dl>" if items else "")


def _lines(lines: tuple[str, ...]) -> str:
    if len(lines) == 1:
        return f"<dd>{phrase(lines[0])}</dd>"
    return f"<dd><ul>{''.join(f'<li>{phrase(line)}</li>' for line in lines)}</ul></dd>"
