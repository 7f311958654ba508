"""The archived texts of a case's sources."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from inquest.domain.document import Document
from inquest.domain.source import Source
from inquest.flow.services import Services


async def texts_of(sources: Iterable[Source], services: Services) -> dict[str, Document]:
    """The archived texts, by source id, in the order of the sources. Raises StorageError."""
    asked = list(sources)
    found = await asyncio.gather(*(services.archive.document(source.snapshot) for source in asked))
    return {source.id: document for source, document in zip(asked, found, strict=True) if document}
