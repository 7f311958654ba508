"""The path from searches to pages: each query sent once, each page read once, another engine if one is down, ended by
the budget."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, cast

import pytest

from inquest.domain.errors import EngineError, EngineFormat, EngineQuota, PageUnavailable
from inquest.domain.event import EventType, Stage
from inquest.domain.search import EngineKind, Hit, Query
from inquest.retrieval.answers import Search
from inquest.retrieval.budget import CaseBudget
from inquest.retrieval.case_ports import CasePorts
from inquest.retrieval.engine_choice import EngineChoice
from inquest.retrieval.fanout import CutList
from inquest.retrieval.reading import Lead
from inquest.retrieval.retriever import Retriever, SearchRules

NOW = datetime(2026, 1, 1, tzinfo=UTC)
QUERY = Query(text="harbour fire")
RULES = SearchRules(Stage.SOURCES)


class World:
    """Engines, some of which are down or never answer, and pages that are not available; it counts the requests."""

    def __init__(self, **out: EngineError) -> None:
        self.out, self.asked, self.read_urls = out, [], []  # type: ignore[var-annotated]
        self.silent: set[str] = set()
        self.events: list[EventType] = []

    async def search(self, engine: str, query: Query) -> list[Hit]:
        self.asked.append((engine, query.text))
        if engine in self.silent:
            await asyncio.Event().wait()
        if error := self.out.get(engine):
            raise error
        return [Hit(url=f"https://{engine}.example/{query.text.replace(' ', '-')}", engine=engine, rank=1)]

    async def read(self, url: str, *, hit: Hit | None = None) -> Any:
        self.read_urls.append(url)
        raise PageUnavailable(url, "gone")

    async def emit(self, type: EventType, text: str, **data: object) -> None:
        self.events.append(type)

    def now(self) -> datetime:
        return NOW


def ports(world: World) -> CasePorts:
    budget = CaseBudget()
    anything = cast("Any", world)
    names = ("wikipedia", "tavily", "duckduckgo")
    return CasePorts(
        searcher=anything,
        pages=anything,
        archive=anything,
        events=anything,
        clock=anything,
        budget=budget,
        rater=anything,
        engines=tuple(EngineChoice(name, (EngineKind.WEB,)) for name in names),
        cut=CutList(budget),
    )


LIMIT = EngineQuota("x", "used up")


async def test_a_limit_that_is_met_leads_to_the_next_and_is_noted() -> None:
    world = World(wikipedia=LIMIT)
    asked = await Retriever([Search("wikipedia", QUERY)], RULES, ports(world)).ask_all()
    (answer,) = asked.answers
    assert [hit.engine for hit in answer.hits] == ["tavily"] and answer.answered
    assert [note.where for note in asked.outages] == ["wikipedia"]
    assert [(each.engine, each.next) for each in asked.failed] == [("wikipedia", "tavily")]


async def test_two_that_are_out_share_the_one_that_stands_in() -> None:
    world = World(wikipedia=LIMIT, tavily=LIMIT)
    searches = [Search("wikipedia", QUERY), Search("tavily", QUERY)]
    asked = await Retriever(searches, RULES, ports(world)).ask_all()
    assert sorted(name for name, _ in world.asked) == ["duckduckgo", "tavily", "wikipedia"]
    assert [each.engine for each in asked.attempts if each.answered] == ["duckduckgo"]


async def test_what_an_engine_cannot_read_stays_its_own() -> None:
    world = World(wikipedia=EngineFormat("wikipedia", "no JSON"))
    asked = await Retriever([Search("wikipedia", QUERY)], RULES, ports(world)).ask_all()
    assert [name for name, _ in world.asked] == ["wikipedia"]
    assert not asked.answers[0].answered and asked.outages


async def test_a_question_for_two_claims_is_asked_once_and_its_page_is_fetched_once() -> None:
    world = World()
    one, other = (Search("tavily", QUERY.model_copy(update={"purpose": claim})) for claim in ("one", "other"))
    retriever = Retriever([one, other], RULES, ports(world))

    def choose(hits: list[Hit]) -> list[Lead]:
        return [Lead(hit.url, (hit,)) for hit in hits]

    found = await asyncio.gather(retriever.find([one], choose), retriever.find([other], choose))
    assert world.asked == [("tavily", QUERY.text)] and len(world.read_urls) == 1
    for each in found:
        assert each.coverage.answered == 1 and len(each.coverage.unread) == 1 and not each.read
        assert [note.what for note in each.outages] == ["page"]


async def test_a_page_that_fails_is_an_outage_of_the_claim_that_asked_for_it_alone() -> None:
    one, other = Search("tavily", QUERY), Search("tavily", QUERY.model_copy(update={"text": "another claim"}))
    retriever = Retriever([one, other], RULES, ports(World()))
    asked, did_not_ask = await asyncio.gather(
        retriever.find([one], lambda hits: [Lead(hit.url, (hit,)) for hit in hits]),
        retriever.find([other], lambda hits: []),
    )
    assert [note.what for note in asked.outages] == ["page"]
    assert did_not_ask.outages == () and not did_not_ask.coverage.unread


async def test_an_aggregators_link_is_no_page_where_nobody_looks_for_its_article() -> None:
    world = World()
    link = Hit(url="https://news.example/link", engine="tavily", rank=1, title="Fire", details={"unresolved": True})

    async def search(engine: str, query: Query) -> list[Hit]:
        world.asked.append((engine, query.text))
        return (
            [link] if query is QUERY else [Hit(url="https://paper.example/fire", engine=engine, rank=1, title="Fire")]
        )

    world.search = search  # type: ignore[method-assign]
    left_out = await Retriever([Search("tavily", QUERY)], RULES, ports(world)).ask_all()
    assert left_out.answers[0].hits == [] and left_out.answers[0].answered
    rules = SearchRules(Stage.SOURCES, links_by=("wikipedia",))
    found = await Retriever([Search("tavily", QUERY)], rules, ports(world)).ask_all()
    assert [hit.url for hit in found.answers[0].hits] == ["https://paper.example/fire"]


async def test_what_the_budget_cuts_off_was_not_asked_and_a_replay_leaves_it_out() -> None:
    world = World()
    world.silent = {"wikipedia"}
    given = ports(world)
    retriever = Retriever([Search("tavily", QUERY), Search("wikipedia", QUERY)], RULES, given)
    asking = asyncio.ensure_future(retriever.ask_all())
    while ("wikipedia", QUERY.text) not in world.asked or EventType.QUERY_ANSWERED not in world.events:
        await asyncio.sleep(0)
    given.budget.cancel()
    asked = await asking
    await retriever.close()
    assert [each.engine for each in asked.attempts] == ["tavily"]
    assert [note.where for note in asked.unasked] == ["wikipedia"]
    assert given.cut.labels == ["ask wikipedia: 1"]


async def test_who_had_not_answered_for_work_that_was_cut_off_is_listed_and_listed_again_on_replay() -> None:
    world = World()
    world.silent = {"wikipedia"}
    given = ports(world)
    searches = [Search("tavily", QUERY), Search("wikipedia", QUERY), Search("duckduckgo", QUERY)]
    retriever = Retriever(searches, SearchRules(Stage.DESKS, "news round 1"), given)
    begun = [asyncio.ensure_future(retriever.answer(each)) for each in searches[:2]]
    while ("wikipedia", QUERY.text) not in world.asked or EventType.QUERY_ANSWERED not in world.events:
        await asyncio.sleep(0)
    notes = await retriever.unanswered(searches)
    await retriever.close()
    await asyncio.gather(*begun, return_exceptions=True)
    assert [note.where for note in notes] == ["wikipedia", "duckduckgo"], "one was waited for, one not begun"
    assert all("before the case ended" in note.why for note in notes)
    again = replace(ports(World()), replayed=True, cut=CutList(CaseBudget(), replayed=given.cut.labels))
    later = Retriever(searches, SearchRules(Stage.DESKS, "news round 1"), again)
    assert await later.unanswered(searches) == notes


@pytest.mark.parametrize("agent", ["", "news_agent"])
async def test_it_is_told_in_the_name_of_whoever_asks(agent: str) -> None:
    world = World()
    await Retriever([Search("tavily", QUERY)], SearchRules(Stage.DESKS, agent=agent), ports(world)).ask_all()
    told = EventType.SEARCH_EXECUTED if agent else EventType.QUERY_ANSWERED
    assert told in world.events
