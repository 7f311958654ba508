"""Rendering of templates as responses, with security headers."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined

from inquest.api.problems import retry_after, status_of
from inquest.app.files import ENDINGS_KEPT, ENDINGS_READ, KINDS_KEPT, KINDS_READ
from inquest.app.pages.event_lines import FORMATS
from inquest.app.pages.new_case import field_of
from inquest.domain.errors import InquestError
from inquest.domain.person import Role
from inquest.web.charts import months_of, story_web, timeline_of, years_of
from inquest.web.visit import Visit
from inquest.web.words import amount, words

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
_WORTH_PACKING = 600
"""Bytes; smaller responses are not compressed."""
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
        "amount": amount,
        "kinds_read": KINDS_READ,
        "endings_read": ",".join(ENDINGS_READ),
        "kinds_kept": KINDS_KEPT,
        "endings_kept": ",".join((*ENDINGS_KEPT, ".gz", ".zst")),
        "asset": asset_path,
        "f": FORMATS,
        "field_of": field_of,
        "timeline_of": timeline_of,
        "years_of": years_of,
        "months_of": months_of,
        "story_web": story_web,
    }
    templates.filters |= {
        "ago": _ago,
        "until": _until,
        "clock": _clock,
        "money": _money,
        "short": _short,
        "day": _day,
        "basename": _basename,
        "engine": _engine,
        "kind": _kind,
    }
    return templates


def page(visit: Visit, template: str, *, status: int = 200, **shown: Any) -> HTMLResponse:
    """Render a template as the response to a visit."""
    return reply(visit.request, template, status=status, person=visit.person, **shown)


def reply(request: Request, template: str, *, status: int = 200, **shown: Any) -> HTMLResponse:
    """Render a template as the response to a request, which may be anonymous."""
    theme = request.cookies.get("theme", "")
    context = {
        "person": None,
        "path": request.url.path,
        "theme": theme if theme in THEMES else "",
        "now": datetime.now(UTC),
        **shown,
    }
    content = environment().get_template(template).render(context)
    return HTMLResponse(*packed(request, content.encode("utf-8", "replace"), status, HEADERS))


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


def _ago(at: datetime, now: datetime) -> str:
    seconds = max(0, (now - at).total_seconds())
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
    """Return the last part of a path or URL; paths of this machine are not shown."""
    return path.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]


def _engine(text: str, titles: Mapping[str, str]) -> str:
    """Replace an engine's name, alone or before a colon, by its title."""
    name, colon, rest = text.partition(":")
    return f"{titles.get(name, name)}{colon}{rest}"


def _kind(kind: str) -> str:
    """What an engine of this kind searches, in a word or two."""
    return str(getattr(words().engine_kinds, kind, kind))


def _short(text: str, length: int = 160) -> str:
    """One line, cut at a word; templates give the whole as a title."""
    line = " ".join(text.split())
    return line if len(line) <= length else line[: length - 1].rsplit(" ", 1)[0][: length - 1] + "…"
