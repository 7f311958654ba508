"""`audit`: the brief of an audit, the result of its case, and the comparison with an earlier one."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inquest.app.cases.case_request import AuditRequest
from inquest.app.cases.requests import brief_from
from inquest.app.wiring.pages import local_path, page_address, sha256
from inquest.claims.citations import citations_of
from inquest.domain.audit import Audit, AuditAsked, AuditChange, Outcome
from inquest.domain.case import Case
from inquest.domain.document import Document, Snapshot
from inquest.domain.errors import InputError, NotFound
from inquest.domain.plan import Brief
from inquest.reports.audit import FORMS
from inquest.reports.audit import audit_json as audit_json
from inquest.reports.audit import changes as changes
from inquest.text.sentences import words
from inquest.text.urls import is_web_url

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources


_LEAST_WORDS = 4
"""Minimum number of words of a text in JSON."""


async def audit_brief(
    app: Resources, request: AuditRequest, *, files: bool = False, upload: bool = False, afresh: bool = False
) -> Brief:
    """The brief of an audit, whose text is archived at once. `files`: a file on this machine named by an earlier case
    may be read; `upload`: the file was uploaded, and only its name is kept, not its path; `afresh`: pages are fetched
    again. Raises InputError, PageError, NotFound."""
    from inquest.flow.nodes.audit import cited_in, limited

    if request.languages or request.collections or request.engines or request.as_of:
        raise InputError("An audit accepts no engines, collections, languages or date.", advice="Leave them out.")
    text, url = request.text if request.text.strip() else "", request.url.strip()
    if (text and url) or not (text or url or request.again):
        raise InputError(
            "Invalid audit: expected either a text or an address.", advice="Give one of the two.", field="text"
        )
    earlier = await app.case(request.again) if request.again else None
    if earlier and earlier.audit is None:
        raise InputError(
            f"The case {earlier.id} is not an audit with a result.", advice="`inquest cases` lists the cases."
        )
    known = earlier.brief.audit if earlier else None
    if known and not (text or url):
        url = known.what if files or is_web_url(known.what) else ""
    if known and not (text or url):
        name = known.snapshot
        document = await app.pages_offline.document(await app.archive.body(name), await app.archive.snapshot(name))
    else:
        document = await _opened(app, text, url, by_name=upload)
    whole = await asyncio.to_thread(citations_of, document)
    first = next((line for line in document.text.splitlines() if line.strip()), "text").strip(" #*")[:120]
    # Not the title, which may name nobody or begin like a control line of a brief, and is not a question.
    brief = brief_from(request, "The citations of an audited text", settings=app.settings)
    audit = AuditAsked(
        what="" if upload else url,
        snapshot=document.snapshot,
        citations=cited_in(limited(whole, request.limit)),
        limit=request.limit,
        again=earlier.id if earlier else "",
    )
    name = Path(url).name if upload else whole.title or url or first
    return brief.model_copy(update={"text": name, "audit": audit, "afresh": afresh or earlier is not None})


async def _opened(app: Resources, text: str, what: str, *, by_name: bool = False) -> Document:
    """The text of a request, archived. Raises InputError, PageError."""
    if not text.strip():
        path = local_path(what)
        if path is None:
            return (await app.pages(await app.door()).read(page_address(what)))[1]
        read = None
        if path.suffix.lower() == ".json":
            with suppress(OSError, UnicodeDecodeError):
                read = await asyncio.to_thread(lambda: _json_text(path.read_text("utf-8-sig")))
        if read is None:
            return (await app.pages_offline.read_file(path, by_name=by_name))[1]
        text = read
    elif text.lstrip().startswith("{"):
        text = _json_text(text) or text
    body = text.encode(errors="replace")
    kind = "text/html" if text.lstrip()[:15].lower().startswith(("<!doctype html", "<html")) else "text/markdown"
    snapshot = Snapshot(
        hash=sha256(body), url="file:///text.md", final_url="file:///text.md", size=len(body), content_type=kind,
        retrieved_at=app.clock.now(), provenance="file",
    )  # fmt: skip
    await app.archive.put(body, snapshot)
    return await app.pages_offline.document(body, snapshot)


def _json_text(written: str) -> str | None:
    """A case's text, or the longest text in another JSON, with its sources; None: not JSON. Raises InputError."""
    try:
        data = json.loads(written)
    except ValueError:
        return None
    if isinstance(data, dict) and str(data.get("schema", "")).startswith("inquest/case/"):
        text, listed = data.get("summary") or "", {each["n"]: each["url"] for each in data["citations"]}
    else:
        strings = [each.strip() for each in _strings(data)]
        text = max((each for each in strings if not is_web_url(each)), key=len, default="")
        if len(words(text)) < _LEAST_WORDS:
            raise InputError("The JSON has no text to audit.", advice="Give a text, a page or the JSON of a report.")
        # If the text has its own list, the numbers of that list apply.
        listed = dict(enumerate(dict.fromkeys(each for each in strings if is_web_url(each)), 1))
    cited = "\n".join(f"[{n}] {url}" for n, url in listed.items())
    return f"{text}\n\n## Sources\n\n{cited}\n" if cited else text


def _strings(data: object) -> Iterator[str]:
    """The strings of decoded JSON, in order."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict | list):
        for each in data.values() if isinstance(data, dict) else data:
            yield from _strings(each)


async def audit_of(app: Resources, case: Case) -> Audit | None:
    """The result of the audit, compared with the earlier one if its brief names one; None: it has no result."""
    asked, done = case.brief.audit, case.audit
    if done is None or asked is None or not asked.again:
        return done
    with suppress(NotFound):  # the earlier case was deleted
        earlier = (await app.case(asked.again)).audit
        return compared(done, audit_json(earlier)) if earlier else done
    return done


def earlier_audit(path: Path) -> dict[str, Any]:
    """An audit stored as JSON. Raises InputError."""
    with suppress(OSError, ValueError):
        earlier = json.loads(path.read_text("utf-8"))
        if isinstance(earlier, dict) and earlier.get("schema") == "inquest/audit/1":
            return earlier
    raise InputError(f"{path} is not an audit.", advice="Give a file written by `inquest audit --format json`.")


def compared(done: Audit, earlier: Mapping[str, Any]) -> Audit:
    """The audit with the differences from the earlier one, citation by citation: new, gone or changed."""
    was = {
        (item["statement"]["text"], (item["source"] or {}).get("url") or (item["source"] or {}).get("entry", "")): item
        for item in earlier["items"]
    }
    now = {
        (each.statement.text, (each.source.url or each.source.entry) if each.source else ""): each
        for each in done.items
    }
    found: list[AuditChange] = []
    for place in (*now, *(each for each in was if each not in now)):
        item, old = now.get(place), was.get(place, {})
        before, after = Outcome(old["outcome"]) if old else None, item.outcome if item else None
        if before is not after:
            change = {"statement": place[0], "source": place[1], "before": before, "after": after}
            change["kind"] = "gone" if item is None else "changed" if old else "new"
            for name in ("reason", "reason_codes"):
                change[name] = getattr(item, name) if item else old.get(name, ())
            found.append(AuditChange.model_validate(change))
    return done.model_copy(update={"changes": tuple(found)})


def rendered(done: Audit, form: str) -> str:
    """The audit in md, html, json or sarif."""
    return FORMS[form](done)


def exit_code(done: Audit, fail_on: Collection[Outcome], min_share: float | None) -> int:
    """0: all hold; 1: some do not, or fewer than the share; 2: nothing failed, but a source could not be read."""
    if min_share is not None:
        read = [each for each in done.cited if each.outcome is not Outcome.COULD_NOT_BE_READ]
        failed = done.holding < min_share * len(read)
    else:
        failed = any(each.outcome in fail_on for each in done.items)
    return 1 if failed else 2 * any(each.outcome is Outcome.COULD_NOT_BE_READ for each in done.items)
