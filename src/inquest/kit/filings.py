"""The common part of the engines of the SEC, and of quotes: limits, refusals, names of companies, hits of filings."""

from __future__ import annotations

import re
from abc import ABC
from collections.abc import Callable, Generator, Sequence

from inquest.domain.errors import EngineError, EngineKeyRefused, EngineQuota
from inquest.domain.search import Figure, Filing, Hit, Query
from inquest.domain.value import Published, firsts
from inquest.kit.engine import Engine, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import Fields, as_text, dig, listing, mapping, number, present
from inquest.text.regex import regex
from inquest.text.securities import (
    Listing,
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
"""Ten requests a second per address, for all programs: sec.gov/about/webmaster-frequently-asked-questions."""

SUBMISSIONS = "https://data.sec.gov/submissions/CIK{cik}.json"
"""The address of a company's newest filings, each with the name of its main document."""
_COMPANIES = "https://www.sec.gov/files/company_tickers.json"
_MOST_COMPANIES = 3
_RATE = regex(r"rate threshold|rate control|too many requests", re.IGNORECASE)
_AT_HOME = (None, "US")


class SecEngine(Engine, ABC):
    """An engine of the SEC. It needs no key, but may refuse requests without a contact address in the User-Agent."""

    def ask(self, url: str) -> Request:
        """Build a request with a name and contact address, as the SEC requires."""
        contact = re.sub(r"[^\x21-\x7e]+", " ", self.access.contact or "").strip()
        return Request(url=url, headers=(("User-Agent", f"Inquest {contact}"),) if contact else ())

    def check(self, reply: Reply) -> None:
        if reply.status == 403:
            title = self.spec.title
            if _RATE.search(reply.text()[:20_000]):
                raise EngineQuota(self.name, f"{title} says that its rate limit is used up (403).", retry_after=600)
            advice = "It may be blocking this address." if self.access.contact else "Set INQUEST_CONTACT to an address."
            raise EngineKeyRefused(self.name, f"{title} refused the request (403).", advice=advice)
        super().check(reply)

    def request(self, query: Query) -> Request:
        return self.ask_for_companies()

    def of_companies(
        self, query: Query, address: str, parse: Callable[[Reply], list[Hit]]
    ) -> Generator[Request, Reply, list[Hit]]:
        """Return the hits of the companies of a query, each at the address with its CIK; 404: the SEC has nothing."""
        found: list[Hit] = []
        for company in (yield from self.companies(query)):
            reply = yield self.ask(address.format(cik=company.key))
            if reply.status != 404:
                found += self.parsed(reply, parse)
        return found

    def ask_for_companies(self) -> Request:
        """Request the SEC's list of companies with their tickers and numbers."""
        return self.ask(_COMPANIES)

    def listings(self, reply: Reply) -> list[Listing]:
        """Parse the reply to `ask_for_companies`. Raises as `parsed`."""
        return self.parsed(reply, _known_companies)

    def companies(self, query: Query) -> Generator[Request, Reply, list[Listing]]:
        """Find the companies that the query names by ticker, CIK or name alone. Raises as `parsed`."""
        text, tickers = without_forms(query.text), tickers_of(query)
        numbered = None if tickers else re.fullmatch(r"(?:CIK\s*)?([0-9]{1,10})", text)
        if numbered and (cik := cik_of(numbered[1])):
            return [Listing(ticker=None, key=cik)]
        known = self.listings((yield self.ask_for_companies()))
        found: list[Listing | None]
        if tickers:
            # A symbol of another exchange ('T.TO') may be another company's here.
            by_symbol = {each.ticker.symbol: each for each in reversed(known) if each.ticker}
            found = [by_symbol.get(ticker.symbol) for ticker in tickers if ticker.exchange in _AT_HOME]
        else:
            found = [known[0] if len(known) == 1 else listing_named(known, text)]
        return list(dict.fromkeys(each for each in found if each))[:_MOST_COMPANIES]

    def with_documents(self, hits: list[Hit], cik: str) -> Generator[Request, Reply, list[Hit]]:
        """Replace the addresses of the filings' file lists by those of their main documents, if the company's register
        can be read."""
        try:
            reply = yield self.ask(SUBMISSIONS.format(cik=cik))
            named = self.parsed(reply, _main_documents)
        except EngineError:
            return hits
        return [
            hit.model_copy(update={"url": filing_url(cik, hit.filing.id, named[hit.filing.id])})
            if hit.filing and hit.filing.id in named
            else hit
            for hit in hits
        ]

    def hit(self, filing: Filing, *, url: str = "", document: str = "", about: Sequence[str] = ()) -> Hit:
        """Build the hit of a filing: at `url`, at one of its documents or at the list of its documents."""
        who = filing.filer or f"CIK {filing.filer_id}"
        what = ", ".join(part for part in (form_title(filing.form or "Filing"), *about) if part)
        period = f"for the period to {filing.period}" if filing.period else ""
        return Hit(
            url=url or filing_url(filing.filer_id or "", filing.id, document),
            title=f"{who}: {what}",
            snippet="; ".join(part for part in (*map(item_title, filing.items), period) if part),
            published=filing.filed,
            publisher=filing.filer,
            filing=filing,
        )


def only_names_companies(query: Query) -> bool:
    """Return True if the text consists of tickers and forms, without words to search for."""
    left = without_forms(query.text).upper()
    for ticker in tickers_of(query):
        left = re.sub(rf"(?<!\w)\$?{re.escape(ticker.symbol).replace('-', '.')}(?!\w)", " ", left.replace(r"\-", "-"))
    return not re.search(r"\w", left)


def _known_companies(reply: Reply) -> list[Listing]:
    """Return the companies of `company_tickers.json`, ordered by size, or the one of a reply about a company."""
    data = reply.json()
    rows = [data] if "cik" in data else list(data.values())
    known: list[Listing] = []
    for row in map(mapping, rows):
        ticker = parse_ticker(as_text(row.get("ticker")) or as_text(listing(row.get("tickers"))))
        name = as_text(row.get("title") or row.get("name") or row.get("entityName"))
        if key := cik_of(row.get("cik_str") or row.get("cik")):
            known.append(Listing(ticker=ticker, name=name, key=key))
    if not known:
        raise ValueError("an empty list of companies")
    return known


def _main_documents(reply: Reply) -> dict[str, str]:
    """Map the numbers of a company's filings to the names of their main documents."""
    columns = mapping(dig(reply.json(), "filings", "recent"))
    pairs = zip(listing(columns.get("accessionNumber")), listing(columns.get("primaryDocument")), strict=False)
    return {key: as_text(name) for each, name in pairs if (key := accession_of(each)) and as_text(name)}


_QUOTED = {
    "price": "price", "close": "price", "change": "change", "changePercentage": "change_percent",
    "changesPercentage": "change_percent", "change_p": "change_percent", "previousClose": "previous_close",
    "open": "open", "dayHigh": "day_high", "high": "day_high", "dayLow": "day_low", "low": "day_low",
    "volume": "volume", "marketCap": "market_cap", "yearHigh": "year_high", "yearLow": "year_low",
}  # fmt: skip
"""The fields of FMP's (newer and older) and EODHD's quotes, with the names of our figures."""

_UNITS = {"change_percent": "%", "volume": "shares"}
"""Prices have no unit, as no service names the currency."""


def quote_hit(symbol: str, item: Fields, when: Published | None, *, by: str | None = None, **known: str) -> Hit:
    """Build the hit of a quote from the fields named in `_QUOTED`. `by`: the exchange, if stated; `known`: address,
    title and publisher."""
    read = ((name, number(item.get(field))) for field, name in _QUOTED.items())
    found = firsts((name, value) for name, value in read if value is not None)
    previous = found.get("previous_close")
    figures = tuple(
        Figure(
            subject=symbol,
            name=name,
            value=value,
            unit=_UNITS.get(name),
            previous=previous if name == "price" else None,
            by=by,
            at=when,
        )
        for name, value in found.items()
    )
    snippet = "; ".join(f"{name.replace('_', ' ')} {value:g}" for name, value in found.items())
    details = present(tickers=[symbol])
    return Hit(snippet=snippet, published=when, details=details, figures=figures, **known)
