"""The door as a transport: what model clients take, so that a model call is guarded, limited, recorded and replayed."""

from __future__ import annotations

from typing import Protocol

import httpx2

from inquest.kit.exchange import Purpose, Reply, Request

_KEYS = ("authorization", "x-api-key", "api-key", "x-goog-api-key")
PRICE = "inquest_usd"
"""The extension of a client's request that says what the call may cost at most, in US dollars."""
_RECORDED = "x-inquest-recorded"
"""On a reply from a recording, so that whoever counts what calls cost knows that this one cost nothing now."""
# The door sets these itself, by what it sends.
_OF_THE_CONNECTION = frozenset("host connection content-length transfer-encoding accept-encoding".split())


class _Fetches(Protocol):
    async def fetch(self, request: Request, *, purpose: Purpose, label: str = "") -> Reply: ...


class DoorTransport(httpx2.AsyncBaseTransport):
    """Carries a client's requests through the door as model calls.

    The door's typed errors (ModelUnavailable, NotRecorded, BudgetMet) come out as they are; a client that wraps what
    its transport raises keeps them as its error's `__cause__`. Replies come whole: there is no streaming.
    """

    def __init__(self, door: _Fetches, model: str) -> None:
        self._door = door
        self._model = model

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """One call. Raises ModelUnavailable, ModelFormat, NotRecorded, BudgetMet."""
        body = await request.aread()
        headers = tuple(
            (name.lower(), value)
            for name, value in request.headers.multi_items()
            if name.lower() not in _OF_THE_CONNECTION
        )
        reply = await self._door.fetch(
            Request(
                url=str(request.url),
                method=request.method,
                headers=headers,
                body=body or None,
                secrets=tuple(_key(value) for name, value in headers if name in _KEYS),
                usd=float(request.extensions.get(PRICE, 0.0)),
            ),
            purpose=Purpose.MODEL,
            label=self._model,
        )
        return httpx2.Response(
            reply.status,
            headers=[*reply.headers, *([(_RECORDED, "1")] if reply.recorded else [])],
            content=reply.body,
            request=request,
        )


def _key(value: str) -> str:
    """The key in a header: what follows 'Bearer'."""
    return value.rpartition(" ")[2]
