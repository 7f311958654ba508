"""Reddit: posts in all communities or in one named by the query (r/energy); needs an app's id and secret.

Objects ("things") are as the API lists them (reddit.com/dev/api; fields come and go): t3 is a post, t2 an account.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Generator
from urllib.parse import quote, urljoin

from inquest.domain.errors import EngineError, EngineFormat
from inquest.domain.search import Account, EngineKind, Hit, Post, PostKind, Query
from inquest.kit.dialect import address, count, secrets, with_key, words
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import Fields, as_text, dated, dig, listed, listing, mapping, number, web_url, whole
from inquest.kit.posts import (
    address_or_none,
    asked_beside,
    flag,
    links,
    moment,
    post_hit,
    tallies,
    tally,
    with_accounts,
)
from inquest.text.regex import regex
from inquest.text.urls import registrable_domain

_HANDLE = regex(r"[A-Za-z0-9_-]{1,30}")
"""The form of an account's name, which excludes '[deleted]'."""

_SITE = "https://www.reddit.com/"
_BY_REDDIT = frozenset(("reddit", "anti_evil_ops", "content_takedown", "copyright_takedown", "community_ops"))
_LONGEST_LABEL = 60
_HOSTED_MEDIA = {"image": "photo", "hosted:video": "video", "rich:video": "video"}
_GROUP = regex(r"(?a)(?:^|\s)/?r/(\w{2,21})\b")
_TOKEN = regex(r"[\x21-\x7e]{1,4000}")
_MOST_ACCOUNTS = 5


class Reddit(Engine):
    """Posts and, from further calls, the age of the first accounts. Its coarse time filter is not used."""

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
        text = query.model_copy(update={"text": _GROUP.sub(" ", query.text)})
        parameters = {"q": words(text), "limit": count(query, 100), "sort": "relevance", "t": "all", "type": "link"}
        path, only = (f"r/{group[1]}/search", {"restrict_sr": "1"}) if group else ("search", {})
        return Request(url=address(f"https://oauth.reddit.com/{path}", {**parameters, **only, "raw_json": "1"}))

    def search(self, query: Query) -> Generator[Request, Reply, list[Hit]]:
        token = self.parsed((yield self._sign_in()), self._token)
        hits = self.parsed((yield with_key(self.request(query), token)), self.parse)[: query.limit]
        known: dict[str, Account] = {}
        handles = dict.fromkeys(hit.post.account.handle for hit in hits if hit.post and hit.post.account)
        for handle in list(handles)[:_MOST_ACCOUNTS]:
            about = Request(url=f"https://oauth.reddit.com/user/{handle}/about?raw_json=1")
            found = yield from asked_beside(self, with_key(about, token), _account)
            if isinstance(found, Account):
                known[handle] = found
            elif isinstance(found, EngineError) and not isinstance(found, EngineFormat):
                break  # after a quota or refusal, further calls would fail too; a missing account is ignored
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
            raise self.refusal("unauthorized", data["error"])
        if not _TOKEN.fullmatch(data["access_token"]):
            raise ValueError("an invalid token")
        return str(data["access_token"])

    def parse(self, reply: Reply) -> list[Hit]:
        data = reply.json()
        if data.get("error"):
            raise self.refusal(as_text(data.get("message")) or data["error"])
        if data.get("kind") != "Listing" or "children" not in data["data"]:
            raise ValueError("not a listing")
        return self.hits(listed(dig(data, "data", "children")), lambda item: self._hit(item, reply))

    def _hit(self, item: object, reply: Reply) -> Hit:
        kind, fields = as_text(dig(item, "kind")), mapping(dig(item, "data"))
        if kind != "t3":
            raise ValueError(f"expected a post, got kind {kind[:20]!r}")
        url, text = _address(fields), as_text(fields.get("selftext"))
        crossposted = mapping(dig(fields, "crosspost_parent_list", 0))
        target = [] if fields.get("is_self") is True else [fields.get("url_overridden_by_dest") or fields.get("url")]
        ratio, gone = number(fields.get("upvote_ratio")), _gone(fields, text)
        flair, handle = as_text(fields.get("link_flair_text")), _handle(fields.get("author"))
        group = as_text(fields.get("subreddit")) or as_text(fields.get("subreddit_name_prefixed")).removeprefix("r/")
        post = Post(
            network="reddit",
            id=as_text(fields.get("id")) or url,
            kind=PostKind.REPOST if crossposted or fields.get("crosspost_parent") else PostKind.ORIGINAL,
            account=Account(handle=handle, url=_profile(handle)) if handle else None,
            original=address_or_none(_address, crossposted),
            original_account=_handle(crossposted.get("author")),
            links=tuple(link for link in links(target) if link.split("?")[0].rstrip("/") != url.rstrip("/")),
            media=_media(fields),
            edited=moment(fields.get("edited"), now=reply.at),
            gone=gone,
            labels=(flair[:_LONGEST_LABEL],) if flair else (),
            likes=whole(fields.get("score")),
            **tallies(fields, reposts="num_crossposts", replies="num_comments", views="view_count"),
            upvote_ratio=ratio if ratio is not None and 0 <= ratio <= 1 else None,
            group=group or None,
        )
        published, title = dated(fields, "created_utc", now=reply.at), as_text(fields.get("title"))
        hit = post_hit(self, post, url=url, text="" if gone else text, published=published)
        return hit.model_copy(update={"title": title}) if title else hit


def _account(reply: Reply) -> Account:
    """Parse an account. Raises ValueError for anything else."""
    data = reply.json()
    fields = mapping(dig(data, "data"))
    handle = as_text(fields.get("name"))
    employee = True if fields.get("is_employee") is True else None
    if dig(data, "kind") != "t2" or not _HANDLE.fullmatch(handle):
        raise ValueError("not an account")
    profile, parts = mapping(fields.get("subreddit")), (fields.get("link_karma"), fields.get("comment_karma"))
    counts = [part for part in (whole(part) for part in parts) if part is not None]
    total = whole(fields.get("total_karma"))
    return Account(
        handle=handle,
        name=as_text(profile.get("title")) or None,
        url=_profile(handle),
        # Its field 'verified' refers to the account's mail address, not to the person.
        verified=employee,
        verified_as="reddit employee" if employee else None,
        created=moment(fields.get("created_utc"), now=reply.at),
        followers=tally(profile.get("subscribers")),
        # Karma may be negative. The total, if present, includes awards.
        karma=total if total is not None else sum(counts) if counts else None,
        suspended=flag(fields.get("is_suspended")),
        description=as_text(profile.get("public_description")) or None,
    )


def _gone(fields: Fields, text: str) -> str | None:
    """Return the reason why the text is no longer shown. Reddit lists such posts with placeholders for text and
    author."""
    by = as_text(fields.get("removed_by_category"))
    if by in ("deleted", "author") or text == "[deleted]":
        return "deleted by its author"
    if by or text in ("[removed]", "[ Removed by moderator ]", "[ Removed by Reddit ]"):
        return "removed by Reddit" if by in _BY_REDDIT else "removed by moderators"
    # A link or media post has a placeholder only for its author.
    return "deleted with its account, or by its author" if as_text(fields.get("author")) == "[deleted]" else None


def _address(fields: Fields) -> str:
    """Return the permanent link without parameters."""
    path = fields.get("permalink")
    if not isinstance(path, str) or not path.strip():
        raise ValueError("a post without its permanent link")
    url = web_url(urljoin(_SITE, quote(path.strip(), safe="/:?=&%~+,;@!$'()*#-._")))
    if registrable_domain(url) != "reddit.com":
        raise ValueError("a permanent link to another site")
    return url.split("?")[0].split("#")[0]


def _handle(value: object) -> str | None:
    handle = as_text(value)
    return handle if _HANDLE.fullmatch(handle) else None


def _profile(handle: str) -> str:
    return f"{_SITE}user/{handle}/"


def _media(fields: Fields) -> tuple[str, ...]:
    gallery = len(listing(dig(fields, "gallery_data", "items")))
    if fields.get("is_gallery") is True or gallery:
        return ("photo",) * min(max(gallery, 1), 20)
    if fields.get("is_video") is True:
        return ("video",)
    hint = as_text(fields.get("post_hint"))
    return (_HOSTED_MEDIA[hint],) if hint in _HOSTED_MEDIA else ()
