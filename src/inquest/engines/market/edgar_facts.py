"""EDGAR's figures: companies' accounts in XBRL, each figure with its filing. No key.

Based on the description of the service.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import NamedTuple

from inquest.domain.search import EngineKind, Figure, Filing, Hit, Query
from inquest.domain.value import grouped
from inquest.kit.engine import EngineSpec, in_time, ranked
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import Fields, as_text, dated, number
from inquest.kit.filings import SEC_DOCUMENTATION, SEC_LIMITS, SecEngine
from inquest.text.securities import accession_of, cik_of
from inquest.text.sentences import content_words

COMPANY_FACTS = "https://data.sec.gov/api/xbrl/companyfacts/CIK{cik}.json"
_MOST_FIGURES = 40

# The usual key figures of accounts, by their names in the taxonomies us-gaap and ifrs-full.
_USUAL = frozenset(
    (
        "Revenues RevenueFromContractWithCustomerExcludingAssessedTax SalesRevenueNet Revenue GrossProfit "
        "OperatingIncomeLoss ProfitLossFromOperatingActivities NetIncomeLoss ProfitLoss EarningsPerShareBasic "
        "EarningsPerShareDiluted BasicEarningsLossPerShare DilutedEarningsLossPerShare Assets Liabilities "
        "StockholdersEquity Equity CashAndCashEquivalentsAtCarryingValue CashAndCashEquivalents LongTermDebt "
        "NetCashProvidedByUsedInOperatingActivities CashFlowsFromUsedInOperatingActivities "
        "ResearchAndDevelopmentExpense PaymentsOfDividends EntityCommonStockSharesOutstanding"
    ).split()
)


class Fact(NamedTuple):
    """A figure in a filing."""

    concept: str
    """The concept with its taxonomy: us-gaap:Revenues."""
    label: str
    unit: str
    row: Fields
    accession: str
    end: str


class EdgarFacts(SecEngine):
    """The figures of a company's accounts, by filing, newest first."""

    spec = EngineSpec(
        name="edgar_facts",
        title="SEC EDGAR company facts",
        kinds=(EngineKind.MARKET,),
        homepage="https://www.sec.gov/edgar/search/",
        documentation=SEC_DOCUMENTATION,
        limits=SEC_LIMITS,
    )

    def search(self, query: Query) -> Generator[Request, Reply, list[Hit]]:
        found = yield from self.of_companies(query, COMPANY_FACTS, lambda reply: self._filings(reply, query.text))
        kept = [hit for hit in found if in_time(hit, query.since, query.until)]
        return ranked(kept[: query.limit])

    def parse(self, reply: Reply) -> list[Hit]:
        return self._filings(reply, "")

    def _filings(self, reply: Reply, text: str) -> list[Hit]:
        data = reply.json()
        cik, name = cik_of(data.get("cik")), as_text(data.get("entityName"))
        by_filing = grouped((fact.accession, fact) for fact in facts_in(data["facts"], text))
        # Filings are ordered by their figures' latest day of filing.
        newest = sorted(by_filing.values(), key=lambda facts: max(as_text(fact.row.get("filed")) for fact in facts))
        return self.hits(newest[::-1], lambda facts: self._filing(facts, cik, name, reply))

    def _filing(self, facts: list[Fact], cik: str | None, name: str, reply: Reply) -> Hit:
        if not cik:
            raise ValueError("figures without a company")
        row, end = facts[0].row, max(fact.end for fact in facts)
        filed = dated(row, "filed", now=reply.at)
        filing = Filing(
            form=as_text(row.get("form")),
            id=facts[0].accession,
            filer=name or None,
            filer_id=cik,
            filed=filed,
            period=as_text(end) or None,
        )
        figures = [
            Figure(
                subject=name or cik,
                name=as_text(fact.concept),
                value=value,
                unit=as_text(fact.unit) or None,
                period="/".join(part for part in (as_text(fact.row.get("start")), as_text(fact.end)) if part) or None,
                at=filed,
            )
            for fact in facts
            if (value := number(fact.row.get("val"))) is not None
        ]
        if not figures:
            raise ValueError("a filing without a readable figure")
        text = (f"{as_text(fact.label)} {number(fact.row.get('val')):,.10g} {as_text(fact.unit)}" for fact in facts[:6])
        hit = self.hit(filing)
        snippet = "; ".join([*text, hit.snippet])
        return hit.model_copy(update={"snippet": snippet, "figures": tuple(figures[:_MOST_FIGURES])})


def facts_in(facts: Fields, text: str = "", *, concepts: frozenset[str] = _USUAL) -> list[Fact]:
    """Return the figures of the concepts whose labels occur in the text, else of `concepts`. A filing's earlier periods
    of a concept, given for comparison, are left out. Raises TypeError or ValueError if no figure can be read."""
    filed = [
        (f"{taxonomy}:{name}", label if isinstance(label := concept.get("label"), str) else name, concept)
        for taxonomy, inner in facts.items()
        for name, concept in inner.items()
        if isinstance(concept, dict)
    ]
    words = set(content_words(text))
    named = [each for each in filed if words and (label := set(content_words(each[1]))) and words >= label]
    chosen = named or [each for each in filed if each[0].partition(":")[2] in concepts]
    found: dict[tuple[str, str, str], list[Fact]] = {}
    malformed = 0
    for fact in (fact for each in chosen for fact in _facts(*each)):
        if fact is None:
            malformed += 1
            continue
        kept = found.setdefault((fact.accession, fact.concept, fact.unit), [])
        if not kept or fact.end == kept[0].end:
            kept.append(fact)
        elif fact.end > kept[0].end:
            kept[:] = [fact]
    if malformed and not found:
        raise ValueError("none of the figures could be read")
    return [fact for kept in found.values() for fact in kept]


def _facts(concept: str, label: str, reported: Fields) -> Iterator[Fact | None]:
    for unit, rows in reported["units"].items():
        for row in rows if isinstance(rows, list) else [None]:
            if not isinstance(row, dict):
                yield None
                continue
            end, accession = row.get("end"), accession_of(row.get("accn"))
            yield Fact(concept, label, unit, row, accession, end) if accession and isinstance(end, str) else None
