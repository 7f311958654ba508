"""Errors as `application/problem+json` (RFC 9457): one sentence, and what to do."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from inquest.api.advice import as_request
from inquest.api.invalid import refusal
from inquest.app.tools.for_models import fit
from inquest.domain.errors import (
    Busy,
    Conflict,
    FileUnreadable,
    InputError,
    InquestError,
    NotAllowed,
    NotFound,
    NotSignedIn,
    Outage,
    SettingError,
    StorageError,
    TooManyRequests,
)

PROBLEM_JSON = "application/problem+json"

_STATUS: tuple[tuple[type[InquestError], int], ...] = (
    (FileUnreadable, 422),
    (InputError, 422),
    (NotFound, 404),
    (Busy, 409),
    (Conflict, 409),
    (NotSignedIn, 401),
    (NotAllowed, 403),
    (TooManyRequests, 429),
    (SettingError, 409),
    (StorageError, 503),
    (Outage, 424),
)
"""Which status an error has: the first row it is one of. An outage is 424: what the answer depends on could not be
asked, and the request itself was right."""


class Problem(BaseModel):
    """What is wrong, in one sentence, and what to do (RFC 9457)."""

    type: str = "about:blank"
    title: str = Field(examples=["Not Found"])
    status: int = Field(examples=[404])
    detail: str = Field(examples=["There is no case '20261122-0badcafe' here."])
    advice: str = Field("", examples=["GET /api/v1/cases lists those there are."])
    errors: list[dict[str, Any]] = Field([], description="for each field that cannot be used: where, and why")


def problem(status: int, detail: str, *, advice: str = "", errors: list[dict[str, Any]] | None = None) -> Response:
    """A reply that says what is wrong."""
    body = Problem(
        title=HTTPStatus(status).phrase, status=status, detail=detail, advice=advice, errors=errors or []
    ).model_dump()
    return Response(json.dumps(fit(body), ensure_ascii=False).encode(errors="replace"), status, media_type=PROBLEM_JSON)


_EXAMPLES = {
    400: ("The body cannot be read.", "Send what its Content-Type says, JSON in UTF-8."),
    401: ("Nobody is signed in.", "Sign in, or send a token as Authorization: Bearer."),
    403: ("Ada may act as reader here, and this needs investigator.", "Use a token of wider scope, or ask an admin."),
    404: ("There is no case '20261122-0badcafe' here.", "GET /api/v1/cases lists those there are."),
    409: ("Plan 1 of case 20261122-7f3a0c12 has been answered already.", "See who decided what in the case's events."),
    413: ("The request has 104,857,600 bytes; at most 2,097,152 are taken.", "Send less."),
    415: ("The body was sent as text/plain; this address takes application/json.", "/api/docs shows what is taken."),
    422: ("'brief' is missing.", "/api/docs shows what is taken, with an example."),
    424: ("The page https://example.org/page could not be read: it answered 503.", "Try again later."),
    429: ("There were more than 600 requests in a minute.", "Try again in 12 seconds."),
    501: ("Metrics need the packages of `inquest[server]`.", "Install them."),
    503: ("The database cannot be reached.", "Check INQUEST_DATABASE_URL and that it runs."),
}


def problem_example(status: int) -> dict[str, Any]:
    """A problem of this status, for OpenAPI."""
    detail, advice = _EXAMPLES[status]
    return Problem(title=HTTPStatus(status).phrase, status=status, detail=detail, advice=advice).model_dump()


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The declaration of these replies for OpenAPI, with those that every endpoint may give."""
    return {
        status: {
            "description": HTTPStatus(status).phrase,
            "content": {PROBLEM_JSON: {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
        for status in sorted({*statuses, 400, 401, 403, 413, 422, 429, 503})
    }


def add_problems(api: FastAPI) -> None:
    """Have every error of the app's routes told as a problem."""
    api.add_exception_handler(InquestError, _of_ours)
    api.add_exception_handler(RequestValidationError, _invalid)
    api.add_exception_handler(HTTPException, _http)
    api.add_exception_handler(Exception, _defect)


def status_of(error: InquestError) -> int:
    """The status of a reply that tells this error."""
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 500)


async def _of_ours(request: Request, error: Exception) -> Response:
    assert isinstance(error, InquestError)
    reply = problem(status_of(error), str(error), advice=as_request(error.advice))
    if isinstance(error, TooManyRequests):
        reply.headers["Retry-After"] = str(max(1, round(error.retry_after)))
    if isinstance(error, NotSignedIn):
        reply.headers["WWW-Authenticate"] = 'Bearer realm="inquest"'
    return reply


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    refused = refusal(request, error)
    return problem(refused.status, refused.detail, advice=refused.advice, errors=refused.errors)


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    status, why = error.status_code, str(error.detail).rstrip(".")
    taken = (error.headers or {}).get("Allow", "other methods")
    detail, advice = {
        400: ("The body cannot be read.", "Send what its Content-Type says, JSON in UTF-8."),
        404: ("There is nothing at this address.", "/api/docs lists what there is."),
        405: (f"This address does not take {request.method}.", f"It takes {taken}."),
        413: (f"{why}.", "Send less."),
    }.get(status, (f"{why}.", ""))
    reply = problem(status, detail, advice=advice, errors=[{"where": ["body"], "why": why}] if status == 400 else None)
    for name, value in (error.headers or {}).items():
        reply.headers[name] = value
    return reply


async def _defect(request: Request, error: Exception) -> Response:
    """Nothing of it is told but that it is one; what went wrong is in the server's log."""
    return problem(500, "This failed by a defect of Inquest.", advice="The server's log has the details.")
