"""Outages as typed errors by purpose, and their JSON form, with which a replay raises the same errors again."""

from __future__ import annotations

import json
from typing import Any

from inquest.domain import errors
from inquest.domain.errors import NotRecorded, Outage, OutsideError
from inquest.domain.reasons import Reason
from inquest.kit.exchange import Purpose

_KINDS = {
    name: kind for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, OutsideError)
}
_EXTRAS = ("status", "retry_after", "technical")
_CODED = ("said", "advised")
"""Message and advice, which may be reasons."""
_MODEL = (errors.ModelUnavailable, errors.ModelFormat, errors.ModelUnavailable, "server")
_OF = {
    Purpose.ENGINE: (errors.EngineUnavailable, errors.EngineFormat, errors.EngineUnavailable, "service"),
    Purpose.MODEL: _MODEL,
    Purpose.FILE: _MODEL,
    Purpose.PAGE: (errors.PageUnavailable, errors.PageTooLarge, errors.PageForbidden, "site"),
}
"""The errors for something unreachable, for an answer above the size limit (of engines and models, a violation of
their format) and for a URL rejected by the guard, and a word for the user's own."""


def unavailable(purpose: Purpose, who: str, message: str, *, advice: str = "", status: int | None = None) -> Outage:
    """Return the error for something unreachable. `who`: the engine, the page's URL or the model."""
    return _OF[purpose][0](who, message, advice=advice, status=status)


def too_large(purpose: Purpose, who: str, message: str) -> Outage:
    """Return the error for an answer above the size limit."""
    return _OF[purpose][1](who, message)


def forbidden(purpose: Purpose, who: str, message: str) -> Outage:
    """Return the error for a URL rejected by the guard."""
    *_, kind, what = _OF[purpose]
    advice = f"If it is a {what} of your own, name its host in INQUEST_ALLOW_HOSTS."
    return kind(who, message, advice=advice)


def failure_to_json(error: Outage) -> str:
    """Serialize an error for a recording. Raises TypeError unless it is one of an engine, page or model."""
    name = type(error).__name__
    if not isinstance(error, OutsideError) or _KINDS.get(name) is not type(error):
        raise TypeError(f"{name} cannot be recorded")
    kept: dict[str, Any] = {"error": name, "message": str(error), "advice": error.advice, "who": error.who}
    said = {extra: getattr(error, extra) for extra in _EXTRAS}
    kept |= {extra: value for extra, value in said.items() if value is not None and value is not False}
    codes = {name: code for name in _CODED if isinstance(code := getattr(error, name), Reason)}
    kept |= {name: code.model_dump(mode="json") for name, code in codes.items()}
    kept |= {"after_failures": True} if error.after_failures else {}
    return json.dumps(kept, ensure_ascii=False, sort_keys=True)


def failure_from_json(kept: str) -> Outage:
    """Return the error serialized by `failure_to_json`. Raises NotRecorded if the record cannot be read."""
    try:
        record = json.loads(kept)
        extras = {extra: record[extra] for extra in _EXTRAS if extra in record}
        said, advised = (Reason.model_validate(record[name]) if name in record else "" for name in _CODED)
        advice = advised or record["advice"]
        error = _KINDS[record["error"]](record["who"], said or record["message"], advice=advice, **extras)
    except (ValueError, KeyError, TypeError) as wrong:
        raise NotRecorded("A recorded failure of this case cannot be read.") from wrong
    if record.get("after_failures") is True:
        error.after_failures = True
    return error
