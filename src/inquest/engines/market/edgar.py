"""EDGAR: filings of companies with the Securities and Exchange Commission of the United States. No key.

`edgar` searches the text of all filings since 2001, `edgar_submissions` lists a company's newest filings. The search is
undocumented; this engine sends the same requests as the search's own page.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence

from inquest.domain.errors import EngineUnavailable
from inquest.domain.search import EngineKind, Filing, Hit, Query
from inquest.kit.dialect import address, day, keywords
from inquest.kit.engine import EngineSpec, in_time, ranked
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import Fields, as_text, dated, dig, listing, mapping, number
from inquest.kit.filings import SEC_DOCUMENTATION, SEC_LIMITS, SUBMISSIONS, SecEngine, only_names_companies
from inquest.text.securities import (
    Listing,
    accession_of,
    cik_of,
    filers_of,
    forms_in,
    items_in,
    parse_ticker,
    tickers_of,
    without_forms,
)

_SPEC = EngineSpec(
    name="edgar",
    title="SEC EDGAR full-text search",
    kinds=(EngineKind.MARKET,),
    homepage="https://www.sec.gov/edgar/search/",
    documentation=SEC_DOCUMENTATION,
    limits=SEC_LIMITS,
    filters_time=True,
)


class Edgar(SecEngine):
    """The text of all filings since 2001, including exhibits."""

    spec = _SPEC

    def request(self, query: Query) -> Request:
        return self._ask(query, ())

    def _ask(self, query: Query, companies: Sequence[Listing]) -> Request:
        text = "" if only_names_companies(query) else without_forms(query.text)
        limited = bool(query.since or query.until)
        parameters = {
            "q": " ".join(keywords(query.model_copy(update={"text": text}), most=8)),
            "forms": ",".join(forms_in(query.text)),
            "ciks": ",".join(company.key for company in companies),
            "dateRange": "custom" if limited else None,
            # The service requires both ends; its index begins in 2001.
            "startdt": (day(query.since) or "2001-01-01") if limited else None,
            "enddt": (day(query.until) or "2099-12-31") if limited else None,
        }
        return self.ask(address("https://efts.sec.gov/LATEST/search-index", parameters))

    def search(self, query: Query) -> Generator[Request, Reply, list[Hit]]:
        companies = (yield from self.companies(query)) if tickers_of(query) else []
        if tickers_of(query) and not companies:
            return []
        reply = yield self._ask(query, companies)
        return self.parsed(reply, self.parse)[: query.limit]

    def parse(self, reply: Reply) -> list[Hit]:
        data = reply.json()
        if "filings" in data or "accessionNumber" in data:
            return self._submissions(data, reply)
        if "hits" not in data:
            raise self.refusal(data.get("message") or data.get("errorMessage") or dig(data, "error", "reason"))
        hits = self.hits(data["hits"]["hits"], lambda item: self._found(item, reply))
        if data.get("timed_out") is True and not hits:
            raise EngineUnavailable(self.name, f"{self.spec.title} ran out of time.")
        return hits

    def _found(self, item: object, reply: Reply) -> Hit:
        fields, kept = mapping(dig(item, "_source")), as_text(dig(item, "_id"))
        filers = filers_of(name for name in listing(fields.get("display_names")) if isinstance(name, str))
        numbers = [*map(cik_of, listing(fields.get("ciks"))), *(each.key or None for each in filers)]
        accession, cik = accession_of(fields.get("adsh")) or accession_of(kept), next(filter(None, numbers), None)
        if not accession or not cik:
            raise ValueError("a filing without a number or filer")
        kind, about = as_text(fields.get("file_type")), as_text(fields.get("file_description"))
        filing = Filing(
            form=as_text(fields.get("form")) or as_text(fields.get("root_forms")) or kind,
            id=accession,
            filer=as_text(filers[0].name) or None if filers else None,
            filer_id=cik,
            tickers=tuple(each.ticker.symbol for each in filers if each.ticker),
            filed=dated(fields, "file_date", now=reply.at),
            period=as_text(fields.get("period_ending")) or None,
            items=items_in(" ".join(as_text(each) for each in listing(fields.get("items")))),
        )
        more = [part for part in dict.fromkeys((kind, about)) if part != filing.form]
        hit = self.hit(filing, document=kept.partition(":")[2], about=more)
        return hit.model_copy(update={"score": number(dig(item, "_score"))})

    def _submissions(self, data: Fields, reply: Reply) -> list[Hit]:
        columns = data["filings"]["recent"] if "filings" in data else data
        number = re.search(r"CIK(\d{10})", reply.url)
        tickers = map(parse_ticker, map(as_text, listing(data.get("tickers"))))
        company = Filing(
            form="",
            id="",
            filer=as_text(data.get("name")) or None,
            filer_id=cik_of(data.get("cik")) or (cik_of(number[1]) if number else None),
            tickers=tuple(ticker.symbol for ticker in tickers if ticker),
        )
        # A table by columns; a shorter column only lacks its own field.
        rows = [
            {name: dig(columns[name], place) for name in columns} for place, _ in enumerate(columns["accessionNumber"])
        ]
        return self.hits(rows, lambda row: self._submitted(row, company, reply))

    def _submitted(self, row: Fields, company: Filing, reply: Reply) -> Hit:
        accession = accession_of(row["accessionNumber"])
        if not accession or not company.filer_id:
            raise ValueError("a filing without a number or filer")
        stated = {
            "form": as_text(row.get("form")),
            "id": accession,
            "filed": dated(row, "filingDate", "acceptanceDateTime", now=reply.at),
            "period": as_text(row.get("reportDate")) or None,
            "items": items_in(as_text(row.get("items"))),
        }
        filing, about = company.model_copy(update=stated), as_text(row.get("primaryDocDescription"))
        return self.hit(
            filing, document=as_text(row.get("primaryDocument")), about=[about] if about != filing.form else []
        )


class EdgarSubmissions(Edgar):
    """The newest filings of a company: a thousand, or those of the last year."""

    spec = _SPEC.model_copy(
        update={"name": "edgar_submissions", "title": "SEC EDGAR submissions", "filters_time": False}
    )

    def request(self, query: Query) -> Request:
        return self.ask_for_companies()

    def search(self, query: Query) -> Generator[Request, Reply, list[Hit]]:
        found = yield from self.of_companies(query, SUBMISSIONS, self.parse)
        forms = forms_in(query.text)
        kept = [hit for hit in found if in_time(hit, query.since, query.until)]
        if forms:
            kept = [hit for hit in kept if hit.filing and hit.filing.form.removesuffix("/A") in forms]
        return ranked(kept[: query.limit])
