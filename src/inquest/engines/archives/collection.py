"""The user's own documents in collections; nothing leaves the machine."""

from __future__ import annotations

import re
from collections.abc import Generator
from urllib.parse import quote, unquote, urlsplit

from inquest.domain.errors import EngineUnavailable
from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import words
from inquest.kit.engine import Engine, EngineSpec, Limits, ranked
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import as_text, dated, mapping, number, present
from inquest.text.dates import at_precision, utc


class Collection(Engine):
    """Searches the configured collections and merges the results by score, or by rank if some collections were searched
    by words alone and others also by meaning, as their scores differ in kind."""

    spec = EngineSpec(
        name="collection",
        title="Your documents",
        kinds=(EngineKind.OWN,),
        homepage="docs/newsroom.md",
        documentation="docs/newsroom.md",
        limits=Limits(per_second=1000, concurrency=8),
        filters_time=True,
    )

    def lacks(self) -> str | None:
        return None if self.access.collections else "needs a collection: name one with --collection NAME"

    def request(self, query: Query) -> Request:
        return self._ask(self.access.collections[0] if self.access.collections else "default", query)

    def _ask(self, collection: str, query: Query) -> Request:
        parameters = {
            "q": words(query, limit=2000),
            "limit": max(1, query.limit),
            "since": utc(query.since).isoformat() if query.since else None,
            "until": utc(query.until).isoformat() if query.until else None,
        }
        return self.get(f"collection://{quote(collection, safe='')}/search", parameters)

    def search(self, query: Query) -> Generator[Request, Reply, list[Hit]]:
        found: list[Hit] = []
        kinds = set()
        for collection in self.access.collections:
            reply = yield self._ask(collection, query)
            found += self.parsed(reply, self.parse)
            kinds.add(mapping(reply.json()).get("by") == "meaning")
        found.sort(key=lambda hit: (hit.rank if len(kinds) > 1 else 0, -(hit.score or 0.0)))
        return ranked(found[: query.limit])

    def check(self, reply: Reply) -> None:
        if reply.status == 404:
            message = f"There is no collection named '{_name(reply)}' here."
            raise EngineUnavailable(self.name, message, advice="'inquest collection info' lists the collections.")
        super().check(reply)

    def parse(self, reply: Reply) -> list[Hit]:
        collection = _name(reply)
        return self.hits(reply.json()["results"], lambda item: _hit(item, collection, reply))


def _name(reply: Reply) -> str:
    return unquote(urlsplit(reply.url).netloc)


def _hit(item: object, collection: str, reply: Reply) -> Hit:
    fields = mapping(item)
    snapshot = fields.get("snapshot")
    if not isinstance(snapshot, str) or not re.fullmatch("sha256:[0-9a-f]{64}", snapshot):
        raise ValueError("a document of a collection without its snapshot")
    url, key = fields.get("url"), as_text(fields.get("id"))
    if not isinstance(url, str) or not urlsplit(url).scheme:
        url = f"collection://{quote(collection, safe='')}/{quote(key or snapshot, safe='')}"
    return Hit(
        url=url,
        title=as_text(fields.get("title")),
        snippet=as_text(fields.get("snippet")),
        published=at_precision(dated(fields, "published", now=reply.at, how="file"), fields.get("precision")),
        author=as_text(fields.get("author")) or None,
        language=as_text(fields.get("language")) or None,
        score=number(fields.get("score")),
        snapshot=snapshot,
        details=present(collection=collection, id=key),
    )
