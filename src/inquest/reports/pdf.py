"""The report as PDF, set by typst (extra `inquest[pdf]`): no system packages, no browser.

The same case gives the same bytes on one machine: the PDF bears the date of the case, not of the hour it was set.
"""

from __future__ import annotations

import json
import re
from datetime import UTC
from importlib.resources import as_file, files
from typing import Any

from inquest.domain.claim import Claim
from inquest.domain.errors import SettingError
from inquest.domain.report import Citation, EarlierCheck, TimelineEvent
from inquest.domain.source import Source
from inquest.reports import check_parts, wording
from inquest.reports.check_claim import explained, headline, said_of
from inquest.reports.pdf_check import check_of, claim_after, claim_before
from inquest.reports.plain import isolated, one_line, paragraphs
from inquest.reports.view import VERDICT_WORDS, ReportView, Told, Verified
from inquest.text.phrases import capitalised, day
from inquest.text.urls import is_web_url

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
    made_at = view.case.created_at.astimezone(UTC).replace(microsecond=0)
    with as_file(files("inquest.reports").joinpath("report.typ")) as template:
        made: bytes = typst.compile(str(template), sys_inputs={"report": report}, timestamp=made_at)
    return made


def _report(view: ReportView) -> dict[str, Any]:
    case = view.case
    return {
        "title": _line(view.title),
        "case": case.id,
        "date": day(case.created_at),
        "kind": wording.kind_of(case),
        "brief": "" if view.is_check else _text(case.brief.text),
        "banner": _line(wording.banner(case) or ""),
        "as_of": wording.as_of(case) or "",
        "figures": [{"number": str(number), "what": what} for number, what in wording.figures(view)],
        "tally": [
            {"verdict": verdict.value, "word": VERDICT_WORDS[verdict].lower(), "number": number}
            for verdict, number in view.verdict_counts
        ],
        "summary": [
            {
                "heading": _line(section.heading),
                "lines": [{"text": _line(s.text), "refs": view.refs(s.finding_ids)} for s in section.statements],
            }
            for section in view.summary.sections
        ],
        "claims": [_claim(view, checked) for checked in view.claims],
        "unchecked": [
            _line(f"{claim.id} {headline(claim.text) if view.is_check else claim.text}") for claim in view.unchecked
        ],
        "timeline": [_event(view, event) for event in case.timeline],
        "balance": _balance(view),
        "stories": [_line(_story_line(view, number)) for number in range(len(view.stories))],
        "reviews": [_review(check) for check in view.reviews_beside],
        "independence": [_line(line) for line in wording.independence(view)],
        "sources": [
            _source(view, source, copy=source is not entry.source)
            for entry in view.entries
            for source in (entry.source, *entry.copies)
        ],
        "excluded": [
            _line(f"{s.id} {wording.titled(s)} ({wording.address(s.url)}): {wording.left_out(s)}")
            for s in view.excluded_sources
        ],
        "missing": [[_line(words) for words in wording.outage_words(note)] for note in case.outages],
        "departures": [_line(line) for line in wording.departures(case)],
        "method": [[name, [_line(line) for line in lines]] for name, lines in check_parts.method(view)],
        "check": check_of(view, _line),
        "citations": [_citation(view, citation) for citation in case.citations],
    }


def _claim(view: ReportView, checked: Verified) -> dict[str, Any]:
    a = checked.assessment
    return {
        "id": _line(checked.claim.id),
        "anchor": view.anchors[checked.claim.id],
        "text": _line(headline(checked.claim.text) if view.is_check else checked.claim.text),
        "about": _about(checked.claim) if view.is_check else "",
        "before": claim_before(view, checked, _line),
        "after": claim_after(view, checked, _line),
        "verdict": a.verdict.value,
        "word": checked.word,
        "single": a.single_source,
        "confidence": wording.confidence(checked),
        "independent": str(a.independent_sources),
        "standing": wording.standing(checked),
        "reasons": [_line(reason) for reason in a.reasons],
        "reviewed": wording.reviews_heading() if checked.reviews else "",
        "reviews": [_review(check) for check in checked.reviews],
        "sides": [
            {
                "heading": heading,
                "told": [_told(view, told) for told in side],
                "none": f"{capitalised(wording.nothing_found(view))}.",
            }
            for heading, side in (("For", checked.supporting), ("Against", checked.contradicting))
        ],
    }


def _about(claim: Claim) -> str:
    return wording.claim_type(claim) + (f" · page {claim.page}" if claim.page else "")


def _review(check: EarlierCheck) -> dict[str, str]:
    url = check.review.url
    return {"text": _line(wording.review_words(check)), "url": url if is_web_url(url) else ""}


def _told(view: ReportView, told: Told) -> dict[str, Any]:
    copies = ", ".join(dict.fromkeys(f.source_id for f in told.copies))
    return {
        "quotes": [
            {
                "quote": isolated(_line(finding.quote)) if view.is_check else _line(finding.quote),
                "refs": view.refs((finding.id,)),
                "kind": _line(", ".join(said_of(view, finding))),
                "explained": _line(explained(view, finding)),
            }
            for finding in told.findings
        ],
        "witness": _line(f"{told.source.id} · {' · '.join(wording.witness(told.source))}"),
        "copies": _line(": ".join(filter(None, (wording.copies_heading(told), copies)))),
        "copy_refs": view.refs(finding.id for finding in told.copies),
    }


def _event(view: ReportView, event: TimelineEvent) -> dict[str, Any]:
    return {
        "date": _line(wording.event_date(event)),
        "text": _line(event.text),
        "refs": view.refs(event.finding_ids),
        "conflict": _line(event.conflict or ""),
    }


def _balance(view: ReportView) -> dict[str, Any] | None:
    bias = view.case.bias
    if bias is None:
        return None
    return {
        "overall": f"Overall bias {bias.overall:.1f} of 10: {bias.label}.",
        "counts": bias.balance.model_dump(),
        "words": _line(" ".join(line for line in (*bias.reasons, bias.recommendation) if line)),
        "rows": [
            [
                _line(f"{row.source_id} {view.sources[row.source_id].domain}"),
                row.leaning.value,
                f"{row.bias:.1f}",
                _line(wording.joined(row.reasons)),
            ]
            for row in bias.per_source
        ],
    }


def _story_line(view: ReportView, number: int) -> str:
    story = view.stories[number]
    others = ", ".join(f"{source.id} {source.domain}" for source in story.others)
    if story.origin is None:
        return f"{others}: one story, and who told it first cannot be told."
    return f"{story.origin.id} {story.origin.domain} told it first; repeated by {others}."


def _source(view: ReportView, source: Source, *, copy: bool) -> dict[str, Any]:
    story = view.story_of(source)
    told = wording.story_words(story, source) if story else ""
    said = (told, *source.all_notes, wording.dated_by(source), wording.ranking_words(source))
    return {
        "id": source.id,
        "url": source.url if is_web_url(source.url) else "",
        "title": _line(wording.titled(source)),
        "stars": wording.stars(source.rating.stars),
        "meta": _line(" · ".join((*wording.about(source), wording.rating_words(source)))),
        "summary": _text(source.summary),
        "notes": [_line(note) for note in said if note],
        "copy": copy,
        "archived": f"archived {wording.moment(source.retrieved_at)}",
        "snapshot": source.snapshot,
    }


def _citation(view: ReportView, citation: Citation) -> dict[str, Any]:
    finding, source = view.cited(citation)
    context = view.context(finding)
    page = f" · page {finding.page}" if finding.page else ""
    return {
        "n": citation.n,
        "before": _text(context.before),
        "quote": _text(context.quote),
        "after": _text(context.after),
        "title": _line(wording.titled(source)),
        "url": citation.url if is_web_url(citation.url) else "",
        "witness": _line(f"{source.id} · {' · '.join(wording.witness(source))}{page}"),
        "address": _line(wording.address(citation.url)),
        "span": f"{finding.snapshot} characters {finding.start}–{finding.end}",
    }


_LONG_WORD = re.compile(r"\S{32,}")
_PIECE = re.compile(r"\S{16}(?=\S)")


def _breakable(text: str) -> str:
    """With places to break in words that are longer than a line may be: typst lets them run off the page otherwise."""
    return _LONG_WORD.sub(lambda word: _PIECE.sub(lambda piece: piece.group() + "\u200b", word.group()), text)


def _line(text: str) -> str:
    return _breakable(one_line(text))


def _text(text: str) -> str:
    return _breakable(paragraphs(text))
