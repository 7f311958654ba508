"""Turns, circuit breakers and retries, on clocks that the test moves."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import format_datetime

import pytest

from inquest.net.pace import Breaker, Pace, can_pass, retry_after, tried
from inquest.net.policy import RequestPolicy
from inquest.net.wire import Failure, FailureKind, WireAnswer

NOON = datetime(2025, 3, 1, 12, 0, tzinfo=UTC)


class Time:
    """Time in seconds; sleeping moves it."""

    def __init__(self) -> None:
        self.at = 0.0

    def now(self) -> float:
        return self.at

    async def sleep(self, seconds: float) -> None:
        self.at += seconds
        await asyncio.sleep(0)


async def test_turns_come_one_after_the_other_in_the_order_of_asking() -> None:
    time, turns = Time(), []
    pace = Pace(interval=2.0, concurrency=1, now=time.now, sleep=time.sleep)

    async def take(name: str) -> None:
        async with pace.turn():
            turns.append((name, time.at))

    await asyncio.gather(*(take(name) for name in "abcd"))
    assert turns == [("a", 0.0), ("b", 2.0), ("c", 4.0), ("d", 6.0)]
    time.at = 100
    await take("e")  # idle time is not saved up, and costs nothing
    assert turns[-1] == ("e", 100)


async def test_after_a_rest_as_many_go_together_as_the_service_allows() -> None:
    time, turns = Time(), []
    pace = Pace(interval=2.0, concurrency=1, burst=3, now=time.now, sleep=time.sleep)

    async def take() -> None:
        async with pace.turn():
            turns.append(time.at)

    for _ in range(5):
        await take()
    assert turns == [0.0, 0.0, 0.0, 2.0, 4.0]
    time.at = 100
    for _ in range(4):
        await take()
    assert turns[5:] == [100, 100, 100, 102]


async def test_a_turn_that_does_not_count_lets_the_next_follow_at_once_and_waits_like_any_other() -> None:
    time, turns = Time(), []
    pace = Pace(interval=2.0, concurrency=1, now=time.now, sleep=time.sleep)
    for counted in (False, True, False, True):
        async with pace.turn(counted=counted):
            turns.append(time.at)
    assert turns == [0.0, 0.0, 2.0, 2.0]


async def test_after_a_refusal_turns_wait_and_then_come_one_by_one_until_they_succeed() -> None:
    time, turns = Time(), []
    pace = Pace(interval=0.0, concurrency=8, now=time.now, sleep=time.sleep)

    async def take() -> None:
        async with pace.turn():
            turns.append(time.at)

    for seconds in (10.0, 20.0):  # two calls refused at once
        pace.hold(seconds)
    for _ in range(3):
        await take()
    assert turns == [20.0, 21.0, 22.0]
    pace.hold(5.0)
    for _ in range(3):
        await take()
    assert turns[3:] == [27.0, 29.0, 31.0]
    for _ in range(20):
        pace.ease()
    time.at = 100.0
    for _ in range(3):
        await take()
    assert turns[6:] == [100.0, 100.0, 100.0]


async def test_a_pace_can_be_slowed_down_and_not_sped_up() -> None:
    time = Time()
    pace = Pace(interval=1.0, concurrency=1, now=time.now, sleep=time.sleep)
    pace.slow_down(5.0)
    pace.slow_down(0.1)
    for _ in range(3):
        async with pace.turn():
            pass
    assert time.at == 10.0


async def test_who_gives_up_waiting_leaves_the_place_to_the_next() -> None:
    time, let_go = Time(), asyncio.Event()
    pace = Pace(interval=0.0, concurrency=1, now=time.now, sleep=time.sleep)

    async def hold() -> None:
        async with pace.turn():
            await let_go.wait()

    holding, leaving, staying = (asyncio.create_task(hold()) for _ in range(3))
    await asyncio.sleep(0)
    leaving.cancel()
    await asyncio.sleep(0)
    let_go.set()
    await asyncio.wait_for(asyncio.gather(holding, staying), 5)


def test_a_breaker_opens_after_failures_in_a_row_and_lets_one_try_after_a_rest() -> None:
    time = Time()
    breaker = Breaker(threshold=2, rest=60.0, now=time.now)
    for outcome in (breaker.failed, breaker.succeeded, breaker.failed):
        assert breaker.wait() == 0
        outcome()
    assert breaker.wait() == 0
    breaker.failed()
    assert breaker.wait() == 60
    time.at = 59
    assert breaker.wait() == 1
    time.at = 61
    assert breaker.wait() == 0  # this one tries
    assert breaker.wait() > 0  # and no other meanwhile
    breaker.failed()
    assert breaker.wait() == 60
    time.at = 200
    assert breaker.wait() == 0
    breaker.abandoned()  # cancelled: the next one may try
    assert breaker.wait() == 0
    breaker.succeeded()
    assert [breaker.wait() for _ in range(3)] == [0, 0, 0]


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120.0),
        (" 0 ", 0.0),
        (format_datetime(NOON.replace(minute=1), usegmt=True), 60.0),
        (format_datetime(NOON.replace(hour=1), usegmt=True), 0.0),
        ("Sat, 01 Mar 2025 12:00:30 -0000", None),
        ("soon", None),
        ("-5", None),
        ("1.5", None),
        ("", None),
        (None, None),
    ],
)
def test_retry_after_is_a_number_or_a_date(value: str | None, seconds: float | None) -> None:
    assert retry_after(value, NOON) == seconds


@pytest.mark.parametrize(
    ("status", "passing"),
    [(200, False), (404, False), (429, True), (500, True), (501, False), (503, True), (524, True)],
)
def test_what_can_pass(status: int, passing: bool) -> None:
    assert can_pass(status) is passing


class Tries:
    """Gives the outcomes in turn and records the waits between them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *outcomes: WireAnswer | Failure) -> None:
        self.outcomes = list(outcomes)
        self.waits: list[float] = []
        monkeypatch.setattr("stamina._core._smart_sleep", self.sleep)

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)

    async def once(self) -> WireAnswer:
        outcome = self.outcomes.pop(0)
        if isinstance(outcome, Failure):
            raise outcome
        return outcome

    async def run(self, *, left: float | None = None, slow_attempts: int = 2, jitter: float = 0) -> WireAnswer:
        return await tried(
            self.once,
            policy=replace(RequestPolicy(), jitter=jitter),
            slow_attempts=slow_attempts,
            now=lambda: NOON,
            seconds_left=lambda: left,
        )


FINE, BUSY = WireAnswer(200, (), b"fine"), WireAnswer(503, (), b"busy")
BROKEN = Failure(FailureKind.UNREACHABLE, "broke off the connection")
SLOW = Failure(FailureKind.SLOW, "did not answer")


def later(value: str) -> WireAnswer:
    return WireAnswer(429, (("retry-after", value),), b"")


async def test_the_waits_double(monkeypatch: pytest.MonkeyPatch) -> None:
    tries = Tries(monkeypatch, BUSY, BROKEN, FINE)
    assert await tries.run() is FINE
    assert tries.waits == [1.0, 2.0]


async def test_after_three_attempts_a_reply_is_handed_over_and_a_failure_raised(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert await Tries(monkeypatch, BROKEN, BROKEN, BUSY).run() is BUSY
    with pytest.raises(Failure, match="broke"):
        await Tries(monkeypatch, BUSY, BUSY, BROKEN).run()


async def test_the_jitter_is_within_its_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    tries = Tries(monkeypatch, BUSY, BUSY, FINE)
    await tries.run(jitter=0.5)
    assert 1.0 <= tries.waits[0] <= 1.5 and 2.0 <= tries.waits[1] <= 2.5


async def test_the_server_says_how_long_within_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    tries = Tries(monkeypatch, later("7"), later("Sat, 01 Mar 2025 12:00:09 GMT"), FINE)
    assert await tries.run() is FINE
    assert tries.waits == [7.0, 9.0]
    too_long = Tries(monkeypatch, later("31"))
    assert (await too_long.run()).status == 429 and too_long.waits == []


async def test_what_cannot_pass_is_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in (FailureKind.BROKEN, FailureKind.TOO_LARGE, FailureKind.INSECURE, FailureKind.UNKNOWN_NAME):
        tries = Tries(monkeypatch, Failure(kind, "no"))
        with pytest.raises(Failure):
            await tries.run()
        assert tries.waits == []


async def test_a_time_out_costs_its_whole_time_and_is_borne_so_often_only(monkeypatch: pytest.MonkeyPatch) -> None:
    for slow_attempts, waits in ((1, []), (2, [1.0])):
        tries = Tries(monkeypatch, SLOW, SLOW, SLOW)
        with pytest.raises(Failure):
            await tries.run(slow_attempts=slow_attempts)
        assert tries.waits == waits


async def test_no_wait_goes_beyond_the_time_that_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    tries = Tries(monkeypatch, later("5"))
    assert (await tries.run(left=4.0)).status == 429
    tries = Tries(monkeypatch, BUSY)
    assert await tries.run(left=0.5) is BUSY and tries.waits == []
