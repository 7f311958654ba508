"""What the engines of the Securities and Exchange Commission share: limits, refusals, names of
companies, and a filing as a hit."""

from __future__ import annotations

import re
from abc import ABC
from collections.abc import Generator, Mapping, Sequence
from typing import Any

from inquest.domain.errors import EngineError, EngineKeyRefused, EngineQuota
from inquest.domain.leads import Figure, Filing
from inquest.domain.search import Hit, Query
from inquest.domain.value import Published
from inquest.kit.engine import Engine, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import as_text, dig, listing, mapping
from inquest.text.dates import utc
from inquest.text.regex import regex
from inquest.text.securities import (
    Listing,
    Ticker,
    accession_of,
    cik_of,
    filing_url,
    form_title,
    item_title,
    listing_named,
    parse_ticker,
    tickers_of,
    without_forms,
)

SEC_DOCUMENTATION = "https://www.sec.gov/search-filings/edgar-application-programming-interfaces"
SEC_LIMITS = Limits(per_second=2, concurrency=2)
"""Ten requests a second from one address for all that asks: sec.gov/about/webmaster-frequently-asked-questions."""

_SUBMISSIONS = "https://data.sec.gov/submissions/CIK{cik}.json"
_COMPANIES = "https://www.sec.gov/files/company_tickers.json"
_MOST_COMPANIES = 3
_RATE = regex(r"rate threshold|rate control|too many requests", re.IGNORECASE)
_AT_HOME = (None, "US")


class SecEngine(Engine, ABC):
    """An engine of the SEC. It needs no key, but a contact address in the User-Agent, or it may refuse."""

    def ask(self, url: str) -> Request:
        """A request that says who asks, as the SEC wants it: a name and an address."""
        contact = re.sub(r"[^\x21-\x7e]+", " ", self.access.contact or "").strip()
        return Request(url=url, headers=(("User-Agent", f"Inquest {contact}"),) if contact else ())

    def check(self, reply: Reply) -> None:
        if reply.status == 403:
            title = self.spec.title
            if _RATE.search(reply.text()[:20_000]):
                raise EngineQuota(self.name, f"{title} says that its rate is used up (403).", retry_after=600)
            advice = "It may be blocking this address." if self.access.contact else "Set INQUEST_CONTACT to an address."
            raise EngineKeyRefused(self.name, f"{title} refused the request (403).", advice=advice)
        super().check(reply)

    def ask_for_companies(self) -> Request:
        """The SEC's list of companies with their tickers and numbers."""
        return self.ask(_COMPANIES)

    def listings(self, reply: Reply) -> list[Listing]:
        """The companies of the reply to `ask_for_companies`. Raises what `parsed` raises."""
        return self.parsed(reply, _known_companies)

    def companies(self, query: Query) -> Generator[Request, Reply, list[Listing]]:
        """The companies that the query names: by ticker, by CIK, or with nothing but a name. [] if absent.
        Raises what `parsed` raises where the list of companies cannot be had."""
        asked, tickers = without_forms(query.text), tickers_of(query)
        numbered = None if tickers else re.fullmatch(r"(?:CIK\s*)?([0-9]{1,10})", asked)
        if numbered and (cik := cik_of(numbered[1])):
            return [Listing(ticker=None, key=cik)]
        known = self.listings((yield self.ask_for_companies()))
        found: list[Listing | None]
        if tickers:
            # 'T.TO' is not 'T': a listing elsewhere may be another company's symbol here.
            by_symbol = {each.ticker.symbol: each for each in reversed(known) if each.ticker}
            found = [by_symbol.get(ticker.symbol) for ticker in tickers if ticker.exchange in _AT_HOME]
        else:
            found = [known[0] if len(known) == 1 else listing_named(known, asked)]
        return list(dict.fromkeys(each for each in found if each))[:_MOST_COMPANIES]

    def with_documents(self, hits: list[Hit], cik: str) -> Generator[Request, Reply, list[Hit]]:
        """The hits with the addresses of the filings' main documents, in place of the lists of their files, which say
        nothing. Where the register of the company cannot be had, they stay as they are."""
        try:
            reply = yield self.ask(submissions_url(cik))
            named = self.parsed(reply, _main_documents)
        except EngineError:
            return hits
        return [
            hit.model_copy(update={"url": filing_url(cik, hit.filing.id, named[hit.filing.id])})
            if hit.filing and hit.filing.id in named
            else hit
            for hit in hits
        ]

    def hit(self, filing: Filing, rank: int, *, url: str = "", document: str = "", about: Sequence[str] = ()) -> Hit:
        """A filing as a lead: to one of its documents, to `url`, or else to the list of its documents."""
        who = filing.filer or f"CIK {filing.filer_id}"
        what = ", ".join(part for part in (form_title(filing.form or "Filing"), *about) if part)
        period = f"for the period to {filing.period}" if filing.period else ""
        return Hit(
            url=url or filing_url(filing.filer_id or "", filing.id, document),
            title=f"{who}: {what}",
            snippet="; ".join(part for part in (*map(item_title, filing.items), period) if part),
            engine=self.name,
            rank=rank,
            published=filing.filed,
            publisher=filing.filer,
            filing=filing,
        )


def submissions_url(cik: str) -> str:
    """Where the newest filings of a company are listed, each with the name of its main document."""
    return _SUBMISSIONS.format(cik=cik)


def only_names_companies(query: Query) -> bool:
    """Whether the text says nothing but tickers and forms, so that there are no words to look for."""
    left = without_forms(query.text).upper()
    for ticker in tickers_of(query):
        left = re.sub(rf"(?<!\w)\$?{re.escape(ticker.symbol).replace('-', '.')}(?!\w)", " ", left.replace(r"\-", "-"))
    return not re.search(r"\w", left)


def within(hit: Hit, query: Query) -> bool:
    """Whether the hit may have been published in the time that the query asks for."""
    if hit.published is None:
        return True
    after = query.since is None or utc(hit.published.latest) >= utc(query.since)
    return after and (query.until is None or utc(hit.published.at) <= utc(query.until))


def _known_companies(reply: Reply) -> list[Listing]:
    """The companies of `company_tickers.json`, which come by size; a reply about one company names that one."""
    data = reply.json()
    rows = [data] if "cik" in data else list(data.values())
    known = [_listing(mapping(row)) for row in rows]
    if not any(each.key for each in known):
        raise ValueError("a list of companies without any")
    return [each for each in known if each.key]


def _listing(row: dict[str, Any]) -> Listing:
    name = row.get("title") or row.get("name") or row.get("entityName")
    written = as_text(row.get("ticker")) or as_text(listing(row.get("tickers")))
    ticker: Ticker | None = parse_ticker(written)
    return Listing(ticker=ticker, name=as_text(name), key=cik_of(row.get("cik_str") or row.get("cik")) or "")


def _main_documents(reply: Reply) -> dict[str, str]:
    """By the filing's number, the name of its main document, from the register of a company."""
    columns = mapping(dig(reply.json(), "filings", "recent"))
    pairs = zip(listing(columns.get("accessionNumber")), listing(columns.get("primaryDocument")), strict=False)
    return {number: as_text(name) for each, name in pairs if (number := accession_of(each)) and as_text(name)}


QUOTED = {
    "price": "price", "close": "price", "change": "change", "changePercentage": "change_percent",
    "changesPercentage": "change_percent", "change_p": "change_percent", "previousClose": "previous_close",
    "open": "open", "dayHigh": "day_high", "high": "day_high", "dayLow": "day_low", "low": "day_low",
    "volume": "volume", "marketCap": "market_cap", "yearHigh": "year_high", "yearLow": "year_low",
}  # fmt: skip
"""The fields of FMP's (newer and older) and EODHD's quotes, to the names that figures have here."""

_UNITS = {"change_percent": "%", "volume": "shares"}
"""Of prices no service says the currency."""


def quote_figures(
    symbol: str, values: Mapping[str, float | None], by: str | None, at: Published | None
) -> tuple[Figure, ...]:
    """The figures of a quote, by the services' names of their fields, those that have no value left out. `values`: of
    the fields in `QUOTED`; `by`: the exchange, where it is stated."""
    found: dict[str, float] = {}
    for field, name in QUOTED.items():
        value = values.get(field)
        if value is not None:
            found.setdefault(name, value)
    previous = found.get("previous_close")
    return tuple(
        Figure(
            subject=symbol,
            name=name,
            value=value,
            unit=_UNITS.get(name),
            previous=previous if name == "price" else None,
            by=by,
            at=at,
        )
        for name, value in found.items()
    )
