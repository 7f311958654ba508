"""The queries on a topic: every strategy, each query once, and none about the future."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.desks.verification.topic_context import topic_context
from inquest.desks.verification.topic_queries import (
    MAX_QUERIES,
    SearchStrategy,
    TopicQuery,
    accuses,
    read_topic,
    topic_queries,
)
from inquest.domain.document import Document
from inquest.domain.investigation import TopicContext
from inquest.domain.search import EngineKind
from inquest.domain.topic import Topic
from inquest.sources.publisher_names import local_domains
from tests.desks.verification.test_topic_claims import source as a_source

NOW = datetime(2026, 3, 6, 12, tzinfo=UTC)
EVENT = datetime(2026, 3, 2, tzinfo=UTC)
STRIKE = Topic(
    title="Dockers at Garrow Harbour walk out over fine for night shifts",
    url="https://harbour-post.example/2026/strike",
    text="About 300 dockers walked out on Monday after the operator, Lenn Terminals plc, docked their pay. The Harbour "
    "Workers' Union said that the strike would go on until Friday.",
    discovery_date=datetime(2026, 3, 4, tzinfo=UTC),
    event_date=EVENT,
    place="Garrow Harbour",
)


def by_strategy(found: tuple[TopicQuery, ...]) -> dict[SearchStrategy, list[TopicQuery]]:
    groups: dict[SearchStrategy, list[TopicQuery]] = {}
    for each in found:
        groups.setdefault(each.strategy, []).append(each)
    return groups


ASKED = by_strategy(topic_queries(STRIKE, NOW))


def test_every_strategy_that_fits_is_asked() -> None:
    of_none = {SearchStrategy.SCHOLARLY, SearchStrategy.OFFICIAL}
    assert set(SearchStrategy) - set(ASKED) == of_none, "a strike is no matter of science, nor of a listed regulator"


def test_no_question_has_words_for_what_is_looked_for() -> None:
    every = topic_queries(STRIKE, NOW, limit=99)
    said = {word for each in every for word in each.query.text.lower().split()}
    assert not said & {
        "investigation",
        "allegations",
        "criticism",
        "statement",
        "official",
        "response",
        "local",
        "news",
    }


def test_the_headline_is_looked_for_as_it_stands() -> None:
    exact = ASKED[SearchStrategy.EXACT][0].query
    assert (exact.text, exact.exact) == (STRIKE.title, True)


def test_reports_are_looked_for_from_thirty_days_before_discovery_or_now() -> None:
    recent = ASKED[SearchStrategy.RECENT][0].query
    assert (recent.since, recent.until) == (datetime(2026, 2, 2, tzinfo=UTC), NOW)
    bare = Topic(title="Dockers at Garrow Harbour walk out")
    recent = by_strategy(topic_queries(bare, NOW))[SearchStrategy.RECENT][0].query
    assert recent.since == NOW - timedelta(days=30)


def test_the_earliest_mention_is_looked_for_around_a_dated_event_alone() -> None:
    (near,) = (each.query for each in ASKED[SearchStrategy.EARLIEST])
    assert near.since is not None and near.since < EVENT < (near.until or EVENT)
    undated = STRIKE.model_copy(update={"event_date": None})
    assert SearchStrategy.EARLIEST not in by_strategy(topic_queries(undated, NOW))


def test_posts_are_asked_of_social_networks_only_in_few_words() -> None:
    asked = [each.query for each in ASKED[SearchStrategy.SOCIAL]]
    assert {each.kinds for each in asked} == {(EngineKind.SOCIAL,)}
    assert len(asked[0].text.split()) <= 4


def test_the_article_itself_is_asked_of_archives_by_its_address_near_the_event() -> None:
    (archived,) = ASKED[SearchStrategy.ARCHIVE]
    assert (archived.query.text, archived.query.kinds) == (STRIKE.url, (EngineKind.ARCHIVE,))
    assert archived.query.near == EVENT


def test_related_words_replace_those_of_the_title() -> None:
    asked = by_strategy(topic_queries(STRIKE, NOW, limit=99))
    related = [each.query.text for each in asked[SearchStrategy.RELATED]]
    assert any("penalty" in text for text in related)


def test_science_and_regulators_are_asked_where_the_matter_is_theirs() -> None:
    lab = Topic(title="Study finds pesticide residue in honey from the Lenn valley")
    (scholarly,) = by_strategy(topic_queries(lab, NOW))[SearchStrategy.SCHOLARLY]
    assert scholarly.query.kinds == (EngineKind.SCHOLARLY,)
    crash = Topic(title="Aviation safety inspectors ground Lennair after engine failure")
    official = by_strategy(topic_queries(crash, NOW))[SearchStrategy.OFFICIAL]
    assert any("faa.gov" in each.query.domains for each in official)


def test_the_local_press_of_the_place_is_asked_by_its_domains() -> None:
    fire = Topic(title="Fire at a tannery near the river", place="Chicago")
    local = by_strategy(topic_queries(fire, NOW))[SearchStrategy.LOCAL]
    assert any(each.query.domains == local_domains("Chicago") != () for each in local)


@pytest.mark.parametrize("place", ["York", "Ely", ""])
def test_a_place_is_not_found_inside_another_name(place: str) -> None:
    assert not [domain for domain in local_domains(place) if domain.startswith(("newyork", "nytimes"))]


def test_engines_that_are_not_ready_are_not_asked() -> None:
    found = topic_queries(STRIKE, NOW, kinds=[EngineKind.NEWS, EngineKind.WEB])
    assert not {SearchStrategy.SOCIAL, SearchStrategy.ARCHIVE, SearchStrategy.FACT_CHECK} & set(by_strategy(found))
    assert found


def test_what_is_cut_at_a_limit_is_the_second_question_of_a_strategy_before_any_first() -> None:
    everything = {each.strategy for each in topic_queries(STRIKE, NOW)}
    assert {each.strategy for each in topic_queries(STRIKE, NOW, limit=len(everything))} == everything


def test_a_title_without_words_leaves_only_the_archived_copies() -> None:
    empty = Topic(title="?? 12", url="https://harbour-post.example/12")
    assert [each.strategy for each in topic_queries(empty, NOW)] == [SearchStrategy.ARCHIVE]
    assert topic_queries(Topic(title="?? 12"), NOW) == ()


def test_a_title_in_another_language_is_asked_in_its_own_words_only() -> None:
    german = Topic(
        title="Bürgermeister von Haverheim soll Gelder veruntreut haben",
        text="Der Bürgermeister der Stadt soll über Jahre hinweg 40.000 Euro aus der Kasse genommen haben, heißt es.",
        place="Haverheim",
    )
    asked = [each.query for each in topic_queries(german, NOW)]
    assert {each.language for each in asked} == {"de"}
    assert "Bürgermeister" in asked[0].text and "Haverheim" in asked[0].text
    assert not any(word in each.text.split() for each in asked for word in ("statement", "official", "local", "Der"))


def test_an_accusation_is_known_by_its_words() -> None:
    assert accuses("Mayor took bribes") == "bribes"
    assert accuses("Three children dead after drinking Velm") == "dead"


@pytest.mark.parametrize("title", ["Three killed in coach crash", "Bridge reopens early", "Viola festival begins"])
def test_a_misfortune_accuses_nobody(title: str) -> None:
    assert accuses(title) is None


@given(title=st.text(max_size=80), text=st.text(max_size=200), place=st.text(max_size=20), limit=st.integers(0, 40))
def test_any_topic_gives_askable_questions_each_once(title: str, text: str, place: str, limit: int) -> None:
    topic = Topic(title=title, text=text, place=place, event_date=EVENT, discovery_date=EVENT)
    found = topic_queries(topic, NOW, limit=limit)
    assert len(found) <= min(limit, MAX_QUERIES + limit)
    for each in found:
        assert each.query.text.strip() and each.query.purpose
        assert each.query.until is None or each.query.until <= NOW
        assert each.query.since is None or each.query.until is None or each.query.since <= each.query.until
    asked = [(q.text, q.kinds, q.exact, q.since, q.until, q.domains) for q in (each.query for each in found)]
    assert len(set(asked)) == len(asked)


def test_a_figure_is_asked_for_whole_or_not_at_all() -> None:
    found = topic_queries(Topic(title="Brackwell to pay 3.7 million euros over listeria at its plant"), NOW)
    texts = [each.query.text for each in found if not each.query.exact]
    assert any("3.7 million euros" in text for text in texts)
    assert all("3.7 million euros" in text for text in texts if "million" in text or "euros" in text)


TOPIC = Topic(
    title="Dockers at Garrow Harbour walk out over night shifts at Lenn Terminals",
    place="Garrow Harbour", event_date=datetime(2025, 5, 2, tzinfo=UTC),
)  # fmt: skip


def around(*texts: str) -> TopicContext:
    sources = {f"S{n}": a_source(f"S{n}", at=datetime(2025, 5, 3, tzinfo=UTC)) for n in range(1, len(texts) + 1)}
    documents = {
        id: Document(url=sources[id].url, snapshot=f"sha256:{id}", text=text)
        for id, text in zip(sources, texts, strict=True)
    }
    found = topic_context(TOPIC, read_topic(TOPIC), sources, documents)
    for event in found.events:
        for mention in event.mentions:
            assert documents[mention.source_id].text[mention.start : mention.end] == mention.quote
    return found


def test_earlier_events_are_told_apart_from_one_another_the_event_and_the_place() -> None:
    found = around(
        "In March 2019 Lenn Terminals bought two cranes from a yard in Aldport.",
        "Dockers at Lenn Terminals ended an eleven-day strike at Garrow Harbour on 11 March 2019.",
    )
    assert [event.date for event in found.events] == ["2019-03", "2019-03-11"]
    found = around(
        "Dockers of Lenn Terminals walked out at Garrow Harbour on 2 May 2025. On 30 April 2025 the dockers of Lenn "
        "Terminals voted on it. Lenn Terminals plans a new quay at Garrow Harbour by 2027."
    )
    assert found.events == ()
    found = around(
        "The council of Garrow Harbour agreed a budget on 28 November 2024 although unemployment in the town is high."
    )
    assert len(found.events) == 1
    assert (found.local.passages, found.details) == ((), 1)
