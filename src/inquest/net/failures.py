"""Outages as typed errors by purpose, and their JSON form, with which a replay raises the same errors again."""

from __future__ import annotations

import json
from typing import Any

from inquest.domain.errors import (
    EngineError,
    EngineFormat,
    EngineKeyRefused,
    EngineQuota,
    EngineUnavailable,
    FileUnreadable,
    ModelError,
    ModelFormat,
    ModelKeyRefused,
    ModelUnavailable,
    NotRecorded,
    Outage,
    PageError,
    PageForbidden,
    PageRefused,
    PageTooLarge,
    PageUnavailable,
    PageUnreadable,
)
from inquest.domain.reasons import Reason
from inquest.kit.exchange import Purpose

_ENGINE = (EngineError, EngineFormat, EngineKeyRefused, EngineQuota, EngineUnavailable)
_PAGE = (FileUnreadable, PageError, PageForbidden, PageRefused, PageTooLarge, PageUnavailable, PageUnreadable)
_MODEL = (ModelError, ModelFormat, ModelKeyRefused, ModelUnavailable)
_KINDS: dict[str, type[Outage]] = {kind.__name__: kind for kind in (*_ENGINE, *_PAGE, *_MODEL)}
_EXTRAS = ("status", "retry_after", "technical")
_CODED = ("said", "advised")
"""Message and advice, which may be reasons."""


def unavailable(purpose: Purpose, who: str, message: str, *, advice: str = "", status: int | None = None) -> Outage:
    """Return the error for something unreachable. `who`: the engine, the page's URL or the model."""
    match purpose:
        case Purpose.ENGINE:
            return EngineUnavailable(who, message, advice=advice)
        case Purpose.MODEL | Purpose.FILE:
            return ModelUnavailable(who, message, advice=advice)
        case Purpose.PAGE:
            return PageUnavailable(who, message, advice=advice, status=status)


def too_large(purpose: Purpose, who: str, message: str) -> Outage:
    """Return the error for an answer above the size limit; for engines and models, a violation of their format."""
    match purpose:
        case Purpose.ENGINE:
            return EngineFormat(who, message)
        case Purpose.MODEL | Purpose.FILE:
            return ModelFormat(who, message)
        case Purpose.PAGE:
            return PageTooLarge(who, message)


def forbidden(purpose: Purpose, who: str, message: str) -> Outage:
    """Return the error for a URL rejected by the guard."""
    match purpose:
        case Purpose.ENGINE:
            advice = "If it is a service of your own, name its host in INQUEST_ALLOW_HOSTS."
            return EngineUnavailable(who, message, advice=advice)
        case Purpose.MODEL | Purpose.FILE:
            advice = "If it is a server of your own, name its host in INQUEST_ALLOW_HOSTS."
            return ModelUnavailable(who, message, advice=advice)
        case Purpose.PAGE:
            advice = "If it is a host of your own, name it in INQUEST_ALLOW_HOSTS."
            return PageForbidden(who, message, advice=advice)


def failure_to_json(error: Outage) -> str:
    """Serialize an error for a recording. Raises TypeError unless it is one of an engine, page or model."""
    name = type(error).__name__
    if _KINDS.get(name) is not type(error):
        raise TypeError(f"{name} cannot be recorded")
    kept: dict[str, Any] = {"error": name, "message": str(error), "advice": error.advice, "who": _who(error)}
    said = {extra: getattr(error, extra, None) for extra in _EXTRAS}
    kept |= {extra: value for extra, value in said.items() if value is not None and value is not False}
    codes = {name: code for name in _CODED if isinstance(code := getattr(error, name), Reason)}
    kept |= {name: code.model_dump(mode="json") for name, code in codes.items()}
    kept |= {"after_failures": True} if error.after_failures else {}
    return json.dumps(kept, ensure_ascii=False, sort_keys=True)


def failure_from_json(kept: str) -> Outage:
    """Return the error serialized by `failure_to_json`. Raises NotRecorded if the record cannot be read."""
    try:
        record = json.loads(kept)
        kind = _KINDS[record["error"]]
        extras = {extra: record[extra] for extra in _EXTRAS if extra in record}
        # All classes in _KINDS take `who`, then the message.
        make: Any = kind
        said, advised = (Reason.model_validate(record[name]) if name in record else "" for name in _CODED)
        error = make(record["who"], said or record["message"], advice=advised or record["advice"], **extras)
    except (ValueError, KeyError, TypeError) as wrong:
        raise NotRecorded("A recorded failure of this case cannot be read.") from wrong
    assert isinstance(error, Outage)
    if record.get("after_failures") is True:
        error.after_failures = True
    return error


def _who(error: Outage) -> str:
    match error:
        case EngineError():
            return error.engine
        case PageError():
            return error.url
        case ModelError():
            return error.model
        case _:
            raise TypeError(f"{type(error).__name__} cannot be recorded")
