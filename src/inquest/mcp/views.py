"""Cases as the tools show them: the overview, and its parts page by page."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import BaseModel

from inquest.app.build import App
from inquest.app.cases.claim_decisions import as_shown
from inquest.app.cases.topic_records import decisions_of
from inquest.app.desks.briefs import answer_markdown
from inquest.domain.case import Case, CaseStatus
from inquest.domain.editorial import CaseQuestion
from inquest.domain.investigation import Review
from inquest.domain.report import Citation as Cited
from inquest.mcp.shapes import (
    CaseResult,
    Citation,
    Evidence,
    InvestigationView,
    Part,
    PlanResult,
    QuestionResult,
    VerdictResult,
)

_MOST_EVIDENCE, _IN_OVERVIEW = 5, 2
"""Pieces of evidence on each side of a verdict: in its own part, and in the overview."""
_VERDICTS_ROOM, _CITATIONS_ROOM = 18_000, 12_000
"""Characters that an overview has for them. With the summary it stays at about ten thousand tokens, beyond which
clients warn or cut off; a case of fifty claims would have three times that."""

_PIECE = 4_000
"""Characters of a field beyond which it is taken apart."""


async def overview(app: App, case: Case) -> CaseResult:
    """The state of the case, its summary and, as far as there is room, its verdicts and citations; what more there
    is, and how to read it, is said."""
    case = await as_shown(app, case)
    parts = app.case_json(case)
    verdicts, citations = _verdicts(case, _IN_OVERVIEW), _citations(case)
    shown, cited = _fitting(verdicts, _VERDICTS_ROOM), _fitting(citations, _CITATIONS_ROOM)
    return CaseResult(
        case_id=case.id,
        kind=case.kind.value,
        status=case.status.value,
        why=case.why,
        next=_next(case),
        brief=case.brief.text,
        plan=_plan(case) if case.status is CaseStatus.PLANNED else None,
        answer=answer_markdown(case) or None,
        summary=parts["summary"],
        citations=citations[:cited],
        verdicts=verdicts[:shown],
        more=[
            f"{total - here} of {total} {what} are not shown here: read_case with part='{what}' and offset={here}."
            for what, here, total in (
                ("verdicts", shown, len(verdicts)),
                ("citations", cited, len(citations)),
            )
            if here < total
        ],
        investigation=_investigation(case, await decisions_of(app, case.id) if case.investigation else ()),
        independent_sources=parts["independent_sources"],
        outages=[f"{note.what} {note.where}: {note.why}" for note in case.outages],
        cost_usd=case.cost.usd,
    )


async def case_view(app: App, case: Case, part: Part, offset: int, limit: int) -> CaseResult:
    """The overview, or a part of the case with where it appears. Raises InputError where there is no report."""
    case = await as_shown(app, case)
    if part == "overview":
        return await overview(app, case)
    bare = (await overview(app, case)).model_copy(
        update={
            "answer": None,
            "summary": None,
            "citations": [],
            "verdicts": [],
            "plan": None,
            "outages": [],
            "investigation": None,
            "more": [],
        }
    )
    if part == "plan":
        return bare.model_copy(update={"plan": _plan(case)})
    if part == "report":
        text = (await app.render(case, "md")).decode()
        return bare.model_copy(
            update={"report": text[offset : offset + limit], **_place(offset, limit, len(text))},
        )
    name: str = "items"
    items: list[Any]
    if part == "verdicts":
        name, items = part, _verdicts(case, _MOST_EVIDENCE)
    elif part == "citations":
        name, items = part, _citations(case)
    elif part == "investigation":
        items = list(_pieces(case.investigation.model_dump(mode="json"))) if case.investigation else []
    else:
        items = app.case_json(case)[part]
    many = _fitting(items[offset:], limit)
    return bare.model_copy(update={name: items[offset : offset + many], **_place(offset, many, len(items))})


def _pieces(whole: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The object in pieces that can be sent one by one: what is small first, then what is large, each a piece of the
    same form with that alone in it."""
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
    """How many of the first items fit into so many characters; the very first always does."""
    used = 0
    for number, each in enumerate(items):
        plain = each.model_dump(mode="json") if isinstance(each, BaseModel) else each
        used += _size(plain)
        if used > room and number:
            return number
    return len(items)


def _place(offset: int, many: int, total: int) -> dict[str, int | None]:
    return {"total": total, "next_offset": offset + many if offset + many < total else None}


def _next(case: Case) -> str:
    match case.status:
        case CaseStatus.PLANNED:
            return (
                f"Show the plan to the user; then run_inquiry with case_id={case.id} and answer='approve', 'reject', "
                "or what to change."
            )
        case CaseStatus.RUNNING:
            return (
                f"It is at work, or was cut off: run_inquiry with case_id={case.id} and approve=true goes on with it."
            )
        case CaseStatus.CANCELLED:
            if case.is_rejected:
                return "The plan was rejected; nothing was run."
            return f"run_inquiry with case_id={case.id} and approve=true goes on with it."
        case CaseStatus.FAILED:
            return "It failed; a new inquiry may do better."
    return f"read_case with case_id={case.id} and part='verdicts', 'report', 'findings' or 'sources' gives the rest."


def _plan(case: Case) -> PlanResult | None:
    plan = case.plan
    if plan is None:
        return None
    return PlanResult(
        topic=plan.topic,
        questions=list(plan.questions),
        meant=[each.shown for each in plan.meant],
        times=list(plan.times),
        queries=[query.text for query in plan.queries],
        engines=list(plan.engines),
        left_out=list(plan.left_out),
        notes=list(plan.notes),
        revision=plan.revision,
    )


def _investigation(case: Case, decisions: Sequence[Review]) -> InvestigationView | None:
    found = case.investigation
    if found is None:
        return None
    origin, first = found.origin, found.original_source
    return InvestigationView(
        topic_id=found.topic_id,
        level_before=found.upgrade.before.value,
        level_after=found.upgrade.new_level.value,
        level_decided=decisions[-1].level_decided.value if decisions else None,
        decisions=[
            f"{each.at:%Y-%m-%d} {each.by}: {each.decision.value}, {each.level_decided.value}. {each.why}".strip()
            for each in decisions
        ],
        reasons=list(found.upgrade.reasons),
        confidence=found.confidence_level,
        independent_credible=found.upgrade.independent_credible,
        single_source=found.upgrade.single_source,
        origin=(origin.name if origin else "") or (first.name if first else ""),
        origin_url=first.url if first else None,
        origin_reasons=list(origin.reasons) if origin else [],
        disputed_claims=list(found.disputed_claims),
        requires_human_review=found.requires_human_review,
        review_reason=found.review_reason,
    )


def _citations(case: Case) -> list[Citation]:
    snapshots = {finding.id: finding.snapshot for finding in case.findings}
    return [
        Citation(n=each.n, url=_shown(each.url), quote=each.quote, snapshot=snapshots.get(each.finding_id, ""))
        for each in case.citations
    ]


def question_view(case: Case, asked: CaseQuestion, citations: Sequence[Cited]) -> QuestionResult:
    """A question and its answer."""
    further = f"search_further with case_id={case.id} and words={json.dumps(asked.question)} searches for it."
    return QuestionResult(
        case_id=case.id,
        question=asked.question,
        answered=asked.answered,
        answer=asked.answer,
        citations=_citations(case.model_copy(update={"citations": citations, "findings": asked.findings})),
        analyst=asked.analyst,
        next="" if asked.answered else further,
    )


def _verdicts(case: Case, most: int) -> list[VerdictResult]:
    """`most`: pieces of evidence on each side."""
    texts = {claim.id: claim.text for claim in case.claims}
    findings = {finding.id: finding for finding in case.findings}
    sources = {source.id: source for source in case.sources}

    def evidence(ids: tuple[str, ...]) -> list[Evidence]:
        parts = []
        for finding in (findings[each] for each in ids[:most]):
            source = sources.get(finding.source_id)
            parts.append(
                Evidence(
                    finding_id=finding.id,
                    source_id=finding.source_id,
                    title=source.title if source else "",
                    url=_shown(source.url) if source else "",
                    tier=source.rating.tier if source else None,
                    published=source.published.iso if source and source.published else None,
                    quote=finding.quote,
                    snapshot=finding.snapshot,
                )
            )
        return parts

    return [
        VerdictResult(
            claim_id=each.claim_id,
            claim=texts.get(each.claim_id, ""),
            verdict=each.verdict.value,
            checked=each.checked,
            confidence=each.confidence,
            independent_sources=each.independent_sources,
            single_source=each.single_source,
            reasons=list(each.reasons),
            would_change=list(each.would_change),
            supporting=evidence(each.supporting),
            contradicting=evidence(each.contradicting),
        )
        for each in case.assessments
    ]


def _shown(url: str) -> str:
    """An address; of a file of the user's own its name alone."""
    return f"file:///{url.rsplit('/', 1)[-1]}" if url[:5].lower() == "file:" else url
