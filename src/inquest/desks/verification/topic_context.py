"""The context of a topic, in quotes: earlier events with the same actors, their profiles, the local press."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta

from inquest.claims.claim_detection import check_worth
from inquest.desks.inquiry.digest import events_of
from inquest.desks.verification.cross_reference import evidence_sources
from inquest.desks.verification.topic_queries import Actor, TopicReading
from inquest.domain.claim import Mention
from inquest.domain.document import Document
from inquest.domain.drafts import DatedPassage
from inquest.domain.finding import Finding, SpeakerKind
from inquest.domain.investigation import (
    ActorProfile,
    LocalContext,
    LocalSource,
    RelatedEvent,
    StatementMade,
    TopicContext,
)
from inquest.domain.source import Source
from inquest.domain.topic import Topic
from inquest.domain.value import Published, firsts
from inquest.entailment.attribution import attributed
from inquest.sources.publisher_names import why_local
from inquest.text.blocks import evidence_sentences
from inquest.text.dates import utc
from inquest.text.entities import NameKind, by_bearer, names, same_name
from inquest.text.lexicon import word_set
from inquest.text.moments import Moment, moments
from inquest.text.regex import regex
from inquest.text.sentences import content_words, fold, stem
from inquest.verdicts.testimony import as_testimony

_BACKGROUND = frozenset(map(stem, word_set(__name__, "background")))
_APART = timedelta(days=7)
"""Minimum time by which an earlier event or statement precedes the topic's event, whose day is rarely known exactly."""
_WORTH = 0.3
_READ = 40_000
_SENTENCE = 500
_MOST_ACTORS = 6
_ACTING = frozenset((SpeakerKind.PARTY, SpeakerKind.OPPONENT, SpeakerKind.AUTHORITY, SpeakerKind.EXPERT))
_EVENTS, _DESCRIPTIONS, _STATEMENTS, _PASSAGES = 8, 3, 4, 6
_NOUN = r"(?:an?|the|its|one\s+of)\s+\w"
_VERB = r"(?:is|was|are|runs|heads|owns|operates|employs|represents)"
_DESCRIPTION = rf"(?:,\s+{_NOUN}|,?\s+(?:which\s+|who\s+)?{_VERB}\s+(?:{_NOUN}|\d)|\s+was\s+founded\b)"
_THE_EVENT = 0.35
"""Minimum relevance to the topic from which a sentence is about the event itself and not about the place."""


def topic_context(
    topic: Topic,
    reading: TopicReading,
    sources: Mapping[str, Source],
    documents: Mapping[str, Document],
    *,
    own: Collection[str] = (),
    findings: Sequence[Finding] = (),
) -> TopicContext:
    """Collect the context from all sources but the topic's own article (`own`). `findings`: those on the topic's
    claims, whose speakers are actors.

    richness = 35 for earlier events (all of it for three), 35 for profiles of the topic's actors (three at most are
    expected), 30 for the place (all of it for two local sources or four passages).
    """
    counted = {id: each for id, each in evidence_sources(sources, own).items() if id in documents}
    mentions = [
        Mention(source_id=id, snapshot=documents[id].snapshot, quote=quote, start=span.start, end=span.end)
        for id in counted
        for span in evidence_sentences(documents[id], _READ)
        if len(quote := span.of(documents[id].text)) <= _SENTENCE
    ]
    spoken = _spoken(findings, counted)
    reading = replace(reading, actors=_actors(reading, spoken))
    date = topic.event_date or topic.discovery_date
    dated = [utc(each.published.at) for each in counted.values() if each.published]
    when = utc(date) if date else max(dated, default=None)
    before = when - _APART if when else None
    events = _events(reading, topic, mentions, counted, before) if before else ()
    profiles = [_profile(each, mentions, spoken.get(each.name, ()), counted, before) for each in reading.actors]
    # A single name of unknown kind may be that of a thing.
    actors = tuple(
        e for e in profiles if e.statements or (e.described_as and (e.kind != NameKind.NAME or " " in e.name))
    )
    local = _local(reading, mentions, counted, documents, {quote.quote for each in events for quote in each.mentions})
    expected = min(3, len(reading.actors))
    shares = (
        min(1.0, len(events) / 3),
        min(1.0, len(actors) / expected) if expected else 0.0,
        min(1.0, max(len(local.sources) / 2, len(local.passages) / 4)),
    )
    quotes = [*(event.mentions[0] for event in events), *local.passages]
    for actor in actors:
        quotes += [*actor.described_as, *(each.mention for each in actor.statements)]
    return TopicContext(
        events=events,
        actors=actors,
        local=local,
        details=len({(each.source_id, each.start) for each in quotes}),
        richness=round(35 * shares[0] + 35 * shares[1] + 30 * shares[2], 1),
    )


def _spoken(findings: Sequence[Finding], counted: Mapping[str, Source]) -> dict[str, list[Mention]]:
    """The statements of each speaker in the findings, by its longest name; an unnamed speaker is the publisher."""
    by_name: dict[str, list[Mention]] = {}
    for each in findings:
        testimony, source = as_testimony(each), counted.get(each.source_id)
        speaker = testimony.name or (source.publisher if source else None) or ""
        if source and testimony.kind in _ACTING and any(name.sure for name in names(speaker)):
            mention = Mention(**each.model_dump(include=set(Mention.model_fields)))
            if mention not in (statements := by_name.setdefault(speaker, [])):
                statements.append(mention)
    return {max(group, key=len): [each for name in group for each in by_name[name]] for group in by_bearer(by_name)}


def _actors(reading: TopicReading, spoken: Collection[str]) -> tuple[Actor, ...]:
    """The topic's own actors, under their names as speakers, and the other speakers; without the place."""
    place = set(fold(reading.place.replace(",", " ")).split())
    kinds = {each.name: each.kind for each in reading.actors}
    found: list[Actor] = []
    for name in (*kinds, *spoken):
        full = next((each for each in spoken if _same_actor(each, name)), name)
        if not set(fold(full).split()) <= place and not any(_same_actor(full, each.name) for each in found):
            kind = kinds.get(name) or next((each.kind for each in names(full)), NameKind.NAME)
            found.append(Actor(full, kind))
    return tuple(found[:_MOST_ACTORS])


def _same_actor(one: str, other: str) -> bool:
    """True for the same name with a whole word in common, or with an abbreviation; forms of one word are not enough."""
    common = set(fold(one).split()) & set(fold(other).split())
    return bool(common or one.isupper() or other.isupper()) and same_name(one, other)


def _events(
    reading: TopicReading, topic: Topic, mentions: Sequence[Mention], sources: Mapping[str, Source], before: datetime
) -> tuple[RelatedEvent, ...]:
    """The events before a moment with one of the topic's actors or at its place."""
    about = " ".join((topic.title, *(actor.name for actor in reading.actors), reading.place))
    found: dict[str, tuple[DatedPassage, Mention, list[str]]] = {}
    for mention in mentions:
        actors = [actor.name for actor in reading.actors if _names(mention.quote, actor.name)]
        if reading.place and _names(mention.quote, reading.place.split(",")[0]):
            actors.append(reading.place)
        passage = _dated(mention, sources[mention.source_id], before) if actors else None
        if passage:
            found[passage.id] = passage, mention, actors
    events = [
        RelatedEvent(
            date=Published(at=draft.date, precision=draft.precision).iso,
            precision=draft.precision,
            text=draft.text,
            actors=tuple(dict.fromkeys(name for id in draft.passages for name in found[id][2])),
            mentions=tuple(found[id][1] for id in draft.passages),
        )
        for draft in events_of(about, [passage for passage, _, _ in found.values()], _EVENTS)
    ]
    return tuple(sorted(events, key=lambda each: each.date))


def _dated(mention: Mention, source: Source, before: datetime) -> DatedPassage | None:
    """The passage if it dates an event before a moment, not a statement, a period or a limit ('since 2015')."""
    quote = mention.quote
    scopes = [each.scope for each in attributed(quote)]
    for moment, at in _dates(mention, source):
        stated = not scopes or any(scope.start <= moment.span.start < scope.end for scope in scopes)
        if stated and not moment.order and at.latest < before and check_worth(quote).score >= _WORTH:
            id = f"{source.id}-{mention.start}"
            return DatedPassage(id=id, date=at.at, precision=at.precision, domain=source.domain, **mention.model_dump())
    return None


def _names(text: str, name: str) -> bool:
    """True if a text has a name, in full or in an unambiguous form."""
    if re.search(rf"(?<!\w){re.escape(fold(name))}(?!\w)", fold(text)):
        return True
    return any(each.sure and _same_actor(each.text, name) for each in names(text))


def _dates(mention: Mention, source: Source) -> list[tuple[Moment, Published]]:
    """The dates in a mention."""
    found = moments(mention.quote, source.published.at.date() if source.published else None)
    starts = [datetime.combine(each.start, time.min, UTC) for each in found]
    return [(each, Published(at=at, precision=each.precision)) for each, at in zip(found, starts, strict=True)]


def _profile(
    actor: Actor,
    mentions: Sequence[Mention],
    spoken: Sequence[Mention],
    sources: Mapping[str, Source],
    before: datetime | None,
) -> ActorProfile:
    about = [mention for mention in mentions if _names(mention.quote, actor.name)]
    # 'Lenn Terminals, the operator of ...', '... is a union of ...'
    describes = regex(re.escape(actor.name) + _DESCRIPTION)
    described = {fold(each.quote): each for each in reversed(about) if describes.search(each.quote)}
    by_quote = {fold(e.quote): _statement(e, actor.name, sources[e.source_id], before) for e in reversed(about)}
    for each in spoken:
        key = fold(each.quote)
        by_quote[key] = by_quote.get(key) or _dated_statement(each, sources[each.source_id], before)
    statements = [each for each in by_quote.values() if each]
    statements.sort(key=lambda each: (not each.earlier, each.said or "9999", each.mention.source_id))
    in_short, said = tuple(reversed(described.values()))[:_DESCRIPTIONS], tuple(statements[:_STATEMENTS])
    return ActorProfile(name=actor.name, kind=actor.kind.value, described_as=in_short, statements=said)


def _statement(mention: Mention, name: str, source: Source, before: datetime | None) -> StatementMade | None:
    """The statement that a sentence attributes to the actor, with the date of the attribution, else of the page."""
    by = next((each for each in attributed(mention.quote) if each.name and _names(each.name, name)), None)
    if by is None:
        return None
    dates = [each for each in _dates(mention, source) if not by.scope.start <= each[0].span.start < by.scope.end]
    at = next((at for moment, at in dates if moment.order in ("", "on", "in")), None)
    return _dated_statement(mention, source, before, at)


def _dated_statement(
    mention: Mention, source: Source, before: datetime | None, at: Published | None = None
) -> StatementMade:
    at = at or source.published
    earlier = at is not None and before is not None and at.latest < before
    return StatementMade(mention=mention, said=at.iso if at else "", earlier=earlier)


def _local(
    reading: TopicReading,
    mentions: Sequence[Mention],
    sources: Mapping[str, Source],
    documents: Mapping[str, Document],
    shown: Collection[str],
) -> LocalContext:
    """The local sources, and passages on the place, without those on the event itself and those already `shown`."""
    place, first = reading.place, reading.place.split(",")[0].strip()
    if not first:
        return LocalContext()
    local = tuple(
        LocalSource(source_id=id, reason=why)
        for id, source in sources.items()
        if (why := why_local(source, place, documents[id].text[:_READ]))
    )
    at_home = {each.source_id for each in local}
    words = _BACKGROUND - set(content_words(first))

    def weight(each: Mention) -> int:
        return len(words & set(content_words(each.quote)))

    about = [each for each in mentions if weight(each) and each.quote not in shown and _names(each.quote, first)]
    aside = [each for each in about if reading.topic_terms.of_sentence(each.quote) < _THE_EVENT]
    aside.sort(key=lambda each: (each.source_id not in at_home, -weight(each), each.source_id, each.start))
    passages = firsts((fold(each.quote), each) for each in aside)
    return LocalContext(place=place, sources=local, passages=tuple(passages.values())[:_PASSAGES])
