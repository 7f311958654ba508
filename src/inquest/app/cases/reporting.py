"""Reports of a case with each quote in the context of its page; its exports (archived pages, verdicts, findings,
references); and replays of a case from its recording."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, Field

from inquest.app.cases.claim_decisions import as_shown, case_document, claim_decisions
from inquest.app.cases.progress import MemorySink
from inquest.app.cases.topic_records import decisions_of
from inquest.app.clock import FixedClock
from inquest.app.files import without_folders, write_whole, written
from inquest.app.wiring.case_services import CaseWork, case_services
from inquest.app.wiring.tracing import WrappedClient
from inquest.desks.verification.investigation_result import quotes_of
from inquest.domain.case import Case, CaseStatus, in_force
from inquest.domain.claim import Mention
from inquest.domain.document import Snapshot
from inquest.domain.errors import InputError, NotFound, StorageError, Ungrounded
from inquest.domain.event import SAID_BY_PEOPLE, by_claim, questions_in
from inquest.domain.finding import Finding
from inquest.domain.languages import Language, speaking
from inquest.domain.languages import language as speaks
from inquest.kit.exchange import Purpose, Reply, Request
from inquest.reports.decided import as_decided, with_questions
from inquest.reports.view import Context, ReportView
from inquest.reports.words import reworded
from inquest.text.grounding import check_grounded

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

AROUND = 300
"""Characters of context on each side of a quote."""


async def render(app: Resources, case: Case, form: str, language: Language | None = None) -> bytes:
    """The report as md, html, json or pdf, in this language or that of the case. Every quote is compared with its
    snapshot once more. Raises InputError for an unknown form or a case without a report, StorageError, Ungrounded."""
    if form == "json":
        document = await case_document(app, case)
        # A lone surrogate is written as JSON escapes it.
        return (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode(errors="backslashreplace")
    if case.summary is None:
        raise InputError(
            f"The case {case.id} has no report ({case.status.value}). {case.why}".strip(),
            advice=f"`inquest show {case.id}` shows what was done.",
        )
    if case.audit is not None:
        from inquest.app.cases.auditing import audit_of
        from inquest.reports.audit import FORMS

        audit = await audit_of(app, case)
        assert audit is not None
        if form not in FORMS:
            raise InputError(f"Invalid form '{form}' of an audit: expected one of {', '.join(FORMS)}.")
        fields = {"snapshot", "start", "end", "quote"}
        quotes = (
            Mention(source_id=each.snapshot, **each.model_dump(include=fields)) for each in audit.items if each.quote
        )
        await _texts(app, quotes)
        with speaking("en" if form == "sarif" else language or case.brief.language):
            shown_audit = audit if speaks() == "en" else reworded(audit)
            return FORMS[form](shown_audit).encode(errors="backslashreplace")
    events = await app.events_of(case.id, *SAID_BY_PEOPLE)
    decisions = claim_decisions(events)
    shown = with_questions(as_decided(case, decisions), questions_in(events))
    contexts = await _contexts(app, shown)
    reviews = await decisions_of(app, case.id) if case.investigation is not None else ()
    rest = "report", form, language, events[-1].id if events else 0, tuple(reviews)
    with speaking(language or case.brief.language):
        decided = by_claim(shown.claims, decisions)
        return app.kept.get(case, rest, lambda: _written(ReportView(shown, contexts, reviews, decided), form))


def _written(view: ReportView, form: str) -> bytes:
    if speaks() != "en":
        view = replace(view, case=reworded(view.case))
    match form:
        case "md":
            from inquest.reports.markdown import markdown

            return markdown(view).encode()
        case "html":
            from inquest.reports.html import html

            return html(view).encode()
        case "pdf":
            from inquest.reports.pdf import pdf

            return pdf(view)
        case _:
            raise InputError(f"Invalid form '{form}': expected md, html, json or pdf.")


async def _contexts(app: Resources, case: Case) -> dict[str, Context]:
    findings = {finding.id: finding for finding in case.findings}
    shown = dict.fromkeys(citation.finding_id for citation in case.citations)
    if case.check is not None:  # a check also quotes findings that no verdict cites
        shown |= dict.fromkeys(finding.id for finding in case.findings if finding.quote)
    quoted = [findings[finding_id] for finding_id in shown]
    texts = await _texts(app, [*quoted, *(quotes_of(case.investigation) if case.investigation else ())])
    contexts = {}
    for finding in quoted:
        text = texts[finding.snapshot]
        before, after = text[max(0, finding.start - AROUND) : finding.start], text[finding.end : finding.end + AROUND]
        if finding.start > AROUND and " " in before:
            before = "… " + before.split(" ", 1)[-1]
        if finding.end + AROUND < len(text) and " " in after:
            after = after.rsplit(" ", 1)[0] + " …"
        contexts[finding.id] = Context(before, finding.quote, after)
    return contexts


_RESTORE = "Restore the archive from a copy."


async def _texts(app: Resources, quoted: Iterable[Finding | Mention]) -> dict[str, str]:
    """The texts of the snapshots, each quote compared with its own. Raises StorageError, Ungrounded."""
    texts: dict[str, str] = {}
    for each in quoted:
        if each.snapshot not in texts:
            document = await app.archive.document(each.snapshot)
            if document is None:
                raise StorageError(f"The text of {each.snapshot} is not in the archive.", advice=_RESTORE)
            texts[each.snapshot] = document.text
        if isinstance(each, Finding):
            check_grounded(each, texts[each.snapshot])
        elif texts[each.snapshot][each.start : each.end] != each.quote:
            raise Ungrounded(f"A quote of {each.source_id} is not in its snapshot {each.snapshot}.")
    return texts


@dataclass(frozen=True)
class Replayed:
    """A case replayed from its recording, and the comparison of its reports."""

    case: Case
    same: bool
    difference: str
    replies: int


async def replay(app: Resources, case_id: str) -> Replayed:
    """Run the case again from its recording, and compare the reports byte for byte. Raises InputError."""
    from langgraph.checkpoint.memory import InMemorySaver

    from inquest.flow.runner import CaseRunner
    from inquest.retrieval.budget import CaseBudget

    case = await app.case(case_id)
    if case.summary is None:
        raise InputError(
            f"The case {case.id} has no report to compare with.", advice="Finish it with `inquest resume`."
        )
    clock = FixedClock(case.created_at)
    budget = CaseBudget()
    door = _Counting((await app.door()).for_case(case.id, budget, replay=True))
    services = await case_services(app, CaseWork(case, door, budget, MemorySink(case.id, clock), clock, replay=True))
    bare = case.model_copy(update={"plan": None, "approvals": (), "rounds": (), "status": CaseStatus.PLANNED})
    runner = CaseRunner(bare, services, InMemorySaver(), None, timings=case.timings, cost=case.cost)
    async with runner:
        again = await runner.start()
        for approval in in_force(case.approvals, case.rounds):
            again = await runner.decide(approval)
    again = again.model_copy(update={"approvals": case.approvals, "rounds": case.rounds})
    before, after = [await render(app, each, "md") for each in (case, again)]
    return Replayed(again, before == after, _first_difference(before, after), door.count)


class _Counting(WrappedClient):
    """An HTTP client that counts requests."""

    count = 0

    async def fetch(self, request: Request, *, purpose: Purpose, label: str = "") -> Reply:
        self.count += 1
        return await super().fetch(request, purpose=purpose, label=label)


def _first_difference(before: bytes, after: bytes) -> str:
    for number, (old, new) in enumerate(zip(before.splitlines(), after.splitlines(), strict=False), 1):
        if old != new:
            return f"line {number} was “{old.decode()[:200]}” and is “{new.decode()[:200]}”"
    return "" if before == after else "one is longer than the other"


ENDINGS = {
    "warc": ".warc.gz",
    "wacz": ".wacz",
    "json": ".json",
    "claimreview": ".claimreview.json",
    "csv": ".findings.csv",
    "bibtex": ".bib",
    "csl": ".csl.json",
}
"""The forms of an export and the endings of their files."""
_REPORTS = {"pdf": ".pdf", "md": ".md", "html": ".html"}
FILES = {**_REPORTS, **ENDINGS}
"""Those of reports and exports."""


class Options(BaseModel, extra="forbid"):
    """Options of an export."""

    url: str = Field("", max_length=4_000, description="claimreview: the page that will publish the reviews")
    reviewer: str = Field("", max_length=500, description="claimreview: the organisation that publishes them")
    bom: bool = Field(False, description="csv: with the byte order mark by which Excel recognises UTF-8")
    language: Language | None = Field(None, description="claimreview, csv: by default that of the case")


@dataclass(frozen=True)
class Exported:
    """A written export. `items`: its reviews, findings or references; `notes`: sentences on what it lacks."""

    path: Path
    snapshots: int
    items: int = 0
    notes: tuple[str, ...] = ()


def snapshots_of(case: Case) -> tuple[str, ...]:
    """The hashes of all pages of the case, each once: its sources, then all others that were quoted."""
    found = [source.snapshot for source in case.sources] + [finding.snapshot for finding in case.findings]
    found += [mention.snapshot for claim in case.claims for mention in claim.mentions]
    found += [page.snapshot for page in (case.plan.user_sources if case.plan else ()) if page.snapshot]
    return tuple(dict.fromkeys(found))


async def export(app: Resources, case: Case, form: str, target: Path, options: Options | None = None) -> Exported:
    """Write the case in this form to `target`, whole or not at all; the same case gives the same bytes. Raises
    InputError for an unknown form, an empty export or a place that cannot be written; NotFound or StorageError for a
    page that is missing or changed in the archive; Ungrounded for a quote that is not in its snapshot."""
    if form not in FILES:
        raise InputError(f"Invalid form '{form}': expected one of {', '.join(FILES)}.")
    if form == "json" or form in _REPORTS:
        await asyncio.to_thread(write_whole, target, await render(app, case, form))
        return Exported(target, 0)
    if form in _MADE:
        if form == "csv":
            await _texts(app, case.findings)
        chosen, shown = options or Options(), await as_shown(app, case)
        with speaking(chosen.language or case.brief.language):
            content, items, notes = _MADE[form](shown if speaks() == "en" else reworded(shown), chosen)
        await asyncio.to_thread(write_whole, target, content)
        return Exported(target, 0, items, notes)
    hashes = snapshots_of(case)
    if not hashes:
        raise _nothing(case, "no archived page")
    snapshots = [await _retrieval(app, case, each) for each in hashes]
    loop = asyncio.get_running_loop()

    def bodies() -> Iterator[tuple[bytes, Snapshot]]:
        # One page at a time, because all pages may not fit into memory.
        for snapshot in snapshots:
            yield asyncio.run_coroutine_threadsafe(app.archive.body(snapshot.hash), loop).result(), snapshot

    await asyncio.to_thread(_write_archive, case, form, target, bodies())
    return Exported(target, len(snapshots))


Made = tuple[bytes, int, tuple[str, ...]]
"""The content, the number of its items, and notes."""


def _claim_reviews(case: Case, options: Options) -> Made:
    from inquest.reports.exports import claim_review_json, without_review

    document = claim_review_json(case, page_url=options.url.strip(), reviewer=options.reviewer)
    reviews, left = len(document["@graph"]), len(without_review(case))
    if not reviews:
        raise _nothing(case, "no claim that was checked")
    notes = []
    if left:
        what = "claim was not checked and has" if left == 1 else "claims were not checked and have"
        notes.append(f"{left} {what} no review.")
    if lacking := [
        flag for flag, value in (("--url", options.url), ("--reviewer", options.reviewer)) if not value.strip()
    ]:
        notes.append(f"Add {' and '.join(lacking)} before you publish it.")
    # For use inside <script>, which no text of a page may end.
    content = json.dumps(document, ensure_ascii=False, indent=2).replace("<", "\\u003c") + "\n"
    return content.encode(errors="replace"), reviews, tuple(notes)


def _findings(case: Case, options: Options) -> Made:
    from inquest.reports.exports import findings_csv

    if not case.findings:
        raise _nothing(case, "no finding")
    return findings_csv(case, bom=options.bom), len(case.findings), ()


def _references(case: Case, form: str) -> Made:
    from inquest.reports.references import bibtex, csl_json, references

    found = references(case)
    if not found:
        raise _nothing(case, "no source")
    return bibtex(found).encode() if form == "bibtex" else csl_json(found), len(found), ()


_MADE: dict[str, Callable[[Case, Options], Made]] = {
    "claimreview": _claim_reviews,
    "csv": _findings,
    "bibtex": lambda case, _: _references(case, "bibtex"),
    "csl": lambda case, _: _references(case, "csl"),
}


def _nothing(case: Case, what: str) -> InputError:
    return InputError(f"The case {case.id} has {what}.", advice=f"`inquest show {case.id}` shows what was done.")


async def _retrieval(app: Resources, case: Case, snapshot_hash: str) -> Snapshot:
    """The retrieval of a page by this case; other cases may have received the same bytes at other times."""
    retrievals = await app.archive.retrievals(snapshot_hash)
    if not retrievals:
        raise NotFound(f"The page {snapshot_hash} of the case {case.id} is not in the archive.", advice=_RESTORE)
    at = {source.retrieved_at for source in case.sources if source.snapshot == snapshot_hash}
    snapshot = next((each for each in retrievals if each.retrieved_at in at), retrievals[0])
    addresses = {"url": without_folders(snapshot.url), "final_url": without_folders(snapshot.final_url)}
    return snapshot.model_copy(update=addresses)


def _write_archive(case: Case, form: str, target: Path, bodies: Iterator[tuple[bytes, Snapshot]]) -> None:
    from inquest import __version__
    from inquest.archive.export import write_wacz, write_warc

    software = f"Inquest/{__version__}"
    title = f"Inquest case {case.id}: {case.summary.title if case.summary else case.brief.text[:200]}"
    if form == "wacz":
        titles = {source.snapshot: source.title for source in case.sources}
        if not target.absolute().parent.is_dir():
            raise InputError(f"There is no folder {target.absolute().parent}.", advice="Create it, or choose another.")
        write_wacz(target, bodies, title=title, software=software, made_at=case.created_at, titles=titles)
        return
    with written(target) as part, part.open("wb") as stream:
        write_warc(stream, bodies, software=software, made_at=case.created_at, title=title)
