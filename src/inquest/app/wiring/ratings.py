"""Ratings of sources, the user's own before those of the table; and the age of domains."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from inquest.app.settings import Settings, load_settings
from inquest.domain.document import Document
from inquest.domain.errors import EngineError, InputError, SettingError
from inquest.domain.reasons import sentences
from inquest.domain.report import Cost
from inquest.domain.source import DomainAge, Rating
from inquest.kit.domain_registry import NAME, ask_domain_age
from inquest.kit.exchange import Purpose, Reply, Request
from inquest.kit.ports import HttpClient
from inquest.sources.domain_age import age_warnings
from inquest.sources.ratings_table import load_ratings
from inquest.sources.tiers import rate, rate_document
from inquest.text.urls import clean, is_web_url, registrable_domain, with_scheme

_MOST_BYTES = 64 * 2**20


class Ratings:
    """kit.ports.Rater: the user's file first, then the ratings of collections in use, then the table."""

    def __init__(self, settings: Settings, more: Iterable[Path] = (), own_domains: Collection[str] = ()) -> None:
        """`own_domains`: those of the case's companies (`sources.owners`). Raises SettingError or InputError for a file
        that cannot be used."""
        self._own = frozenset(own_domains)
        files = ([settings.ratings] if settings.ratings else []) + list(more)
        self._extra = [load_ratings(_text(path), path.name) for path in files]
        self._documents: dict[tuple[str, str], Rating] = {}

    def publisher(self, url: str) -> Rating:
        """The rating of the publisher at the URL."""
        return rate(url, extra=self._extra, own_domains=self._own)

    def document(self, document: Document) -> Rating:
        """The publisher's rating, lowered for a press release. Cached, because a page is a source of many claims."""
        key = (document.url, document.snapshot)
        if key not in self._documents:
            self._documents[key] = rate_document(
                document.url,
                title=document.title,
                text=document.text,
                author=document.author,
                extra=self._extra,
                own_domains=self._own,
            )
        return self._documents[key]


def _text(path: Path) -> str:
    """Read UTF-8, or the UTF-16 of 'Unicode text' saved by spreadsheets."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise InputError(f"{path.name} is too large for a list of ratings: at most {_MOST_BYTES // 2**20} MB.")
        body = path.read_bytes()
    except OSError as error:
        raise SettingError(f"The ratings file {path} cannot be read.", advice="Check INQUEST_RATINGS.") from error
    try:
        return body.decode("utf-16" if body[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path.name} is not UTF-8 text.", advice="Save it as CSV in UTF-8.") from error


def rate_urls(urls: Sequence[str]) -> list[dict[str, Any]]:
    """The JSON of `inquest tier`, in the order of the URLs."""
    ratings = Ratings(load_settings())
    rows = []
    for url in urls:
        address = with_scheme(url)
        rating = ratings.publisher(clean(address) if is_web_url(address) else url)
        rows.append({"url": url, **rating.model_dump(mode="json")})
    return rows


_RESERVED = frozenset(("example", "test", "invalid", "localhost", "local", "internal"))
"""Top-level names without a registry (RFC 2606, RFC 6762)."""


async def domain_age(door: HttpClient, url: str) -> DomainAge:
    """Look up the registration date of the URL's domain with one request. Raises EngineError if the registry could not
    be asked, BudgetMet, NotRecorded."""
    conversation = ask_domain_age(url)
    try:
        request = next(conversation)
        while True:
            request = conversation.send(await door.fetch(request, purpose=Purpose.ENGINE, label=NAME))
    except StopIteration as end:
        age: DomainAge = end.value
        return age
    finally:
        conversation.close()


class RegistryAges:
    """kit.ports.RegistryAges through the case's client; each request counts as a search."""

    def __init__(self, door: HttpClient, spend: Callable[[Cost], None]) -> None:
        self._door, self._spend = door, spend

    async def age(self, url: str) -> DomainAge:
        domain = registrable_domain(url)
        if domain.rpartition(".")[2] in _RESERVED:
            return DomainAge(domain=domain, why_unknown="its top-level name is reserved and has no registry")
        return await domain_age(self, url)

    async def fetch(self, request: Request, *, purpose: Purpose, label: str = "") -> Reply:
        """kit.ports.HttpClient, counted."""
        reply = await self._door.fetch(request, purpose=purpose, label=label)
        if not reply.recorded:
            self._spend(Cost(search_calls=1))
        return reply


async def domain_ages_json(urls: Sequence[str]) -> list[dict[str, Any]]:
    """The ages in the order of the URLs; `could_not_ask` is the reason if a registry could not be asked."""
    from inquest.app.wiring.resources import open_resources

    async with open_resources() as app:
        door = await app.door()
        return list(await asyncio.gather(*(_age_json(door, url, app.clock.now()) for url in urls)))


async def _age_json(door: HttpClient, url: str, now: datetime) -> dict[str, Any]:
    try:
        age = await domain_age(door, url)
    except EngineError as error:
        return {"registered": None, "could_not_ask": str(error), "warnings": []}
    return {
        "registered": age.registered.iso if age.registered else None,
        "changed": age.changed.iso if age.changed else None,
        "expires": age.expires.iso if age.expires else None,
        "registrar": age.registrar,
        "why_unknown": age.why_unknown,
        "warnings": list(sentences(age_warnings(age, now=now))),
    }
