"""What is asked about a topic: who else reports it, who reported it first, who was there, who says otherwise.

One question for each strategy, two for the few that look in two ways; each is made of names and content words, since
the words of a headline are rarely those of the page that confirms it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
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
    for each in _TopicQueries(topic, utc(now), read_topic(topic, entities)).all():
        query = answerable(each.query, tuple(kinds))
        if query is not None:
            found.setdefault(_key(query), TopicQuery(each.strategy, query))
    return _chosen(list(found.values()), limit)


class _TopicQueries:
    """The questions about one topic."""

    def __init__(self, topic: Topic, now: datetime, reading: TopicReading) -> None:
        self._topic, self._now, self._reading = topic, now, reading
        self._event = utc(topic.event_date) if topic.event_date else None
        # The small words of other languages are not known, nor are names in German, where every noun is a capital. So
        # the long words of the title stand for the subject there, and no English words are put beside them.
        self._english = reading.brief.language in ("en", None)
        self._place = reading.place if self._english else topic.place
        self._who = next((actor.name for actor in reading.actors), "") if self._english else ""
        if self._english:
            titled = [actor.name for actor in reading.actors if actor.name in topic.title]
            names = titled[:2] or [actor.name for actor in reading.actors[:1]]
            self._core = joined(*names, *reading.terms[:5], reading.place)
            self._short = joined(*names[:1], *reading.terms[:2], "" if names else reading.place)
        else:
            self._core = joined(*_long_words(topic.title, 7), topic.place)
            self._short = joined(*_long_words(topic.title, 3), "" if topic.title else topic.place)

    def all(self) -> Iterator[TopicQuery]:
        yield from self._by_wording()
        yield from self._by_time()
        yield from self._by_kind()
        yield from self._by_domain()
        if self._english:
            yield from self._in_english()

    def _ask(self, strategy: SearchStrategy, text: str, purpose: str, **asked: object) -> Iterator[TopicQuery]:
        """The question, if there is a word in it to search for and its time is not empty. `asked`: of `Query`."""
        text = shorten(text, _LONGEST).rstrip("…").strip()
        query = Query.model_validate(
            {"text": text, "kinds": _PRESS, "purpose": purpose, "language": self._reading.brief.language} | asked
        )
        words = any(any(map(str.isalpha, word)) for word in content_words(text))
        if query.until:
            query = query.model_copy(update={"until": min(query.until, self._now)})
        backwards = query.since and query.until and query.since > query.until
        if (words or EngineKind.ARCHIVE in query.kinds) and not backwards:
            yield TopicQuery(strategy, query)

    def _by_wording(self) -> Iterator[TopicQuery]:
        title = " ".join(self._topic.title.split())
        yield from self._ask(SearchStrategy.PLAIN, self._core or title, f"Who else reports: {title}")
        if 3 <= len(title.split()) <= 14:
            yield from self._ask(SearchStrategy.EXACT, title, "Pages with the very same headline", exact=True)
        figure = next((each for each in self._reading.brief.figures if each in title), "")
        if figure and self._short:
            said = f"Reports that give the figure: {figure}"
            yield from self._ask(SearchStrategy.RELATED, joined(self._short, figure), said)

    def _by_time(self) -> Iterator[TopicQuery]:
        found = self._topic.discovery_date or self._topic.event_date
        since = (utc(found) if found else self._now) - _BEFORE_DISCOVERY
        if self._event:
            since = min(since, self._event - _LATER)
        said = f"Reports from {day(since)} until now"
        yield from self._ask(SearchStrategy.RECENT, self._core, said, since=since, until=self._now)
        if self._event is not None:
            first = datetime.combine(self._event.date(), time.min, UTC)
            around = f"The earliest mention: reports from about {day(self._event)}"
            window = {"since": first - _AROUND_EVENT, "until": first + 2 * _LATER - timedelta(seconds=1)}
            yield from self._ask(SearchStrategy.EARLIEST, self._core, around, **window)

    def _by_kind(self) -> Iterator[TopicQuery]:
        social = joined(*(each.name for each in self._reading.actors[:1]), *self._reading.terms, self._reading.place)
        words = " ".join((social if self._english else self._short).split()[:_POST_WORDS])
        said = "Posts, eyewitnesses and accounts that report it"
        yield from self._ask(SearchStrategy.SOCIAL, words, said, kinds=(EngineKind.SOCIAL,))
        tag = next(_hashtags(self._reading), "") if self._english else ""
        if tag:
            since = self._event - _LATER if self._event else None
            yield from self._ask(
                SearchStrategy.SOCIAL, tag, f"Posts under {tag}", kinds=(EngineKind.SOCIAL,), since=since
            )
        checked = "What fact-checkers have found"
        yield from self._ask(SearchStrategy.FACT_CHECK, self._short, checked, kinds=(EngineKind.FACT_CHECK,))
        if self._topic.url and is_web_url(self._topic.url):
            at = self._event or self._topic.discovery_date
            said, near = "When the article was first captured, and in which words", utc(at) if at else None
            yield from self._ask(SearchStrategy.ARCHIVE, self._topic.url, said, kinds=(EngineKind.ARCHIVE,), near=near)
        if self._reading.brief.technical:
            said = "Independent studies of the topic"
            words = joined(*self._reading.terms[:5])
            yield from self._ask(SearchStrategy.SCHOLARLY, words, said, kinds=(EngineKind.SCHOLARLY,))

    def _by_domain(self) -> Iterator[TopicQuery]:
        if self._place and (local := local_domains(self._place)):
            said = f"What the local press of {self._place} reports"
            yield from self._ask(SearchStrategy.LOCAL, self._short, said, domains=local[:_SITES])
        regulators = _regulators(self._reading)
        if regulators:
            said = "What those who supervise such matters have on it"
            yield from self._ask(SearchStrategy.OFFICIAL, self._short, said, domains=regulators[:_SITES])
        own = registrable_domain(self._topic.url) if self._topic.url and is_web_url(self._topic.url) else ""
        if own and self._short:
            yield from self._ask(SearchStrategy.RELATED, self._short, f"What else {own} has on it", domains=(own,))

    def _in_english(self) -> Iterator[TopicQuery]:
        """Questions with words of their own beside the topic's."""
        topic = self._reading.terms[:2]
        if self._place:
            near = joined(self._place, *self._reading.terms[:3])
            yield from self._ask(SearchStrategy.LOCAL, near, f"What is reported near {self._place}")
        for actor in self._reading.actors[:3]:
            domains = sorted(own_domains(actor.name)) if actor.kind is NameKind.ORGANISATION else []
            if domains:
                words = joined(actor.name, *self._reading.terms[:3])
                said = f"What {actor.name} itself says"
                yield from self._ask(SearchStrategy.ACTORS, words, said, domains=tuple(domains[:_SITES]))
        others = [found[0] for term in self._reading.terms[:6] if (found := other_words(term))]
        if others:
            said = f"Reports in other words: {', '.join(others[:4])}"
            yield from self._ask(SearchStrategy.RELATED, joined(self._who or self._place, *others[:4], *topic), said)
        who = self._who or self._reading.place
        if not who:
            return
        until = self._event - _BEFORE_DISCOVERY if self._event else None
        said = f"What {who} says to it, and who denies or disputes it"
        yield from self._ask(SearchStrategy.OTHER_SIDE, joined(who, *topic), said)
        named = joined(*(actor.name for actor in self._reading.actors[:3]), self._reading.place)
        said = "Reports in any language: names are the same in all of them"
        yield from self._ask(SearchStrategy.NAMES, named, said)
        said = f"Earlier events of the kind at {who}, and what was said of them"
        yield from self._ask(SearchStrategy.PRECEDENT, joined(who, *topic), said, until=until)


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
