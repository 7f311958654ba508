"""Pages that show what others have written: whom such a page names as its origin."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

from inquest.domain.document import Document
from inquest.domain.source import Category
from inquest.sources.ratings_table import built_in_ratings
from inquest.text.sentences import fold
from inquest.text.urls import is_web_url, registrable_domain

_TARGETS = ("url", "u", "q", "target", "source", "redirect")
"""Parameters in which aggregators hand on the address of the original."""


class NamedOrigin(NamedTuple):
    """Where the page says that it has its text from."""

    url: str
    how: str


def origin_named_by(document: Document) -> NamedOrigin | None:
    """The page that an aggregator's page goes back to, by what it says itself; None: it names none.

    By its canonical address elsewhere, by the address handed on in its own, or by a link to the publisher it names.
    It is a claim of the page's: it may show that two sources are one story, and never lends the page the rating of
    whom it names.
    """
    own = registrable_domain(document.url)
    canonical = document.canonical_url or ""
    if _elsewhere(canonical, own):
        return NamedOrigin(canonical, "its canonical address")
    if target := _handed_on(document.url, own):
        return NamedOrigin(target, "the address in its own")
    for name in filter(None, (document.publisher, document.author)):
        wanted = _letters(name).removeprefix("the")
        for link in document.links:
            # 'The Guardian' and theguardian.com, 'Reuters' and reuters.com.
            label = _letters(registrable_domain(link).split(".", 1)[0]).removeprefix("the")
            if wanted and wanted == label and _elsewhere(link, own):
                return NamedOrigin(link, f"a link to {name}, whom it names")
    return None


def _elsewhere(url: str, own: str) -> bool:
    if not is_web_url(url) or registrable_domain(url) == own:
        return False
    row = built_in_ratings().find(url)
    return row is None or row.category not in (Category.AGGREGATOR, Category.SOCIAL)


def _handed_on(url: str, own: str) -> str | None:
    try:
        parameters = dict(parse_qsl(urlsplit(url).query))
    except ValueError:
        return None
    found = (parameters.get(name, "") for name in _TARGETS)
    return next((target for target in found if _elsewhere(target, own)), None)


def _letters(name: str) -> str:
    return "".join(re.findall(r"[a-z0-9]+", fold(name)))
