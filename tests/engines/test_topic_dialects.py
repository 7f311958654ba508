"""What each engine of the verification desk is really sent for a topic: every one has a question, and every strategy
(exact phrase, dates, domains, hashtags, the archived address) is in its own dialect."""

from __future__ import annotations

from datetime import UTC, datetime
from urllib.parse import parse_qs, unquote_plus, urlsplit

import pytest

from inquest.desks.verification.topic_queries import SearchStrategy, topic_queries
from inquest.domain.search import EngineKind, Query
from inquest.domain.topic import Topic
from inquest.kit.discover import engines
from inquest.kit.engine import EngineAccess

NOW = datetime(2026, 3, 6, 12, tzinfo=UTC)
ENGINES = engines("inquest.engines")
ACCESS = EngineAccess(key="a-key-of-some-length", second_key="a-second-secret", account="an-account")
STRIKE = Topic(
    title="Dockers walk out at the port of Chicago over fine for night shifts",
    url="https://harbour-post.example/2026/strike",
    text="About 300 dockers walked out on Monday after the operator, Lenn Terminals plc, docked their pay.",
    discovery_date=datetime(2026, 3, 4, tzinfo=UTC), event_date=datetime(2026, 3, 2, tzinfo=UTC), place="Chicago",
)  # fmt: skip
HONEY = Topic(title="Study finds pesticide residue in honey from the Lenn valley", event_date=STRIKE.event_date)


def questions(name: str, topic: Topic = STRIKE) -> dict[SearchStrategy, list[Query]]:
    """The questions of the plan that this engine answers, by strategy."""
    kinds = ENGINES[name].spec.kinds
    found: dict[SearchStrategy, list[Query]] = {}
    for each in topic_queries(topic, NOW, kinds=tuple(EngineKind)):
        if set(each.query.kinds) & set(kinds):
            found.setdefault(each.strategy, []).append(each.query)
    return found


def sent(name: str, query: Query) -> str:
    """The whole request, address and body, as readable text."""
    request = ENGINES[name](ACCESS).request(query)
    return unquote_plus(f"{request.url} {(request.body or b'').decode()}")


@pytest.mark.parametrize(
    "name", ["google", "duckduckgo", "bing_news", "google_news", "x", "reddit", "bluesky", "mastodon", "wayback"]
)
def test_every_engine_of_the_desk_has_a_question(name: str) -> None:
    assert questions(name)
    assert all(sent(name, query) for group in questions(name).values() for query in group)


def test_crossref_has_a_question_where_the_matter_is_one_of_science() -> None:
    ((strategy, asked),) = questions("crossref", HONEY).items()
    assert strategy is SearchStrategy.SCHOLARLY
    assert "pesticide" in sent("crossref", asked[0])
    assert not questions("crossref"), "a strike is none"


@pytest.mark.parametrize("name", ["google", "duckduckgo", "bing_news", "google_news"])
def test_the_headline_is_sent_in_quotes(name: str) -> None:
    assert f'"{STRIKE.title}"' in sent(name, questions(name)[SearchStrategy.EXACT][0])


@pytest.mark.parametrize("name", ["google", "duckduckgo", "bing_news", "google_news"])
def test_the_local_press_is_sent_as_sites(name: str) -> None:
    local = questions(name)[SearchStrategy.LOCAL][0]
    assert local.domains
    assert all(f"site:{domain}" in sent(name, local) for domain in local.domains)


@pytest.mark.parametrize(
    ("name", "since", "until"),
    [
        ("google", "date:r:20260202:", ":20260306"),
        ("duckduckgo", "df=2026-02-02..", "..2026-03-06"),
        ("google_news", "after:2026-02-02", "before:2026-03-06"),
        ("bluesky", "since=2026-03-01T", ""),
        ("x", "start_time=2026-03-01T", ""),
    ],
)  # fmt: skip
def test_the_range_of_dates_is_sent_where_the_engine_has_one(name: str, since: str, until: str) -> None:
    asked = questions(name)
    dated = (
        asked[SearchStrategy.RECENT]
        if SearchStrategy.RECENT in asked
        else [q for q in asked[SearchStrategy.SOCIAL] if q.since]
    )
    assert since in sent(name, dated[0]) and until in sent(name, dated[0])


@pytest.mark.parametrize("name", ["x", "bluesky"])
def test_a_hashtag_is_sent_as_one(name: str) -> None:
    tags = [query for query in questions(name)[SearchStrategy.SOCIAL] if query.text.startswith("#")]
    assert tags
    assert all(query.text in sent(name, query) for query in tags)


def test_the_archive_is_asked_for_the_articles_address() -> None:
    (asked,) = questions("wayback")[SearchStrategy.ARCHIVE]
    assert (STRIKE.url or "") in sent("wayback", asked)


def test_related_words_are_sent_in_place_of_the_topics_own() -> None:
    plain, related = questions("google")[SearchStrategy.PLAIN][0], questions("google")[SearchStrategy.RELATED][0]
    words = {name: set(parse_qs(urlsplit(ENGINES["google"](ACCESS).request(query).url).query)["q"][0].split())
             for name, query in (("plain", plain), ("related", related))}  # fmt: skip
    assert words["related"] - words["plain"]
