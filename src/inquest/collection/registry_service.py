"""The tables of registers as a service with requests and replies: `registry://NAME/rows?q=COMPANY&limit=10`.

The HTTP client records and replays its replies like all others. Each row found is archived as a document with the hash
of the archived file of its table.
"""

from __future__ import annotations

import asyncio
from urllib.parse import SplitResult, quote

from inquest.collection.local_replies import local_reply
from inquest.collection.registry_store import RegistryFacts, RegistryRow, RegistryStore
from inquest.collection.registry_tables import RegistryTable, table_named
from inquest.domain.value import JsonObject
from inquest.kit.exchange import Reply, Request
from inquest.kit.ports import Archive, Clock
from inquest.kit.rows import row_document

_MOST = 100


class RegistryService:
    """Answers requests with the scheme `registry`."""

    def __init__(self, store: RegistryStore, archive: Archive, clock: Clock) -> None:
        self._store, self._archive, self._clock = store, archive, clock

    async def __call__(self, request: Request) -> Reply:
        """200 with rows (empty: not registered), 400 for a wrong number, 404 for a table that is not on this machine.
        Raises StorageError."""
        return await local_reply(request, self._answer, self._clock)

    async def _answer(self, address: SplitResult, parameters: dict[str, str]) -> JsonObject:
        table = table_named(address.netloc)
        limit = max(1, min(int(parameters.get("limit", "10")), _MOST))
        facts = await asyncio.to_thread(self._store.facts, table)
        found = await asyncio.to_thread(self._store.find, table, parameters.get("q", ""), limit)
        rows = [await self._kept(table, facts, each) for each in found]
        return {"table": facts.snapshot, "retrieved_at": facts.retrieved_at, "rows": [*rows]}

    async def _kept(self, table: RegistryTable, facts: RegistryFacts, row: RegistryRow) -> JsonObject:
        """Archive a row and return the data of its hit."""
        url = f"{table.homepage}?row={quote(f'{row.file}-{row.number}')}"
        first = next(iter(row.fields.values()), "").partition(": ")[2]
        title = f"{table.title}: {first} ({row.file}, row {row.number})"
        record: JsonObject = {
            "url": url,
            "title": title,
            "text": row.text,
            "publisher": table.publisher,
            "language": "en",
            "date": row.dated,
            "table": facts.snapshot,
            "retrieved_at": facts.retrieved_at,
            "attribution": table.attribution,
        }
        body, snapshot = row_document(
            record, table.name, self._clock.now(), parent=f"{table.title}, {facts.retrieved_at[:10]}"
        )
        await self._archive.put(body, snapshot)
        return {
            "url": url,
            "title": title,
            "snippet": row.text[:300],
            "date": row.dated,
            "snapshot": snapshot.hash,
            "form": row.form,
            "fields": {**row.fields},
            "unsure": row.unsure,
        }
