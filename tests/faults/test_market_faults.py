"""A market answer while services fail: engines of each format (JSON, RSS, Atom, HTML) under every fault. Engines that
could not be queried are named, this is never reported as 'no news', and the results of the others are the same as
without the fault."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from bench.simulated.running import limits_lifted
from bench.simulated.server import Told, simulated_web
from bench.simulated.worlds import World
from inquest import Inquest
from inquest.domain.case import CaseStatus
from inquest.domain.market import AnswerState, MarketAnswer
from inquest.kit.discover import engines
from tests.app.market_rows import NOW, QUESTION, ROWS
from tests.faults.services_played import FAULTS, JSON, KEYS, Fault, Met, Services, recorded, waiting

ASKED = ("gdelt", "google_news", "bing_news", "tavily", "duckduckgo", "edgar", "edgar_current", "fmp", "eodhd")
ELSEWHERE = [
    {
        "url": "https://herald.example/fair",
        "title": "The fair at Holm",
        "date": "2025-01-02",
        "text": "The fair at Holm was opened by the mayor on Thursday. Some four hundred people came to it.",
    }
]
NO_NEWS = ("no news", "no recent", "nothing new", "nothing was found")


@pytest.fixture(autouse=True)
def _in_no_time(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Retries follow at once, timeouts are short, and services have no limits of their own."""
    waiting(monkeypatch, 1.5)
    with limits_lifted(*engines("inquest.engines").values()):
        yield


def registry(url: str) -> Told:
    """The host with the list of companies and the newest filings."""
    if "company_tickers" in url:
        company = {"cik_str": 1811210, "ticker": "NRVN", "title": "Norvane Inc."}
        return Told(200, JSON, json.dumps({"0": company}).encode())
    return recorded("edgar_current", "empty")


class MarketMet(Met):
    """A market answer, its report, and the services that received requests."""

    @property
    def answer(self) -> MarketAnswer:
        assert self.case.answer is not None, self.case.why
        return self.case.answer

    @property
    def told(self) -> list[tuple[str, str]]:
        """The text of the answer, without the numbers of its sources."""
        headings = [each.heading for each in self.answer.developments]
        return [(each.quote, each.url) for each in (*self.answer.breaking, *headings)]


async def answered(
    folder: Path, says: Mapping[str, Fault], rows: list[dict[str, str]] = ROWS, **more: Any
) -> MarketMet:
    """The answer to a question on which only the user's own documents have anything."""
    folder.mkdir(exist_ok=True)
    services = Services(ASKED, says, {"edgar_current": registry})
    file, ratings = folder / "rows.jsonl", folder / "ratings.csv"
    file.write_text("\n".join(json.dumps(row) for row in rows))
    ratings.write_text("domain,score,category\ncourier.example,85,newspaper\nledger.example,75,newspaper\n")
    async with simulated_web(World((), ()), hosts=services.hosts) as web:
        settings = {name: web.settings[name] for name in ("proxy", "ca_file")}
        async with Inquest(home=folder / "home", keys=KEYS, **settings) as inquest:
            await inquest.app.collections.add("wire", [file], ratings=ratings)
            asked = {"engines": ["collection", *ASKED], "collections": ["wire"], "as_of": NOW} | more
            case = await inquest.ask(QUESTION, **asked)
            return await MarketMet.of(inquest, case, services)


def assert_told(met: MarketMet, faulty: Mapping[str, Fault]) -> None:
    """Check that each service that did not answer is named with its problem, in the case, the answer and the report."""
    out = met.out
    assert set(out) == set(faulty)
    notes = {each.engine: each for each in met.answer.engines}
    for engine in out:
        assert notes[engine].state == "left_out" and notes[engine].why, engine
    assert met.case.status is not CaseStatus.COMPLETED and met.answer.state is not AnswerState.COMPLETE


async def test_services_that_have_nothing_are_no_outage_and_under_each_fault_they_are(tmp_path: Path) -> None:
    """All of them at once, each with a different fault; `test_every_service` has each service with each."""
    peace = await answered(tmp_path / "peace", {})
    assert peace.case.status is CaseStatus.COMPLETED and not peace.case.outages, peace.case.outages
    assert peace.answer.state is AnswerState.COMPLETE and peace.told
    assert peace.asked == set(ASKED), "each of them was asked"
    faulty = dict(zip(ASKED, FAULTS.values(), strict=False))
    met = await answered(tmp_path / "faulty", faulty)
    assert_told(met, faulty)
    assert met.told == peace.told, "what one's own documents say stands as it stood"


async def test_an_outage_is_never_told_as_no_news(tmp_path: Path) -> None:
    """No stored document mentions it, and no engine could be queried: nothing is known either way."""
    faulty = dict.fromkeys(ASKED, FAULTS["HTML for JSON"])
    met = await answered(tmp_path, faulty, ELSEWHERE)
    assert_told(met, faulty)
    assert not met.told
    said = met.answer.breaking_note
    assert said and not any(words in said.lower() for words in NO_NEWS), said
    assert "nothing is known either way" in said and met.answer.state is AnswerState.COULD_NOT_ASK


async def test_one_engine_out_of_many_makes_no_news_uncertain(tmp_path: Path) -> None:
    whole = await answered(tmp_path / "whole", {}, ELSEWHERE)
    assert whole.case.status is not CaseStatus.PARTIAL and whole.answer.breaking_note
    met = await answered(tmp_path / "one", {"tavily": FAULTS["503 with words"]}, ELSEWHERE)
    assert_told(met, {"tavily": FAULTS["503 with words"]})
    assert met.answer.breaking_note != whole.answer.breaking_note, "it says that somebody is missing"
