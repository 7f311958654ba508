"""Results of `search_web`, the engines it queries, and its errors."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.tools import ToolException

from bench.simulated.server import Faults, SimulatedWeb, simulated_web
from bench.simulated.worlds import a_world
from inquest import Inquest
from inquest.app.nodes.searching_web import TIME_RANGES, search_arguments
from inquest.domain.errors import InputError, Outage
from inquest.langchain import SearchAPIError, SearchArgumentError, SearchWeb
from inquest.net.policy import RequestPolicy

FIELDS = {
    "title", "url", "snippet", "published_date", "source_domain", "relevance_score", "source_type",
    "publication_date", "credibility_tier", "undated", "engine",
}  # fmt: skip
KEYS = {"TAVILY_API_KEY": "tvly-simulated-0123", "BRAVE_API_KEY": "brave-simulated-0123"}


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inquest.net.policy.RequestPolicy", partial(RequestPolicy, first_wait=0, jitter=0))


@pytest.fixture
async def web() -> AsyncIterator[SimulatedWeb]:
    async with simulated_web(a_world(sources=10, late=2)) as running:
        yield running


async def searched(web: SimulatedWeb, home: Path, arguments: dict[str, Any], **settings: Any) -> dict[str, Any]:
    ratings = home / "ratings.csv"
    rows = [f"{host},{score},newspaper" for host, score in web.world.ratings.items()]
    ratings.write_text("\n".join(["domain,score,category", *rows]))
    given = web.settings | {"keys": KEYS, "model": None} | settings
    async with Inquest(home=home, ratings=ratings, **given) as inquest:
        found: dict[str, Any] = await SearchWeb(inquest=inquest).ainvoke(arguments)
        return found


async def test_a_result_has_every_field_of_both_specifications(web: SimulatedWeb, tmp_path: Path) -> None:
    found = await searched(web, tmp_path, {"query": "harbour fire"}, engines=("brave",))
    assert (found["query"], found["search_provider"], found["notes"]) == ("harbour fire", "brave", [])
    assert found["total_results"] == len(found["results"]) > 0
    for result in found["results"]:
        assert set(result) == FIELDS
        assert result["published_date"] == result["publication_date"] and not result["undated"]
        assert result["source_domain"] in result["url"] and 1 <= result["credibility_tier"] <= 4
    assert json.loads(json.dumps(found)) == found


async def test_tavily_is_asked_first_and_gives_its_own_score(web: SimulatedWeb, tmp_path: Path) -> None:
    found = await searched(web, tmp_path, {"query": "harbour fire", "max_results": 2})
    assert found["search_provider"] == "tavily"
    scores = [result["relevance_score"] for result in found["results"]]
    assert len(scores) == 2 and all(0 <= score <= 1 for score in scores)
    assert all(result["undated"] and result["published_date"] is None for result in found["results"])


async def test_a_search_gives_ten_results_unless_more_are_asked_for(tmp_path: Path) -> None:
    async with simulated_web(a_world(sources=24, late=2)) as web:
        ten = await searched(web, tmp_path, {"query": "harbour fire"}, engines=("brave",))
        more = await searched(web, tmp_path, {"query": "harbour fire", "max_results": 20}, engines=("brave",))
    assert ten["total_results"] == 10 < more["total_results"] <= 20


async def test_the_next_engine_answers_where_the_first_fails_and_the_notes_say_so(tmp_path: Path) -> None:
    async with simulated_web(a_world(sources=10, late=2), faults=Faults(refused=("api.tavily.com",))) as web:
        found = await searched(web, tmp_path, {"query": "harbour fire"}, engines=("tavily", "brave"))
    assert found["search_provider"] == "brave" and found["results"]
    assert [note.split(":")[0] for note in found["notes"]] == ["tavily"]


async def test_advanced_asks_all_and_merges_each_document_once(web: SimulatedWeb, tmp_path: Path) -> None:
    asked = {"query": "harbour fire", "search_depth": "advanced"}
    found = await searched(web, tmp_path, asked, engines=("tavily", "brave"))
    assert found["search_provider"] == "tavily, brave"
    urls = [result["url"] for result in found["results"]]
    assert urls and len(set(urls)) == len(urls)
    assert all(0 <= result["relevance_score"] <= 1 for result in found["results"])


async def test_where_everybody_fails_it_is_an_error_and_never_an_empty_result(tmp_path: Path) -> None:
    faults = Faults(refused=("api.tavily.com", "api.search.brave.com"))
    async with simulated_web(a_world(sources=10, late=2), faults=faults) as web:
        for depth in ("basic", "advanced"):
            with pytest.raises(SearchAPIError, match=r"No search engine answered: .*brave") as met:
                asked = {"query": "harbour fire", "search_depth": depth}
                await searched(web, tmp_path, asked, engines=("tavily", "brave"))
            assert isinstance(met.value, Outage) and "tvly" not in str(met.value)


async def test_a_missing_key_is_named(web: SimulatedWeb, tmp_path: Path) -> None:
    with pytest.raises(SearchAPIError, match="tavily needs a key: set TAVILY_API_KEY"):
        await searched(web, tmp_path, {"query": "harbour fire"}, engines=("tavily",), keys={})
    with pytest.raises(SearchAPIError, match="'tavly', which does not exist"):
        await searched(web, tmp_path, {"query": "harbour fire"}, engines=("tavly",))


async def test_langchain_tells_the_model_where_it_is_asked_to(web: SimulatedWeb, tmp_path: Path) -> None:
    async with Inquest(home=tmp_path, engines=("tavily",), **(web.settings | {"keys": {}})) as inquest:
        tool = SearchWeb(inquest=inquest, handle_tool_error=True)
        call = {"name": "search_web", "args": {"query": "x"}, "id": "1", "type": "tool_call"}
        message = await tool.ainvoke(call)
        assert message.status == "error" and "TAVILY_API_KEY" in message.content
        wrong = await tool.ainvoke(call | {"args": {"query": "x", "time_range": "decade"}})
        assert wrong.status == "error" and "time_range" in wrong.content


async def test_only_the_domains_asked_for(web: SimulatedWeb, tmp_path: Path) -> None:
    everything = await searched(web, tmp_path, {"query": "harbour fire"}, engines=("brave",))
    domain = everything["results"][0]["source_domain"]
    for argument, inside in (("include_domains", True), ("exclude_domains", False)):
        asked = {"query": "harbour fire", argument: f"https://www.{domain}/"}
        found = await searched(web, tmp_path, asked, engines=("brave",))
        assert found["results"]
        assert {result["source_domain"] == domain for result in found["results"]} == {inside}


class _Later:
    """A clock that is some days after the last page of the world."""

    def __init__(self, web: SimulatedWeb, days: int) -> None:
        self._now = max(page.published for page in web.world.pages) + timedelta(days=days)

    def now(self) -> Any:
        return self._now


@pytest.mark.parametrize(("days", "some"), [(2, True), (20_000, False)])
async def test_what_is_older_than_the_time_range_is_left_out(
    web: SimulatedWeb, tmp_path: Path, days: int, some: bool
) -> None:
    async with Inquest(home=tmp_path, engines=("brave",), **(web.settings | {"keys": KEYS})) as inquest:
        clock = _Later(web, days)
        inquest.app.clock = clock
        found = await SearchWeb(inquest=inquest).ainvoke({"query": "harbour fire", "time_range": "month"})
    assert bool(found["results"]) is some
    assert all(result["published_date"] > (clock.now() - timedelta(days=32)).isoformat() for result in found["results"])


async def test_undated_hits_are_kept_in_any_time_range(web: SimulatedWeb, tmp_path: Path) -> None:
    found = await searched(web, tmp_path, {"query": "harbour fire", "time_range": "day"}, engines=("tavily",))
    assert found["results"] and all(result["undated"] for result in found["results"])


async def test_kinds_of_source_choose_the_engines(web: SimulatedWeb, tmp_path: Path) -> None:
    with pytest.raises(SearchAPIError, match="names none that searches scholarly"):
        asked = {"query": "harbour fire", "source_types": ["academic", "research"]}
        await searched(web, tmp_path, asked, engines=("brave",))
    found = await searched(web, tmp_path, {"query": "harbour fire", "source_types": ["news"]}, engines=("brave",))
    assert {result["source_type"] for result in found["results"]} == {"news"}


async def test_own_documents_are_searched_where_they_are_asked_for(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("The harbour fire of 3 May 2024 began in warehouse nine, the fire brigade wrote.")
    async with Inquest(home=tmp_path / "home", model=None) as inquest:
        await inquest.app.collections.add("papers", [letter])
        asked = {"query": "harbour fire warehouse", "source_types": ["own"]}
        found = await SearchWeb(inquest=inquest).ainvoke(asked)
    assert found["search_provider"] == "collection"
    assert [each["url"] for each in found["results"]] == [letter.as_uri()]


async def test_what_is_surely_of_another_kind_is_left_out_and_counted(web: SimulatedWeb, tmp_path: Path) -> None:
    found = await searched(web, tmp_path, {"query": "harbour fire", "source_types": "standard"}, engines=("brave",))
    assert found["total_results"] == 0
    assert [note for note in found["notes"] if note.endswith("of other kinds than standard.")]


async def test_whom_the_settings_name_is_asked_whatever_it_searches(web: SimulatedWeb, tmp_path: Path) -> None:
    found = await searched(web, tmp_path, {"query": "harbour fire"}, engines=("crossref",))
    assert found["search_provider"] == "crossref"
    assert {result["source_type"] for result in found["results"]} <= {"academic"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"query": "  "}, "Invalid search argument query: it is empty"),
        ({"query": "x", "max_results": 0}, "max_results: expected at least 1"),
        ({"query": "x", "time_range": "decade"}, "time_range: expected 'day', 'week', 'month', 'year' or 'all'"),
        ({"query": "x", "search_depth": "deep"}, "search_depth: expected 'basic' or 'advanced'"),
        ({"query": "x", "include_domains": ["not a domain"]}, "'not a domain' is not a domain"),
        ({"query": "x", "exclude_domains": "reuters.com\x00,bbc.com"}, "is not a domain"),
        ({"query": "x", "source_types": ["gossip"]}, "'gossip': expected one of"),
        ({"query": "x", "depth": "basic"}, "argument depth: it does not exist"),
    ],
)
async def test_a_wrong_argument_is_one_clear_sentence(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(SearchArgumentError, match=said) as met:
        await SearchWeb().ainvoke(arguments)
    assert isinstance(met.value, ToolException) and isinstance(met.value, InputError)
    assert "\n" not in str(met.value)


@given(
    st.fixed_dictionaries(
        {"query": st.text(min_size=1, max_size=50)},
        optional={
            "max_results": st.one_of(st.none(), st.integers()),
            "include_domains": st.one_of(st.none(), st.text(max_size=30), st.lists(st.text(max_size=30), max_size=3)),
            "time_range": st.one_of(st.none(), st.sampled_from(list(TIME_RANGES)), st.text(max_size=8)),
            "source_types": st.one_of(st.none(), st.lists(st.text(max_size=8), max_size=3)),
        },
    )
)
def test_arguments_are_taken_or_refused_with_a_sentence(arguments: dict[str, Any]) -> None:
    try:
        taken = search_arguments(arguments)
    except InputError as error:
        assert error.advice and len(error.sentence.splitlines()) == 1 and len(error.sentence) < 500
    else:
        assert 1 <= taken.max_results <= 50 and taken.query and all("." in host for host in taken.include_domains)


def test_the_tool_is_described_to_a_model() -> None:
    shown = SearchWeb().tool_call_schema.model_json_schema()  # type: ignore[union-attr]
    wanted = ["query", "max_results", "include_domains", "exclude_domains", "time_range", "search_depth"]
    assert list(shown["properties"]) == [*wanted, "source_types"]
    assert shown["required"] == ["query"]
