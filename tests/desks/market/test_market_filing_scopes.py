"""Two figures of one measure are one quantity only where part, period, kind and company are the same."""

from __future__ import annotations

import pytest

from inquest.desks.market.against_filings import against_filings
from tests.desks.market.market_parts import quote, statement

COMPANY = "Quarvane"


def relations(filing: str, *news: str) -> list[str]:
    found = against_filings(
        [statement(filing)], [quote(text, source_id=f"S{n}") for n, text in enumerate(news)], COMPANY
    )
    return [each.relation for each in found]


@pytest.mark.parametrize(
    ("filing", "news"),
    [
        (
            "We expect to deliver between 2.0 and 2.2 million modules in 2026, an increase of about 25% over 2025.",
            "Quarvane said it now expects to deliver 1.85 million modules in 2026, cutting its guidance for the year.",
        ),
        (
            "We expect earnings per share of $5.00 to $5.20 in 2026.",
            "The company cut its 2026 forecast for earnings per share to $4.40 to $4.60.",
        ),
        (
            "We expect fiscal 2026 revenue of $24 billion to $26 billion.",
            "The company lowered its fiscal 2026 revenue forecast to a range of $21 billion to $22 billion.",
        ),
        (
            "We expect capital expenditures to exceed $11.00 billion in 2026.",
            "Quarvane now plans capital spending of $8 billion in 2026.",
        ),
        (
            "We expect an operating margin of 8% in 2026.",
            "LISSE, Feb 9 (Reuters) - Quarvane now expects an operating margin of 4% to 5% in 2026.",
        ),
    ],
)
def test_the_same_quantity_told_otherwise_is_a_contradiction(filing: str, news: str) -> None:
    assert relations(filing, news) == ["contradicts"]


REVENUE = "We expect revenue of $4.8 billion in 2026."
DELIVERIES = "We expect to deliver about 2 million modules in 2026."


@pytest.mark.parametrize(
    ("filing", "news"),
    [
        (REVENUE, "Revenue in China will be $1.1 billion in 2026, the company said."),
        (REVENUE, "Quarvane expects gaming revenue of $1.2 billion in 2026."),
        (REVENUE, "Quarvane expects revenue from services of $1.2 billion in 2026."),
        (REVENUE, "Quarvane missed its 2026 revenue target by $300 million."),
        (REVENUE, "Quarvane's revenue for 2026 is expected to rise by $300 million."),
        (REVENUE, "If the plan fails, revenue in 2026 would be only $3 billion, a short seller said."),
        (REVENUE, "Orlin Devices expects revenue of $9 billion in 2026."),
        (REVENUE, "Revenue in 2026 was $9 billion at its rival Orlin."),
        (REVENUE, "Quarvane had revenue of $3.1 billion in the first nine months of 2026."),
        (DELIVERIES, "Quarvane delivered 1.2 million modules in 2026 so far."),
        (DELIVERIES, "Quarvane delivered 497,099 modules in the third quarter of 2026."),
        ("We declared dividends of $0.25 per share in 2026.", "Quarvane will pay a dividend of $1.1 billion in 2026."),
        ("We expect production of 500,000 modules in 2026 at our Lisse plant.",
         "Production at the Orr plant will be 900,000 modules in 2026."),
        ("Our headcount was 9,200 at the end of 2025.", "Quarvane cut 1,200 jobs in 2025."),
        ("We had share buybacks of $3 billion in 2025.", "The board approved a buyback of $10 billion in 2025."),
        ("We expect to repurchase $5 billion of shares; buybacks were $3 billion in 2025.",
         "Quarvane had buybacks of $4 billion in 2026."),
    ],
)  # fmt: skip
def test_a_part_a_change_a_possibility_or_another_company_contradicts_nothing(filing: str, news: str) -> None:
    assert "contradicts" not in relations(filing, news)


def test_more_than_a_lower_limit_is_in_line_with_it() -> None:
    filing = "We expect capital expenditures to exceed $11.00 billion in 2026."
    assert relations(filing, "Quarvane plans capital spending of $20 billion in 2026.") == ["agrees"]


def test_rounded_figures_far_apart_neither_agree_nor_contradict() -> None:
    filing = "We expect net sales of $10 billion in 2026."
    assert relations(filing, "Quarvane expects net sales of $9 billion in 2026.") == ["not comparable"]


def test_what_cannot_be_compared_is_left_out_where_something_can() -> None:
    last_year = "Quarvane delivered 1.7 million modules in 2025."
    assert relations(DELIVERIES, last_year, "Quarvane expects to deliver 1.4 million modules in 2026.") == [
        "contradicts"
    ]
    assert relations(DELIVERIES, last_year, last_year) == ["not comparable"]


def test_a_company_that_says_we_speaks_of_the_whole_of_it() -> None:
    filing, news = "We delivered 1,690,000 modules in 2025.", "Quarvane delivered 1.5 million modules in 2025."
    (found,) = against_filings([statement(filing)], [quote(news)], COMPANY)
    assert found.relation == "contradicts" and " we" not in found.reason.lower()


def test_why_figures_are_not_compared_is_a_sentence_of_its_own() -> None:
    filing = "We expect deliveries of 2.0 to 2.2 million modules in 2026."
    news = "Harrow Street lowered its 2026 delivery estimate for Quarvane to 1.85 million modules from 2.1 million."
    for found in against_filings([statement(filing)], [quote(news)], COMPANY):
        assert "(" not in found.reason and ".." not in found.reason
        assert "no figure" not in found.reason or found.news_value == ""


@pytest.mark.parametrize(
    ("filing", "news", "relation"),
    [
        (
            "We expect services revenue to grow 14% in fiscal 2027.",
            "Quarvane now expects services revenue to grow 20% in fiscal 2027, it said on a call with analysts.",
            "contradicts",
        ),
        (
            "We expect services revenue to grow 14% in fiscal 2027.",
            "Analysts expect Quarvane services revenue to grow 20% in fiscal 2027.",
            "points the other way",
        ),
        (
            "Net sales in India grew 40% during 2026.",
            "Quarvane's sales in India rose 45% in fiscal 2026, the company said.",
            "contradicts",
        ),
        (
            "We expect services revenue to grow 14% in fiscal 2027.",
            "Quarvane's supplier Plumtree expects services revenue to grow 20% in fiscal 2027.",
            "not comparable",
        ),
    ],
)
def test_what_a_company_tells_analysts_is_its_own_word_and_what_they_expect_is_theirs(
    filing: str, news: str, relation: str
) -> None:
    assert relations(filing, news) == [relation]


def test_the_part_whose_figure_it_is_may_be_the_subject() -> None:
    filing, news = (
        "Services gross margin was 75% in 2026.",
        "Services had a gross margin of 72% in 2026, Quarvane said.",
    )
    assert relations(filing, news) == ["contradicts"]
    whole = "Quarvane had a gross margin of 72% in 2026."
    assert relations(filing, whole) == ["not comparable"]


def test_of_what_cannot_be_compared_the_news_that_speaks_most_nearly_of_the_same_is_told() -> None:
    filing = "Services revenue was $109 billion in 2026."
    far, near = "Orlin Devices expects revenue of $9 billion in 2026.", "Services revenue was $30 billion in May 2026."
    (found,) = against_filings([statement(filing)], [quote(far), quote(near, source_id="S2")], COMPANY)
    assert found.relation == "not comparable" and found.news.quote == near


def test_an_analyst_s_estimate_for_the_company_is_the_company_s_figure_and_the_analyst_s_word() -> None:
    filing = "We expect to deliver between 2.0 and 2.2 million modules in 2026."
    news = "Goldman Sachs lowered its 2026 delivery estimate for Quarvane to 1.85 million modules from 2.1 million."
    (found,) = against_filings([statement(filing)], [quote(news)], COMPANY)
    assert found.relation == "points the other way" and found.forecast_by_others
    assert "1.85 million" in found.reason and "another company" not in found.reason


def test_what_is_compared_is_named_with_the_part_of_the_business() -> None:
    filing = "We expect services revenue to grow 14% in fiscal 2027."
    (found,) = against_filings(
        [statement(filing)], [quote("Quarvane now expects services revenue to grow 20% in fiscal 2027.")], COMPANY
    )
    assert found.what == "revenue (services) for 2027"
