"""Quotas: counted per engine, key and period, and shared by all processes that use the database."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from inquest.domain.errors import EngineQuota
from inquest.kit.engine import Limits
from inquest.store import KEYLESS, account_of
from inquest.store.database import Database
from inquest.store.quotas import Quotas

_NOON = datetime(2024, 1, 31, 12, tzinfo=UTC)


@pytest.fixture
def quotas(database: Database) -> Quotas:
    return Quotas(database)


async def test_calls_are_counted_per_engine_account_and_period(quotas: Quotas) -> None:
    for _ in range(3):
        await quotas.take("tavily", "a", Limits(), at=_NOON)
    await quotas.take("tavily", "b", Limits(), at=_NOON)
    await quotas.take("brave", "a", Limits(), at=_NOON)
    assert await quotas.used("tavily", "a", at=_NOON) == (3, 3)
    assert await quotas.used("tavily", "a", at=_NOON + timedelta(hours=12)) == (0, 0)
    assert await quotas.used("tavily", "a", at=_NOON - timedelta(days=1)) == (0, 3)


async def test_the_day_s_limit_says_when_it_renews_and_counts_nothing_more(quotas: Quotas) -> None:
    limits = Limits(per_day=2)
    for _ in range(2):
        await quotas.take("eodhd", "a", limits, at=_NOON)
    with pytest.raises(EngineQuota, match="limit of 2 calls a day") as caught:
        await quotas.take("eodhd", "a", limits, at=_NOON)
    assert caught.value.retry_after == 12 * 3600
    assert caught.value.advice == "It renews at 2024-02-01 00:00 UTC."
    assert await quotas.used("eodhd", "a", at=_NOON) == (2, 2)
    await quotas.take("eodhd", "a", limits, at=_NOON + timedelta(hours=12))


async def test_the_month_s_limit_leaves_the_day_s_count_as_it_was(quotas: Quotas) -> None:
    limits = Limits(per_day=10, per_month=1)
    await quotas.take("tavily", "a", limits, at=_NOON)
    with pytest.raises(EngineQuota, match="limit of 1 call a month"):
        await quotas.take("tavily", "a", limits, at=_NOON)
    assert await quotas.used("tavily", "a", at=_NOON) == (1, 1)


async def test_a_dear_call_counts_for_several_and_engines_of_one_key_share_what_there_is(quotas: Quotas) -> None:
    news, prices = Limits(per_day=12, units=5), Limits(per_day=12, counted_with="eodhd")
    for _ in range(2):
        await quotas.take("eodhd", "a", news, at=_NOON)
    assert await quotas.used("eodhd", "a", at=_NOON) == (10, 10)
    with pytest.raises(EngineQuota, match="eodhd is at its limit of 12 calls a day") as caught:
        await quotas.take("eodhd", "a", news, at=_NOON)
    assert "Each of its calls counts as 5." in caught.value.advice
    for _ in range(2):
        await quotas.take("eodhd_quote", "a", prices, at=_NOON)
    with pytest.raises(EngineQuota, match="eodhd_quote is at its limit of 12 calls a day"):
        await quotas.take("eodhd_quote", "a", prices, at=_NOON)
    await quotas.take("eodhd_quote", "b", prices, at=_NOON)


async def test_of_many_that_ask_at_once_just_the_limit_get_through(quotas: Quotas) -> None:
    tries = (quotas.take("fmp", "a", Limits(per_day=5), at=_NOON) for _ in range(12))
    results = await asyncio.gather(*tries, return_exceptions=True)
    assert sum(isinstance(result, float) for result in results) == 5
    assert sum(isinstance(result, EngineQuota) for result in results) == 7


async def test_turns_are_spaced_by_the_rate_whoever_asks(database: Database) -> None:
    limits = Limits(per_second=2)
    one, other = Quotas(database), Quotas(database)
    waits = [await quotas.take("brave", "a", limits, at=_NOON) for quotas in (one, other, one)]
    assert waits == [0.0, 0.5, 1.0]
    assert await one.take("brave", "b", limits, at=_NOON) == 0.0
    assert await other.take("brave", "a", limits, at=_NOON + timedelta(seconds=10)) == 0.0


async def test_a_service_that_counts_by_the_minute_is_asked_at_once_after_a_rest(database: Database) -> None:
    limits = Limits(per_second=2, burst=3)
    one, other = Quotas(database), Quotas(database)
    waits = [await quotas.take("tavily", "a", limits, at=_NOON) for quotas in (one, other, one, other, one)]
    assert waits == [0.0, 0.0, 0.0, 0.5, 1.0]
    soon = _NOON + timedelta(seconds=2)
    assert [await one.take("tavily", "a", limits, at=soon) for _ in range(3)] == [0.0, 0.0, 0.5]
    later = _NOON + timedelta(minutes=5)
    assert [await one.take("tavily", "a", limits, at=later) for _ in range(4)] == [0.0, 0.0, 0.0, 0.5]


async def test_what_a_service_asks_for_is_remembered_by_every_process(database: Database) -> None:
    told, other = Quotas(database), Quotas(database)
    await told.rest("gdelt", KEYLESS, until=_NOON + timedelta(minutes=5), at=_NOON)
    for quotas in (told, other):
        with pytest.raises(EngineQuota, match="is not called until 2024-01-31 12:05 UTC") as caught:
            await quotas.heed("gdelt", KEYLESS, at=_NOON)
        assert caught.value.retry_after == 300
        with pytest.raises(EngineQuota):
            await quotas.take("gdelt", KEYLESS, Limits(), at=_NOON)
    assert await other.used("gdelt", KEYLESS, at=_NOON) == (0, 0)
    assert await other.heed("gdelt", KEYLESS, at=_NOON + timedelta(minutes=6)) == 0.0
    assert await other.heed("brave", KEYLESS, at=_NOON) == 0.0


async def test_a_short_rest_is_waited_for_and_a_shorter_one_does_not_end_it(quotas: Quotas) -> None:
    for seconds in (20, 5):
        await quotas.rest("brave", "a", until=_NOON + timedelta(seconds=seconds), at=_NOON)
    assert await quotas.take("brave", "a", Limits(per_second=1), at=_NOON) == 20.0
    assert await quotas.take("brave", "a", Limits(per_second=1), at=_NOON) == 21.0
    assert await quotas.heed("brave", "a", at=_NOON) == 20.0


def test_a_key_is_never_what_stands_in_the_table() -> None:
    assert "secret" not in account_of("secret")
    assert account_of("secret") == account_of("secret") != account_of("other")
    assert account_of(None) == "keyless"


async def test_turns_of_a_clock_that_was_wrong_hold_nobody_up(quotas: Quotas) -> None:
    limits, ahead = Limits(per_second=0.5), _NOON + timedelta(days=3)
    await quotas.take("arxiv", "a", limits, at=ahead)
    await quotas.rest("brave", "a", until=ahead + timedelta(hours=1), at=ahead)
    assert await quotas.take("arxiv", "a", limits, at=_NOON) == 0
    assert await quotas.take("arxiv", "a", limits, at=_NOON) == 2, "and those that follow stand in line"
    assert await Quotas(quotas._database).heed("brave", "a", at=_NOON) == 0
    assert await quotas.take("brave", "a", limits, at=_NOON) == 0
    await quotas.rest("brave", "a", until=_NOON + timedelta(seconds=9), at=_NOON)
    assert await quotas.heed("brave", "a", at=_NOON) == 9
