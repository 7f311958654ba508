"""Reading of a topic by rules (names, actors, places, terms), and the queries on it, by search strategy. They consist
of names and terms, because a page that confirms a headline rarely repeats its words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from enum import StrEnum
from typing import NamedTuple

from inquest.claims.brief_reading import BriefReading, key_terms, read_brief
from inquest.claims.plan_queries import answerable
from inquest.claims.press_words import joined
from inquest.claims.relevance import TopicTerms, topic_terms
from inquest.domain.search import EngineKind, Query
from inquest.domain.source import Category
from inquest.domain.topic import Topic
from inquest.sources.owners import own_domains
from inquest.sources.publisher_names import local_domains
from inquest.sources.ratings_table import built_in_ratings
from inquest.text.dates import utc
from inquest.text.entities import NameKind, names, same_name
from inquest.text.lexicon import pattern
from inquest.text.phrases import day
from inquest.text.sentences import content_words, fold, shorten
from inquest.text.urls import is_web_url, registrable_domain
from inquest.text.vocabulary import other_words

_HEAD = 2_500
"""Characters of an article that introduce its subject."""
_ACTORS = 6
_ACCUSATION = pattern(__name__, "accusation")
_OF_A_FIGURE = frozenset(
    "hundred thousand million billion trillion mn bn percent per cent euro euros dollar dollars pound pounds".split()
)
"""Words without meaning apart from their number."""
MAX_QUERIES = 16
"""Queries are most of the cost of an investigation, which the specification limits."""
_BEFORE_DISCOVERY = timedelta(days=30)
_AROUND_EVENT = timedelta(days=2)
_DAY = timedelta(days=1)
_PRESS = (EngineKind.NEWS, EngineKind.WEB)
_SITES = 8
_POST_WORDS = 4
"""Networks match only posts with every word, and posts are short."""
_LONGEST = 180


@dataclass(frozen=True, slots=True)
class Actor:
    """A person or organisation involved; `kind` follows from the form of the name."""

    name: str
    kind: NameKind


@dataclass(frozen=True, slots=True)
class TopicReading:
    """A topic, read once for queries, context and relevance."""

    brief: BriefReading
    actors: tuple[Actor, ...]
    """Organisations, people and acronyms, most frequent first, at most six."""
    place: str
    """The topic's place, else the first that it names; '' for none."""
    terms: tuple[str, ...]
    """Terms without names, those of the title first."""
    topic_terms: TopicTerms

    @property
    def english(self) -> bool:
        """True for English or an unknown language, which the rules can read."""
        return self.brief.language in ("en", None)


def read_topic(topic: Topic) -> TopicReading:
    """Read the title and the beginning of the text."""
    about = f"{topic.title}. {topic.text[:_HEAD]}".strip()
    brief = read_brief(about)
    place = topic.place.strip() or next(iter(brief.places), "")
    places = {fold(each) for each in (place, *brief.places) if each}
    kinds = {name.text: name.kind for name in names(about)}
    actors: list[Actor] = []
    for name in brief.names:
        kind = kinds.get(name, NameKind.NAME)
        of_place = kind is NameKind.PLACE or fold(name) in places
        of_place = of_place or bool(place and kind is NameKind.NAME and same_name(name, place))
        if not of_place and not any(same_name(name, each.name) for each in actors):
            actors.append(Actor(name, kind))
    titled = key_terms(topic.title, brief.names)
    terms = tuple(term for term in dict.fromkeys((*titled, *brief.terms)) if fold(term) not in _OF_A_FIGURE)
    return TopicReading(brief, tuple(actors[:_ACTORS]), place, terms, topic_terms(topic.title, topic.text[:_HEAD]))


def accuses(text: str) -> str | None:
    """The first word that accuses somebody of a crime, serious wrong, death or injury; None without one."""
    match = _ACCUSATION.search(text)
    return match.group() if match else None


class SearchStrategy(StrEnum):
    """The aim of a query, worded for the plan; the most important first."""

    PLAIN = "reports of the matter"
    EXACT = "the same words elsewhere"
    RECENT = "the newest reports"
    EARLIEST = "the earliest mention"
    SOCIAL = "posts of people who were there, or say so"
    FACT_CHECK = "what others who check claims have found"
    LOCAL = "the press of the place"
    ARCHIVE = "archived copies"
    OTHER_SIDE = "those who say otherwise"
    NAMES = "reports in other languages"
    OFFICIAL = "official records"
    ACTORS = "the pages of those involved"
    RELATED = "reports in different words"
    SCHOLARLY = "scholarly works"
    PRECEDENT = "earlier events of the kind"


_ORDER = tuple(SearchStrategy)
_Draft = tuple[SearchStrategy, str, str, Mapping[str, object]]
"""A strategy, the words, the purpose, and other fields of the query."""


class TopicQuery(NamedTuple):
    """A query and its strategy."""

    strategy: SearchStrategy
    query: Query


def topic_queries(
    topic: Topic, now: datetime, *, kinds: Collection[EngineKind] = (), limit: int = MAX_QUERIES
) -> tuple[TopicQuery, ...]:
    """The queries on a topic, each once, at most `limit`, by importance. All strategies get a query before any gets a
    second one.

    `kinds`: those of the available engines, all if empty; queries that none of them can answer are left out. A topic
    without searchable words gives only the query for its archived copies.
    """
    reading, now = read_topic(topic), utc(now)
    drafts = [*_in_any_language(topic, now, reading), *(_in_english(topic, reading) if reading.english else ())]
    seen: set[tuple[object, ...]] = set()
    turns: Counter[SearchStrategy] = Counter()
    ranked: list[tuple[int, int, TopicQuery]] = []
    for strategy, text, purpose, fields in drafts:
        query = _query(text, purpose, fields, reading, now)
        query = answerable(query, tuple(kinds)) if query else None
        if query is None:
            continue
        words = fold(query.text) if query.exact else frozenset(content_words(query.text))
        if (key := (words, query.kinds, query.exact, query.since, query.until, query.domains)) in seen:
            continue
        seen.add(key)
        turns[strategy] += 1
        ranked.append((turns[strategy], _ORDER.index(strategy), TopicQuery(strategy, query)))
    kept = sorted(ranked, key=lambda item: item[:2])[: max(0, limit)]
    return tuple(each for _, _, each in sorted(kept, key=lambda item: (item[1], item[0])))


def _query(text: str, purpose: str, fields: Mapping[str, object], reading: TopicReading, now: datetime) -> Query | None:
    """The query; None without a word to search for, or with an empty time range."""
    short = shorten(text, _LONGEST).rstrip("…").strip()
    values = {"text": short, "kinds": _PRESS, "purpose": purpose, "language": reading.brief.language, **fields}
    query = Query.model_validate(values)
    if query.until:
        query = query.model_copy(update={"until": min(query.until, now)})
    words = any(any(map(str.isalpha, word)) for word in content_words(short))
    backwards = query.since and query.until and query.since > query.until
    return query if (words or EngineKind.ARCHIVE in query.kinds) and not backwards else None


def _subject(topic: Topic, reading: TopicReading) -> tuple[str, str]:
    """The subject in names and terms, and a shorter form; outside English, in the longest words of the title."""
    if not reading.english:
        short = joined(*_long_words(topic.title, 3), "" if topic.title else topic.place)
        return joined(*_long_words(topic.title, 7), topic.place), short
    names = [actor.name for actor in reading.actors if actor.name in topic.title][:2]
    names = names or [actor.name for actor in reading.actors[:1]]
    core = joined(*names, *reading.terms[:5], reading.place)
    return core, joined(*names[:1], *reading.terms[:2], "" if names else reading.place)


def _in_any_language(topic: Topic, now: datetime, reading: TopicReading) -> Iterator[_Draft]:
    core, short = _subject(topic, reading)
    title = " ".join(topic.title.split())
    place = reading.place if reading.english else topic.place
    event = utc(topic.event_date) if topic.event_date else None
    found = utc(topic.discovery_date) if topic.discovery_date else event or now
    since = min(found - _BEFORE_DISCOVERY, event - _DAY) if event else found - _BEFORE_DISCOVERY
    yield SearchStrategy.PLAIN, core or title, f"Who else reports: {title}", {}
    if 3 <= len(title.split()) <= 14:
        yield SearchStrategy.EXACT, title, "Pages with the very same headline", {"exact": True}
    figure = next((each for each in reading.brief.figures if each in title), "")
    if figure and short:
        yield SearchStrategy.RELATED, joined(short, figure), f"Reports that give the figure: {figure}", {}
    yield SearchStrategy.RECENT, core, f"Reports from {day(since)} until now", {"since": since, "until": now}
    if event:
        first = datetime.combine(event.date(), time.min, UTC)
        window = {"since": first - _AROUND_EVENT, "until": first + 2 * _DAY - timedelta(seconds=1)}
        yield SearchStrategy.EARLIEST, core, f"The earliest mention: reports from about {day(event)}", window
    names = [actor.name for actor in reading.actors[:1]]
    social = joined(*names, *reading.terms, reading.place) if reading.english else short
    words, posts = " ".join(social.split()[:_POST_WORDS]), {"kinds": (EngineKind.SOCIAL,)}
    yield SearchStrategy.SOCIAL, words, "Posts, eyewitnesses and accounts that report it", posts
    yield SearchStrategy.FACT_CHECK, short, "Results of fact-checkers", {"kinds": (EngineKind.FACT_CHECK,)}
    if topic.url and is_web_url(topic.url):
        at = topic.event_date or topic.discovery_date
        archives = {"kinds": (EngineKind.ARCHIVE,), "near": utc(at) if at else None}
        yield SearchStrategy.ARCHIVE, topic.url, "When the article was first captured, and in which words", archives
    if reading.brief.technical:
        scholars = {"kinds": (EngineKind.SCHOLARLY,)}
        yield SearchStrategy.SCHOLARLY, joined(*reading.terms[:5]), "Independent studies of the topic", scholars
    if place and (local := local_domains(place)):
        yield SearchStrategy.LOCAL, short, f"Reports of the local press of {place}", {"domains": local[:_SITES]}
    if regulators := _regulators(reading)[:_SITES]:
        yield SearchStrategy.OFFICIAL, short, "Records of the regulators of the field", {"domains": regulators}


def _in_english(topic: Topic, reading: TopicReading) -> Iterator[_Draft]:
    terms, place = reading.terms, reading.place
    names = [actor.name for actor in reading.actors[:3]]
    if place:
        yield SearchStrategy.LOCAL, joined(place, *terms[:3]), f"Reports from near {place}", {}
    for actor in reading.actors[:3]:
        domains = tuple(sorted(own_domains(actor.name))) if actor.kind is NameKind.ORGANISATION else ()
        if domains:
            words = joined(actor.name, *terms[:3])
            yield SearchStrategy.ACTORS, words, f"Pages of {actor.name} itself", {"domains": domains[:_SITES]}
    who = names[0] if names else place
    if others := [found[0] for term in terms[:6] if (found := other_words(term))][:4]:
        words = joined(who, *others, *terms[:2])
        yield SearchStrategy.RELATED, words, f"Reports in different words: {', '.join(others)}", {}
    if who:
        words = joined(who, *terms[:2])
        until = utc(topic.event_date) - _BEFORE_DISCOVERY if topic.event_date else None
        yield SearchStrategy.OTHER_SIDE, words, f"The answer of {who}, and who denies or disputes it", {}
        yield SearchStrategy.NAMES, joined(*names, place), "Reports in any language, by the names", {}
        yield SearchStrategy.PRECEDENT, words, f"Earlier events of the kind at {who}", {"until": until}


def _long_words(title: str, most: int) -> list[str]:
    """The longest words of a title, in its order."""
    words = re.findall(r"\w+(?:[-'’]\w+)*", title)
    chosen = sorted(range(len(words)), key=lambda place: (-len(words[place]), place))[:most]
    return [words[place] for place in sorted(chosen) if len(words[place]) > 3 or words[place].isupper()]


def _regulators(reading: TopicReading) -> Sequence[str]:
    """The domains of regulators whose field ('work safety regulator') shares a word with the topic."""
    words = set(content_words(" ".join((*reading.terms, reading.brief.opening))))
    words -= set(content_words("regulator agency oversight central enforcement actions"))
    rows = [row for row in built_in_ratings().rows.values() if row.category == Category.REGULATOR]
    fit = [row for row in rows if words & set(content_words(row.reason))]
    return tuple(dict.fromkeys(registrable_domain(row.domain) for row in sorted(fit, key=lambda row: -row.score)))
