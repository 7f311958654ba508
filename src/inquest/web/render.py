"""Pages as responses: templates with their texts, security headers, and routes that render errors as pages."""

from __future__ import annotations

import gzip
import hashlib
import tomllib
from collections.abc import Callable, Coroutine, Mapping
from datetime import UTC, datetime
from functools import cache, partial
from importlib.resources import files
from types import SimpleNamespace
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse
from fastapi.routing import APIRoute
from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.exceptions import HTTPException

from inquest.api.access import Acting
from inquest.api.problems import retry_after, status_of
from inquest.app.files import ENDINGS_KEPT, ENDINGS_READ, KINDS_KEPT, KINDS_READ
from inquest.app.pages.case_page import CasePage
from inquest.app.pages.event_lines import FORMATS
from inquest.app.pages.new_case import field_of
from inquest.app.wiring.resources import Resources
from inquest.domain.errors import InquestError, NotSignedIn
from inquest.domain.person import Role
from inquest.web.charts import months_of, timeline_of, years_of


@cache
def words() -> SimpleNamespace:
    """Return the catalogue `words.toml`: tables as namespaces, entries as text, nouns as singular and plural."""
    found: SimpleNamespace = _space(tomllib.loads((files(__package__) / "words.toml").read_text("utf-8")))
    return found


def amount(number: int, noun: str) -> str:
    """Format a count: '1 source', '1,204 sources'. `noun`: an entry of the table `nouns`."""
    one, many = getattr(words().nouns, noun)
    return f"{number:,} {one if number == 1 else many}"


def _space(value: Any) -> Any:
    if isinstance(value, dict):
        return SimpleNamespace(**{name: _space(each) for name, each in value.items()})
    return value


CSP = (
    "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_WORTH_PACKING = 600  # bytes; smaller responses are not compressed
THEMES = ("light", "dark")


@cache
def script() -> bytes:
    """Return htmx, unchanged, and our script as one file, so that both load or none. A shared worker, which has no
    document, runs only ours."""
    static = files("inquest.web") / "static"
    vendored = (static / "htmx-4.0.1.min.js").read_bytes()
    return b'if (typeof document !== "undefined") {' + vendored + b"}\n" + (static / "inquest.js").read_bytes()


@cache
def style() -> bytes:
    """Return the style sheet."""
    return (files("inquest.web") / "static" / "inquest.css").read_bytes()


@cache
def asset_path(name: str) -> str:
    """Return the URL of 'inquest.js' or 'inquest.css', which changes with the content."""
    content = script() if name.endswith(".js") else style()
    return f"/static/{hashlib.sha256(content).hexdigest()[:12]}/{name}"


@cache
def environment() -> Environment:
    """Return the templates. Everything is escaped; an undefined name is an error."""
    templates = Environment(
        loader=PackageLoader("inquest.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.globals |= {
        "w": words(),
        "role": Role,
        "kinds_read": KINDS_READ,
        "endings_read": ",".join(ENDINGS_READ),
        "kinds_kept": KINDS_KEPT,
        "endings_kept": ",".join((*ENDINGS_KEPT, ".gz", ".zst")),
        "asset": asset_path,
        "f": FORMATS,
        **{each.__name__: each for each in (amount, field_of, timeline_of, years_of, months_of)},
    }
    filters = (_ago, _until, _clock, _money, _short, _day, _basename, _engine, _kind)
    templates.filters |= {each.__name__[1:]: each for each in filters}
    return templates


def page(visit: Acting, template: str, *, status: int = 200, **shown: Any) -> HTMLResponse:
    """Render a template as the response to a visit."""
    return reply(visit.request, template, status=status, person=visit.person, **shown)


def case_reply(request: Request, app: Resources, template: str, shown: CasePage, **more: Any) -> HTMLResponse:
    """Return the page of a case, from the cache if nothing that it shows has changed. For our script it is always
    rendered again, because the script tells from the time of rendering whether it got an answer."""
    headers = request.headers
    rest = template, request.url.path, request.cookies.get("theme"), headers.get("accept-encoding"), *more.items()
    made = partial(_rendered, request, template, page=shown, **more)
    anew = "hx-request" in headers
    return HTMLResponse(*app.kept.get(shown.stored or shown.case, (shown.rest, rest), made, anew=anew))


def reply(request: Request, template: str, *, status: int = 200, **shown: Any) -> HTMLResponse:
    """Render a template as the response to a request, which may be anonymous."""
    return HTMLResponse(*_rendered(request, template, status=status, **shown))


def _rendered(request: Request, template: str, *, status: int = 200, **shown: Any) -> tuple[bytes, int, dict[str, str]]:
    theme = request.cookies.get("theme", "")
    context = {
        "person": None,
        "path": request.url.path,
        "theme": theme if theme in THEMES else "",
        "now": datetime.now(UTC),
        **shown,
    }
    content = environment().get_template(template).render(context)
    return packed(request, content.encode("utf-8", "replace"), status, HEADERS)


def sign_in_page(request: Request, back: str, error: Exception | None = None, name: str = "") -> HTMLResponse:
    """Render the sign-in form, with the identity provider if one is set. `name`: as entered before."""
    provider = bool(request.app.state.server.app.settings.oidc_issuer)
    status = status_of(error) if isinstance(error, InquestError) else 401
    shown = reply(request, "sign_in.html", status=status, back=inside(back), error=error, name=name, provider=provider)
    shown.headers.update(retry_after(error))
    return shown


def packed(request: Request, content: bytes, status: int, headers: dict[str, str]) -> tuple[bytes, int, dict[str, str]]:
    """Return content, status and headers, compressed if the browser accepts it. No page holds a secret next to chosen
    input, so compression leaks nothing."""
    if "gzip" not in request.headers.get("accept-encoding", "") or len(content) < _WORTH_PACKING:
        return content, status, headers
    more = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
    return gzip.compress(content, 5, mtime=0), status, {**headers, **more}


def inside(path: str) -> str:
    """Return the path if it is one of this server, else that of the desk."""
    return path if path.startswith("/") and not path.startswith(("//", "/\\")) else "/"


_OF_CASE = (409, 422, 503)  # statuses after which the case itself can still be opened

SCRIPT = "inquest"  # the X-Requested-With value of our script
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
    """Return True for a browser's request for a page outside the API."""
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


_DATED = 60 * 86_400  # seconds after which the date is more useful than the number of days since


def _ago(at: datetime, now: datetime) -> str:
    seconds = max(0, (now - at).total_seconds())
    if seconds > _DATED:
        return _day(at).partition(",")[0]
    for size, name in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= size:
            return str(words().time.ago.format(amount=amount(int(seconds // size), name)))
    return str(words().time.now)


def _until(at: datetime, now: datetime) -> str:
    """Format the remaining time: '40 seconds', '3 minutes'."""
    seconds = max(0, round((at - now).total_seconds()))
    return amount(seconds, "second") if seconds < 90 else amount(round(seconds / 60), "minute")


def _clock(at: datetime) -> str:
    return f"{at.astimezone(UTC):%H:%M:%S}"


def _day(at: datetime) -> str:
    utc = at.astimezone(UTC)
    return f"{utc.day} {utc:%b %Y, %H:%M} UTC"


def _money(usd: float) -> str:
    if usd == 0:
        return str(words().cost.free)
    return f"${usd:,.2f}" if usd >= 0.01 else f"${usd:.4f}"


def _basename(path: str) -> str:
    """Return the last part of a path or URL; paths on this machine are not shown."""
    return path.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]


def _engine(text: str, titles: Mapping[str, str]) -> str:
    """Replace an engine's name, alone or before a colon, by its title."""
    name, colon, rest = text.partition(":")
    return f"{titles.get(name, name)}{colon}{rest}"


def _kind(kind: str) -> str:
    """The kind of material that an engine searches, in a word or two."""
    return str(getattr(words().engine_kinds, kind, kind))


def _short(text: str, length: int = 160) -> str:
    """One line, cut at a word; templates give the whole as a title."""
    line = " ".join(text.split())
    return line if len(line) <= length else line[: length - 1].rsplit(" ", 1)[0][: length - 1] + "…"
