"""Audits of citations: the form, the text marked sentence by sentence, and the archived sources."""

from __future__ import annotations

from collections.abc import Iterator

from fastapi import Response
from fastapi.responses import RedirectResponse
from starlette.datastructures import UploadFile

from inquest.api.routes.audits import TYPES, AuditForm, request_for
from inquest.api.state import Serving
from inquest.api.uploads import kept_for_now
from inquest.app.service.audits import AuditLine
from inquest.app.service.looking import highlighted
from inquest.app.tools.auditing import AuditRequest, OpenedText, opened_text, rendered
from inquest.domain.audit import Audit, AuditItem, worst
from inquest.domain.errors import InputError, InquestError, NotFound
from inquest.web.render import HEADERS, page
from inquest.web.routing import page_router
from inquest.web.visit import Visit, Visiting, Working

router = page_router()

_AROUND = 20_000
"""Characters of the source that are shown on each side of the quote."""
Piece = tuple[str, tuple[AuditItem, ...]]


@router.get("/audit")
async def form(visit: Working, serving: Serving) -> Response:
    """The form, and the audits that there are."""
    return await _form(visit, serving, {})


@router.post("/audit")
async def begin(visit: Working, serving: Serving) -> Response:
    """Begin an audit; where something cannot be used, the form again with what was written and the reason."""
    async with visit.request.form(max_files=1, max_fields=10, max_part_size=2 * 2**20) as sent:
        given = {name: value for name, value in sent.items() if isinstance(value, str)}
        try:
            opened = await _opened(visit, given, sent.get("file"))
        except InquestError as error:
            return await _form(visit, serving, given, error)
        line = await serving.audits.begin(visit.app, opened, visit.person)
    return RedirectResponse(f"/audit/{line.id}", 303)


@router.get("/audit/{audit_id}")
async def shown(visit: Visiting, serving: Serving, audit_id: str) -> Response:
    """How far an audit is, or what it came to."""
    line = await serving.audits.seen(visit.app, visit.person, audit_id)
    done = await serving.audits.result(visit.app, line)
    items = done.items if done else ()
    numbers = {(each.statement.start, each.source.id if each.source else ""): n for n, each in enumerate(items, 1)}
    firsts = {each.outcome: n for n, each in reversed(list(enumerate(items, 1)))}
    blocks = list(_blocks(done)) if done else []
    return page(visit, "audited.html", line=line, done=done, numbers=numbers, firsts=firsts, blocks=blocks, worst=worst)


@router.post("/audit/{audit_id}/remove")
async def remove(visit: Working, serving: Serving, audit_id: str) -> Response:
    """Forget an audit; one at work is stopped."""
    await serving.audits.remove(visit.app, visit.person, audit_id)
    return RedirectResponse("/audit", 303)


@router.get("/audit/{audit_id}/report")
async def report(visit: Visiting, serving: Serving, audit_id: str, form: AuditForm) -> Response:
    """The audit as a file."""
    line, done = await _completed(visit, serving, audit_id)
    headers = {**HEADERS, "Content-Disposition": f'attachment; filename="audit-{line.id}.{form.value}"'}
    content = rendered(done, form.value).encode(errors="backslashreplace")
    return Response(content, media_type=TYPES[form], headers=headers)


@router.get("/audit/{audit_id}/evidence/{number}")
async def evidence(visit: Visiting, serving: Serving, audit_id: str, number: int) -> Response:
    """The archived source of a citation, its quote marked."""
    _, done = await _completed(visit, serving, audit_id)
    if not 1 <= number <= len(done.items) or not (item := done.items[number - 1]).quote:
        raise NotFound(f"The audit has no quote {number}.", advice="Its page lists the quotes that it has.")
    found = await highlighted(visit.app, [item.snapshot], item.snapshot, (item.start, item.end), _AROUND)
    return page(visit, "audit_source.html", found=found)


async def _completed(visit: Visit, serving: Serving, audit_id: str) -> tuple[AuditLine, Audit]:
    line = await serving.audits.seen(visit.app, visit.person, audit_id)
    done = await serving.audits.result(visit.app, line)
    if done is None:
        raise NotFound(f"The audit {line.id} has no result.", advice="Open its page to see how far it is.")
    return line, done


async def _opened(visit: Visit, given: dict[str, str], file: object) -> OpenedText:
    number = given.get("limit", "").strip()
    if number and not (number.isascii() and number.isdigit() and int(number)):
        raise InputError("Invalid limit: expected a number from 1.", field="limit")
    limit = int(number) if number else None
    if isinstance(file, UploadFile) and file.filename:
        async with kept_for_now(file) as path:  # type: ignore[arg-type]
            return await opened_text(visit.app, AuditRequest(str(path), limit=limit, name=path.name))
    return await opened_text(visit.app, request_for(given.get("text", ""), given.get("url", ""), limit))


def _blocks(done: Audit) -> Iterator[list[Piece]]:
    """The pieces of the text, a paragraph at a time."""
    block: list[Piece] = []
    for text, items in done.pieces():
        if items:
            block.append((text, items))
            continue
        first, *others = text.split("\n\n")
        block.append((first, ()))
        for each in others:
            yield from _written(block)
            block = [(each, ())]
    yield from _written(block)


def _written(block: list[Piece]) -> Iterator[list[Piece]]:
    if any(text.strip() for text, _ in block):
        yield block


async def _form(visit: Visit, serving: Serving, given: dict[str, str], error: InquestError | None = None) -> Response:
    kept = {name: given.get(name, "") for name in ("text", "url", "limit")}
    lines = await serving.audits.listed(visit.app, visit.person)
    return page(visit, "audit.html", status=422 if error else 200, given=kept, lines=lines, error=error)
