"""Redaction of recorded requests, and the fingerprint by which their replies are found again.

The fingerprint contains no key, so a case recorded with keys can be replayed without them.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Any
from urllib.parse import quote, quote_plus, urldefrag

from inquest.kit.exchange import Purpose, Reply, Request
from inquest.text.regex import regex

PLACEHOLDER = "SECRET-LEFT-OUT"
"""Replaces secrets. It needs no escaping in URLs, headers or JSON, so that on replay an engine that gets it as its key
builds exactly the recorded request."""

_SHORTEST = 4
"""Minimum length of a secret; replacing shorter values would damage words."""

_SECRET_HEADERS = frozenset(
    (
        "authorization proxy-authorization cookie x-api-key api-key apikey x-goog-api-key x-subscription-token "
        "ocp-apim-subscription-key x-auth-token x-access-token"
    ).split()
)
# Headers that differ between runs or versions without changing the answer.
_OF_NO_ACCOUNT = frozenset(
    (
        "user-agent accept-encoding connection host content-length transfer-encoding traceparent tracestate baggage "
        "idempotency-key x-idempotency-key x-request-id x-client-request-id x-goog-api-client x-goog-request-params"
    ).split()
)


_LEFT_OUT = regex(rf"(?<=[?&])[^?&=#]+={re.escape(PLACEHOLDER)}(?:&|$)")
"""A parameter whose value is a secret."""


def carries_secret(name: str, value: str, secrets: Iterable[str]) -> bool:
    """Return True if a header must be sent to the addressed host only."""
    return name.lower() in _SECRET_HEADERS or any(form in value for form in _forms(tuple(secrets)))


def redacted(request: Request) -> Request:
    """Return the request with all secrets replaced, fit to be stored and shown."""
    return replace(
        request,
        url=redacted_text(request.url, request.secrets),
        headers=tuple(
            (name, PLACEHOLDER if name.lower() in _SECRET_HEADERS else redacted_text(value, request.secrets))
            for name, value in request.headers
        ),
        body=None if request.body is None else _redacted_bytes(request.body, request.secrets),
        secrets=(),
    )


def redacted_reply(reply: Reply, secrets: tuple[str, ...]) -> Reply:
    """Return the reply with all secrets replaced, because some engines echo the key."""
    if not secrets:
        return reply
    return replace(
        reply,
        url=redacted_text(reply.url, secrets),
        headers=tuple((name, redacted_text(value, secrets)) for name, value in reply.headers),
        body=_redacted_bytes(reply.body, secrets),
    )


def without_fields(reply: Reply, names: Iterable[str]) -> Reply:
    """Return the reply with the values of these fields replaced in its JSON, at any depth, and in URL and headers. A
    reply that is not JSON is returned unchanged."""
    secret = frozenset(names)
    if not secret:
        return reply
    try:
        data = json.loads(reply.body)
        found = set(_values(data, secret))
        if not found:
            return reply
        kept = replace(reply, body=json.dumps(_emptied(data, secret)).encode())
    except (ValueError, RecursionError):
        return reply
    return redacted_reply(kept, tuple(found))


def redacted_text(text: str, secrets: Iterable[str]) -> str:
    """Return the text with all secrets replaced, whether plain or escaped for URLs or JSON."""
    for form in _forms(tuple(secrets)):
        text = text.replace(form, PLACEHOLDER)
    return text


def fingerprint(request: Request, purpose: Purpose) -> str:
    """Return the key of the reply to a redacted request: a hash of purpose, method, URL, body and relevant headers.
    Headers and parameters with a key are ignored, so that requests with and without one are the same."""
    headers = sorted(
        (name.lower(), value)
        for name, value in request.headers
        if name.lower() not in _OF_NO_ACCOUNT
        and name.lower() not in _SECRET_HEADERS
        and not name.lower().startswith("x-stainless-")
    )
    url = urldefrag(request.url).url
    if _LEFT_OUT.search(url):
        url = _LEFT_OUT.sub("", url).rstrip("?&")
    parts = [purpose.value, request.method.upper(), url, headers]
    digest = hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode())
    digest.update(b"\0" + (request.body or b""))
    return f"sha256:{digest.hexdigest()}"


def _redacted_bytes(body: bytes, secrets: Iterable[str]) -> bytes:
    for form in _forms(tuple(secrets)):
        body = body.replace(form.encode(), PLACEHOLDER.encode())
    return body


@lru_cache(maxsize=64)
def _forms(secrets: tuple[str, ...]) -> tuple[str, ...]:
    """Return all spellings of all secrets, longest first so that none is replaced in part."""
    forms: set[str] = set()
    for secret in secrets:
        if len(secret) >= _SHORTEST:
            forms |= {secret, quote(secret, safe=""), quote(secret), quote_plus(secret), json.dumps(secret)[1:-1]}
    return tuple(sorted(forms, key=lambda form: (-len(form), form)))


def _values(data: Any, names: frozenset[str]) -> Iterable[str]:
    """Yield the strings in fields of these names, at any depth."""
    if isinstance(data, dict):
        for name, value in data.items():
            if name in names and isinstance(value, str) and value:
                yield value
            else:
                yield from _values(value, names)
    elif isinstance(data, list):
        for each in data:
            yield from _values(each, names)


def _emptied(data: Any, names: frozenset[str]) -> Any:
    """Return the data with these strings replaced; other types are left alone because services return keys as text."""
    if isinstance(data, dict):
        return {
            name: PLACEHOLDER if name in names and isinstance(value, str) and value else _emptied(value, names)
            for name, value in data.items()
        }
    return [_emptied(each, names) for each in data] if isinstance(data, list) else data
