"""The collections as something that is asked by request and answers by reply, like any other engine's service.

`collection://NAME/search?q=...&limit=...&since=...&until=...&exact=1` gives `{"by", "results": [{"id", "url",
"title", "snippet", "score", "published", "precision", "author", "language", "snapshot"}]}`, best first; `by` is 'words'
(scores are BM25) or 'meaning' (by both; scores are shares of 1). It is mounted on the
door, so that what was found is recorded and replayed like every other reply.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from urllib.parse import parse_qs, unquote, urlsplit

from inquest.collection.entry import FoundEntry, SearchFilter
from inquest.collection.library import Library, keep_originals
from inquest.collection.local_replies import local_reply
from inquest.collection.searching import CollectionSearch
from inquest.domain.errors import InputError
from inquest.domain.value import JsonObject
from inquest.kit.exchange import Reply, Request
from inquest.kit.ports import Archive, Clock

MOST_RESULTS = 1000


class CollectionService:
    """Answers requests whose scheme is `collection`."""

    def __init__(self, library: Library, search: CollectionSearch, archive: Archive, clock: Clock) -> None:
        self._library, self._search, self._archive, self._clock = library, search, archive, clock

    async def __call__(self, request: Request) -> Reply:
        """200 with results, 400 for a malformed request, 404 for a collection that does not exist.

        What is found is in the archive when the reply is given. Raises StorageError.
        """
        return await local_reply(request, self._answer, self._clock)

    async def _answer(self, url: str) -> JsonObject:
        parts = urlsplit(url)
        if parts.path != "/search":
            raise InputError(f"A collection is asked at /search, not at {parts.path or '/'}.")
        asked = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        text = asked.get("q", "").strip()
        # Engines write an exact phrase in quotation marks; a service of their own need not guess, and may be given it.
        quoted = len(text) > 2 and text[0] == text[-1] == '"' and '"' not in text[1:-1]
        name = unquote(parts.netloc)
        answer = await asyncio.to_thread(
            self._search,
            name,
            text,
            SearchFilter(
                limit=max(1, min(int(asked.get("limit", "10")), MOST_RESULTS)),
                exact=quoted or asked.get("exact") in ("1", "true"),
                since=_moment(asked.get("since")),
                until=_moment(asked.get("until")),
            ),
        )
        await keep_originals(self._library.index(name), answer.found, self._archive)
        by = "meaning" if answer.by_meaning else "words"
        return {"by": by, "results": [_result(one) for one in answer.found]}


def _result(found: FoundEntry) -> JsonObject:
    return {
        "id": found.id,
        "url": found.url,
        "title": found.title,
        "snippet": found.snippet,
        "score": found.score,
        "published": found.published.iso if found.published else None,
        "precision": found.published.precision.value if found.published else None,
        "author": found.author,
        "language": found.language,
        "snapshot": found.snapshot,
    }


def _moment(text: str | None) -> datetime | None:
    if not text:
        return None
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
