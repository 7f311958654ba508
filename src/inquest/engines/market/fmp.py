"""Financial Modeling Prep: news, press releases, analysts' grades and quotes of listed companies; needs a key, one for
all four.

Based on its documentation and published measurements: a search without a symbol returns Apple, lower case finds
nothing, `to` without `from` reaches back three months only, times of news are New York time, and an article is listed
once per company in it. An outdated path answers 'Legacy Endpoint', and one outside the plan 402 or 403: then the next
path is used.
"""

from __future__ import annotations

from collections.abc import Generator
from datetime import timedelta
from typing import ClassVar
from urllib.parse import quote

from inquest.domain.search import EngineKind, Figure, Hit, Query
from inquest.domain.value import Published
from inquest.kit.dialect import count, day, words
from inquest.kit.engine import Engine, EngineSpec, Limits, ranked
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import Fields, as_text, dated, first_text, mapping, number, present, web_url
from inquest.kit.filings import quote_hit
from inquest.text.dates import utc
from inquest.text.securities import Listing, eastern, listing_named, parse_ticker, tickers_of

_SPEC = EngineSpec(
    name="fmp",
    title="FMP news",
    kinds=(EngineKind.MARKET,),
    key="FMP_API_KEY",
    homepage="https://financialmodelingprep.com/",
    documentation="https://site.financialmodelingprep.com/developer/docs/stable",
    # The free plan: 250 calls a day for all four; site.financialmodelingprep.com/pricing-plans. Prices are flat.
    limits=Limits(per_second=4, per_day=250, counted_with="fmp", concurrency=2),
    filters_time=True,
)
_HOST = "https://financialmodelingprep.com/"
_MOST_SYMBOLS = 5
_LONG_BEFORE = timedelta(days=365)
_ELSEWHERE = (402, 403, 404)


class Fmp(Engine):
    """News of companies, by ticker."""

    spec = _SPEC
    paths: ClassVar[tuple[str, ...]] = ("stable/news/stock?symbols=", "api/v3/stock_news?tickers=")
    """Paths up to the symbol, newest first."""
    together: ClassVar[bool] = True
    """True if a call accepts several symbols."""

    def request(self, query: Query) -> Request:
        """Build the request for the query's tickers; `search` looks up other names first."""
        symbols = self._symbols(query) or [words(query, limit=60).upper() or "-"]
        return self._ask(query, self.paths[0], symbols[0])

    def _symbols(self, query: Query) -> list[str]:
        symbols = [ticker.with_suffix for ticker in tickers_of(query)][:_MOST_SYMBOLS]
        return [",".join(symbols)] if symbols and self.together else symbols

    def _look_up(self, query: Query) -> Request:
        parameters = {"query": words(query, limit=60).strip('"'), "limit": 20, "apikey": self.access.key}
        return self.get(f"{_HOST}stable/search-name", parameters)

    def _ask(self, query: Query, path: str, symbol: str) -> Request:
        place, _, name = path.partition("?")
        parameters = {name.rstrip("="): symbol} if name else {}
        url = f"{_HOST}{place if name else place + quote(symbol, safe='')}"
        return self.get(url, parameters | self._parameters(query))

    def _parameters(self, query: Query) -> dict[str, object]:
        since = query.since or (query.until and utc(query.until) - _LONG_BEFORE) or None
        return {"from": day(since), "to": day(query.until), "limit": count(query, 250), "apikey": self.access.key}

    def search(self, query: Query) -> Generator[Request, Reply, list[Hit]]:
        symbols, found = self._symbols(query), dict[str, Hit]()
        if not symbols:
            known = self.parsed((yield self._look_up(query)), self._listings)
            company = listing_named(known, query.text)
            symbols = [company.ticker.with_suffix] if company and company.ticker else []
        for symbol in symbols:
            for hit in (yield from self._of(query, symbol)):
                found.setdefault(f"{hit.url} {hit.title} {hit.snippet if hit.figures else ''}", hit)
        return ranked(list(found.values())[: query.limit])

    def _of(self, query: Query, symbol: str) -> Generator[Request, Reply, list[Hit]]:
        """Return the hits of the first path open to the key; otherwise raise the newest path's refusal."""
        first: Reply | None = None
        for path in self.paths:
            reply = yield self._ask(query, path, symbol)
            first = first or reply
            if reply.status not in _ELSEWHERE and "legacy endpoint" not in reply.text()[:500].lower():
                return self.parsed(reply, self.parse)
        return self.parsed(first, self.parse) if first else []

    def check(self, reply: Reply) -> None:
        if reply.status in _ELSEWHERE and ("subscription" in (text := reply.text()[:500]) or "remium" in text):
            raise self.refusal(text)
        super().check(reply)

    def _rows(self, reply: Reply) -> list[object]:
        rows = self.rows_in(reply, "Error Message", "message", "error")
        if not isinstance(rows, list):
            raise TypeError("neither a list nor an error")
        return rows

    def _listings(self, reply: Reply) -> list[Listing]:
        rows = self._rows(reply)
        names = [as_text(mapping(row).get("name")) or as_text(mapping(row).get("companyName")) for row in rows]
        tickers = [parse_ticker(as_text(mapping(row).get("symbol"))) for row in rows]
        if rows and not any(tickers):
            raise ValueError("companies without a symbol")
        return [Listing(ticker=ticker, name=name) for ticker, name in zip(tickers, names, strict=True) if ticker]

    def parse(self, reply: Reply) -> list[Hit]:
        return self.hits(self._rows(reply), lambda item: self._hit(mapping(item), reply))

    def _hit(self, item: Fields, reply: Reply) -> Hit:
        url = item.get("url")
        # Older press releases have their text but no address.
        known = as_text(item.get("symbol")) if as_text(item.get("text")) and "url" not in item else ""
        return Hit(
            url=_page(known) if known else web_url(url),
            title=as_text(item.get("title")),
            snippet=as_text(item.get("text")),
            published=_published(item, reply),
            publisher=first_text(item.get("publisher"), item.get("site")) or None,
            details=present(tickers=[as_text(item.get("symbol"))] if item.get("symbol") else []),
        )


class FmpPressReleases(Fmp):
    """Companies' own announcements, by ticker."""

    spec = _SPEC.model_copy(update={"name": "fmp_press_releases", "title": "FMP press releases"})
    paths = ("stable/news/press-releases?symbols=", "api/v3/press-releases/")
    together = False

    def _hit(self, item: Fields, reply: Reply) -> Hit:
        hit = super()._hit(item, reply)
        return hit.model_copy(update={"details": hit.details | {"press_release": True}})


class FmpGrades(Fmp):
    """Analysts' present and previous grades of a company, by ticker."""

    spec = _SPEC.model_copy(update={"name": "fmp_grades", "title": "FMP analysts' grades", "filters_time": False})
    paths = ("stable/grades-news?symbol=", "stable/grades?symbol=", "api/v4/upgrades-downgrades?symbol=")
    together = False

    def _parameters(self, query: Query) -> dict[str, object]:
        return {"limit": count(query, 100), "apikey": self.access.key}

    def _hit(self, item: Fields, reply: Reply) -> Hit:
        symbol, firm = as_text(item.get("symbol")), as_text(item.get("gradingCompany"))
        grade, before = as_text(item.get("newGrade")), as_text(item.get("previousGrade"))
        if not symbol or not (grade or before):
            raise ValueError("a grade without a ticker, or no grade")
        when = _published(item, reply)
        stated = f"{symbol}: {firm or 'an analyst'} {as_text(item.get('action')) or 'says'} {grade or before}"
        figure = Figure(
            subject=symbol, name="grade", text=grade or None, previous_text=before or None, by=firm or None, at=when
        )
        return Hit(
            url=web_url(item["newsURL"]) if item.get("newsURL") else _page(symbol),
            title=as_text(item.get("newsTitle")) or stated,
            snippet=f"{stated}{f' (before: {before})' if before and before != grade else ''}",
            published=when,
            publisher=as_text(item.get("newsPublisher")) or None,
            details=present(tickers=[symbol], action=as_text(item.get("action"))),
            figures=(figure,),
        )


class FmpQuote(Fmp):
    """Quotes of shares, by ticker: leads with figures, not evidence."""

    spec = _SPEC.model_copy(update={"name": "fmp_quote", "title": "FMP quotes", "filters_time": False})
    paths = ("stable/quote?symbol=", "api/v3/quote/")
    together = False

    def _parameters(self, query: Query) -> dict[str, object]:
        return {"apikey": self.access.key}

    def _hit(self, item: Fields, reply: Reply) -> Hit:
        symbol, price, name = as_text(item.get("symbol")), number(item.get("price")), as_text(item.get("name"))
        if not symbol or price is None:
            raise ValueError("a quote without a ticker or price")
        when, exchange = dated(item, "timestamp", now=reply.at), as_text(item.get("exchange")) or None
        known = {"url": _page(symbol), "publisher": "Financial Modeling Prep"}
        title = f"{name} ({symbol}): {price:g}" if name else f"{symbol}: {price:g}"
        return quote_hit(symbol, item, when, by=exchange, title=title, **known)


def _published(item: Fields, reply: Reply) -> Published | None:
    times = {name: eastern(item.get(name)) for name in ("publishedDate", "date")}
    return dated(times, *times, now=reply.at)


def _page(symbol: str) -> str:
    return f"{_HOST}financial-summary/{quote(symbol, safe='')}"
