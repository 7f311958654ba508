"""Publishers that are local to a place, by name and domain and by the table of ratings."""

from __future__ import annotations

import re

from inquest.domain.source import Category, Source
from inquest.sources.economic_releases import country_in
from inquest.sources.ratings_table import built_in_ratings
from inquest.text.sentences import fold
from inquest.text.urls import registrable_domain

_SHORTEST = 4
"""Letters of a place's name that are looked for in domains; shorter names occur in too many."""
_LISTED = (Category.LOCAL, Category.NEWSPAPER, Category.BROADCASTER)
_PRESS = (*_LISTED, Category.INVESTIGATIVE, Category.UNKNOWN, Category.TABLOID)
_MOST = 8


def local_domains(place: str) -> tuple[str, ...]:
    """Return up to eight domains of press in the table of ratings that contain the place's name, the best first."""
    name = _letters(place)
    rows = [
        row
        for row in built_in_ratings().rows.values()
        if row.category in _LISTED and _contains(name, row.domain) and row.domain == registrable_domain(row.domain)
    ]
    rows.sort(key=lambda row: (row.category != Category.LOCAL, -row.score, row.domain))
    return tuple(row.domain for row in rows[:_MOST])


def why_local(source: Source, place: str, text: str = "") -> str | None:
    """Return why a source counts as local to the place; None if it does not or nothing shows it.

    A local paper in the table of ratings whose text names the place counts, unless its domain ends with the code of
    another country. `text`: the source's text.
    """
    if source.rating.category not in _PRESS or not place.strip():
        return None
    name = _letters(place)
    if _contains(name, source.domain):
        return f"its domain {source.domain} contains the place's name"
    # A page may call itself anything: the name alone counts only for publishers that a rule knows.
    publisher = re.sub(r"[^a-z0-9]", "", fold(source.publisher or ""))
    if source.rating.known and len(name) >= _SHORTEST and name in publisher:
        return f"the name {source.publisher} contains the place's name"
    first = re.escape(fold(place.split(",")[0].strip()))
    named = bool(first) and re.search(rf"(?<!\w){first}(?!\w)", fold(text))
    if source.rating.category == Category.LOCAL and named and not _elsewhere(source, place):
        return "the table of ratings lists it as a local paper or station, and it writes about the place"
    return None


def _elsewhere(source: Source, place: str) -> bool:
    country, ending = country_in(place), source.domain.rpartition(".")[2]
    return country is not None and len(ending) == 2 and ending != {"GB": "uk"}.get(country, country.lower())


def _letters(place: str) -> str:
    """'Garrow Bridge, Lennshire' -> 'garrowbridge'."""
    return re.sub(r"[^a-z0-9]", "", fold(place.split(",")[0]))


def _contains(name: str, domain: str) -> bool:
    """Test for a domain that begins or ends with the name; 'newyork.example' does not count for York."""
    label = re.sub(r"[^a-z0-9]", "", domain.split(".")[0])
    before = label.removesuffix(name)
    at_the_end = before != label and not before.endswith(("new", "north", "south", "east", "west"))
    return len(name) >= _SHORTEST and (label.startswith(name) or at_the_end)
