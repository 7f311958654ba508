"""What is known around a topic: earlier events with the same actors, who these are and what they said before, and what
the place's own press tells. Every detail is a quote."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime, time, timedelta
from itertools import islice

from inquest.claims.claim_detection import check_worth
from inquest.claims.relevance import TopicTerms, topic_terms
from inquest.desks.inquiry.timeline import events_of
from inquest.desks.verification.cross_reference import evidence_sources
from inquest.desks.verification.topic_reading import Actor, TopicReading, read_topic
from inquest.domain.claim import Mention
from inquest.domain.document import Document
from inquest.domain.drafts import DatedPassage
from inquest.domain.investigation import (
    ActorProfile,
    LocalContext,
    LocalSource,
    RelatedEvent,
    StatementMade,
    TopicContext,
)
from inquest.domain.published import Published
from inquest.domain.source import Source
from inquest.domain.topic import Topic
from inquest.entailment.attribution import attributed
from inquest.sources.local_press import why_local
from inquest.text.blocks import evidence_sentences
from inquest.text.dates import utc
from inquest.text.entities import names, same_name
from inquest.text.lexicon import pattern
from inquest.text.moments import moments
from inquest.text.phrases import count, listed
from inquest.text.sentences import Span, fold

_BACKGROUND = pattern(__name__, "background")
_APART = timedelta(days=7)
"""What happened less than a week before is a part of the event."""
_WORTH = 0.3
_READ = 40_000
_SENTENCE = 500
_PER_SOURCE = 6
_EVENTS, _DESCRIPTIONS, _STATEMENTS, _PASSAGES = 8, 3, 4, 6
_THE_EVENT = 0.35
"""How near to the topic's title a sentence is that reports the event itself, and not of the place."""
_PLACE = set(Mention.model_fields)
_PRONOUNS = frozenset("he she it they we i his her its their our".split())


def topic_context(
    topic: Topic,
    sources: Mapping[str, Source],
    documents: Mapping[str, Document],
    *,
    own: Collection[str] = (),
    entities: Sequence[str] = (),
) -> TopicContext:
    """The context that the sources give. `own`: ids of the topic's own article, which is no context to itself.

    richness = 35 for earlier events (three make it full), 35 for profiles of those actors that the topic names (three
    at most are looked for), 30 for the place (two local sources, or four passages, make it full).
    """
    reading = read_topic(topic, entities)
    counted = {id: each for id, each in evidence_sources(sources, own).items() if id in documents}
    when = _event(topic, counted)
    events = _events(topic, reading, counted, documents, when)
    actors = tuple(_profile(each, counted, documents, when, events) for each in reading.actors)
    actors = tuple(each for each in actors if each.sources)
    local = _local(reading.place, counted, documents, topic_terms(topic.title))
    described = [each for each in actors if each.described_as or each.statements or each.earlier_events]
    wanted = min(3, len(reading.actors))
    shares = (
        min(1.0, len(events) / 3),
        min(1.0, len(described) / wanted) if wanted else 0.0,
        min(1.0, max(len(local.sources) / 2, len(local.passages) / 4)),
    )
    mentioned_twice = {(m.source_id, m.start) for event in events for m in event.mentions}
    passages = tuple(each for each in local.passages if (each.source_id, each.start) not in mentioned_twice)
    local = local.model_copy(update={"passages": passages})
    # A sentence that says who somebody is and what happened is one detail.
    quotes = {(event.mentions[0].source_id, event.mentions[0].start) for event in events if event.mentions}
    quotes |= {(each.source_id, each.start) for each in passages}
    quotes |= {(each.source_id, each.start) for actor in actors for each in actor.described_as}
    quotes |= {(each.mention.source_id, each.mention.start) for actor in actors for each in actor.statements}
    return TopicContext(
        events=events,
        actors=actors,
        local=local,
        details=len(quotes),
        richness=round(35 * shares[0] + 35 * shares[1] + 30 * shares[2], 1),
        reasons=_reasons(events, described, local),
    )


def _event(topic: Topic, sources: Mapping[str, Source]) -> datetime | None:
    """When it happened: as given, else as early as it was found or first reported."""
    given = topic.event_date or topic.discovery_date
    if given:
        return utc(given)
    dated = [utc(each.published.at) for each in sources.values() if each.published]
    return max(dated, default=None)


def _events(
    topic: Topic,
    reading: TopicReading,
    sources: Mapping[str, Source],
    documents: Mapping[str, Document],
    when: datetime | None,
) -> tuple[RelatedEvent, ...]:
    """What dated sentences report of a week and more before the event, and of one of its actors or its place."""
    about = " ".join((topic.title, *(actor.name for actor in reading.actors), reading.place))
    passages = [
        passage
        for id, source in sources.items()
        for passage in islice(_dated(source, documents[id], reading, when), _PER_SOURCE)
        if when is not None
    ]
    by_id = {each.id: each for each in passages}
    found = []
    for draft in events_of(about, passages, _EVENTS):
        described = [by_id[id] for id in draft.passages]
        actors = tuple(dict.fromkeys(name for each in described for name in _involved(each.quote, reading)))
        found.append(
            RelatedEvent(
                date=Published(at=draft.date, precision=draft.precision).iso,
                precision=draft.precision,
                text=draft.text,
                actors=actors,
                mentions=tuple(Mention(**each.model_dump(include=_PLACE)) for each in described),
            )
        )
    return tuple(sorted(found, key=lambda each: each.date))


def _dated(source: Source, document: Document, reading: TopicReading, when: datetime | None) -> Iterator[DatedPassage]:
    """The sentences that date something of before the event. What somebody said at that date is a statement, and no
    event; nor is what has held since then, or is to be done by then."""
    reference = source.published.at.date() if source.published else None
    text = document.text
    for place, span in enumerate(evidence_sentences(document, _READ)):
        quote = span.of(text)
        if len(quote) > _SENTENCE or when is None or not _involved(quote, reading) or quote.rstrip().endswith("?"):
            continue
        scopes = [each.scope for each in attributed(quote)]
        for moment in moments(quote, reference):
            at = Published(at=datetime.combine(moment.start, time.min, UTC), precision=moment.precision)
            said = scopes and not any(scope.start <= moment.span.start < scope.end for scope in scopes)
            if moment.order or said or at.latest >= when - _APART or check_worth(quote).score < _WORTH:
                continue
            yield DatedPassage(
                id=f"{source.id}-{place}",
                source_id=source.id,
                snapshot=document.snapshot,
                quote=quote,
                start=span.start,
                end=span.end,
                date=at.at,
                precision=moment.precision,
                domain=source.domain,
            )
            break


def _involved(quote: str, reading: TopicReading) -> list[str]:
    found = [actor.name for actor in reading.actors if _names(quote, actor.name)]
    if reading.place and _names(quote, reading.place.split(",")[0]):
        found.append(reading.place)
    return found


def _names(text: str, name: str) -> bool:
    """Whether a text names somebody, in full or by a form that can mean nobody else."""
    if re.search(rf"(?<!\w){re.escape(fold(name))}(?!\w)", fold(text)):
        return True
    return any(each.sure and same_name(each.text, name) for each in names(text))


def _profile(
    actor: Actor,
    sources: Mapping[str, Source],
    documents: Mapping[str, Document],
    when: datetime | None,
    events: Sequence[RelatedEvent],
) -> ActorProfile:
    described: dict[str, Mention] = {}
    said: dict[str, StatementMade] = {}
    naming = []
    for id, source in sources.items():
        text = documents[id].text[:_READ]
        spans = [span for span in evidence_sentences(documents[id], _READ) if span.end - span.start <= _SENTENCE]
        about = [span for span in spans if _names(span.of(text), actor.name)]
        if about:
            naming.append(id)
        for span in about:
            sentence = span.of(text)
            mention = _mention(source, documents[id], span, sentence)
            if _describes(sentence, actor.name):
                described.setdefault(fold(sentence), mention)
            statement = _statement(sentence, actor.name, source, mention, when)
            if statement:
                said.setdefault(fold(sentence), statement)
    ordered = sorted(said.values(), key=lambda each: (not each.earlier, each.said or "9999", each.mention.source_id))
    return ActorProfile(
        name=actor.name,
        kind=actor.kind.value,
        described_as=tuple(described.values())[:_DESCRIPTIONS],
        statements=tuple(ordered[:_STATEMENTS]),
        earlier_events=sum(actor.name in each.actors for each in events),
        sources=tuple(naming),
    )


def _describes(sentence: str, name: str) -> bool:
    """Whether it says who somebody is: 'Lenn Terminals, the operator of the harbour, ...', '... is a union of ...'."""
    own = re.escape(name)
    return bool(
        re.search(
            rf"{own},\s+(?:which\s+(?:is|owns|runs|operates|employs)|who\s+(?:is|was|runs|heads)|an?|the|its)\s+\w",
            sentence,
        )
        or re.search(rf"{own}\s+(?:is|was|are)\s+(?:an?|the|one\s+of)\s+\w", sentence)
        or re.search(rf"\b(?:founded|head(?:ed|quartered)|based|owned)\s+(?:in|by)\b[^.]{{0,60}}{own}", sentence)
        or re.search(rf"{own}\s+(?:employs|operates|runs|owns|represents|was\s+founded)\b", sentence)
    )


def _statement(
    sentence: str, name: str, source: Source, mention: Mention, when: datetime | None
) -> StatementMade | None:
    by = next(
        (each for each in attributed(sentence) if fold(each.name) not in _PRONOUNS and _names(each.name, name)),
        None,
    )
    if by is None:
        return None
    reference = source.published.at.date() if source.published else None
    dated = [each for each in moments(sentence, reference) if each.order in ("", "on", "in")]
    attribution = [each for each in dated if not by.scope.start <= each.span.start < by.scope.end]
    at = source.published
    if attribution:
        at = Published(at=datetime.combine(attribution[0].start, time.min, UTC), precision=attribution[0].precision)
    earlier = at is not None and when is not None and at.latest < when
    return StatementMade(mention=mention, said=at.iso if at else "", manner=by.manner.value, earlier=earlier)


def _mention(source: Source, document: Document, span: Span, sentence: str) -> Mention:
    return Mention(source_id=source.id, snapshot=document.snapshot, quote=sentence, start=span.start, end=span.end)


def _local(
    place: str, sources: Mapping[str, Source], documents: Mapping[str, Document], about: TopicTerms
) -> LocalContext:
    """The sources that are at home at the place, and what any source says of the place beside the event itself."""
    if not place:
        return LocalContext()
    local = [
        LocalSource(source_id=id, reason=why)
        for id, source in sources.items()
        if (why := why_local(source, place, documents[id].text[:_READ]))
    ]
    first = place.split(",")[0].strip()
    found: dict[str, tuple[tuple[bool, int], Mention]] = {}
    at_home = {each.source_id for each in local}
    for id, source in sources.items():
        text = documents[id].text[:_READ]
        for span in evidence_sentences(documents[id], _READ):
            sentence = span.of(text)
            if len(sentence) > _SENTENCE or not _names(sentence, first):
                continue
            weight = len(
                set(map(fold, (match[0] for match in _BACKGROUND.finditer(sentence)))) - set(fold(first).split())
            )
            if weight and about.of_sentence(sentence) < _THE_EVENT:
                mention = _mention(source, documents[id], span, sentence)
                found.setdefault(fold(sentence), ((id not in at_home, -weight), mention))
    ranked = sorted(found.values(), key=lambda item: (item[0], item[1].source_id, item[1].start))
    return LocalContext(place=place, sources=tuple(local), passages=tuple(each for _, each in ranked[:_PASSAGES]))


def _reasons(events: Sequence[RelatedEvent], described: Sequence[ActorProfile], local: LocalContext) -> tuple[str, ...]:
    said = []
    said.append(f"{count(len(events), 'earlier event')} with the same actors or at the same place.")
    said.append(
        f"Something is known of {listed([each.name for each in described])}."
        if described
        else "No actor has a profile."
    )
    if local.place:
        at_home, on_it = count(len(local.sources), "source"), count(len(local.passages), "passage")
        said.append(f"{at_home} local to {local.place}, {on_it} on it.")
    else:
        said.append("The topic names no place.")
    return tuple(each[:1].upper() + each[1:] for each in said)
