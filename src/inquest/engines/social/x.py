"""X (Twitter): the posts of the last seven days by API v2's recent search; needs a bearer token."""

from __future__ import annotations

from collections.abc import Generator

from inquest.domain.errors import EngineError, EngineQuota
from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import address, count, instant, language_of
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import dig, listed, number
from inquest.kit.posts import post_hit, signed, terms
from inquest.kit.refusal import explained, refusal
from inquest.kit.x_posts import WHOLE, JoinedPost, read_post, within_reach

_A_POST, _AN_ACCOUNT = 0.005, 0.010
"""US dollars: docs.x.com/x-api/getting-started/pricing."""


class X(Engine):
    """Posts, but no plain reposts: an original tells how often it was reposted. Replies of the full-archive search
    have the same form."""

    spec = EngineSpec(
        name="x",
        title="X",
        kinds=(EngineKind.SOCIAL,),
        key="X_BEARER_TOKEN",
        homepage="https://x.com/",
        documentation="https://docs.x.com/x-api/posts/search/introduction",
        limits=Limits(per_second=0.5, concurrency=1),
        usd_per_call=0.15,  # ten posts and their accounts
        filters_time=True,
        sees_days=7,
        filters_language=True,
    )

    def request(self, query: Query) -> Request:
        language = language_of(query.language)
        operators = ["-is:retweet", f"lang:{language}" if language else ""]
        parameters = {
            # Every word must stand in the post; 512 characters are the most a query may have.
            "query": " ".join([*" ".join(terms(query, most=8))[:400].split(), *operators]).strip(),
            "max_results": max(10, count(query, 100)),
            "sort_order": "relevancy",
            "start_time": instant(query.since),
            "end_time": instant(query.until),
            **WHOLE,
        }
        return signed(Request(url=address("https://api.x.com/2/tweets/search/recent", parameters)), self.access.key)

    def search(self, query: Query) -> Generator[Request, Reply, list[Hit]]:
        reply = yield self.request(query)
        if reply.status == 400 and (query.since or query.until):
            # It wants both ends within the last seven days; only the reply says when that was.
            within = within_reach(query, reply.at)
            if within is None:
                said = "X's recent search reaches back seven days, and the question ends before that."
                raise EngineError(self.name, said, advice="Ask an engine that keeps older posts.")
            reply = yield self.request(within)
        return self.parsed(reply, self.parse)[: query.limit]

    def usd_of(self, reply: Reply) -> float:
        if not 200 <= reply.status < 300:
            return 0.0
        posts = (*listed(reply.json().get("data") or []), *listed(dig(reply.json(), "includes", "tweets") or []))
        accounts = listed(dig(reply.json(), "includes", "users") or [])
        return min(self.spec.usd_per_call, _A_POST * len(posts) + _AN_ACCOUNT * len(accounts))

    def check(self, reply: Reply) -> None:
        explained(self, reply, ("errors", 0, "message"), ("detail",))
        reset = number(reply.header("x-rate-limit-reset"))
        if reply.status == 429 and reset and not reply.header("retry-after"):
            wait = max(0.0, reset - reply.at.timestamp())
            raise EngineQuota(self.name, "X says its quota or rate is used up (429).", retry_after=wait)
        super().check(reply)

    def parse(self, reply: Reply) -> list[Hit]:
        data = reply.json()
        if "data" not in data and (data.get("errors") or data.get("title")):
            error = dig(data, "errors", 0)
            raise refusal(self, dig(error, "message") or dig(error, "detail") or data.get("detail") or data["title"])
        if "data" not in data and dig(data, "meta", "result_count") != 0:
            raise ValueError("neither posts nor a count of none")
        joined = JoinedPost.of(data)
        return self.hits(listed(data.get("data")), lambda item, rank: self._hit(item, rank, joined, reply))

    def _hit(self, item: object, rank: int, joined: JoinedPost, reply: Reply) -> Hit:
        it = read_post(item, joined, reply.at)
        return post_hit(self, rank, it.post, url=it.url, text=it.text, published=it.published, language=it.language)
