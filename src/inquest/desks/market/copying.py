"""Which of several pages with one report is cited: the agency's own where it is there, and not who took it over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from inquest.domain.document import Document
from inquest.domain.source import Category, Source
from inquest.stories.copies import overlap, runs
from inquest.text.dates import utc

__all__ = ["without_copies"]

_COPIED = 0.6
"""A page of whose runs of words so many stand in another of its story is a copy of it; rewrites share fewer."""


def without_copies(sources: Sequence[Source], documents: Mapping[str, Document]) -> tuple[Source, ...]:
    """The sources, those that copy another excluded, with whom they copy. `documents` by source id.

    Of pages with one text, the story's origin is kept; where that cannot be told, the agency, then the better tier,
    then the earlier.
    """
    said = {each.id: runs(documents[each.id].text) for each in sources if each.id in documents and not each.excluded}
    ordered = sorted((each for each in sources if each.id in said), key=_first)
    kept: list[Source] = []
    copied: dict[str, Source] = {}
    for source in ordered:
        first = next((each for each in kept if _copies(source, each, said)), None)
        if first is None or source.user_provided:
            kept.append(source)
        else:
            copied[source.id] = first
    return tuple(
        source.model_copy(update={"excluded": _why(copied[source.id])}) if source.id in copied else source
        for source in sources
    )


def _copies(source: Source, other: Source, said: Mapping[str, frozenset[str]]) -> bool:
    if source.story is None or source.story != other.story:
        return overlap(said[source.id], said[other.id])[0] >= _COPIED
    return max(overlap(said[source.id], said[other.id])) >= _COPIED


def _first(source: Source) -> tuple[bool, bool, int, float, str]:
    at = utc(source.published.at).timestamp() if source.published else float("inf")
    return (
        source.origin_of_story != source.id,
        source.rating.category != Category.WIRE,
        source.rating.tier,
        at,
        source.id,
    )


def _why(origin: Source) -> str:
    return f"It repeats the report of {origin.publisher or origin.domain} ({origin.id}), which is cited."
