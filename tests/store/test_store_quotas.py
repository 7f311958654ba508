"""Quotas: counted per engine, key and period, and shared by all that use the database."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from inquest.domain.errors import EngineQuota
from inquest.kit.engine import Limits
from inquest.store.database import Database
from inquest.store.quotas import Quotas, account_of

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
    with pytest.raises(EngineQuota, match="2 calls a day") as caught:
        await quotas.take("eodhd", "a", limits, at=_NOON)
    assert caught.value.retry_after == 12 * 3600
    assert caught.value.advice == "They renew at 2024-02-01 00:00 UTC."
    assert await quotas.used("eodhd", "a", at=_NOON) == (2, 2)
    await quotas.take("eodhd", "a", limits, at=_NOON + timedelta(hours=12))


async def test_the_month_s_limit_leaves_the_day_s_count_as_it_was(quotas: Quotas) -> None:
    limits = Limits(per_day=10, per_month=1)
    await quotas.take("tavily", "a", limits, at=_NOON)
    with pytest.raises(EngineQuota, match="1 calls a month"):
        await quotas.take("tavily", "a", limits, at=_NOON)
    assert await quotas.used("tavily", "a", at=_NOON) == (1, 1)


async def test_a_limit_of_nothing_allows_nothing(quotas: Quotas) -> None:
    with pytest.raises(EngineQuota):
        await quotas.take("tavily", "a", Limits(per_month=0), at=_NOON)


async def test_of_many_that_ask_at_once_just_the_limit_get_through(quotas: Quotas) -> None:
    tries = (quotas.take("fmp", "a", Limits(per_day=5), at=_NOON) for _ in range(12))
    results = await asyncio.gather(*tries, return_exceptions=True)
    assert results.count(None) == 5
    assert sum(isinstance(result, EngineQuota) for result in results) == 7


def test_a_key_is_never_what_stands_in_the_table() -> None:
    assert "secret" not in account_of("secret")
    assert account_of("secret") == account_of("secret") != account_of("other")
    assert account_of(None) == "keyless"
