"""One HTTP exchange within its limits: returns a complete reply or raises a typed failure."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

import httpx2

from inquest.kit.exchange import Request
from inquest.kit.unpack import ACCEPTED, NotUnpackable, unpacker
from inquest.net.client import NameUnknown
from inquest.net.policy import Ceilings


class FailureKind(Enum):
    """The reason why an exchange brought no complete reply."""

    UNREACHABLE = "unreachable"
    """A network error or a truncated body; may be temporary."""
    SLOW = "slow"
    """A timeout; may be temporary, but every attempt costs its whole time."""
    UNKNOWN_NAME = "unknown_name"
    INSECURE = "insecure"
    """The certificate is invalid."""
    BROKEN = "broken"
    """A violation of the protocol; permanent."""
    TOO_LARGE = "too_large"


class Failure(Exception):
    """An exchange without a complete reply. `str(error)` completes 'HOST ...': 'did not answer within 20 s'."""

    def __init__(self, kind: FailureKind, words: str) -> None:
        super().__init__(words)
        self.kind = kind

    @property
    def passing(self) -> bool:
        return self.kind in (FailureKind.UNREACHABLE, FailureKind.SLOW)


@dataclass(frozen=True, slots=True)
class WireAnswer:
    """A reply with its decoded body."""

    status: int
    headers: tuple[tuple[str, str], ...]
    """Names in lower case; without headers about the transfer."""
    body: bytes

    def header(self, name: str) -> str | None:
        return next((value for key, value in self.headers if key == name), None)


class Sink(Protocol):
    """Receives a body in pieces, for bodies too large for memory."""

    def begin(self, size: int | None) -> None:
        """Start a body of `size` bytes, if known. Each attempt starts again and invalidates earlier pieces."""
        ...

    def write(self, piece: bytes) -> None:
        """Receive the next piece."""
        ...


_OF_THE_TRANSFER = frozenset(
    "connection keep-alive transfer-encoding content-encoding content-length set-cookie set-cookie2 trailer".split()
)

_WORTH_DRAINING = 64 * 1024

Wanted = Callable[[int, tuple[tuple[str, str], ...]], bool]
"""Decides by status and headers whether to read the body. May raise to reject it before it is fetched."""


@dataclass(frozen=True, slots=True)
class Intake:
    """Settings for receiving a reply."""

    wanted: Wanted = lambda status, headers: True
    cut: bool = False
    """Truncate a body above the size limit instead of raising Failure."""
    sink: Sink | None = None
    """Receives the body of a 2xx reply instead of the answer."""


async def exchange(
    transport: httpx2.AsyncBaseTransport, sent: Request, ceilings: Ceilings, intake: Intake, *, proxied: bool = False
) -> WireAnswer:
    """Send a request and receive the complete reply. Raises Failure, guard.Forbidden, and what `wanted` raises."""
    loop = asyncio.get_running_loop()
    try:
        timeout = httpx2.Timeout(ceilings.idle, connect=ceilings.connect, read=max(ceilings.idle, ceilings.first_byte))
        headers = list(sent.headers)
        if not any(name.lower() == "accept-encoding" for name, _ in headers):
            headers.append(("accept-encoding", ACCEPTED))
        more = {"timeout": timeout.as_dict()}
        request = httpx2.Request(sent.method, sent.url, headers=headers, content=sent.body, extensions=more)
        async with asyncio.timeout(ceilings.total):
            try:
                async with asyncio.timeout(ceilings.first_byte):
                    response = await transport.handle_async_request(request)
            except TimeoutError as error:
                raise Failure(FailureKind.SLOW, f"did not answer within {ceilings.first_byte:g} s") from error
            try:
                head = tuple((name.lower(), value) for name, value in response.headers.multi_items())
                taken = b""
                if intake.wanted(response.status_code, head):
                    good = 200 <= response.status_code < 300
                    taken = await _body(
                        response, ceilings, loop.time, cut=intake.cut, sink=intake.sink if good else None
                    )
                else:
                    await _drain(response, ceilings)
            finally:
                await response.aclose()
    except TimeoutError as error:
        raise Failure(FailureKind.SLOW, f"did not finish its response within {ceilings.total:g} s") from error
    except (httpx2.TransportError, NameUnknown) as error:
        raise _failure(error, ceilings, proxied) from error
    except (httpx2.InvalidURL, UnicodeEncodeError) as error:
        raise Failure(FailureKind.BROKEN, _UNASKABLE) from error
    kept = tuple((name, value) for name, value in head if name not in _OF_THE_TRANSFER)
    return WireAnswer(response.status_code, kept, taken)


async def _body(
    response: httpx2.Response, ceilings: Ceilings, now: Callable[[], float], *, cut: bool, sink: Sink | None = None
) -> bytes:
    if not cut and (_length(response) or 0) > ceilings.packed:
        raise _too_large(ceilings.packed)
    try:
        unpack = unpacker(response.headers.get("content-encoding", ""))
        began, packed, size = now(), 0, 0
        kept: list[bytes] = []
        take: Callable[[bytes], None] = kept.append
        if sink is not None:
            take = sink.write
            sink.begin(None if "content-encoding" in response.headers else _length(response))
        async with aclosing(_pieces(response, ceilings)) as pieces:
            async for piece in pieces:
                packed += len(piece)
                for unpacked in unpack.feed(piece):
                    size += len(unpacked)
                    take(unpacked)
                    if size > ceilings.unpacked:
                        break
                if packed > ceilings.packed or size > ceilings.unpacked:
                    if cut:
                        return b"".join(kept)[: ceilings.unpacked]
                    raise _too_large(ceilings.packed if packed > ceilings.packed else ceilings.unpacked)
                waited = now() - began
                if waited > ceilings.grace and packed < ceilings.slowest * waited:
                    raise Failure(FailureKind.SLOW, f"sent only {packed} bytes in {waited:.0f} s")
    except NotUnpackable as error:
        raise Failure(FailureKind.BROKEN, f"sent a body that cannot be decompressed: {error}") from error
    if packed and not unpack.complete:
        raise Failure(FailureKind.UNREACHABLE, _BROKE_OFF)
    return b"".join(kept)


async def _drain(response: httpx2.Response, ceilings: Ceilings) -> None:
    """Read a small body so that the connection can be reused."""
    declared = _length(response)
    if declared is None or declared > _WORTH_DRAINING:
        return
    try:
        async with aclosing(_pieces(response, ceilings)) as pieces:
            async for _ in pieces:
                pass
    except (Failure, httpx2.TransportError):
        return  # the connection is closed instead


async def _pieces(response: httpx2.Response, ceilings: Ceilings) -> AsyncGenerator[bytes, None]:
    """Yield the pieces of the body, each within the idle time. The transport checks Content-Length."""
    stream = response.stream
    assert isinstance(stream, httpx2.AsyncByteStream)
    pieces = aiter(stream)
    while True:
        try:
            async with asyncio.timeout(ceilings.idle):
                piece = await anext(pieces, None)
        except TimeoutError as error:
            raise Failure(FailureKind.SLOW, f"paused in the middle of its response for {ceilings.idle:g} s") from error
        if piece is None:
            return
        yield piece


def _length(response: httpx2.Response) -> int | None:
    value = response.headers.get("content-length", "")
    return int(value) if value.isdecimal() else None


def _too_large(limit: int) -> Failure:
    return Failure(FailureKind.TOO_LARGE, f"sent more than {limit / 1e6:g} MB, which is over the limit")


_BROKE_OFF = "broke off in the middle of its response"
_UNASKABLE = "cannot be sent this request: the address or a header is malformed"


def _failure(error: httpx2.TransportError | NameUnknown, ceilings: Ceilings, proxied: bool) -> Failure:
    """Translate an exception of `httpx2`, whose messages are for programmers and may contain IP addresses."""
    if isinstance(error, httpx2.ConnectTimeout | httpx2.PoolTimeout):
        return Failure(FailureKind.SLOW, f"could not be reached within {ceilings.connect:g} s")
    if isinstance(error, httpx2.TimeoutException):
        return Failure(FailureKind.SLOW, f"did not answer within {ceilings.first_byte:g} s")
    if isinstance(error, httpx2.ConnectError):
        return _unconnected(error, proxied)
    text, kind = str(error), FailureKind.UNREACHABLE
    match error:
        case NameUnknown():
            kind, words = FailureKind.UNKNOWN_NAME, "cannot be reached: there is no host with that name, or no network"
        case httpx2.ProxyError():
            words = f"could not be reached through the proxy ({_short(error)})"
        case httpx2.RemoteProtocolError() if "without sending a response" in text:
            words = "closed the connection without a response"
        case httpx2.RemoteProtocolError() if "peer closed connection" in text or "incomplete" in text:
            words = _BROKE_OFF
        case httpx2.RemoteProtocolError():
            kind, words = FailureKind.BROKEN, "sent a reply that is not HTTP"
        case httpx2.LocalProtocolError() | httpx2.UnsupportedProtocol():
            kind, words = FailureKind.BROKEN, _UNASKABLE
        case _:
            words = "broke off the connection"
    return Failure(kind, words)


def _unconnected(error: httpx2.ConnectError, proxied: bool) -> Failure:
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, ConnectionRefusedError):
            return Failure(FailureKind.UNREACHABLE, f"{_BEHIND if proxied else ''}refused the connection")
        if isinstance(seen, socket.gaierror):
            return Failure(FailureKind.UNREACHABLE, "could not be looked up")
        # Compared by name to avoid importing ssl, which is loaded with the first https connection.
        if type(seen).__module__ == "ssl":
            verified = type(seen).__name__ == "SSLCertVerificationError"
            words = f"has an invalid certificate ({_short(seen)})" if verified else "failed the TLS handshake"
            return Failure(FailureKind.INSECURE if verified else FailureKind.UNREACHABLE, words)
        seen = seen.__cause__ or seen.__context__
    return Failure(FailureKind.UNREACHABLE, f"{_BEHIND if proxied else ''}could not be reached")


_BEHIND = "could not be reached, since the proxy "


def _short(error: BaseException) -> str:
    words = getattr(error, "verify_message", None) or str(error) or type(error).__name__
    return str(words).splitlines()[0][:100].rstrip(".")
