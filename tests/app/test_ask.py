"""A question to the market desk through the library, on the user's own documents: answer, filings, saving and
deletion."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from inquest import Inquest
from inquest.app.cases.reporting import replay
from inquest.app.settings import load_settings
from inquest.app.wiring.resources import open_resources
from inquest.domain.case import Case, CaseKind, CaseStatus
from inquest.domain.errors import NotFound
from inquest.domain.event import Event, EventType
from inquest.domain.market import AnswerState
from tests.app.market_rows import NOW, QUESTION, ROWS
from tests.reports.schema_check import problems

FILING = """<html><head><title>Norvane Inc. Form 10-K</title></head><body><h1>FORM 10-K</h1>
<p>Item 7. Management's discussion of the financial condition of the company and of its results.</p>
<p>We expect revenue of $4.8 billion in 2026. Our headcount was 9,200 at the end of 2025.</p>
</body></html>"""


@pytest.fixture
async def inquest(tmp_path: Path) -> AsyncIterator[Inquest]:
    rows = tmp_path / "rows.jsonl"
    rows.write_text("\n".join(json.dumps(row) for row in ROWS))
    ratings = tmp_path / "ratings.csv"
    ratings.write_text("domain,score,category\ncourier.example,85,newspaper\nledger.example,75,newspaper\n")
    async with Inquest(home=tmp_path / "home") as opened:
        await opened.app.collections.add("wire", [rows], ratings=ratings)
        yield opened


async def ask(inquest: Inquest, question: str = QUESTION, **more: Any) -> Case:
    own: dict[str, Any] = {"engines": ["collection"], "collections": ["wire"], "as_of": NOW}
    return await inquest.ask(question, **(own | more))


async def test_an_answer_says_what_sources_say_each_word_in_its_place(inquest: Inquest) -> None:
    events: list[Event] = []
    case = await ask(inquest, on_event=events.append)
    assert (case.kind, case.status) == (CaseKind.MARKET, CaseStatus.COMPLETED)
    answer = case.answer
    assert answer is not None and answer.state is AnswerState.COMPLETE
    assert answer.developments[0].witnesses == 2
    for quote in (*answer.breaking, *(each.heading for each in answer.developments)):
        text = await inquest.app.snapshot_text(quote.snapshot)
        assert text[quote.start : quote.end].startswith(quote.quote.rstrip("."))
    assert {source.publisher for source in answer.sources} == {"courier.example", "ledger.example"}
    assert answer.commentary[0].quote is not None and "Brook Hill" in answer.commentary[0].quote.quote

    types = [event.type for event in events]
    assert types.count(EventType.ANSWER_HEADLINE) == 1
    assert types.index(EventType.ANSWER_HEADLINE) < types.index(EventType.ANSWER_READY)
    first = next(event for event in events if event.type is EventType.ANSWER_HEADLINE)
    assert first.data["answer"]["state"] == "headline"  # type: ignore[index, call-overload]

    document = json.loads(await inquest.report(case.id, "json"))
    schema = json.loads(files("inquest.reports").joinpath("case.schema.json").read_text())
    assert list(problems(document, schema)) == []
    assert document["answer"]["markdown"].startswith("## Norvane (NRVN) - Real-Time Update")
    assert document["answer"]["noise"]["removed"] == 1 and document["kept_until"]
    assert "market answer" in (await inquest.report(case.id, "html")).decode()
    assert (await inquest.report(case.id, "pdf")).startswith(b"%PDF")
    again = await inquest.replay(case.id)
    assert again.same, again.difference
    assert again.case.answer == case.answer


async def test_what_urges_to_trade_is_neither_read_nor_told(inquest: Inquest) -> None:
    case = await ask(inquest, "Should I buy Norvane (NRVN) today?")
    report = (await inquest.report(case.id, "md")).decode()
    assert case.answer is not None and case.answer.noise.promotional == 1
    assert "screaming" not in report and "double by the end" not in report
    assert "recommends no trade" in report and "Whether to buy or sell shares is not answered here" in report


async def test_a_filing_is_held_against_later_news_both_dated(inquest: Inquest, tmp_path: Path) -> None:
    path = tmp_path / "10k.html"
    path.write_text(FILING)
    case = await ask(inquest, "Is Norvane (NRVN) on track with its revenue guidance?", filings=[str(path)])
    path.unlink()
    answer = case.answer
    assert answer is not None
    found = next(each for each in answer.against_filings if each.relation == "contradicts")
    assert (found.filing.form, found.filing.section, found.what) == ("10-K", "Item 7", "revenue")
    assert "4.8 billion" in found.filing.quote and "4.1 billion" in found.news.quote
    assert (await inquest.replay(case.id)).same


class _Later:
    """A clock that is ahead."""

    def __init__(self, by: timedelta) -> None:
        self._by = by

    def now(self) -> datetime:
        return datetime.now(UTC) + self._by


async def test_an_answer_is_forgotten_after_a_day_unless_it_was_saved(inquest: Inquest) -> None:
    forgotten = await ask(inquest, filings=[])
    saved = await ask(inquest, "What happened to Norvane (NRVN) today?", save=True)
    inquiry = await inquest.inquiry("Norvane outlook", engines=["collection"], collections=["wire"])
    assert forgotten.kept_until == forgotten.created_at + timedelta(hours=24) and saved.kept_until is None
    only = await _only_of(inquest, forgotten.id)
    settings = load_settings(home=inquest.app.settings.home)
    async with open_resources(settings, clock=_Later(timedelta(hours=23))) as app:
        assert len(await app.cases()) == 3
    async with open_resources(settings, clock=_Later(timedelta(hours=25))) as app:
        assert {case.id for case in await app.cases()} == {saved.id, inquiry.id}
        with pytest.raises(NotFound):
            await app.case(forgotten.id)
        assert await app.events_of(forgotten.id) == []
        for gone in only:
            with pytest.raises(NotFound):
                await app.archive.body(gone)
        for kept in (saved, inquiry):  # parts shared with it are still there
            assert (await replay(app, kept.id)).same


async def _only_of(inquest: Inquest, case_id: str) -> list[str]:
    from inquest.store.cases import _used_by_it_alone

    return await (await inquest.app.database()).read(lambda connection: _used_by_it_alone(connection, case_id))


@pytest.mark.parametrize(
    ("question", "symbols", "note"),
    [
        ("Is ALL of the market down today?", [], "ALL is a word as well as a ticker"),
        ("Why is Norvane (BRK.B) down NOW?", ["BRK-B"], ""),
        ("What is new at VOD.L today?", ["VOD.L"], ""),
    ],
)
async def test_tickers_that_are_words_or_have_a_dot_are_read_as_they_are_meant(
    inquest: Inquest, question: str, symbols: list[str], note: str
) -> None:
    case = await ask(inquest, question)
    assert case.answer is not None
    assert [each.symbol for each in case.answer.question.tickers] == symbols
    assert note in " ".join(case.answer.notes)


async def test_without_a_network_nobody_is_asked_and_nothing_is_known(inquest: Inquest) -> None:
    case = await inquest.ask(QUESTION)  # names cannot be looked up here
    assert case.answer is not None and case.answer.state is AnswerState.COULD_NOT_ASK
    assert case.status is CaseStatus.FAILED and "there is no network" in case.why
