"""One report under many titles is read once; promises and calls to trade are not read, explanations of a move are."""

from __future__ import annotations

from inquest.desks.market.notes import offers_for, unused_notes
from inquest.desks.market.queries import rank_market, without_unknown
from inquest.domain.source import Source
from inquest.sources.tiers import rate
from inquest.text.phrases import stated
from tests.case_parts import source
from tests.desks.market.market_parts import about_quarvane, ask, hit, hours_ago

TITLE = "Quarvane weighs the sale of its chemicals arm"


def test_of_a_report_and_its_copy_the_agencys_own_page_is_read() -> None:
    said = "Quarvane is exploring a sale, people familiar with the talks said, and bids are due in the spring."
    copy = hit(TITLE, "https://www.theguardian.com/business/1", said)
    other = hit("Quarvane plant stands still", "https://three.example/3", "The plant in Lisse stood still on Monday.")
    agency = hit(TITLE, "https://www.reuters.com/markets/1", said, rank=9, published=hours_ago(60))
    for order in ([copy, other, agency], [agency, other, copy]):
        ranking = rank_market(order, about_quarvane(), rate)
        assert {each.hit.url for each in ranking.leads} == {agency.url, other.url}
        assert copy.url not in [each.hit.url for each in ranking.leads]
        assert ranking.noise.duplicates == 1
        assert ranking.noise.examples[0].endswith("(theguardian.com; the same as at reuters.com)")


def test_the_sites_of_pages_that_were_read_and_not_used_are_named() -> None:
    (note,) = unused_notes(["https://a.b-times.com/x", "https://one.example/2"], [source("S1", domain="one.example")])
    assert stated([note]).startswith("b-times.com was read and not used")
    assert not unused_notes([], [])


def test_for_a_share_that_is_listed_elsewhere_no_filing_of_the_sec_is_offered() -> None:
    offers = stated(offers_for(ask("Why is LMN.L down today?", tickers=("LMN.L",))))
    assert "8-K" not in offers and "10-K" not in offers and "exchange" in offers
    assert "8-K" not in stated(offers_for(ask("How many jobs will it cut?", company="Lomond Motors")))


def test_a_publisher_that_nobody_knows_gives_way_to_known_ones_where_there_are_any() -> None:
    nobody, own, known = page("hotstocksnow.example"), page("quarvane.example"), page("www.reuters.com")
    left = without_unknown([nobody, own, known], "Quarvane")
    assert [each.domain for each in left if not each.excluded] == [own.domain, known.domain]
    alone = [page("hotstocksnow.example"), page("another.example")]
    assert not any(each.excluded for each in without_unknown(alone, "Quarvane"))


def page(domain: str) -> Source:
    return source(domain, domain=domain, rating=rate(f"https://{domain}/1"))
