"""Signing in through the identity provider of the settings."""

from __future__ import annotations

import base64
import binascii
import hmac
import json
from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse

from inquest.api.access import Opened, address_of
from inquest.api.problems import problems
from inquest.api.routes.access import is_https, keep_session
from inquest.app.access.oidc import Begun, begin, finish
from inquest.domain.errors import NotSignedIn

router = APIRouter(prefix="/oidc", tags=["access"])

_COOKIE, _SECONDS = "inquest_sign_in", 600
_SENT = {"description": "The browser is redirected."}


@router.get("/sign-in", status_code=302, response_class=RedirectResponse, responses={302: _SENT, **problems(404, 424)})
async def sign_in(request: Request, app: Opened) -> RedirectResponse:
    """Send the browser to the identity provider."""
    begun = await begin(app, _back(request, app.settings.public_url))
    reply = RedirectResponse(begun.url, 302)
    reply.set_cookie(
        _COOKIE,
        base64.urlsafe_b64encode(json.dumps(asdict(begun)).encode()).decode(),
        max_age=_SECONDS,
        path="/api/v1/oidc",
        secure=is_https(request, app.settings.public_url),
        httponly=True,
        samesite="lax",
    )
    return reply


@router.get(
    "/callback", status_code=302, response_class=RedirectResponse, responses={302: _SENT, **problems(404, 409, 424)}
)
async def callback(
    request: Request,
    app: Opened,
    code: Annotated[str, Query(max_length=4_000)] = "",
    state: Annotated[str, Query(max_length=500)] = "",
) -> Response:
    """Begin a session after the identity provider's redirection, and go to the newsroom page."""
    begun = _begun(request.cookies.get(_COOKIE, ""))
    if begun is None or not code or not hmac.compare_digest(begun.state.encode(), state.encode("utf-8", "replace")):
        raise NotSignedIn("This sign-in did not begin here, or has expired.", advice="Sign in again.")
    back = _back(request, app.settings.public_url)
    shown = await finish(app, begun, code, back, address=address_of(request))
    reply = RedirectResponse("/", 302)
    reply.delete_cookie(_COOKIE, path="/api/v1/oidc")
    keep_session(reply, shown, secure=is_https(request, app.settings.public_url))
    return reply


def _back(request: Request, public_url: str | None) -> str:
    return f"{(public_url or str(request.base_url)).rstrip('/')}/api/v1/oidc/callback"


def _begun(cookie: str) -> Begun | None:
    try:
        return Begun(**json.loads(base64.urlsafe_b64decode(cookie)))
    except (ValueError, TypeError, binascii.Error):
        return None
