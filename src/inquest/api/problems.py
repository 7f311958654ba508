"""Errors as `application/problem+json` (RFC 9457): one sentence and advice."""

from __future__ import annotations

import json
import re
import tomllib
from functools import cache
from http import HTTPStatus
from importlib.resources import files
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from inquest.app.invalid import fault_of
from inquest.app.tools.for_models import fit
from inquest.domain import errors as ours

PROBLEM_JSON = "application/problem+json"

_STATUS: tuple[tuple[type[ours.InquestError], int], ...] = (
    (ours.FileUnreadable, 422),
    (ours.InputError, 422),
    (ours.NotFound, 404),
    (ours.Busy, 409),
    (ours.Conflict, 409),
    (ours.NotSignedIn, 401),
    (ours.NotAllowed, 403),
    (ours.TooManyRequests, 429),
    (ours.SettingError, 409),
    (ours.StorageError, 503),
    (ours.Outage, 424),
)
"""The status of an error: the first row that matches. An outage is 424, because the request was valid but something
that it depends on was not available."""


class Problem(BaseModel):
    """An error in one sentence, and advice (RFC 9457)."""

    type: str = "about:blank"
    title: str = Field(examples=["Not Found"])
    status: int = Field(examples=[404])
    detail: str = Field(examples=["There is no case '20261122-0badcafe' here."])
    advice: str = Field("", examples=["GET /api/v1/cases lists the cases."])
    errors: list[dict[str, Any]] = Field([], description="for each invalid field: where it is, and why it is invalid")


def problem(status: int, detail: str, *, advice: str = "", errors: list[dict[str, Any]] | None = None) -> Response:
    """The reply for a problem."""
    body = Problem(
        title=HTTPStatus(status).phrase, status=status, detail=detail, advice=advice, errors=errors or []
    ).model_dump()
    return Response(json.dumps(fit(body), ensure_ascii=False).encode(errors="replace"), status, media_type=PROBLEM_JSON)


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The OpenAPI declaration of these replies and those of every endpoint."""
    return {
        status: {
            "description": HTTPStatus(status).phrase,
            "content": {PROBLEM_JSON: {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
        for status in sorted({*statuses, 400, 401, 403, 413, 422, 429, 503})
    }


def add_problems(api: FastAPI) -> None:
    """Report every error of the app's routes as a problem."""
    api.add_exception_handler(ours.InquestError, _of_ours)
    api.add_exception_handler(RequestValidationError, _invalid)
    api.add_exception_handler(HTTPException, _http)
    api.add_exception_handler(Exception, _defect)


def status_of(error: ours.InquestError) -> int:
    """The status of the reply for this error."""
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 500)


def retry_after(error: Exception | None) -> dict[str, str]:
    """The header Retry-After, if the error has a time."""
    return {"Retry-After": str(max(1, round(error.retry_after)))} if isinstance(error, ours.TooManyRequests) else {}


async def _of_ours(request: Request, error: Exception) -> Response:
    assert isinstance(error, ours.InquestError)
    reply = problem(status_of(error), str(error), advice=as_request(error.advice))
    reply.headers.update(retry_after(error))
    if isinstance(error, ours.NotSignedIn):
        reply.headers["WWW-Authenticate"] = 'Bearer realm="inquest"'
    return reply


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    status, why = error.status_code, str(error.detail).rstrip(".")
    allowed = (error.headers or {}).get("Allow", "other methods")
    detail, advice = {
        400: ("The body cannot be read.", "Send a body that matches its Content-Type, with JSON in UTF-8."),
        404: ("There is nothing at this address.", "/api/docs lists all addresses."),
        405: (f"This address does not allow {request.method}.", f"It allows {allowed}."),
        413: (f"{why}.", "Send a smaller one."),
    }.get(status, (f"{why}.", ""))
    reply = problem(status, detail, advice=advice, errors=[{"where": ["body"], "why": why}] if status == 400 else None)
    reply.headers.update(error.headers or {})
    return reply


async def _defect(request: Request, error: Exception) -> Response:
    """A reply without details, which are in the server's log."""
    return problem(500, "This failed because of a defect in Inquest.", advice="The server's log has the details.")


_COMMAND = re.compile(r"`(inquest [^`]*)`")


def as_request(advice: str) -> str:
    """The advice with each command replaced by the equivalent request, if there is one."""
    for option, field in _table()["options"].items():
        advice = advice.replace(option, field)

    def request_for(found: re.Match[str]) -> str:
        for command, request in _table()["commands"].items():
            if (match := re.fullmatch(re.escape(command).replace(r"\*", "(.+)"), found[1])) is not None:
                return str(request.replace("*", "".join(match.groups())))
        return found[0]

    return _COMMAND.sub(request_for, advice)


@cache
def _table() -> dict[str, dict[str, Any]]:
    return tomllib.loads(files("inquest.api").joinpath("advice.toml").read_text())


_ADVICE = "/api/docs describes it, with an example."
_JSON, _FORM, _PLAIN_FORM = "application/json", "multipart/form-data", "application/x-www-form-urlencoded"
_SENTENCES = {
    "union_tag_not_found": "'kind' is missing.",
    "union_tag_invalid": "Invalid {discriminator} '{tag}': expected one of {expected_tags}.",
}
"""By pydantic's type of the error, where `fault_of` would say less."""


async def _invalid(request: Request, error: Exception) -> Response:
    """The problem of an invalid request; the first of several errors makes the sentence."""
    assert isinstance(error, RequestValidationError)
    found = [dict(each) for each in error.errors()]
    status, detail, advice = 422, _sentence(found[0], error.body), _ADVICE
    if found[0]["loc"][0] == "body":
        field = getattr(request.scope.get("route"), "body_field", None)
        wanted = str(getattr(getattr(field, "field_info", None), "media_type", _JSON))
        sent = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if "transfer-encoding" not in request.headers and request.headers.get("content-length", "0") == "0":
            detail, advice = "The request has no body.", f"Send {wanted}: {_ADVICE}"
        elif not (sent in (_FORM, _PLAIN_FORM) if wanted != _JSON else sent == _JSON or sent.endswith("+json")):
            how = f"as {sent}" if sent else "without its Content-Type"
            status, detail = 415, f"The body was sent {how}; expected {wanted}."
    faults = [{"where": list(map(str, each["loc"])), "why": str(each["msg"])} for each in found]
    return problem(status, detail, advice=advice, errors=faults)


def _sentence(error: dict[str, Any], body: object) -> str:
    kind, context, (_, *places) = error["type"], error.get("ctx") or {}, error["loc"]
    if places and isinstance(body, dict) and body.get("kind") == places[0]:
        del places[0]  # the case's kind, which selects the model of the body
    if kind == "json_invalid":
        return f"The body is not JSON: {context['error'].removesuffix(' at')} at character {error['loc'][-1]}."
    if not places:
        if kind in ("model_attributes_type", "dict_type", "model_type"):
            return "The body is not a JSON object."
        places = ["body"]
    name = f"'{'.'.join(map(str, places))}'"
    if kind == "value_error" and "UploadFile" in str(error["msg"]):
        return f"{name} is not a file."
    if (words := _SENTENCES.get(kind)) is not None:
        return words.format(name=name, **context)
    return f"Invalid {name}: {fault_of(error)}."
