"""The report of a case: to read and print, and every form in which it leaves."""

from __future__ import annotations

import base64
import hashlib
import re

from fastapi import Response

from inquest.api.access import SeenCase
from inquest.api.state import Opened
from inquest.app.cases.exporting import Handed, handed_on
from inquest.web.render import HEADERS
from inquest.web.routing import page_router

router = page_router()

_STYLE = re.compile(r"<style>(.*?)</style>", re.S)


@router.get("/cases/{case_id}/report")
async def report(case: SeenCase, app: Opened) -> Response:
    """The report as one page, fit for print. Its one style sheet is named by its hash."""
    content = await app.render(case, "html")
    sheets = _STYLE.findall(content.decode())
    hashes = " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(each.encode()).digest()).decode()}'" for each in sheets
    )
    policy = f"default-src 'none'; style-src {hashes}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    return Response(content, media_type="text/html", headers={**HEADERS, "Content-Security-Policy": policy})


@router.get("/cases/{case_id}/export/{form}")
async def export(case: SeenCase, app: Opened, form: str) -> Response:
    """A file of the case: report, evidence archive, verdicts, findings, references."""
    handed: Handed = await handed_on(app, case, form)
    headers = {**HEADERS, "Content-Disposition": f'attachment; filename="{handed.name}"'}
    return Response(handed.content, media_type="application/octet-stream", headers=headers)
