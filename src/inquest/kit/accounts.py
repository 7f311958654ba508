"""Figures of accounts as the SEC gives them: by taxonomy, concept and unit, each with the filing that reports it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from inquest.text.securities import accession_of
from inquest.text.sentences import content_words

# What readers of accounts look at first, by the names of the taxonomies us-gaap and ifrs-full.
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
    """One figure as one filing reports it."""

    concept: str
    """With its taxonomy: us-gaap:Revenues."""
    label: str
    unit: str
    row: dict[str, Any]
    accession: str
    end: str


def facts_in(facts: Any, text: str = "") -> list[Fact]:
    """The figures of the concepts that the text names by their label, or of the usual ones where it names none. Of the
    periods that a filing gives for one concept only the latest is kept: the others are there to compare with, and stand
    in the filings of their own time. Raises TypeError or ValueError where there are figures of which none can be
    read."""
    concepts = [
        (f"{taxonomy}:{name}", name, concept)
        for taxonomy, inner in facts.items()
        for name, concept in inner.items()
        if isinstance(concept, dict)
    ]
    said = set(content_words(text))
    named = [each for each in concepts if said and (label := _label(each[2], each[1])) and said >= label]
    chosen = named or [each for each in concepts if each[1] in _USUAL]
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


def _label(concept: dict[str, Any], name: str) -> set[str]:
    label = concept.get("label")
    return set(content_words(label if isinstance(label, str) else name))


def _facts(concept: str, name: str, given: dict[str, Any]) -> Iterator[Fact | None]:
    label = given.get("label")
    for unit, rows in given["units"].items():
        for row in rows if isinstance(rows, list) else [None]:
            if not isinstance(row, dict):
                yield None
                continue
            end, accession = row.get("end"), accession_of(row.get("accn"))
            shown = label if isinstance(label, str) else name
            yield Fact(concept, shown, unit, row, accession, end) if accession and isinstance(end, str) else None
