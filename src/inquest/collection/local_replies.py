"""Replies of a service on this machine, in the form that a service elsewhere gives."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable

from inquest.domain.errors import InputError, NotFound
from inquest.domain.value import JsonObject
from inquest.kit.exchange import Reply, Request
from inquest.kit.ports import Clock


async def local_reply(request: Request, answer: Callable[[str], Awaitable[JsonObject]], clock: Clock) -> Reply:
    """200 with the answer to the request's address, 400 for a malformed one, 404 for what does not exist."""
    try:
        status, found = 200, await answer(request.url)
    except NotFound as error:
        status, found = 404, {"error": error.sentence}
    except (InputError, ValueError) as error:
        status, found = 400, {"error": str(error)}
    body = json.dumps(found, ensure_ascii=False).encode()
    return Reply(
        url=request.url, status=status, headers=(("content-type", "application/json"),), body=body, at=clock.now()
    )
