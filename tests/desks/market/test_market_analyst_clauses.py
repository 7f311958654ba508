"""A sentence that tells two things of one firm, its grade and its target, gives both; another firm's stays its own."""

from __future__ import annotations

import pytest

from inquest.desks.market.analysts import Read, actions_in, merged_actions
from inquest.desks.market.summary import action_words
from inquest.domain.market import AnalystAction
from tests.desks.market.market_parts import page, quote

_BOTH = "reiterated, raised target"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (
            "Harrow Street maintained Overweight and lifted its target to $1150",
            Read("Harrow Street", _BOTH, None, "Overweight", None, 1150.0, "USD"),
        ),
        (
            "Harrow Street: Maintained Overweight, raised target $1050 → $1150",
            Read("Harrow Street", _BOTH, None, "Overweight", 1050.0, 1150.0, "USD"),
        ),
        (
            "Harrow Street kept its Buy rating on the shares while raising its target to $300 from $280.",
            Read("Harrow Street", _BOTH, None, "Buy", 280.0, 300.0, "USD"),
        ),
        (
            "Harrow Street raised its price target on Quarvane, to $235 from $220, keeping an Overweight rating.",
            Read("Harrow Street", _BOTH, None, "Overweight", 220.0, 235.0, "USD"),
        ),
        (
            "Harrow Street downgraded Quarvane to Underweight and cut its price target to €16.50 from €21.",
            Read("Harrow Street", "downgraded, cut target", None, "Underweight", 21.0, 16.5, "EUR"),
        ),
        (
            "Harrow Street initiated coverage of Quarvane at Overweight with a $250 target.",
            Read("Harrow Street", "initiated", None, "Overweight", None, 250.0, "USD"),
        ),
        (
            "Harrow Street kept Quarvane at In Line and raised its target by 10% to $330.",
            Read("Harrow Street", _BOTH, None, "In Line", None, 330.0, "USD"),
        ),
    ],
)
def test_grade_and_target_of_one_sentence_are_one_line(text: str, read: Read) -> None:
    assert actions_in(text, "Quarvane") == (read,)


@pytest.mark.parametrize(
    "text",
    [
        "Harrow Street upgraded Quarvane to Buy, and Pell & Marsh raised its target to $400.",
        "Harrow Street upgraded Quarvane to Buy while Pell & Marsh lifted its target to $400.",
        "Harrow Street upgraded Quarvane to Buy and said that Pell & Marsh raising its target to $400 was early.",
        "Harrow Street upgraded Quarvane to Buy; Pell & Marsh raised its target to $400.",
    ],
)
def test_what_another_firm_did_is_not_the_first_ones(text: str) -> None:
    by_firm = {read.firm: read for read in actions_in(text, "Quarvane")}
    assert by_firm["Harrow Street"] == Read("Harrow Street", "upgraded", None, "Buy")
    assert by_firm["Pell & Marsh"].target_to == 400.0


def test_another_figure_than_the_target_is_no_target() -> None:
    read, estimate = actions_in(
        "Harrow Street upgraded Quarvane to Buy, and raised its estimate of sales to $25 billion."
    )
    assert read.target_to is None and estimate.target_to is None
    assert (estimate.action, estimate.estimate_to) == ("raised estimate", "$25 billion")
    (read,) = actions_in("Harrow Street reiterated Outperform on Friday. Shares lifted the index to 5,000.")
    assert read.target_to is None


def test_both_are_told_each_with_its_own_figures() -> None:
    action = AnalystAction(
        firm="Harrow Street", action=_BOTH, grade_to="Overweight", target_from=1050, target_to=1150, currency="USD"
    )
    assert action_words(action) == "Harrow Street: reiterated (Overweight), raised target (1050 → 1150 USD)"
    kept = AnalystAction(firm="Harrow Street", action="reiterated", grade_to="Buy", target_to=205, currency="USD")
    assert action_words(kept) == "Harrow Street: reiterated (Buy and target 205 USD)"


def test_a_title_that_tells_half_of_it_is_the_same_action() -> None:
    title, sentence = (
        "Harrow Street raises Quarvane target to $240",
        "Harrow Street kept Buy and raised its target to $240",
    )
    told = [(read, quote(text)) for text in (title, sentence) for read in actions_in(text, "Quarvane")]
    (merged,) = merged_actions(told, ())
    assert (merged.action, merged.grade_to, merged.target_to) == (_BOTH, "Buy", 240.0)


def test_what_other_analysts_and_the_consensus_estimate_goes_on_about_the_company_of_the_sentence_before() -> None:
    estimates = (
        "Harrow Street lowered its 2026 delivery estimate for Quarvane to 1.85 million modules, citing weak demand. "
        "Pell & Marsh cut its estimate to 1.9 million, citing headwinds in China. "
        "The consensus now stands at 1.88 million deliveries, about 9% below guidance. "
    )
    _, findings = page("wire", estimates + "Lomond cut its estimates for Allmark to 12 cents a share this year.")
    told = " ".join(finding.quote for finding in findings)
    assert "Pell & Marsh" in told and "consensus" in told and "Lomond" not in told
