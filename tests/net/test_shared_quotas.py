"""Calls to engines are counted where they are made, and turns are shared with other processes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import pytest

from inquest.domain.errors import EngineQuota, StorageError
from inquest.kit.engine import Limits
from inquest.kit.exchange import Purpose, Reply, Request
from inquest.net.door import Door
from tests.net.loopback import QUICK, LoopbackWeb, MemoryRecording, SetClock, a_door, http, page, says


@dataclass
class Ledger:
    """kit.ports.QuotaCounter in memory, with a number of allowed calls."""

    allowed: int = 100
    taken: list[tuple[str, str]] = field(default_factory=list)
    heeded: list[str] = field(default_factory=list)
    rests: list[tuple[str, str, float]] = field(default_factory=list)
    trouble: Exception | None = None

    async def take(self, engine: str, account: str, limits: Limits, *, at: datetime) -> float:
        if self.trouble is not None:
            raise self.trouble
        if len(self.taken) >= self.allowed:
            raise EngineQuota(engine, f"{engine} is at its limit of {self.allowed} calls a day.", retry_after=60)
        self.taken.append((engine, account))
        return 0.0

    async def heed(self, engine: str, account: str, *, at: datetime) -> float:
        self.heeded.append(engine)
        return 0.0

    async def rest(self, engine: str, account: str, *, until: datetime, at: datetime) -> None:
        self.rests.append((engine, account, (until - at).total_seconds()))


LIMITS = {"keyed": Limits(per_second=0), "open": Limits(per_second=0)}


def a_counted_door(web: LoopbackWeb, ledger: Ledger, **more: Any) -> Door:
    return a_door(web, quotas=ledger, accounts={"keyed": "a1"}, limits=LIMITS, **more)


async def ask(door: Door, url: str, label: str = "keyed") -> Reply:
    return await door.fetch(Request(url=url), purpose=Purpose.ENGINE, label=label)


OK = says(http(200, b"{}", "application/json"))


async def test_each_call_of_an_engine_with_an_account_is_counted_and_one_without_costs_nothing() -> None:
    ledger = Ledger()
    async with LoopbackWeb({"/a": OK}) as web, a_counted_door(web, ledger) as door:
        await ask(door, web.url("/a"))
        await ask(door, web.url("/a"), "open")
        await page(door, web.url("/a"))
    assert ledger.taken == [("keyed", "a1")]
    assert ledger.heeded == ["open"]


async def test_a_call_that_is_tried_again_counts_again() -> None:
    ledger = Ledger()
    answers = says(http(503), http(200, b"{}", "application/json"))
    async with LoopbackWeb({"/a": answers}) as web, a_counted_door(web, ledger) as door:
        assert (await ask(door, web.url("/a"))).status == 200
    assert len(ledger.taken) == 2


async def test_what_is_served_from_the_recording_counts_nothing() -> None:
    ledger = Ledger(allowed=1)
    async with LoopbackWeb({"/a": OK}) as web, a_counted_door(web, ledger, recording=MemoryRecording()) as door:
        for case in ("c1", "c1", "c2"):
            await ask(door.for_case(case), web.url("/a"))
        await ask(door.for_case("c1", replay=True), web.url("/a"))
    assert len(ledger.taken) == 1


async def test_at_the_limit_nothing_is_asked_and_a_replay_meets_the_same_words() -> None:
    ledger = Ledger(allowed=0)
    async with LoopbackWeb({"/a": OK}) as web, a_counted_door(web, ledger, recording=MemoryRecording()) as door:
        for replay in (False, True):
            ledger.allowed = 100 if replay else 0
            with pytest.raises(EngineQuota, match=r"keyed is at its limit of 0 calls a day\.") as met:
                await ask(door.for_case("c1", replay=replay), web.url("/a"))
            assert met.value.retry_after == 60
        assert web.asked == []


@pytest.mark.parametrize(("label", "account"), [("keyed", "a1"), ("open", "keyless")])
async def test_a_service_that_says_not_before_is_taken_at_its_word(label: str, account: str) -> None:
    ledger = Ledger()
    async with (
        LoopbackWeb({"/a": says(http(429, Retry_After="900"))}) as web,
        a_counted_door(web, ledger, policy=replace(QUICK, attempts=1)) as door,
    ):
        assert (await ask(door, web.url("/a"), label)).status == 429
    assert ledger.rests == [(label, account, 900.0)]


async def test_a_database_that_fails_is_said_and_not_recorded_as_the_engines_fault() -> None:
    ledger, recording = Ledger(trouble=StorageError("The disk is full.")), MemoryRecording()
    async with LoopbackWeb({"/a": OK}) as web, a_counted_door(web, ledger, recording=recording) as door:
        with pytest.raises(StorageError):
            await ask(door.for_case("c1"), web.url("/a"))
    assert recording.failures == {}


POOLED = {
    "keyed": Limits(per_second=0),
    "prices": Limits(per_second=0, counted_with="keyed"),
    "other": Limits(per_second=0),
}


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (402, b"You exceeded your daily API requests limit. Please contact support."),
        (429, b'{"Error Message": "Limit Reach . Please upgrade your plan or visit our documentation."}'),
        (403, b'{"message": "The daily quota of 500 calls is used up."}'),
    ],
)
async def test_a_service_that_says_the_day_is_used_up_is_left_alone_until_tomorrow_with_all_of_its_key(
    status: int, said: bytes
) -> None:
    ledger = Ledger()
    refused = says(http(status, said, "text/plain"))
    async with LoopbackWeb({"/a": refused}) as web:
        clock = SetClock(datetime(2026, 7, 15, 12, tzinfo=UTC))
        accounts = {"keyed": "a1", "prices": "a1", "other": "b1"}
        async with a_door(web, quotas=ledger, accounts=accounts, limits=POOLED, clock=clock) as door:
            await ask(door, web.url("/a"), "prices")
    assert {rest[:2] for rest in ledger.rests} == {("keyed", "a1"), ("prices", "a1")}
    assert {seconds for _, _, seconds in ledger.rests} == {12 * 3600.0}


@pytest.mark.parametrize(
    "said",
    [
        b"Too many requests in this minute.",
        b"Your plan does not hold this endpoint.",
        b"Limit: 10 per second, 500 per day",
    ],
)
async def test_another_refusal_closes_no_day(said: bytes) -> None:
    ledger = Ledger()
    async with LoopbackWeb({"/a": says(http(402, said, "text/plain"))}) as web, a_counted_door(web, ledger) as door:
        await ask(door, web.url("/a"))
    assert not ledger.rests
