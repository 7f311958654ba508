"""What posts of every social network share: their headline, their links, the account behind them, and a question that
may go unanswered."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import TypedDict, TypeVar, Unpack

from inquest.domain.errors import EngineError
from inquest.domain.leads import Account, Post
from inquest.domain.search import Hit, Query
from inquest.domain.value import Precision, Published
from inquest.kit.dialect import keywords, secrets
from inquest.kit.engine import Engine
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import web_url, whole
from inquest.text.dates import parse_date
from inquest.text.sentences import shorten

T = TypeVar("T")

_HEADLINE = 120
_MOST_LINKS = 20


def headline(text: str, account: Account | None) -> str:
    """A post has no title: its first words are one; of a post without words, who posted it."""
    return shorten(text, _HEADLINE) or (f"Post by @{account.handle}" if account else "Post without words")


def byline(account: Account | None) -> str | None:
    """Who posted, as readers know them: `Name (@handle)`."""
    if account is None:
        return None
    return f"{account.name} (@{account.handle})" if account.name else f"@{account.handle}"


def links(addresses: Iterable[object]) -> tuple[str, ...]:
    """The addresses that are web addresses, each once, in order; at most 20."""
    found: dict[str, None] = {}
    for given in addresses:
        try:
            found[web_url(given)] = None
        except ValueError:
            continue
    return tuple(found)[:_MOST_LINKS]


def moment(value: object, *, now: datetime) -> datetime | None:
    """The moment (or the day's beginning) that a service writes; None where it is not one, or only a month or a
    year."""
    found = parse_date(value, now=now)
    return found.at if found and found.precision in (Precision.DAY, Precision.TIME) else None


def terms(query: Query, *, most: int) -> list[str]:
    """The words that carry meaning, as `keywords` gives them, with hashtags written as such."""
    tags = dict.fromkeys(re.findall(r"(?<![\w#])#(\w+)", query.text))
    return [f"#{term}" if term in tags else term for term in keywords(query, most=most)]


def tally(value: object) -> int | None:
    """A number of likes, followers, ...; None for anything that is no count, -1 for 'hidden' included."""
    found = whole(value)
    return found if found is not None and found >= 0 else None


def flag(value: object) -> bool | None:
    """True or false where the service says one of them; None otherwise."""
    return value if isinstance(value, bool) else None


def signed(request: Request, token: str | None) -> Request:
    """The request with a bearer token that the door knows of; unchanged without one."""
    if not token:
        return request
    headers = (*request.headers, ("authorization", f"Bearer {token}"))
    return replace(request, headers=headers, secrets=(*request.secrets, *secrets(token)))


def asked_beside(
    engine: Engine, request: Request, parse: Callable[[Reply], T]
) -> Generator[Request, Reply, T | EngineError]:
    """Ask one more thing about hits that are found already, with `yield from`: the answer, or the error that it came
    to, so that what is found is not lost with it."""
    try:
        reply = yield request
        return engine.parsed(reply, parse)
    except EngineError as error:
        return error


class AboutPost(TypedDict, total=False):
    """What a network may say of a post beside its text."""

    title: str
    language: str | None


def post_hit(
    engine: Engine,
    rank: int,
    post: Post,
    *,
    url: str,
    text: str,
    published: Published | None,
    **about: Unpack[AboutPost],
) -> Hit:
    """The hit that leads to a post. `published` is the post's own time; without a `title` its first words are one."""
    return Hit(
        url=url,
        title=about.get("title") or headline(text, post.account),
        snippet=text,
        engine=engine.name,
        rank=rank,
        published=published,
        author=byline(post.account),
        publisher=engine.spec.title,
        language=about.get("language"),
        post=post,
    )


def with_accounts(hits: Iterable[Hit], known: Mapping[str, Account]) -> list[Hit]:
    """The hits with what else is known, by handle, of who posted them; the others as they are."""
    return [_with_account(hit, known) for hit in hits]


def handles(hits: Iterable[Hit]) -> list[str]:
    """Who posted the hits, each once, in order."""
    return list(dict.fromkeys(hit.post.account.handle for hit in hits if hit.post and hit.post.account))


def _with_account(hit: Hit, known: Mapping[str, Account]) -> Hit:
    account = known.get(hit.post.account.handle) if hit.post and hit.post.account else None
    if hit.post is None or account is None:
        return hit
    return hit.model_copy(update={"post": hit.post.model_copy(update={"account": account}), "author": byline(account)})
