"""Targets are read as written, and judged by the criteria in force when they were set."""

from __future__ import annotations

from dataclasses import replace

import pytest

from inquest.desks.academic.science_targets import TargetCheck, check_target
from inquest.desks.academic.science_targets_reading import ClimateTarget, targets_in
from inquest.desks.academic.terms import Standing


def one(text: str) -> ClimateTarget:
    (target,) = targets_in(text)
    return target


def standing(check: TargetCheck, asks: str) -> Standing:
    return next(point.standing for point in check.points if point.asks == asks)


def test_a_target_with_all_its_parts() -> None:
    target = one(
        "We have set a science-based target to reduce Scope 1 and 2 emissions by 42% by 2030 from a 2019 baseline, "
        "aligned with a 1.5°C pathway."
    )
    assert (target.scopes, target.reduction, target.base_year, target.target_year) == (frozenset("12"), 42, 2019, 2030)
    assert (target.pathway, target.validation) == ("1.5 °C", "called aligned")
    assert target.annual_rate == pytest.approx(42 / 11)


def test_two_targets_in_two_sentences_or_one_share_their_time() -> None:
    first, second = targets_in(
        "The company commits to reduce absolute scope 1 and 2 GHG emissions 46.2% by 2030 from a 2019 base year. "
        "It also commits to reduce absolute scope 3 GHG emissions 27.5% within the same timeframe."
    )
    assert first.annual_rate == pytest.approx(4.2)
    assert (second.scopes, second.base_year, second.target_year) == (frozenset("3"), 2019, 2030)
    first, second = targets_in(
        "We aim to cut Scope 1 and 2 emissions by 50% and Scope 3 emissions by 30% by 2030 against 2020 levels."
    )
    assert (first.scopes, first.reduction, first.target_year) == (frozenset("12"), 50, 2030)
    assert (second.scopes, second.reduction, second.base_year) == (frozenset("3"), 30, 2020)


@pytest.mark.parametrize(
    "text",
    [
        "Revenue grew by 12% in 2022.",
        "By 2030 we will use 100% renewable electricity.",
        "We plan to reduce headcount by 5% by 2025.",
        "",
    ],
)
def test_what_is_no_climate_target(text: str) -> None:
    assert targets_in(text) == ()


def test_net_zero_and_neutrality_are_two_claims() -> None:
    assert one("We will reach net zero by 2050.").net_zero_year == 2050
    neutral = one("We will be carbon neutral by 2025 by offsetting what is left.")
    assert (neutral.net_zero_year, neutral.neutral_year, neutral.counts_credits) == (None, 2025, True)


@pytest.mark.parametrize(
    ("words", "validation"),
    [
        ("validated by the SBTi", "validated"),
        ("approved by the Science Based Targets initiative", "validated"),
        ("submitted to the SBTi", "submitted"),
        ("not yet validated by the SBTi", "not validated"),
        ("in line with the SBTi", "called aligned"),
        ("as we decided", ""),
    ],
)
def test_who_has_checked_it(words: str, validation: str) -> None:
    target = one(f"Our target is to reduce Scope 1 emissions by 30% by 2030 from 2020, {words}.")
    assert target.validation == validation


TEXT = "We commit to reduce absolute Scope 1 and 2 emissions {cut}% by {end} from a {base} base year, covering 95%."


def target(cut: float, base: int, end: int, set_in: int | None = None) -> ClimateTarget:
    return replace(one(TEXT.format(cut=cut, base=base, end=end)), set_in=set_in)


def test_a_target_that_meets_all_is_aligned() -> None:
    check = check_target(target(46.2, 2019, 2030, 2023))
    assert check.alignment == "aligned"
    assert check.version.data["versions"] == ["5.0", "5.1"]


@pytest.mark.parametrize(
    ("cut", "base", "end", "set_in", "asks", "expected"),
    [
        (25, 2020, 2030, 2020, "rate_1_2", "met"),  # 2.5 % a year: enough until July 2022
        (25, 2020, 2030, 2023, "rate_1_2", "not met"),
        (35, 2022, 2030, 2023, "rate_1_2", "open"),  # 4.4 % a year, but 42 % are due by 2030
        (35, 2022, 2030, 2027, "rate_1_2", "met"),  # since April 2026 the floor of 4.2 %
        (60, 2012, 2030, 2023, "base_year", "not met"),
        (60, 2019, 2035, 2023, "span_most", "not met"),
        (60, 2019, 2035, 2020, "span_most", "met"),  # fifteen years were allowed
        (40, 2019, 2026, 2023, "span_least", "not met"),
    ],
)
def test_the_version_in_force_decides(
    cut: float, base: int, end: int, set_in: int, asks: str, expected: Standing
) -> None:
    assert standing(check_target(target(cut, base, end, set_in)), asks) == expected


def test_where_the_version_cannot_be_told_it_is_said_and_only_what_all_agree_on_is_judged() -> None:
    check = check_target(target(25, 2020, 2030))
    assert check.version.code == "academic.version_unknown"
    assert standing(check, "rate_1_2") == "open"
    assert standing(check_target(target(20, 2020, 2030)), "rate_1_2") == "not met"
    assert standing(check_target(target(50, 2020, 2030)), "rate_1_2") == "met"


def test_a_rate_is_stated_as_precisely_as_the_rule_that_it_is_compared_with() -> None:
    (met,) = [each.reason for each in check_target(target(46, 2019, 2030, 2023)).points if each.asks == "rate_1_2"]
    assert (met.code, met.data["rate"], met.data["asked"]) == ("academic.rate_met", 4.2, 4.2)


def test_credits_towards_a_target_go_against_it() -> None:
    text = (
        "We commit to reduce Scope 1 and 2 emissions 50% by 2030 from a 2020 base year, partly through carbon credits."
    )
    assert check_target(replace(one(text), set_in=2024)).alignment == "not_aligned"
    without = one(text.replace("partly through", "without"))
    assert not without.counts_credits


def test_an_intensity_is_not_judged_by_the_rate_of_absolute_targets() -> None:
    intensity = one("We aim to reduce Scope 1 and 2 emissions per tonne of steel by 20% by 2030 from 2020.")
    assert standing(check_target(replace(intensity, set_in=2023)), "rate_1_2") == "open"


def test_emissions_of_land_have_a_pathway_of_their_own() -> None:
    text = "We commit to reduce absolute Scope 1 {} emissions {}% by 2030 from a 2020 base year."
    expected = {("FLAG", 30.3): "met", ("FLAG", 25): "open"}
    found = {each: standing(check_target(one(text.format(*each))), "rate_flag") for each in expected}
    assert found == expected
    assert standing(check_target(replace(one(text.format("non-FLAG", 30.3)), set_in=2024)), "rate_1_2") == ("not met")


def test_scopes_together_are_judged_at_the_extremes_only() -> None:
    text = "We aim to reduce Scope 1, 2 and 3 emissions by {}% by 2030 from 2020."
    expected = {"50": "met", "30": "open", "20": "not met"}
    found = {cut: standing(check_target(replace(one(text.format(cut)), set_in=2023)), "rate_all") for cut in expected}
    assert found == expected


def test_net_zero_too_late_or_too_little() -> None:
    assert standing(check_target(one("We will reach net zero by 2060.")), "net_zero_year") == "not met"
    text = "We will reduce Scope 1, 2 and 3 emissions by {}% by 2050 from 2020 and reach net zero by 2050."
    assert standing(check_target(one(text.format(90))), "long_term_cut") == "met"
    assert standing(check_target(one(text.format(60))), "long_term_cut") == "not met"
