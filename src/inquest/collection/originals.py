"""From a collection to the archive: what was found becomes evidence, with its bytes, at the moment it is found."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from inquest.collection.entry import FoundEntry
from inquest.collection.index import Index
from inquest.kit.ports import Archive


async def keep_originals(index: Index, found: Sequence[FoundEntry], archive: Archive) -> None:
    """Archive the found documents whose bytes only the index has. Raises StorageError."""

    async def keep(snapshot: str) -> None:
        original = await asyncio.to_thread(index.original, snapshot)
        if original:
            await archive.put(original.body, original.snapshot)
            await archive.put_document(original.document)

    await asyncio.gather(*(keep(one.snapshot) for one in found))
