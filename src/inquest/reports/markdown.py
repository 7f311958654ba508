"""The report as Markdown: readable as it is, and the form that replays are compared by."""

from __future__ import annotations

import re

from inquest.domain.finding import Finding
from inquest.domain.source import Source
from inquest.reports.view import ReportView, Verified

__all__ = ["markdown"]


def markdown(view: ReportView) -> str:
    """The whole report."""
    parts = [_head(view), _summary(view), _verdicts(view), _timeline(view), _bias(view), _sources(view)]
    parts += [_later(view), _missing(view), _method(view), _citations(view)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _head(view: ReportView) -> str:
    case = view.case
    assert case.summary is not None
    lines = [f"# {_plain(case.summary.title)}", "", f"> {_plain(case.brief.text)}", ""]
    if case.status.value != "completed":
        lines += [f"**This report is {case.status.value}.** {_plain(case.why)}", ""]
    counted, independent = len(view.counted_sources), view.independent_sources
    lines.append(
        f"Case {case.id} · {case.created_at:%d %B %Y} · {case.brief.mode.value} mode · "
        f"{_count(counted, 'source')}, {independent} of them independent · {_count(len(case.claims), 'claim')} checked"
    )
    if case.brief.as_of:
        lines.append(f"\nAs of {case.brief.as_of:%d %B %Y}: nothing published later counts as evidence.")
    return "\n".join(lines)


def _summary(view: ReportView) -> str:
    assert view.case.summary is not None
    parts = []
    for section in view.case.summary.sections:
        lines = [f"## {section.heading}", ""]
        lines += [f"- {_plain(s.text)} {_numbers(view, s.finding_ids)}".rstrip() for s in section.statements]
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def _verdicts(view: ReportView) -> str:
    if not view.claims:
        return ""
    lines = [
        "## Claims and verdicts",
        "",
        "| | Claim | Verdict | Confidence | Independent sources | For | Against |",
        "|---|---|---|---|---|---|---|",
    ]
    for checked in view.claims:
        a = checked.assessment
        single = " (single source)" if a.single_source else ""
        lines.append(
            f"| {checked.claim.id} | {_plain(checked.claim.text)} | **{checked.word}**{single} | {a.confidence:.0%} | "
            f"{a.independent_sources} | {_numbers(view, a.supporting)} | {_numbers(view, a.contradicting)} |"
        )
    return "\n".join(lines) + "\n\n" + "\n\n".join(_claim(view, checked) for checked in view.claims)


def _claim(view: ReportView, checked: Verified) -> str:
    lines = [f"### {checked.claim.id}: {_plain(checked.claim.text)}", ""]
    lines.append(f"**{checked.word}.** " + " ".join(_plain(reason) for reason in checked.assessment.reasons))
    for heading, findings in (("For", checked.supporting), ("Against", checked.contradicting)):
        if findings:
            lines += ["", f"{heading}:", ""]
            lines += [_evidence(view, finding) for finding in findings]
    return "\n".join(lines)


def _evidence(view: ReportView, finding: Finding) -> str:
    source = view.sources[finding.source_id]
    kind = f" ({finding.contradiction_type.value} contradiction)" if finding.contradiction_type else ""
    return f"- “{_plain(finding.quote)}” {_numbers(view, (finding.id,))} — {_witness(source)}{kind}"


def _witness(source: Source) -> str:
    date = f", {source.published.iso}" if source.published else ", undated"
    return f"{_plain(source.title)} ({source.domain}{date}, tier {source.rating.tier})"


def _timeline(view: ReportView) -> str:
    if not view.case.timeline:
        return ""
    lines = ["## Timeline", "", "| Date | Event | Sources |", "|---|---|---|"]
    for event in view.case.timeline:
        conflict = f" *{_plain(event.conflict)}*" if event.conflict else ""
        lines.append(f"| {event.date} | {_plain(event.text)}{conflict} | {_numbers(view, event.finding_ids)} |")
    return "\n".join(lines)


def _bias(view: ReportView) -> str:
    bias = view.case.bias
    if bias is None:
        return ""
    balance = bias.balance
    lines = [
        "## Balance of the sources",
        "",
        f"Overall bias {bias.overall:.1f} of 10, {bias.label}: {balance.favourable} favourable, "
        f"{balance.neutral} neutral, {balance.critical} critical.",
    ]
    lines += [_plain(reason) for reason in bias.reasons]
    if bias.recommendation:
        lines.append(_plain(bias.recommendation))
    if bias.per_source:
        lines += ["", "| Source | Leaning | Bias | Why |", "|---|---|---|---|"]
        for row in bias.per_source:
            source = view.sources[row.source_id]
            why = _plain("; ".join(row.reasons))
            lines.append(f"| {row.source_id} {_plain(source.domain)} | {row.leaning.value} | {row.bias:.1f} | {why} |")
    return "\n".join(lines)


def _sources(view: ReportView) -> str:
    lines = ["## Sources", ""]
    for source in view.counted_sources:
        rating = source.rating
        release = ", press release" if rating.press_release else ""
        lines.append(
            f"- **{source.id}** [{_plain(source.title)}](<{source.url}>) — {source.domain}, "
            f"{source.published.iso if source.published else 'undated'}, tier {rating.tier} "
            f"({'★' * rating.stars}{'☆' * (5 - rating.stars)}, {rating.score}/100{release}). {_story(view, source)}"
            f"Archived as `{source.snapshot}`."
        )
        lines.append(f"  {_plain(source.summary)}")
    return "\n".join(lines)


def _story(view: ReportView, source: Source) -> str:
    copies = view.copies(source)
    if not copies:
        return ""
    others = ", ".join(copy.id for copy in copies)
    if source.origin_of_story == source.id:
        return f"Origin of a story that {others} {'repeats' if len(copies) == 1 else 'repeat'}. "
    if source.origin_of_story:
        return f"Same story as {others}, which goes back to {source.origin_of_story}. "
    return f"Same story as {others}; its origin cannot be told. "


def _later(view: ReportView) -> str:
    if not view.later_sources:
        return ""
    lines = ["## Published after the as-of date, not counted", ""]
    lines += [f"- {s.id} [{_plain(s.title)}](<{s.url}>): {s.excluded}" for s in view.later_sources]
    return "\n".join(lines)


def _missing(view: ReportView) -> str:
    case = view.case
    lines = [f"- {note.what} {_plain(note.where)}: {_plain(note.why)}" for note in case.outages]
    lines += [f"- {_plain(departure)}" for departure in case.departures]
    if case.cut:
        lines.append(f"- {_count(len(case.cut), 'piece')} of work not done before the case was ended.")
    if not lines:
        return ""
    return "\n".join(["## What could not be asked, and departures from the plan", "", *lines])


def _method(view: ReportView) -> str:
    plan, case = view.case.plan, view.case
    if plan is None:
        return ""
    approved = next((a for a in reversed(case.approvals) if a.decision.value == "approve"), None)
    lines = ["## How this was done", ""]
    lines += [f"- Question: {_plain(question)}" for question in plan.questions]
    lines += [f"- Query: {_plain(query.text)}" for query in plan.queries]
    lines.append(f"- Engines: {', '.join(plan.engines) or 'none'}")
    lines += [f"- Not asked: {_plain(reason)}" for reason in plan.left_out]
    lines.append(f"- Read and judged by: {'the local analyst (rules)' if plan.analyst == 'local' else plan.analyst}")
    if approved:
        lines.append(f"- Plan {approved.revision} approved by {_plain(approved.by)} ({approved.how})")
    if case.summary and case.summary.dropped:
        lines.append(f"- {_count(case.summary.dropped, 'sentence')} without a citation left out of the summary")
    return "\n".join(lines)


def _citations(view: ReportView) -> str:
    if not view.case.citations:
        return ""
    lines = ["## Citations", ""]
    for citation in view.case.citations:
        finding, source = view.cited(citation)
        page = f", page {finding.page}" if finding.page else ""
        lines.append(f"{citation.n}. “{_plain(citation.quote)}” — {_witness(source)}{page}. <{citation.url}>")
        lines.append(f"   `{finding.snapshot}` [{finding.start}:{finding.end}]")
    return "\n".join(lines)


def _numbers(view: ReportView, finding_ids: tuple[str, ...]) -> str:
    return "".join(f"[{view.numbers[f]}]" for f in finding_ids if f in view.numbers)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


_SPECIAL = re.compile(r"([\\`*_\[\]<>#|])")


def _plain(text: str) -> str:
    """Text of a page or a person as text: nothing in it is markup."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))
