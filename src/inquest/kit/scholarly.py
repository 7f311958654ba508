"""The common part of engines of scholarly works: the hit of a work."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Required, TypedDict, Unpack

from inquest.domain.search import Hit, Work
from inquest.domain.value import JsonValue, Published
from inquest.kit.fields import doi_url, present
from inquest.text.dates import at_precision


class AboutWork(TypedDict, total=False):
    """The data of an engine's reply besides the work itself."""

    title: Required[str]
    snippet: str
    published: Published | None
    author: str | None
    publisher: str | None
    """Used if no venue is known."""
    language: str | None
    numbers: Mapping[str, str | None] | None
    """Its identifiers in indexes (arxiv, pmid, ...), besides the DOI."""
    details: Mapping[str, JsonValue] | None


def scholarly_hit(work: Work, *, url: object = None, otherwise: object = None, **about: Unpack[AboutWork]) -> Hit:
    """Build the hit of a work, at `url`, else its DOI, else `otherwise`. Raises ValueError without an address."""
    known = {"doi": work.doi} | dict(about.get("numbers") or {})
    return Hit(
        url=doi_url(None, url) if url else doi_url(work.doi, otherwise),
        title=about["title"],
        snippet=about.get("snippet", ""),
        published=about.get("published"),
        author=about.get("author"),
        publisher=work.venue or about.get("publisher") or None,
        language=about.get("language"),
        identifiers={name: value for name, value in known.items() if value},
        details=present(
            type=work.type,
            citations=work.citations,
            retracted=work.retracted or None,
            open_access_url=work.open_access_url,
            **(about.get("details") or {}),
        ),
        work=work,
    )


def year_if_new_year(published: Published | None) -> Published | None:
    """Reduce 1 January to its year: many indexes write a bare year that way."""
    new_year = published is not None and published.at.month == published.at.day == 1
    return at_precision(published, "year") if new_year else published
