"""Every way in which a server can fail: the typed error for each kind of caller, and its message."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

import pytest

from inquest.domain.errors import (
    EngineFormat,
    EngineUnavailable,
    ModelFormat,
    ModelUnavailable,
    Outage,
    PageForbidden,
    PageRefused,
    PageTooLarge,
    PageUnavailable,
    PageUnreadable,
)
from inquest.kit.exchange import Reply
from inquest.net.policy import RequestPolicy
from tests.net.loopback import (
    IMPATIENT,
    QUICK,
    Answers,
    LoopbackWeb,
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

Ask = Callable[..., Awaitable[Reply]]
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
FINE = http(200, b"<p>fine</p>")


@dataclass(frozen=True)
class Fault:
    """The server's behaviour, and the result: the error, or the status of the reply."""

    does: Answers
    page: type[Outage] | int
    words: str
    """Words in the error of a page."""
    engine: type[Outage] | int
    model: type[Outage] | int
    times: int = 1
    """Number of requests for a page."""


def gone(does: Answers, words: str, times: int = 1) -> Fault:
    """A fault that is an outage for every caller."""
    return Fault(does, PageUnavailable, words, EngineUnavailable, ModelUnavailable, times)


def status(number: int, words: str, page: type[Outage] = PageUnavailable, times: int = 1) -> Fault:
    """A fault whose status is an outage for pages; engines and models get the status itself."""
    return Fault(says(http(number)), page, words, number, number, times)


def too_large(does: Answers, words: str) -> Fault:
    return Fault(does, PageTooLarge, words, EngineFormat, ModelFormat)


def fine(does: Answers, times: int = 1) -> Fault:
    return Fault(does, 200, "", 200, 200, times)


def redirect(where: str, words: str, number: int = 302, page: type[Outage] = PageForbidden) -> Fault:
    return Fault(says(http(number, Location=where)), page, words, EngineUnavailable, number)


def packed(body: bytes, coding: str = "gzip") -> Answers:
    return says(http(200, body, Content_Encoding=coding))


LONG, SHORT = gzip.compress(b"<p>long</p>" * 99), gzip.compress(b"<p>x</p>" * 99)
MANY = b"0" * 30_000_000
BOMB = gzip.compress(MANY)
FAULTS = {
    "reset": gone(resets, "broke off the connection", 3),
    "no answer": gone(says_and_closes(b""), "without a response", 3),
    "not HTTP": gone(says_and_closes(b"SSH-2.0-OpenSSH_9.6\r\n\r\n"), "not HTTP"),
    "slow first byte": gone(never, "did not answer within 0.3 s", 2),
    "header only": gone(says_and_closes(b"HTTP/1.1 200 OK\r\nContent-"), "without a response", 3),
    "reset, then fine": fine(in_turn(resets, says(FINE)), 2),
    "500, then fine": fine(says(http(500), FINE), 2),
    "429 twice, then fine": fine(says(http(429, Retry_After="0"), http(429), FINE), 3),
    "always 503": status(503, "status 503", times=3),
    "always 429": status(429, "status 429", times=3),
    "429 for an hour": Fault(says(http(429, Retry_After="3600")), PageUnavailable, "status 429", 429, 429),
    "501": status(501, "status 501"),
    "400": status(400, "status 400"),
    "404": status(404, "no such page"),
    "410": status(410, "no such page"),
    "401": status(401, "does not allow", PageRefused),
    "402": status(402, "does not allow", PageRefused),
    "403": status(403, "does not allow", PageRefused),
    "451": status(451, "does not allow", PageRefused),
    "204": Fault(says(b"HTTP/1.1 204 Empty\r\n\r\n"), PageUnavailable, "status 204", 204, 204),
    "a redirect to nowhere": status(302, "status 302"),
    "shorter than it said": gone(
        says_and_closes(HEAD + b"Content-Length: 1000\r\n\r\nonly this"), "broke off in the middle", 3
    ),
    "chunks without an end": gone(says_and_closes(CHUNKED + b"4\r\nonly\r\n"), "broke off in the middle", 3),
    "chunk with a false length": gone(says_and_closes(CHUNKED + b"zz\r\nonly\r\n0\r\n\r\n"), "not HTTP"),
    "two lengths": gone(says_and_closes(HEAD + b"Content-Length: 3\r\nContent-Length: 4\r\n\r\nonly"), "not HTTP"),
    "gzip cut short": gone(packed(LONG[:-20]), "broke off in the middle", 3),
    "not gzip": gone(packed(b"<p>plain</p>"), "cannot be decompressed"),
    "damaged gzip": gone(packed(SHORT[:-8] + b"\0" * 8), "cannot be decompressed"),
    "a coding not asked for": gone(packed(b"\x8b\x02\x80abc\x03", "br"), "packed as 'br'"),
    "packed too often": gone(packed(b"x", "gzip, gzip, gzip"), "packed more than twice"),
    "gzip bomb": too_large(packed(BOMB), "more than 0.3 MB"),
    "gzip bomb in gzip": too_large(packed(gzip.compress(BOMB), "gzip, gzip"), "more than 0.3 MB"),
    "deflate bomb": too_large(packed(zlib.compress(MANY), "deflate"), "more than 0.3 MB"),
    "60 MB announced": too_large(says_and_closes(HEAD + b"Content-Length: 60000000\r\n\r\n"), "more than 0.2 MB"),
    "more than is read, unannounced": too_large(says_and_closes(HEAD + b"\r\n" + b"x" * 250_000), "more than 0.2 MB"),
    "a picture": Fault(
        says(http(200, b"\x89PNG", "image/png")), PageUnreadable, "image/png, which is not a readable type", 200, 200
    ),
    "a program": Fault(
        says(http(200, b"MZ", "application/octet-stream")), PageUnreadable, "application/octet-stream", 200, 200
    ),
    "HTML for JSON": fine(says(http(200, b"<html>Sorry</html>"))),
    "a redirect to the cloud's secrets": redirect(
        "http://169.254.169.254/latest/meta-data/",
        "redirects to an address that is not fetched: http://169.254.169.254/latest/meta-data/, which is an address "
        "where cloud machines keep their secrets",
    ),
    "a redirect to a name of the inside": redirect("//localhost:22/", "localhost", 301),
    "a redirect to a file": redirect("file:///etc/passwd", "scheme 'file'"),
    "a redirect to itself": redirect("/x", "in a circle", page=PageUnavailable),
}


def policy_for(name: str) -> RequestPolicy:
    """Short timeouts only if time is tested: otherwise a busy machine must not change the outcome."""
    return IMPATIENT if name == "slow first byte" else QUICK


async def met_by(ask: Ask, web: LoopbackWeb, name: str, expected: type[Outage] | int) -> Outage | None:
    """The error that this caller gets; None: a reply with the expected status."""
    async with a_door(web, policy=policy_for(name)) as door:
        if isinstance(expected, int):
            assert (await ask(door, web.url("/x"))).status == expected
            return None
        with pytest.raises(expected) as met:
            await ask(door, web.url("/x"))
    assert type(met.value) is expected
    return met.value


@pytest.mark.parametrize("name", FAULTS)
async def test_each_asker_gets_its_own_error(name: str) -> None:
    fault = FAULTS[name]
    async with LoopbackWeb({"/x": fault.does}) as web:
        of_page = await met_by(page, web, name, fault.page)
        assert web.paths == ["/x"] * fault.times
        if of_page is not None:
            assert fault.words in str(of_page)
            assert str(of_page).endswith(".") and "\n" not in str(of_page)
            assert getattr(of_page, "who", None) == web.url("/x")
    async with LoopbackWeb({"/x": fault.does}) as web:
        of_engine = await met_by(engine, web, name, fault.engine)
        assert of_engine is None or getattr(of_engine, "who", None) == "alpha"
        if of_engine is not None and fault.page is PageForbidden:
            assert "INQUEST_ALLOW_HOSTS" in of_engine.advice
    async with LoopbackWeb({"/x": fault.does}) as web:
        of_model = await met_by(model, web, name, fault.model)
        assert of_model is None or getattr(of_model, "who", None) == "mind"


async def test_a_connection_refused() -> None:
    async with LoopbackWeb() as web:
        pass  # nothing listens there any more
    async with a_door(web) as door:
        with pytest.raises(PageUnavailable, match=r"127\.0\.0\.1 refused the connection\."):
            await page(door, web.url("/x"))
        with pytest.raises(EngineUnavailable, match=r"alpha refused the connection\."):
            await engine(door, web.url("/x"))
        with pytest.raises(ModelUnavailable, match=r"mind refused the connection\."):
            await model(door, web.url("/x"))


async def test_a_model_that_thinks_too_long_is_not_asked_again() -> None:
    async with LoopbackWeb({"/x": never}) as web, a_door(web, policy=IMPATIENT) as door:
        with pytest.raises(ModelUnavailable, match="did not answer"):
            await model(door, web.url("/x"))
        assert len(web.asked) == 1


async def test_a_drip_does_not_hold_the_place_for_ever() -> None:
    ceilings = {purpose: replace(each, grace=0.1, slowest=1024) for purpose, each in QUICK.ceilings.items()}
    policy = replace(QUICK, ceilings=ceilings)
    async with LoopbackWeb({"/x": drips(0.02)}) as web, a_door(web, policy=policy) as door:
        with pytest.raises(PageUnavailable, match="sent only"):
            await page(door, web.url("/x"))


async def test_a_body_that_stops_is_an_outage() -> None:
    async with LoopbackWeb({"/x": drips(5)}) as web, a_door(web, policy=IMPATIENT) as door:
        with pytest.raises(PageUnavailable, match="paused in the middle of its response"):
            await page(door, web.url("/x"))


async def test_the_whole_exchange_has_an_end() -> None:
    ceilings = {purpose: replace(each, total=0.2) for purpose, each in QUICK.ceilings.items()}
    async with LoopbackWeb({"/x": drips(0.05)}) as web, a_door(web, policy=replace(QUICK, ceilings=ceilings)) as door:
        with pytest.raises(PageUnavailable, match=r"did not finish its response within 0\.2 s"):
            await page(door, web.url("/x"))


async def test_the_ceilings_as_shipped_refuse_60_mb() -> None:
    answer = says_and_closes(HEAD + b"Content-Length: 60000000\r\n\r\n")
    policy = replace(QUICK, ceilings=type(QUICK)().ceilings)
    async with LoopbackWeb({"/x": answer}) as web, a_door(web, policy=policy) as door:
        with pytest.raises(PageTooLarge, match=r"sent more than 50 MB, which is over the limit\."):
            await page(door, web.url("/x"))
        with pytest.raises(EngineFormat, match="more than 20 MB"):
            await engine(door, web.url("/x"))


async def test_a_wrong_charset_is_no_failure_of_the_door() -> None:
    body = "Größe".encode("latin-1")
    async with LoopbackWeb({"/x": says(http(200, body, "text/html; charset=klingon"))}) as web, a_door(web) as door:
        reply = await page(door, web.url("/x"))
        assert reply.body == body and reply.text() == "Gr\ufffd\ufffde"


async def test_a_chain_of_redirects_is_followed_so_far_and_no_further() -> None:
    hops = {f"/{n}": says(http(302, Location=f"/{n + 1}")) for n in range(20)}
    async with LoopbackWeb({**hops, "/20": says(FINE)}) as web, a_door(web) as door:
        reply = await page(door, web.url("/10"))
        assert reply.url == web.url("/20")
        with pytest.raises(PageUnavailable, match="redirects more than 10 times"):
            await page(door, web.url("/9"))
