"""What a desk finds and reads for its claims, before anybody judges it: all its questions at once."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from inquest.domain.check import DeskQuery, InfoResponse
from inquest.domain.claim import Claim
from inquest.domain.document import Document
from inquest.domain.event import EventType, Stage
from inquest.domain.report import Coverage, OutageNote
from inquest.domain.search import Hit
from inquest.flow.asking import Asking
from inquest.flow.joining import new_outages
from inquest.flow.reading import Lead, PageRead, further_leads
from inquest.flow.services import Services
from inquest.flow.subjects import subject_for
from inquest.kit.analyst import Judgement
from inquest.kit.desk import Desk, Subject
from inquest.sources.ranking import rank_hits
from inquest.text.sentences import shorten

__all__ = ["DeskWork", "Gathered", "Gathering", "gather", "label_of"]


@dataclass(frozen=True)
class DeskWork:
    """What a desk is to do in one round."""

    claims: tuple[Claim, ...]
    subject: Subject
    queries: tuple[DeskQuery, ...]
    engines: tuple[str, ...]
    """Names of the engines that may be asked, in order of preference."""
    iteration: int = 1
    until: datetime | None = None
    """Nothing published later is evidence."""
    read: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """By claim id, the pages (comparison keys) that earlier rounds have read for it."""
    responses: Mapping[str, tuple[InfoResponse, ...]] = field(default_factory=dict)
    """By claim id, what others have answered this desk."""
    judged: Mapping[str, Mapping[str, Judgement]] = field(default_factory=dict)
    """By claim id and place, what this desk's judge has found in earlier rounds, for whatever desk: it is not asked
    again."""


@dataclass(frozen=True)
class Gathered:
    """What was found and read for one claim."""

    claim: Claim
    answers: list[tuple[DeskQuery, list[Hit]]]
    pages: list[tuple[PageRead, Lead]]
    """Those that were had."""
    read: tuple[str, ...]
    outages: tuple[OutageNote, ...]
    coverage: Coverage


@dataclass(frozen=True)
class Gathering:
    """What a desk has found in one round: of claims that were cut off, nothing."""

    claims: tuple[Gathered, ...]
    searches: int

    def pages_for(self, gathered: Gathered) -> dict[str, tuple[PageRead, Lead]]:
        """By snapshot, what a claim is judged by: a page that was read for one claim may bear on another. Each claim
        keeps its own way to a shared page: whose fetch came first must not show in the report."""
        had = [pair for each in reversed(self.claims) for pair in each.pages]
        return {page.document.snapshot: (page, lead) for page, lead in (*had, *gathered.pages) if page.document}

    def texts_for(self, gathered: Gathered) -> dict[str, Document]:
        """The same pages' texts."""
        return {name: page.document for name, (page, _) in self.pages_for(gathered).items() if page.document}


def label_of(desk: Desk, work: DeskWork) -> str:
    """What the desk's work of the round is called wherever it may be cut off: 'news round 1'."""
    return f"{desk.spec.name} round {work.iteration}"


async def gather(desk: Desk, work: DeskWork, services: Services) -> Gathering:
    """Search and read for every claim side by side. Raises nothing but what ends a case."""
    first = work.iteration == 1 and not any(query.request_id for query in work.queries)
    asked = Asking(desk, work.queries, work.engines, services, until=work.until, first=first)
    label = label_of(desk, work)
    try:
        gathered = await services.side_by_side(
            [(f"{label} {claim.id}", partial(_gather, claim, desk, work, asked, services)) for claim in work.claims]
        )
    finally:
        await asked.close()
    had = tuple(each for each in gathered if each is not None)
    return Gathering(claims=had, searches=asked.searches(each.claim for each in had))


async def _gather(claim: Claim, desk: Desk, work: DeskWork, asked: Asking, services: Services) -> Gathered:
    said = f'{desk.spec.title}: "{shorten(claim.text, 120)}"'
    await services.events.emit(
        EventType.CLAIM_INVESTIGATING,
        said,
        stage=Stage.DESKS,
        agent_name=desk.spec.agent,
        claim_id=claim.id,
        claim_text=claim.text,
    )
    answers, outages, coverage = await asked.answers(claim)
    leads = _leads(claim, desk, work, [hit for _, found in answers for hit in found], services)
    pages = await asyncio.gather(*(asked.page(lead) for lead in leads))
    further = further_leads(pages)
    leads, pages = [*leads, *further], [*pages, *await asyncio.gather(*(asked.page(lead) for lead in further))]
    return Gathered(
        claim=claim,
        answers=answers,
        pages=[(page, lead) for page, lead in zip(pages, leads, strict=True) if page.document is not None],
        read=tuple(lead.key for lead in leads),
        outages=new_outages([*outages, *(note for page in pages for note in page.outages)], ()),
        coverage=coverage + Coverage(unread=sum(page.document is None and bool(page.outages) for page in pages)),
    )


def _leads(claim: Claim, desk: Desk, work: DeskWork, hits: Sequence[Hit], services: Services) -> list[Lead]:
    """The best pages for the claim that no earlier round has read for it."""
    seen = set(work.read.get(claim.id, ()))
    topic = f"{subject_for(claim, work.subject).company} {claim.text}"
    leads = []
    for ranked in rank_hits(hits, topic=topic, rate=services.rater.publisher)[: desk.spec.results_per_claim]:
        lead = Lead(ranked.hit.url, ranked.hits, claim.queries[:1], ranked=ranked)
        if lead.key not in seen:
            seen.add(lead.key)
            leads.append(lead)
    return leads[: desk.spec.pages_per_claim]
