"""Bluesky: its public post search, without a key; sometimes the network closes it and answers 403.

Posts are as in the lexicons app.bsky.feed.defs#postView and app.bsky.actor.defs. The author writes a post's record,
including its date; the fields beside the record are the network's.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from datetime import datetime, timedelta

from inquest.domain.errors import EngineKeyRefused
from inquest.domain.search import Account, EngineKind, Hit, Post, PostKind, Query
from inquest.kit.dialect import count, instant, language_of
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import Fields, as_text, dated, dig, each, listed, listing, mapping, present
from inquest.kit.posts import asked_beside, links, moment, post_hit, tallies, terms, with_accounts
from inquest.text.regex import regex

_POST_URI = regex(r"at://(did:[a-z0-9]+:[\w.:%-]{1,200})/app\.bsky\.feed\.post/([\w.~:-]{1,100})", re.ASCII)
_HANDLE = regex(r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*", re.IGNORECASE)
_UNSEEN = frozenset(("!no-unauthenticated", "!hide", "!takedown"))
"""Labels of the protocol for posts that only signed-in users, or nobody, may see."""
_BACKDATED = timedelta(days=1)
"""A post that the network first saw later than this after its date was backdated or imported."""
# Its mirror public.api.bsky.app refuses more requests (github.com/bluesky-social/atproto/issues/3583).
_API = "https://api.bsky.app/xrpc"
_MOST_PROFILES = 25


class Bluesky(Engine):
    """Posts and, from a second call, their accounts: followers, age, description."""

    spec = EngineSpec(
        name="bluesky",
        title="Bluesky",
        kinds=(EngineKind.SOCIAL,),
        homepage="https://bsky.app/",
        documentation="https://docs.bsky.app/docs/api/app-bsky-feed-search-posts",
        # 3,000 calls in five minutes per address: docs.bsky.app/docs/advanced-guides/rate-limits.
        limits=Limits(per_second=2, concurrency=2),
        filters_time=True,
        filters_language=True,
    )
    refused_in = (("error",), ("message",))

    def request(self, query: Query) -> Request:
        parameters = {
            "q": " ".join(terms(query, most=12)) or "*",
            "sort": "top",
            "limit": count(query, 100),
            "since": instant(query.since),
            "until": instant(query.until),
            "lang": language_of(query.language),
        }
        return self.get(f"{_API}/app.bsky.feed.searchPosts", parameters)

    def search(self, query: Query) -> Generator[Request, Reply, list[Hit]]:
        reply = yield self.request(query)
        hits = self.parsed(reply, self.parse)[: query.limit]
        actors = list(dict.fromkeys(hit.identifiers["did"] for hit in hits))[:_MOST_PROFILES]
        if not actors:
            return hits
        profiles = Request(url=f"{_API}/app.bsky.actor.getProfiles?actors={'&actors='.join(actors)}")
        known = yield from asked_beside(self, profiles, _profiles)
        return with_accounts(hits, known) if isinstance(known, dict) else hits

    def check(self, reply: Reply) -> None:
        if reply.status in (401, 403):
            raise EngineKeyRefused(
                self.name,
                f"Bluesky currently restricts its search to signed-in users ({reply.status}).",
                advice="Try again later, or choose other engines.",
            )
        super().check(reply)

    def parse(self, reply: Reply) -> list[Hit]:
        data = reply.json()
        if data.get("error"):
            raise self.refusal(data.get("error"), data.get("message"))
        return self.hits(listed(data["posts"]), lambda item: self._hit(mapping(item), reply))

    def _hit(self, fields: Fields, reply: Reply) -> Hit | None:
        """Build a hit; None for a post that is hidden, or whose author restricts it to signed-in users."""
        labels = _labels(fields.get("labels"))
        if _UNSEEN & {*labels, *_labels(dig(fields, "author", "labels"))}:
            return None
        uri = as_text(fields.get("uri"))
        address = _POST_URI.fullmatch(uri)
        if not address:
            raise ValueError("a post without its address")
        did, key = address[1], address[2]
        record, account = mapping(fields.get("record")), _account(fields.get("author"), reply.at)
        published, seen = dated(record, "createdAt", now=reply.at), dated(fields, "indexedAt", now=reply.at)
        late = published and seen and seen.at - published.latest > _BACKDATED
        if seen and (published is None or published.at > seen.at):
            published = seen  # a date after the first sighting comes from a wrong clock
        kind, other = _other(record)
        post = Post(
            network="bluesky",
            id=key,
            kind=kind,
            account=account,
            original=_address(other[1], other[2]) if other else None,
            original_account=_quoted_handle(fields) if kind is PostKind.QUOTE else None,
            links=links(_linked(record, fields.get("embed"))),
            media=tuple(_media(fields.get("embed") or record.get("embed"))),
            labels=labels,
            **tallies(fields, likes="likeCount", reposts="repostCount", replies="replyCount", quotes="quoteCount"),
        )
        hit = post_hit(
            self,
            post,
            url=_address(account.handle if account else did, key),
            text=as_text(record.get("text")),
            published=published,
            language=language_of(dig(record, "langs", 0)),
        )
        first_seen = seen.at.isoformat() if seen and late else None
        return hit.model_copy(
            update={"identifiers": {"did": did, "at": uri}, "details": present(first_seen=first_seen)}
        )


def _profiles(reply: Reply) -> dict[str, Account]:
    """Return the accounts of a reply, by handle. Raises TypeError without a list of them."""
    found = (_account(item, reply.at) for item in listed(reply.json()["profiles"]))
    return {account.handle: account for account in found if account}


def _address(actor: str, key: str) -> str:
    return f"https://bsky.app/profile/{actor}/post/{key}"


def _labels(labels: object) -> tuple[str, ...]:
    """Return the labels of a post or an account that have not been withdrawn."""
    valid = [label for label in listing(labels) if dig(label, "neg") is not True]
    return tuple(dict.fromkeys(value for value in each(valid, "val") if isinstance(value, str) and value))[:10]


def _account(item: object, now: datetime) -> Account | None:
    fields = mapping(item)
    handle, did = as_text(fields.get("handle")), as_text(fields.get("did"))
    if not _HANDLE.fullmatch(handle) or handle.endswith(".invalid"):
        # An invalid handle is shown as handle.invalid; the account is then identified by its id.
        if not re.fullmatch(r"did:[a-z0-9]+:[\w.:%-]{1,200}", did, re.ASCII):
            return None
        handle = did
    marks = mapping(fields.get("verification"))
    trusted, valid = as_text(marks.get("trustedVerifierStatus")), as_text(marks.get("verifiedStatus"))
    own_domain = ":" not in handle and not handle.endswith(".bsky.social")
    return Account(
        handle=handle,
        name=as_text(fields.get("displayName")) or None,
        url=f"https://bsky.app/profile/{handle}",
        verified="valid" in (trusted, valid) if trusted or valid else None,
        verified_as="trusted verifier" if trusted == "valid" else f"domain {handle}" if own_domain else None,
        domain=handle if own_domain else None,
        created=moment(fields.get("createdAt"), now=now),
        **tallies(fields, followers="followersCount", following="followsCount", posts="postsCount"),
        bot=True if "bot" in _labels(fields.get("labels")) else None,
        description=as_text(fields.get("description")) or None,
    )


def _other(record: Fields) -> tuple[PostKind, re.Match[str] | None]:
    """Return the kind of the post, and the address of the post that it answers or quotes."""
    if reply := mapping(record.get("reply")):
        return PostKind.REPLY, _POST_URI.fullmatch(as_text(dig(reply, "parent", "uri")))
    embed = record.get("embed")
    for quoted in (dig(embed, "record", "uri"), dig(embed, "record", "record", "uri")):
        if found := _POST_URI.fullmatch(as_text(quoted)):
            return PostKind.QUOTE, found
    return PostKind.ORIGINAL, None


def _quoted_handle(fields: Fields) -> str | None:
    shown = dig(fields, "embed", "record")
    handle = as_text(dig(shown, "author", "handle")) or as_text(dig(shown, "record", "author", "handle"))
    return handle if _HANDLE.fullmatch(handle) else None


def _linked(record: Fields, shown: object) -> Iterator[object]:
    for facet in listing(record.get("facets")):
        yield from (dig(feature, "uri") for feature in listing(dig(facet, "features")))
    for embed in (record.get("embed"), shown):
        yield dig(embed, "external", "uri")
        yield dig(embed, "media", "external", "uri")


def _media(embed: object) -> Iterator[str]:
    """Yield the kinds of the attachments, which in a quote may be one level down."""
    for place in (embed, dig(embed, "media")):
        type_ = as_text(dig(place, "$type"))
        if type_.startswith("app.bsky.embed.images"):
            yield from ("photo" for _ in listing(dig(place, "images"))[:20])
        elif type_.startswith("app.bsky.embed.video"):
            yield "video"
