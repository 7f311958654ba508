"""The specifications' shapes and ours: the same data under other names, converted both ways."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.app.nodes import sibyl_state as sibyl
from inquest.app.nodes.sibyl_state import (
    SibylState,
    agent_of,
    claim_from,
    desk_of,
    finding_as,
    reinvestigations_from,
    request_as,
    request_from,
    response_as,
    response_from,
    stream_event,
)
from inquest.domain.check import Gap, InfoRequest, InfoResponse, RequestStatus
from inquest.domain.claim import ClaimType
from inquest.domain.errors import InputError
from inquest.domain.event import Event, EventType
from inquest.domain.finding import Finding, Stance

TEXT = "We cut our Scope 1 emissions by 12 % to 2.3 million tonnes in 2024."


def a_claim(**more: Any) -> sibyl.Claim:
    return sibyl.Claim(**({"claim_id": "c1", "claim_text": TEXT} | more))


def test_a_claim_keeps_what_it_is_given_and_gains_what_its_words_say() -> None:
    made = claim_from(
        a_claim(claim_type="Quantitative", source_page=12, ifrs_paragraphs=["S2.29(a)", "IFRS S1 27 (a)"],
                priority="high"),
        "Aldermoor Cells",
    )  # fmt: skip
    assert (made.id, made.text, made.type, made.page) == ("c1", TEXT, ClaimType.QUANTITATIVE, 12)
    assert (made.company, made.importance) == ("Aldermoor Cells", 0.9)
    assert [(each.standard, each.paragraph) for each in made.disclosures[:2]] == [
        ("IFRS S2", "29(a)"), ("IFRS S1", "27(a)"),
    ]  # fmt: skip
    assert {each.unit for each in made.quantities} >= {"%"} and "2024" in made.dates


@pytest.mark.parametrize("odd", [{"claim_type": "aspirational"}, {"source_page": 0}, {"priority": 7},
                                 {"ifrs_paragraphs": ["none"]}, {"source_context": None}])  # fmt: skip
def test_what_is_not_known_here_is_told_from_the_words(odd: dict[str, Any]) -> None:
    assert claim_from(a_claim(**odd), "") == claim_from(a_claim(), "")


def test_a_claim_without_words_is_refused() -> None:
    with pytest.raises(InputError, match="claim c1"):
        claim_from(a_claim(claim_text=" "), "")


@given(st.text(max_size=200), st.text(max_size=20), st.lists(st.text(max_size=20), max_size=3))
def test_any_claim_is_taken_or_refused(text: str, kind: str, paragraphs: list[str]) -> None:
    given_ = sibyl.Claim(claim_id="c", claim_text=text, claim_type=kind, ifrs_paragraphs=paragraphs)
    try:
        made = claim_from(given_, "X")
    except InputError as error:
        assert str(error)
    else:
        assert made.text == " ".join(text.split())


@pytest.mark.parametrize(
    ("words", "gap"),
    [
        ("Need more recent sources (2024)", Gap.RECENCY),
        ("Need Tier 1 sources", Gap.QUALITY),
        ("Need contradiction evidence", Gap.OTHER_SIDE),
        ("One witness alone; need independent corroboration", Gap.INDEPENDENCE),
        ("peer-reviewed research on additionality", Gap.TECHNICAL),
        ("", Gap.NOTHING_FOUND),
    ],
)
def test_the_judges_words_name_the_gap(words: str, gap: Gap) -> None:
    request = sibyl.ReinvestigationRequest(claim_id="c1", target_agents=["academic"], evidence_gap=words)
    found = reinvestigations_from([request], "academic", SibylState(iteration_count=1))
    assert found["c1"].gap is gap and found["c1"].iteration == 2
    assert reinvestigations_from([request], "news", SibylState()) == {}


def test_two_requests_on_one_claim_are_one_with_the_names_filled_in() -> None:
    requests = [
        sibyl.ReinvestigationRequest(
            claim_id="c1", target_agents=["news_media"], evidence_gap=gap, refined_queries=queries
        )
        for gap, queries in (("First.", ["{company_name} emissions"]), ("Second.", ["{industry} rules", ""]))
    ]
    state = SibylState(company_name="Aldermoor", industry="batteries")
    made = reinvestigations_from(requests, "news", state)["c1"]
    assert made.refined_queries == ("Aldermoor emissions", "batteries rules")
    assert made.evidence_gap == "First. Second."


@pytest.mark.parametrize("desk", ["news", "academic", "geography", "legal", "data"])
def test_names_of_agents_go_both_ways(desk: str) -> None:
    assert desk_of(agent_of(desk)) == desk == desk_of(f"{desk}_agent")


@pytest.mark.parametrize(
    ("stance", "details", "supports", "confidence"),
    [
        (Stance.SUPPORTS, {}, True, 0.8),
        (Stance.CONTRADICTS, {}, False, 0.8),
        (Stance.NEUTRAL, {}, None, 0.8),
        (Stance.NEUTRAL, {"supports_claim": False}, False, 0.8),
        (Stance.UNASSESSED, {"supports_claim": None}, None, None),
    ],
)
def test_a_finding_says_whether_it_supports(
    stance: Stance, details: dict[str, Any], supports: bool | None, confidence: float | None
) -> None:
    finding = Finding(
        id="F1", claim_id="c1", source_id="S1", agent="news", evidence_type="news_source", stance=stance,
        confidence=0.8, quote="words", snapshot="sha256:0", start=3, end=8, details=details, iteration=2,
        references=({"title": "A paper"},), reasons=("because",),
    )  # fmt: skip
    made = finding_as(finding, "news_media", "id-1", None)
    assert (made.supports_claim, made.confidence, made.iteration) == (supports, confidence, 2)
    assert made.details["quote"] == "words" and made.details["reasons"] == ["because"]
    assert made.references == [{"title": "A paper"}]


def test_questions_and_answers_go_both_ways() -> None:
    request = InfoRequest(asked_by="news", to="data", claim_id="c1", description="Do they fit?", context={"a": 1})
    posted = request_as(request, "q1")
    assert (posted.requesting_agent, posted.target_agents, posted.status) == ("news_media", ["data_metrics"], "pending")
    back = request_from(posted, "data")
    assert (back.asked_by, back.to, back.claim_id, back.description) == ("news", "data", "c1", "Do they fit?")
    found = sibyl.AgentFinding(
        finding_id="f1", agent_name="data", claim_id="c1", evidence_type="x", details={"source_url": "u"}
    )
    for status in (RequestStatus.ANSWERED, RequestStatus.UNAVAILABLE):
        answer = InfoResponse(request_id="q1", answered_by="data", asked_by="news", summary="Yes.", status=status)
        again = response_from(response_as(answer, [found]))
        assert again.model_copy(update={"details": {}}) == answer
        assert again.details == {"sources": [{"source_url": "u"}], "finding_ids": ["f1"]}


@pytest.mark.parametrize("kind", list(EventType))
def test_every_event_has_a_name_of_the_specification_or_is_told_otherwise(kind: EventType) -> None:
    event = Event(
        id=1, case_id="", at=datetime(2025, 1, 1, tzinfo=UTC), type=kind, text="said", data={"agent_name": "x"}
    )
    told = stream_event(event, "academic")
    if kind in (EventType.OUTAGE, EventType.CLAIM_CHECKED, EventType.WORKING):
        assert told is None
        return
    assert told is not None and told.agent_name == "academic" and "agent_name" not in told.data
    assert told.timestamp == "2025-01-01T00:00:00+00:00"
    assert told.event_type in (kind.value, "agent_thinking")


def _reducer(field: str) -> Any:
    (reducer,) = SibylState.model_fields[field].metadata
    return reducer


@given(
    st.lists(st.sampled_from(["a", "b", "c", ""]), max_size=8), st.lists(st.sampled_from(["a", "d", ""]), max_size=8)
)
def test_joining_findings_keeps_one_of_each_id_and_all_without(before: list[str], added: list[str]) -> None:
    def findings(ids: list[str], summary: str) -> list[Any]:
        return [
            {"finding_id": each, "agent_name": "x", "claim_id": "c", "evidence_type": "e", "summary": summary}
            for each in ids
        ]

    joined = _reducer("findings")(findings(before, "old"), findings(added, "new"))
    named = [each.finding_id for each in joined if each.finding_id]
    assert sorted(named) == sorted({*before, *added} - {""})
    assert sum(not each.finding_id for each in joined) == [*before, *added].count("")
    assert all(each.summary == "new" for each in joined if each.finding_id in added and each.finding_id)


def test_a_status_takes_the_place_of_the_one_before() -> None:
    joined = _reducer("agent_status")({"a": {"status": "idle"}, "b": {}}, {"a": sibyl.AgentStatus(status="working")})
    assert {name: each.status for name, each in joined.items()} == {"a": "working", "b": "idle"}


def test_a_state_is_read_from_anybodys_objects() -> None:
    class Theirs:
        def __init__(self, **fields: Any) -> None:
            self.__dict__.update(fields)

    state = SibylState.model_validate(
        Theirs(company_name=None, claims=[Theirs(claim_id=7, claim_text="x", more=1)], chunks=[]), from_attributes=True
    )
    assert state.company_name == "" and state.claims == [sibyl.Claim(claim_id="7", claim_text="x")]
    assert (state.iteration_count, state.max_iterations, state.findings) == (0, 3, [])
