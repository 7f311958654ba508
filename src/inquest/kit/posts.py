"""The common part of posts of social networks: headline, links, account, and additional requests that may fail."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Mapping
from datetime import datetime
from typing import TypeVar

from inquest.domain.errors import EngineError
from inquest.domain.search import Account, Hit, Post, Query
from inquest.domain.value import Precision, Published
from inquest.kit.dialect import keywords
from inquest.kit.engine import Engine
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import Fields, web_url, whole
from inquest.text.dates import parse_date
from inquest.text.sentences import shorten

T = TypeVar("T")

_HEADLINE = 120
_MOST_LINKS = 20


def byline(account: Account | None) -> str | None:
    """Return the author of a post: `Name (@handle)`."""
    if account and account.name:
        return f"{account.name} (@{account.handle})"
    return f"@{account.handle}" if account else None


def links(addresses: Iterable[object]) -> tuple[str, ...]:
    """Return the valid web addresses, each once, in order, at most 20."""
    found: dict[str, None] = {}
    for address in addresses:
        try:
            found[web_url(address)] = None
        except ValueError:
            continue
    return tuple(found)[:_MOST_LINKS]


def address_or_none(address: Callable[[Fields], str], fields: Fields) -> str | None:
    """Return the address that the network builds from the fields of another post; None if it cannot."""
    try:
        return address(fields)
    except ValueError:
        return None


def moment(value: object, *, now: datetime) -> datetime | None:
    """Parse a moment, or the beginning of a day; None for anything else, such as a month or year."""
    found = parse_date(value, now=now)
    return found.at if found and found.precision in (Precision.DAY, Precision.TIME) else None


def terms(query: Query, *, most: int) -> list[str]:
    """Return the `keywords`, with hashtags written as such."""
    tags = dict.fromkeys(re.findall(r"(?<![\w#])#(\w+)", query.text))
    return [f"#{term}" if term in tags else term for term in keywords(query, most=most)]


def tally(value: object) -> int | None:
    """Return a number of likes, followers, ...; None for anything else, including -1 for 'hidden'."""
    found = whole(value)
    return found if found is not None and found >= 0 else None


def tallies(fields: Fields, **names: str) -> dict[str, int | None]:
    """Return the `tally` of each field, by our name for it."""
    return {ours: tally(fields.get(theirs)) for ours, theirs in names.items()}


def flag(value: object) -> bool | None:
    """Return a JSON true or false; None for anything else."""
    return value if isinstance(value, bool) else None


def asked_beside(
    engine: Engine, request: Request, parse: Callable[[Reply], T]
) -> Generator[Request, Reply, T | EngineError]:
    """Send an additional request about existing hits, with `yield from`. Returns its result or its error, so that the
    hits are kept if it fails."""
    try:
        reply = yield request
        return engine.parsed(reply, parse)
    except EngineError as error:
        return error


def post_hit(
    engine: Engine, post: Post, *, url: str, text: str, published: Published | None, language: str | None = None
) -> Hit:
    """Build the hit of a post; its first words are the title."""
    unnamed = f"Post by @{post.account.handle}" if post.account else "Post without words"
    return Hit(
        url=url,
        title=shorten(text, _HEADLINE) or unnamed,
        snippet=text,
        published=published,
        author=byline(post.account),
        publisher=engine.spec.title,
        language=language,
        post=post,
    )


def with_accounts(hits: Iterable[Hit], known: Mapping[str, Account]) -> list[Hit]:
    """Replace the accounts of the hits by those known by their handles."""
    found = []
    for hit in hits:
        account = known.get(hit.post.account.handle) if hit.post and hit.post.account else None
        if hit.post and account:
            post = hit.post.model_copy(update={"account": account})
            hit = hit.model_copy(update={"post": post, "author": byline(account)})
        found.append(hit)
    return found
