"""The report as one self-contained HTML file: no script, nothing loaded from anywhere, fit for print.

A citation number opens its quote in the context of the archived page, with source, date, tier and hash (the browser's
own popover); on paper the same stands in the list at the end.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from importlib.resources import files

from inquest.domain.finding import Finding
from inquest.domain.report import Citation
from inquest.domain.source import Source
from inquest.logic.urls import is_web_url
from inquest.reports.view import Context, ReportView, Verified

__all__ = ["html"]


def html(view: ReportView) -> str:
    """The whole page."""
    case = view.case
    assert case.summary is not None
    style = files("inquest.reports").joinpath("report.css").read_text("utf-8")
    body = "\n".join(
        part
        for part in (
            _head(view),
            _summary(view),
            _verdicts(view),
            _claims(view),
            _timeline(view),
            _balance(view),
            _sources(view),
            _later(view),
            _missing(view),
            _method(view),
            _citations(view),
        )
        if part
    )
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{escape(case.summary.title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n{body}\n"
        f"</main>\n{_popovers(view)}\n</body>\n</html>\n"
    )


def _section(heading: str, content: str, name: str) -> str:
    return f'<section id="{name}">\n<h2>{escape(heading)}</h2>\n{content}\n</section>'


def _head(view: ReportView) -> str:
    case = view.case
    assert case.summary is not None
    banner = ""
    if case.status.value != "completed":
        banner = f'<p class="banner"><strong>This report is {case.status.value}.</strong> {escape(case.why)}</p>'
    as_of = ""
    if case.brief.as_of:
        as_of = f"<p>As of {case.brief.as_of:%d %B %Y}: nothing published later counts as evidence.</p>"
    facts = (
        (f"{len(view.counted_sources)}", "sources read"),
        (f"{view.independent_sources}", "independent of one another"),
        (f"{len(case.claims)}", "claims checked"),
        (f"{len(case.citations)}", "quotes from archived pages"),
    )
    figures = "".join(f"<div><dt>{escape(what)}</dt><dd>{number}</dd></div>" for number, what in facts)
    return (
        f'<header>\n<p class="kicker">Inquest · case {escape(case.id)} · {case.created_at:%d %B %Y} · '
        f"{case.brief.mode.value} mode</p>\n<h1>{escape(case.summary.title)}</h1>\n"
        f'<blockquote class="brief">{escape(case.brief.text)}</blockquote>\n{banner}{as_of}'
        f'<dl class="figures">{figures}</dl>\n</header>'
    )


def _summary(view: ReportView) -> str:
    assert view.case.summary is not None
    parts = []
    for section in view.case.summary.sections:
        rows = "\n".join(
            f"<li{' class=work' if s.about_the_work else ''}>{escape(s.text)}{_refs(view, s.finding_ids)}</li>"
            for s in section.statements
        )
        parts.append(f"<h3>{escape(section.heading)}</h3>\n<ul>\n{rows}\n</ul>")
    return _section("Summary", "\n".join(parts), "summary")


def _verdicts(view: ReportView) -> str:
    if not view.claims:
        return ""
    rows = "\n".join(
        f'<tr><td><a href="#{c.claim.id}">{c.claim.id}</a></td><td>{escape(c.claim.text)}</td>'
        f"<td>{_badge(c)}</td><td class=n>{c.assessment.confidence:.0%}</td>"
        f"<td class=n>{c.assessment.independent_sources}</td>"
        f"<td class=n>{len(c.supporting)}</td><td class=n>{len(c.contradicting)}</td></tr>"
        for c in view.claims
    )
    head = "".join(
        f"<th>{name}</th>" for name in ("", "Claim", "Verdict", "Confidence", "Independent", "For", "Against")
    )
    return _section(
        "Verdicts", f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>", "verdicts"
    )


def _badge(checked: Verified) -> str:
    single = ' <span class="single">single source</span>' if checked.assessment.single_source else ""
    return f'<span class="verdict {checked.assessment.verdict.value}">{checked.word}</span>{single}'


def _claims(view: ReportView) -> str:
    if not view.claims:
        return ""
    return _section("Evidence", "\n".join(_claim(view, checked) for checked in view.claims), "evidence")


def _claim(view: ReportView, checked: Verified) -> str:
    reasons = " ".join(escape(reason) for reason in checked.assessment.reasons)
    sides = "".join(
        f"<div class={side}><h4>{heading}</h4>{_quotes(view, findings)}</div>"
        for side, heading, findings in (
            ("for", "For", checked.supporting),
            ("against", "Against", checked.contradicting),
        )
    )
    return (
        f'<article id="{checked.claim.id}">\n<h3>{checked.claim.id} {escape(checked.claim.text)}</h3>\n'
        f'<p>{_badge(checked)} {reasons}</p>\n<div class="sides">{sides}</div>\n</article>'
    )


def _quotes(view: ReportView, findings: Iterable[Finding]) -> str:
    items = "".join(
        f"<li><q>{escape(finding.quote)}</q>{_refs(view, (finding.id,))}"
        f"<small>{_witness(view.sources[finding.source_id])}{_kind(finding)}</small></li>"
        for finding in findings
    )
    return f"<ul class=quotes>{items}</ul>" if items else '<p class="none">Nothing found.</p>'


def _kind(finding: Finding) -> str:
    return f" · {finding.contradiction_type.value} contradiction" if finding.contradiction_type else ""


def _witness(source: Source) -> str:
    date = source.published.iso if source.published else "undated"
    return f"{escape(source.domain)} · {date} · tier {source.rating.tier}"


def _timeline(view: ReportView) -> str:
    rows = []
    for event in view.case.timeline:
        conflict = f'<p class="conflict">{escape(event.conflict)}</p>' if event.conflict else ""
        rows.append(
            f"<li><time>{escape(event.date)}</time><div>{escape(event.text)}{_refs(view, event.finding_ids)}"
            f"{conflict}</div></li>"
        )
    return _section("Timeline", "<ol class=timeline>\n" + "\n".join(rows) + "\n</ol>", "timeline") if rows else ""


def _balance(view: ReportView) -> str:
    bias = view.case.bias
    if bias is None:
        return ""
    counts = (
        ("favourable", bias.balance.favourable),
        ("neutral", bias.balance.neutral),
        ("critical", bias.balance.critical),
    )
    bar = "".join(f'<span class="{name}" style="flex:{count}">{count} {name}</span>' for name, count in counts if count)
    words = "".join(f"<p>{escape(reason)}</p>" for reason in (*bias.reasons, bias.recommendation) if reason)
    rows = "".join(
        f"<tr><td>{row.source_id}</td><td>{escape(view.sources[row.source_id].domain)}</td><td>{row.leaning.value}</td>"
        f"<td class=n>{row.bias:.1f}</td><td>{escape('; '.join(row.reasons))}</td></tr>"
        for row in bias.per_source
    )
    head = "<thead><tr><th></th><th>Source</th><th>Leaning</th><th>Bias</th><th>Why</th></tr></thead>"
    table = f"<table>{head}<tbody>{rows}</tbody></table>" if rows else ""
    overall = f"<p>Overall bias <strong>{bias.overall:.1f}</strong> of 10: {escape(bias.label)}.</p>"
    return _section("Balance of the sources", f"{overall}<div class=balance>{bar}</div>{words}{table}", "balance")


def _sources(view: ReportView) -> str:
    items = "\n".join(f'<li id="{source.id}">{_source(view, source)}</li>' for source in view.counted_sources)
    return _section("Sources", f"<ol class=sources>\n{items}\n</ol>", "sources")


def _source(view: ReportView, source: Source) -> str:
    rating = source.rating
    shown = "★" * rating.stars + "☆" * (5 - rating.stars)
    stars = f'<span class="stars" title="{escape("; ".join(rating.reasons))}">{shown}</span>'
    date = source.published.iso if source.published else "undated"
    release = " · press release" if rating.press_release else ""
    notes = "".join(f"<p class=note>{escape(note)}</p>" for note in source.notes)
    return (
        f"<p><b>{source.id}</b> {_link(source.url, source.title)}</p>"
        f"<p class=meta>{stars} tier {rating.tier}, {rating.score}/100{release} · {escape(source.domain)} · {date}"
        f"{' · ' + escape(source.author) if source.author else ''}{_story(view, source)}</p>"
        f"<p>{escape(source.summary)}</p>{notes}<p class=hash>{source.snapshot}</p>"
    )


def _story(view: ReportView, source: Source) -> str:
    copies = view.copies(source)
    if not copies:
        return ""
    if source.origin_of_story == source.id:
        return f" · origin of a story told again by {', '.join(copy.id for copy in copies)}"
    origin = source.origin_of_story or "a source that cannot be told"
    return f" · same story as {', '.join(copy.id for copy in copies)}, going back to {origin}"


def _later(view: ReportView) -> str:
    items = "".join(
        f"<li>{source.id} {_link(source.url, source.title)}: {escape(source.excluded or '')}</li>"
        for source in view.later_sources
    )
    return _section("Published after the as-of date, not counted", f"<ul>{items}</ul>", "later") if items else ""


def _missing(view: ReportView) -> str:
    case = view.case
    lines = [f"{note.what} {note.where}: {note.why}" for note in case.outages] + list(case.departures)
    if case.cut:
        lines.append(f"{len(case.cut)} pieces of work were not done before the case was ended.")
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return (
        _section("What could not be asked, and departures from the plan", f"<ul>{items}</ul>", "missing")
        if items
        else ""
    )


def _method(view: ReportView) -> str:
    case, plan = view.case, view.case.plan
    if plan is None:
        return ""
    approved = next((a for a in reversed(case.approvals) if a.decision.value == "approve"), None)
    rows = [
        ("Questions", "; ".join(plan.questions)),
        ("Queries", "; ".join(query.text for query in plan.queries)),
        ("Engines", ", ".join(plan.engines) or "none"),
        ("Not asked", "; ".join(plan.left_out)),
        (
            "Read and judged by",
            "the local analyst (rules, no model service)" if plan.analyst == "local" else plan.analyst,
        ),
        (
            "Approved",
            f"plan {approved.revision} by {approved.by} ({approved.how}), {approved.at:%d %B %Y %H:%M} UTC"
            if approved
            else "",
        ),
        (
            "Sentences left out",
            f"{case.summary.dropped} without a citation" if case.summary and case.summary.dropped else "",
        ),
    ]
    items = "".join(f"<dt>{name}</dt><dd>{escape(text)}</dd>" for name, text in rows if text)
    return _section("How this was done", f"<dl class=method>{items}</dl>", "method")


def _citations(view: ReportView) -> str:
    items = "\n".join(f"<li>{_cited(view, citation)}</li>" for citation in view.case.citations)
    return _section("Citations", f"<ol class=citations>\n{items}\n</ol>", "citations") if items else ""


def _popovers(view: ReportView) -> str:
    return "\n".join(
        f'<div popover id="c{citation.n}" class="context"><p class="kicker">Citation {citation.n}</p>'
        f"{_cited(view, citation)}</div>"
        for citation in view.case.citations
    )


def _cited(view: ReportView, citation: Citation) -> str:
    finding, source = view.cited(citation)
    context = view.contexts.get(finding.id, Context("", finding.quote, ""))
    page = f" · page {finding.page}" if finding.page else ""
    return (
        f"<blockquote>{_lines(context.before)}<mark>{_lines(context.quote)}</mark>{_lines(context.after)}</blockquote>"
        f"<p>{_link(source.url, source.title)}</p><p class=meta>{_witness(source)}{page} · retrieved "
        f"{source.retrieved_at:%Y-%m-%d %H:%M} UTC</p>"
        f"<p class=hash>{finding.snapshot} [{finding.start}:{finding.end}]</p>"
    )


def _lines(text: str) -> str:
    return "<br>".join(escape(line) for line in text.split("\n") if line.strip()) + (
        " " if text.endswith((" ", "\n")) else ""
    )


def _refs(view: ReportView, finding_ids: Iterable[str]) -> str:
    return "".join(
        f' <button class="ref" popovertarget="c{view.numbers[f]}">{view.numbers[f]}</button>'
        for f in finding_ids
        if f in view.numbers
    )


def _link(url: str, text: str) -> str:
    """A link for web addresses only; anything else (a file, a trick) is shown as text."""
    shown = escape(text or url)
    if not is_web_url(url):
        return f"{shown} <small>{escape(url)}</small>"
    return f'<a href="{escape(url, quote=True)}" rel="noopener noreferrer nofollow">{shown}</a>'
