"""The collections as a service with requests and replies, like that of any other engine.

`collection://NAME/search?q=...&limit=...&since=...&until=...&exact=1` returns `{"by", "results": [{"id", "url",
"title", "snippet", "score", "published", "precision", "author", "language", "snapshot"}]}`, best first; `by` is 'words'
(BM25 scores) or 'meaning' (words and meaning, scores from 0 to 1). The HTTP client records and replays its replies like
all others.
"""

from __future__ import annotations

import asyncio
from datetime import datetime
from urllib.parse import SplitResult, unquote

from inquest.collection.entry import SearchFilter
from inquest.collection.library import Library, keep_originals
from inquest.collection.local_replies import local_reply
from inquest.collection.searching import CollectionSearch
from inquest.domain.errors import InputError
from inquest.domain.value import JsonObject, JsonValue
from inquest.kit.exchange import Reply, Request
from inquest.kit.ports import Archive, Clock
from inquest.text.dates import utc

MOST_RESULTS = 1000


class CollectionService:
    """Answers requests with the scheme `collection`."""

    def __init__(self, library: Library, search: CollectionSearch, archive: Archive, clock: Clock) -> None:
        self._library, self._search, self._archive, self._clock = library, search, archive, clock

    async def __call__(self, request: Request) -> Reply:
        """200 with results, which are then in the archive; 400 for an invalid request, 404 for an unknown collection.
        Raises StorageError."""
        return await local_reply(request, self._answer, self._clock)

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
