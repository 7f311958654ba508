"""Who stands behind a document: its owner, and the origin of the story it belongs to (X2)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from inquest.domain.source import Category, Source
from inquest.text.urls import doi_in_address, versionless

PUBLIC_BODIES = frozenset(
    (
        Category.GOVERNMENT,
        Category.COURT,
        Category.REGULATOR,
        Category.INTERGOVERNMENTAL,
        Category.STATISTICS,
        Category.SCHOLARLY,
    )
)
"""Public bodies, and science, which stand for themselves whoever pays for them."""
OFFICIAL = PUBLIC_BODIES - {Category.SCHOLARLY}
"""Public bodies alone."""
_FAR = datetime.max.replace(tzinfo=UTC)


def owner_or_site(source: Source) -> str:
    """Who stands behind a source: its owner, else its domain, else itself.

    Public bodies stand for themselves: a court and a regulator are two witnesses although one state pays both. So does
    a scholarly work, by its DOI: one publisher's journals hold studies of people who know nothing of each other.
    """
    if source.rating.category == Category.SCHOLARLY and (doi := _doi(source)):
        return f"doi {doi}"
    owner = None if source.rating.category in PUBLIC_BODIES else source.rating.owner
    return owner or source.rating.domain or source.domain or source.id


def _doi(source: Source) -> str | None:
    doi = (source.work.doi if source.work else None) or doi_in_address(source.url)
    return versionless(doi) if doi else None


def origins_of(sources: Mapping[str, Source]) -> dict[str, Source]:
    """For each source id, the source that its story goes back to: the one known as the origin, else the earliest."""
    members: dict[str, list[Source]] = {}
    for source in sources.values():
        members.setdefault(source.story or f"source {source.id}", []).append(source)
    found: dict[str, Source] = {}
    for of_story in members.values():
        named = {each.origin_of_story for each in of_story if each.origin_of_story and each.origin_of_story in sources}
        origin = sources[named.pop()] if len(named) == 1 else min(of_story, key=earliest)
        found |= {source.id: origin for source in of_story}
    return found


def earliest(source: Source) -> tuple[datetime, str]:
    """An order of sources by date, the undated last, and by id within a moment."""
    return (source.published.at if source.published else _FAR, source.id)
