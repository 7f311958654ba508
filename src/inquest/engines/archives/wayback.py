"""The Internet Archive's captures of an address, earliest first. The query's text is the address. No key."""

from __future__ import annotations

import re
from collections.abc import Generator
from urllib.parse import urlsplit

from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import count, stamp, words
from inquest.kit.engine import Engine, EngineSpec, Limits, ranked
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import Fields, as_text, present, web_url
from inquest.sources.originals import captures_of_json, captures_of_text, closest_of
from inquest.text.dates import parse_date
from inquest.text.urls import with_scheme


class Wayback(Engine):
    """Captures by the Wayback Machine. The date is that of the capture, not that of the text."""

    spec = EngineSpec(
        name="wayback",
        title="Wayback Machine",
        kinds=(EngineKind.ARCHIVE,),
        homepage="https://web.archive.org/",
        documentation="https://github.com/internetarchive/wayback/blob/master/wayback-cdx-server/README.md",
        limits=Limits(per_second=1, concurrency=1),
        filters_time=True,
    )

    def request(self, query: Query) -> Request:
        page = with_scheme(words(query.model_copy(update={"exact": False}), limit=4000))
        if query.near:
            return self.get("https://archive.org/wayback/available", {"url": page, "timestamp": stamp(query.near)})
        return self._index(page, query, {"from": stamp(query.since), "to": stamp(query.until), "collapse": "digest"})

    def _index(self, page: str, query: Query, filters: dict[str, str | None]) -> Request:
        parameters = {"url": page, "limit": count(query, 1000), **filters, "filter": "!statuscode:[45].."}
        return self.get("https://web.archive.org/cdx/search/cdx", parameters)

    def search(self, query: Query) -> Generator[Request, Reply, list[Hit]]:
        found = yield from super().search(query)
        if query.near and not found:
            # The quick look-up sometimes misses captures that the index has.
            page = with_scheme(words(query.model_copy(update={"exact": False}), limit=4000))
            reply = yield self._index(page, query, {"sort": "closest", "closest": stamp(query.near)})
            found = self.parsed(reply, self.parse)
        best = closest_of(found, query.near) if query.near else None
        return [best.model_copy(update={"rank": 1})] if best else found

    def parse(self, reply: Reply) -> list[Hit]:
        text = reply.text().strip()
        if text and not re.search(r"\A[\[{<]|^\S+ \d{4,14} \S", text, re.MULTILINE):
            raise self.refusal(text)
        rows = captures_of_json(reply.json()) if text.startswith(("[", "{")) else captures_of_text(text)
        found = self.hits(rows, lambda row: self._hit(row, reply))
        once = {hit.url: hit for hit in sorted(found, key=lambda hit: str(hit.details["timestamp"]))}
        return ranked(once.values())

    def _hit(self, row: Fields, reply: Reply) -> Hit | None:
        stamp, original, status = as_text(row["timestamp"]), web_url(row["original"]), as_text(row.get("statuscode"))
        published = parse_date(stamp, now=reply.at, how="archive")
        if status[:1] in ("4", "5"):
            return None  # a capture of an error is not a capture of the page
        if published is None or not re.fullmatch(r"\d{4,14}", stamp):
            raise ValueError("a capture without a date")
        return Hit(
            url=f"https://web.archive.org/web/{stamp}/{original}",
            title=original,
            snippet=f"Captured {published.iso}" + (f", status {status}" if status.isdigit() else ""),
            published=published,
            publisher=urlsplit(original).hostname,
            details=present(
                timestamp=stamp,
                original=original,
                raw_url=f"https://web.archive.org/web/{stamp}id_/{original}",
                status=status,
                digest=as_text(row.get("digest")),
                content_type=as_text(row.get("mimetype")),
            ),
        )
