"""The age of a lead, and its effect on the score: the market desk's table, and dates that are only roughly known."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from inquest.domain.value import Precision, Published
from inquest.sources.ranking import Freshness, freshness_of

_NOW = datetime(2024, 5, 1, 12, tzinfo=UTC)


def at(hours: float) -> Published:
    return Published(at=_NOW - timedelta(hours=hours), precision=Precision.TIME)


@pytest.mark.parametrize(
    ("hours", "left"),
    [(-1, 1.0), (0.5, 1.0), (1, 0.9), (6, 0.9), (20, 0.7), (24, 0.7), (100, 0.4), (168, 0.4), (169, 0.1)],
)
def test_age_takes_away_what_the_market_desk_s_table_says(hours: float, left: float) -> None:
    assert freshness_of(at(hours), _NOW, Freshness.MARKET).factor == left


def test_what_has_no_date_or_one_ahead_of_now_is_not_taken_for_new() -> None:
    age = freshness_of(None, _NOW, Freshness.MARKET)
    assert (age.factor, age.words) == (0.1, "no date")
    age = freshness_of(at(-72), _NOW, Freshness.MARKET)
    assert (age.factor, age.words) == (0.1, "dated in the future")


@pytest.mark.parametrize(
    ("published", "left", "words"),
    [
        # Today, at an unknown hour: the middle of the time since the start of the day.
        (Published(at=datetime(2024, 5, 1, tzinfo=UTC), precision=Precision.DAY), 0.9, "today"),
        (Published(at=datetime(2024, 4, 28, tzinfo=UTC), precision=Precision.DAY), 0.4, "3 days"),
        (Published(at=datetime(2024, 4, 28, 20, tzinfo=UTC)), 0.4, "3 days"),  # a page of that day with its hour
        (Published(at=datetime(2024, 4, 1, tzinfo=UTC), precision=Precision.MONTH), 0.1, "15 days"),
        (Published(at=datetime(2024, 1, 1, tzinfo=UTC), precision=Precision.YEAR), 0.1, "2 months"),
    ],
)
def test_a_rough_date_counts_as_the_middle_of_what_it_can_mean(published: Published, left: float, words: str) -> None:
    age = freshness_of(published, _NOW, Freshness.MARKET)
    assert (age.factor, age.words) == (left, words)


def test_age_does_not_matter_to_an_inquiry() -> None:
    old = Published(at=datetime(1999, 1, 1, tzinfo=UTC))
    assert freshness_of(old, _NOW, Freshness.ANY).factor == 1.0
    assert freshness_of(old, _NOW, Freshness.ANY).words == "25 years"
    assert freshness_of(None, None, Freshness.NEWS).factor == freshness_of(old, None, Freshness.NEWS).factor == 1.0


@pytest.mark.parametrize(
    ("age", "words"),
    [
        (timedelta(minutes=20), "20 min"),
        (timedelta(hours=2, minutes=50), "2 h"),
        (timedelta(days=1), "1 day"),
        (timedelta(days=45), "45 days"),
        (timedelta(days=150), "5 months"),
        (timedelta(days=800), "2 years"),
    ],
)
def test_an_age_is_told_in_one_unit(age: timedelta, words: str) -> None:
    seen = Published(at=_NOW - age, precision=Precision.TIME)
    assert freshness_of(seen, _NOW, Freshness.NEWS).words == words
