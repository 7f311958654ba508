"""The context of a topic: earlier events with the same actors, their profiles, the local press. Each detail quotes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta

from inquest.claims.claim_detection import check_worth
from inquest.desks.inquiry.timeline import events_of
from inquest.desks.verification.cross_reference import evidence_sources
from inquest.desks.verification.topic_reading import Actor, TopicReading
from inquest.domain.claim import Mention
from inquest.domain.document import Document
from inquest.domain.drafts import DatedPassage
from inquest.domain.finding import Finding
from inquest.domain.investigation import (
    ActorProfile,
    LocalContext,
    LocalSource,
    RelatedEvent,
    StatementMade,
    TopicContext,
)
from inquest.domain.published import Published
from inquest.domain.reading import SpeakerKind
from inquest.domain.source import Source
from inquest.domain.topic import Topic
from inquest.entailment.attribution import attributed
from inquest.sources.local_press import why_local
from inquest.sources.owners import owner_or_site
from inquest.text.blocks import evidence_sentences
from inquest.text.dates import utc
from inquest.text.entities import NameKind, by_bearer, names, same_name
from inquest.text.lexicon import word_set
from inquest.text.moments import moments
from inquest.text.phrases import capitalised, count, listed
from inquest.text.sentences import Span, content_words, fold, stem
from inquest.verdicts.testimony import as_testimony

_BACKGROUND = frozenset(map(stem, word_set(__name__, "background")))
_APART = timedelta(days=7)
"""What happened less than a week before is a part of the event."""
_WORTH = 0.3
_READ = 40_000
_SENTENCE = 500
_HEAD = 6_000
_BESIDE = 0.2
"""How near to the topic the words around a name are that has to do with it."""
_SEVERAL, _MOST_ACTORS = 2, 6
_ACTING = frozenset((SpeakerKind.PARTY, SpeakerKind.OPPONENT, SpeakerKind.AUTHORITY, SpeakerKind.EXPERT))
_EVENTS, _DESCRIPTIONS, _STATEMENTS, _PASSAGES = 8, 3, 4, 6
_THE_EVENT = 0.35
"""How near to the topic a sentence is that reports the event itself, and not on the place."""


def topic_context(
    topic: Topic,
    reading: TopicReading,
    sources: Mapping[str, Source],
    documents: Mapping[str, Document],
    *,
    own: Collection[str] = (),
    findings: Sequence[Finding] = (),
) -> TopicContext:
    """The context that the sources give, without the topic's own article (`own`). `findings`: on the topic's claims;
    whoever speaks in them is an actor.

    richness = 35 for earlier events (three make it full), 35 for profiles of the topic's actors (three at most are
    expected), 30 for the place (two local sources, or four passages, make it full).
    """
    counted = {id: each for id, each in evidence_sources(sources, own).items() if id in documents}
    said = [mention for id, each in counted.items() for mention in _sentences(each, documents[id])]
    spoken = _spoken(findings, counted)
    reading = replace(reading, actors=_actors(reading, spoken, documents, counted))
    given = topic.event_date or topic.discovery_date
    dated = [utc(each.published.at) for each in counted.values() if each.published]
    when = utc(given) if given else max(dated, default=None)
    events = _events(reading, topic, said, counted, when - _APART) if when else ()
    profiles = [_profile(each, said, spoken.get(each.name, ()), counted, when) for each in reading.actors]
    actors = tuple(each for each in profiles if each.statements or (each.described_as and _is_actor(each)))
    local = _local(reading, said, counted, documents, {mention.quote for each in events for mention in each.mentions})
    wanted = min(3, len(reading.actors))
    shares = (
        min(1.0, len(events) / 3),
        min(1.0, len(actors) / wanted) if wanted else 0.0,
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
        reasons=_reasons(events, actors, local),
    )


def _spoken(findings: Sequence[Finding], counted: Mapping[str, Source]) -> dict[str, list[Mention]]:
    """What each person or body says in the findings, by its longest name; on a page of its own, by that of its
    publisher."""
    found: dict[str, list[Mention]] = {}
    for each in findings:
        testimony, source = as_testimony(each), counted.get(each.source_id)
        speaker = testimony.name or (source.publisher if source else None) or ""
        if source and testimony.kind in _ACTING and any(name.sure for name in names(speaker)):
            mention = Mention(**each.model_dump(include=set(Mention.model_fields)))
            if mention not in (said := found.setdefault(speaker, [])):
                said.append(mention)
    return {max(group, key=len): [said for name in group for said in found[name]] for group in by_bearer(found)}


def _actors(
    reading: TopicReading,
    spoken: Collection[str],
    documents: Mapping[str, Document],
    counted: Mapping[str, Source],
) -> tuple[Actor, ...]:
    """The topic's own actors by their whole names as the sources write them, who speaks on it, and organisations and
    people that two sources name; no publisher of them, nor the place."""
    named: dict[str, set[str]] = {}
    kinds: dict[str, NameKind] = {}
    for id, source in counted.items():
        for met in names(documents[id].text[:_HEAD]):
            if met.sure and reading.topic_terms.of_sentence(_around(documents[id].text, met.span)) >= _BESIDE:
                named.setdefault(met.text, set()).add(owner_or_site(source))
                kinds.setdefault(met.text, met.kind)
    whole = (NameKind.ORGANISATION, NameKind.PERSON)
    publishers = [each.publisher or each.domain for each in counted.values()]
    several = [
        name
        for name, by in named.items()
        if len(by) >= _SEVERAL and kinds[name] in whole and not any(same_name(name, each) for each in publishers)
    ]
    place = set(fold(reading.place.replace(",", " ")).split())
    found: list[Actor] = []
    for name in (*(each.name for each in reading.actors), *spoken, *several):
        forms = [each for each in named if _share_a_word(each, name) and same_name(each, name)]
        full = max([name, *forms], key=lambda each: (len(named.get(each, ())) >= _SEVERAL, len(each)))
        if set(fold(full).split()) <= place:
            continue
        if not any(_share_a_word(full, each.name) and same_name(full, each.name) for each in found):
            kind = next((each.kind for each in reading.actors if each.name == name), None)
            found.append(Actor(name if name in spoken else full, kind or kinds.get(full, NameKind.NAME)))
    return tuple(found[:_MOST_ACTORS])


def _around(text: str, span: Span) -> str:
    return text[max(0, span.start - _SENTENCE // 2) : span.end + _SENTENCE // 2]


def _share_a_word(one: str, other: str) -> bool:
    """Whether two names have a whole word in common, or one abbreviates: forms of one word are not enough."""
    return bool(set(fold(one).split()) & set(fold(other).split())) or one.isupper() or other.isupper()


def _sentences(source: Source, document: Document) -> Iterator[Mention]:
    for span in evidence_sentences(document, _READ):
        quote = span.of(document.text)
        if len(quote) <= _SENTENCE:
            yield Mention(source_id=source.id, snapshot=document.snapshot, quote=quote, start=span.start, end=span.end)


def _events(
    reading: TopicReading, topic: Topic, said: Sequence[Mention], sources: Mapping[str, Source], before: datetime
) -> tuple[RelatedEvent, ...]:
    """The events before that moment, with one of the topic's actors or at its place."""
    about = " ".join((topic.title, *(actor.name for actor in reading.actors), reading.place))
    involved: dict[str, list[str]] = {}
    passages: dict[str, DatedPassage] = {}
    for mention in said:
        actors = [actor.name for actor in reading.actors if _names(mention.quote, actor.name)]
        if reading.place and _names(mention.quote, reading.place.split(",")[0]):
            actors.append(reading.place)
        passage = _dated(mention, sources[mention.source_id], before) if actors else None
        if passage:
            passages[passage.id], involved[passage.id] = passage, actors
    found = [
        RelatedEvent(
            date=Published(at=draft.date, precision=draft.precision).iso,
            precision=draft.precision,
            text=draft.text,
            actors=tuple(dict.fromkeys(name for id in draft.passages for name in involved[id])),
            mentions=tuple(
                Mention(**passages[id].model_dump(include=set(Mention.model_fields))) for id in draft.passages
            ),
        )
        for draft in events_of(about, list(passages.values()), _EVENTS)
    ]
    return tuple(sorted(found, key=lambda each: each.date))


def _dated(mention: Mention, source: Source, before: datetime) -> DatedPassage | None:
    """The passage, where it dates an event before that moment: not a statement of that date, nor a period or a limit
    ('since 2015')."""
    quote = mention.quote
    reference = source.published.at.date() if source.published else None
    scopes = [each.scope for each in attributed(quote)]
    for moment in moments(quote, reference):
        at = Published(at=datetime.combine(moment.start, time.min, UTC), precision=moment.precision)
        stated = not scopes or any(scope.start <= moment.span.start < scope.end for scope in scopes)
        if stated and not moment.order and at.latest < before and check_worth(quote).score >= _WORTH:
            id = f"{source.id}-{mention.start}"
            return DatedPassage(id=id, date=at.at, precision=at.precision, domain=source.domain, **mention.model_dump())
    return None


def _names(text: str, name: str) -> bool:
    """Whether a text has a name, in full or by a form that can mean nobody else."""
    if re.search(rf"(?<!\w){re.escape(fold(name))}(?!\w)", fold(text)):
        return True
    return any(each.sure and _share_a_word(each.text, name) and same_name(each.text, name) for each in names(text))


def _is_actor(profile: ActorProfile) -> bool:
    """Whether the form of its name is that of a person or a body; other names may be of things."""
    return profile.kind != NameKind.NAME or " " in profile.name


def _profile(
    actor: Actor,
    said: Sequence[Mention],
    spoken: Sequence[Mention],
    sources: Mapping[str, Source],
    when: datetime | None,
) -> ActorProfile:
    about = [mention for mention in said if _names(mention.quote, actor.name)]
    described = {fold(each.quote): each for each in reversed(about) if _describes(each.quote, actor.name)}
    made = {fold(each.quote): _statement(each, actor.name, sources[each.source_id], when) for each in reversed(about)}
    for each in spoken:
        made[fold(each.quote)] = made.get(fold(each.quote)) or _dated_statement(each, sources[each.source_id], when)
    statements = [each for each in made.values() if each]
    statements.sort(key=lambda each: (not each.earlier, each.said or "9999", each.mention.source_id))
    return ActorProfile(
        name=actor.name,
        kind=actor.kind.value,
        described_as=tuple(reversed(described.values()))[:_DESCRIPTIONS],
        statements=tuple(statements[:_STATEMENTS]),
    )


def _describes(sentence: str, name: str) -> bool:
    """Whether it describes the actor: 'Lenn Terminals, the operator of ...', '... is a union of ...'."""
    own = re.escape(name)
    noun = r"(?:an?|the|its|one\s+of)\s+\w"
    verb = r"(?:is|was|are|runs|heads|owns|operates|employs|represents)"
    return bool(
        re.search(rf"{own}(?:,\s+{noun}|,?\s+(?:which\s+|who\s+)?{verb}\s+(?:{noun}|\d)|\s+was\s+founded\b)", sentence)
    )


def _statement(mention: Mention, name: str, source: Source, when: datetime | None) -> StatementMade | None:
    """The statement of the actor that the sentence attributes, with the date of its attribution, else of the page."""
    sentence = mention.quote
    by = next((each for each in attributed(sentence) if each.name and _names(each.name, name)), None)
    if by is None:
        return None
    reference = source.published.at.date() if source.published else None
    attribution = [
        each
        for each in moments(sentence, reference)
        if each.order in ("", "on", "in") and not by.scope.start <= each.span.start < by.scope.end
    ]
    at = None
    if attribution:
        at = Published(at=datetime.combine(attribution[0].start, time.min, UTC), precision=attribution[0].precision)
    return _dated_statement(mention, source, when, at)


def _dated_statement(
    mention: Mention, source: Source, when: datetime | None, at: Published | None = None
) -> StatementMade:
    at = at or source.published
    earlier = at is not None and when is not None and at.latest < when
    return StatementMade(mention=mention, said=at.iso if at else "", earlier=earlier)


def _local(
    reading: TopicReading,
    said: Sequence[Mention],
    sources: Mapping[str, Source],
    documents: Mapping[str, Document],
    shown: Collection[str],
) -> LocalContext:
    """The local sources, and passages on the place other than on the event itself and those `shown` already."""
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
    found: dict[str, tuple[tuple[bool, int, str, int], Mention]] = {}
    for each in said:
        weight = len(words & set(content_words(each.quote)))
        if not weight or each.quote in shown or not _names(each.quote, first):
            continue
        if reading.topic_terms.of_sentence(each.quote) < _THE_EVENT:
            rank = (each.source_id not in at_home, -weight, each.source_id, each.start)
            found.setdefault(fold(each.quote), (rank, each))
    ranked = sorted(found.values(), key=lambda item: item[0])
    return LocalContext(place=place, sources=local, passages=tuple(each for _, each in ranked[:_PASSAGES]))


def _reasons(events: Sequence[RelatedEvent], actors: Sequence[ActorProfile], local: LocalContext) -> tuple[str, ...]:
    at_home, on_it = count(len(local.sources), "source"), count(len(local.passages), "passage")
    reasons = (
        f"{count(len(events), 'earlier event')} with the same actors or at the same place.",
        f"Profiles of {listed([each.name for each in actors])}." if actors else "No actor has a profile.",
        f"{at_home} local to {local.place}, {on_it} on it." if local.place else "The topic names no place.",
    )
    return tuple(map(capitalised, reasons))
