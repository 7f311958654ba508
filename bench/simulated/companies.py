"""The world of a check of companies' claims: for each claim the pages of its pattern, and the resulting verdict.

The right verdict of each pattern follows from Inquest's own rules (named in PATTERNS), not from the pipeline's result:
a different verdict is an error of the pipeline, since the simulated model knows the truth.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from bench.simulated.company_claims import COMPANIES, Company, Row
from bench.simulated.worlds import PLACES, Fact, Page, Telling, World, aside

__all__ = ["PATTERNS", "Pattern", "a_company_world"]

_BEGAN = datetime(2024, 1, 8, tzinfo=UTC)


@dataclass(frozen=True)
class Pattern:
    """The evidence on one claim. `pages`: the publisher ('2' a paper of tier 2, ..., 'own' the company's site) and its
    stance ('+', '-', '0': mentions the topic, but says nothing about the claim)."""

    verdict: str
    why: str
    pages: tuple[tuple[str, str], ...]
    contradiction: str = "direct"


PATTERNS = {
    "borne_out": Pattern("verified", "two independent papers of tier 2 bear it out", (("2", "+"), ("2", "+"))),
    "authority": Pattern("verified", "a source of tier 1 carries a side alone", (("1", "+"),)),
    "weak_no": Pattern("verified", "tier 4 never carries a side", (("2", "+"), ("2", "+"), ("4", "-"))),
    "direct": Pattern("contradicted", "two papers of tier 2 say the opposite", (("2", "-"), ("2", "-"))),
    "direct_authority": Pattern("contradicted", "a source of tier 1 says the opposite", (("1", "-"),)),
    "timeline": Pattern("contradicted", "the dates do not fit", (("2", "-"), ("2", "-")), "timeline"),
    "denied": Pattern("contradicted", "a company's denial is its own word", (("2", "-"), ("2", "-"), ("own", "+"))),
    "contextual": Pattern("partially_true", "true in the letter, not in its context", (("2", "-"), ("2", "-")),
                          "contextual"),
    "omission": Pattern("partially_true", "true in the letter, and leaves out what turns it", (("2", "-"), ("2", "-")),
                        "omission"),
    "figure": Pattern("partially_true", "the direction is right, the figure is not", (("2", "-"), ("2", "-"))),
    "half": Pattern("partially_true", "one of two statements is borne out", (("2", "+"), ("2", "+"))),
    "mixed": Pattern("disputed", "independent papers of tier 2 on both sides",
                     (("2", "+"), ("2", "-"), ("2", "+"), ("2", "-"))),
    "silent": Pattern("unverified", "pages speak of the matter and say nothing", (("2", "0"), ("2", "0"), ("3", "0"))),
    "small": Pattern("unverified", "one paper of tier 3 does not carry a side", (("3", "+"),)),
    "copies_yes": Pattern("unverified", "copies of one wire are one witness of tier 3", (("wire", "+"),) * 4),
    "copies_no": Pattern("unverified", "copies of one wire are one witness of tier 3", (("wire", "-"),) * 4),
    "own_word": Pattern("unverified", "only the company says so", (("own", "+"), ("release", "+"))),
    "spokesman": Pattern("unverified", "papers only hand on the company's word", (("said", "+"), ("said", "+"))),
    "gossip": Pattern("unverified", "tier 4 never carries a side", (("4", "-"),) * 3),
}  # fmt: skip
"""In addition to the evidence of its pattern, every claim has a page on something else."""

_SCORES = {"authority": 94, "daily": 79, "weekly": 55, "board": 20, "gazette": 55, "releases": 50}
_PAPERS = {"1": "authority", "2": "daily", "3": "weekly", "4": "board", "wire": "gazette", "said": "daily"}
_FOUND = (
    "Documents seen by this newspaper show that {}",
    "Our own reporters went there and found that {}",
    "The files that this paper was let into leave no doubt that {}",
    "Invoices that two experts have checked for this paper show that {}",
    "Measurements that this paper commissioned show that {}",
    "After two weeks with the books, our reporters can say that {}",
    "Photographs and delivery notes in our hands prove that {}",
)
_DECIDED = "The authority's own inspection established that {}"
_POSTED = "Everybody on this board has known for long that {}"


def a_company_world(companies: Sequence[Company] = COMPANIES) -> World:
    """All claims with their evidence; a fact's id is the claim's number (C1.3: the third of the first company)."""
    facts: list[Fact] = []
    pages: list[Page] = []
    for company in companies:
        for row in company.rows:
            fact = Fact(f"C{len(facts) + 1}", row.claim, "", f"{company.short} {row.query}", _verdict(row))
            pages.extend(_evidence(company, row, fact, len(facts), len(pages)))
            facts.append(fact)
    hosts = dict.fromkeys(page.host for page in pages)
    # A company's own site has no rating.
    ratings = {host: score for host in hosts for name, score in _SCORES.items() if host.startswith(name)}
    return World(tuple(facts), tuple(pages), ratings, topic="What companies claim")


def _verdict(row: Row) -> str:
    return PATTERNS[row.pattern].verdict


def _evidence(company: Company, row: Row, fact: Fact, number: int, order: int) -> Iterator[Page]:
    pattern = PATTERNS[row.pattern]
    for step, (teller, side) in enumerate((*pattern.pages, ("3", "other"))):
        tellings: tuple[Telling, ...] = ()
        if side in ("+", "-"):
            clause = row.yes if side == "+" else row.no
            kind = None if side == "+" else pattern.contradiction
            tellings = (Telling(_sentence(company, teller, clause, number, step), fact.id, side == "+", kind),)
        yield Page(
            _host(company, teller, number, step),
            f"/2024/{order + step}",
            _title(company, row, teller, side, order + step),
            _BEGAN + timedelta(days=(order + step) % 300),
            tellings,
            tuple(_around(company, row, teller, side, number, order + step)),
            scheme="http" if teller == "own" else "https",
        )


def _host(company: Company, teller: str, number: int, step: int) -> str:
    if teller == "own":
        return f"www.{company.host}"
    if teller == "release":
        return "releases.press.example"
    # Every page has a publisher of its own, as pages of one publisher are politely read one after another.
    return f"{_PAPERS[teller]}{number:02d}{step}.press.example"


def _sentence(company: Company, teller: str, clause: str, number: int, step: int) -> str:
    if teller == "own":
        return f"{company.short} states that {clause}."
    if teller == "release":
        return f"{company.name} today announced that {clause}."
    if teller == "said":
        return f"A spokesman for {company.short} said in issue {number}{step} that {clause}."
    if teller == "wire":  # word for word the same in every paper
        return f"A reporter of the agency Landpress found that {clause}."
    lead = _DECIDED if teller == "1" else _POSTED if teller == "4" else _FOUND[(number + step) % len(_FOUND)]
    return f"{lead.format(clause)}."


def _title(company: Company, row: Row, teller: str, side: str, number: int) -> str:
    if side == "other":
        return f"{company.short} at the fair of {_place(number)}, report {number}"
    if teller == "wire":
        return f"Landpress: {company.short} and {row.query}"
    return f"{company.short}: {row.query}, {_place(number)} report {number}"


def _around(company: Company, row: Row, teller: str, side: str, number: int, order: int) -> Iterator[str]:
    """The other sentences on the page; copies of a wire report all have the same."""
    first = 11 * number if teller == "wire" else 11 * number + 97 * (order + 1)
    if side == "0":
        yield f"Readers in {_place(order)} keep asking about {row.query} at {company.short}, and have had no answer."
    if side == "other":
        yield f"{company.short} showed its stand at the fair of {_place(order)}, and the band played until ten."
    elif teller != "release":
        yield f"The matter is {row.query} at {company.short}, in the {company.industry} trade."
    if teller == "release":
        yield f"About {company.name}: {company.short} is a company of the {company.industry} trade."
        yield f"Media contact: press office, press@{company.host}"
    for step in range(8):
        yield aside(_place(first), first + step)


def _place(number: int) -> str:
    return PLACES[number % len(PLACES)]
