"""Audits of citations: the form, the marked text, and the archived sources."""

from __future__ import annotations

from contextlib import AsyncExitStack

from fastapi import Response
from fastapi.responses import RedirectResponse
from starlette.datastructures import UploadFile

from inquest.api.access import Acting, Investigating, Reading
from inquest.api.routes.audits import AuditForm, SeenAudit, audit_line, audit_lines, audit_report, remove_audit
from inquest.api.shapes import kept_for_now
from inquest.app.cases.auditing import audit_of, changes
from inquest.app.cases.case_request import AuditRequest, request_of
from inquest.app.service.case_actions import open_new, owner_of
from inquest.app.service.looking import highlighted
from inquest.domain.audit import Audit, AuditItem, worst
from inquest.domain.case import Case
from inquest.domain.errors import InquestError, NotFound
from inquest.web.render import HEADERS, page, page_router

router = page_router()

_AROUND = 20_000  # characters of the source shown on each side of the quote
_FIELDS = ("text", "url", "limit", "again")
Piece = tuple[str, tuple[AuditItem, ...]]


@router.get("/audit")
async def form(visit: Investigating, again: str = "", url: str = "", limit: str = "") -> Response:
    """Show the form and the existing audits."""
    return await _form(visit, {"again": again, "url": url, "limit": limit})


@router.post("/audit")
async def begin(visit: Investigating) -> Response:
    """Begin an audit, or show the form again with the input and the error."""
    async with visit.request.form(max_files=1, max_fields=10, max_part_size=2 * 2**20) as sent:
        given = {name: value.strip() for name, value in sent.items() if isinstance(value, str)}
        try:
            case = await _opened(visit, given, sent.get("file"))
        except InquestError as error:
            return await _form(visit, given, error)
    return RedirectResponse(f"/audit/{case.id}", 303)


@router.get("/audit/{audit_id}")
async def shown(visit: Reading, case: SeenAudit) -> Response:
    """Show the progress or the result of an audit."""
    line, done = await audit_line(visit.app, case), await audit_of(visit.app, case)
    items = done.items if done else ()
    numbers = {(each.statement.start, each.source.id if each.source else ""): n for n, each in enumerate(items, 1)}
    firsts = {each.outcome: n for n, each in reversed(list(enumerate(items, 1)))}
    blocks = _blocks(done) if done else []
    return page(
        visit, "audited.html", line=line, case=case, done=done, numbers=numbers, firsts=firsts, blocks=blocks,
        worst=worst, changes=changes(done) if done and done.changes is not None else None,
    )  # fmt: skip


@router.post("/audit/{audit_id}/remove")
async def remove(visit: Investigating, case: SeenAudit) -> Response:
    """Delete an audit; a running one is stopped."""
    await remove_audit(case, visit)
    return RedirectResponse("/audit", 303)


@router.get("/audit/{audit_id}/report")
async def report(visit: Reading, case: SeenAudit, form: AuditForm) -> Response:
    """Download the audit."""
    shown = await audit_report(case, visit.app, form)
    name = f"audit-{case.id}.{form.value}"
    shown.headers.update({**HEADERS, "Content-Disposition": f'attachment; filename="{name}"'})
    return shown


@router.get("/audit/{audit_id}/evidence/{number}")
async def evidence(visit: Reading, case: SeenAudit, number: int) -> Response:
    """Show the archived source of a citation with its quote marked."""
    done = await _completed(visit, case)
    if not 1 <= number <= len(done.items) or not (item := done.items[number - 1]).quote:
        raise NotFound(f"The audit has no quote {number}.", advice="Its page lists its quotes.")
    found = await highlighted(visit.app, [item.snapshot], item.snapshot, (item.start, item.end), _AROUND)
    return page(visit, "audit_source.html", found=found)


async def _completed(visit: Acting, case: Case) -> Audit:
    done = await audit_of(visit.app, case)
    if done is None:
        raise NotFound(f"The audit {case.id} has no result.", advice="Its page shows the progress.")
    return done


async def _opened(visit: Acting, given: dict[str, str], file: object) -> Case:
    request = request_of(AuditRequest, {name: given[name] for name in _FIELDS if given.get(name)})
    async with AsyncExitStack() as stack:
        uploaded = isinstance(file, UploadFile) and file.filename
        path = await stack.enter_async_context(kept_for_now(file)) if uploaded else None  # type: ignore[arg-type]
        return await open_new(visit.app, visit.works, request, owner_of(visit.person), upload=path)


def _blocks(done: Audit) -> list[list[Piece]]:
    """Return the pieces of each paragraph."""
    blocks: list[list[Piece]] = [[]]
    for text, items in done.pieces():
        first, *others = [text] if items else text.split("\n\n")
        blocks[-1].append((first, items))
        blocks += [[(each, ())] for each in others]
    return [block for block in blocks if any(text.strip() for text, _ in block)]


async def _form(visit: Acting, given: dict[str, str], error: InquestError | None = None) -> Response:
    kept = {name: given.get(name, "") for name in _FIELDS}
    lines = await audit_lines(visit.app, visit.person)
    return page(visit, "audit.html", status=422 if error else 200, given=kept, lines=lines, error=error)
