"""Replies of local services in the form of HTTP replies."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from urllib.parse import SplitResult, parse_qs, urlsplit

from inquest.domain.errors import InputError, NotFound
from inquest.domain.value import JsonObject
from inquest.kit.exchange import Reply, Request
from inquest.kit.ports import Clock


async def local_reply(
    request: Request, answer: Callable[[SplitResult, dict[str, str]], Awaitable[JsonObject]], clock: Clock
) -> Reply:
    """200 with the answer to the address and its query parameters, 400 if they are invalid, 404 if there is no such
    collection or table."""
    address = urlsplit(request.url)
    parameters = {name: values[-1] for name, values in parse_qs(address.query).items()}
    try:
        status, found = 200, await answer(address, parameters)
    except NotFound as error:
        status, found = 404, {"error": error.sentence}
    except (InputError, ValueError) as error:
        status, found = 400, {"error": str(error)}
    body = json.dumps(found, ensure_ascii=False).encode()
    return Reply(
        url=request.url, status=status, headers=(("content-type", "application/json"),), body=body, at=clock.now()
    )
