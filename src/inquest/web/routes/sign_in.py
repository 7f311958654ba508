"""Sign-in and sign-out of remote users."""

from __future__ import annotations

from typing import Annotated

from fastapi import Form, Request, Response
from fastapi.responses import RedirectResponse

from inquest.api.access import COOKIE, address_of
from inquest.api.routes.access import is_https, keep_session, sign_out
from inquest.api.state import Serving
from inquest.app.access import accounts
from inquest.domain.errors import InquestError
from inquest.web.render import inside, sign_in_page
from inquest.web.routing import page_router
from inquest.web.visit import Visiting

router = page_router()


@router.post("/sign-in")
async def enter(
    request: Request,
    serving: Serving,
    name: Annotated[str, Form(max_length=200)],
    password: Annotated[str, Form(max_length=1024)],
    back: Annotated[str, Form(max_length=2000)] = "/",
) -> Response:
    """Open a session, or show the form again with the error."""
    app = serving.app
    try:
        shown = await accounts.sign_in(app, serving.passwords, name, password, address=address_of(request))
    except InquestError as error:
        return sign_in_page(request, back, error, name)
    response = RedirectResponse(inside(back), 303)
    keep_session(response, shown, secure=is_https(request, app.settings.public_url))
    return response


@router.post("/sign-out")
async def leave(visit: Visiting) -> Response:
    """End the session."""
    response = RedirectResponse("/", 303)
    await sign_out(visit.person, visit.app, response)
    response.delete_cookie(COOKIE, path="/")
    return response
