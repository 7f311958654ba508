"""The year that a claim is about, and the effect of age on evidence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.domain.claim import ClaimType
from inquest.domain.finding import Stance
from inquest.verdicts.judging_evidence import Period, age_factor, cannot_confirm, period_of
from tests.case_parts import claim, dated, finding, source


@pytest.mark.parametrize(
    ("text", "year", "named"),
    [
        ("Aldenhoven Steel cut its emissions by 12 % in 2022.", 2022, True),
        ("Aldenhoven Steel cut its emissions from 2019 to 2022.", 2022, True),
        ("It cut its emissions by 40 % compared to 2019.", 2023, False),
        ("In 2022 it was 40 % below the base year 2016.", 2022, True),
        ("It has been certified for years.", 2023, False),
        ("It aims to cut its emissions by 40 % by 2030.", None, False),
        ("In 2021 it committed to net zero by 2045.", None, False),
        ("It plans to cut its emissions.", None, False),
    ],
)
def test_the_year_of_the_result(text: str, year: int | None, named: bool) -> None:
    assert period_of(claim(text), 2023, 2024) == Period(year, named)


def test_an_aim_whose_year_has_passed_is_an_aim_still() -> None:
    aim = claim("It set itself the goal of halving its waste by 2022.", type=ClaimType.STRATEGIC)
    assert period_of(aim, 2023, 2024) == Period(None, False)


@pytest.mark.parametrize(("published", "late"), [("2021-12-31", True), ("2022-01-01", False), ("2024-01-01", False)])
def test_only_what_was_published_before_the_year_cannot_confirm_it(published: str, late: bool) -> None:
    page = source("A", published=dated(published))
    assert cannot_confirm(Period(2022, True), finding("F1", "A"), page) is late
    assert not cannot_confirm(Period(2022, True), finding("F1", "A", Stance.CONTRADICTS), page)
    assert not cannot_confirm(Period(2022, False), finding("F1", "A"), page)


def test_an_undated_page_is_not_taken_for_an_old_one() -> None:
    assert not cannot_confirm(Period(2022, True), finding("F1", "A"), source("A"))
    assert age_factor(Period(2022, True), finding("F1", "A"), source("A")) == 1


@given(st.integers(1990, 2030), st.booleans())
def test_older_never_weighs_more(year: int, named: bool) -> None:
    period, told = Period(2022, named), finding("F1", "A", Stance.CONTRADICTS)
    older = age_factor(period, told, source("A", published=dated(f"{year}-05-01")))
    newer = age_factor(period, told, source("A", published=dated(f"{year + 1}-05-01")))
    assert 0.65 <= older <= newer <= 1
