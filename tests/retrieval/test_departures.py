"""When an engine's limit is used up, the next suitable one answers, and a case and its replay say so."""

from __future__ import annotations

from pathlib import Path

from bench.simulated.server import simulated_web
from bench.simulated.worlds import BRIEF
from inquest.app.cases.reporting import replay
from inquest.domain.case import Case
from tests.flow.test_simulated_inquiry import house, world


async def _limited(home: Path) -> tuple[Case, bool]:
    limits = {"tavily": {"per_month": 1}}
    async with (
        simulated_web(world()) as web,
        house(web, home, engine=limits, searxng_url="https://searx.press.example") as inquest,
    ):
        case = await inquest.inquiry(BRIEF, mode="quick", engines=["tavily", "searxng"])
        return case, (await replay(inquest.app, case.id)).same


async def test_a_case_says_whose_limit_was_met_and_who_answered_and_its_replay_too(tmp_path: Path) -> None:
    case, same = await _limited(tmp_path / "home")
    assert case.sources
    assert case.departures == ("Tavily is at its limit of 1 call a month; SearXNG was queried instead.",)
    assert {note.where for note in case.outages} == {"tavily"}
    assert same
