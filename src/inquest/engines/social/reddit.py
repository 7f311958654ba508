"""Reddit: posts, in all communities or in one that the query names (r/energy); needs an app's id and secret."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Generator

from inquest.domain.errors import EngineError, EngineFormat
from inquest.domain.leads import Account
from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import address, count, secrets, words
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import as_text, dig, listed
from inquest.kit.posts import asked_beside, handles, post_hit, signed, with_accounts
from inquest.kit.reddit_posts import read_account, read_post
from inquest.kit.refusal import refusal
from inquest.text.regex import regex

_GROUP = regex(r"(?a)(?:^|\s)/?r/(\w{2,21})\b")
_TOKEN = regex(r"[\x21-\x7e]{1,4000}")
_MOST_ACCOUNTS = 5


class Reddit(Engine):
    """Signs in, searches, and asks how old the first accounts are. Its time filter is only 'the last week' and such."""

    spec = EngineSpec(
        name="reddit",
        title="Reddit",
        kinds=(EngineKind.SOCIAL,),
        key="REDDIT_CLIENT_ID",
        second_key="REDDIT_CLIENT_SECRET",
        homepage="https://www.reddit.com/",
        documentation="https://www.reddit.com/dev/api/#GET_search",
        limits=Limits(per_second=1.5, concurrency=2),
    )
    refused_in = (("reason",), ("message",))

    def request(self, query: Query) -> Request:
        group = _GROUP.search(query.text)
        asked = query.model_copy(update={"text": _GROUP.sub(" ", query.text)}) if group else query
        parameters = {"q": words(asked), "limit": count(query, 100), "sort": "relevance", "t": "all", "type": "link"}
        path, only = (f"r/{group[1]}/search", {"restrict_sr": "1"}) if group else ("search", {})
        return Request(url=address(f"https://oauth.reddit.com/{path}", {**parameters, **only, "raw_json": "1"}))

    def search(self, query: Query) -> Generator[Request, Reply, list[Hit]]:
        token = self.parsed((yield self._sign_in()), self._token)
        hits = self.parsed((yield signed(self.request(query), token)), self.parse)[: query.limit]
        known: dict[str, Account] = {}
        for handle in handles(hits)[:_MOST_ACCOUNTS]:
            about = Request(url=f"https://oauth.reddit.com/user/{handle}/about?raw_json=1")
            found = yield from asked_beside(self, signed(about, token), read_account)
            if isinstance(found, Account):
                known[handle] = found
            elif isinstance(found, EngineError) and not isinstance(found, EngineFormat):
                break  # neither a quota nor a refusal gets better by asking on; one account that is gone is no matter
        return with_accounts(hits, known)

    def _sign_in(self) -> Request:
        key, second = self.access.key or "", self.access.second_key or ""
        basic = b64encode(f"{key}:{second}".encode()).decode()
        return Request(
            url="https://www.reddit.com/api/v1/access_token",
            method="POST",
            headers=(("authorization", f"Basic {basic}"), ("content-type", "application/x-www-form-urlencoded")),
            body=b"grant_type=client_credentials",
            secrets=(*secrets(key), *secrets(second), basic),
            reply_secrets=("access_token",),
        )

    def _token(self, reply: Reply) -> str:
        data = reply.json()
        if data.get("error"):
            raise refusal(self, ": ".join(filter(None, ("unauthorized", as_text(data["error"])))))
        if not _TOKEN.fullmatch(data["access_token"]):
            raise ValueError("a token that cannot be sent")
        return str(data["access_token"])

    def parse(self, reply: Reply) -> list[Hit]:
        data = reply.json()
        if data.get("error"):
            raise refusal(self, as_text(data.get("message")) or data["error"])
        if data.get("kind") != "Listing" or "children" not in data["data"]:
            raise ValueError("not a listing")
        return self.hits(listed(dig(data, "data", "children")), lambda item, rank: self._hit(item, rank, reply))

    def _hit(self, item: object, rank: int, reply: Reply) -> Hit:
        read = read_post(item, reply.at)
        return post_hit(self, rank, read.post, url=read.url, text=read.text, published=read.published, title=read.title)
