"""The door: recorded replies, cached replies, replays, and requests that are never repeated."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from inquest.domain.errors import (
    BudgetMet,
    EngineUnavailable,
    NotRecorded,
    Outage,
    PageForbidden,
    PageUnavailable,
)
from inquest.domain.report import Cost
from inquest.kit.engine import Limits
from inquest.kit.exchange import Purpose, Reply, Request
from inquest.retrieval.budget import CaseBudget
from tests.net.loopback import (
    QUICK,
    Asked,
    LoopbackWeb,
    MemoryRecording,
    Purse,
    SetClock,
    a_door,
    drips,
    engine,
    http,
    in_turn,
    model,
    never,
    page,
    resets,
    says,
    says_and_closes,
)

FINE = http(200, b"<p>fine</p>")


async def test_a_reply_is_handed_over_whole() -> None:
    answer = says(http(200, b"<p>fine</p>", "text/html; charset=utf-8", Set_Cookie="track=me", X_Note="seen"))
    clock = SetClock()
    async with LoopbackWeb({"/x": answer}) as web, a_door(web, clock=clock) as door:
        reply = await page(door, web.url("/x?q=1#part"))
        assert reply == Reply(
            url=web.url("/x?q=1"),
            status=200,
            headers=(("content-type", "text/html; charset=utf-8"), ("x-note", "seen")),
            body=b"<p>fine</p>",
            at=clock.time,
        )
        assert web.asked[-1].headers["user-agent"].startswith("Inquest/")
        assert web.asked[-1].headers["accept-encoding"] == "gzip, deflate"


async def test_connections_are_used_again_and_cookies_are_not() -> None:
    answer = says(http(200, b"<p>fine</p>", Set_Cookie="track=me"))
    async with LoopbackWeb({"/x": answer}) as web, a_door(web) as door:
        for n in range(5):
            await page(door, web.url(f"/x?{n}"))
        assert web.connections == 1
        assert not any("cookie" in asked.headers for asked in web.asked)


async def test_a_connection_that_the_server_has_closed_is_not_used_again() -> None:
    policy = replace(QUICK, attempts=1, obey_robots=False)
    async with LoopbackWeb({"/x": says_and_closes(FINE)}) as web, a_door(web, policy=policy) as door:
        for number in range(3):
            assert (await page(door, web.url(f"/x?{number}"))).status == 200
            while web.closed <= number:
                await asyncio.sleep(0.01)
        assert web.connections == 3


async def test_a_case_pays_for_nothing_twice() -> None:
    recording = MemoryRecording()
    async with LoopbackWeb({"/x": says(FINE)}) as web, a_door(web, recording=recording) as door:
        for run in range(2):  # the second one is the resumed case
            case = door.for_case("c1")
            for ask in (page, engine, model):
                reply = await ask(case, web.url("/x"))
                assert (reply.status, reply.recorded) == (200, run == 1)
        assert len(web.paths) == 3


async def test_another_case_shares_engine_and_page_replies_for_a_day_and_model_replies_never() -> None:
    clock = SetClock()
    recording = MemoryRecording(clock)
    async with LoopbackWeb({"/x": says(FINE)}) as web, a_door(web, recording=recording, clock=clock) as door:
        for ask in (page, engine, model):
            await ask(door.for_case("c1"), web.url("/x"))
        second = door.for_case("c2")
        assert [(await ask(second, web.url("/x"))).recorded for ask in (page, engine, model)] == [True, True, False]
        assert len(web.paths) == 4

        replay = door.for_case("c2", replay=True)  # cached replies are recorded for this case too
        assert [(await ask(replay, web.url("/x"))).recorded for ask in (page, engine, model)] == [True] * 3

        assert not (await page(door.for_case("c3", cache_age=None), web.url("/x"))).recorded
        clock.time += timedelta(hours=25)
        assert not (await engine(door.for_case("c4"), web.url("/x"))).recorded


async def test_a_replay_meets_what_the_case_met_and_asks_nothing() -> None:
    recording = MemoryRecording()
    web_at = {
        "/fine": says(FINE),
        "/gone": says(http(404)),
        "/shut": says(http(403)),
        "/busy": says(http(503)),
        "/reset": resets,
    }
    async with LoopbackWeb(web_at) as web, a_door(web, recording=recording) as door:

        async def run(replay: bool) -> list[object]:
            case = door.for_case("c1", replay=replay)
            seen: list[object] = []
            for path in web_at:
                for ask in (page, engine, model):
                    try:
                        reply = await ask(case, web.url(path))
                        seen.append((reply.status, reply.body, reply.at))
                    except Outage as error:
                        seen.append((type(error), str(error), error.advice, vars(error)))
            return seen

        first = await run(replay=False)
        asked = len(web.asked)
        assert await run(replay=True) == first
        assert len(web.asked) == asked

        with pytest.raises(NotRecorded, match="never requested"):
            await page(door.for_case("c1", replay=True), web.url("/other"))
        with pytest.raises(NotRecorded):
            await page(door.for_case("c2", replay=True), web.url("/fine"))
        assert len(web.asked) == asked


async def test_within_a_run_the_same_question_has_one_answer_and_a_resumed_case_asks_again() -> None:
    recording = MemoryRecording()
    answer = in_turn(resets, resets, resets, says(FINE))
    busy = says(http(503), http(503), http(503), FINE)
    async with LoopbackWeb({"/x": answer, "/busy": busy}) as web, a_door(web, recording=recording) as door:
        case = door.for_case("c1")
        for _ in range(2):
            with pytest.raises(EngineUnavailable):
                await engine(case, web.url("/x"))
            assert (await engine(case, web.url("/busy"))).status == 503
        assert len(web.paths) == 6

        resumed = door.for_case("c1")
        assert (await engine(resumed, web.url("/x"))).status == 200
        assert (await engine(resumed, web.url("/busy"))).status == 200
        replay = door.for_case("c1", replay=True)
        assert (await engine(replay, web.url("/x"))).status == 200
        assert (await engine(replay, web.url("/busy"))).status == 200


async def test_without_a_case_nothing_is_remembered_against_a_page() -> None:
    answer = in_turn(resets, resets, resets, says(FINE))
    async with LoopbackWeb({"/x": answer}) as web, a_door(web, recording=MemoryRecording()) as door:
        with pytest.raises(PageUnavailable):
            await page(door, web.url("/x"))
        assert (await page(door, web.url("/x"))).status == 200


async def test_keys_are_in_nothing_that_is_kept_and_a_replay_needs_none() -> None:
    recording = MemoryRecording()
    key = "k/ey+123 secret"
    echo = http(200, b'{"you sent": "k/ey+123 secret"}', "application/json", X_Echo="k%2Fey%2B123%20secret")

    def request(key: str | None) -> Request:
        secrets = (key,) if key else ()
        return Request(
            url=web.url(f"/x?api_key={(key or 'SECRET-LEFT-OUT').replace('/', '%2F').replace('+', '%2B')}&q=a"),
            method="POST",
            headers=(("Content-Type", "application/json"), *((("X-API-Key", key),) if key else ())),
            body=f'{{"key": "{key or "SECRET-LEFT-OUT"}"}}'.encode(),
            secrets=secrets,
        )

    key = key.replace(" ", "-")
    echo = echo.replace(b"123 secret", b"123-secret").replace(b"123%20secret", b"123-secret")
    async with LoopbackWeb({"/x": says(echo)}) as web, a_door(web, recording=recording) as door:
        reply = await door.for_case("c1").fetch(request(key), purpose=Purpose.ENGINE, label="alpha")
        assert key in web.asked[0].body.decode() and web.asked[0].headers["x-api-key"] == key
        assert reply.body == b'{"you sent": "SECRET-LEFT-OUT"}'
        assert reply.header("x-echo") == "SECRET-LEFT-OUT"
        kept = repr(recording.replies)
        assert "123-secret" not in kept and "SECRET-LEFT-OUT" in kept

        again = await door.for_case("c1", replay=True).fetch(request(None), purpose=Purpose.ENGINE, label="alpha")
        assert again.body == reply.body


async def test_keys_are_in_no_message() -> None:
    request = Request(url="http://10.0.0.1/?key=abcd1234", secrets=("abcd1234",))
    async with a_door() as door:
        for purpose in Purpose:
            with pytest.raises(Exception, match=r"10\.0\.0\.1/\?key=SECRET-LEFT-OUT is not fetched") as met:
                await door.fetch(request, purpose=purpose)
            assert "abcd1234" not in repr(met.value) + repr(vars(met.value))


async def test_keys_do_not_follow_a_redirect_to_another_place() -> None:
    async with LoopbackWeb({"/end": says(FINE)}) as other, LoopbackWeb() as web:
        web.at["/x"] = says(http(302, Location=other.url("/end")))
        web.at["/y"] = says(http(302, Location="/end"))
        web.at["/end"] = says(FINE)
        hosts = [f"127.0.0.1:{web.port}", f"127.0.0.1:{other.port}"]
        async with a_door(allow_hosts=hosts) as door:
            for path in ("/x", "/y"):
                headers = (("Authorization", "Bearer abcd1234"), ("X-Mine", "abcd1234"), ("X-Other", "fine"))
                request = Request(url=web.url(path), headers=headers, secrets=("abcd1234",))
                await door.fetch(request, purpose=Purpose.ENGINE, label="alpha")
            assert "authorization" in web.asked[-1].headers and "x-mine" in web.asked[-1].headers
            away = other.asked[-1].headers
            assert "authorization" not in away and "x-mine" not in away and away["x-other"] == "fine"


async def test_the_same_question_asked_at_once_is_asked_once() -> None:
    async def slowly(asked: Asked, writer: asyncio.StreamWriter) -> bool:
        await asyncio.sleep(0.05)
        writer.write(FINE)
        return True

    async with LoopbackWeb({"/x": slowly}) as web, a_door(web) as door:
        case = door.for_case("c1")
        replies = await asyncio.gather(*(engine(case, web.url("/x")) for _ in range(10)))
        assert len(web.asked) == 1 and {reply.body for reply in replies} == {b"<p>fine</p>"}
        assert sorted(reply.recorded for reply in replies) == [False] + [True] * 9, "one of them pays"

        impatient, patient = (asyncio.create_task(engine(door, web.url("/x?2"))) for _ in range(2))
        await asyncio.sleep(0.01)
        impatient.cancel()
        assert (await patient).status == 200
        with pytest.raises(asyncio.CancelledError):
            await impatient


async def test_who_is_cancelled_leaves_nothing_behind() -> None:
    async with LoopbackWeb({"/x": never}) as web, a_door(web) as door:
        asking = asyncio.create_task(engine(door, web.url("/x")))
        await asyncio.sleep(0.05)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert [task for task in asyncio.all_tasks() if "_call" in repr(task.get_coro())] == []


async def test_what_has_not_come_when_the_time_is_over_is_an_outage_that_a_replay_meets_too() -> None:
    recording = MemoryRecording()
    async with LoopbackWeb({"/slow": drips(0.05)}) as web, a_door(web, recording=recording) as door:
        for left in (0.1, 0.0):
            case = door.for_case(f"c{left}", Purse(seconds_left=left))
            with pytest.raises(PageUnavailable, match="the time limit of the case was reached") as met:
                await page(case, web.url("/slow"))
            with pytest.raises(PageUnavailable) as again:
                await page(door.for_case(f"c{left}", replay=True), web.url("/slow"))
            assert str(again.value) == str(met.value)


async def test_a_call_that_the_budget_cannot_pay_for_is_not_made() -> None:
    async with LoopbackWeb({"/x": says(FINE)}) as web, a_door(web) as door:
        case = door.for_case("c1", CaseBudget(usd=0.01))
        request = Request(url=web.url("/x"), usd=0.006)
        await case.fetch(request, purpose=Purpose.ENGINE, label="alpha")
        with pytest.raises(EngineUnavailable, match="exceeded the remaining budget"):
            await case.fetch(replace(request, url=web.url("/y")), purpose=Purpose.ENGINE, label="alpha")
        assert len(web.asked) == 1


async def test_no_more_calls_are_made_than_the_budget_has_and_a_page_is_none() -> None:
    async with LoopbackWeb({"/x": says(FINE), "/y": says(http(503))}) as web, a_door(web) as door:
        budget = CaseBudget(calls=2, spent=Cost(model_calls=1))
        case = door.for_case("c1", budget)
        await engine(case, web.url("/x"))
        with pytest.raises(EngineUnavailable, match="exceeded the remaining budget"):
            await engine(case, web.url("/y"))
        await page(case, web.url("/x?page"))
        assert web.paths.count("/y") == 0
        assert budget.short_of is not None and budget.short_of.kind == "calls"


async def test_a_host_that_is_not_there_is_asked_three_times_and_then_left_alone() -> None:
    async with a_door(policy=replace(QUICK, attempts=1), allow_hosts=("127.0.0.1:9",)) as door:
        said = []
        for number in range(5):
            with pytest.raises(PageUnavailable) as met:
                await page(door, f"http://127.0.0.1:9/{number}")
            said.append("is not queried for a while" in str(met.value))
        assert said == [False, False, False, True, True]


async def test_an_exchange_takes_no_longer_than_its_share_of_a_case() -> None:
    async with LoopbackWeb({"/slow": drips(0.05)}) as web, a_door(web) as door:
        case = door.for_case("c1", longest={Purpose.PAGE: 0.1})
        with pytest.raises(PageUnavailable):
            await page(case, web.url("/slow"))
        assert [asked.path for asked in web.asked].count("/slow") == 1


async def test_no_retry_is_begun_that_the_time_does_not_allow() -> None:
    policy = replace(QUICK, first_wait=5)
    async with LoopbackWeb({"/x": says(http(503))}) as web, a_door(web, policy=policy) as door:
        case = door.for_case("c1", Purse(seconds_left=2))
        assert (await engine(case, web.url("/x"))).status == 503
        assert len(web.asked) == 1


async def test_a_budget_that_is_met_ends_the_asking_and_leaves_what_is_recorded() -> None:
    recording = MemoryRecording()
    async with LoopbackWeb({"/x": says(FINE)}) as web, a_door(web, recording=recording) as door:
        await page(door.for_case("c1"), web.url("/x"))
        spent = Purse(met=BudgetMet("usd", "All spent."))
        assert (await page(door.for_case("c1", spent), web.url("/x"))).recorded
        with pytest.raises(BudgetMet):
            await page(door.for_case("c1", spent), web.url("/y"))
        assert "/y" not in web.paths


async def test_a_mounted_scheme_never_leaves_the_machine_and_is_recorded_like_any() -> None:
    clock, asked = SetClock(), []

    async def collection(request: Request) -> Reply:
        asked.append(request.url)
        return Reply(url=request.url, status=200, body=b'{"results": []}', at=clock.now())

    mounts = {"collection": collection}
    async with a_door(recording=MemoryRecording(), clock=clock, mounts=mounts) as door:
        url = "collection://docs/search?q=a"
        assert (await engine(door.for_case("c1"), url)).json() == {"results": []}
        assert (await engine(door.for_case("c1"), url)).recorded
        assert (await engine(door.for_case("c1", replay=True), url)).recorded
        assert not (await engine(door.for_case("c2"), url)).recorded  # a collection may have changed since
        assert len(asked) == 2
        with pytest.raises(EngineUnavailable, match="scheme 'other'"):
            await engine(door, "other://docs/search")


async def test_an_engine_that_is_out_of_order_is_left_alone_for_a_while() -> None:
    policy = replace(QUICK, breaker_threshold=2, attempts=1)
    async with LoopbackWeb({"/x": resets, "/fine": says(FINE)}) as web, a_door(web, policy=policy) as door:
        for n in range(2):
            with pytest.raises(EngineUnavailable, match="broke off the connection"):
                await engine(door, web.url(f"/x?{n}"))
        with pytest.raises(EngineUnavailable, match="alpha failed several times in a row and is not queried"):
            await engine(door, web.url("/fine"))
        assert len(web.asked) == 2
        assert (await engine(door, web.url("/fine"), label="beta")).status == 200


async def test_a_service_that_an_engine_asks_for_another_is_named_and_paced_as_itself() -> None:
    policy = replace(QUICK, breaker_threshold=1, attempts=1)
    async with (
        LoopbackWeb({"/x": resets, "/fine": says(FINE)}) as web,
        a_door(web, policy=policy, titles={"alpha": "Alpha", "names": "Index of Names"}) as door,
    ):
        asked = Request(url=web.url("/x"), service="names")
        for why in ("broke off the connection", "failed several times"):
            with pytest.raises(EngineUnavailable, match=f"Index of Names {why}"):
                await door.fetch(asked, purpose=Purpose.ENGINE, label="alpha")
        assert (await engine(door, web.url("/fine"))).status == 200


class AtOnce:
    """Answers after a moment, and counts concurrent requests."""

    def __init__(self) -> None:
        self.now = self.most = 0

    async def __call__(self, asked: Asked, writer: asyncio.StreamWriter) -> bool:
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(0.1)
        self.now -= 1
        writer.write(FINE)
        return True


async def test_an_engine_is_asked_no_more_at_once_than_its_spec_says() -> None:
    counts = AtOnce()
    limits = {"alpha": Limits(per_second=1000, concurrency=2)}
    async with LoopbackWeb({"/x": counts}) as web, a_door(web, limits=limits) as door:
        await asyncio.gather(*(engine(door, web.url(f"/x?{n}")) for n in range(8)))
    assert counts.most == 2


async def test_a_models_server_is_no_place_for_pages() -> None:
    async with LoopbackWeb({"/x": says(FINE)}) as web, a_door(model_hosts=[f"127.0.0.1:{web.port}"]) as door:
        assert (await model(door, web.url("/x"))).status == 200
        with pytest.raises(PageForbidden):
            await page(door, web.url("/x"))
        with pytest.raises(EngineUnavailable, match="loopback"):
            await engine(door, web.url("/x"))


async def test_a_strangers_host_is_spared_and_ones_own_is_not() -> None:
    async def loopback(host: str, port: int) -> list[str]:
        return ["127.0.0.1"]

    for host, expected in (("paper.example", 2), ("127.0.0.1", 6)):
        counts = AtOnce()
        async with LoopbackWeb({"/x": counts}) as web, a_door(allow_hosts=["127.0.0.1"], resolve=loopback) as door:
            await asyncio.gather(*(page(door, web.url(f"/x?{n}", host)) for n in range(6)))
        assert counts.most == expected


async def test_a_refusal_of_the_guard_does_not_count_against_an_engine() -> None:
    policy = replace(QUICK, breaker_threshold=2)
    async with a_door(policy=policy) as door:
        for n in range(4):
            with pytest.raises(EngineUnavailable, match="inside a private network"):
                await engine(door, f"http://searx.lan/?{n}")


async def test_an_address_with_blanks_is_asked_as_browsers_do() -> None:
    async with LoopbackWeb({"/a%20b.html": says(FINE)}) as web, a_door(web) as door:
        web.at["/x"] = says(http(302, Location="/a b.html"))
        for path in ("/a b.html ", "/x"):
            assert (await page(door, web.url(path))).url == web.url("/a%20b.html")


async def test_a_request_that_cannot_be_written_down_is_an_outage_and_no_crash() -> None:
    async with LoopbackWeb() as web, a_door(web) as door:
        for headers in ((("X-Key", "schl\u00fcssel\u2028"),), (("X-Key", "one\r\nHost: inside"),)):
            with pytest.raises(EngineUnavailable, match="cannot be sent this request"):
                request = Request(url=web.url("/x"), headers=headers)
                await door.fetch(request, purpose=Purpose.ENGINE, label="alpha")
        with pytest.raises(PageUnavailable, match="cannot be sent this request"):
            await page(door, web.url("/" + "x" * 70_000))
        assert web.paths == []
