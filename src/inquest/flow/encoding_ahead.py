"""Sentences of sources, encoded while something else is waited for: by their meaning it is
chosen which of them a model is shown for a claim, and encoding those of twenty pages takes a second."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from inquest.domain.document import Document
from inquest.domain.source import Source
from inquest.entailment.windows import Likeness
from inquest.flow.archived import texts_of
from inquest.flow.services import Services
from inquest.retrieval.passages import whole_passages
from inquest.text.languages import detect_language
from inquest.text.sentences import sentences


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
