"""A request whose body or parameters cannot be used: which status it is given, what is wrong, and what to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from fastapi import Request
from fastapi.exceptions import RequestValidationError

_SHOWN = "/api/docs shows what is taken, with an example."
_JSON, _FORM, _PLAIN_FORM = "application/json", "multipart/form-data", "application/x-www-form-urlencoded"
_SENTENCES = {
    "missing": "{name} is missing.",
    "union_tag_not_found": "'kind' is missing.",
    "extra_forbidden": "There is no field {name} here.",
    "union_tag_invalid": "{discriminator} is '{tag}', which is none of {expected_tags}.",
    "literal_error": "{name} is none of {expected}.",
    "enum": "{name} is none of {expected}.",
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
    """The names below body, query or header; a case's kind, by which its body is known, is none of them."""
    names = [str(each) for each in place[1:]]
    if names and isinstance(body, dict) and body.get("kind") == names[0]:
        names = names[1:]
    return tuple(names)
