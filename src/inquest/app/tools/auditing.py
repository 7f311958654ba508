"""`audit`: the citations of a text, each source read once through the guard and each pair judged once."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote as url_quote

from inquest import __version__
from inquest.app.files import replacing
from inquest.app.wiring.pages import local_path, sha256
from inquest.app.wiring.ratings import Ratings
from inquest.claims.citations import citations_of
from inquest.claims.parts_of_claim import assertions
from inquest.domain.audit import Audit, AuditChange, AuditItem, CitedSource, CitedStatement, CitedText, Outcome
from inquest.domain.document import Document, Snapshot
from inquest.domain.errors import BudgetMet, InputError, ModelError, Outage, PageError, PageUnavailable
from inquest.kit.exchange import Purpose, Request
from inquest.retrieval.budget import CaseBudget
from inquest.retrieval.passages import passages_on
from inquest.sources.noise import noise_of_page
from inquest.sources.notices import RETRACTING, title_mark
from inquest.sources.source_worth import too_noisy, worth_of
from inquest.text.phrases import count
from inquest.text.sentences import Span, content_words
from inquest.text.urls import is_web_url, with_scheme
from inquest.verdicts.cited import Found, Judged, exact, outcome, quotes_in

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources
    from inquest.kit.analyst import Analyst

Progress = Callable[[str], None]
"""Is given, in a sentence, what is being done."""

_AT_ONCE = 8
_GONE = (404, 410)
_ELSEWHERE = 0.6
"""Share of a statement's words that another source of the text must have, to be asked whether it says it."""


@dataclass(frozen=True)
class AuditRequest:
    """What is to be audited and how far. `limit`: citations at most; None: all."""

    what: str
    text: str | None = None
    limit: int | None = None
    uncited: bool = True
    """List statements that can be checked and cite nothing."""
    name: str = ""
    """What it is shown as; '': as `what`."""


@dataclass
class _Read:
    """A source that was read, or the outcome that is in place of reading."""

    document: Document | None = None
    found: Found | None = None
    note: str = ""
    """Why its text may be none of the page that was meant."""
    copy: str = ""
    """Of a copy that was read in its place."""


@dataclass
class _Judge:
    analyst: Analyst
    local: Analyst
    notes: dict[str, None] = field(default_factory=dict)
    calls: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_AT_ONCE))

    async def __call__(self, statement: str, document: Document) -> tuple[Found, str]:
        passages = passages_on(statement, {document.snapshot: document}, found_for_it=(document.snapshot,))
        cut = [each.quote for each in assertions(statement, 0)]
        parts = cut if len(cut) > 1 else []
        async with self.calls:
            analyst = self.analyst
            try:
                readings = await analyst.assess(statement, passages, statements=parts)
            except (ModelError, BudgetMet) as error:
                self.notes[f"{error} The local judge answers instead."] = None
                analyst = self.local
                readings = await analyst.assess(statement, passages, statements=parts)
        judged = [
            Judged(reading, Span(passage.start + reading.start, passage.start + reading.end))
            for passage, reading in zip(passages, readings, strict=True)
            if reading.quote and passage.text[reading.start : reading.end] == reading.quote
        ]
        by_model = analyst is not self.local
        return outcome(statement, document, judged, parts=parts, by_model=by_model), analyst.name


@dataclass(frozen=True)
class OpenedText:
    """A text that was read and taken apart, as far as it is to be audited."""

    request: AuditRequest
    document: Document
    asked: CitedText
    left_out: int
    """Citations beyond the limit."""


async def opened_text(app: Resources, request: AuditRequest) -> OpenedText:
    """The text of a request. Raises InputError, PageError."""
    document, text = await _opened(app, request)
    asked = _limited(text, request)
    cited, wanted = (sum(len(each.sources) for each in of.statements) for of in (text, asked))
    return OpenedText(request, document, asked, cited - wanted)


async def audit(app: Resources, request: AuditRequest, tell: Progress) -> Audit:
    """The outcome of every citation. Raises InputError, PageError, SettingError."""
    return await audit_of(app, await opened_text(app, request), tell)


async def audit_of(app: Resources, opened: OpenedText, tell: Progress) -> Audit:
    """The outcome of every citation of a text that was opened. Raises SettingError."""
    request, document, asked, left_out = opened.request, opened.document, opened.asked, opened.left_out
    pairs = sum(len(each.sources) for each in asked.statements)
    tell(f"{count(pairs, 'citation')}, {count(len(asked.sources), 'source')} to read." + _skipped(left_out))
    settings = app.settings
    budget = CaseBudget(usd=settings.budget_usd, seconds=settings.deadline_seconds)
    budget.start()
    kept = _Kept(settings.home / "audits" / f"{sha256(document.text.encode())[7:23]}.json")
    try:
        door = (await app.door()).for_case(None, budget)
        judge = _judge(app, door, budget)
        reading = _Reader(app, door, tell, len(asked.sources))
        read = dict(zip((s.id for s in asked.sources), await asyncio.gather(*map(reading, asked.sources)), strict=True))
        named = {each.id: each for each in asked.sources}
        work = [_items(each, named, read, judge, kept) for each in asked.statements]
        items: list[AuditItem] = []
        for done, coming in enumerate(asyncio.as_completed(work), 1):
            items += await coming
            if done % 10 == 0 or done == len(work):
                tell(f"Judged {done} of {len(work)} statements.")
    finally:
        budget.close()
        kept.write()
    items.sort(key=lambda each: (each.statement.start, each.source.label if each.source else ""))
    if not request.uncited:
        items = [each for each in items if each.outcome is not Outcome.NO_CITATION]
    notes = tuple(dict.fromkeys((*document.notes, *judge.notes)))
    return Audit(
        what=request.name or request.what,
        title=document.title,
        text=document.text,
        items=tuple(items),
        left_out=left_out,
        notes=notes,
    )


def earlier_audit(path: Path) -> dict[str, Any]:
    """An audit that was written as JSON. Raises InputError."""
    with suppress(OSError, ValueError):
        earlier = json.loads(path.read_text("utf-8"))
        if isinstance(earlier, dict) and earlier.get("schema") == "inquest/audit/1":
            return earlier
    raise InputError(f"{path} is not an audit.", advice="Give what `inquest audit --format json` wrote.")


def compared(done: Audit, earlier: Mapping[str, Any]) -> Audit:
    """The audit with what is new, gone or changed since the earlier one, citation by citation."""
    was = {
        (item["statement"]["text"], (item["source"] or {}).get("url") or (item["source"] or {}).get("entry", "")): item
        for item in earlier["items"]
    }
    now = {
        (each.statement.text, (each.source.url or each.source.entry) if each.source else ""): each
        for each in done.items
    }
    changes: list[AuditChange] = []
    for (statement, source), item in now.items():
        old = was.get((statement, source))
        before = Outcome(old["outcome"]) if old else None
        if before is not item.outcome:
            changes.append(
                AuditChange(
                    kind="changed" if old else "new", statement=statement, source=source, before=before,
                    after=item.outcome, reason=item.reason,
                )
            )  # fmt: skip
    for (statement, source), old in was.items():
        if (statement, source) not in now:
            before = Outcome(old["outcome"])
            changes.append(
                AuditChange(
                    kind="gone", statement=statement, source=source, before=before, after=None, reason=old["reason"]
                )
            )
    return done.model_copy(update={"changes": tuple(changes)})


def rendered(done: Audit, form: str) -> str:
    """The audit in md, html, json or sarif."""
    from inquest.reports.audit import FORMS

    return FORMS[form](done)


def document_of(done: Audit) -> dict[str, Any]:
    """The audit as `inquest/audit/1`."""
    from inquest.reports.audit import audit_json

    return audit_json(done)


def exit_code(done: Audit, fail_on: Collection[Outcome], min_share: float | None) -> int:
    """0: all hold; 1: some do not, or fewer than the share; 2: nothing failed, and a source could not be read."""
    if min_share is not None:
        read = [each for each in done.cited if each.outcome is not Outcome.COULD_NOT_BE_READ]
        failed = done.holding < min_share * len(read)
    else:
        failed = any(each.outcome in fail_on for each in done.items)
    return 1 if failed else 2 * any(each.outcome is Outcome.COULD_NOT_BE_READ for each in done.items)


def _skipped(left_out: int) -> str:
    return f" {count(left_out, 'citation')} beyond the limit." if left_out else ""


async def _opened(app: Resources, request: AuditRequest) -> tuple[Document, CitedText]:
    if request.text is not None:
        body = request.text.encode()
        kind = "text/html" if request.text.lstrip()[:15].lower().startswith(("<!doctype html", "<html")) else ""
        snapshot = Snapshot(
            hash=sha256(body), url="file:///text.md", final_url="file:///text.md", size=len(body),
            content_type=kind or "text/markdown", retrieved_at=app.clock.now(), provenance="file",
        )  # fmt: skip
        document = await app.pages_offline.document(body, snapshot)
    elif (path := local_path(request.what)) is not None:
        case = await asyncio.to_thread(_case_text, path)
        if case is not None:
            return await _opened(app, AuditRequest(request.what, text=case))
        _, document = await app.pages_offline.read_file(path)
    else:
        url = with_scheme(request.what)
        if not is_web_url(url):
            raise InputError(f"'{request.what}' is neither a file nor a web address.", advice="Check its spelling.")
        _, document = await app.pages(await app.door()).read(url)
    return document, await asyncio.to_thread(citations_of, document)


def _case_text(path: Path) -> str | None:
    """The summary of a case JSON with its citations as a list of sources; None: another file."""
    if path.suffix.lower() != ".json":
        return None
    with suppress(OSError, ValueError):
        case = json.loads(path.read_text("utf-8"))
        if isinstance(case, dict) and str(case.get("schema", "")).startswith("inquest/case/"):
            cited = "\n".join(f"[{each['n']}] {each['url']}" for each in case["citations"])
            return f"{case.get('summary') or ''}\n\n## Sources\n\n{cited}\n"
    raise InputError(f"{path} is no case of Inquest.", advice="Give a text, a page or the JSON of a case.")


def _limited(text: CitedText, request: AuditRequest) -> CitedText:
    if request.limit is None:
        return text
    room, statements = request.limit, []
    for each in text.statements:
        statements.append(each.model_copy(update={"sources": each.sources[:room]}) if each.sources else each)
        room -= len(statements[-1].sources)
        if each.sources and not statements[-1].sources:
            statements.pop()
    used = {name for each in statements for name in (*each.sources, *each.later)}
    sources = tuple(each for each in text.sources if each.id in used)
    return text.model_copy(update={"statements": tuple(statements), "sources": sources})


def _judge(app: Resources, door: Any, budget: CaseBudget) -> _Judge:
    from inquest.analysts.local import LocalAnalyst

    settings = app.settings
    local = LocalAnalyst(app.reader, app.encoder)
    if settings.model_for("assess") is None:
        return _Judge(local, local)
    from inquest.app.wiring.model_services import model_analyst

    return _Judge(model_analyst(settings, door, budget, local, limited=settings.budget_usd is not None), local)


class _Reader:
    """Reads each source once."""

    def __init__(self, app: Resources, door: Any, tell: Progress, total: int) -> None:
        self._app, self._door, self._tell, self._total = app, door, tell, total
        self._pages, self._calls, self._done = app.pages(door), asyncio.Semaphore(_AT_ONCE), 0

    async def __call__(self, source: CitedSource) -> _Read:
        async with self._calls:
            read = await self._read(source)
        self._done += 1
        if self._done % 10 == 0 or self._done == self._total:
            self._tell(f"Read {self._done} of {self._total} sources.")
        return read

    async def _read(self, source: CitedSource) -> _Read:
        if not source.url:
            return _Read(found=Found(Outcome.COULD_NOT_BE_READ, "The list of sources gives no address and no DOI."))
        registered, withdrawn = await self._work(source)
        if withdrawn:
            return _Read(found=Found(Outcome.WITHDRAWN, f"The work was {withdrawn}."))
        try:
            snapshot, document = await self._pages.read(source.url)
        except PageError as error:
            return _Read(found=_unread(source, error, registered))
        except (Outage, BudgetMet) as error:
            return _Read(found=Found(Outcome.COULD_NOT_BE_READ, str(error)))
        mark = title_mark(document.title)
        if mark and not mark.is_notice and mark.kind in RETRACTING:
            return _Read(found=Found(Outcome.WITHDRAWN, f"Its page is titled “{document.title}”."))
        why = "it has no readable text" if not document.text.strip() else too_noisy(noise_of_page(document), own=False)
        copy = (
            "" if snapshot.provenance == "fetched" else f" Read as {snapshot.provenance}; the page was not available."
        )
        return _Read(document, note=f"{why[0].upper()}{why[1:]}." if why else "", copy=copy)

    async def _work(self, source: CitedSource) -> tuple[bool | None, str]:
        """If the DOI is registered, as far as Crossref knows (None: not asked, or no answer), and how the work was
        withdrawn."""
        engine = self._app.engines.get("crossref")
        if not source.doi or engine is None:
            return None, ""
        url = f"https://api.crossref.org/works/{url_quote(source.doi, safe='/')}"
        try:
            reply = await self._door.fetch(Request(url=url), purpose=Purpose.ENGINE, label="crossref")
            if reply.status != 200:
                return (False if reply.status in _GONE else None), ""
            (hit,) = engine.parse(reply)
        except (Outage, BudgetMet, ValueError, KeyError, TypeError):
            return None, ""
        rating = Ratings(self._app.settings).publisher(source.url)
        return True, worth_of(rating, hit.work, [hit.title]).excluded or ""


def _unread(source: CitedSource, error: PageError, registered: bool | None) -> Found:
    gone = isinstance(error, PageUnavailable) and error.status in _GONE
    if source.doi and gone and registered is not False:
        return Found(Outcome.COULD_NOT_BE_READ, str(error))
    if source.doi and gone:
        return Found(Outcome.DOES_NOT_EXIST, f"Neither doi.org nor Crossref knows the DOI {source.doi}.")
    if gone:
        return Found(Outcome.DOES_NOT_EXIST, f"{source.url} was asked for: {error}")
    return Found(Outcome.COULD_NOT_BE_READ, error.sentence)


class _Kept:
    """What was judged before, by statement, source and analyst: a run that is repeated goes on from there."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._found: dict[str, dict[str, Any]] = {}
        with suppress(OSError, ValueError):
            self._found = json.loads(path.read_text("utf-8"))

    async def judged(self, statement: str, document: Document, judge: _Judge) -> tuple[Found, str]:
        key = hashlib.sha256(
            f"{__version__}|{judge.analyst.name}|{document.snapshot}|{statement}".encode()
        ).hexdigest()[:32]
        if (known := self._found.get(key)) is not None:
            span = Span(*known["span"]) if known["span"] else None
            return Found(Outcome(known["outcome"]), known["reason"], span), known["judge"]
        found, by = await judge(statement, document)
        if by == judge.analyst.name:
            span_ = list(found.span) if found.span else None
            self._found[key] = {"outcome": found.outcome.value, "reason": found.reason, "span": span_, "judge": by}
        return found, by

    def write(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(self._path) as part:
            part.write_text(json.dumps(self._found, ensure_ascii=False), "utf-8")


async def _items(
    statement: CitedStatement, named: Mapping[str, CitedSource], read: Mapping[str, _Read], judge: _Judge, kept: _Kept
) -> list[AuditItem]:
    if statement.sources:
        made = (_item(statement, named[name], named, read, judge, kept) for name in statement.sources)
        return list(await asyncio.gather(*made))
    for name in statement.later:
        document = read[name].document
        if document is not None:
            found, by = await kept.judged(statement.text, document, judge)
            if found.outcome is Outcome.HOLDS:
                return [_made(statement, named[name], found, document, by)]
    reason = "It states a fact that can be checked and cites nothing."
    if statement.unlisted:
        reason = f"The list of sources has no entry {', '.join(statement.unlisted)}."
    return [AuditItem(statement=statement, outcome=Outcome.NO_CITATION, reason=reason)]


async def _item(
    statement: CitedStatement,
    source: CitedSource,
    named: Mapping[str, CitedSource],
    read: Mapping[str, _Read],
    judge: _Judge,
    kept: _Kept,
) -> AuditItem:
    of = read[source.id]
    if of.document is None:
        assert of.found is not None
        return AuditItem(statement=statement, source=source, outcome=of.found.outcome, reason=of.found.reason)
    found, by = await kept.judged(statement.text, of.document, judge)
    found = found._replace(reason=f"{found.reason}{of.copy}")
    if found.outcome is not Outcome.NOT_THERE:
        return _made(statement, source, found, of.document, by)
    if of.note:
        return _made(statement, source, Found(Outcome.COULD_NOT_BE_READ, of.note), of.document, by)
    for name, other in _others(statement, source, read):
        elsewhere, by_other = await kept.judged(statement.text, other, judge)
        if elsewhere.outcome is Outcome.HOLDS:
            why = f"Another source says it: {named[name].label} ({other.url})."
            return _made(statement, source, Found(Outcome.MISATTRIBUTED, why, elsewhere.span), other, by_other)
    return _made(statement, source, found, of.document, by)


def _others(
    statement: CitedStatement, source: CitedSource, read: Mapping[str, _Read]
) -> Sequence[tuple[str, Document]]:
    """The other sources that may say it, the likeliest two first."""
    wanted, own = set(content_words(statement.text)), read[source.id].document
    scored = []
    for name, each in read.items():
        document = each.document
        if document is None or name in statement.sources or (own and document.snapshot == own.snapshot):
            continue
        quoted = any(exact(quote, document.text) for quote in quotes_in(statement.text))
        share = 1.0 if quoted else len(wanted & set(content_words(document.text))) / max(1, len(wanted))
        if share >= _ELSEWHERE:
            scored.append((-share, name, document))
    return [(name, document) for _, name, document in sorted(scored, key=lambda each: each[:2])[:2]]


def _made(statement: CitedStatement, source: CitedSource, found: Found, document: Document, judge: str) -> AuditItem:
    span = found.span or Span(0, 0)
    return AuditItem(
        statement=statement,
        source=source,
        outcome=found.outcome,
        reason=found.reason,
        quote=span.of(document.text),
        snapshot=document.snapshot,
        start=span.start,
        end=span.end,
        page=document.page_of(span.start) if found.span else None,
        judge=judge,
    )
