"""A running case reports its progress while there are no other events; only the latest report is stored."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest

from inquest import Inquest
from inquest.app.cases import progress
from inquest.app.cases.progress import Beat, MemorySink
from inquest.app.clock import FixedClock
from inquest.domain.case import Case, CaseKind, CaseStatus
from inquest.domain.event import Event, EventType, Stage
from inquest.domain.plan import Brief

NOW = datetime(2026, 1, 1, tzinfo=UTC)
CASE = Case(
    id="c", kind=CaseKind.INQUIRY, status=CaseStatus.RUNNING, brief=Brief(text="The ferry"), as_of=NOW, created_at=NOW
)


async def test_silence_is_filled_with_the_claim_and_the_time_left_and_nothing_follows_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(progress, "SILENCE", 0.02)
    reported: list[Event] = []
    sink = MemorySink("c", FixedClock(NOW), reported.append)
    case: list[Case | None] = [CASE]
    beat = Beat(sink, lambda: case[0], FixedClock(NOW), ())
    for number in (1, 2):
        beat.note(sink.add(EventType.CLAIM_EXTRACTED, "said", stage=Stage.CLAIMS, claim_id=f"C{number}"))
    beat.note(sink.add(EventType.PLAN_DECIDED, "Plan 1: approve"))
    beat.note(sink.add(EventType.CLAIM_CHECKED, "said", stage=Stage.FACT_CHECK, claim_id="C1"))
    before = len(reported)
    async with beat.going():
        await asyncio.sleep(0.2)
        case[0] = None
        beats = reported[before:]
        assert len(beats) >= 2 and {each.type for each in beats} == {EventType.WORKING}
        assert beats[0].text.startswith("Claim 2 of 2 is being checked; at most ") and beats[0].data["claim"] == 2
        await asyncio.sleep(0.1)
    assert len(reported) == before + len(beats)


async def test_of_the_lines_in_silence_the_latest_is_kept_and_none_of_a_case_that_has_ended(tmp_path: Path) -> None:
    async with Inquest(home=tmp_path) as inquest:
        await (await inquest.app.store()).create(CASE)
        sink = (await inquest.app.events()).sink("c", FixedClock(NOW))
        first, second = [await sink.emit(EventType.WORKING, text) for text in ("At work.", "Still at work.")]
        assert first.id < second.id and await inquest.app.events_of("c") == [second]
        ended = await sink.emit(EventType.CASE_FINISHED, "The inquiry is complete.")
        assert await inquest.app.events_of("c") == [ended] and ended.id > second.id
