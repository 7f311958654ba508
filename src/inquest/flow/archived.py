"""The archived texts of a case: those of its sources, and what the user wrote."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from hashlib import sha256

from inquest.domain.check import GIVEN_CLAIMS
from inquest.domain.document import Document, Snapshot
from inquest.domain.source import Source
from inquest.flow.services import Services


async def texts_of(sources: Iterable[Source], services: Services) -> dict[str, Document]:
    """The archived texts, by source id, in the order of the sources. Raises StorageError."""
    asked = list(sources)
    found = await asyncio.gather(*(services.archive.document(source.snapshot) for source in asked))
    return {source.id: document for source, document in zip(asked, found, strict=True) if document}


async def kept_words(text: str, services: Services) -> tuple[Snapshot, Document]:
    """The claims that a user wrote, archived like everything that is quoted. Raises StorageError."""
    body = text.encode()
    name = f"sha256:{sha256(body).hexdigest()}"
    url = f"{GIVEN_CLAIMS}{name[7:19]}"
    snapshot = Snapshot(
        hash=name, url=url, final_url=url, content_type="text/plain; charset=utf-8",
        retrieved_at=services.now(None), size=len(body), provenance="given by the user",
    )  # fmt: skip
    await services.archive.put(body, snapshot)
    document = await services.archive.put_document(
        Document(snapshot=name, url=url, title="The claims as they were given", text=text, kind="text")
    )
    return snapshot, document
