"""EDGAR's feed of the latest filings: 8-K (material events) unless the query names another form. No key.

Based on descriptions of the feed.
"""

from __future__ import annotations

import re
from collections.abc import Generator

from inquest.domain.search import EngineKind, Filing, Hit, Query
from inquest.kit.dialect import address, words
from inquest.kit.engine import EngineSpec, ranked
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import web_url
from inquest.kit.filings import SEC_DOCUMENTATION, SEC_LIMITS, SecEngine
from inquest.text.dates import parse_date
from inquest.text.markup import Element, child_text, children, plain, xml_root
from inquest.text.regex import regex
from inquest.text.securities import accession_of, forms_in, items_in, tickers_of, without_forms

_TITLE = regex(r"(?P<form>.{1,40}?) - (?P<name>.{1,300}?)(?: \((?P<cik>\d{10})\))?(?: \([^()]*\))?")
_COUNTS = (10, 20, 40, 80, 100)
"""The numbers of entries that the feed supports."""


class EdgarCurrent(SecEngine):
    """The filings of the last hours, newest first."""

    spec = EngineSpec(
        name="edgar_current",
        title="SEC EDGAR latest filings",
        kinds=(EngineKind.MARKET,),
        homepage="https://www.sec.gov/cgi-bin/browse-edgar?action=getcurrent",
        documentation=SEC_DOCUMENTATION,
        limits=SEC_LIMITS,
    )

    def request(self, query: Query) -> Request:
        name = words(query.model_copy(update={"text": without_forms(query.text), "exact": False}), limit=60)
        return self._ask(query, company="" if tickers_of(query) else name)

    def _ask(self, query: Query, *, company: str = "", cik: str = "") -> Request:
        parameters = {"action": "getcurrent", "type": (*forms_in(query.text), "8-K")[0], "company": company, "CIK": cik}
        counted = next((number for number in _COUNTS if number >= query.limit), _COUNTS[-1])
        feed = {"owner": "include", "count": counted, "output": "atom"}
        return self.ask(address("https://www.sec.gov/cgi-bin/browse-edgar", parameters | feed))

    def search(self, query: Query) -> Generator[Request, Reply, list[Hit]]:
        if not tickers_of(query):
            return (yield from super().search(query))
        found: list[Hit] = []
        for company in (yield from self.companies(query)):
            hits = self.parsed((yield self._ask(query, cik=company.key)), self.parse)
            own = [hit for hit in hits if hit.filing and hit.filing.filer_id == company.key]
            found += (yield from self.with_documents(own, company.key)) if own else []
        return ranked(found[: query.limit])

    def parse(self, reply: Reply) -> list[Hit]:
        root = xml_root(reply.body)
        if str(root.tag).rpartition("}")[2] != "feed":
            raise ValueError("not an Atom feed")
        hits = self.hits(children(root, "entry"), lambda entry: self._entry(entry, reply))
        # A filing for several companies appears in the feed once for each.
        once = {hit.filing.id: hit for hit in reversed(hits) if hit.filing}
        kept = [hit for hit in hits if hit.filing and once[hit.filing.id] is hit]
        return ranked(kept)

    def _entry(self, entry: Element, reply: Reply) -> Hit:
        url = web_url(children(entry, "link")[0].get("href"))
        title = _TITLE.fullmatch(plain(child_text(entry, "title")))
        summary = plain(child_text(entry, "summary"))
        accession = accession_of(url.rpartition("/")[2]) or accession_of(url) or accession_of(child_text(entry, "id"))
        if not accession or not title:
            raise ValueError("a filing without a number or filer")
        filed = re.search(r"Filed: (\d{4}-\d\d-\d\d)", summary)
        when = parse_date(child_text(entry, "updated"), now=reply.at) or parse_date(filed and filed[1], now=reply.at)
        filing = Filing(
            form=title["form"],
            id=accession,
            filer=title["name"],
            filer_id=title["cik"],
            filed=when,
            items=items_in(" ".join(re.findall(r"Item (\d\.\d\d)", summary))),
        )
        return self.hit(filing, url=url)
