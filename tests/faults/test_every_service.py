"""Every engine, reranker and second reader under every fault: one clear sentence that names it, and the work
continues."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from inquest.app.wiring.pages import SecondTries, readers_of_a_replay
from inquest.domain.errors import EngineError, EngineFormat, EngineQuota, EngineUnavailable, PageUnavailable
from inquest.domain.reasons import Reason, sentences
from inquest.domain.search import Hit, Query
from inquest.kit.discover import engines
from inquest.kit.engine import Engine, EngineAccess
from inquest.kit.exchange import Purpose, Reply, Request
from inquest.kit.reranker import LOCAL, RerankerAccess, rerankers
from inquest.net.door import Door
from inquest.net.searcher import Reranking, Searcher, label_of
from tests.net.loopback import (
    QUICK,
    Answers,
    LoopbackWeb,
    SetClock,
    a_door,
    drips,
    http,
    never,
    resets,
    says,
    says_and_closes,
)

RECORDINGS = Path(__file__).parents[1] / "engines" / "recordings"
ENGINES = engines("inquest.engines")
RERANKERS = {name: kind for name, kind in rerankers("inquest.rerankers").items() if name != LOCAL}
KEY = "k3y-0123456789abcdef"
ACCESS = EngineAccess(key=KEY, url="https://own.example/", account="0a1b2c3d", second_key=KEY, collections=("vellmar",))
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
NO_JSON = b"<!DOCTYPE html><html><body><p>Log in<br>to go on</body></html>"
ERROR_INSIDE = json.dumps({"error": {"code": 1, "message": "Something went wrong"}, "status": "error"}).encode()

FAULTS: Mapping[str, tuple[Answers, type[EngineError]]] = {
    "reset": (resets, EngineUnavailable),
    "hangs up": (says_and_closes(b""), EngineUnavailable),
    "slow first byte": (never, EngineUnavailable),
    "drip": (drips(0.01), EngineUnavailable),
    "429": (says(http(429)), EngineQuota),
    "429 for an hour": (says(http(429, Retry_After="3600")), EngineQuota),
    "500": (says(http(500)), EngineUnavailable),
    "503": (says(http(503, NO_JSON)), EngineUnavailable),
    "cut short": (says_and_closes(HEAD + b'Content-Length: 1000\r\n\r\n{"res'), EngineUnavailable),
    "two lengths": (says_and_closes(HEAD + b"Content-Length: 2\r\nContent-Length: 4\r\n\r\n{}  "), EngineUnavailable),
    "not gzip": (says(http(200, b"{}", Content_Encoding="gzip")), EngineUnavailable),
    "gzip cut short": (says(http(200, gzip.compress(b"{}" * 99)[:-9], Content_Encoding="gzip")), EngineUnavailable),
    "HTML for JSON": (says(http(200, NO_JSON)), EngineFormat),
    "an error inside": (says(http(200, ERROR_INSIDE, "application/json")), EngineError),
}
HURRIED = replace(
    QUICK,
    breaker_threshold=1000,  # each fault is treated as the first
    ceilings={purpose: replace(each, grace=0.05, slowest=2048) for purpose, each in QUICK.ceilings.items()},
)
IN_NO_TIME = replace(
    HURRIED, ceilings={purpose: replace(each, first_byte=0.05) for purpose, each in HURRIED.ceilings.items()}
)


class Led:
    """A door that sends all requests to the loopback web."""

    def __init__(self, door: Door, url: str) -> None:
        self._door, self._url = door, url

    async def fetch(self, request: Request, *, purpose: Purpose, label: str = "") -> Reply:
        return await self._door.fetch(replace(request, url=self._url), purpose=purpose, label=label)


@asynccontextmanager
async def faulty() -> AsyncIterator[dict[str, Led]]:
    """One door for each fault."""
    web = LoopbackWeb({f"/{n}": answer for n, (answer, _) in enumerate(FAULTS.values())})
    async with web, a_door(web, policy=HURRIED) as door, a_door(web, policy=IN_NO_TIME) as hurried:
        doors = {
            name: Led(hurried if name == "slow first byte" else door, web.url(f"/{n}")) for n, name in enumerate(FAULTS)
        }
        async with LoopbackWeb() as gone:
            nobody = gone.url("/")
        yield doors | {"refused": Led(a_door(gone, policy=HURRIED), nobody)}


def assert_clear(error: EngineError, name: str) -> None:
    """Check for one readable sentence, which names the service and no key."""
    assert error.who == name
    assert "\n" not in error.sentence
    title = ENGINES[name].spec.title if name in ENGINES else name
    # GLEIF is asked first by engines that look companies up.
    assert any(each in str(error).lower() for each in (name.lower(), title.split()[0].lower(), "it ", "gleif"))
    assert str(error).rstrip(")").endswith(".") or str(error).endswith(").")
    assert KEY not in error.sentence


async def failing(engine: Engine, door: Led) -> EngineError:
    with pytest.raises(EngineError) as met:
        await Searcher({engine.name: engine}, door).search(engine.name, Query(text="AAPL quarry", limit=5))
    return met.value


@pytest.mark.parametrize("name", ENGINES)
async def test_an_engine(name: str) -> None:
    engine = ENGINES[name](ACCESS)
    async with faulty() as doors:
        met = dict(zip(doors, await asyncio.gather(*(failing(engine, door) for door in doors.values())), strict=True))
    for fault, error in met.items():
        expected = FAULTS[fault][1] if fault in FAULTS else EngineUnavailable
        assert isinstance(error, expected), (fault, error)
        assert_clear(error, name)
    hour = met["429 for an hour"]
    assert isinstance(hour, EngineQuota)
    assert hour.retry_after == 3600


class Scripted:
    """A door that answers from the engine's recording, but fails at one request."""

    def __init__(self, name: str, at: int) -> None:
        response = json.loads((RECORDINGS / name / "results.json").read_text(encoding="utf-8"))["response"]
        self.body, self.type, self.at, self.asked = response["body"].encode(), response["content_type"], at, 0
        self.name = name

    async def fetch(self, request: Request, *, purpose: Purpose, label: str = "") -> Reply:
        self.asked += 1
        if self.asked == self.at:
            raise EngineUnavailable(self.name, f"{self.name} broke off the connection.")
        headers = (("content-type", f"{self.type.partition(';')[0]}; charset=klingon"),)
        body = b'{"access_token": "t0ken"}' if request.url.endswith("/access_token") else self.body
        return Reply(url=request.url, status=200, headers=headers, body=body, at=SetClock().time)


async def searched(name: str, door: Scripted) -> list[Hit] | EngineError:
    try:
        return await Searcher({name: ENGINES[name](ACCESS)}, door).search(name, Query(text="AAPL quarry", limit=5))
    except EngineError as error:
        return error


@pytest.mark.parametrize("name", ENGINES)
async def test_an_outage_anywhere_in_a_conversation_is_typed_or_loses_nothing(name: str) -> None:
    whole = Scripted(name, at=0)
    usual = await searched(name, whole)
    for at in range(1, whole.asked + 1):
        met = await searched(name, Scripted(name, at))
        if isinstance(met, EngineError):
            assert str(met) == f"{name} broke off the connection."
        elif isinstance(usual, list):
            assert [hit.url for hit in met] == [hit.url for hit in usual]


@pytest.mark.parametrize("name", RERANKERS)
async def test_a_reranker_is_stood_in_for_by_the_local_one(name: str) -> None:
    local = rerankers("inquest.rerankers")[LOCAL]()
    texts = ["The quarry was fined", "Recipes"]
    async with faulty() as doors:
        rankings = [Reranking([RERANKERS[name](RerankerAccess(key=KEY))], local, door) for door in doors.values()]
        met = await asyncio.gather(*(ranking.rank("quarry", texts) for ranking in rankings))
    for fault, ranked in zip(doors, met, strict=True):
        assert ranked.by == LOCAL
        assert ranked.scores[0] > ranked.scores[1]
        assert ranked.outage is not None
        assert isinstance(ranked.outage, FAULTS[fault][1] if fault in FAULTS else EngineUnavailable), fault
        assert_clear(ranked.outage, ranked.outage.who)
        assert ranked.outage.who in (name, label_of(name))


PAGE = "https://courier.example/2024/quarry"


@pytest.mark.parametrize("name", readers_of_a_replay())
async def test_a_second_reader_that_fails_is_said_and_the_next_is_asked(name: str) -> None:
    reader = readers_of_a_replay()[name]
    barred = PageUnavailable(PAGE, "courier.example answered with status 429.", status=429)
    async with faulty() as doors:
        for fault, door in doors.items():
            words: list[Reason] = []
            copies = [copy async for copy in SecondTries([reader, reader], door).copies(PAGE, barred, words)]
            assert copies == [], fault
            assert len(words) == 2, "the next one was asked"
            known = (
                f"{reader.title} could not be asked for it.",
                f"{reader.title} has no readable copy of it.",
            )
            assert set(sentences(words)) <= set(known)
            # A 200 that reports no results is an answer; everything else is an outage.
            assert fault == "an error inside" or set(sentences(words)) == {known[0]}, fault
