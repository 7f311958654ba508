"""Mastodon: posts known to one server, by full text with a token of the server, otherwise by hashtag.

Posts ("statuses") are as in docs.joinmastodon.org/entities/Status.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from datetime import datetime, timedelta
from urllib.parse import quote

from inquest.domain.search import Account, EngineKind, Hit, Post, PostKind, Query
from inquest.kit.dialect import count, day, keywords, language_of, with_key
from inquest.kit.engine import Engine, EngineSpec, Limits, ranked
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import Fields, as_text, dated, dig, each, listed, listing, mapping, web_url
from inquest.kit.posts import address_or_none, flag, links, moment, post_hit, tallies
from inquest.text.dates import utc
from inquest.text.markup import html_root
from inquest.text.sentences import fold
from inquest.text.urls import host_of

_MOST_TAGS = 5
_PUBLIC = ("public", "unlisted", "")
_MEDIA = {"image": "photo", "video": "video", "gifv": "animated_gif", "audio": "audio"}
_LONGEST = 100_000


class Mastodon(Engine):
    """Posts whose authors allow searching. A hashtag is less precise than a search, so that only posts with at least
    two of the query's words are kept."""

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
    refused_in = (("error",),)  # 422 if the server requires a token

    def request(self, query: Query) -> Request:
        base = (self.access.url or "https://mastodon.social").split("?")[0].rstrip("/")
        terms = keywords(query, most=8)
        if not self.access.key:
            # Hashtags: all words joined, and each longer word.
            tags = ["".join(char for char in term if char.isalnum()) for term in terms]
            whole = quote("".join(tags)[:100] or "news", safe="", errors="replace")
            others = "".join(f"&any[]={quote(tag, errors='replace')}" for tag in tags[:_MOST_TAGS] if len(tag) > 3)
            return Request(url=f"{base}/api/v1/timelines/tag/{whole}?limit={count(query, 40)}{others}")
        language = language_of(query.language)
        # The operators exclude the day itself.
        since, until = _moved(query.since, -1), _moved(query.until, 1)
        operators = (language and f"language:{language}", since and f"after:{since}", until and f"before:{until}")
        parameters = {"q": " ".join([*terms, *filter(None, operators)]), "type": "statuses", "limit": count(query, 40)}
        return with_key(self.get(f"{base}/api/v2/search", parameters), self.access.key)

    def search(self, query: Query) -> Generator[Request, Reply, list[Hit]]:
        hits = self.parsed((yield self.request(query)), self.parse)
        if not self.access.key:
            terms = {fold(term) for term in keywords(query)}
            hits = [hit for hit in hits if sum(term in fold(hit.snippet) for term in terms) >= min(2, len(terms))]
            hits = ranked(hits)
        return hits[: query.limit]

    def parse(self, reply: Reply) -> list[Hit]:
        data = reply.json()
        if not isinstance(data, list):
            if data.get("error"):
                raise self.refusal(data["error"])
            data = data["statuses"]
        return self.hits(listed(data), lambda item: self._hit(mapping(item), reply))

    def _hit(self, shown: Fields, reply: Reply) -> Hit | None:
        """Build a hit; None for a post that is not public, as a search also finds the token owner's private posts."""
        if as_text(shown.get("visibility")) not in _PUBLIC:
            return None
        reposted, quoted = mapping(shown.get("reblog")), mapping(dig(shown, "quote", "quoted_status"))
        url, words = _address(shown), reposted or shown
        kind, original, original_account = PostKind.ORIGINAL, None, None
        if reposted:
            kind, original = PostKind.REPOST, reposted
        elif shown.get("in_reply_to_id"):
            # Of the post that it answers, only the number on this server is known, and the author if mentioned.
            kind, original_account = PostKind.REPLY, _mentioned(shown, as_text(shown.get("in_reply_to_account_id")))
        elif quoted:
            kind, original = PostKind.QUOTE, quoted
        author = _account(dig(original, "account"), reply.at) if original else None
        attached = each(words.get("media_attachments"), "type")
        post = Post(
            network="mastodon",
            id=as_text(shown.get("id")) or url,
            kind=kind,
            account=_account(shown.get("account"), reply.at),
            original=address_or_none(_address, original) if original else None,
            original_account=author.handle if author else original_account,
            links=links(_linked(words)),
            media=tuple(_MEDIA.get(as_text(form), "file") for form in attached)[:20],
            edited=moment(words.get("edited_at"), now=reply.at),
            labels=("sensitive",) if words.get("sensitive") is True else (),
            **tallies(words, likes="favourites_count", reposts="reblogs_count", replies="replies_count"),
            **tallies(words, quotes="quotes_count"),
        )
        text = " ".join(part for part in (as_text(words.get("spoiler_text")), as_text(words.get("content"))) if part)
        return post_hit(
            self,
            post,
            url=url,
            text=text,
            published=dated(shown, "created_at", now=reply.at),
            language=language_of(words.get("language")),
        )


def _moved(moment: datetime | None, days: int) -> str | None:
    return day(utc(moment) + timedelta(days=days)) if moment and 1 < moment.year < 9999 else None


def _address(fields: Fields) -> str:
    """Return the address for readers; a repost has only that of its activity."""
    return web_url(fields.get("url") or dig(fields, "reblog", "url") or fields.get("uri"))


def _account(item: object, now: datetime) -> Account | None:
    fields = mapping(item)
    name, address = as_text(fields.get("acct")) or as_text(fields.get("username")), fields.get("url")
    url = next(iter(links([address])), None)
    if not name:
        return None
    proven = [link for link in listing(fields.get("fields")) if moment(dig(link, "verified_at"), now=now)]
    proofs = [host for host in (host_of(as_text(dig(link, "value"))) for link in proven) if host]
    return Account(
        # Accounts of the server itself lack its name.
        handle=name if "@" in name or not url else f"{name}@{host_of(url)}",
        name=as_text(fields.get("display_name")) or None,
        url=url,
        verified_as=f"linked from {proofs[0]}" if proofs else None,
        domain=proofs[0] if proofs else None,
        created=moment(fields.get("created_at"), now=now),
        **tallies(fields, followers="followers_count", following="following_count", posts="statuses_count"),
        bot=flag(fields.get("bot")),
        suspended=flag(fields.get("suspended")),
        description=as_text(fields.get("note")) or None,
    )


def _mentioned(fields: Fields, number: str) -> str | None:
    for mention in listing(fields.get("mentions")):
        if number and as_text(dig(mention, "id")) == number:
            return as_text(dig(mention, "acct")) or None
    return None


def _linked(fields: Fields) -> Iterator[object]:
    """Yield the links of the text, except mentions and hashtags, and that of the preview card."""
    content = fields.get("content")
    if isinstance(content, str) and "href" in content[:_LONGEST]:
        for anchor in html_root(content[:_LONGEST]).iter("a"):
            if not {"mention", "hashtag"} & set((anchor.get("class") or "").split()):
                yield anchor.get("href")
    yield dig(fields, "card", "url")
