"""filings.xbrl.org: figures of annual reports filed in the European Single Electronic Format and its like, by XBRL
International. The company is found at GLEIF, its filings by LEI. No key.

The index is read in the form of its recorded replies (lsalmela/xbrl-filings-api), the reports in that of xBRL-JSON 1.0.
"""

from __future__ import annotations

from collections.abc import Generator
from datetime import date, timedelta
from typing import Any
from urllib.parse import urljoin

from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import address
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import as_text, dated, dig, listed, mapping, number, web_url
from inquest.kit.rows import Asked, LegalEntity, ask_for_entities, asked_of, entities_in, in_order, period_end, row_hit
from inquest.text.units import filed_as

_SITE = "https://filings.xbrl.org/"
_WHOLE = {"concept", "entity", "period", "unit", "language"}
"""Dimensions of a figure of the whole company; with any other it is one of a part."""
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
        from_recordings=False,
    )

    def request(self, query: Query) -> Request:
        return ask_for_entities(asked_of(query).company)

    def search(self, query: Query) -> Generator[Request, Reply, list[Hit]]:
        asked, found = asked_of(query), list[Hit]()
        reply = yield ask_for_entities(asked.company)
        for entity in self.parsed(reply, lambda reply: entities_in(reply, asked.company))[:_MOST_COMPANIES]:
            given = {"filter[entity.identifier]": entity.lei, "sort": "-period_end", "page[size]": 50}
            reply = yield Request(url=address(f"{_SITE}api/filings", given))
            for filing in self.parsed(reply, lambda reply: _reports(reply, asked)):
                reply = yield Request(url=urljoin(_SITE, as_text(filing["json_url"])))
                found += self.parsed(reply, lambda reply: self._rows(reply, entity, filing, asked))  # noqa: B023
        return in_order(found, query.limit)

    def parse(self, reply: Reply) -> list[Hit]:
        asked = asked_of(Query(text=""))
        entities, filings = entities_in(reply, ""), _reports(reply, asked)
        return [hit for each in entities for filing in filings for hit in self._rows(reply, each, filing, asked)]

    def _rows(self, reply: Reply, entity: LegalEntity, filing: dict[str, Any], asked: Asked) -> list[Hit]:
        facts = reply.json()["facts"]
        concepts = {name: as_text(dig(fact, "dimensions", "concept")) for name, fact in facts.items()}
        if facts and not any(concepts.values()):
            raise ValueError("facts without concepts")
        wanted = [name for name, concept in concepts.items() if concept.rpartition(":")[2] in asked.concepts]
        found = self.hits(wanted, lambda name, rank: self._row((name, facts[name]), reply, entity, filing, rank))
        # A figure stands in the statement and again in the notes.
        once = {str(hit.details["fields"]): hit for hit in found if asked.meets(period_end(hit))}
        return list(once.values())

    def _row(
        self, named: tuple[str, Any], reply: Reply, entity: LegalEntity, filing: dict[str, Any], rank: int
    ) -> Hit | None:
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
        return row_hit(self, reply, rank, url=url, fields=fields, dated=dated(filing, "date_added", now=reply.at))


def _reports(reply: Reply, asked: Asked) -> list[dict[str, Any]]:
    """The filings whose figures are wanted, newest first: of a period's versions and languages one with the fewest
    errors, and of these the one that was added and processed last."""
    filings = [mapping(dig(item, "attributes")) for item in listed(reply.json()["data"])]
    read = [each for each in filings if as_text(each.get("json_url")) and as_text(each.get("period_end"))]
    read.sort(key=_preference)
    newest = {as_text(each["period_end"]): each for each in read}
    kept = [each for ends, each in sorted(newest.items(), reverse=True) if asked.meets(ends)]
    return kept[: _MOST_REPORTS if asked.years else 1]


def _preference(filing: dict[str, Any]) -> tuple[float, str, str]:
    # The service has processed all old filings again, in no order of their versions.
    errors = number(filing.get("error_count")) or 0
    return (-errors, as_text(filing.get("date_added")), as_text(filing.get("processed")))


def _period(written: str) -> str:
    """'2022-01-01T00:00:00/2023-01-01T00:00:00' -> '2022-01-01/2022-12-31': midnight ends the day before."""
    begins, _, ends = written.rpartition("/")
    last = date.fromisoformat(ends[:10])
    last -= timedelta(days=1 if ends[10:] in ("T00:00:00", "T00:00:00Z") else 0)
    return f"{begins[:10]}/{last}" if begins else str(last)
