"""Mastodon: posts known to one server. Full text with that server's token, by hashtag without one."""

from __future__ import annotations

from collections.abc import Generator
from datetime import datetime, timedelta
from urllib.parse import quote

from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import address, count, day, keywords, language_of
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import listed
from inquest.kit.mastodon_posts import read_post
from inquest.kit.posts import post_hit, signed
from inquest.kit.refusal import refusal
from inquest.text.dates import utc
from inquest.text.sentences import fold

_MOST_TAGS = 5


class Mastodon(Engine):
    """Searches posts whose authors allow it. A hashtag says less than a search, so that of a hashtag's posts only those
    are kept that have at least two of the query's words."""

    spec = EngineSpec(
        name="mastodon",
        title="Mastodon",
        kinds=(EngineKind.SOCIAL,),
        key="MASTODON_ACCESS_TOKEN",
        key_optional=True,
        url_setting="INQUEST_MASTODON_URL",
        homepage="https://joinmastodon.org/",
        documentation="https://docs.joinmastodon.org/methods/search/",
        # 300 calls in five minutes: docs.joinmastodon.org/api/rate-limits.
        limits=Limits(per_second=1, concurrency=2),
        filters_time=True,
        filters_language=True,
    )
    refused_in = (("error",),)  # that strangers may not ask is said with 422

    def request(self, query: Query) -> Request:
        base = (self.access.url or "https://mastodon.social").split("?")[0].rstrip("/")
        terms = keywords(query, most=8)
        if not self.access.key:
            # As a hashtag is written: the words run together; beside it each longer word for itself.
            tags = ["".join(char for char in term if char.isalnum()) for term in terms]
            whole = quote("".join(tags)[:100] or "news", safe="", errors="replace")
            others = "".join(f"&any[]={quote(tag, errors='replace')}" for tag in tags[:_MOST_TAGS] if len(tag) > 3)
            return Request(url=f"{base}/api/v1/timelines/tag/{whole}?limit={count(query, 40)}{others}")
        language = language_of(query.language)
        # The operators leave the day itself out.
        since, until = _moved(query.since, -1), _moved(query.until, 1)
        operators = (language and f"language:{language}", since and f"after:{since}", until and f"before:{until}")
        asked = " ".join([*terms, *(operator for operator in operators if operator)])
        parameters = {"q": asked, "type": "statuses", "limit": count(query, 40)}
        return signed(Request(url=address(f"{base}/api/v2/search", parameters)), self.access.key)

    def search(self, query: Query) -> Generator[Request, Reply, list[Hit]]:
        hits = self.parsed((yield self.request(query)), self.parse)
        if not self.access.key:
            terms = {fold(term) for term in keywords(query)}
            hits = [hit for hit in hits if sum(term in fold(hit.snippet) for term in terms) >= min(2, len(terms))]
            hits = [hit.model_copy(update={"rank": rank}) for rank, hit in enumerate(hits, 1)]
        return hits[: query.limit]

    def parse(self, reply: Reply) -> list[Hit]:
        data = reply.json()
        if not isinstance(data, list):
            if data.get("error"):
                raise refusal(self, data["error"])
            data = data["statuses"]
        return self.hits(listed(data), lambda item, rank: self._hit(item, rank, reply))

    def _hit(self, item: object, rank: int, reply: Reply) -> Hit | None:
        read = read_post(item, reply.at)
        if read is None:
            return None
        return post_hit(
            self, rank, read.post, url=read.url, text=read.text, published=read.published, language=read.language
        )


def _moved(moment: datetime | None, days: int) -> str | None:
    return day(utc(moment) + timedelta(days=days)) if moment and 1 < moment.year < 9999 else None
