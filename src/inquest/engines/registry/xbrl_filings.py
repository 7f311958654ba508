"""filings.xbrl.org: figures of annual reports filed in the European Single Electronic Format and similar formats, by
XBRL International. The company is found at GLEIF, its filings by LEI. No key.

The format of the index is taken from recorded replies (lsalmela/xbrl-filings-api); that of the reports is xBRL-JSON
1.0.
"""

from __future__ import annotations

from collections.abc import Generator
from datetime import date, timedelta
from urllib.parse import urljoin

from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import address
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import Fields, as_text, dated, dig, listed, mapping, number, web_url
from inquest.kit.rows import (
    LegalEntity,
    RegisterQuery,
    ask_for_entities,
    entities_in,
    in_order,
    joined,
    register_query,
    row_hit,
    value_in,
)
from inquest.text.company_names import company_name
from inquest.text.units import filed_as

_SITE = "https://filings.xbrl.org/"
_WHOLE = {"concept", "entity", "period", "unit", "language"}
"""The dimensions of a figure of the whole company; any other makes it a figure of a part."""
_LAST = ("date_added", "processed")
_MOST_COMPANIES, _MOST_REPORTS = 3, 3


class XbrlFilings(Engine):
    """The figures of a company's consolidated accounts, by filing, newest first."""

    spec = EngineSpec(
        name="xbrl_filings",
        title="filings.xbrl.org",
        kinds=(EngineKind.REGISTRY,),
        homepage=_SITE,
        documentation="https://filings.xbrl.org/docs/api",
        limits=Limits(per_second=1, concurrency=2),
        terms="Public filings as indexed by XBRL International, without warranty (filings.xbrl.org/about)",
    )

    def request(self, query: Query) -> Request:
        return ask_for_entities(register_query(query).company)

    def search(self, query: Query) -> Generator[Request, Reply, list[Hit]]:
        subject, found = register_query(query), list[Hit]()
        reply = yield ask_for_entities(subject.company)
        entities = self.parsed(reply, lambda reply: entities_in(reply, subject.company, subject.country))
        for entity in entities[:_MOST_COMPANIES]:
            parameters = {"filter[entity.identifier]": entity.lei, "sort": "-period_end", "page[size]": 50}
            reply = yield self.get(f"{_SITE}api/filings", parameters)
            for filing in self.parsed(reply, lambda reply: _reports(reply, subject)):
                reply = yield Request(url=urljoin(_SITE, as_text(filing["json_url"])))
                rows = self.parsed(reply, lambda reply: self._rows(reply, entity, filing, subject))  # noqa: B023
                named = company_name(entity.name).is_of(company_name(subject.company))
                found += rows if named else [joined(each, entity) for each in rows]
        return in_order(found, query.limit)

    def parse(self, reply: Reply) -> list[Hit]:
        subject = register_query(Query(text=""))
        entities, filings = entities_in(reply, ""), _reports(reply, subject)
        return [hit for each in entities for filing in filings for hit in self._rows(reply, each, filing, subject)]

    def _rows(self, reply: Reply, entity: LegalEntity, filing: Fields, subject: RegisterQuery) -> list[Hit]:
        facts = reply.json()["facts"]
        concepts = {name: as_text(dig(fact, "dimensions", "concept")) for name, fact in facts.items()}
        if facts and not any(concepts.values()):
            raise ValueError("facts without concepts")
        wanted = [name for name, concept in concepts.items() if concept.rpartition(":")[2] in subject.concepts]
        found = self.hits(wanted, lambda name: self._row((name, facts[name]), reply, entity, filing))
        # A figure in a statement is repeated in the notes.
        once = {str(hit.details["fields"]): hit for hit in found if subject.meets(value_in(hit, "period")[-10:])}
        return list(once.values())

    def _row(self, named: tuple[str, object], reply: Reply, entity: LegalEntity, filing: Fields) -> Hit | None:
        name, fact = named
        about = mapping(dig(fact, "dimensions"))
        unit = as_text(about.get("unit")).rpartition(":")[2]
        value, concept = as_text(dig(fact, "value")), as_text(about.get("concept"))
        of_whole = not about.keys() - _WHOLE and as_text(about.get("entity")).rpartition(":")[2] == entity.lei
        if not of_whole or number(value) is None or not unit or "/" in as_text(about.get("unit")):
            return None
        period = _period(as_text(about.get("period")))
        fields = {
            "company": ("company", entity.name),
            "number": ("LEI", entity.lei),
            "measure": ("figure", f"{filed_as(concept)} ({concept})"),
            "value": ("value", f"{value} {unit}"),
            "period": ("period", period),
            "scope": ("scope", "consolidated accounts"),
            "filing": ("filing", as_text(filing.get("fxo_id"))),
        }
        url = address(web_url(urljoin(_SITE, as_text(filing["json_url"]))), {"fact": name})
        return row_hit(self, reply, url=url, fields=fields, dated=dated(filing, "date_added", now=reply.at))


def _reports(reply: Reply, subject: RegisterQuery) -> list[Fields]:
    """Return the filings of the query's years, newest first: for each period the version or language with the fewest
    errors or, among equals, the one added and processed last."""
    filings = [mapping(dig(item, "attributes")) for item in listed(reply.json()["data"])]
    read = [each for each in filings if as_text(each.get("json_url")) and as_text(each.get("period_end"))]
    # The service has reprocessed all old filings, regardless of their versions.
    read.sort(key=lambda each: (-(number(each.get("error_count")) or 0), *map(as_text, map(each.get, _LAST))))
    newest = {as_text(each["period_end"]): each for each in read}
    kept = [each for ends, each in sorted(newest.items(), reverse=True) if subject.meets(ends)]
    return kept[: _MOST_REPORTS if subject.years else 1]


def _period(written: str) -> str:
    """'2022-01-01T00:00:00/2023-01-01T00:00:00' -> '2022-01-01/2022-12-31': midnight ends the day before."""
    begins, _, ends = written.rpartition("/")
    last = date.fromisoformat(ends[:10])
    last -= timedelta(days=1 if ends[10:] in ("T00:00:00", "T00:00:00Z") else 0)
    return f"{begins[:10]}/{last}" if begins else str(last)
