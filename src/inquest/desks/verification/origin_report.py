"""Where a topic's story comes from, as a report: the chain of credits, the earliest mention, and whether the origin is
credible."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from inquest.domain.document import Document
from inquest.domain.investigation import CredibilityReport, OriginHop, OriginTrace
from inquest.domain.source import Category, Source
from inquest.sources.local_press import why_local
from inquest.stories.credits import telling_of
from inquest.stories.origin_chain import Hop, origin_of
from inquest.stories.origin_marks import first_hand
from inquest.stories.unread_origins import publisher_named
from inquest.text.dates import utc
from inquest.text.phrases import capitalised, day
from inquest.verdicts.weighing_reasons import name_of

__all__ = ["credibility_of", "origin_trace"]

CREDIBLE_TIER = 2
_FIELD = frozenset(
    (
        Category.REGULATOR, Category.COURT, Category.STATISTICS, Category.SCHOLARLY, Category.TRADE,
        Category.INVESTIGATIVE,
    )
)  # fmt: skip
"""Publishers whose trade the matter is, so far as their category tells."""
_ON_THE_MATTER = 0.3


def origin_trace(
    sources: Mapping[str, Source],
    documents: Mapping[str, Document],
    now: datetime,
    *,
    own: Collection[str] = (),
    place: str = "",
    early: Collection[str] = (),
    bearing: Collection[str] = (),
) -> OriginTrace:
    """The origin of the topic's story as far as the sources tell; 'it cannot be told' is an answer.

    Sources bear their stories already (stories.stories). The topic's story is that of its own article (`own`); where
    that is not among the sources, the one that most of those tell that bear on the matter (`bearing`), and where nobody
    does, the one that most sources tell. What is excluded for another reason than being the topic's own article plays
    no part. `early`: ids of sources from long before the event, no mention of it.
    """
    usable = {id: each for id, each in sources.items() if id in documents and (id in own or not each.excluded)}
    mentions = [each for each in usable.values() if each.relevance >= _ON_THE_MATTER or each.id in own]
    earliest = _earliest([each for each in mentions if each.id not in early], now)
    members = _members(usable, own, frozenset(bearing))
    if not members:
        none = ["No two sources tell one report, so that nothing shows where it comes from."]
        return OriginTrace(earliest_source_id=earliest.id if earliest else None, reasons=_with_earliest(none, earliest))
    found = origin_of([telling_of(usable[id], documents[id]) for id in members])
    alone = len(members) == 1 and found.outside is None
    told = found.source_id is not None and (not alone or first_hand(documents[members[0]].text))
    origin = usable[found.source_id] if found.source_id and told else None
    reasons = list(found.reasons)
    if alone and origin is None:
        reasons = [f"Nobody else tells the report of {name_of(usable[members[0]])}, and it does not say how it knows."]
    name = name_of(origin) if origin else (found.outside or "").title()
    return OriginTrace(
        source_id=origin.id if origin else None,
        candidates=tuple(each if each in usable else publisher_named(each) for each in found.candidates),
        name=name,
        readable=found.outside is None or origin is not None,
        chain=tuple(_hop(each, usable) for each in found.chain),
        earliest_source_id=earliest.id if earliest else None,
        confidence=round(found.confidence, 3) if origin or found.outside else 0.0,
        credibility=credibility_of(origin, documents.get(origin.id), place) if origin else None,
        reasons=_with_earliest(reasons, earliest),
    )


def credibility_of(source: Source, document: Document | None, place: str = "") -> CredibilityReport:
    """Whether a source is credible as an origin: its rating, the age of its domain, where it stands politically, and
    whether such matters are its field."""
    text = document.text if document else ""
    local = why_local(source, place, text) if place else None
    in_field = source.rating.category in _FIELD
    seen = first_hand(text)
    credible = source.rating.tier <= CREDIBLE_TIER and not source.rating.press_release
    reasons = list(source.rating.reasons)
    if local:
        reasons.append(f"It is local: {local}.")
    if in_field:
        reasons.append(f"Such matters are its field: {source.rating.category}.")
    if seen:
        reasons.append("It says that it has it at first hand.")
    if source.age and source.age.registered:
        reasons.append(f"Its domain has been registered since {source.age.registered.iso}.")
    return CredibilityReport(
        source_id=source.id,
        score=source.rating.score,
        tier=source.rating.tier,
        category=source.rating.category,
        credible=credible,
        domain_registered=source.age.registered.iso if source.age and source.age.registered else None,
        leaning=source.rating.leaning,
        specialised=True if local or in_field else None,
        first_hand=seen,
        reasons=tuple(reasons),
    )


def _members(sources: Mapping[str, Source], own: Collection[str], bearing: frozenset[str]) -> list[str]:
    stories: dict[str, list[str]] = {}
    for source in sources.values():
        if source.story:
            stories.setdefault(source.story, []).append(source.id)
    mine = [sources[id].story for id in own if id in sources and sources[id].story]
    if mine:
        return stories[str(mine[0])]
    alone = [id for id in own if id in sources]
    if alone:
        return alone[:1]
    on_it = [ids for ids in stories.values() if bearing & set(ids)] if bearing else list(stories.values())

    def weight(ids: list[str]) -> tuple[int, int, float, str]:
        return len(bearing & set(ids)), len(ids), max(sources[id].relevance for id in ids), ids[0]

    return max(on_it, key=weight, default=[])


def _earliest(sources: list[Source], now: datetime) -> Source | None:
    """The earliest dated one. A date after now is wrong and says nothing."""
    dated = [each for each in sources if each.published and utc(each.published.at) <= utc(now)]
    return min(dated, key=lambda each: (utc(each.published.at) if each.published else now, each.id), default=None)


def _with_earliest(reasons: Sequence[str], earliest: Source | None) -> tuple[str, ...]:
    said = [capitalised(each) for each in reasons]
    if earliest is None or earliest.published is None:
        said.append("No source is dated, so that the earliest mention cannot be told.")
    else:
        when = day(earliest.published.at, earliest.published.precision)
        said.append(f"The earliest dated mention is that of {name_of(earliest)} [{earliest.id}], {when}.")
    return tuple(said)


def _hop(hop: Hop, sources: Mapping[str, Source]) -> OriginHop:
    return OriginHop(
        source_id=hop.teller,
        credits=hop.credited or hop.name,
        how=hop.how,
        quote=hop.quote,
        snapshot=sources[hop.teller].snapshot if hop.how == "words" else "",
        start=hop.start,
        end=hop.end,
        reason=f"{name_of(sources[hop.teller])} credits {hop.name}",
    )
