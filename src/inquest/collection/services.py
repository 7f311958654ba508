"""The collections, and the tables of registers, as services with requests and replies, like those of any engine.

The HTTP client records and replays their replies.

`collection://NAME/search?q=...&limit=...&since=...&until=...&exact=1` returns `{"by", "results": [{"id", "url",
"title", "snippet", "score", "published", "precision", "author", "language", "snapshot"}]}`, best first; `by` is 'words'
(BM25 scores) or 'meaning' (words and meaning, scores from 0 to 1). `registry://NAME/rows?q=COMPANY&limit=10` returns
rows; each is archived as a document with the hash of the archived file of its table.
"""

from __future__ import annotations

import asyncio
import json
from abc import ABC, abstractmethod
from datetime import datetime
from urllib.parse import SplitResult, parse_qs, quote, unquote, urlsplit

from inquest.collection.entry import SearchFilter
from inquest.collection.library import Library, keep_originals
from inquest.collection.registry_store import RegistryFacts, RegistryRow, RegistryStore
from inquest.collection.registry_tables import RegistryTable, table_named
from inquest.collection.searching import CollectionSearch
from inquest.domain.errors import InputError, NotFound
from inquest.domain.value import JsonObject, JsonValue
from inquest.kit.exchange import Reply, Request
from inquest.kit.ports import Archive, Clock
from inquest.kit.rows import row_document
from inquest.text.dates import utc


class _LocalService(ABC):
    """Answers requests from this machine: 200 with the answer to the address and its query parameters, 400 if they are
    invalid, 404 if there is no such collection or table. Raises StorageError."""

    _clock: Clock

    async def __call__(self, request: Request) -> Reply:
        address = urlsplit(request.url)
        parameters = {name: values[-1] for name, values in parse_qs(address.query).items()}
        try:
            status, found = 200, await self._answer(address, parameters)
        except NotFound as error:
            status, found = 404, {"error": error.sentence}
        except (InputError, ValueError) as error:
            status, found = 400, {"error": str(error)}
        body, headers = json.dumps(found, ensure_ascii=False).encode(), (("content-type", "application/json"),)
        return Reply(url=request.url, status=status, headers=headers, body=body, at=self._clock.now())

    @abstractmethod
    async def _answer(self, address: SplitResult, parameters: dict[str, str]) -> JsonObject: ...


MOST_RESULTS = 1000


class CollectionService(_LocalService):
    """Answers requests with the scheme `collection` with results, which are then in the archive."""

    def __init__(self, library: Library, search: CollectionSearch, archive: Archive, clock: Clock) -> None:
        self._library, self._search, self._archive, self._clock = library, search, archive, clock

    async def _answer(self, address: SplitResult, parameters: dict[str, str]) -> JsonObject:
        if address.path != "/search":
            raise InputError(f"Invalid path '{address.path or '/'}': expected /search.")
        text = parameters.get("q", "").strip()
        # Engines write an exact phrase in quotation marks; other clients can set `exact`.
        quoted = len(text) > 2 and text[0] == text[-1] == '"' and '"' not in text[1:-1]
        name = unquote(address.netloc)
        answer = await asyncio.to_thread(
            self._search,
            name,
            text,
            SearchFilter(
                limit=max(1, min(int(parameters.get("limit", "10")), MOST_RESULTS)),
                exact=quoted or parameters.get("exact") in ("1", "true"),
                since=_moment(parameters.get("since")),
                until=_moment(parameters.get("until")),
            ),
        )
        await keep_originals(self._library.index(name), answer.found, self._archive)
        results: list[JsonValue] = [
            found.model_dump(exclude={"kind", "published"})
            | {
                "published": found.published.iso if found.published else None,
                "precision": found.published.precision.value if found.published else None,
            }
            for found in answer.found
        ]
        by = "meaning" if answer.by_meaning else "words"
        return {"by": by, "results": results}


def _moment(text: str | None) -> datetime | None:
    return utc(datetime.fromisoformat(text)) if text else None


MOST_ROWS = 100


class RegistryService(_LocalService):
    """Answers requests with the scheme `registry` with rows (none: not registered)."""

    def __init__(self, store: RegistryStore, archive: Archive, clock: Clock) -> None:
        self._store, self._archive, self._clock = store, archive, clock

    async def _answer(self, address: SplitResult, parameters: dict[str, str]) -> JsonObject:
        table = table_named(address.netloc)
        limit = max(1, min(int(parameters.get("limit", "10")), MOST_ROWS))
        facts = await asyncio.to_thread(self._store.facts, table)
        wanted = (parameters.get("q", ""), limit, parameters.get("first", "").split())
        found = await asyncio.to_thread(self._store.find, table, *wanted)
        rows = [await self._kept(table.of_file(each.heads), facts, each) for each in found]
        table_of = {"table": facts.snapshot, "retrieved_at": facts.retrieved_at}
        return {**table_of, "rows": [*rows]}

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
            "register": table.title,
            "attribution": f"{table.attribution}. {table.licence}",
            "fields": {**row.fields},
            "unsure": row.unsure,
        }
