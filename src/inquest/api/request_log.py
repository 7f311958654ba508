"""One log line for each request: what was asked, what became of it, and how long it took."""

from __future__ import annotations

import logging
import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from inquest.app.logs import FIELDS

log = logging.getLogger("inquest.requests")

PREFIX = "/api/v1"
"""Where the API begins."""
_NOWHERE = "(no such address)"
_QUIET = ("/healthz", "/readyz", "/metrics")
"""What machines ask every few seconds: told only where it fails."""


class RequestLog:
    """An ASGI middleware. The line has the route and not the address: links of readers are secrets, and people type
    tokens into addresses."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on, and log it when its reply is through."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = time.monotonic(), 500

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = int(message["status"])
            await send(message)

        try:
            await self._app(scope, receive, sending)
        finally:
            _log(scope, status, time.monotonic() - began)


def _log(scope: Scope, status: int, seconds: float) -> None:
    route = str(getattr(scope.get("route"), "path", _NOWHERE))
    if route.startswith("/") and not route.startswith(PREFIX) and scope["path"].startswith(f"{PREFIX}/"):
        route = PREFIX + route  # a router that is part of another knows its own part of the path
    if route in _QUIET and status < 400:
        return
    fields: dict[str, str | int | float] = {
        "method": scope["method"],
        "route": route,
        "status": status,
        "ms": round(seconds * 1000, 1),
    }
    case_id = scope.get("path_params", {}).get("case_id")
    if isinstance(case_id, str) and route != _NOWHERE:
        fields["case"] = case_id[:100]
    level = logging.INFO if status < 500 else logging.ERROR
    log.log(level, "%s %s gave %d", scope["method"], route, status, extra={FIELDS: fields})
