"""What an engine's hits are held to before anybody sees them: addresses, dates, and text that is only text."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from enum import Enum
from functools import lru_cache
from typing import TypeVar
from urllib.parse import quote, urlsplit

from inquest.domain.published import Published
from inquest.domain.search import Hit, Query
from inquest.domain.value import Value
from inquest.kit.dialect import hosts
from inquest.text import markup
from inquest.text.regex import regex
from inquest.text.sentences import shorten
from inquest.text.urls import host_of, is_web_url

_MAX_URL = 2048
_MAX_TITLE = 300
_MAX_SNIPPET = 2000
_MAX_NAME = 200
_MAX_RAW = 20_000
"""Characters of a field that are looked at at all."""


_ADDRESSES = frozenset(("url", "original", "links", "open_access_url"))
"""Fields of a lead's post, work and the like that hold addresses."""
_CONTROL = regex(r"[\x00-\x1f\x7f]")
_SURROGATE = regex(r"[\ud800-\udfff]")
_UNQUOTED = frozenset(' <>"\\')
"""What no URL holds as it is, and what could end one where it is shown."""

Lead = TypeVar("Lead", bound=Value)


def tidy(hits: Iterable[Hit], query: Query) -> list[Hit]:
    """The hits that may be followed, in time, of the domains asked for, as plain text, at most as many as the query
    asks for; order kept.

    Hits without a date are kept (requirement N4): that a date is missing says nothing about it.
    """
    kept: list[Hit] = []
    for hit in hits:
        if len(kept) >= query.limit:
            break
        url = hit.url.strip()
        ours = hit.snapshot is not None or url.lower().startswith(
            "collection://"
        )  # the user's own documents, which may be files
        if not (_may_be_followed(url) or (ours and len(url) <= _MAX_URL and not _CONTROL.search(url))):
            continue
        if not in_time(hit, query.since, query.until) or not (ours or in_domains(hit, query)):
            continue
        url = _escaped(url, ours=ours)
        review = hit.review and _only_text(hit.review)
        kept.append(
            hit.model_copy(
                update={
                    "url": url,
                    "title": plain(hit.title, _MAX_TITLE),
                    "snippet": plain(hit.snippet, _MAX_SNIPPET),
                    "author": plain(hit.author, _MAX_NAME) or None if hit.author else None,
                    "publisher": plain(hit.publisher, _MAX_NAME) or None if hit.publisher else None,
                    "post": hit.post and _only_text(hit.post),
                    "work": hit.work and _only_text(hit.work),
                    "review": review and review.model_copy(update={"url": review.url or url}),
                    "filing": hit.filing and _only_text(hit.filing),
                    "figures": tuple(_only_text(figure) for figure in hit.figures),
                }
            )
        )
    return kept


def _may_be_followed(url: str) -> bool:
    """A host with characters that nobody sees is made to be taken for another; a lone surrogate is no text."""
    if len(url) > _MAX_URL or not is_web_url(url) or _CONTROL.search(url) or _SURROGATE.search(url):
        return False
    return urlsplit(url).netloc.isprintable()


def _escaped(url: str, *, ours: bool) -> str:
    """The address with what nobody sees, and what could end it where it is shown, escaped; a file's name is its own."""
    return "".join(quote(char) if char in _UNQUOTED or not (ours or char.isprintable()) else char for char in url)


def _only_text(lead: Lead) -> Lead:
    """The lead with its words as plain text, and without addresses that may not be followed."""
    return lead.model_copy(update={name: _held(name, value) for name, value in lead})


def _held(name: str, value: object) -> object:
    if isinstance(value, tuple):
        return tuple(held for each in value if (held := _held(name, each)))
    if isinstance(value, Value):
        return value if isinstance(value, Published) else _only_text(value)
    if not isinstance(value, str) or isinstance(value, Enum):
        return value
    if name in _ADDRESSES:
        return _escaped(value.strip(), ours=False) if _may_be_followed(value.strip()) else None
    return plain(value, _MAX_SNIPPET)


def in_domains(hit: Hit, query: Query) -> bool:
    """Whether the hit is of the domains that the query names, and of none that it excludes.

    Not every engine can filter by domain itself. A redirect counts as its publisher's, where the engine says whose.
    """
    host = str(hit.details.get("publisher_domain") or "") or host_of(hit.url)

    def among(domains: tuple[str, ...]) -> bool:
        return any(host == domain or host.endswith(f".{domain}") for domain in domains)

    wanted = _written(query.domains)
    return (not wanted or among(wanted)) and not among(_written(query.exclude_domains))


@lru_cache(maxsize=256)
def _written(domains: tuple[str, ...]) -> tuple[str, ...]:
    """Every one of the domains, however many: what engines are told is cut short, and what they give is not."""
    return tuple(written for domain in domains for written in hosts((domain.strip().removeprefix("www."),)))


def in_time(hit: Hit, since: datetime | None, until: datetime | None) -> bool:
    """Whether the hit may have been published within the range, as exactly as its date is known."""
    if hit.published is None:
        return True
    if since is not None and _utc(hit.published.latest) < _utc(since):
        return False
    return until is None or _utc(hit.published.at) <= _utc(until)


def plain(text: str, limit: int) -> str:
    """The text of markup on one line, at most so long: `text.markup.plain`, and what shows is shortened."""
    return shorten(markup.plain(text[:_MAX_RAW]), limit)


def _utc(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
