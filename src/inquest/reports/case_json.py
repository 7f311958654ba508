"""The case as JSON, in the stable form of `case.schema.json`; docs/case.md explains it.

Times are UTC. Texts are complete and unaltered, because programs check them against the archive.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from inquest.domain.case import Case
from inquest.domain.check import CheckRequest
from inquest.domain.claim import Claim
from inquest.domain.event import CaseQuestion, ClaimDecision
from inquest.domain.finding import Assessment, PartVerdict
from inquest.domain.market import MarketAnswer, MarketRequest
from inquest.domain.plan import Plan
from inquest.domain.report import EarlierCheck
from inquest.domain.source import Source
from inquest.domain.value import grouped
from inquest.reports.audit import audit_json, citations_checked
from inquest.reports.decided import as_decided, numbered, with_questions
from inquest.reports.markdown import market_markdown
from inquest.reports.parts import markdown_text
from inquest.stories.stories import independent

SCHEMA = "inquest/case/1"
_INPUT = set("urls engines collections languages budget_usd budget_tokens budget_calls deadline_seconds".split())
"""Fields of the brief that are in the input of every case."""


def case_json(
    case: Case, decisions: Iterable[ClaimDecision] = (), questions: Iterable[CaseQuestion] = ()
) -> dict[str, Any]:
    """Return everything that a case found, people's decisions on its claims (their verdict replaces the run's, which is
    kept beside it) and the questions asked about it. Keys are stable; new ones may be added."""
    decisions, questions = tuple(decisions), tuple(questions)
    case, asked = numbered(with_questions(as_decided(case, decisions), questions), questions)
    changes = grouped((change.claim_id, change) for change in (case.check.changes if case.check else ()))
    return {
        "schema": SCHEMA,
        "case_id": case.id,
        "kind": case.kind.value,
        "status": case.status.value,
        "why": case.why,
        "budget_met": case.budget_met or None,
        "mode": case.brief.mode.value,
        "created_at": _utc(case.created_at),
        "input": {
            **(_asked(case.brief.check) if case.brief.check else {}),
            **(_put(case.brief.market) if case.brief.market else {}),
            **(case.brief.audit.model_dump(mode="json") if case.brief.audit else {}),
            "brief": case.brief.text,
            **case.brief.model_dump(mode="json", include=_INPUT),
        },
        "as_of": _utc(case.as_of),
        "plan": _plan(case.plan, case) if case.plan else None,
        "sources": [_source(source) for source in case.sources],
        "claims": [_claim(claim) for claim in case.claims],
        "findings": [finding.model_dump(mode="json") for finding in case.findings],
        "verdicts": [
            _with_sides(each)
            | {
                "parts": [_with_sides(part) for part in each.parts],
                "history": [change.model_dump(mode="json") for change in changes.get(each.claim_id, ())],
            }
            for each in case.assessments
        ],
        "nearest": [each.model_dump(mode="json") for each in case.nearest],
        "reviews": [_review(check) for check in case.reviews],
        "rounds": [each.model_dump(mode="json", exclude={"plan"}) | {"at": _utc(each.at)} for each in case.rounds],
        "decisions": [each.model_dump(mode="json") | {"at": _utc(each.at)} for each in decisions],
        "questions": [
            each.model_dump(mode="json", exclude={"findings"})
            | {"at": _utc(each.at), "finding_ids": [finding.id for finding in each.findings]}
            for each in asked
        ],
        "independent_sources": len(independent(case.sources)),
        "bias": case.bias.model_dump(mode="json", exclude=None if case.bias.per_source else {"per_source"})
        | {"label": case.bias.label}
        if case.bias
        else None,
        "timeline": [event.model_dump(mode="json") for event in case.timeline],
        "summary": summary_markdown(case) if case.summary else None,
        "translations": [each.model_dump() for each in case.summary.translations] if case.summary else [],
        "dropped_sentences": case.summary.dropped if case.summary else 0,
        "citations": [citation.model_dump(mode="json") for citation in case.citations],
        "check": case.check.model_dump(mode="json", exclude={"changes", "dropped"})
        | {"dropped": [_claim(claim) for claim in case.check.dropped]}
        if case.check
        else None,
        "investigation": case.investigation.model_dump(mode="json") if case.investigation else None,
        "answer": _answer(case.answer) if case.answer else None,
        "audit": audit_json(case.audit) if case.audit else None,
        "citations_checked": citations_checked(case.audit) if case.audit else None,
        "kept_until": _utc(case.kept_until) if case.kept_until else None,
        "outages": [
            note.model_dump(mode="json", exclude={"called", "names", "after_failures"}) for note in case.outages
        ],
        "departures": list(case.departures),
        "departure_codes": [code.model_dump(mode="json") for code in case.departure_codes],
        "markers": list(case.markers),
        "cost": case.cost.model_dump(mode="json"),
        "timings": case.timings,
    }


def summary_markdown(case: Case) -> str:
    """Return the summary with citation numbers as Markdown, without the title; text from pages is escaped."""
    parts = []
    for section in case.summary.sections if case.summary else ():
        lines = [f"## {markdown_text(section.heading)}"]
        for statement in section.statements:
            cited = "".join(f"[{n}]" for n in case.cited_as(statement.finding_ids))
            lines.append(f"{markdown_text(statement.text)} {cited}".strip())
        parts.append("\n\n".join(lines))
    return "\n\n".join(parts)


def summary_with_sources(case: Case) -> str:
    """Return the summary followed by the cited sources, each with number, title and address."""
    summary = summary_markdown(case)
    titles = {source.id: source.title for source in case.sources}
    sections = case.summary.sections if case.summary else ()
    cited = {n for section in sections for s in section.statements for n in case.cited_as(s.finding_ids)}
    shown = (each for each in case.citations if each.n in cited)
    lines = [f"[{each.n}] {markdown_text(titles.get(each.source_id, ''))} - {each.url}" for each in shown]
    return "\n\n".join([summary, "## Sources", "\n".join(lines)]) if lines else summary


def _utc(at: datetime) -> str:
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _plan(plan: Plan, case: Case) -> dict[str, Any]:
    approved = next((a for a in reversed(case.approvals) if a.decision.value == "approve"), None)
    return plan.model_dump(mode="json", exclude={"queries", "unasked", "paid", "mode"}) | {
        "queries": [query.model_dump(mode="json", exclude_defaults=True) for query in plan.queries],
        "approved": {"by": approved.by, "at": _utc(approved.at), "how": approved.how} if approved else None,
        "decisions": [approval.model_dump(mode="json") for approval in case.approvals],
    }


def _source(source: Source) -> dict[str, Any]:
    rating, published = source.rating, source.published
    apart = {"published", "rating", "retrieved_at", "notes", "story_notes", "story_codes", "age", "page"}
    return source.model_dump(mode="json", exclude=apart) | {
        "published": published.iso if published else None,
        "published_how": published.how if published else None,
        **rating.model_dump(include={"tier", "stars", "score", "known", "category", "press_release", "owner"}),
        "rating_reasons": list(rating.reasons),
        "rating_reason_codes": [reason.model_dump(mode="json") for reason in rating.reason_codes],
        "retrieved_at": _utc(source.retrieved_at),
        "notes": list(source.all_notes),
        "domain_registered": source.age.registered.iso if source.age and source.age.registered else None,
    }


def _claim(claim: Claim) -> dict[str, Any]:
    return claim.model_dump(mode="json") | {"source_ids": list(claim.source_ids)}


def _asked(request: CheckRequest) -> dict[str, Any]:
    """Return the input of a check."""
    return request.model_dump(include={"company", "industry", "country", "report", "max_claims", "rounds"}) | {
        "claims_given": len(request.claims),
        "desks": list(request.desks),
    }


def _put(request: MarketRequest) -> dict[str, Any]:
    """Return the input of a market question other than its text."""
    filings = [each.given for each in request.filings]
    return {"tickers": list(request.tickers), "company": request.company, "filings": filings, "saved": request.saved}


def _answer(answer: MarketAnswer) -> dict[str, Any]:
    """Return the market desk's answer as data and as Markdown."""
    found, noise = answer.model_dump(mode="json"), answer.noise
    found["noise"] |= {"removed": noise.removed, "share": round(noise.share, 4)}
    return found | {"markdown": market_markdown(answer)}


def _with_sides(judged: Assessment | PartVerdict) -> dict[str, Any]:
    found = judged.model_dump(mode="json")
    return found | {"for": found.pop("supporting"), "against": found.pop("contradicting")}


def _review(check: EarlierCheck) -> dict[str, Any]:
    found = check.review.model_dump(mode="json", exclude={"claimed_at", "language"})
    at = check.review.at
    return found | {"claim_id": check.claim_id, "at": at.iso if at else None, "found_by": check.found_by}
