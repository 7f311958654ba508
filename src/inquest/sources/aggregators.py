"""The origin that an aggregator's page names: its canonical address elsewhere, or the address handed on in its own."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

from inquest.domain.document import Document
from inquest.domain.source import Category
from inquest.sources.ratings_table import built_in_ratings
from inquest.text.urls import is_web_url, registrable_domain

_TARGETS = ("url", "u", "q", "target", "source", "redirect")
"""Parameters in which aggregators hand on the address of the original."""


class NamedOrigin(NamedTuple):
    """The address that a page gives as its origin, and the part of the page that gives it."""

    url: str
    how: str


def origin_named_by(document: Document) -> NamedOrigin | None:
    """The page that an aggregator's page says it goes back to; None: it names none.

    It is a claim of the page's: it may show that two sources are one story, and lends the page no rating.
    """
    own = registrable_domain(document.url)
    if _elsewhere(document.canonical_url or "", own):
        return NamedOrigin(document.canonical_url or "", "its canonical address")
    try:
        parameters = dict(parse_qsl(urlsplit(document.url).query))
    except ValueError:
        return None
    targets = (parameters.get(name, "") for name in _TARGETS)
    target = next((each for each in targets if _elsewhere(each, own)), None)
    return NamedOrigin(target, "the address in its own") if target else None


def _elsewhere(url: str, own: str) -> bool:
    if not is_web_url(url) or registrable_domain(url) == own:
        return False
    row = built_in_ratings().find(url)
    return row is None or row.category not in (Category.AGGREGATOR, Category.SOCIAL)
