"""Ratings of sources, the user's own before those of the table; and the age of domains."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

from inquest.app.settings import Settings, load_settings
from inquest.app.wiring.pages import counted
from inquest.domain.document import Document
from inquest.domain.errors import InputError, SettingError
from inquest.domain.report import Cost
from inquest.domain.source import DomainAge, Rating
from inquest.kit.domain_registry import NAME, ask_domain_age
from inquest.kit.ports import HttpClient
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


class RegistryAges:
    """kit.ports.RegistryAges through the case's client; each request counts as a search."""

    def __init__(self, door: HttpClient, spend: Callable[[Cost], None]) -> None:
        self._door, self._spend = door, spend

    async def age(self, url: str) -> DomainAge:
        domain = registrable_domain(url)
        if domain.rpartition(".")[2] in _RESERVED:
            return DomainAge(domain=domain, why_unknown="its top-level name is reserved and has no registry")
        conversation = ask_domain_age(url)
        try:
            request = next(conversation)
            while True:
                request = conversation.send(await counted(self._door, self._spend, request, NAME))
        except StopIteration as end:
            age: DomainAge = end.value
            return age
        finally:
            conversation.close()
