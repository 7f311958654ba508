"""The report as PDF, set by typst (extra `inquest[pdf]`): no system packages, no browser."""

from __future__ import annotations

import json
from collections.abc import Iterable
from importlib.resources import as_file, files
from typing import Any

from inquest.domain.errors import SettingError
from inquest.domain.finding import Finding
from inquest.domain.source import Source
from inquest.logic.urls import is_web_url
from inquest.reports.view import Context, ReportView, Verified

__all__ = ["pdf"]


def pdf(view: ReportView) -> bytes:
    """The PDF's bytes. Raises SettingError where typst is not installed."""
    try:
        import typst
    except ImportError as error:
        raise SettingError(
            "PDF reports need the extra packages of `inquest[pdf]`.", advice="Install them, or choose html or md."
        ) from error
    report = json.dumps(_report(view), ensure_ascii=False)
    with as_file(files("inquest.reports").joinpath("report.typ")) as template:
        made: bytes = typst.compile(str(template), sys_inputs={"report": report})
    return made


def _report(view: ReportView) -> dict[str, Any]:
    case = view.case
    assert case.summary is not None
    return {
        "title": case.summary.title,
        "case": case.id,
        "date": f"{case.created_at:%d %B %Y}",
        "mode": case.brief.mode.value,
        "brief": case.brief.text,
        "status": case.status.value,
        "banner": case.why if case.status.value != "completed" else None,
        "counts": f"{len(view.counted_sources)} sources, {view.independent_sources} of them independent; "
        f"{len(case.claims)} claims checked; {len(case.citations)} quotes from archived pages.",
        "summary": [
            {
                "heading": section.heading,
                "lines": [{"text": s.text, "refs": _refs(view, s.finding_ids)} for s in section.statements],
            }
            for section in case.summary.sections
        ],
        "claims": [_claim(view, checked) for checked in view.claims],
        "timeline": [
            {"date": e.date, "text": e.text, "refs": _refs(view, e.finding_ids), "conflict": e.conflict}
            for e in case.timeline
        ],
        "balance": _balance(view),
        "sources": [_source(source) for source in view.counted_sources],
        "later": [f"{s.id} {s.title}: {s.excluded}" for s in view.later_sources],
        "missing": [*(f"{n.what} {n.where}: {n.why}" for n in case.outages), *case.departures],
        "method": _method(view),
        "citations": [_citation(view, number) for number in range(len(case.citations))],
    }


def _claim(view: ReportView, checked: Verified) -> dict[str, Any]:
    a = checked.assessment
    sides = (("For", checked.supporting), ("Against", checked.contradicting))
    return {
        "id": checked.claim.id,
        "text": checked.claim.text,
        "verdict": a.verdict.value,
        "word": checked.word,
        "single": a.single_source,
        "confidence": f"{a.confidence:.0%}",
        "independent": a.independent_sources,
        "reasons": " ".join(a.reasons),
        "sides": [{"heading": h, "quotes": [_quote(view, f) for f in found]} for h, found in sides if found],
    }


def _quote(view: ReportView, finding: Finding) -> dict[str, Any]:
    source = view.sources[finding.source_id]
    return {"quote": finding.quote, "refs": _refs(view, (finding.id,)), "witness": _witness(source)}


def _balance(view: ReportView) -> list[str]:
    bias = view.case.bias
    if bias is None:
        return []
    b = bias.balance
    first = f"Overall bias {bias.overall:.1f} of 10, {bias.label}: {b.favourable} favourable, {b.neutral} neutral, "
    return [first + f"{b.critical} critical.", *bias.reasons, *([bias.recommendation] if bias.recommendation else [])]


def _source(source: Source) -> dict[str, Any]:
    return {
        "id": source.id,
        "url": source.url if is_web_url(source.url) else None,
        "title": source.title,
        "meta": f"{_witness(source)}, {source.rating.score}/100"
        + (", press release" if source.rating.press_release else "")
        + (f" · same story as others, going back to {source.origin_of_story}" if source.origin_of_story else ""),
        "summary": source.summary,
        "snapshot": source.snapshot,
    }


def _method(view: ReportView) -> list[list[str]]:
    plan = view.case.plan
    if plan is None:
        return []
    analyst = "the local analyst (rules, no model service)" if plan.analyst == "local" else plan.analyst
    rows = [
        ["Questions", "; ".join(plan.questions)],
        ["Queries", "; ".join(query.text for query in plan.queries)],
        ["Engines", ", ".join(plan.engines) or "none"],
        ["Not asked", "; ".join(plan.left_out)],
        ["Read and judged by", analyst],
    ]
    return [row for row in rows if row[1]]


def _citation(view: ReportView, index: int) -> dict[str, Any]:
    citation = view.case.citations[index]
    finding, source = view.cited(citation)
    context = view.contexts.get(finding.id, Context("", finding.quote, ""))
    page = f", page {finding.page}" if finding.page else ""
    return {
        "n": citation.n,
        "before": context.before,
        "quote": context.quote,
        "after": context.after,
        "witness": f"{source.title}. {_witness(source)}{page}. {citation.url}",
        "span": f"{finding.snapshot} [{finding.start}:{finding.end}]",
    }


def _witness(source: Source) -> str:
    return f"{source.domain} · {source.published.iso if source.published else 'undated'} · tier {source.rating.tier}"


def _refs(view: ReportView, finding_ids: Iterable[str]) -> list[int]:
    return [view.numbers[f] for f in finding_ids if f in view.numbers]
