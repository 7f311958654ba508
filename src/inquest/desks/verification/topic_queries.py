"""Queries on a topic: further reports, the first report, eyewitnesses, and who disputes it.

One question for each strategy, two for the few that look in two ways; each is made of names and content words, since
the words of a headline are rarely those of the page that confirms it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from enum import StrEnum

from inquest.claims.plan_queries import answerable
from inquest.claims.press_words import joined
from inquest.desks.verification.topic_reading import TopicReading, read_topic
from inquest.domain.search import EngineKind, Query
from inquest.domain.source import Category
from inquest.domain.topic import Topic
from inquest.sources.local_press import local_domains
from inquest.sources.own_domains import own_domains
from inquest.sources.ratings_table import built_in_ratings
from inquest.text.dates import utc
from inquest.text.entities import NameKind
from inquest.text.phrases import day
from inquest.text.sentences import content_words, fold, shorten
from inquest.text.synonyms import other_words
from inquest.text.urls import is_web_url, registrable_domain

MAX_QUERIES = 16
"""Questions on one topic: what they cost is most of the price of an investigation (spec 001: under $0.50)."""
_BEFORE_DISCOVERY = timedelta(days=30)
"""How far before its discovery reports of a topic are looked for (spec 001, step 2)."""
_AROUND_EVENT = timedelta(days=2)
_LATER = timedelta(days=1)
"""A report of an event is mostly of its day or the next."""
_PRESS = (EngineKind.NEWS, EngineKind.WEB)
_SITES = 8
_POST_WORDS = 4
"""Networks want every word in the post, and posts are short."""
_LONGEST = 180


class SearchStrategy(StrEnum):
    """Why a question is asked as it is; what matters most first."""

    PLAIN = "plain"
    EXACT = "exact phrase"
    RECENT = "date range"
    EARLIEST = "earliest mention"
    SOCIAL = "social networks"
    FACT_CHECK = "fact checkers"
    LOCAL = "local press"
    ARCHIVE = "archive"
    OTHER_SIDE = "other side"
    NAMES = "names alone"
    OFFICIAL = "official records"
    ACTORS = "actors' own pages"
    RELATED = "related words"
    SCHOLARLY = "scholarly"
    PRECEDENT = "earlier events"


_ORDER = tuple(SearchStrategy)
_Asked = tuple[SearchStrategy, str, str, Mapping[str, object]]
"""A strategy, the words, the purpose, and other fields of the query."""


@dataclass(frozen=True, slots=True)
class TopicQuery:
    """A question and the strategy it is part of."""

    strategy: SearchStrategy
    query: Query


def topic_queries(
    topic: Topic,
    now: datetime,
    *,
    kinds: Collection[EngineKind] = (),
    entities: Sequence[str] = (),
    limit: int = MAX_QUERIES,
) -> tuple[TopicQuery, ...]:
    """The questions about a topic, each once, at most `limit`, those that matter most first; each strategy's first
    question before any second one.

    `kinds`: what the engines that are ready search; a question that none of them can answer is left out; empty: all.
    `now` bounds what is looked for: nothing is asked of a time after it. A topic of which no word can be searched for
    (a title of digits and marks, no text) gives no question but that for its archived copies.
    """
    found: dict[tuple[object, ...], TopicQuery] = {}
    for each in _queries(topic, utc(now), read_topic(topic, entities)):
        query = answerable(each.query, tuple(kinds))
        if query is not None:
            found.setdefault(_key(query), TopicQuery(each.strategy, query))
    return _chosen(list(found.values()), limit)


def _queries(topic: Topic, now: datetime, reading: TopicReading) -> Iterator[TopicQuery]:
    """The questions that have a word to search for and a time that is not empty."""
    english = reading.brief.language in ("en", None)
    for strategy, text, purpose, asked in (
        *_in_any_language(topic, now, reading),
        *(_in_english(topic, reading) if english else ()),
    ):
        short = shorten(text, _LONGEST).rstrip("…").strip()
        given = {"text": short, "kinds": _PRESS, "purpose": purpose, "language": reading.brief.language, **asked}
        query = Query.model_validate(given)
        words = any(any(map(str.isalpha, word)) for word in content_words(short))
        if query.until:
            query = query.model_copy(update={"until": min(query.until, now)})
        backwards = query.since and query.until and query.since > query.until
        if (words or EngineKind.ARCHIVE in query.kinds) and not backwards:
            yield TopicQuery(strategy, query)


def _subject(topic: Topic, reading: TopicReading) -> tuple[str, str]:
    """The subject in names and carrying words, and in fewer of them. In other languages than English neither names nor
    small words are known by their form, and the longest words of the title are taken."""
    if reading.brief.language not in ("en", None):
        short = joined(*_long_words(topic.title, 3), "" if topic.title else topic.place)
        return joined(*_long_words(topic.title, 7), topic.place), short
    names = [actor.name for actor in reading.actors if actor.name in topic.title][:2]
    names = names or [actor.name for actor in reading.actors[:1]]
    core = joined(*names, *reading.terms[:5], reading.place)
    return core, joined(*names[:1], *reading.terms[:2], "" if names else reading.place)


def _in_any_language(topic: Topic, now: datetime, reading: TopicReading) -> Iterator[_Asked]:
    core, short = _subject(topic, reading)
    title = " ".join(topic.title.split())
    english = reading.brief.language in ("en", None)
    place = reading.place if english else topic.place
    event = utc(topic.event_date) if topic.event_date else None
    yield SearchStrategy.PLAIN, core or title, f"Who else reports: {title}", {}
    if 3 <= len(title.split()) <= 14:
        yield SearchStrategy.EXACT, title, "Pages with the very same headline", {"exact": True}
    figure = next((each for each in reading.brief.figures if each in title), "")
    if figure and short:
        yield SearchStrategy.RELATED, joined(short, figure), f"Reports that give the figure: {figure}", {}
    found = topic.discovery_date or topic.event_date
    since = (utc(found) if found else now) - _BEFORE_DISCOVERY
    since = min(since, event - _LATER) if event else since
    yield SearchStrategy.RECENT, core, f"Reports from {day(since)} until now", {"since": since, "until": now}
    if event:
        first = datetime.combine(event.date(), time.min, UTC)
        window = {"since": first - _AROUND_EVENT, "until": first + 2 * _LATER - timedelta(seconds=1)}
        yield SearchStrategy.EARLIEST, core, f"The earliest mention: reports from about {day(event)}", window
    social = joined(*(each.name for each in reading.actors[:1]), *reading.terms, reading.place) if english else short
    posts = {"kinds": (EngineKind.SOCIAL,)}
    words = " ".join(social.split()[:_POST_WORDS])
    yield SearchStrategy.SOCIAL, words, "Posts, eyewitnesses and accounts that report it", posts
    if english and (tag := next(_hashtags(reading), "")):
        yield SearchStrategy.SOCIAL, tag, f"Posts under {tag}", posts | {"since": event - _LATER if event else None}
    checkers = {"kinds": (EngineKind.FACT_CHECK,)}
    yield SearchStrategy.FACT_CHECK, short, "What fact-checkers have found", checkers
    if topic.url and is_web_url(topic.url):
        at = topic.event_date or topic.discovery_date
        archives = {"kinds": (EngineKind.ARCHIVE,), "near": utc(at) if at else None}
        yield SearchStrategy.ARCHIVE, topic.url, "When the article was first captured, and in which words", archives
        own = registrable_domain(topic.url)
        if own and short:
            yield SearchStrategy.RELATED, short, f"What else {own} has on it", {"domains": (own,)}
    if reading.brief.technical:
        scholars = {"kinds": (EngineKind.SCHOLARLY,)}
        yield SearchStrategy.SCHOLARLY, joined(*reading.terms[:5]), "Independent studies of the topic", scholars
    if place and (local := local_domains(place)):
        yield SearchStrategy.LOCAL, short, f"What the local press of {place} reports", {"domains": local[:_SITES]}
    if regulators := _regulators(reading)[:_SITES]:
        yield SearchStrategy.OFFICIAL, short, "What the regulators of the field have on it", {"domains": regulators}


def _in_english(topic: Topic, reading: TopicReading) -> Iterator[_Asked]:
    """Questions with words of their own beside the topic's."""
    terms, place = reading.terms, reading.place
    if place:
        yield SearchStrategy.LOCAL, joined(place, *terms[:3]), f"What is reported near {place}", {}
    for actor in reading.actors[:3]:
        domains = tuple(sorted(own_domains(actor.name))) if actor.kind is NameKind.ORGANISATION else ()
        if domains:
            words = joined(actor.name, *terms[:3])
            yield SearchStrategy.ACTORS, words, f"What {actor.name} itself says", {"domains": domains[:_SITES]}
    who = next((actor.name for actor in reading.actors), "") or place
    if others := [found[0] for term in terms[:6] if (found := other_words(term))][:4]:
        words = joined(who, *others, *terms[:2])
        yield SearchStrategy.RELATED, words, f"Reports in other words: {', '.join(others)}", {}
    if who:
        until = utc(topic.event_date) - _BEFORE_DISCOVERY if topic.event_date else None
        words = joined(who, *terms[:2])
        yield SearchStrategy.OTHER_SIDE, words, f"What {who} says to it, and who denies or disputes it", {}
        named = joined(*(actor.name for actor in reading.actors[:3]), place)
        yield SearchStrategy.NAMES, named, "Reports in any language: names are the same in all of them", {}
        earlier = f"Earlier events of the kind at {who}, and what was said of them"
        yield SearchStrategy.PRECEDENT, words, earlier, {"until": until}


def _long_words(title: str, most: int) -> list[str]:
    """The longest words of a title, at most so many, in their order."""
    words = re.findall(r"\w+(?:[-'’]\w+)*", title)
    chosen = sorted(range(len(words)), key=lambda place: (-len(words[place]), place))[:most]
    return [words[place] for place in sorted(chosen) if len(words[place]) > 3 or words[place].isupper()]


def _hashtags(reading: TopicReading) -> Iterator[str]:
    """Names run together with what it is about, as hashtags are made: '#HarlowStrike', '#Harlow'."""
    term = next((term for term in reading.terms if term.isalpha() and len(term) > 3), "")
    for name in (reading.place, *(actor.name for actor in reading.actors[:2])):
        bare = "".join(word[:1].upper() + word[1:] for word in re.findall(r"[^\W_]+", name))
        if len(bare) > 2:
            yield f"#{bare}{term.capitalize()}"


def _regulators(reading: TopicReading) -> tuple[str, ...]:
    """Those of the table of ratings whose field ('work safety regulator') the topic's words name."""
    said = set(content_words(" ".join((*reading.terms, reading.brief.opening))))
    common = set(content_words("regulator agency oversight central enforcement actions"))
    rows = [row for row in built_in_ratings().rows.values() if row.category == Category.REGULATOR]
    fit = [row for row in rows if said & (set(content_words(row.reason)) - common)]
    return tuple(dict.fromkeys(registrable_domain(row.domain) for row in sorted(fit, key=lambda row: -row.score)))


def _key(asked: Query) -> tuple[object, ...]:
    words: object = fold(asked.text) if asked.exact else frozenset(content_words(asked.text))
    return words, asked.kinds, asked.exact, asked.since, asked.until, asked.domains, asked.text.startswith("#")


def _chosen(queries: Sequence[TopicQuery], limit: int) -> tuple[TopicQuery, ...]:
    seen: dict[SearchStrategy, int] = {}
    ranked = []
    for place, each in enumerate(queries):
        turn = seen.get(each.strategy, 0)
        seen[each.strategy] = turn + 1
        ranked.append((turn, _ORDER.index(each.strategy), place, each))
    kept = sorted(ranked, key=lambda item: item[:3])[: max(0, limit)]
    return tuple(each for _, _, _, each in sorted(kept, key=lambda item: (item[1], item[0])))
