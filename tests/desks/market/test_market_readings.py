"""What the market desk reads in sentences: analysts' actions, grave statements, tone, and figures against filings."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from inquest.desks.market.against_filings import compare_statement
from inquest.desks.market.analysts import actions_in, actions_of_hits, merged_actions
from inquest.desks.market.developments import tone_of
from inquest.desks.market.events import critical_in
from inquest.desks.market.filings import measured_in, periods_in
from inquest.domain.leads import Figure
from inquest.domain.market import AnalystAction, Critical
from tests.desks.market.market_parts import NOW, hit, hours_ago, quote, statement


def did(firm: str, action: str, *amounts: Any, **more: Any) -> AnalystAction:
    """An action; `amounts`: grades, targets and currency, each before and after."""
    names = ("grade_from", "grade_to", "target_from", "target_to", "currency")
    return AnalystAction(firm=firm, action=action, **dict(zip(names, amounts, strict=False)), **more)


GUIDANCE = "Management projects 2026 deliveries of 2.0-2.2M modules, representing 25% growth over 2025."

# Analysts


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (
            "Harrow Street upgrades Quarvane to Overweight from Neutral",
            did("Harrow Street", "upgraded", "Neutral", "Overweight"),
        ),
        ("Quarvane (QVRN) downgraded to Sell at Pell & Marsh", did("Pell & Marsh", "downgraded", None, "Sell")),
        (
            "Analysts at Harrow Street upgraded the stock from Hold to Buy",
            did("Harrow Street", "upgraded", "Hold", "Buy"),
        ),
        (
            "Pell & Marsh cuts price target on Quarvane to $320 from $350",
            did("Pell & Marsh", "cut target", None, None, 350.0, 320.0, "USD"),
        ),
        (
            "Harrow Street: raised price target $1050 → $1150",
            did("Harrow Street", "raised target", None, None, 1050.0, 1150.0, "USD"),
        ),
        (
            "Harrow Street analyst Ann Lee raised her target to $1,200",
            did("Harrow Street", "raised target", None, None, None, 1200.0, "USD"),
        ),
    ],
)
def test_an_action_is_read_with_firm_grades_and_targets(text: str, read: AnalystAction) -> None:
    assert actions_in(text, "Quarvane Semiconductor") == (read,)


@pytest.mark.parametrize(
    "text",
    [
        "Quarvane downgraded to Sell",
        "Two analysts cut their estimates.",
        "Quarvane cuts guidance",
        "The plant was upgraded last year.",
    ],
)
def test_without_a_firm_there_is_no_action(text: str) -> None:
    assert actions_in(text, "Quarvane Semiconductor") == ()


def test_an_engines_table_of_grades_is_told_as_the_engines() -> None:
    grade = Figure(
        subject="QVRN", name="grade", text="Neutral", previous_text="Overweight", by="Harrow Street", at=hours_ago(4)
    )
    later = grade.model_copy(update={"at": hours_ago(-30)})
    actions = actions_of_hits(
        [hit("q", engine="fmp_grades", figures=(grade, later), details={"action": "downgrade"})], NOW, {}
    )
    assert [(each.firm, each.action, each.grade_from, each.grade_to, each.lead_by) for each in actions] == [
        ("Harrow Street", "downgraded", "Overweight", "Neutral", "fmp_grades")
    ]


def test_a_pages_words_come_before_an_engines_table_and_each_action_once() -> None:
    grade = Figure(
        subject="QVRN", name="grade", text="Neutral", previous_text="Overweight", by="Harrow Street", at=hours_ago(4)
    )
    leads = actions_of_hits([hit("q", figures=(grade,))], NOW, {})
    words = quote("Harrow Street downgraded Quarvane to Neutral.", published="2026-11-19T15:00:00Z")
    merged = merged_actions([(did("Harrow Street", "downgraded", None, "Neutral"), words)] * 2, leads)
    assert [each.quote for each in merged] == [words]


# Grave statements


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Prosecutors accuse Quarvane of accounting fraud.", Critical.FRAUD),
        ("Quarvane filed for bankruptcy protection.", Critical.BANKRUPTCY),
        ("The regulator opened an investigation.", Critical.INVESTIGATION),
        ("Chief executive Ann Lee resigned on Monday.", Critical.RESIGNATION),
        ("Quarvane recalls 20,000 modules.", Critical.RECALL),
        ("Quarvane cut its full-year guidance.", Critical.GUIDANCE_CUT),
        ("Trading in Quarvane was halted.", Critical.DELISTING),
        ("Quarvane will restate its results for 2025.", Critical.RESTATEMENT),
        ("Quarvane reported a data breach.", Critical.CYBER_INCIDENT),
        ("Quarvane shares fell 7% on Thursday.", Critical.BIG_MOVE),
    ],
)
def test_grave_statements_are_known(text: str, kind: Critical) -> None:
    assert kind in critical_in(text)


@pytest.mark.parametrize(
    "text",
    ["Quarvane opened a plant.", "Quarvane shares rose 2%.", "Revenue fell 20% to $3bn.", "I recall the year 2020."],
)
def test_other_statements_are_not_grave(text: str) -> None:
    assert critical_in(text) == ()


# Tone


@pytest.mark.parametrize(
    ("text", "tone"),
    [
        ("Quarvane beat estimates and raised its forecast.", 1),
        ("Quarvane missed estimates.", -1),
        ("Quarvane did not miss estimates.", 1),
        ("Quarvane opened a plant in Lisse.", 0),
    ],
)
def test_the_tone_of_a_sentence_is_told_by_its_words(text: str, tone: int) -> None:
    assert tone_of(text) == tone


# Filings


@pytest.mark.parametrize(
    ("filing", "news", "relation"),
    [
        (GUIDANCE, "The company now expects deliveries of 1.8 million modules in 2026", "contradicts"),
        (GUIDANCE, "Quarvane delivered 2.1 million modules in 2026", "agrees"),
        (GUIDANCE, "Quarvane expects 2027 deliveries of 3 million modules", "not comparable"),
        (
            GUIDANCE,
            "Harrow Street lowered its 2026 delivery estimate to 1.85M modules from 2.1M",
            "points the other way",
        ),
        (GUIDANCE, "Quarvane cut production at its Lisse plant by 20% in February", "points the other way"),
        (
            "Revenue is expected to be $24 billion to $26 billion in Q1 2026.",
            "It guided for first-quarter 2026 revenue of $22 billion",
            "contradicts",
        ),
        (
            "Revenue is expected to be $24 billion to $26 billion in Q1 2026.",
            "Revenue of €25bn in Q1 2026",
            "not comparable",
        ),
        (
            "We expect adjusted operating margin of 12% to 14% for 2026.",
            "Operating margin for 2026 was 9%",
            "not comparable",
        ),
    ],
)
def test_a_filing_is_compared_quantity_by_quantity(filing: str, news: str, relation: str) -> None:
    found = compare_statement(statement(filing), quote(news))
    assert [each.relation for each in found] == [relation]
    assert found[0].reason
    assert found[0].days_between == 102


def test_another_quantity_and_news_from_before_the_filing_are_not_compared() -> None:
    assert compare_statement(statement(GUIDANCE), quote("Quarvane paid a dividend of $2 a share for 2026")) == ()
    assert (
        compare_statement(
            statement(GUIDANCE), quote("It expects deliveries of 1.8 million modules in 2026", "2025-06-01")
        )
        == ()
    )


def test_a_range_in_words_is_one_range_and_a_change_is_not() -> None:
    (margin,) = measured_in("We expect a gross margin of 12% to 14%.")
    assert (margin.quantity.low, margin.quantity.high) == (12.0, 14.0)
    assert len(measured_in("It raised its revenue forecast from $22bn to $24bn.")) == 2


def test_periods_of_accounts_are_no_dates_and_no_years_compared_with() -> None:
    said = datetime(2026, 5, 2, tzinfo=UTC).date()
    assert periods_in("revenue for 2026, up from 2025", said) == {"2026"}
    assert periods_in("second-quarter revenue in fiscal 2026", said) == {"2026-Q2"}
    assert periods_in("said on May 2, 2026 that revenue this year", said) == {"2026"}
    assert periods_in("revenue next quarter", said) == {"2026-Q3"}
