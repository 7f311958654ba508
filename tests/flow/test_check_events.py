"""The events of a check are those of the specification (000 §9.2), under its names of agents, in whole sentences."""

from __future__ import annotations

import json
from pathlib import Path

from inquest.domain.event import Event, EventType
from tests.flow.test_check_rounds import a_house, checked

AGENTS = {"news_media", "academic"}
OF_DESKS = {
    EventType.AGENT_STARTED: set(),
    EventType.CLAIM_INVESTIGATING: {"claim_id", "claim_text"},
    EventType.SEARCH_EXECUTED: {"query", "results_count"},
    EventType.SOURCE_EVALUATED: {"source_url", "tier", "relevance"},
    EventType.CONTRADICTION_DETECTED: {"claim_id", "source_url", "contradiction_type", "tier"},
    EventType.EVIDENCE_FOUND: {"claim_id", "findings_count", "supports_claim"},
    EventType.AGENT_COMPLETED: {"claims_processed", "findings_count", "contradictions_count"},
}
OF_EXCHANGE = {
    EventType.INFO_REQUEST_POSTED: {"requesting_agent", "description"},
    EventType.INFO_RESPONSE_POSTED: {"responding_agent", "requesting_agent", "summary"},
}


async def test_every_event_has_its_fields_and_the_agent_its_name(tmp_path: Path) -> None:
    heard: list[Event] = []
    async with a_house(tmp_path / "home") as inquest:
        await checked(inquest, lambda event, stop: heard.append(event))
    for type, fields in OF_DESKS.items():
        told = [event for event in heard if event.type is type]
        assert told, type
        for event in told:
            assert event.data["agent_name"] in AGENTS
            assert fields <= event.data.keys()
    begun, judged = (
        {event.data["claim_id"] for event in heard if event.type is type}
        for type in (EventType.CLAIM_INVESTIGATING, EventType.CLAIM_CHECKED)
    )
    assert begun == judged
    asked = [event for event in heard if event.type is EventType.INFO_REQUEST_POSTED]
    answered = [event for event in heard if event.type is EventType.INFO_RESPONSE_POSTED]
    assert asked and len(asked) == len(answered)
    for event in (*asked, *answered):
        assert OF_EXCHANGE[event.type] <= event.data.keys()
        assert event.data["requesting_agent"] in AGENTS
        assert event.data["agent_name"] != "news"
    assert json.dumps([event.data for event in heard])
    lines = [event.text for event in heard if event.data.get("agent_name") in AGENTS]
    assert "News and public sources: the desk has started." in lines
    assert not [line for line in lines if " 1 findings" in line or "sources has" in line or "1 claims" in line]
