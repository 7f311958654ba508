"""Routes that render errors as pages."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from inquest.api.problems import status_of
from inquest.app.pages.new_case import field_of
from inquest.domain.errors import InquestError, NotSignedIn
from inquest.web.render import reply, sign_in_page
from inquest.web.words import words

_OF_CASE = (409, 422, 503)
"""Statuses after which the case itself can still be opened."""

SCRIPT = "inquest"
"""The X-Requested-With value of our script."""
Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class PageRoute(APIRoute):
    """A route that renders errors as pages."""

    def get_route_handler(self) -> Handler:
        """Wrap the handler."""
        inner = super().get_route_handler()

        async def handler(request: Request) -> Response:
            try:
                return _followed(request, await inner(request))
            except NotSignedIn:
                return sign_in_page(request, _path(request))
            except InquestError as error:
                return failed(request, status_of(error), str(error), error.advice, field_of(error))
            except RequestValidationError as error:
                text = words().error
                where = error.errors()[0]["loc"][-1] if error.errors() else ""
                return failed(request, 422, text.field.format(field=where), text.field_advice, str(where))
            except HTTPException as error:
                return failed(request, error.status_code, str(error.detail), "")

        return handler


def page_router() -> APIRouter:
    """Return a router for pages, which are not part of OpenAPI."""
    return APIRouter(route_class=PageRoute, include_in_schema=False)


def wants_page(request: Request) -> bool:
    """Return True for a browser's request of a page outside the API."""
    return "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api/")


def _followed(request: Request, answer: Response) -> Response:
    """Pass a redirect to our script in a header, because fetch would follow it without its fragment."""
    if answer.status_code != 303 or request.headers.get("x-requested-with") != SCRIPT:
        return answer
    answer.headers["X-Location"] = answer.headers["Location"]
    del answer.headers["Location"]
    answer.status_code = 204
    return answer


def failed(request: Request, status: int, sentence: str, advice: str, field: str = "") -> Response:
    """Render an error with advice."""
    parts = request.url.path.split("/")
    of_case = status in _OF_CASE and len(parts) > 3 and parts[1] == "cases"
    if status == 404 and "`inquest " in advice:  # a command of the terminal
        advice = words().error.no_page_advice
    shown = {
        "sentence": sentence,
        "advice": advice,
        "field": field,
        "case_path": "/".join(parts[:3]) if of_case else "",
    }
    return reply(request, "error.html", status=status, code=status, **shown)


def _path(request: Request) -> str:
    if request.method != "GET":
        return "/"
    return f"{request.url.path}?{request.url.query}" if request.url.query else request.url.path
