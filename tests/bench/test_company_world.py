"""The world for measuring checks of claims has the contents that its patterns promise, and its model knows the
truth."""

from __future__ import annotations

from collections import Counter

import pytest

from bench.simulated.companies import PATTERNS, a_company_world
from bench.simulated.company_claims import COMPANIES, TECHNICAL, Company, Row
from bench.simulated.mind import answer_to
from inquest.analysts.prompts import assess, desk_queries
from inquest.domain.claim import Claim
from inquest.domain.finding import ContradictionType, Stance
from inquest.kit.analyst import Passage
from inquest.sources.owners import own_domains
from inquest.sources.tiers import tier_of

ROWS = [(company, row) for company in COMPANIES for row in company.rows]
WORLD = a_company_world()
SNAPSHOT = "sha256:" + "0" * 64


def asked(system: str, user: str) -> str:
    return answer_to(WORLD, {"messages": [{"content": system}, {"content": user}]})


def test_it_is_large_enough_and_every_pattern_and_contradiction_is_there() -> None:
    assert len(COMPANIES) >= 8 and len(ROWS) >= 40
    assert len({row.claim for _, row in ROWS}) == len(ROWS)
    assert {row.pattern for _, row in ROWS} == set(PATTERNS)
    against = [PATTERNS[row.pattern].contradiction for _, row in ROWS if row.no]
    assert all(Counter(against)[kind.value] >= 3 for kind in ContradictionType)
    assert {fact.verdict for fact in WORLD.facts} == {
        "verified",
        "partially_true",
        "contradicted",
        "disputed",
        "unverified",
    }


def test_a_company_is_known_by_its_own_site_and_named_in_its_claims() -> None:
    for company in (*COMPANIES, TECHNICAL):
        assert company.host in own_domains(company.name)
        assert all(row.claim.startswith(company.short) for row in company.rows)


@pytest.mark.parametrize(("company", "row"), ROWS, ids=[row.claim[:50] for _, row in ROWS])
def test_the_evidence_of_a_claim_is_that_of_its_pattern(company: Company, row: Row) -> None:
    fact = next(fact for fact in WORLD.facts if fact.told == row.claim)
    assert fact.query.startswith(company.short) and fact.verdict == PATTERNS[row.pattern].verdict
    pattern = PATTERNS[row.pattern]
    sides = Counter(side for _, side in pattern.pages if side in "+-")
    pages = [page for page in WORLD.pages if any(told.fact == fact.id for told in page.tellings)]
    assert Counter("+" if told.supports else "-" for page in pages for told in page.tellings) == sides
    tiers = sorted(tier_of(WORLD.ratings[page.host]) for page in pages if page.host in WORLD.ratings)
    numbered = sorted(int(teller) for teller, side in pattern.pages if teller.isdigit() and side in "+-")
    assert [tier for tier in numbered if tier not in tiers] == []
    hosts = [page.host for page in pages]
    assert len(set(hosts)) == len(hosts), "each is a publisher of its own"
    # The search for the claim finds all of its pages.
    assert {page.url for page in pages} <= {page.url for page in WORLD.found(fact.query, 10)}


def test_copies_of_a_wire_are_the_same_and_other_pages_are_not() -> None:
    texts = Counter(" ".join(page.sentences) for page in WORLD.pages)
    again = [page.host for page in WORLD.pages if texts[" ".join(page.sentences)] > 1]
    assert again and all(host.startswith("gazette") for host in again)


def test_no_telling_stands_on_the_page_of_another_claim() -> None:
    told = WORLD.tellings()
    for page in WORLD.pages:
        text = " ".join(page.sentences)
        facts = {telling.fact for sentence, telling in told.items() if sentence in text}
        assert len(facts) <= 1, page.url


def test_the_model_writes_queries_for_each_claim_and_angle_that_find_its_pages() -> None:
    claims = [Claim(id=f"X{n}", text=row.claim) for n, row in enumerate(COMPANIES[0].rows)]
    angles = {"company": "what is reported of it", "controversy": "who disputes it"}
    said = asked(desk_queries.ask("news", angles), desk_queries.question(claims, COMPANIES[0].name, "cement"))
    found = desk_queries.answer(said, angles, claims)
    assert set(found) == {claim.id for claim in claims} and all(set(each) == set(angles) for each in found.values())
    assert found["X0"]["company"] == "Velkran Cement Hollin kiln coal waste wood company"


@pytest.mark.parametrize("kind", list(ContradictionType))
def test_the_model_judges_by_the_gold_labels(kind: ContradictionType) -> None:
    page, told = next(
        (page, told)
        for page in WORLD.pages
        for told in page.tellings
        if not told.supports and told.contradiction == kind.value
    )
    claim = WORLD.fact(told.fact).told
    other = next(each for each in WORLD.pages if not each.tellings)
    passages = [
        Passage(id=name, source_id="", snapshot=SNAPSHOT, text=" ".join(each.sentences))
        for name, each in (("P1", page), ("P2", other))
    ]
    put, seen = assess.Asked(claim), assess.packed(claim, passages)
    good, missing = assess.answer(asked(assess.ask(put), assess.question(put, passages, seen)), passages, seen)
    assert not missing and good["P2"].stance is Stance.NEUTRAL
    assert (good["P1"].stance, good["P1"].contradiction_type, good["P1"].quote) == (
        Stance.CONTRADICTS,
        kind,
        told.sentence,
    )
