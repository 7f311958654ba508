"""What sources are worth, with the user's own ratings over the table."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

from inquest.app.settings import Settings, load_settings
from inquest.domain.document import Document
from inquest.domain.errors import InputError, SettingError
from inquest.domain.source import Rating
from inquest.sources.ratings_table import load_ratings
from inquest.sources.tiers import rate, rate_document
from inquest.text.urls import clean, is_web_url, with_scheme

_MOST_BYTES = 64 * 2**20


class Ratings:
    """kit.ports.Rater: the user's file first, then the ratings of collections in use, then the table."""

    def __init__(self, settings: Settings, more: Iterable[Path] = (), own_domains: Collection[str] = ()) -> None:
        """`own_domains`: of the company that a case is about (`sources.own_domains`). Raises SettingError or InputError
        where a file cannot be used."""
        self._own = frozenset(own_domains)
        files = ([settings.ratings] if settings.ratings else []) + list(more)
        self._extra = [load_ratings(_text(path), path.name) for path in files]
        self._documents: dict[tuple[str, str], Rating] = {}

    def publisher(self, url: str) -> Rating:
        """The rating of whoever publishes at the URL."""
        return rate(url, extra=self._extra, own_domains=self._own)

    def document(self, document: Document) -> Rating:
        """The rating of a document: its publisher's, lowered where it is a press release. Each is rated once: a page
        is a source of many claims."""
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
    """UTF-8, or the UTF-16 in which spreadsheets save 'Unicode text'."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise InputError(f"{path.name} has more than {_MOST_BYTES // 2**20} MB, which is no list of ratings.")
        body = path.read_bytes()
    except OSError as error:
        raise SettingError(f"The ratings file {path} cannot be read.", advice="Check INQUEST_RATINGS.") from error
    try:
        return body.decode("utf-16" if body[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path.name} is no UTF-8 text.", advice="Save it as CSV in UTF-8.") from error


def rate_urls(urls: Sequence[str]) -> list[dict[str, Any]]:
    """The JSON of `inquest tier`, in the order asked."""
    ratings = Ratings(load_settings())
    rows = []
    for url in urls:
        address = with_scheme(url)
        rating = ratings.publisher(clean(address) if is_web_url(address) else url)
        rows.append({"url": url} | rating_json(rating))
    return rows


def rating_json(rating: Rating) -> dict[str, Any]:
    """A rating as others hold on to it (INTERFACES.md)."""
    return {
        "domain": rating.domain,
        "tier": rating.tier,
        "score": rating.score,
        "stars": rating.stars,
        "known": rating.known,
        "category": rating.category,
        "press_release": rating.press_release,
        "owner": rating.owner,
        "leaning": rating.leaning,
        "reasons": list(rating.reasons),
        "reason_codes": [each.model_dump(mode="json") for each in rating.reason_codes],
    }
