"""What sources are worth, with the user's own ratings over the table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from inquest.app.settings import Settings, load_settings
from inquest.domain.errors import SettingError
from inquest.domain.source import Rating
from inquest.logic.tiers import load_ratings, rate
from inquest.logic.urls import clean, is_web_url, with_scheme

__all__ = ["rate_urls", "rater", "rating_json"]


def rater(settings: Settings, more: Iterable[Path] = ()) -> Callable[[str], Rating]:
    """The function that rates URLs: the user's file first, then the ratings of collections in use, then the table."""
    files = ([settings.ratings] if settings.ratings else []) + list(more)
    extra = [load_ratings(_text(path), path.name) for path in files]
    return lambda url: rate(url, extra=extra)


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingError(f"The ratings file {path} cannot be read.", advice="Check INQUEST_RATINGS.") from error


def rate_urls(urls: Sequence[str]) -> list[dict[str, Any]]:
    """The JSON of `inquest tier`, in the order asked."""
    rate_one = rater(load_settings())
    rows = []
    for url in urls:
        address = with_scheme(url)
        rating = rate_one(clean(address) if is_web_url(address) else url)
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
        "reasons": list(rating.reasons),
    }
