"""Questions, pages and hits of the market desk for tests, about companies that do not exist."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from inquest.desks.market.findings import market_findings
from inquest.desks.market.questions import read_question
from inquest.domain.document import Precision, Published
from inquest.domain.finding import Finding
from inquest.domain.market import FilingStatement, MarketQuestion, MarketQuote, MarketRequest
from inquest.domain.search import Hit
from inquest.domain.source import Source
from inquest.text.securities import Listing, Ticker
from tests.case_parts import document, source

NOW = datetime(2026, 11, 19, 18, tzinfo=UTC)
"""A Thursday, 1 p.m. in New York: markets are open."""
LISTINGS = (
    Listing(Ticker("QVRN", "US"), "Quarvane Semiconductor Inc", "1"),
    Listing(Ticker("ALL", "US"), "Allmark Assurance Corp", "2"),
    Listing(Ticker("IT", "US"), "Itherra Research Inc", "3"),
    Listing(Ticker("NOW", "US"), "Nowell Services Inc", "4"),
    Listing(Ticker("HTH-B", "US"), "Hathersage Holdings Inc", "5"),
    Listing(Ticker("PLUM", "US"), "Plumtree Inc.", "6"),
    Listing(Ticker("PLHR", "US"), "Plumtree Hospitality REIT, Inc.", "7"),
    Listing(Ticker("LMN", "LSE"), "Lomond plc", "8"),
    Listing(Ticker("T", "US"), "Tarrant & Thane Inc", "9"),
)


def hours_ago(hours: float, now: datetime = NOW) -> Published:
    return Published(at=now - timedelta(hours=hours), precision=Precision.TIME, how="metadata")


def ask(text: str, **more: Any) -> MarketQuestion:
    filings, now, listings = more.pop("filings", ()), more.pop("now", NOW), more.pop("listings", ())
    question = read_question(text, now, MarketRequest(**more), listings=listings)
    return question.model_copy(update={"filings": tuple(filings)})


def about_quarvane(text: str = "Why is QVRN down 7% today?", **more: Any) -> MarketQuestion:
    return ask(text, company="Quarvane Semiconductor", **more)


def page(
    name: str, text: str, *, hours: float | None = 2, tier: int = 2, question: MarketQuestion | None = None, **more: Any
) -> tuple[Source, tuple[Finding, ...]]:
    """A source published this many hours ago, and the desk's reading of its text."""
    published = None if hours is None else hours_ago(hours)
    witness = source(name, tier, published=published, **more)
    return witness, market_findings(question or about_quarvane(), witness, document(text, snapshot=witness.snapshot))


def hit(title: str, url: str = "", snippet: str = "", rank: int = 1, **more: Any) -> Hit:
    values: dict[str, Any] = {"engine": "wire", "rank": rank, "published": hours_ago(2)}
    address = url or "https://daily.example/" + "-".join(title.lower().split()[:6])
    return Hit(url=address, title=title, snippet=snippet, **values | more)


def statement(
    quote: str, filed: datetime | None = datetime(2025, 10, 31, tzinfo=UTC), form: str = "10-K"
) -> FilingStatement:
    return FilingStatement(form=form, filed=filed, quote=quote, snapshot="sha256:filing", start=0, end=len(quote))


def quote(text: str, published: str | None = "2026-02-10", **more: Any) -> MarketQuote:
    values: dict[str, Any] = {
        "finding_id": "M-S1-1",
        "source_id": "S1",
        "snapshot": "sha256:S1",
        "start": 0,
        "end": len(text),
        "publisher": "The Daily",
        "url": "https://daily.example/1",
        "tier": 2,
        "age": "2 h",
    }
    return MarketQuote(quote=text, published=published, **values | more)
