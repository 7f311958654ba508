"""The case as JSON, in the shape that others hold on to: `case.schema.json` beside this file; docs/case.md explains it.

Times are UTC. Nothing is left out of any text here, whatever characters it has: this is the form that machines check.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from inquest.domain.assessment import Assessment
from inquest.domain.case import Case
from inquest.domain.check import CheckRecord, CheckRequest, VerdictChange
from inquest.domain.claim import Claim
from inquest.domain.claim_decision import ClaimDecision
from inquest.domain.finding import Finding
from inquest.domain.market import MarketAnswer, MarketRequest
from inquest.domain.plan import Plan
from inquest.domain.reasons import Reason
from inquest.domain.report import Bias, EarlierCheck
from inquest.domain.source import Source
from inquest.domain.value import JsonObject
from inquest.reports.market_answer import market_markdown
from inquest.reports.plain import markdown_text
from inquest.stories.stories import independent

SCHEMA = "inquest/case/1"


def case_json(case: Case, decisions: Iterable[ClaimDecision] = ()) -> dict[str, Any]:
    """Everything a case found, and what people decided on its claims. Keys are stable; new ones may be added."""
    changes: dict[str, list[VerdictChange]] = {}
    for change in case.check.changes if case.check else ():
        changes.setdefault(change.claim_id, []).append(change)
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
            "brief": case.brief.text,
            "urls": list(case.brief.urls),
            "engines": list(case.brief.engines),
            "collections": list(case.brief.collections),
            "languages": list(case.brief.languages),
            "budget_usd": case.brief.budget_usd,
            "deadline_seconds": case.brief.deadline_seconds,
        },
        "as_of": _utc(case.as_of),
        "plan": _plan(case.plan, case) if case.plan else None,
        "sources": [_source(source) for source in case.sources],
        "claims": [_claim(claim) for claim in case.claims],
        "findings": [_finding(finding) for finding in case.findings],
        "verdicts": [_verdict(assessment, changes.get(assessment.claim_id, ())) for assessment in case.assessments],
        "nearest": [each.model_dump(mode="json") for each in case.nearest],
        "reviews": [_review(check) for check in case.reviews],
        "rounds": [each.model_dump(mode="json", exclude={"plan"}) | {"at": _utc(each.at)} for each in case.rounds],
        "decisions": [each.model_dump(mode="json") | {"at": _utc(each.at)} for each in decisions],
        "independent_sources": len(independent(case.sources)),
        "bias": _bias(case.bias) if case.bias else None,
        "timeline": [event.model_dump(mode="json") for event in case.timeline],
        "summary": summary_markdown(case) if case.summary else None,
        "dropped_sentences": case.summary.dropped if case.summary else 0,
        "citations": [citation.model_dump(mode="json") for citation in case.citations],
        "check": _check(case.check) if case.check else None,
        "investigation": case.investigation.model_dump(mode="json") if case.investigation else None,
        "answer": _answer(case.answer) if case.answer else None,
        "kept_until": _utc(case.kept_until) if case.kept_until else None,
        "outages": [
            note.model_dump(mode="json", exclude={"called", "names", "after_failures"}) for note in case.outages
        ],
        "departures": list(case.departures),
        "markers": list(case.markers),
        "cost": case.cost.model_dump(mode="json"),
        "timings": case.timings,
    }


def summary_markdown(case: Case) -> str:
    """The summary with its numbers, as Markdown without the title; what pages say in it is no markup."""
    parts = []
    for section in case.summary.sections if case.summary else ():
        lines = [f"## {markdown_text(section.heading)}"]
        for statement in section.statements:
            cited = "".join(f"[{n}]" for n in case.cited_as(statement.finding_ids))
            lines.append(f"{markdown_text(statement.text)} {cited}".strip())
        parts.append("\n\n".join(lines))
    return "\n\n".join(parts)


def _utc(at: datetime) -> str:
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _plan(plan: Plan, case: Case) -> dict[str, Any]:
    approved = next((a for a in reversed(case.approvals) if a.decision.value == "approve"), None)
    return {
        "topic": plan.topic,
        "questions": list(plan.questions),
        "meant": [each.model_dump(mode="json") for each in plan.meant],
        "times": list(plan.times),
        "queries": [query.model_dump(mode="json", exclude_defaults=True) for query in plan.queries],
        "engines": list(plan.engines),
        "left_out": list(plan.left_out),
        "source_kinds": list(plan.source_kinds),
        "user_sources": [page.model_dump(mode="json") for page in plan.user_sources],
        "analyst": plan.analyst,
        "local_model": plan.local_model,
        "notes": list(plan.notes),
        "revision": plan.revision,
        "approved": {"by": approved.by, "at": _utc(approved.at), "how": approved.how} if approved else None,
        "decisions": [approval.model_dump(mode="json") for approval in case.approvals],
    }


def _source(source: Source) -> dict[str, Any]:
    return {
        "id": source.id,
        "url": source.url,
        "title": source.title,
        "domain": source.domain,
        "author": source.author,
        "published": source.published.iso if source.published else None,
        "published_how": source.published.how if source.published else None,
        "tier": source.rating.tier,
        "stars": source.rating.stars,
        "score": source.rating.score,
        "known": source.rating.known,
        "category": source.rating.category,
        "rating_reasons": list(source.rating.reasons),
        "rating_reason_codes": _codes(source.rating.reason_codes),
        "press_release": source.rating.press_release,
        "story": source.story,
        "origin_of_story": source.origin_of_story,
        "owner": source.rating.owner,
        "snapshot": source.snapshot,
        "retrieved_at": _utc(source.retrieved_at),
        "language": source.language,
        "summary": source.summary,
        "key_claims": list(source.key_claims),
        "relevance": source.relevance,
        "user_provided": source.user_provided,
        "engines": list(source.engines),
        "queries": list(source.queries),
        "excluded": source.excluded,
        "other_bearer": source.other_bearer,
        "notes": list(source.all_notes),
        "publisher": source.publisher,
        "provenance": source.provenance,
        "named_origin": source.named_origin,
        "ranking": source.ranking.model_dump(mode="json") if source.ranking else None,
        "work": source.work.model_dump(mode="json") if source.work else None,
        "dates": [each.model_dump(mode="json") for each in source.dates],
        "domain_registered": source.age.registered.iso if source.age and source.age.registered else None,
    }


def _claim(claim: Claim) -> dict[str, Any]:
    return {
        "id": claim.id,
        "text": claim.text,
        "type": claim.type.value,
        "importance": claim.importance,
        "source_ids": list(claim.source_ids),
        "page": claim.page,
        "mentions": [mention.model_dump(mode="json") for mention in claim.mentions],
        "queries": list(claim.queries),
        "company": claim.company,
        "quote": claim.quote,
        "start": claim.start,
        "end": claim.end,
        "context": [each.model_dump(mode="json") for each in claim.context],
        "assertions": [each.model_dump(mode="json") for each in claim.assertions],
        "quantities": [each.model_dump(mode="json") for each in claim.quantities],
        "dates": list(claim.dates),
        "disclosures": [each.model_dump(mode="json") for each in claim.disclosures],
        "checkability": claim.checkability,
        "reasons": list(claim.reasons),
        "reason_codes": _codes(claim.reason_codes),
    }


def _codes(reasons: Iterable[Reason]) -> list[JsonObject]:
    return [reason.model_dump(mode="json") for reason in reasons]


def _finding(finding: Finding) -> dict[str, Any]:
    return finding.model_dump(mode="json")


def _asked(request: CheckRequest) -> dict[str, Any]:
    """What a check was asked for, of the input."""
    return {
        "company": request.company,
        "industry": request.industry,
        "report": request.report,
        "claims_given": len(request.claims),
        "desks": list(request.desks),
        "max_claims": request.max_claims,
        "rounds": request.rounds,
    }


def _put(request: MarketRequest) -> dict[str, Any]:
    """What stood beside a question, of the input."""
    return {
        "tickers": list(request.tickers),
        "company": request.company,
        "filings": [each.given for each in request.filings],
        "saved": request.saved,
    }


def _answer(answer: MarketAnswer) -> dict[str, Any]:
    """The market desk's answer; its words are also there as the text that a user is shown."""
    noise = {"removed": answer.noise.removed, "share": round(answer.noise.share, 4)}
    found = answer.model_dump(mode="json")
    return found | {"noise": found["noise"] | noise, "markdown": market_markdown(answer)}


def _check(record: CheckRecord) -> dict[str, Any]:
    """What a check has beside every case; its changes of verdict stand with the verdicts, as their history."""
    found = record.model_dump(mode="json", exclude={"changes", "dropped"})
    return found | {"dropped": [_claim(claim) for claim in record.dropped]}


def _verdict(assessment: Assessment, changes: Iterable[VerdictChange]) -> dict[str, Any]:
    return {
        "claim_id": assessment.claim_id,
        "verdict": assessment.verdict.value,
        "confidence": assessment.confidence,
        "independent_sources": assessment.independent_sources,
        "single_source": assessment.single_source,
        "for": list(assessment.supporting),
        "against": list(assessment.contradicting),
        "reasons": list(assessment.reasons),
        "reason_codes": _codes(assessment.reason_codes),
        "lacks": assessment.lacks,
        "unassessed": assessment.unassessed,
        "checked": assessment.checked,
        "would_change": list(assessment.would_change),
        "parts": [
            {
                "words": part.words,
                "verdict": part.verdict.value,
                "for": list(part.supporting),
                "against": list(part.contradicting),
            }
            for part in assessment.parts
        ],
        "history": [change.model_dump(mode="json") for change in changes],
    }


def _review(check: EarlierCheck) -> dict[str, Any]:
    review = check.review
    return {
        "claim_id": check.claim_id,
        "claim": review.claim,
        "claimant": review.claimant,
        "reviewer": review.reviewer,
        "rating": review.rating,
        "verdict": review.verdict,
        "url": review.url,
        "title": review.title,
        "at": review.at.iso if review.at else None,
        "found_by": check.found_by,
    }


def _bias(bias: Bias) -> dict[str, Any]:
    found = bias.model_dump(mode="json")
    if not bias.per_source:
        del found["per_source"]
    return found | {"label": bias.label}
