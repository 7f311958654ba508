"""Registration of the pages with the service: routers, script and style sheet."""

from __future__ import annotations

from importlib.resources import files

from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException

from inquest.web.render import HEADERS, failed, packed, page_router, script, style, wants_page, words
from inquest.web.routes import audit, case, decisions, desk, newsroom, settings

_KEPT = {**HEADERS, "Cache-Control": "public, max-age=31536000, immutable"}
_ASSETS = {"inquest.js": ("text/javascript; charset=utf-8", script), "inquest.css": ("text/css; charset=utf-8", style)}

assets = page_router()


@assets.get("/static/{version}/{name}")
async def asset(request: Request, version: str, name: str) -> Response:
    """Serve the script or the style sheet, whose URL changes with the content."""
    if name not in _ASSETS:
        return Response(status_code=404, headers=HEADERS)
    kind, content = _ASSETS[name]
    body, status, headers = packed(request, content(), 200, _KEPT)
    return Response(body, status, headers, media_type=kind)


@assets.get("/favicon.ico")
async def icon() -> Response:
    """Serve the icon as SVG."""
    drawing = (files("inquest.web") / "static" / "icon.svg").read_bytes()
    return Response(drawing, media_type="image/svg+xml", headers=_KEPT)


def add_pages(api: FastAPI) -> None:
    """Add the newsroom page at `/`; browsers get a page for unknown URLs."""
    for part in (desk, audit, newsroom, settings, decisions, case):
        api.include_router(part.router)
    api.include_router(assets)
    as_problem = api.exception_handlers[HTTPException]

    async def answered(request: Request, error: Exception) -> Response:
        if isinstance(error, HTTPException) and error.status_code in (404, 405) and wants_page(request):
            text = words().error
            return failed(request, error.status_code, text.no_page, text.no_page_advice)
        reply: Response = await as_problem(request, error)  # type: ignore[misc]
        return reply

    api.add_exception_handler(HTTPException, answered)
