"""The analyst that needs no model service, key or network: deterministic rules and a small model."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from inquest.analysts.assessing import LocalJudge
from inquest.claims.leaning import leaning_of
from inquest.claims.merging import PairSimilarity, merge_claims
from inquest.desks.inquiry.digest import events_of, read_document
from inquest.desks.inquiry.planning import plan_for
from inquest.desks.inquiry.writing import write_summary
from inquest.domain.document import Document
from inquest.domain.errors import ModelError
from inquest.domain.finding import Reading
from inquest.domain.plan import AnalysedUrl, Brief, Plan
from inquest.domain.report import Summary
from inquest.domain.search import EngineKind
from inquest.domain.source import Rating, Source
from inquest.entailment.windows import Likeness
from inquest.kit.analyst import (
    Analyst,
    ClaimDraft,
    DatedPassage,
    EventDraft,
    LeaningDraft,
    Passage,
    PlanDraft,
    SourceReading,
    WriteMaterial,
)
from inquest.kit.ports import PairReader, SentenceEncoder
from inquest.text.similarity import likeness


class LocalAnalyst(Analyst):
    """Deterministic, fast and cautious: undecided if it cannot tell."""

    name = "local"

    def __init__(self, reader: PairReader | None = None, encoder: SentenceEncoder | None = None) -> None:
        """`reader`: the small model that reads pairs for meaning; None: rules alone. `encoder`: recognises the same
        claim in different words; None: claims are merged by their wording."""
        self._judge = LocalJudge(reader, encoder)
        self._encoder = encoder
        self._reads = reader is not None
        self.local_model = reader.name if reader is not None else ""

    @property
    def likeness(self) -> Likeness | None:
        return self._judge.likeness if self._encoder is not None else None

    @property
    def outage(self) -> ModelError | None:
        """The error that made the small model unusable, if any."""
        return self._judge.outage

    async def plan(
        self,
        brief: Brief,
        user_sources: Sequence[AnalysedUrl],
        kinds: Sequence[EngineKind],
        *,
        change: str = "",
        before: Plan | None = None,
    ) -> PlanDraft:
        return plan_for(brief, user_sources, kinds, change=change, before=before)

    async def read(self, brief: Brief, topic: str, document: Document) -> SourceReading:
        return read_document(topic, brief.text, document)

    async def merge(
        self, topic: str, readings: Sequence[tuple[Source, SourceReading]], limit: int | None
    ) -> tuple[ClaimDraft, ...]:
        return merge_claims(topic, readings, limit, await self._likeness(readings))

    async def _likeness(self, readings: Sequence[tuple[Source, SourceReading]]) -> PairSimilarity | None:
        """Return the similarity of the claims in meaning; None without a usable encoder."""
        texts = list(dict.fromkeys(key.text for _, reading in readings for key in reading.key_claims))
        if self._encoder is None or len(texts) < 2:
            return None
        try:
            vectors = dict(zip(texts, await asyncio.to_thread(self._encoder.encode, texts), strict=True))
        except ModelError:
            self._encoder = None  # words alone show less, but nothing wrong
            return None
        return lambda one, other: likeness(vectors[one], vectors[other])

    async def assess(
        self, claim: str, passages: Sequence[Passage], *, statements: Sequence[str] = (), desk: str = ""
    ) -> tuple[Reading, ...]:
        if not self._reads:
            return self._judge.passages(claim, passages)
        # Reading takes milliseconds per sentence: claims are read concurrently, on every core.
        return await asyncio.to_thread(self._judge.passages, claim, passages)

    async def events(self, topic: str, passages: Sequence[DatedPassage]) -> tuple[EventDraft, ...]:
        return events_of(topic, passages)

    async def leanings(self, topic: str, sources: Sequence[tuple[Source, Document]]) -> tuple[LeaningDraft, ...]:
        return tuple(leaning_of(topic, source, document) for source, document in sources)

    async def classify(self, source_url: str, document: Document) -> Rating | None:
        """Return None: a single page does not show how reliable a publisher is; the rules by domain are in
        `sources.tiers`."""
        return None

    async def write(self, material: WriteMaterial, *, depth: str) -> Summary:
        return write_summary(material, depth=depth)
