"""Posts ("statuses") of Mastodon and of servers that speak its API (docs.joinmastodon.org/entities/Status)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from inquest.domain.leads import Account, Post, PostKind
from inquest.domain.published import Published
from inquest.kit.dialect import language_of
from inquest.kit.fields import as_text, dated, dig, each, listing, mapping, web_url
from inquest.kit.posts import flag, links, moment, tally
from inquest.text.markup import html_root
from inquest.text.urls import host_of

_PUBLIC = ("public", "unlisted", "")
_MEDIA = {"image": "photo", "video": "video", "gifv": "animated_gif", "audio": "audio"}
_LONGEST = 100_000


@dataclass(frozen=True, slots=True)
class MastodonPost:
    """One post, read."""

    url: str
    text: str
    published: Published | None
    language: str | None
    post: Post


def read_post(item: object, now: datetime) -> MastodonPost | None:
    """The post of one status; None for one that is not public: a search with a token finds the token owner's own
    letters too. Raises ValueError where it has no address."""
    shown = mapping(item)
    if as_text(shown.get("visibility")) not in _PUBLIC:
        return None
    reposted, quoted = mapping(shown.get("reblog")), mapping(dig(shown, "quote", "quoted_status"))
    url, words = _address(shown), reposted or shown
    kind, original, original_account = PostKind.ORIGINAL, None, None
    if reposted:
        kind, original = PostKind.REPOST, reposted
    elif shown.get("in_reply_to_id"):
        # Of what is answered only its number on this server is told, and who wrote it where that is mentioned.
        kind, original_account = PostKind.REPLY, _mentioned(shown, as_text(shown.get("in_reply_to_account_id")))
    elif quoted:
        kind, original = PostKind.QUOTE, quoted
    author = _account(dig(original, "account"), now) if original else None
    post = Post(
        network="mastodon",
        id=as_text(shown.get("id")) or url,
        kind=kind,
        account=_account(shown.get("account"), now),
        original=_address_or_none(original) if original else None,
        original_account=author.handle if author else original_account,
        links=links(_linked(words)),
        media=tuple(_MEDIA.get(as_text(kind), "file") for kind in each(words.get("media_attachments"), "type"))[:20],
        edited=moment(words.get("edited_at"), now=now),
        labels=("sensitive",) if words.get("sensitive") is True else (),
        likes=tally(words.get("favourites_count")),
        reposts=tally(words.get("reblogs_count")),
        replies=tally(words.get("replies_count")),
        quotes=tally(words.get("quotes_count")),
    )
    text = " ".join(part for part in (as_text(words.get("spoiler_text")), as_text(words.get("content"))) if part)
    return MastodonPost(url, text, dated(shown, "created_at", now=now), language_of(words.get("language")), post)


def _address(fields: dict[str, Any]) -> str:
    """Where people read it; a repost has only the address of its activity."""
    return web_url(fields.get("url") or dig(fields, "reblog", "url") or fields.get("uri"))


def _address_or_none(fields: dict[str, Any]) -> str | None:
    try:
        return _address(fields)
    except ValueError:
        return None


def _account(item: object, now: datetime) -> Account | None:
    fields = mapping(item)
    name, address = as_text(fields.get("acct")) or as_text(fields.get("username")), fields.get("url")
    url = next(iter(links([address])), None)
    if not name:
        return None
    proven = [link for link in listing(fields.get("fields")) if moment(dig(link, "verified_at"), now=now)]
    proofs = [host for host in (host_of(as_text(dig(link, "value"))) for link in proven) if host]
    return Account(
        # The server's own accounts come without its name.
        handle=name if "@" in name or not url else f"{name}@{host_of(url)}",
        name=as_text(fields.get("display_name")) or None,
        url=url,
        verified_as=f"linked from {proofs[0]}" if proofs else None,
        domain=proofs[0] if proofs else None,
        created=moment(fields.get("created_at"), now=now),
        followers=tally(fields.get("followers_count")),
        following=tally(fields.get("following_count")),
        posts=tally(fields.get("statuses_count")),
        bot=flag(fields.get("bot")),
        suspended=flag(fields.get("suspended")),
        description=as_text(fields.get("note")) or None,
    )


def _mentioned(fields: dict[str, Any], number: str) -> str | None:
    for mention in listing(fields.get("mentions")):
        if number and as_text(dig(mention, "id")) == number:
            return as_text(dig(mention, "acct")) or None
    return None


def _linked(fields: dict[str, Any]) -> Iterator[object]:
    """The links of the words, without those to people and hashtags; then the one that is shown as a card."""
    content = fields.get("content")
    if isinstance(content, str) and "href" in content[:_LONGEST]:
        for anchor in html_root(content[:_LONGEST]).iter("a"):
            if not {"mention", "hashtag"} & set((anchor.get("class") or "").split()):
                yield anchor.get("href")
    yield dig(fields, "card", "url")
