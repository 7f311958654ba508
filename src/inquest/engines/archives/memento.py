"""Memento: captures of an address in some thirty web archives at once. The query's text is the address. No key."""

from __future__ import annotations

from collections.abc import Generator
from urllib.parse import quote, urlsplit

from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import stamp, words
from inquest.kit.engine import Engine, EngineSpec, Limits, ranked
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import Fields, as_text, present, web_url
from inquest.sources.originals import closest_of, mementos_of_json, original_of
from inquest.text.dates import parse_date
from inquest.text.urls import with_scheme

_EARLIEST = "19900101000000"


class Memento(Engine):
    """Captures by the Internet Archive and by national and university archives, earliest first."""

    spec = EngineSpec(
        name="memento",
        title="Memento Time Travel",
        kinds=(EngineKind.ARCHIVE,),
        homepage="https://timetravel.mementoweb.org/",
        documentation="https://timetravel.mementoweb.org/guide/api/",
        limits=Limits(per_second=0.5, concurrency=1, timeout=60.0),  # none is published; it searches many archives
    )

    def request(self, query: Query) -> Request:
        page = with_scheme(words(query.model_copy(update={"exact": False}), limit=4000))
        # The look-up by date returns the first, closest and last capture; the full list may have many thousands.
        moment = stamp(query.near or query.since) or _EARLIEST
        page = quote(page, safe="/:?&=;,+@!*()'~%-._", errors="replace")[:6000]
        return Request(url=f"https://timetravel.mementoweb.org/api/json/{moment}/{page}")

    def check(self, reply: Reply) -> None:
        if reply.status != 404:  # no archive has the page
            super().check(reply)

    def parse(self, reply: Reply) -> list[Hit]:
        text = reply.text().strip()
        if reply.status == 404:
            return []
        if not text.startswith("{"):
            raise self.refusal(text)
        found = self.hits(mementos_of_json(reply.json()), lambda row: self._hit(row, reply))
        once = {hit.url: hit for hit in sorted(found, key=lambda hit: str(hit.details["timestamp"]))}
        return ranked(once.values())

    def search(self, query: Query) -> Generator[Request, Reply, list[Hit]]:
        found = yield from super().search(query.model_copy(update={"limit": 1000}))
        best = closest_of(found, query.near) if query.near else None
        return [best.model_copy(update={"rank": 1})] if best else found[: query.limit]

    def _hit(self, row: Fields, reply: Reply) -> Hit:
        url, published = web_url(row["uri"]), parse_date(row["datetime"], now=reply.at, how="archive")
        if published is None:
            raise ValueError("a capture without a date")
        original = as_text(row.get("original")) or original_of(url) or url
        return Hit(
            url=url,
            title=original,
            snippet=f"Captured {published.iso} by {urlsplit(url).hostname}",
            published=published,
            publisher=urlsplit(with_scheme(original)).hostname,
            details=present(timestamp=stamp(published.at), original=original, archive=urlsplit(url).hostname),
        )
