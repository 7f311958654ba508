"""A market answer with short timeouts on the simulated web: late replies are reported, and the replay is the same."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bench.simulated.markets import NOW, QUESTION, a_market_world
from bench.simulated.server import Acts, SimulatedWeb, Told, simulated_web
from inquest.app.cases.case_request import MarketQuestion, request_of
from inquest.app.cases.requests import approval_from
from inquest.app.cases.session import new_session
from inquest.app.desks.briefs import market_brief
from inquest.domain.case import Case, CaseStatus
from inquest.domain.event import EventType
from inquest.domain.market import AnswerState
from inquest.flow.nodes import ask_market, market
from tests.flow.case_clock import LONG, CaseClock
from tests.flow.test_simulated_inquiry import house

pytestmark = pytest.mark.usefixtures("no_pauses")


def slow(web: SimulatedWeb, monkeypatch: pytest.MonkeyPatch, *parts: str, seconds: float = 3) -> None:
    """Addresses with one of these parts answer that much later."""
    answered = web.reply

    async def reply(method: str, url: str, body: bytes) -> Any:
        if any(part in url for part in parts):
            await asyncio.sleep(seconds)
        return await answered(method, url, body)

    monkeypatch.setattr(web, "reply", reply)


async def asked(web: SimulatedWeb, home: Path, *engines: str, **more: Any) -> Case:
    """The case, whose replay is the same."""
    settings = {"model": "", "searxng_url": "https://searx.press.example"} | more
    async with house(web, home, **settings) as inquest:
        case = await inquest.ask(QUESTION, engines=engines, as_of=NOW)
        await asyncio.sleep(0.5)  # abandoned replies may still come, and change nothing
        again = await inquest.replay(case.id)
        assert again.same, again.difference
        return case


async def test_an_engine_or_a_page_that_is_late_is_named_and_the_answer_is_that_of_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ask_market, "ENGINE_SECONDS", 2.0)
    monkeypatch.setattr(ask_market, "PAGE_SECONDS", 3.0)
    late = tuple(f"market{number}." for number in range(0, 40, 2))
    async with simulated_web(a_market_world()) as web:
        slow(web, monkeypatch, "searx.", *late, seconds=5)
        case = await asked(web, tmp_path, "tavily", "searxng")
    assert case.status is CaseStatus.PARTIAL and case.answer is not None and case.answer.developments
    assert {note.where for note in case.outages if note.what == "engine"} == {"searxng"}
    assert any(note.what == "page" for note in case.outages)
    assert case.sources and not any(any(part in source.url for part in late) for source in case.sources)
    assert all("in time" in note.why for note in case.outages)
    assert any("SearXNG was left out" in said for said in case.answer.notes)


async def test_all_that_is_asked_in_place_of_one_another_has_one_limit_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ask_market, "ENGINE_SECONDS", 1.0)
    monkeypatch.setattr(ask_market, "ASKING_SECONDS", 1.2)
    monkeypatch.setattr(ask_market, "ALL_SECONDS", 1.5)
    async with simulated_web(a_market_world()) as web:
        slow(web, monkeypatch, "http", seconds=20)  # all hosts
        case = await asked(web, tmp_path)
    assert case.status is CaseStatus.FAILED and case.outages
    late = [note.why for note in case.outages if note.what == "engine"]
    assert any("in time" in why for why in late), late


async def test_a_model_that_is_late_costs_only_its_article(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(market, "MODEL_SECONDS", 0.3)
    async with simulated_web(a_market_world()) as web:
        slow(web, monkeypatch, "api.openai.com", seconds=1)
        case = await asked(web, tmp_path, "tavily", model="openai:gpt-4o-mini")
    assert case.status is CaseStatus.PARTIAL and case.answer is not None
    assert case.answer.state is AnswerState.PARTIAL and case.answer.developments
    assert [note.what for note in case.outages] == ["model"]


class Hangs:
    """A host whose pages are requested and never come."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()

    def __call__(self, method: str, url: str, body: bytes) -> Told | Acts:
        if url.endswith("/robots.txt"):
            return Told(404, "text/plain", b"")
        self.asked.set()
        return self._never

    async def _never(self, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(60)


FILING = "https://filings.press.example/10-k.html"


async def with_a_filing_that_hangs(home: Path, ends: Callable[[], object] | None = None, **more: Any) -> Case:
    """The case, whose replay is the same. `ends`: called when the filing has been requested and another page has been
    read."""
    filing, read = Hangs(), asyncio.Event()
    async with (
        simulated_web(a_market_world(), hosts={"filings.press.example": filing}) as web,
        house(web, home, model="") as inquest,
    ):
        brief = await market_brief(
            inquest.app,
            request_of(
                MarketQuestion,
                {
                    "question": QUESTION,
                    "filings": [FILING],
                    "as_of": NOW,
                    "engines": "tavily",
                    "collections": [],
                    **more,
                },
            ),
        )
        session = await new_session(inquest.app, brief)
        session.listen(lambda event: read.set() if event.type is EventType.ANSWER_HEADLINE else None)
        async with session:
            case = await session.begin()
            assert case.plan is not None
            going = asyncio.ensure_future(session.decide(approval_from("approve", case.plan, how="test", by="A desk")))
            await asyncio.wait_for(filing.asked.wait(), 60)
            if ends is not None:
                await asyncio.wait_for(read.wait(), 60)
                ends()
            case = await going
        again = await inquest.replay(case.id)
        assert again.same, again.difference
    return case


@pytest.mark.parametrize("how", ["deadline", "its own limit"])
async def test_a_filing_that_never_comes_is_not_waited_for(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if how == "its own limit":
        monkeypatch.setattr(ask_market, "ALL_SECONDS", 5.0)
        case = await with_a_filing_that_hangs(tmp_path, deadline=LONG)
    else:
        clock = CaseClock(monkeypatch)
        case = await with_a_filing_that_hangs(tmp_path, clock.over, deadline=LONG)
    assert case.status is CaseStatus.PARTIAL and case.answer is not None
    assert case.answer.state is AnswerState.PARTIAL and case.answer.developments, "of the others it tells"
    assert "No news" not in case.answer.breaking_note
    (outage,) = [note for note in case.outages if note.where == FILING]
    assert outage.why.startswith(f"The filing {FILING} was not read: it did not arrive")
    assert f"The filing {FILING} was not read, so no news is compared with it." in case.answer.notes
    assert ("time limit" in case.why) == (how == "deadline")
