"""A market answer by the whole program on the simulated web: engines that are down, pages that fail, a model."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bench.simulated.markets import NOW, QUESTION, a_market_world
from bench.simulated.server import Faults, SimulatedWeb, Told, simulated_web
from inquest.desks.market.queries import AT_ONCE
from inquest.domain.case import Case, CaseStatus
from inquest.domain.market import AnswerState
from inquest.local_models.encoders import VectorEncoder
from tests.flow.test_simulated_inquiry import house

pytestmark = pytest.mark.usefixtures("no_pauses")


async def asked(web: SimulatedWeb, home: Path, engines: tuple[str, ...] = ("tavily",), **more: Any) -> Case:
    async with house(web, home, **more) as inquest:
        case = await inquest.ask(QUESTION, engines=engines, as_of=NOW)
        again = await inquest.replay(case.id)
        assert again.same, again.difference
        return case


async def test_a_model_imagines_an_article_to_search_with_and_chooses_the_sentences_that_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[list[str]] = []
    encode = VectorEncoder.encode

    def listen(self: VectorEncoder, texts: Sequence[str]) -> Any:
        compared.append(list(texts))
        return encode(self, texts)

    monkeypatch.setattr(VectorEncoder, "encode", listen)
    monkeypatch.delenv("INQUEST_SENTENCE_MODEL")
    async with simulated_web(a_market_world()) as web:
        case = await asked(web, tmp_path)
        assert web.asked["model"] == 2
    assert case.status is CaseStatus.COMPLETED and case.plan is not None and case.answer is not None
    assert "guidance demand" in " ".join(query.text for query in case.plan.queries)
    assert "Traders fear" not in case.model_dump_json()  # the invented article is not a statement by anybody
    assert case.answer.developments[0].witnesses > 1 and len(case.sources) == AT_ONCE
    assert case.answer.reply is not None and len(case.answer.reply.points) == 2
    assert {point.quote.finding_id for point in case.answer.reply.points} == {"A1", "A2"}
    article, question, *leads = compared[0]
    assert "Traders fear" in article and question == QUESTION and len(leads) >= len(case.sources)


async def test_a_rule_chooses_the_sentences_if_the_model_s_answer_cannot_be_used(tmp_path: Path) -> None:
    def useless(request: dict[str, Any]) -> str | None:
        return "{}" if "Task: answer the question" in request["messages"][0]["content"] else None

    async with simulated_web(a_market_world(), faults=Faults(model=useless)) as web:
        case = await asked(web, tmp_path)
    assert case.status is CaseStatus.COMPLETED and case.answer is not None and not case.outages
    assert case.answer.reply is not None and [point.event for point in case.answer.reply.points] == [
        "guidance",
        "rating",
    ]


async def test_where_only_the_user_s_filing_could_be_read_the_answer_is_not_complete(tmp_path: Path) -> None:
    filing = tmp_path / "filing.html"
    said = "We expect revenue of $4.8 billion in fiscal 2026. We expect to hold our gross margin at 41 percent in 2026."
    filing.write_text(f"<html><title>10-K</title><body><h1>FORM 10-K</h1><p>{said}</p></body></html>")
    async with (
        simulated_web(a_market_world(), faults=Faults(refused=("api.tavily.com",))) as web,
        house(web, tmp_path, model="") as inquest,
    ):
        case = await inquest.ask(QUESTION, filings=[str(filing)], engines=["tavily"], as_of=NOW)
    assert case.status is CaseStatus.PARTIAL and case.sources and "What you provided is reported." in case.why
    assert case.answer is not None and case.answer.state is AnswerState.COULD_NOT_ASK
    assert case.answer.sources[0].publisher


REPORT = """<html><head><title>nrvn-20260302</title></head><body><h1>FORM 8-K</h1>
<p>Item 2.02 Results of Operations and Financial Condition. On March 2, 2026, Norvane Semiconductor issued a press
release regarding its outlook. A copy is furnished as Exhibit 99.1 to this report and is incorporated herein by
reference.</p><table><tr><td><a href="nrvn-ex991.htm">99.1</a></td><td>Press release</td></tr></table></body></html>"""
RELEASE = """<html><head><title>Press release</title></head><body><p>Exhibit 99.1</p><h1>Norvane Semiconductor updates
its outlook</h1><p>LISSE, March 2, 2026. Norvane Semiconductor now expects revenue of $4.1 billion in 2026, because
carmakers have put off orders for its power modules. The company keeps its plans for the plant in
Orr, where it means to begin in spring.</p></body></html>"""


async def test_the_press_release_that_a_current_report_only_refers_to_is_read(tmp_path: Path) -> None:
    def register(method: str, url: str, body: bytes) -> Told:
        if url.endswith("/robots.txt"):
            return Told(404, "text/plain", b"")
        return Told(200, "text/html", (RELEASE if url.endswith("nrvn-ex991.htm") else REPORT).encode())

    async with simulated_web(a_market_world(6), hosts={"market00.press.example": register}) as web:
        case = await asked(web, tmp_path, model="")
    assert case.answer is not None and case.status is CaseStatus.COMPLETED
    read = next(source for source in case.sources if source.url.endswith("nrvn-ex991.htm"))
    told = [finding.quote for finding in case.findings if finding.source_id == read.id]
    assert any("now expects revenue of $4.1 billion" in quote for quote in told)
    assert not any("Exhibit 99.1" in finding.quote for finding in case.findings)


async def test_a_notice_of_a_register_that_was_read_without_use_is_not_called_unread(tmp_path: Path) -> None:
    url = "https://www.federalregister.gov/documents/2026/03/01/2026-1/fees-of-harbours"
    row = {"title": "Fees of harbours", "html_url": url, "publication_date": "2026-03-01", "document_number": "2026-1"}

    def gazette(method: str, url: str, body: bytes) -> Told:
        if "/api/" in url:
            return Told(200, "application/json", json.dumps({"count": 1, "results": [row]}).encode())
        text = "<p>The agency asks for comments on the fees of harbours until the end of the month.</p>" * 9
        return Told(200, "text/html", f"<html><body><h1>Fees of harbours</h1>{text}</body></html>".encode())

    async with (
        simulated_web(a_market_world(3), hosts={"www.federalregister.gov": gazette}) as web,
        house(web, tmp_path, model="") as inquest,
    ):
        asks = "Was the permit of Norvane Semiconductor (NRVN) revoked?"
        case = await inquest.ask(asks, engines=["tavily", "federal_register"], as_of=NOW)
    assert case.answer is not None and any("was read and not used" in each for each in case.answer.notes)
    assert not any("the document was not read" in each for each in case.answer.notes)


async def test_a_page_without_news_that_decides_a_yes_or_no_question_is_a_source(tmp_path: Path) -> None:
    def paper(method: str, url: str, body: bytes) -> Told:
        if url.endswith("/robots.txt"):
            return Told(404, "text/plain", b"")
        said = (
            "Norvane Semiconductor does not employ prisoners, its spokeswoman said. " + "It rained in Orr all day. " * 9
        )
        text = f"<html><head><title>Norvane Semiconductor replies</title></head><body><p>{said}</p></body></html>"
        return Told(200, "text/html", text.encode())

    async with (
        simulated_web(a_market_world(3), hosts={"market00.press.example": paper}) as web,
        house(web, tmp_path, model="") as inquest,
    ):
        case = await inquest.ask("Does Norvane Semiconductor employ convicts?", engines=["tavily"], as_of=NOW)
    assert case.answer is not None and case.answer.reply is not None
    [point] = case.answer.reply.points
    assert point.quote.quote == "Norvane Semiconductor does not employ prisoners, its spokeswoman said."
    assert point.quote.source_id in {each.id for each in case.answer.sources}
