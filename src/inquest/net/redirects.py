"""Where a redirect leads, and what goes along with it."""

from __future__ import annotations

from contextlib import suppress
from urllib.parse import urldefrag, urljoin

from inquest.kit.exchange import Request
from inquest.net.guard import Place
from inquest.net.redaction import carries_secret

_FOLLOWED = (301, 302, 303, 307, 308)


def leads_to(method: str, place: Place, status: int, location: str | None) -> str | None:
    """The next URL, or None where the reply is an end in itself.

    Only GET and HEAD are followed: a search or a model call that is sent elsewhere is not what was asked for, and its
    body may be nobody else's business.
    """
    if status not in _FOLLOWED or not location or method.upper() not in ("GET", "HEAD"):
        return None
    # Headers come as Latin-1; a Location in UTF-8 is out of order and common.
    with suppress(UnicodeEncodeError, UnicodeDecodeError):
        location = location.encode("latin-1").decode("utf-8")
    return urldefrag(urljoin(place.url, location.strip())).url


def headers_for(request: Request, first: Place, here: Place) -> tuple[tuple[str, str], ...]:
    """The request's headers; without those that carry a key, where it has been sent to another origin."""
    if here.origin == first.origin:
        return request.headers
    return tuple((name, value) for name, value in request.headers if not carries_secret(name, value, request.secrets))
