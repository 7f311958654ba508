"""Cases as results of tools: the overview, and the parts page by page."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import BaseModel

from inquest.app.cases.claim_decisions import as_shown, case_json
from inquest.app.cases.reporting import render
from inquest.app.cases.topic_records import decisions_of
from inquest.app.desks.briefs import answer_markdown
from inquest.app.files import without_folders
from inquest.app.wiring.resources import Resources
from inquest.domain.case import Case, CaseStatus
from inquest.domain.event import CaseQuestion
from inquest.domain.investigation import Review
from inquest.domain.report import Citation as Cited
from inquest.mcp import shapes

_MOST_EVIDENCE, _IN_OVERVIEW = 5, 2
"""Pieces of evidence on each side of a verdict: in its own part, and in the overview."""
_VERDICTS_ROOM, _CITATIONS_ROOM = 18_000, 12_000
"""Characters of an overview for them. With the summary it has about ten thousand tokens, beyond which clients warn or
truncate; a case of fifty claims would have three times that."""

_PIECE = 4_000  # characters beyond which a field is divided
_SAME_FIELDS = {
    *("claim_id", "checked", "confidence", "independent_sources", "single_source", "reasons", "would_change")
}


async def overview(app: Resources, case: Case) -> shapes.CaseResult:
    """The state of the case, its summary, and as many verdicts and citations as fit, with how to read the others."""
    case = await as_shown(app, case)
    verdicts, citations = _verdicts(case, _IN_OVERVIEW), _citations(case)
    shown, cited = _fitting(verdicts, _VERDICTS_ROOM), _fitting(citations, _CITATIONS_ROOM)
    counts = ("verdicts", shown, len(verdicts)), ("citations", cited, len(citations))
    parts = case_json(case)
    return _state(case, parts).model_copy(
        update={
            "plan": _plan(case) if case.status is CaseStatus.PLANNED else None,
            "answer": answer_markdown(case) or None,
            "summary": parts["summary"],
            "citations": citations[:cited],
            "verdicts": verdicts[:shown],
            "more": [
                f"{total - here} of {total} {what} are not shown here: read_case with part='{what}' and offset={here}."
                for what, here, total in counts
                if here < total
            ],
            "investigation": _investigation(case, await decisions_of(app, case.id) if case.investigation else ()),
            "outages": [f"{note.what} {note.where}: {note.why}" for note in case.outages],
        }
    )


async def case_view(app: Resources, case: Case, part: shapes.Part, offset: int, limit: int) -> shapes.CaseResult:
    """The state of the case, and its overview or a page of one part. Raises InputError without a report."""
    if part == "overview":
        return await overview(app, case)
    case = await as_shown(app, case)
    parts = case_json(case)
    state = _state(case, parts)
    if part == "plan":
        return state.model_copy(update={"plan": _plan(case)})
    if part == "report":
        text = (await render(app, case, "md")).decode()
        return state.model_copy(update={"report": text[offset : offset + limit], **page_end(offset, limit, len(text))})
    name: str = "items"
    items: list[Any]
    if part == "verdicts":
        name, items = part, _verdicts(case, _MOST_EVIDENCE)
    elif part == "citations":
        name, items = part, _citations(case)
    elif part == "investigation":
        items = list(_pieces(case.investigation.model_dump(mode="json"))) if case.investigation else []
    else:
        items = parts[part]
    many = _fitting(items[offset:], limit)
    return state.model_copy(update={name: items[offset : offset + many], **page_end(offset, many, len(items))})


def _state(case: Case, parts: dict[str, Any]) -> shapes.CaseResult:
    return shapes.CaseResult(
        case_id=case.id,
        kind=case.kind.value,
        status=case.status.value,
        why=case.why,
        next=_next(case),
        brief=case.brief.text,
        independent_sources=parts["independent_sources"],
        cost_usd=case.cost.usd,
    )


def _pieces(whole: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The object in pieces of the same form: one with the small fields, then one for each large field or item."""
    large = {name: each for name, each in whole.items() if _size(each) > _PIECE}
    yield {name: each for name, each in whole.items() if name not in large}
    for name, each in large.items():
        if isinstance(each, dict):
            yield from ({name: piece} for piece in _pieces(each))
        elif isinstance(each, list):
            yield from ({name: [entry]} for entry in each)
        else:
            yield {name: each}


def _size(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False))


def _fitting(items: Sequence[BaseModel | dict[str, Any]], room: int) -> int:
    """The number of first items, at least one, that fit into this number of characters."""
    used = 0
    for number, each in enumerate(items):
        plain = each.model_dump(mode="json") if isinstance(each, BaseModel) else each
        used += _size(plain)
        if used > room and number:
            return number
    return len(items)


def page_end(offset: int, many: int, total: int) -> dict[str, Any]:
    """The fields `total` and `next_offset` of a page."""
    return {"total": total, "next_offset": offset + many if offset + many < total else None}


def _next(case: Case) -> str:
    match case.status:
        case CaseStatus.PLANNED:
            return (
                f"Show the plan to the user; then run_inquiry with case_id={case.id} and answer='approve', 'reject', "
                "or what to change."
            )
        case CaseStatus.RUNNING:
            return f"It is running or was interrupted: run_inquiry with case_id={case.id} and approve=true resumes it."
        case CaseStatus.CANCELLED:
            if case.is_rejected:
                return "The plan was rejected; nothing was run."
            return f"run_inquiry with case_id={case.id} and approve=true resumes it."
        case CaseStatus.FAILED:
            return "It failed; a new inquiry may succeed."
    return f"read_case with case_id={case.id} and part='verdicts', 'report', 'findings' or 'sources' gives the rest."


def _plan(case: Case) -> shapes.PlanResult | None:
    plan = case.plan
    if plan is None:
        return None
    return shapes.PlanResult(
        **plan.model_dump(include={"topic", "questions", "times", "engines", "left_out", "notes", "revision"}),
        meant=[each.shown for each in plan.meant],
        queries=[query.text for query in plan.queries],
    )


def _investigation(case: Case, decisions: Sequence[Review]) -> shapes.InvestigationView | None:
    found = case.investigation
    if found is None:
        return None
    origin, first = found.origin, found.original_source
    return shapes.InvestigationView(
        **found.model_dump(include={"topic_id", "disputed_claims", "requires_human_review", "review_reason"}),
        **found.upgrade.model_dump(include={"reasons", "independent_credible", "single_source"}),
        level_before=found.upgrade.before.value,
        level_after=found.upgrade.new_level.value,
        level_decided=decisions[-1].level_decided.value if decisions else None,
        decisions=[
            f"{each.at:%Y-%m-%d} {each.by}: {each.decision.value}, {each.level_decided.value}. {each.why}".strip()
            for each in decisions
        ],
        confidence=found.confidence_level,
        origin=(origin.name if origin else "") or (first.name if first else ""),
        origin_url=first.url if first else None,
        origin_reasons=list(origin.reasons) if origin else [],
    )


def _citations(case: Case) -> list[shapes.Citation]:
    snapshots = {finding.id: finding.snapshot for finding in case.findings}
    return [
        shapes.Citation(
            n=each.n, url=without_folders(each.url), quote=each.quote, snapshot=snapshots.get(each.finding_id, "")
        )
        for each in case.citations
    ]


def question_view(case: Case, asked: CaseQuestion, citations: Sequence[Cited]) -> shapes.QuestionResult:
    """A question and its answer."""
    further = f"search_further with case_id={case.id} and words={json.dumps(asked.question)} searches for it."
    return shapes.QuestionResult(
        case_id=case.id,
        question=asked.question,
        answered=asked.answered,
        answer=asked.answer,
        citations=_citations(case.model_copy(update={"citations": citations, "findings": asked.findings})),
        analyst=asked.analyst,
        next="" if asked.answered else further,
    )


def _verdicts(case: Case, most: int) -> list[shapes.VerdictResult]:
    """`most`: the maximum evidence on each side."""
    texts = {claim.id: claim.text for claim in case.claims}
    findings = {finding.id: finding for finding in case.findings}
    sources = {source.id: source for source in case.sources}

    def evidence(id: str) -> shapes.Evidence:
        finding = findings[id]
        source = sources.get(finding.source_id)
        return shapes.Evidence(
            **finding.model_dump(include={"source_id", "quote", "snapshot"}),
            finding_id=finding.id,
            title=source.title if source else "",
            url=without_folders(source.url) if source else "",
            tier=source.rating.tier if source else None,
            published=source.published.iso if source and source.published else None,
        )

    return [
        shapes.VerdictResult(
            **each.model_dump(include=_SAME_FIELDS),
            claim=texts.get(each.claim_id, ""),
            verdict=each.verdict.value,
            supporting=list(map(evidence, each.supporting[:most])),
            contradicting=list(map(evidence, each.contradicting[:most])),
        )
        for each in case.assessments
    ]
