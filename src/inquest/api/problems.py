"""Errors as `application/problem+json` (RFC 9457): one sentence, and what to do."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Sequence
from functools import cache
from http import HTTPStatus
from importlib.resources import files
from typing import Any, NamedTuple

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

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
    409: (
        "Plan 1 of case 20261122-7f3a0c12 has already been answered.",
        "Its events show who decided what.",
    ),
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
    """Have every error of the app's routes reported as a problem."""
    api.add_exception_handler(InquestError, _of_ours)
    api.add_exception_handler(RequestValidationError, _invalid)
    api.add_exception_handler(HTTPException, _http)
    api.add_exception_handler(Exception, _defect)


def status_of(error: InquestError) -> int:
    """The status of a reply that tells this error."""
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 500)


def retry_after(error: Exception | None) -> dict[str, str]:
    """The header that names when to ask again, where the error does."""
    return {"Retry-After": str(max(1, round(error.retry_after)))} if isinstance(error, TooManyRequests) else {}


async def _of_ours(request: Request, error: Exception) -> Response:
    assert isinstance(error, InquestError)
    reply = problem(status_of(error), str(error), advice=as_request(error.advice))
    reply.headers.update(retry_after(error))
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
    """Nothing of it is revealed but that it is one; what went wrong is in the server's log."""
    return problem(500, "This failed by a defect of Inquest.", advice="The server's log has the details.")


_COMMAND = re.compile(r"`(inquest [^`]*)`")


def as_request(advice: str) -> str:
    """The advice with each command as the request that does the same; one that has none stays."""
    commands, options = _table()
    for option, field in options.items():
        advice = advice.replace(option, field)

    def asked(found: re.Match[str]) -> str:
        for command, request in commands:
            if (fits := command.fullmatch(found[1])) is not None:
                return request.replace("*", "".join(fits.groups()))
        return found[0]

    return _COMMAND.sub(asked, advice)


@cache
def _table() -> tuple[tuple[tuple[re.Pattern[str], str], ...], dict[str, str]]:
    given = tomllib.loads(files("inquest.api").joinpath("advice.toml").read_text())
    commands = ((re.compile(re.escape(name).replace(r"\*", "(.+)")), said) for name, said in given["commands"].items())
    return tuple(commands), given["options"]


_SHOWN = "/api/docs shows what is taken, with an example."
_JSON, _FORM, _PLAIN_FORM = "application/json", "multipart/form-data", "application/x-www-form-urlencoded"
_SENTENCES = {
    "missing": "{name} is missing.",
    "union_tag_not_found": "'kind' is missing.",
    "extra_forbidden": "There is no field {name} here.",
    "union_tag_invalid": "Invalid {discriminator} '{tag}': expected one of {expected_tags}.",
    "literal_error": "Invalid {name}: expected {expected}.",
    "enum": "Invalid {name}: expected {expected}.",
}
"""By pydantic's type of the error; what else it finds is said in its own words."""


class Refusal(NamedTuple):
    """What a reply says."""

    status: int
    detail: str
    advice: str
    errors: list[dict[str, Any]]


def refusal(request: Request, error: RequestValidationError) -> Refusal:
    """What the reply to this request says; of several errors the first is the sentence."""
    found = [dict(each) for each in error.errors()]
    first = found[0]
    faults = [{"where": list(map(str, each["loc"])), "why": str(each["msg"])} for each in found]
    if first["loc"][0] != "body":
        return Refusal(422, _sentence(first, error.body), _SHOWN, faults)
    wanted, sent = _taken(request), request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if not _has_body(request):
        return Refusal(422, "The request has no body.", f"Send {wanted}: {_SHOWN}", faults)
    if not _fits(sent, wanted):
        what = f"as {sent}" if sent else "without its Content-Type"
        return Refusal(415, f"The body was sent {what}; this address takes {wanted}.", _SHOWN, faults)
    return Refusal(422, _sentence(first, error.body), _SHOWN, faults)


def _taken(request: Request) -> str:
    """The media type that the address takes."""
    field = getattr(request.scope.get("route"), "body_field", None)
    return str(getattr(getattr(field, "field_info", None), "media_type", _JSON))


def _has_body(request: Request) -> bool:
    return "transfer-encoding" in request.headers or request.headers.get("content-length", "0") != "0"


def _fits(sent: str, wanted: str) -> bool:
    if wanted == _JSON:
        return sent == _JSON or sent.endswith("+json")
    return sent in (_FORM, _PLAIN_FORM)


def _sentence(error: dict[str, Any], body: object) -> str:
    kind, where, context = error["type"], _within(error["loc"], body), error.get("ctx") or {}
    if kind == "json_invalid":
        return f"The body is no JSON: {context.get('error', 'it cannot be read')} at character {error['loc'][-1]}."
    if not where:
        if kind in ("model_attributes_type", "dict_type", "model_type"):
            return "The body is no JSON object."
        where = ("body",)
    name = f"'{'.'.join(where)}'"
    if kind == "value_error" and "UploadFile" in str(error["msg"]):
        return f"{name} is no file."
    if (words := _SENTENCES.get(kind)) is not None:
        return words.format(name=name, **context)
    return f"{name} cannot be used: {str(error['msg']).rstrip('.')}."


def _within(place: Sequence[object], body: object) -> tuple[str, ...]:
    """The names below body, query or header, without the case's kind, which selects the model of the body."""
    names = [str(each) for each in place[1:]]
    if names and isinstance(body, dict) and body.get("kind") == names[0]:
        names = names[1:]
    return tuple(names)
