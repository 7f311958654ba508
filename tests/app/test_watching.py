"""A watched topic is investigated on its schedule, and the changes since the last run are reported."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta
from pathlib import Path

import pytest

from inquest.app.cases.topic_records import topics_of
from inquest.app.desks import watching
from inquest.app.desks.watching import keep_watching, parse_every, run_due, unwatch, watch, watches_of
from inquest.app.settings import load_settings
from inquest.app.wiring.resources import Resources, open_resources
from inquest.domain.case import Case
from inquest.domain.errors import InputError, Outage
from inquest.domain.report import OutageNote
from inquest.domain.topic import Topic, VerificationLevel
from tests.app.topic_cases import Runs, SetClock

UNVERIFIED, VERIFIED, CERTIFIED = VerificationLevel
DAY = timedelta(days=1)


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
async def app(tmp_path: Path, clock: SetClock) -> AsyncIterator[Resources]:
    async with open_resources(load_settings(home=tmp_path / "home"), clock=clock) as opened:
        yield opened


@pytest.fixture
async def topic(app: Resources) -> Topic:
    return (await (await topics_of(app)).add(Topic(title="The dam at Orrin leaks")))[0]


Play = Callable[[Callable[[Topic], Awaitable[Case]]], None]


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> Play:
    """Sets what each investigation of a topic from now on is."""
    return lambda run: monkeypatch.setattr(watching, "run_topic", lambda app, topic, by: run(topic))


async def test_it_runs_when_it_is_due_and_not_before(app: Resources, clock: SetClock, topic: Topic, play: Play) -> None:
    runs = Runs(app, clock, [UNVERIFIED, VERIFIED])
    kept, is_new = await watch(app, topic, every=DAY, by="The desk")
    assert (is_new, kept.next_at) == (True, clock.now())
    play(runs)
    [first] = await run_due(app)
    assert (first.failed, first.changes, first.next_at) == (False, None, clock.now() + DAY)
    assert "nothing to compare" in first.why
    clock.move(hours=23)
    assert await run_due(app) == []
    clock.move(hours=1)
    [second] = await run_due(app)
    assert second.changes is not None
    assert second.lines[0] == "The level is verified; it was unverified."
    assert [page.url for page in second.changes.new_sources] == ["https://paper3.example/story"]
    assert isinstance(second.subject, Topic) and second.subject.verification_status is VERIFIED
    [(kept, _)] = await watches_of(app)
    assert kept.changes == second.lines


async def test_a_run_that_fails_is_told_and_the_next_is_compared_with_the_last_that_did_not(
    app: Resources, clock: SetClock, topic: Topic, play: Play
) -> None:
    runs = Runs(app, clock, [UNVERIFIED, CERTIFIED])

    async def fails(topic: Topic) -> Case:
        raise Outage("There is no network.")

    await watch(app, topic, every=DAY, by="A")
    play(runs)
    await run_due(app)
    clock.move(days=1, minutes=5)
    play(fails)
    [failed] = await run_due(app)
    assert (failed.failed, failed.why) == (True, "There is no network.")
    [(kept, _)] = await watches_of(app)
    assert (kept.failures, kept.why, kept.next_at) == (1, "There is no network.", clock.now() + DAY)
    clock.move(days=1, minutes=5)
    play(runs)
    [again] = await run_due(app)
    assert again.lines[0] == "The level is certified; it was unverified."
    assert (await watches_of(app))[0][0].failures == 0


async def test_one_failing_watch_does_not_keep_others_waiting(
    app: Resources, clock: SetClock, topic: Topic, play: Play
) -> None:
    other, _ = await (await topics_of(app)).add(Topic(title="Other"))
    runs = Runs(app, clock, [VERIFIED])

    async def first_fails(topic: Topic) -> Case:
        if topic.title != "Other":
            raise Outage("There is no network.")
        return await runs(topic)

    for each in (topic, other):
        await watch(app, each, every=DAY, by="A")
    play(first_fails)
    assert [each.failed for each in await run_due(app)] == [True, False]


async def test_two_schedules_at_once_run_each_watch_once(
    app: Resources, clock: SetClock, topic: Topic, play: Play
) -> None:
    await watch(app, topic, every=DAY, by="A")
    runs = Runs(app, clock, [VERIFIED, VERIFIED])
    play(runs)
    done = await asyncio.gather(run_due(app), run_due(app))
    assert sorted(len(each) for each in done) == [0, 1]
    assert len(runs.topics) == 1


async def test_one_that_is_stopped_in_the_middle_is_still_due_at_once(
    app: Resources, clock: SetClock, topic: Topic, play: Play
) -> None:
    await watch(app, topic, every=DAY, by="A")
    begun = asyncio.Event()

    async def hangs(topic: Topic) -> Case:
        begun.set()
        await asyncio.Event().wait()
        raise AssertionError

    play(hangs)
    run = asyncio.create_task(run_due(app))
    await begun.wait()
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run
    play(Runs(app, clock, [VERIFIED]))
    [again] = await run_due(app)
    assert not again.failed


async def test_a_run_of_which_a_part_is_missing_says_so_even_where_nothing_differs(
    app: Resources, clock: SetClock, topic: Topic, play: Play
) -> None:
    out = (OutageNote(what="engine", where="gdelt", why="It timed out.", at=clock.now()),)

    class Same(Runs):
        async def __call__(self, topic: Topic) -> Case:
            self.topics.clear()
            return await super().__call__(topic)

    runs = Same(app, clock, [UNVERIFIED, UNVERIFIED])
    runs.outages = out
    await watch(app, topic, every=DAY, by="A")
    play(runs)
    await run_due(app)
    clock.move(days=2)
    [second] = await run_due(app)
    assert (second.json["changed"], second.json["complete"]) == (False, False)
    assert second.lines == ("Could be queried neither then nor now: engine gdelt.",)
    assert second.why.startswith("The run is partial.")


async def test_how_often_can_be_changed_and_a_watch_taken_off(
    app: Resources, clock: SetClock, topic: Topic, play: Play
) -> None:
    await watch(app, topic, every=DAY, by="A")
    play(Runs(app, clock, [UNVERIFIED]))
    await run_due(app)
    kept, is_new = await watch(app, topic, every=timedelta(hours=2), by="B")
    assert (is_new, kept.every, kept.added_by) == (False, timedelta(hours=2), "A")
    assert kept.next_at == clock.now() + timedelta(hours=2)
    assert await unwatch(app, topic)
    assert not await unwatch(app, topic)
    assert await watches_of(app) == []


async def test_for_ever_means_sleeping_until_something_is_due_but_never_long(
    app: Resources, clock: SetClock, topic: Topic, play: Play
) -> None:
    naps = []

    async def sleep(seconds: float) -> None:
        naps.append(seconds)
        clock.move(seconds=seconds)

    runs = Runs(app, clock, [UNVERIFIED, VERIFIED], seconds=1)
    await watch(app, topic, every=timedelta(minutes=10), by="A")
    play(runs)
    await keep_watching(app, sleep=sleep, turns=12)
    assert len(runs.topics) == 2
    assert max(naps) == 60


@pytest.mark.parametrize(
    ("text", "every"),
    [("1d", DAY), ("1h30m", timedelta(minutes=90)), ("600", DAY / 144)],
)
def test_intervals(text: str, every: timedelta) -> None:
    assert parse_every(text) == every


@pytest.mark.parametrize("text", ["", "often", "5m", "367d", "-1d"])
def test_what_is_no_interval(text: str) -> None:
    with pytest.raises(InputError):
        parse_every(text)
