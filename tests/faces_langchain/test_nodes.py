"""The desks as nodes in a StateGraph written outside the package, on a simulated web."""

from __future__ import annotations

import operator
import re
import textwrap
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any, TypedDict

import pytest
from langgraph.checkpoint.memory import MemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.graph import END, START, StateGraph

from bench.simulated.server import Faults, simulated_web
from bench.simulated.worlds import a_world
from inquest import Inquest
from inquest.app.wiring.resources import Resources
from inquest.desks.news.desk import NewsDesk
from inquest.domain.errors import InputError
from inquest.kit.desk import Results
from inquest.langchain import (
    SHAPES,
    AgentFinding,
    Claim,
    InfoRequest,
    InfoResponse,
    ReinvestigationRequest,
    RoutingAssignment,
    SibylState,
    investigate_academic,
    investigate_news,
    nodes_of,
    search_web,
)

EVENTS = {
    "agent_started", "agent_thinking", "claim_investigating", "search_executed", "source_evaluated",
    "contradiction_detected", "evidence_found", "agent_completed", "info_request_posted", "info_response_posted",
    "error",
}  # fmt: skip
TRUE = "The fire at the Aldermoor battery plant broke out on 4 March 2024."
BENCHMARK = "Our emission intensity is below the industry average, calculated under the GHG Protocol."


pytestmark = pytest.mark.usefixtures("no_pauses")


@asynccontextmanager
async def house(home: Path, faults: Faults | None = None, **settings: Any) -> AsyncIterator[Inquest]:
    world = a_world(sources=6, late=0)
    home.mkdir(exist_ok=True)
    (home / "ratings.csv").write_text(world.ratings_csv())
    async with simulated_web(world, faults=faults) as web:
        given = web.settings | {"model": None, "engines": ("tavily",), "stance_model": "none"} | settings
        async with Inquest(home=home, ratings=home / "ratings.csv", **given) as inquest:
            yield inquest


def as_environment(inquest: Inquest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The setup of a program that sets only environment variables; its data folder is fresh."""
    settings = inquest.app.settings
    for name, value in {
        "PROXY": settings.proxy, "CA_FILE": settings.ca_file, "ENGINES": "tavily", "STANCE_MODEL": "none",
        "RATINGS": settings.ratings, "TAVILY_API_KEY": "tvly-simulated-0123",
    }.items():  # fmt: skip
        monkeypatch.setenv(f"INQUEST_{name}", str(value))


def a_state(**more: Any) -> SibylState:
    given: dict[str, Any] = {
        "report_id": "r-1",
        "company_name": "Aldermoor Cells",
        "industry": "batteries",
        "claims": [
            Claim(claim_id="c1", claim_text=TRUE, claim_type="geographic", source_page=3),
            Claim(claim_id="c2", claim_text=BENCHMARK, claim_type="quantitative", ifrs_paragraphs=["S2.29(a)"]),
        ],
        "routing_plan": [
            RoutingAssignment(claim_id="c1", assigned_agents=["news_media"], reasoning="public reporting"),
            RoutingAssignment(claim_id="c2", assigned_agents=["academic"], reasoning="a method is named"),
        ],
    }
    return SibylState(**(given | more))


async def test_both_desks_run_side_by_side_in_a_graph_of_somebody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(tmp_path / "elsewhere") as inquest:
        as_environment(inquest, monkeypatch)
        builder = StateGraph(SibylState)
        builder.add_node("news", investigate_news)
        builder.add_node("academic", investigate_academic)
        for node in ("news", "academic"):
            builder.add_edge(START, node)
            builder.add_edge(node, END)
        ended = SibylState.model_validate(await builder.compile().ainvoke(a_state()))
    assert {name: each.status for name, each in ended.agent_status.items()} == {
        "news_media": "completed", "academic": "completed",
    }  # fmt: skip
    assert {each.claim_id for each in ended.findings if each.agent_name == "news_media"} == {"c1"}
    assert {each.claim_id for each in ended.findings if each.agent_name == "academic"} == {"c2"}
    assert {each.event_type for each in ended.events} <= EVENTS
    assert {each.agent_name for each in ended.events} == {"news_media", "academic"}
    assert len({each.finding_id for each in ended.findings}) == len(ended.findings)


class Theirs(TypedDict, total=False):
    """A state with plain lists and keys of its own."""

    company_name: str
    claims: list[dict[str, Any]]
    routing_plan: list[dict[str, Any]]
    findings: Annotated[list[AgentFinding], operator.add]
    agent_status: Annotated[dict[str, Any], operator.or_]
    events: Annotated[list[Any], operator.add]
    info_requests: Annotated[list[Any], operator.add]
    info_responses: Annotated[list[Any], operator.add]
    verdicts: list[str]


async def test_a_state_of_dictionaries_with_reducers_of_its_own_will_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(tmp_path / "home") as inquest:
        as_environment(inquest, monkeypatch)
        builder = StateGraph(Theirs)
        builder.add_node("investigate_news", investigate_news)
        builder.add_edge(START, "investigate_news")
        builder.add_edge("investigate_news", END)
        ended = await builder.compile().ainvoke(
            {
                "company_name": "Aldermoor Cells",
                "claims": [{"claim_id": 7, "claim_text": TRUE, "vector": [0.1]}],
                "routing_plan": [{"claim_id": 7, "assigned_agents": ["news_media"]}],
                "verdicts": ["theirs"],
            }
        )
    found = ended["findings"]
    assert [each for each in found if each.evidence_type == "news_source"], "its claim was searched for"
    assert all(each.claim_id == "7" and each.iteration == 1 for each in found)
    assert not [each for each in found if each.supports_claim is False], "what is true is contradicted by nobody"
    assert ended["verdicts"] == ["theirs"]


async def test_a_finding_of_the_news_desk_has_its_fields_and_its_words(tmp_path: Path) -> None:
    async with house(tmp_path / "home") as inquest:
        update = await nodes_of(inquest)[0](a_state())
        sources = [each for each in update["findings"] if each.evidence_type in ("news_source", "news_contradiction")]
        assert sources
        for each in sources:
            wanted = {"source_url", "source_title", "source_domain", "source_tier", "published_date", "snippet",
                      "relevance_summary", "contradicts_claim", "contradiction_type"}  # fmt: skip
            assert wanted <= set(each.details) and 0 <= (each.confidence or 0) <= 1
            text = await inquest.app.snapshot_text(str(each.details["snapshot"]))
            assert text[each.details["start"] : each.details["end"]] == each.details["quote"]
    kinds = [each.event_type for each in update["events"]]
    assert (kinds[0], kinds[-1]) == ("agent_started", "agent_completed")
    assert {"claim_investigating", "search_executed", "source_evaluated", "evidence_found"} <= set(kinds)
    assert kinds.count("agent_started") == kinds.count("agent_completed") == 1
    last = update["events"][-1]
    assert last.data["claims_processed"] == 1 and last.data["findings_count"] == len(update["findings"])


async def test_the_judge_sends_the_desk_out_again_for_what_it_asks(tmp_path: Path) -> None:
    again = ReinvestigationRequest(
        claim_id="c1", target_agents=["news_media"], evidence_gap="Need more recent sources",
        refined_queries=["{company_name} fire broke out"], required_evidence="coverage of 2024",
    )  # fmt: skip
    async with house(tmp_path / "home") as inquest:
        news = nodes_of(inquest)[0]
        state = a_state()
        first = await news(state)
        both = [*state.routing_plan, RoutingAssignment(claim_id="c2", assigned_agents=["news_media"])]
        done = state.model_copy(update={"findings": first["findings"], "iteration_count": 1, "routing_plan": both})
        second = await news(done.model_copy(update={"reinvestigation_requests": [again]}))
        third = await news(done.model_copy(update={"routing_plan": state.routing_plan}))
    asked = [each.data["query"] for each in second["events"] if each.event_type == "search_executed"]
    assert "Aldermoor Cells fire broke out" in asked
    assert {(each.claim_id, each.iteration) for each in second["findings"]} == {("c1", 2), ("c2", 2)}
    assert not {each.finding_id for each in first["findings"]} & {each.finding_id for each in second["findings"]}
    assert third["findings"] == [] and third["agent_status"]["news_media"].status == "completed"


async def test_a_question_that_is_routed_to_the_desk_is_answered_once(tmp_path: Path) -> None:
    asked = InfoRequest(
        request_id="q1", requesting_agent="academic", target_agents=["news_media"], status="routed",
        description="When did the fire at the Aldermoor battery plant break out?", context={"claim_id": "c1"},
    )  # fmt: skip
    other = InfoRequest(requesting_agent="academic", target_agents=["legal"], description="Is it allowed?")
    async with house(tmp_path / "home") as inquest:
        news = nodes_of(inquest)[0]
        state = a_state(info_requests=[asked, other], routing_plan=[])
        update = await news(state)
        again = await news(state.model_copy(update={"info_responses": update["info_responses"]}))
    (answer,) = update["info_responses"]
    assert (answer.request_id, answer.requesting_agent, answer.responding_agent) == ("q1", "academic", "news_media")
    assert answer.status == "completed" and answer.summary
    assert [each.event_type for each in update["events"]].count("info_response_posted") == 1
    assert again["info_responses"] == []


async def test_what_others_have_answered_reaches_the_desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[Results] = []
    found = NewsDesk.findings

    def findings(self: NewsDesk, claim: Any, subject: Any, results: Results) -> Any:
        heard.append(results)
        return found(self, claim, subject, results)

    monkeypatch.setattr(NewsDesk, "findings", findings)
    asked = InfoRequest(
        request_id="q1", requesting_agent="news_media", target_agents=["legal"], description="Is it?",
        context={"claim_id": "c1"},
    )  # fmt: skip
    answers = [
        InfoResponse(request_id="q1", requesting_agent=to, responding_agent="legal", summary=f"To {to}.")
        for to in ("news_media", "academic")
    ]
    async with house(tmp_path / "home") as inquest:
        await nodes_of(inquest)[0](a_state(info_requests=[asked], info_responses=answers))
    assert [each.summary for results in heard for each in results.responses] == ["To news_media."]


async def test_an_outage_is_an_error_among_the_findings_and_the_pipeline_goes_on(tmp_path: Path) -> None:
    async with house(tmp_path / "home", Faults(refused=("api.tavily.com",))) as inquest:
        update = await nodes_of(inquest)[0](a_state())
    errors = [each for each in update["findings"] if each.evidence_type == "error"]
    assert errors and all(each.supports_claim is None for each in errors)
    assert any(each.event_type == "error" and each.data["message"] for each in update["events"])
    assert update["agent_status"]["news_media"].status == "completed"


async def test_without_a_key_the_search_is_said_to_be_unavailable(tmp_path: Path) -> None:
    async with house(tmp_path / "home", keys={}) as inquest:
        update = await nodes_of(inquest)[0](a_state())
    (error,) = [each for each in update["findings"] if each.evidence_type == "error"]
    assert error.claim_id == "c1" and "TAVILY_API_KEY" in error.summary
    assert [each.event_type for each in update["events"]].count("error") == 1


async def test_what_keeps_the_desk_from_beginning_is_an_error_on_each_claim(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INQUEST_ENGINES", "tavly")
    monkeypatch.setattr(Resources, "desks", {"news": NewsDesk()})
    for node, agent, claim, why in (
        (investigate_news, "news_media", "c1", "no engine 'tavly'"),
        (investigate_academic, "academic", "c2", "'academic' is not installed"),
    ):
        update = await node(a_state())
        status = update["agent_status"][agent]
        assert status.status == "error" and why in (status.error_message or "")
        assert [(each.claim_id, each.evidence_type) for each in update["findings"]] == [(claim, "error")]
        assert [each.event_type for each in update["events"]] == ["agent_started", "error"]


async def test_a_claim_that_cannot_be_used_is_an_error_of_its_own(tmp_path: Path) -> None:
    claims = [Claim(claim_id="c1", claim_text=TRUE), Claim(claim_id="c9", claim_text="word " * 1000)]
    plan = [RoutingAssignment(claim_id=each.claim_id, assigned_agents=["news_media"]) for each in claims]
    async with house(tmp_path / "home") as inquest:
        update = await nodes_of(inquest)[0](a_state(claims=claims, routing_plan=plan))
    assert [each.claim_id for each in update["findings"] if each.evidence_type == "error"] == ["c9"]
    status = update["agent_status"]["news_media"]
    assert (status.claims_assigned, status.claims_completed) == (2, 1)


async def test_nothing_to_do_is_done(tmp_path: Path) -> None:
    async with house(tmp_path / "home") as inquest:
        update = await nodes_of(inquest)[0]({})
    assert update["findings"] == [] and update["agent_status"]["news_media"].status == "completed"


async def test_a_state_of_another_shape_is_refused_in_a_sentence() -> None:
    with pytest.raises(InputError, match=r"The state cannot be used: claims\.0\.claim_text"):
        await investigate_news({"claims": [{"claim_id": "c1"}]})


async def test_a_checkpoint_gives_the_state_back(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    thread: Any = {"configurable": {"thread_id": "1"}}
    async with house(tmp_path / "home") as inquest:
        builder = StateGraph(SibylState)
        builder.add_node("news", nodes_of(inquest)[0])
        builder.add_edge(START, "news")
        builder.add_edge("news", END)
        saver = MemorySaver(serde=JsonPlusSerializer(allowed_msgpack_modules=SHAPES))
        graph = builder.compile(checkpointer=saver)
        ended = await graph.ainvoke(a_state(), thread)
        kept = await graph.aget_state(thread)
    assert kept.values["findings"] == ended["findings"] and isinstance(kept.values["findings"][0], AgentFinding)
    assert not [record for record in caplog.records if "unregistered" in record.message]


async def test_what_the_documentation_shows_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (Path(__file__).parents[2] / "docs" / "langchain.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    source = "async def shown():\n" + textwrap.indent("\n".join(blocks) + "return found, ended\n", "    ")
    names: dict[str, Any] = {"search_web": search_web}
    async with house(tmp_path / "elsewhere") as inquest:
        as_environment(inquest, monkeypatch)
        exec(compile(source, "langchain.md", "exec"), names)
        found, ended = await names["shown"]()
    assert found["search_provider"] == "tavily"
    assert {each.status for each in ended["agent_status"].values()} == {"completed"}
