"""Rows of registers: the subject of a query, and a row as a hit and as a document."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from inquest.domain.document import Snapshot
from inquest.domain.search import Hit, Query
from inquest.domain.value import JsonObject, Published
from inquest.kit.dialect import address, words
from inquest.kit.engine import Engine, ranked
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import as_text, dig, listed, mapping
from inquest.text.company_names import company_name, isin_of, lei_of
from inquest.text.phrases import numbers_in
from inquest.text.regex import regex
from inquest.text.units import measures, measures_named

ROW_TYPE = "application/vnd.inquest.row+json"
"""The content type of a row: canonical JSON (sorted names, UTF-8, no spaces) with the fields of a document."""
_QUOTED = regex(r'\s*"(?P<company>[^"]+)"(?P<rest>.*)')
_YEAR = regex(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_COUNTRY = regex(r"\bcountry: ([A-Z]{2})\b")
_EARLY = "07"
"""A period that ends before this month also belongs to the year before, as fiscal years are named either way."""


class RegisterQuery(NamedTuple):
    """The subject of a query to a register: `"Norvane Chemicals plc" revenue 2023 country: GB`."""

    company: str
    """Name, LEI or ISIN."""
    concepts: frozenset[str]
    """Those of the measures named, else of all."""
    years: frozenset[str]
    """Empty: the newest year."""
    country: str = ""
    """The code of the company's country, if known."""
    numbers: tuple[str, ...] = ()
    """Figures, years and numbers of projects, which a row may contain."""

    def meets(self, ends: str) -> bool:
        """Return True if a period that ends on this day (2024-03-31) belongs to one of the years."""
        return not self.years or any(in_year(ends, year) for year in self.years)


def in_year(ends: str, year: str) -> bool:
    """Return True if a period that ends on this day may be named after the year."""
    return ends[:4] == year or (ends[:4] == str(int(year) + 1) and ends[5:7] < _EARLY)


def register_query(query: Query) -> RegisterQuery:
    """Parse a query; a text without quotation marks is a company's name."""
    text = words(query, limit=300)
    found = _QUOTED.match(text)
    company, rest = (found["company"], found["rest"]) if found else (text.replace('"', " "), "")
    meant = measures_named(rest) or tuple(measures().values())
    concepts = frozenset(concept for each in meant for concept in each.concepts)
    country = _COUNTRY.search(rest)
    return RegisterQuery(
        " ".join(company.split()),
        concepts,
        frozenset(_YEAR.findall(rest)),
        country[1] if country else "",
        numbers_in(rest),
    )


def row_hit(
    engine: Engine, reply: Reply, *, url: str, fields: Mapping[str, tuple[str, str]], dated: Published | None
) -> Hit:
    """Build the hit of a row. `fields`: header and value by meaning, the company first. Raises ValueError without a
    company."""
    plain = {meaning: (head, as_text(value)) for meaning, (head, value) in fields.items()}
    written = {meaning: f"{head}: {value}" for meaning, (head, value) in plain.items() if value}
    if next(iter(fields)) not in written:
        raise ValueError("a row without a company")
    named = [value for head, value in plain.values() if value]
    return Hit(
        url=url,
        title=f"{engine.spec.title}: {', '.join(named[:4])}",
        snippet="; ".join(written.values())[:300],
        published=dated,
        publisher=engine.spec.title,
        details={
            "registry": engine.name,
            "fields": {**written},
            "table": _hash(reply.body),
            "attribution": engine.spec.terms,
        },
    )


def value_in(hit: Hit, meaning: str) -> str:
    """Return the value in a column of a row, or ''."""
    return as_text(mapping(hit.details["fields"]).get(meaning)).partition(": ")[2]


def in_order(hits: Iterable[Hit], limit: int) -> list[Hit]:
    """Rank the first hits, each address once."""
    return ranked(list({hit.url: hit for hit in hits}.values())[: max(limit, 0)])


def archived_row(hit: Hit, replies: Sequence[Reply], terms: str) -> list[tuple[bytes, Snapshot]]:
    """Return the reply that contained a row, or else the last reply, and the row as a document."""
    reply = next((each for each in replies if _hash(each.body) == hit.details.get("table")), replies[-1])
    source = _snapshot(reply.body, reply.url, reply.content_type, hit.engine, reply.at)
    text = "; ".join(map(str, mapping(hit.details["fields"]).values()))
    record: JsonObject = {
        "url": hit.url,
        "title": hit.title,
        "text": text,
        "publisher": hit.publisher,
        "language": "en",
        "date": hit.published.iso if hit.published else "",
        "table": source.hash,
        "attribution": terms,
        "retrieved_at": reply.at.isoformat(),
    }
    parent = f"{hit.publisher or hit.engine}, {reply.at.date()}"
    return [(reply.body, source), row_document(record, hit.engine, reply.at, parent=parent)]


def row_document(record: JsonObject, register: str, at: datetime, *, parent: str) -> tuple[bytes, Snapshot]:
    """Return the archived form of a row: its bytes and their snapshot."""
    body = json.dumps(record, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    return body, _snapshot(body, str(record["url"]), ROW_TYPE, register, at, parent)


def _snapshot(body: bytes, url: str, content_type: str, register: str, at: datetime, parent: str = "") -> Snapshot:
    return Snapshot(
        hash=_hash(body),
        url=url,
        final_url=url,
        content_type=content_type,
        retrieved_at=at,
        size=len(body),
        provenance=f"registry {register}",
        parent=parent,
    )


def _hash(body: bytes) -> str:
    return f"sha256:{hashlib.sha256(body).hexdigest()}"


class LegalEntity(NamedTuple):
    """A company in the index of Legal Entity Identifiers."""

    lei: str
    name: str
    others: tuple[tuple[str, str], ...]
    """Other and former names, each with its type: PREVIOUS_LEGAL_NAME."""
    successors: tuple[tuple[str, str], ...]
    """The names and LEIs of the entities that took it over or replaced it."""
    attributes: dict[str, object]

    @property
    def former(self) -> tuple[str, ...]:
        """Its former legal names."""
        return tuple(name for name, kind in self.others if kind == "PREVIOUS_LEGAL_NAME")

    @property
    def successor(self) -> str:
        """The LEI of its only successor; '' for an active entity."""
        leis = {lei for _, lei in self.successors}
        return leis.pop() if len(leis) == 1 and dig(self.attributes, "entity", "status") != "ACTIVE" else ""

    @property
    def countries(self) -> frozenset[str]:
        """The codes of the countries of its jurisdiction ('US' for 'US-DE'), seat and head office."""
        legal = self.attributes.get("entity")
        offices = [dig(legal, f"{each}Address", "country") for each in ("legal", "headquarters")]
        places = [dig(legal, "jurisdiction"), *offices]
        return frozenset(as_text(each)[:2].upper() for each in places if as_text(each))


def ask_for_entities(company: str) -> Request:
    """Request GLEIF's records of a name (in any spelling, or former), an LEI or an ISIN."""
    code = company.strip().upper()
    by = "lei" if re.fullmatch(r"[0-9A-Z]{18}[0-9]{2}", code) else "isin" if isin_of(code) else "entity.names"
    parameters = {f"filter[{by}]": company if by == "entity.names" else code, "page[size]": 20}
    return Request(url=address("https://api.gleif.org/api/v1/lei-records", parameters), service="gleif")


def entities_in(reply: Reply, company: str, country: str = "") -> list[LegalEntity]:
    """Return the records of a company's LEI, ISIN or name in any spelling, but not of similar names; all for ''. A
    record of another country than that of the company is left out. Raises ValueError if there are records and none can
    be read."""
    items = listed(reply.json()["data"])
    read = [each for item in items if (each := _entity(mapping(dig(item, "attributes")))) is not None]
    if items and not read:
        raise ValueError("none of the records could be read")
    meant, exact = company_name(company), not company or bool(lei_of(company) or isin_of(company))
    here = [each for each in read if not country or not each.countries or country in each.countries]
    names = {each.lei: (each.name, *(other for other, _ in each.others)) for each in here}
    return [each for each in here if exact or any(meant.is_of(company_name(name)) for name in names[each.lei])]


def _entity(attributes: dict[str, object]) -> LegalEntity | None:
    lei, name = lei_of(as_text(attributes.get("lei"))), as_text(dig(attributes, "entity", "legalName", "name"))
    others = [
        (as_text(dig(each, "name")), as_text(dig(each, "type")))
        for kind in ("otherNames", "transliteratedOtherNames")
        for each in dig(attributes, "entity", kind) or ()
        if as_text(dig(each, "name"))
    ]
    given = (dig(attributes, "entity", "successorEntity"), *(dig(attributes, "entity", "successorEntities") or ()))
    after = ((as_text(dig(each, "name")), lei_of(as_text(dig(each, "lei")))) for each in given)
    successors = tuple(dict.fromkeys(each for each in after if any(each)))
    return LegalEntity(lei, name, tuple(others), successors, attributes) if lei and name else None


def joined(hit: Hit, entity: LegalEntity) -> Hit:
    """Return a company's row with the other name under which the row lists the company, according to the company's
    record."""
    names = [company_name(as_text(each).partition(": ")[2]) for each in mapping(hit.details["fields"]).values()]
    former = next((each for each in entity.former if any(name.is_of(company_name(each)) for name in names)), "")
    known: JsonObject = {"name": former or entity.name, "lei": entity.lei, "former": bool(former)}
    return _marked(hit, registered_as=known)


def unsure(hit: Hit, asked: str) -> Hit:
    """Return a row that may belong to a different company than the one asked for, marked as such."""
    return _marked(hit, unsure={"name": as_text(hit.details["unsure"]), "of": asked})


def of_successor(hit: Hit, successor: LegalEntity, ended: LegalEntity) -> Hit:
    """Return a row of the successor of a company that no longer exists, marked as such: it is not a row of that
    company."""
    known: JsonObject = {"name": successor.name, "lei": successor.lei, "of": ended.name}
    return _marked(hit.model_copy(update={"title": f"{hit.title} (successor of {ended.name})"}), successor=known)


def _marked(hit: Hit, **marks: JsonObject) -> Hit:
    return hit.model_copy(update={"details": {**hit.details, **marks}})
