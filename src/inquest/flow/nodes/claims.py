"""Claims: what the sources say, merged, ranked by importance and linked to who says it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from inquest.desks.inquiry.brief_claims import asserted, with_brief_claims
from inquest.domain.claim import Claim, Mention
from inquest.domain.document import Document
from inquest.domain.event import EventType, Stage
from inquest.domain.report import OutageNote
from inquest.domain.source import Source
from inquest.entailment.windows import Likeness
from inquest.flow.services import Services, texts_of
from inquest.flow.state import CaseState, Delta
from inquest.kit.analyst import ClaimDraft, SourceReading
from inquest.retrieval.passages import whole_passages
from inquest.text.languages import detect_language
from inquest.text.sentences import sentences

Choice = Callable[[tuple[Claim, ...]], tuple[Claim, ...]]
"""Which of the claims that were made are to be checked."""


async def claims(state: CaseState, services: Services, *, choose: Choice | None = None) -> Delta:
    """The claims of all sources that count, most important first. `choose`: where not all of them are to be checked."""
    assert state.plan is not None
    counted = [(s, state.readings[s.id]) for s in state.sources if not s.excluded and s.id in state.readings]
    # A topic is its own claim, and is looked for among those of the sources.
    own = asserted(state.brief.text, state.plan.questions) if state.brief.topic is None else {}
    if not counted and not own:
        return await _nothing(services, "No sources available for claim extraction.")
    await services.progress(Stage.CLAIMS, f"Extracting claims from {len(counted)} sources")
    topic, limit = state.plan.topic, state.brief.mode.settings.claim_limit
    drafts: tuple[ClaimDraft, ...] = ()
    outages: tuple[OutageNote, ...] = ()
    if counted:
        async with encoded_meanwhile([source for source, _ in counted], state.brief.text, services):
            drafts, outages = await services.judged(
                "claims", lambda analyst: analyst.merge(topic, counted, limit), Stage.CLAIMS
            )
    by_id = {source.id: (source, reading) for source, reading in counted}
    made = tuple(claim_of(number, draft, by_id) for number, draft in enumerate(drafts, 1))
    if own:
        made = with_brief_claims(own, made, limit)
    if choose is not None:
        made = choose(made)
    if not made:
        return await _nothing(services, "The sources make no claim that can be checked.")
    for claim in made:
        await services.events.emit(
            EventType.CLAIM_EXTRACTED,
            f'"{claim.text}"',
            stage=Stage.CLAIMS,
            claim_id=claim.id,
            claim_text=claim.text,
            importance=claim.importance,
            source_ids=list(claim.source_ids),
        )
    await services.events.emit(
        EventType.STAGE_FINISHED,
        f"Extracted {len(made)} checkable claims.",
        stage=Stage.CLAIMS,
        marker="PROGRESS",
        claims=len(made),
    )
    return {"claims": made, "outages": outages}


async def _nothing(services: Services, why: str) -> Delta:
    await services.events.emit(EventType.STAGE_FINISHED, why, stage=Stage.CLAIMS, marker="NO_CLAIMS_EXTRACTED")
    return {"markers": ("NO_CLAIMS_EXTRACTED",)}


def claim_of(number: int, draft: ClaimDraft, readings: dict[str, tuple[Source, SourceReading]]) -> Claim:
    """The claim that an analyst drafted, with who says it and where. `readings` by source id."""
    mentions = []
    for source_id, index in draft.members:
        source, reading = readings[source_id]
        key = reading.key_claims[index]
        mentions.append(
            Mention(source_id=source_id, snapshot=source.snapshot, quote=key.quote, start=key.start, end=key.end)
        )
    return Claim(
        id=f"C{number}",
        text=draft.text,
        type=draft.type,
        importance=draft.importance,
        mentions=tuple(mentions),
        queries=draft.queries,
    )


@asynccontextmanager
async def encoded_meanwhile(sources: Sequence[Source], about: str, services: Services) -> AsyncIterator[None]:
    """Encode the sources' sentences in a thread while the block runs, those in the language of `about` alone: others
    are shown whole. The analyst keeps what is encoded; nothing is decided here, and what is not done in time is done
    when it is wanted. Nothing where the local analyst judges, which has few of them encoded."""
    likeness = services.local.likeness if services.mind is not services.local else None
    work = asyncio.ensure_future(_encoded(sources, about, likeness, services)) if likeness is not None else None
    try:
        yield
    finally:
        if work is not None:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)


async def _encoded(sources: Sequence[Source], about: str, likeness: Likeness, services: Services) -> None:
    documents = await texts_of([each for each in sources if not each.excluded], services)
    await asyncio.to_thread(_remembered, list(documents.values()), about, likeness)


def _remembered(documents: Sequence[Document], about: str, likeness: Likeness) -> None:
    languages = {detect_language(about), None, ""}
    texts = [
        span.of(text)
        for document in documents
        if document.language in languages
        for text in whole_passages(document)
        for span in sentences(text)
    ]
    if texts:
        likeness(texts[0], texts)
