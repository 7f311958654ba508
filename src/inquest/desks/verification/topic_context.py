"""The context of a topic: earlier events with the same actors, profiles of these, and the local press. Every detail is
a quote."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime, time, timedelta

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
from inquest.text.lexicon import word_set
from inquest.text.moments import moments
from inquest.text.phrases import count, listed
from inquest.text.sentences import Span, content_words, fold, stem

_BACKGROUND = frozenset(map(stem, word_set(__name__, "background")))
_APART = timedelta(days=7)
"""What happened less than a week before is a part of the event."""
_WORTH = 0.3
_READ = 40_000
_PER_SOURCE = 6
_SENTENCE = 500
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
    in_events = {(each.source_id, each.start) for event in events for each in event.mentions}
    passages = tuple(each for each in local.passages if (each.source_id, each.start) not in in_events)
    local = local.model_copy(update={"passages": passages})
    # A sentence that says who somebody is and what happened is one detail.
    quotes = [*(event.mentions[0] for event in events if event.mentions), *passages]
    for actor in actors:
        quotes += [*actor.described_as, *(each.mention for each in actor.statements)]
    return TopicContext(
        events=events,
        actors=actors,
        local=local,
        details=len({(each.source_id, each.start) for each in quotes}),
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
    """The events of a week and more before the topic's, with one of its actors or at its place."""
    about = " ".join((topic.title, *(actor.name for actor in reading.actors), reading.place))
    passages = {
        passage.id: passage
        for id, source in sources.items()
        for passage in (_dated(source, documents[id], reading, when - _APART)[:_PER_SOURCE] if when else ())
    }
    found = []
    for draft in events_of(about, list(passages.values()), _EVENTS):
        described = [passages[id] for id in draft.passages]
        found.append(
            RelatedEvent(
                date=Published(at=draft.date, precision=draft.precision).iso,
                precision=draft.precision,
                text=draft.text,
                actors=tuple(dict.fromkeys(name for each in described for name in _involved(each.quote, reading))),
                mentions=tuple(Mention(**each.model_dump(include=_PLACE)) for each in described),
            )
        )
    return tuple(sorted(found, key=lambda each: each.date))


def _dated(source: Source, document: Document, reading: TopicReading, before: datetime) -> list[DatedPassage]:
    """The sentences that date something of before that moment. What somebody said at that date is a statement, and no
    event; nor is what has held since then, or is to be done by then."""
    reference = source.published.at.date() if source.published else None
    found = []
    for place, span in enumerate(evidence_sentences(document, _READ)):
        quote = span.of(document.text)
        if len(quote) > _SENTENCE or quote.rstrip().endswith("?") or not _involved(quote, reading):
            continue
        scopes = [each.scope for each in attributed(quote)]
        for moment in moments(quote, reference):
            at = Published(at=datetime.combine(moment.start, time.min, UTC), precision=moment.precision)
            stated = not scopes or any(scope.start <= moment.span.start < scope.end for scope in scopes)
            if moment.order or not stated or at.latest >= before or check_worth(quote).score < _WORTH:
                continue
            found.append(
                DatedPassage(
                    id=f"{source.id}-{place}",
                    date=at.at,
                    precision=moment.precision,
                    domain=source.domain,
                    **_mention(source, document, span, quote).model_dump(),
                )
            )
            break
    return found


def _involved(quote: str, reading: TopicReading) -> list[str]:
    found = [actor.name for actor in reading.actors if _names(quote, actor.name)]
    if reading.place and _names(quote, reading.place.split(",")[0]):
        found.append(reading.place)
    return found


def _names(text: str, name: str) -> bool:
    """True where a text names somebody, in full or by a form that can mean nobody else."""
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
    """True where it says who somebody is: 'Lenn Terminals, the operator of ...', '... is a union of ...'."""
    own = re.escape(name)
    noun = r"(?:an?|the|its|one\s+of)\s+\w"
    verb = r"(?:is|was|are|runs|heads|owns|operates|employs|represents)"
    return bool(
        re.search(rf"{own}(?:,\s+{noun}|,?\s+(?:which\s+|who\s+)?{verb}\s+(?:{noun}|\d)|\s+was\s+founded\b)", sentence)
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
            weight = len(_BACKGROUND & set(content_words(sentence)) - set(content_words(first)))
            if weight and about.of_sentence(sentence) < _THE_EVENT:
                mention = _mention(source, documents[id], span, sentence)
                found.setdefault(fold(sentence), ((id not in at_home, -weight), mention))
    ranked = sorted(found.values(), key=lambda item: (item[0], item[1].source_id, item[1].start))
    return LocalContext(place=place, sources=tuple(local), passages=tuple(each for _, each in ranked[:_PASSAGES]))


def _reasons(events: Sequence[RelatedEvent], described: Sequence[ActorProfile], local: LocalContext) -> tuple[str, ...]:
    at_home, on_it = count(len(local.sources), "source"), count(len(local.passages), "passage")
    reasons = (
        f"{count(len(events), 'earlier event')} with the same actors or at the same place.",
        f"Something is known of {listed([e.name for e in described])}." if described else "No actor has a profile.",
        f"{at_home} local to {local.place}, {on_it} on it." if local.place else "The topic names no place.",
    )
    return tuple(each[:1].upper() + each[1:] for each in reasons)
