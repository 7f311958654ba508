"""Which publishers are at home at a place: by their name and domain, and by what the table of ratings says of them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from inquest.domain.source import Category, Source
from inquest.sources.economic_releases import country_in
from inquest.sources.ratings_table import built_in_ratings
from inquest.text.sentences import fold
from inquest.text.urls import registrable_domain

_SHORTEST = 4
"""Letters of a place's name that can be looked for in a domain; shorter ones stand in too many."""
_PRESS = frozenset(
    (
        Category.LOCAL,
        Category.NEWSPAPER,
        Category.BROADCASTER,
        Category.INVESTIGATIVE,
        Category.UNKNOWN,
        Category.TABLOID,
    )
)
_ENDINGS = {"GB": ("uk",), "EU": ("eu",), "US": ("us",)}
"""Endings of domains that are not the country's code in small letters."""
_MOST = 8


def local_domains(place: str) -> tuple[str, ...]:
    """Domains of the table of ratings whose press bears the place's name, the best first; at most eight."""
    name = _bare(place)
    rows = [
        row
        for row in built_in_ratings().rows.values()
        if row.category in (Category.LOCAL, Category.NEWSPAPER, Category.BROADCASTER)
        and row.domain == registrable_domain(row.domain)
        and _bears(name, row.domain)
    ]
    rows.sort(key=lambda row: (row.category != Category.LOCAL, -row.score, row.domain))
    return tuple(row.domain for row in rows[:_MOST])


def why_local(source: Source, place: str, text: str = "") -> str | None:
    """Why a source counts as local to the place, in words; None: it does not, or nothing tells.

    A local paper by the table of ratings that writes of the place is taken for the place's own, unless its domain ends
    with the code of another country. `text`: the source's text.
    """
    if source.rating.category not in _PRESS or not place.strip():
        return None
    name = _bare(place)
    if _bears(name, source.domain):
        return f"its domain {source.domain} bears the place's name"
    publisher = re.sub(r"[^a-z0-9]", "", fold(source.publisher or ""))
    # A page may call itself anything: the name alone counts of publishers only that a rule knows.
    if source.rating.known and len(name) >= _SHORTEST and name in publisher:
        return f"{source.publisher} bears the place's name"
    if source.rating.category == Category.LOCAL and _named_in(place, text) and not _elsewhere(source, place):
        return "it is a local paper or station by the table of ratings, and writes of the place"
    return None


def _named_in(place: str, text: str) -> bool:
    first = place.split(",")[0].strip()
    return bool(first) and re.search(rf"(?<!\w){re.escape(fold(first))}(?!\w)", fold(text)) is not None


def _elsewhere(source: Source, place: str) -> bool:
    country = country_in(place)
    ending = source.domain.rpartition(".")[2]
    if country is None or len(ending) != 2:
        return False
    return ending not in _endings(country)


def _endings(country: str) -> tuple[str, ...]:
    known: Mapping[str, tuple[str, ...]] = _ENDINGS
    return known.get(country, (country.lower(),))


def _bare(place: str) -> str:
    """'Garrow Bridge, Lennshire' -> 'garrowbridge'."""
    return re.sub(r"[^a-z0-9]", "", fold(place.split(",")[0]))


def _bears(name: str, domain: str) -> bool:
    """Whether a domain begins or ends with the name. 'newyork.example' does not bear the name of York."""
    if len(name) < _SHORTEST:
        return False
    label = re.sub(r"[^a-z0-9]", "", domain.split(".")[0])
    if label.startswith(name):
        return True
    return label.endswith(name) and not label.removesuffix(name).endswith(("new", "north", "south", "east", "west"))
