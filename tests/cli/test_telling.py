"""Terminal output of a case: each problem once, how to continue after an interruption, any encoding."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console

from inquest.cli import running
from inquest.cli.show import ProgressLines
from inquest.domain.case import CaseStatus
from inquest.domain.errors import StorageError
from inquest.domain.event import Event, EventType, Stage


def outage(what: str, where: str, why: str) -> Event:
    return Event(
        id=1,
        case_id="20260101-abcd",
        at=datetime(2026, 1, 1, tzinfo=UTC),
        type=EventType.OUTAGE,
        text=f"{what} {where}: {why}",
        data={"what": what, "where": where, "why": why},
    )


def told(*events: Event) -> str:
    console = Console(file=io.StringIO(), width=200)
    progress = ProgressLines(console)
    with progress:
        for event in events:
            progress.show(event)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_what_is_out_at_once_for_one_reason_is_one_line() -> None:
    ended = [outage("engine", name, f"{name} was not asked before the case ended.") for name in ("gdelt", "arxiv")]
    assert told(*ended).splitlines() == [
        "Could not be queried: gdelt and arxiv. Each was not asked before the case ended."
    ]


@pytest.mark.parametrize(
    ("type", "lines"), [(EventType.DEGRADED, 1), (EventType.REINVESTIGATION_REQUESTED, 0), (EventType.DEPARTURE, 20)]
)
def test_what_is_the_same_for_many_claims_is_told_once(type: EventType, lines: int) -> None:
    event = outage("", "", "").model_copy(update={"type": type, "text": "The local analyst answers instead."})
    assert len(told(*[event] * 20).splitlines()) == lines


def test_where_no_line_moves_what_is_read_before_the_plan_is_told_and_later_steps_are_not() -> None:
    reading = outage("", "", "").model_copy(
        update={"type": EventType.STAGE_STARTED, "stage": Stage.PLAN, "text": "Reading https://example.org/story"}
    )
    searching = reading.model_copy(update={"stage": Stage.SOURCES, "text": "Searching arxiv"})
    assert told(reading, searching).strip() == reading.text


@pytest.mark.parametrize(("status", "says"), [(CaseStatus.RUNNING, True), (CaseStatus.COMPLETED, False)])
def test_a_case_that_is_broken_off_says_how_it_goes_on(
    status: CaseStatus, says: bool, capfd: pytest.CaptureFixture[str]
) -> None:
    session: Any = SimpleNamespace(case=SimpleNamespace(id="20260101-abcd", status=status), is_kept=True)
    with pytest.raises(StorageError), running._resumable(session):
        raise StorageError("The disk is full.")
    assert ("inquest resume 20260101-abcd" in capfd.readouterr().err) is says


def left_out(url: str, why: str) -> Event:
    text, data = f"Left out {url}: {why}", {"url": url, "why": why}
    return outage("page", url, why).model_copy(update={"type": EventType.SOURCE_LEFT_OUT, "text": text, "data": data})


def test_a_page_that_could_not_be_read_is_not_told_as_left_out_once_more() -> None:
    gone, other = "https://gone.example/1", left_out("https://dull.example/2", "it has little to do with the brief")
    lost = outage("page", gone, "gone.example did not answer.")
    assert told(lost, left_out(gone, "gone.example did not answer."), other).splitlines() == [
        f"Could not be read: {gone}. gone.example did not answer.",
        other.text,
    ]
