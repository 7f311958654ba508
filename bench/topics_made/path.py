"""A made topic on the way of an investigation, without search and network: pages are read, claims made of them and
judged, and the level found, by the same functions as in a case."""

from __future__ import annotations

import hashlib

from bench.topics_made.worlds import READ, MadePage, MadeTopic
from inquest.desks.verification.investigation_result import TopicMaterial, investigation_result
from inquest.desks.verification.topic_claims import claims_to_check, own_article
from inquest.domain.brief import Brief
from inquest.domain.document import Document, Precision, Published
from inquest.domain.finding import Finding, Stance
from inquest.domain.investigation import InvestigationResult
from inquest.domain.source import Source
from inquest.flow.judging import finding_of
from inquest.flow.nodes.claims import claim_of
from inquest.flow.nodes.gather import MINIMUM_RELEVANCE
from inquest.kit.analyst import Analyst, SourceReading
from inquest.retrieval.passages import passages_on
from inquest.sources.tiers import rating_of
from inquest.stories.stories import assign_stories

__all__ = ["investigated"]


async def investigated(made: MadeTopic, analyst: Analyst) -> tuple[InvestigationResult, TopicMaterial]:
    """The result for the topic, and what it rests on."""
    topic = made.topic
    brief = Brief(text=topic.title, topic=topic)
    readings: list[tuple[Source, SourceReading]] = []
    documents: dict[str, Document] = {}
    for page in made.pages:
        document = _document(page)
        reading = await analyst.read(brief, topic.title, document)
        if reading.relevance >= MINIMUM_RELEVANCE:
            source = _source(f"S{len(readings) + 1}", page, document)
            documents[source.id] = document
            readings.append((source, reading))
    sources = {each.id: each for each in assign_stories([source for source, _ in readings], documents)}
    by_id = {source.id: (sources[source.id], reading) for source, reading in readings}
    drafts = await analyst.merge(topic.title, list(by_id.values()), None) if by_id else ()
    drawn = tuple(claim_of(number, draft, by_id) for number, draft in enumerate(drafts, 1))
    claims = claims_to_check(drawn, topic, own_article(topic, sources))
    texts = {document.snapshot: document for document in documents.values()}
    findings: list[Finding] = []
    for claim in claims:
        passages = passages_on(claim.text, texts)
        for passage, judged in zip(passages, await analyst.assess(claim.text, passages), strict=True):
            if judged.stance is not Stance.NEUTRAL:
                source = next(each for each in sources.values() if each.snapshot == passage.snapshot)
                findings.append(finding_of(len(findings) + 1, claim, source, passage, judged, texts))
    gathered = TopicMaterial(
        now=READ,
        sources=sources,
        documents=documents,
        claims=claims,
        findings=findings,
    )
    return investigation_result(topic, gathered), gathered


def _document(page: MadePage) -> Document:
    return Document(
        snapshot="sha256:" + hashlib.sha256(f"{page.url}\n{page.text}".encode()).hexdigest(),
        url=page.url,
        title=page.title,
        published=_dated(page),
        publisher=_name(page),
        language="en",
        text=f"{page.title}\n\n{page.text}",
    )


def _dated(page: MadePage) -> Published:
    return Published(at=page.published, precision=Precision.TIME, how="metadata")


def _name(page: MadePage) -> str:
    return page.host.removesuffix(".example").replace("-", " ").title()


def _source(source_id: str, page: MadePage, document: Document) -> Source:
    rating = rating_of(page.host, page.score, [], category=page.category, press_release=page.release)
    return Source(
        id=source_id,
        url=page.url,
        title=page.title,
        domain=page.host,
        publisher=document.publisher,
        published=document.published,
        rating=rating,
        snapshot=document.snapshot,
        retrieved_at=READ,
    )
