"""Running engines: sending their requests, returning cleaned hits, and typed errors for every problem."""

from __future__ import annotations

from collections.abc import Generator
from datetime import UTC, datetime
from typing import Any, ClassVar

import pytest

from inquest.domain.document import Precision, Published
from inquest.domain.errors import (
    BudgetMet,
    EngineError,
    EngineFormat,
    EngineKeyRefused,
    EngineQuota,
    EngineUnavailable,
    InputError,
    NotRecorded,
)
from inquest.domain.report import Cost
from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.engine import Engine, EngineAccess, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.posts import asked_beside
from inquest.net.searcher import Searcher
from tests.net.loopback import LoopbackWeb, MemoryRecording, Purse, a_door, http, never, resets, says


class Alpha(Engine):
    """Two calls: one for the address, then the query."""

    spec: ClassVar[EngineSpec] = EngineSpec(
        name="alpha",
        title="Alpha Search",
        kinds=(EngineKind.WEB,),
        homepage="https://alpha.example",
        documentation="https://alpha.example/docs",
        usd_per_call=0.01,
    )
    base = ""
    closed = False

    def request(self, query: Query) -> Request:
        return Request(url=f"{self.base}/search?q={query.text}")

    def parse(self, reply: Reply) -> list[Hit]:
        return [Hit(url=row["url"], engine="alpha", rank=n) for n, row in enumerate(reply.json()["rows"], 1)]

    def search(self, query: Query) -> Generator[Request, Reply, list[Hit]]:
        try:
            where = yield Request(url=f"{self.base}/where")
            self.check(where)
            assert where.json()["at"] == "/search"
            return (yield from super().search(query))
        finally:
            self.closed = True


class Endless(Alpha):
    def search(self, query: Query) -> Generator[Request, Reply, list[Hit]]:
        for page in range(1000):
            yield Request(url=f"{self.base}/where?{page}")
        return []


WHERE = says(http(200, b'{"at": "/search"}', "application/json"))
ROWS = says(
    http(200, b'{"rows": [{"url": "https://a.example/1"}, {"url": "javascript:alert(1)"}]}', "application/json")
)


async def found(at: dict[str, Any], kind: type[Alpha] = Alpha, **settings: Any) -> tuple[list[Hit], Purse, Alpha]:
    purse, engine = Purse(), kind()
    async with LoopbackWeb(at) as web, a_door(web, **settings) as door:
        engine.base = web.url("")
        try:
            hits = await Searcher({"alpha": engine}, door, purse.spend).search("alpha", Query(text="fire"))
        finally:
            assert engine.closed or kind is Endless
        return hits, purse, engine


async def test_a_conversation_of_two_calls_is_held_and_paid_for() -> None:
    hits, purse, _ = await found({"/where": WHERE, "/search": ROWS})
    assert [hit.url for hit in hits] == ["https://a.example/1"]
    assert purse.spent == Cost(search_calls=2, usd=0.02)


class SignsIn(Alpha):
    def search(self, query: Query) -> Generator[Request, Reply, list[Hit]]:
        try:
            yield Request(url=f"{self.base}/where", reply_secrets=("at",))
            return (yield from Engine.search(self, query))
        finally:
            self.closed = True


async def test_a_sign_in_is_no_search() -> None:
    hits, purse, _ = await found({"/where": WHERE, "/search": ROWS}, SignsIn)
    assert len(hits) == 1
    assert purse.spent == Cost(search_calls=1, usd=0.01)


async def test_what_is_recorded_costs_nothing() -> None:
    engine, purse = Alpha(), Purse()
    async with (
        LoopbackWeb({"/where": WHERE, "/search": ROWS}) as web,
        a_door(web, recording=MemoryRecording()) as door,
    ):
        engine.base = web.url("")
        for _ in range(3):
            await Searcher({"alpha": engine}, door.for_case("c1"), purse.spend).search("alpha", Query(text="fire"))
    assert purse.spent.search_calls == 2


@pytest.mark.parametrize(
    ("where", "error"),
    [
        (http(200, b"<html>", "text/html"), EngineFormat),
        (http(401), EngineKeyRefused),
        (http(429, Retry_After="99"), EngineQuota),
        (http(500), EngineUnavailable),
        (http(302, Location="http://10.0.0.1/"), EngineUnavailable),
    ],
)
async def test_trouble_in_the_middle_of_a_conversation_is_typed(where: bytes, error: type[Exception]) -> None:
    with pytest.raises(error) as met:
        await found({"/where": says(where), "/search": ROWS})
    assert getattr(met.value, "who", None) == "alpha"


async def test_an_engine_is_waited_for_as_long_as_its_limits_say_and_no_more_than_thirty_seconds_by_default() -> None:
    assert Limits().timeout == 30
    with pytest.raises(EngineUnavailable, match=r"within 0\.1 s"):
        await found({"/where": never}, limits={"alpha": Limits(timeout=0.1)})


async def test_an_engine_that_never_ends_is_ended() -> None:
    with pytest.raises(EngineFormat, match="still had no answer after 20 requests"):
        await found({"/where": WHERE}, Endless)


class Strange(Alpha):
    """A plug-in whose code can do anything."""

    def __init__(self, does: Any) -> None:
        super().__init__()
        self.does = does

    def search(self, query: Query) -> Generator[Request, Reply, list[Hit]]:
        return self.does()  # type: ignore[no-any-return]


def raised(error: BaseException) -> Any:
    raise error


def ends_with(value: Any) -> Any:
    yield from ()
    return value


def asks(value: Any) -> Any:
    yield value


@pytest.mark.parametrize(
    ("does", "said"),
    [
        (lambda: raised(ZeroDivisionError("x")), "has a defect (ZeroDivisionError)"),
        (lambda: raised(SystemExit(1)), "has a defect (SystemExit)"),
        (lambda: [], "not reply in its documented format"),
        (lambda: ends_with(None), "did not return a list of hits"),
        (lambda: ends_with([{"url": "https://a.example/"}]), "did not return a list of hits"),
        (lambda: asks("https://a.example/"), "did not yield a request"),
    ],
)
async def test_a_defect_of_an_engine_costs_its_question_alone(does: Any, said: str) -> None:
    async with a_door() as door:
        with pytest.raises(EngineFormat) as met:
            await Searcher({"alpha": Strange(does)}, door).search("alpha", Query(text="x"))
    assert said in str(met.value) and met.value.who == "alpha"


async def test_an_unknown_engine_is_the_users_error() -> None:
    async with a_door() as door:
        with pytest.raises(InputError, match="no search engine named 'beta'") as met:
            await Searcher({"alpha": Alpha()}, door).search("beta", Query(text="fire"))
        assert "alpha" in met.value.advice


async def test_hits_out_of_the_time_range_are_left_out_whatever_the_engine_says() -> None:
    class Dated(Alpha):
        def parse(self, reply: Reply) -> list[Hit]:
            published = Published(at=datetime(2020, 5, 1, tzinfo=UTC), precision=Precision.MONTH)
            return [Hit(url="https://a.example/old", engine="alpha", rank=1, published=published)]

    async with LoopbackWeb({"/where": WHERE, "/search": ROWS}) as web, a_door(web) as door:
        engine = Dated()
        engine.base = web.url("")
        searcher = Searcher({"alpha": engine}, door)
        within = Query(text="a", since=datetime(2020, 5, 20, tzinfo=UTC))
        after = Query(text="a", since=datetime(2020, 6, 1, tzinfo=UTC))
        assert len(await searcher.search("alpha", within)) == 1
        assert await searcher.search("alpha", after) == []


class AsksBeside(Alpha):
    """The query, and then a further request about the results."""

    def search(self, query: Query) -> Generator[Request, Reply, list[Hit]]:
        try:
            reply = yield self.request(query)
            hits = self.parsed(reply, self.parse)
            beside = yield from asked_beside(self, Request(url=f"{self.base}/beside"), lambda reply: reply.json())
            said = str(beside) if isinstance(beside, EngineError) else "answered"
            return [hit.model_copy(update={"snippet": said}) for hit in hits]
        finally:
            self.closed = True


@pytest.mark.parametrize(
    ("beside", "said"),
    [
        (says(http(200, b"{}")), "answered"),
        (resets, "alpha broke off the connection."),
        (says(http(302, Location="http://10.0.0.1/")), "10.0.0.1"),
    ],
)
async def test_an_outage_of_what_is_asked_beside_loses_nothing_that_was_found(beside: Any, said: str) -> None:
    hits, purse, _ = await found({"/search": ROWS, "/beside": beside}, AsksBeside)
    assert [hit.url for hit in hits] == ["https://a.example/1"]
    assert said in hits[0].snippet
    assert purse.spent.search_calls == (2 if said == "answered" else 1), "what was not answered is not paid for"


async def test_a_replay_meets_the_same_outage_in_the_same_place() -> None:
    engine, recording = AsksBeside(), MemoryRecording()
    at = {"/search": ROWS, "/beside": resets}
    async with LoopbackWeb(at) as web, a_door(web, recording=recording) as door:
        engine.base = web.url("")
        first = await Searcher({"alpha": engine}, door.for_case("c1")).search("alpha", Query(text="fire"))
        asked = len(web.asked)
        again = await Searcher({"alpha": engine}, door.for_case("c1", replay=True)).search("alpha", Query(text="fire"))
        assert again == first
        assert len(web.asked) == asked


async def test_a_budget_that_is_met_in_a_later_request_ends_the_search() -> None:
    engine, purse = AsksBeside(), Purse()

    def spend(_: Cost) -> None:
        purse.met = BudgetMet("usd", "The case's money is used up.")

    async with LoopbackWeb({"/search": ROWS}) as web, a_door(web) as door:
        engine.base = web.url("")
        with pytest.raises(BudgetMet):
            await Searcher({"alpha": engine}, door.for_case("c1", purse), spend).search("alpha", Query(text="fire"))


class Optional(Alpha):
    """A different query with a key than without."""

    spec: ClassVar[EngineSpec] = Alpha.spec.model_copy(update={"key": "ALPHA_API_KEY", "key_optional": True})

    def request(self, query: Query) -> Request:
        return Request(url=f"{self.base}/search?{'full' if self.access.key else 'short'}={query.text}")


async def test_a_case_of_an_engine_with_its_key_is_replayed_without_one() -> None:
    recording = MemoryRecording()
    with_key, without = Optional(EngineAccess(key="k3y-of-somebody")), Optional()
    async with (
        LoopbackWeb({"/where": WHERE, "/search": ROWS}) as web,
        a_door(web, recording=recording) as door,
    ):
        with_key.base = without.base = web.url("")
        first = await Searcher({"alpha": with_key}, door.for_case("c1")).search("alpha", Query(text="fire"))
        replay, query = door.for_case("c1", replay=True), Query(text="fire")
        with pytest.raises(NotRecorded):
            await Searcher({"alpha": without}, replay).search("alpha", query)
        again = await Searcher({"alpha": without}, replay, otherwise={"alpha": with_key}).search("alpha", query)
        assert again == first
