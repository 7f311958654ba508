"""EOD Historical Data: news, prices and the economic calendar of the world's markets; needs a key, one for all three.

Based on its documentation. Errors are sentences, some with status 200; the price of an unknown ticker is 'NA'.
"""

from __future__ import annotations

import re
from collections.abc import Generator
from urllib.parse import quote

from inquest.domain.search import EngineKind, Figure, Hit, Query
from inquest.kit.dialect import count, day, words
from inquest.kit.engine import Engine, EngineSpec, Limits, ranked
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import Fields, as_text, dated, dig, listing, mapping, number, present, texts, web_url
from inquest.kit.filings import quote_hit
from inquest.sources.economic_releases import country_in, of_event
from inquest.text.regex import regex
from inquest.text.securities import Listing, Ticker, listing_named, parse_ticker, tickers_of

_SPEC = EngineSpec(
    name="eodhd",
    title="EODHD news",
    kinds=(EngineKind.MARKET,),
    key="EODHD_API_KEY",
    homepage="https://eodhd.com/",
    documentation="https://eodhd.com/financial-apis/stock-market-financial-news-api",
    # A call for news counts as five of 1,000 a day: eodhd.com/financial-apis/api-limits. Plans allow more (100,000) or
    # fewer (20) calls; after a refusal the service is not called until midnight UTC. A call is free.
    limits=Limits(per_second=2, per_day=1000, units=5, concurrency=2),
    filters_time=True,
)
_HOST = "https://eodhd.com/"
_MOST_TICKERS = 5
_UNKNOWN = regex(r"(?:ticker|symbol)s? (?:is |was )?not found", re.IGNORECASE)


class Eodhd(Engine):
    """News of companies by ticker, or by subject if the query names no ticker."""

    spec = _SPEC
    refused_in = (("message",), ("error",), ("errors",))

    def request(self, query: Query) -> Request:
        return self._ask(query, self._tickers(query))

    def _tickers(self, query: Query) -> list[str]:
        return [ticker.with_exchange for ticker in tickers_of(query)][:_MOST_TICKERS]

    def _ask(self, query: Query, tickers: list[str]) -> Request:
        subject = {"s": ",".join(tickers)} if tickers else {"t": words(query, limit=60).strip('"').lower()}
        limits = {"from": day(query.since), "to": day(query.until), "limit": count(query, 1000)}
        return self._get("api/news", subject | limits)

    def _get(self, path: str, parameters: Fields) -> Request:
        return self.get(_HOST + path, parameters | {"fmt": "json", "api_token": self.access.key})

    def check(self, reply: Reply) -> None:
        if reply.status == 404 and _UNKNOWN.search(reply.text()[:500]):
            return  # the ticker has no rows
        super().check(reply)

    def _rows(self, reply: Reply) -> list[object]:
        text = reply.text().strip()
        if reply.status == 404 or (len(text) < 200 and text[:1] not in ("{", "[") and _UNKNOWN.search(text)):
            return []
        rows = self.rows_in(reply, "message", "error", "errors")
        if isinstance(rows, dict) and "code" in rows:
            rows = [rows]
        if not isinstance(rows, list):
            raise TypeError("neither a list nor an error")
        return rows

    def parse(self, reply: Reply) -> list[Hit]:
        return self.hits(self._rows(reply), lambda item: self._hit(mapping(item), reply))

    def _hit(self, item: Fields, reply: Reply) -> Hit:
        return Hit(
            url=web_url(item.get("link")),
            title=as_text(item.get("title")),
            snippet=as_text(item.get("content"))[:1000],
            published=dated(item, "date", now=reply.at),
            details=present(
                tickers=texts(listing(item.get("symbols")))[:20],
                tags=texts(listing(item.get("tags")))[:20],
                sentiment=number(dig(item, "sentiment", "polarity")),
            ),
        )


class EodhdQuote(Eodhd):
    """Prices, up to twenty minutes old, by ticker on any exchange: leads with figures, not evidence."""

    spec = _SPEC.model_copy(
        update={
            "name": "eodhd_quote",
            "title": "EODHD prices",
            "documentation": "https://eodhd.com/financial-apis/live-ohlcv-stocks-api",
            "limits": Limits(per_second=2, per_day=1000, counted_with="eodhd", concurrency=2),
            "filters_time": False,
        }
    )

    def _ask(self, query: Query, tickers: list[str]) -> Request:
        if not tickers:
            name = quote(words(query, limit=60).strip('"') or "-", safe="", errors="replace")
            return self._get(f"api/search/{name}", {"limit": 20, "type": "stock"})
        return self._get(f"api/real-time/{quote(tickers[0], safe='.')}", {"s": ",".join(tickers[1:])})

    def search(self, query: Query) -> Generator[Request, Reply, list[Hit]]:
        tickers = self._tickers(query)
        if not tickers:
            company = listing_named(self.parsed((yield self._ask(query, [])), self._listings), query.text)
            if not company or not company.ticker:
                return []
            tickers = [company.ticker.with_exchange]
        return self.parsed((yield self._ask(query, tickers)), self.parse)[: query.limit]

    def _listings(self, reply: Reply) -> list[Listing]:
        rows = [mapping(row) for row in self._rows(reply)]
        found = [Listing(ticker=ticker, name=as_text(row.get("Name"))) for row in rows if (ticker := _ticker(row))]
        if rows and not found:
            raise ValueError("companies without a ticker")
        return found

    def parse(self, reply: Reply) -> list[Hit]:
        return self.hits(self._rows(reply), lambda item: self._priced(mapping(item), reply))

    def _priced(self, item: Fields, reply: Reply) -> Hit | None:
        code, price = as_text(item.get("code")), number(item.get("close"))
        if not code or "close" not in item:
            raise ValueError("a price without a ticker, or no price")
        if price is None:
            return None  # 'NA': no such ticker
        url = f"{_HOST}financial-summary/{quote(code, safe='.')}"
        when = dated(item, "timestamp", now=reply.at)
        return quote_hit(code, item, when, url=url, title=f"{code}: {price:g}", publisher="EODHD")


def _ticker(row: Fields) -> Ticker | None:
    code, exchange = as_text(row.get("Code")), as_text(row.get("Exchange"))
    return parse_ticker(as_text(row.get("code")) or f"{code}.{exchange}")


class EodhdCalendar(Eodhd):
    """Past and future releases of statistics by country, with expected and actual figures."""

    spec = _SPEC.model_copy(
        update={
            "name": "eodhd_calendar",
            "title": "EODHD economic calendar",
            "documentation": "https://eodhd.com/financial-apis/economic-events-data-api",
            "limits": Limits(per_second=2, per_day=1000, counted_with="eodhd", concurrency=2),
        }
    )

    def _ask(self, query: Query, tickers: list[str]) -> Request:
        between = {"from": day(query.since), "to": day(query.until)}
        # The service does not search words: the query's event is found among the results.
        return self._get("api/economic-events", between | {"country": country_in(query.text), "limit": 1000})

    def search(self, query: Query) -> Generator[Request, Reply, list[Hit]]:
        found = self.parsed((yield self._ask(query, [])), self.parse)
        named = [hit for hit in found if of_event(hit.title, query.text)] or found
        return ranked(named[: query.limit])

    def _hit(self, item: Fields, reply: Reply) -> Hit:
        event, country = as_text(item.get("type")), as_text(item.get("country"))
        compared, period = as_text(item.get("comparison")), as_text(item.get("period"))
        when = dated(item, "date", now=reply.at)
        if not event or not country:
            raise ValueError("an event without a name or country")
        figure = Figure(
            subject=country,
            name=f"{event} ({compared})" if compared else event,
            value=number(item.get("actual")),
            previous=number(item.get("previous")),
            forecast=number(item.get("estimate")),
            period=period or None,
            at=when,
        )
        stated = {"actual": figure.value, "expected": figure.forecast, "before": figure.previous}
        marks = "-".join(part for part in (country, event, compared, period, when.iso if when else "") if part)
        return Hit(
            # The calendar is one page; the fragment distinguishes its entries.
            url=f"{_HOST}financial-apis/economic-events-data-api#{quote(marks.replace(' ', '-'), safe='-:')}",
            title=f"{country}: {figure.name}{f', {period}' if period else ''}",
            snippet="; ".join(f"{name} {value:g}" for name, value in stated.items() if value is not None),
            published=when,
            publisher="EODHD",
            details=present(country=country),
            figures=(figure,),
        )
