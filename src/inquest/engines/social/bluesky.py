"""Bluesky: its public post search, without a key; the network shuts it to strangers at times, and then says 403."""

from __future__ import annotations

from collections.abc import Generator

from inquest.domain.errors import EngineKeyRefused
from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.bluesky_posts import read_post, read_profiles
from inquest.kit.dialect import address, count, instant, language_of
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import as_text, listed, present
from inquest.kit.posts import asked_beside, post_hit, terms, with_accounts
from inquest.kit.refusal import explained, refusal

# This host answers where its mirror public.api.bsky.app refuses (github.com/bluesky-social/atproto/issues/3583).
_API = "https://api.bsky.app/xrpc"
_MOST_PROFILES = 25


class Bluesky(Engine):
    """Posts, and in a second call the accounts behind them: followers, age, description."""

    spec = EngineSpec(
        name="bluesky",
        title="Bluesky",
        kinds=(EngineKind.SOCIAL,),
        homepage="https://bsky.app/",
        documentation="https://docs.bsky.app/docs/api/app-bsky-feed-search-posts",
        # 3,000 calls in five minutes for all of an address: docs.bsky.app/docs/advanced-guides/rate-limits.
        limits=Limits(per_second=2, concurrency=2),
        filters_time=True,
        filters_language=True,
        from_recordings=False,
    )

    def request(self, query: Query) -> Request:
        parameters = {
            "q": " ".join(terms(query, most=12)) or "*",
            "sort": "top",
            "limit": count(query, 100),
            "since": instant(query.since),
            "until": instant(query.until),
            "lang": language_of(query.language),
        }
        return Request(url=address(f"{_API}/app.bsky.feed.searchPosts", parameters))

    def search(self, query: Query) -> Generator[Request, Reply, list[Hit]]:
        reply = yield self.request(query)
        hits = self.parsed(reply, self.parse)[: query.limit]
        actors = list(dict.fromkeys(hit.identifiers["did"] for hit in hits))[:_MOST_PROFILES]
        if not actors:
            return hits
        asked = "&".join(f"actors={actor}" for actor in actors)
        profiles = Request(url=f"{_API}/app.bsky.actor.getProfiles?{asked}")
        known = yield from asked_beside(self, profiles, read_profiles)
        return with_accounts(hits, known) if isinstance(known, dict) else hits

    def check(self, reply: Reply) -> None:
        if reply.status in (401, 403):
            raise EngineKeyRefused(
                self.name,
                f"Bluesky does not let strangers search just now ({reply.status}).",
                advice="It does so at busy times: try again later, or leave it out with --engines.",
            )
        explained(self, reply, ("error",), ("message",))
        super().check(reply)

    def parse(self, reply: Reply) -> list[Hit]:
        data = reply.json()
        if data.get("error"):
            raise refusal(self, ": ".join(filter(None, (as_text(data.get("error")), as_text(data.get("message"))))))
        return self.hits(listed(data["posts"]), lambda item, rank: self._hit(item, rank, reply))

    def _hit(self, item: object, rank: int, reply: Reply) -> Hit | None:
        read = read_post(item, reply.at)
        if read is None:
            return None
        hit = post_hit(
            self, rank, read.post, url=read.url, text=read.text, published=read.published, language=read.language
        )
        seen = present(first_seen=read.first_seen.isoformat() if read.first_seen else None)
        return hit.model_copy(update={"identifiers": {"did": read.did, "at": read.uri}, "details": seen})
