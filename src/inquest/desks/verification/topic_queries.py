"""What is asked about a topic, by strategy: the same words put to a search engine once are one question only, and what
one wording, one time or one kind of engine misses another finds.

The strategies are those of the verification desk's specification (exact phrase, date range, domains, related words,
social networks, archives, scholarly indexes), with the questions that its origin and context research need.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from enum import StrEnum

from inquest.claims.plan_queries import CONTROVERSY, OFFICIAL, RESPONSE, answerable
from inquest.desks.verification.topic_reading import TopicReading, read_topic
from inquest.domain.search import EngineKind, Query
from inquest.domain.source import Category
from inquest.domain.topic import Topic
from inquest.entailment.predicates import other_words
from inquest.sources.local_press import local_domains
from inquest.sources.own_domains import own_domains
from inquest.sources.ratings_table import built_in_ratings
from inquest.text.dates import utc
from inquest.text.entities import NameKind
from inquest.text.phrases import day
from inquest.text.sentences import content_words, fold, shorten
from inquest.text.urls import is_web_url, registrable_domain

__all__ = ["MAX_QUERIES", "Strategy", "TopicQuery", "topic_queries"]

MAX_QUERIES = 24
_BEFORE_DISCOVERY = timedelta(days=30)
"""How far before its discovery reports of a topic are looked for (spec 001, step 2)."""
_AROUND_EVENT = timedelta(days=2)
_LATER = timedelta(days=1)
"""A report of an event is mostly of its day or the next."""
_PRESS = (EngineKind.NEWS, EngineKind.WEB)
_SITES = 8
_POST_WORDS = 4
"""Networks want every word in the post, and posts are short."""


class Strategy(StrEnum):
    """Why a question is asked as it is."""

    PLAIN = "plain"
    EXACT = "exact phrase"
    RECENT = "date range"
    EARLIEST = "earliest mention"
    RELATED = "related words"
    LOCAL = "local press"
    ACTORS = "actors' own pages"
    OFFICIAL = "official records"
    FACT_CHECK = "fact checkers"
    OTHER_SIDE = "other side"
    SOCIAL = "social networks"
    ARCHIVE = "archive"
    SCHOLARLY = "scholarly"
    PRECEDENT = "earlier events"
    STATEMENTS = "earlier statements"


_ORDER = (
    Strategy.PLAIN, Strategy.EXACT, Strategy.RECENT, Strategy.EARLIEST, Strategy.SOCIAL, Strategy.FACT_CHECK,
    Strategy.LOCAL, Strategy.ARCHIVE, Strategy.OTHER_SIDE, Strategy.OFFICIAL, Strategy.ACTORS, Strategy.RELATED,
    Strategy.SCHOLARLY, Strategy.PRECEDENT, Strategy.STATEMENTS,
)  # fmt: skip
"""What matters most first; what is cut at a limit is the last question of the longest strategies."""


@dataclass(frozen=True, slots=True)
class TopicQuery:
    """A question and the strategy it is part of."""

    strategy: Strategy
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
    made = _Asking(topic, utc(now), read_topic(topic, entities)).all()
    found: list[TopicQuery] = []
    for each in made:
        query = answerable(each.query, tuple(kinds))
        if query is not None:
            found.append(TopicQuery(each.strategy, query))
    return _chosen(_each_once(found), limit)


class _Asking:
    """The questions about one topic."""

    def __init__(self, topic: Topic, now: datetime, reading: TopicReading) -> None:
        self._topic, self._now, self._reading = topic, now, reading
        self._made: list[TopicQuery] = []
        self._who = next((actor.name for actor in reading.actors), "")
        self._event = utc(topic.event_date) if topic.event_date else None
        titled = [actor.name for actor in reading.actors if actor.name in topic.title]
        names = titled[:2] or [actor.name for actor in reading.actors[:1]]
        self._core = _joined(*names, *reading.terms[:5], reading.place)
        self._short = _joined(*names[:1], *reading.terms[:2], "" if names else reading.place)
        self._english = reading.brief.language in ("en", None)
        if not self._english:
            # The small words of other languages are not known, nor are names in German, where every noun is a capital.
            # So the long words of the title stand for the matter, and no English words are put beside them.
            self._who = ""
            self._core = _joined(*_long_words(topic.title, 7), topic.place)
            self._short = _joined(*_long_words(topic.title, 3), "" if topic.title else topic.place)

    def all(self) -> list[TopicQuery]:
        self._by_wording()
        self._by_time()
        self._by_domain()
        self._by_kind()
        self._by_context()
        return self._made

    def _ask(
        self,
        strategy: Strategy,
        text: str,
        purpose: str,
        kinds: Sequence[EngineKind] = _PRESS,
        *,
        exact: bool = False,
        since: datetime | None = None,
        until: datetime | None = None,
        near: datetime | None = None,
        domains: Sequence[str] = (),
    ) -> None:
        text = shorten(text, 180).rstrip("…").strip()
        searchable = EngineKind.ARCHIVE in kinds or any(any(map(str.isalpha, word)) for word in content_words(text))
        if not searchable or (since and until and since > until):
            return
        query = Query(
            text=text,
            kinds=tuple(kinds),
            purpose=purpose,
            exact=exact,
            since=since,
            until=min(until, self._now) if until else None,
            language=self._reading.brief.language,
            domains=tuple(domains)[:_SITES],
            near=near,
        )
        self._made.append(TopicQuery(strategy, query))

    def _by_wording(self) -> None:
        title = " ".join(self._topic.title.split())
        self._ask(Strategy.PLAIN, self._core or title, f"Who else reports: {title}")
        if 3 <= len(title.split()) <= 14:
            self._ask(Strategy.EXACT, title, "Pages with the very same headline", exact=True)
        phrase = next(
            (each for each in self._reading.brief.phrases if len(each.split()) >= 3 and each not in title), ""
        )
        if phrase:
            self._ask(Strategy.EXACT, phrase, f"Pages that say it in these words: {phrase}", exact=True)
        figure = next((each for each in self._reading.brief.figures if each in title), "")
        if figure and self._short:
            self._ask(Strategy.RELATED, _joined(self._short, figure), f"Reports that give the figure: {figure}")
        others = {term: other_words(term) for term in self._reading.terms[:6] if self._english}
        swapped = [(term, words) for term, words in others.items() if words]
        for number in range(2):
            with_others = [words[number] if number < len(words) else term for term, words in swapped]
            rest = [term for term in self._reading.terms[:5] if term not in dict(swapped)]
            if swapped and with_others != [term for term, _ in swapped]:
                text = _joined(self._who or self._reading.place, *with_others[:4], *rest[:2])
                self._ask(Strategy.RELATED, text, f"Reports in other words: {', '.join(with_others[:4])}")

    def _by_time(self) -> None:
        found = self._topic.discovery_date or self._topic.event_date
        since = (utc(found) if found else self._now) - _BEFORE_DISCOVERY
        if self._event:
            since = min(since, self._event - _LATER)
        said = f"Reports from {day(since)} until now"
        self._ask(Strategy.RECENT, self._core, said, since=since, until=self._now)
        if self._event is None:
            return
        first, end = _midnight(self._event), _midnight(self._event) + _LATER - timedelta(seconds=1)
        around = f"The earliest mention: reports from about {day(self._event)}"
        self._ask(Strategy.EARLIEST, self._core, around, since=first - _AROUND_EVENT, until=end + _LATER)
        self._ask(
            Strategy.EARLIEST,
            self._short,
            f"The earliest mention: whatever was published up to {day(self._event)}",
            until=end,
        )

    def _by_domain(self) -> None:
        place = self._reading.place if self._english else self._topic.place
        if place:
            local = local_domains(place)
            if local:
                self._ask(Strategy.LOCAL, self._short, f"What the local press of {place} reports", domains=local)
            near = _joined(place, *self._reading.terms[:3], "local", "news") if self._english else self._core
            self._ask(Strategy.LOCAL, near, f"What is reported near {place}")
        for actor in self._reading.actors[:3] if self._english else ():
            domains = sorted(own_domains(actor.name)) if actor.kind is NameKind.ORGANISATION else []
            if domains:
                words = _joined(actor.name, *self._reading.terms[:3])
                self._ask(Strategy.ACTORS, words, f"What {actor.name} itself says", domains=domains)
        if self._short and self._english:
            self._ask(Strategy.OFFICIAL, f"{self._short} {OFFICIAL}", "Official records")
        regulators = _regulators(self._reading)
        if regulators:
            self._ask(
                Strategy.OFFICIAL, self._short, "What those who supervise such matters have on it", domains=regulators
            )
        own = registrable_domain(self._topic.url) if self._topic.url and is_web_url(self._topic.url) else ""
        if own and self._short:
            text = _joined(self._short)
            self._ask(Strategy.RELATED, text, f"What else {own} has on it", domains=(own,))

    def _by_kind(self) -> None:
        social = _joined(*(each.name for each in self._reading.actors[:1]), *self._reading.terms, self._reading.place)
        words = " ".join((social if self._english else self._short).split()[:_POST_WORDS])
        since = self._event - _LATER if self._event else None
        self._ask(Strategy.SOCIAL, words, "Posts, eyewitnesses and accounts that tell of it", (EngineKind.SOCIAL,))
        tags = _hashtags(self._reading) if self._english else []
        for tag in tags[:2]:
            self._ask(Strategy.SOCIAL, tag, f"Posts under {tag}", (EngineKind.SOCIAL,), since=since)
        self._ask(Strategy.FACT_CHECK, self._short, "What fact-checkers have found", (EngineKind.FACT_CHECK,))
        if self._topic.url and is_web_url(self._topic.url):
            at = self._event or self._topic.discovery_date
            purpose = "When the article was first captured, and in which words"
            self._ask(Strategy.ARCHIVE, self._topic.url, purpose, (EngineKind.ARCHIVE,), near=utc(at) if at else None)
        if self._reading.brief.technical:
            text = _joined(*self._reading.terms[:5], "study")
            self._ask(Strategy.SCHOLARLY, text, "Independent studies of the matter", (EngineKind.SCHOLARLY,))

    def _by_context(self) -> None:
        who = self._who or self._reading.place
        if not who or not self._english:
            return
        matter = self._reading.terms[:2]
        said = f"What {who} says to it, and who denies it"
        self._ask(Strategy.OTHER_SIDE, _joined(who, *matter, *RESPONSE.split()), said)
        self._ask(Strategy.OTHER_SIDE, _joined(who, *matter, *CONTROVERSY.split()), "Who disputes or criticises it")
        until = self._event - _BEFORE_DISCOVERY if self._event else None
        earlier = f"Earlier events of the kind at {who}"
        self._ask(Strategy.PRECEDENT, _joined(who, *matter), earlier, until=until)
        for actor in self._reading.actors[:2]:
            said = f"What {actor.name} said before"
            words = _joined(actor.name, *matter[:1], "statement", "said")
            self._ask(Strategy.STATEMENTS, words, said, until=self._event - _LATER if self._event else None)


def _long_words(title: str, most: int) -> list[str]:
    """The longest words of a title, at most so many, in their order."""
    words = re.findall(r"\w+(?:[-'’]\w+)*", title)
    chosen = sorted(range(len(words)), key=lambda place: (-len(words[place]), place))[:most]
    return [words[place] for place in sorted(chosen) if len(words[place]) > 3 or words[place].isupper()]


def _midnight(moment: datetime) -> datetime:
    return datetime.combine(moment.date(), time.min, UTC)


def _joined(*parts: str) -> str:
    """The parts as one query, without words that stand there already."""
    kept: list[str] = []
    there: set[str] = set()
    for part in parts:
        spelled = set(re.findall(r"[^\W_]+", fold(part)))
        if spelled and not spelled <= there:
            kept.append(" ".join(part.split()))
            there |= spelled
    return " ".join(kept)


def _hashtags(reading: TopicReading) -> list[str]:
    """Names run together with what it is about, as hashtags are made: '#HarlowStrike', '#Harlow'."""
    stems = [reading.place, *(actor.name for actor in reading.actors[:2])]
    bare = ["".join(word[:1].upper() + word[1:] for word in re.findall(r"[^\W_]+", name)) for name in stems]
    found = []
    for name in dict.fromkeys(each for each in bare if len(each) > 2):
        term = next((term for term in reading.terms if term.isalpha() and len(term) > 3), "")
        if term:
            found.append(f"#{name}{term.capitalize()}")
        found.append(f"#{name}")
    return found


def _regulators(reading: TopicReading) -> tuple[str, ...]:
    """Those of the table of ratings whose field ('work safety regulator') the topic's words name."""
    said = set(content_words(" ".join((*reading.terms, reading.brief.opening))))
    common = set(content_words("regulator agency oversight central enforcement actions"))
    rows = [row for row in built_in_ratings().rows.values() if row.category == Category.REGULATOR]
    fit = [row for row in rows if said & (set(content_words(row.reason)) - common)]
    return tuple(dict.fromkeys(registrable_domain(row.domain) for row in sorted(fit, key=lambda row: -row.score)))


def _each_once(queries: Sequence[TopicQuery]) -> list[TopicQuery]:
    found: dict[tuple[object, ...], TopicQuery] = {}
    for each in queries:
        asked = each.query
        key = (
            frozenset(content_words(asked.text)) if not asked.exact else fold(asked.text),
            asked.kinds, asked.exact, asked.since, asked.until, asked.domains, asked.text.startswith("#"),
        )  # fmt: skip
        found.setdefault(key, each)
    return list(found.values())


def _chosen(queries: Sequence[TopicQuery], limit: int) -> tuple[TopicQuery, ...]:
    seen: dict[Strategy, int] = {}
    ranked = []
    for place, each in enumerate(queries):
        turn = seen.get(each.strategy, 0)
        seen[each.strategy] = turn + 1
        ranked.append((turn, _ORDER.index(each.strategy), place, each))
    kept = sorted(ranked, key=lambda item: item[:3])[: max(0, limit)]
    return tuple(each for _, _, _, each in sorted(kept, key=lambda item: (item[1], item[0])))
