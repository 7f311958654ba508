"""An analyst's change of an estimate is told as that firm's act; a company's own forecast is no analyst's."""

from __future__ import annotations

import pytest

from inquest.desks.market.analysts import actions_in, merged_actions
from inquest.desks.market.estimates import CONSENSUS, Estimate, estimates_in, same_amount
from inquest.desks.market.summary import action_words
from inquest.domain.market import AnalystAction
from tests.desks.market.market_parts import quote


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (
            "Goldman Sachs lowered its 2026 delivery estimate to 1.85M from 2.1M",
            Estimate("Goldman Sachs", "cut estimate", "2026 delivery", "2.1M", "1.85M"),
        ),
        (
            "Goldman Sachs lowered its 2026 delivery estimate for Quarvane to 1.85 million vehicles from 2.1 million, "
            "citing weak demand in China.",
            Estimate(
                "Goldman Sachs", "cut estimate", "2026 delivery for Quarvane", "2.1 million", "1.85 million vehicles"
            ),
        ),
        (
            "Goldman Sachs: Lowered 2026 delivery estimate to 1.85M (from 2.1M)",
            Estimate("Goldman Sachs", "cut estimate", "2026 delivery", "2.1M", "1.85M"),
        ),
        (
            "Morgan Stanley cut its estimate to 1.9 million, citing headwinds in China.",
            Estimate("Morgan Stanley", "cut estimate", "", None, "1.9 million"),
        ),
        (
            "Analysts at Calder Brook cut their 2026 earnings estimate for Quarvane to $2.10 a share from $2.45.",
            Estimate("Calder Brook", "cut estimate", "2026 earnings for Quarvane", "$2.45", "$2.10 a share"),
        ),
        (
            "Calder Brook Securities raised its fiscal 2027 EPS forecast by 3% to $8.20 from $7.96.",
            Estimate("Calder Brook Securities", "raised estimate", "fiscal 2027 EPS", "$7.96", "$8.20"),
        ),
        (
            "Harrow Street analyst Jane Doe trimmed the firm's revenue estimate from $4.8 billion to $4.1 billion.",
            Estimate("Harrow Street", "cut estimate", "revenue", "$4.8 billion", "$4.1 billion"),
        ),
        (
            "The consensus now stands at 1.88 million deliveries for 2026, about 9% below guidance.",
            Estimate(CONSENSUS, "estimate", "2026", None, "1.88 million deliveries"),
        ),
        (
            "The consensus estimate for 2026 revenue fell to $94 billion.",
            Estimate(CONSENSUS, "cut estimate", "2026 revenue", None, "$94 billion"),
        ),
    ],
)
def test_who_changed_which_estimate_from_what_to_what_is_read(text: str, read: Estimate) -> None:
    assert estimates_in(text, "Quarvane") == (read,)


@pytest.mark.parametrize(
    "text",
    [
        "Quarvane cut its 2026 delivery estimate to 1.85 million vehicles from 2 million.",
        "Plumtree lowered its 2026 delivery forecast to 40,000 vehicles from 46,000.",
        "Plumtree cut its estimate to 9 million cars.",
        "Goldman Sachs cut its forecast for U.S. growth to 1.9% from 2.3%.",
        "Goldman Sachs lowered its 2026 EPS estimate for Plumtree to $7.10 from $7.40.",
        "Goldman Sachs cut its delivery estimate, citing sales that fell to 1.8 million.",
        "Revenue was $57.1 billion, compared with the analysts' consensus of $54.8 billion.",
        "Quarvane shares fell 6% on Friday and cut its estimate to 1.9 million.",
    ],
)
def test_a_company_s_own_forecast_another_s_figures_and_a_beaten_consensus_are_no_analyst_s_act(text: str) -> None:
    assert not estimates_in(text, "Quarvane")


def test_a_second_act_of_the_same_sentence_is_the_same_firm_s() -> None:
    text = (
        "Harrow Street cut its price target on Quarvane to $300 from $320 and lowered its 2026 EPS estimate to $8.10."
    )
    assert [(each.firm, each.action) for each in actions_in(text, "Quarvane")] == [
        ("Harrow Street", "cut target"),
        ("Harrow Street", "cut estimate"),
    ]


def test_it_is_told_with_what_is_estimated_and_both_amounts() -> None:
    (read,) = actions_in("Goldman Sachs lowered its 2026 delivery estimate to 1.85M from 2.1M.", "Quarvane")
    assert action_words(AnalystAction(**read._asdict())) == (
        "Goldman Sachs: cut estimate (2026 delivery: 2.1M → 1.85M)"
    )


def test_one_act_that_two_papers_write_differently_is_told_once_with_the_fuller_words() -> None:
    short = "Goldman Sachs cut its delivery estimate to 1.85M."
    full = "Goldman Sachs lowered its 2026 delivery estimate to 1.85 million vehicles from 2.1 million."
    other = "Goldman Sachs lowered its 2027 delivery estimate to 2.2 million vehicles from 2.5 million."
    told = [(read, quote(text)) for text in (short, full, other) for read in actions_in(text, "Quarvane")]
    merged = merged_actions(told, ())
    assert [(each.estimate_from, each.estimate_to) for each in merged] == [
        ("2.1 million", "1.85 million vehicles"),
        ("2.5 million", "2.2 million vehicles"),
    ]


def test_amounts_are_the_same_however_they_are_written() -> None:
    assert same_amount("1.85M", "1.85 million vehicles") and same_amount(None, "1.85M")
    assert not same_amount("1.85 million", "1.85 billion")
