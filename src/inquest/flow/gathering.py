"""Readings of passages and the findings made of them, for the claims of desks and of inquiries."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from inquest.claims.parts_of_claim import ClaimPart
from inquest.domain.check import DeskQuery
from inquest.domain.claim import Claim
from inquest.domain.document import Document
from inquest.domain.errors import ModelFormat
from inquest.domain.event import EventType, Stage
from inquest.domain.finding import Finding, Reading, Stance
from inquest.domain.report import OutageNote
from inquest.domain.search import Query
from inquest.domain.source import Source
from inquest.flow.services import Services
from inquest.kit.analyst import Passage, SourceReading
from inquest.kit.desk import Desk
from inquest.retrieval.answers import Search
from inquest.retrieval.reading import PageRead
from inquest.retrieval.retriever import Retriever
from inquest.text.grounding import check_grounded, place_of
from inquest.text.phrases import count
from inquest.text.sentences import Span, shorten


def query_for_engines(each: DeskQuery, desk: Desk, until: datetime | None) -> Query:
    """Return a desk's query as it is sent to engines, for nothing published after `until`."""
    latest = min(filter(None, (each.query.until, until)), default=None)
    return each.query.model_copy(update={"until": latest, "limit": desk.spec.results_per_query})


def opening(page: PageRead, relevance: float = 0.5) -> SourceReading:
    """Summarise a page by its first words, for pages that no analyst summarises."""
    assert page.document is not None
    return SourceReading(summary=shorten(page.document.text, 300), key_claims=(), relevance=relevance)


async def unanswered(
    planned: Mapping[str, Iterable[Search]], done: Collection[str], retriever: Retriever
) -> tuple[OutageNote, ...]:
    """Return the outages of searches for claims that were cut off. `planned`: by claim id; `done`: the other ids."""
    asked = {search for claim_id in done for search in planned.get(claim_id, ())}
    searches = dict.fromkeys(search for each in planned.values() for search in each)
    return await retriever.unanswered(search for search in searches if search not in asked)


_READ = ("stance", "contradiction_type", "confidence", "quote", "details", "reasons", "reason_codes")
"""Fields of a reading that its finding has too."""


async def judged(
    claim: Claim,
    passages: Sequence[Passage],
    services: Services,
    stage: Stage,
    *,
    statements: Sequence[str] = (),
    desk: str = "",
) -> tuple[tuple[Reading, ...], tuple[OutageNote, ...]]:
    """Return one reading per passage, and the outages: of the model, and of passages it gave no usable reading of."""
    found: tuple[Reading, ...] = ()
    outages: tuple[OutageNote, ...] = ()
    if passages:
        found, outages = await services.answered(
            lambda analyst: analyst.assess(claim.text, passages, statements=statements, desk=desk), stage
        )
    unusable = sum(judgement.stance is Stance.UNASSESSED for judgement in found)
    if unusable:
        name = services.analyst.name
        which = f"{unusable} of {len(found)} passages on claim {claim.id}"
        error = ModelFormat(name, f"{name} gave no usable assessment of {which}.")
        outages = (*outages, await services.outage("passages", name, error, stage))
    await services.events.emit(
        EventType.CLAIM_CHECKED,
        f"{count(len(passages), 'passage')} assessed: “{shorten(claim.text, 120)}”",
        stage=stage,
        claim_id=claim.id,
        claim_text=claim.text,
    )
    return found, outages


def finding_of(
    number: int, claim: Claim, source: Source, passage: Passage, judgement: Reading, texts: Mapping[str, Document]
) -> Finding:
    """Make the finding of a judged passage. `texts`: by snapshot. Raises Ungrounded if the quote is not in place."""
    start = passage.start + judgement.start
    fields = {
        "id": f"F{number}",
        "source_id": source.id,
        "agent": "inquiry",
        "summary": judgement.reasons[0] if judgement.reasons else "",
        **{name: getattr(judgement, name) for name in _READ},
    }
    return quoting(fields, texts[passage.snapshot], Span(start, start + len(judgement.quote)), claim)


def quoting(fields: Mapping[str, Any], document: Document, span: Span, claim: Claim) -> Finding:
    """Make a finding of `fields`, its quote at this span of the document. Raises Ungrounded if it is not there."""
    finding = Finding.model_validate(
        {
            **fields,
            "claim_id": claim.id,
            "snapshot": document.snapshot,
            "start": span.start,
            "end": span.end,
            "page": document.page_of(span.start),
            "place": place_of(document, span.start, span.end, claim.text),
        }
    )
    return check_grounded(finding, document.text)


def key_of(passage: Passage) -> str:
    """Return the place of the passage as a key."""
    return f"{passage.snapshot} {passage.start} {passage.start + len(passage.text)}"


def kept(passages: Sequence[Passage], judgements: Sequence[Reading]) -> dict[str, Reading]:
    """Return the readings that need not be repeated, by place: all but unusable ones."""
    return {
        key_of(passage): judgement
        for passage, judgement in zip(passages, judgements, strict=True)
        if judgement.stance is not Stance.UNASSESSED
    }


async def part_by_part(
    parts: Sequence[ClaimPart], judged: Sequence[tuple[Passage, Reading]], services: Services
) -> list[tuple[Passage, Reading]]:
    """Replace each passage that is neutral on the whole claim by its readings on single statements of it, if any. Only
    the local analyst needs this: it reads one statement at a time, whereas a model names the covered ones."""
    silent = [passage for passage, found in judged if found.stance is Stance.NEUTRAL]
    on_parts: dict[str, list[tuple[Passage, Reading]]] = {}
    for number, part in enumerate(parts if silent else (), 1):
        for passage, found in zip(silent, await services.local.assess(part.text, silent), strict=True):
            if found.stance.decides:
                reading = found.model_copy(update={"covers": (number,)})
                on_parts.setdefault(passage.id, []).append((passage, reading))
    return [part for each in judged for part in on_parts.get(each[0].id, [each])]
