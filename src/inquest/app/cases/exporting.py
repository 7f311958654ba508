"""What a case has, to hand on: the archived pages that it rests on, its verdicts, findings and references."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from inquest.app.cases.claim_decisions import as_shown
from inquest.app.cases.reporting import render
from inquest.app.files import written
from inquest.domain.case import Case
from inquest.domain.document import Snapshot
from inquest.domain.errors import InputError, NotFound
from inquest.text.grounding import check_grounded

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

ENDINGS = {
    "warc": ".warc.gz",
    "wacz": ".wacz",
    "json": ".json",
    "claimreview": ".claimreview.json",
    "csv": ".findings.csv",
    "bibtex": ".bib",
    "csl": ".csl.json",
}
"""The forms, and how their files are named."""


@dataclass(frozen=True)
class Options:
    """What only the user can say of an export."""

    url: str = ""
    """ClaimReview: the page that will carry the reviews."""
    reviewer: str = ""
    """ClaimReview: the organisation that publishes them."""
    bom: bool = False
    """CSV: with the byte order mark by which Excel knows UTF-8."""


@dataclass(frozen=True)
class Exported:
    """What was written."""

    path: Path
    snapshots: int
    items: int = 0
    """Reviews, findings or references, where the form is a list of them."""
    notes: tuple[str, ...] = ()
    """What is not in it, or what it still lacks, in sentences."""


def snapshots_of(case: Case) -> tuple[str, ...]:
    """The hashes of all pages the case rests on, each once: sources, counted or not, then whatever else was quoted."""
    found = dict.fromkeys(source.snapshot for source in case.sources)
    found.update(dict.fromkeys(finding.snapshot for finding in case.findings))
    found.update(dict.fromkeys(mention.snapshot for claim in case.claims for mention in claim.mentions))
    pages = case.plan.user_sources if case.plan else ()
    found.update(dict.fromkeys(page.snapshot for page in pages if page.snapshot))
    return tuple(found)


async def export(app: Resources, case: Case, form: str, target: Path, options: Options | None = None) -> Exported:
    """Write the case in this form to `target`, whole or not at all. The same case gives the same bytes. Raises
    InputError for an unknown form, a case that has nothing to put into it, or a place that cannot be written; NotFound
    or StorageError where a page is no longer in the archive as it was: an export that lacks evidence is none;
    Ungrounded where a quote does not stand in its snapshot."""
    if form not in ENDINGS:
        raise InputError(f"There is no export in the form '{form}'.", advice=f"Forms: {', '.join(ENDINGS)}.")
    if form == "json":
        await asyncio.to_thread(_write_bytes, await render(app, case, "json"), target)
        return Exported(target, 0)
    if form in _MADE:
        if form == "csv":
            await _check_quotes(app, case)
        content, items, notes = _MADE[form](await as_shown(app, case), options or Options())
        await asyncio.to_thread(_write_bytes, content, target)
        return Exported(target, 0, items, notes)
    hashes = snapshots_of(case)
    if not hashes:
        raise InputError(
            f"The case {case.id} rests on no archived page.", advice=f"`inquest show {case.id}` says what was done."
        )
    snapshots = [await _retrieval(app, case, each) for each in hashes]
    loop = asyncio.get_running_loop()

    def bodies() -> Iterator[tuple[bytes, Snapshot]]:
        # One page at a time: a case can rest on more than fits into memory.
        for snapshot in snapshots:
            yield asyncio.run_coroutine_threadsafe(app.archive.body(snapshot.hash), loop).result(), snapshot

    await asyncio.to_thread(_write_archive, case, form, target, bodies())
    return Exported(target, len(snapshots))


Made = tuple[bytes, int, tuple[str, ...]]
"""The content, how many items it has, and what is to be said of it."""


def _claim_reviews(case: Case, options: Options) -> Made:
    import json

    from inquest.reports.claim_review import claim_review_json, without_review

    document = claim_review_json(case, page_url=options.url.strip(), reviewer=options.reviewer)
    reviews, left = len(document["@graph"]), len(without_review(case))
    if not reviews:
        raise _nothing(case, "no claim that was looked into")
    notes = []
    if left:
        notes.append(f"{left} {'claim was' if left == 1 else 'claims were'} not looked into and {_HAVE[left == 1]}.")
    lacking = [name for name, value in (("--url", options.url), ("--reviewer", options.reviewer)) if not value.strip()]
    if lacking:
        notes.append(f"Before you publish it, add what only you can say: {' and '.join(lacking)}.")
    # It is made to stand inside <script>: no text of a page may end that.
    content = json.dumps(document, ensure_ascii=False, indent=2).replace("<", "\\u003c") + "\n"
    return content.encode(errors="replace"), reviews, tuple(notes)


_HAVE = {True: "has no review", False: "have no review"}


def _findings(case: Case, options: Options) -> Made:
    from inquest.reports.findings_csv import findings_csv

    if not case.findings:
        raise _nothing(case, "no finding")
    return findings_csv(case, bom=options.bom), len(case.findings), ()


def _bibtex(case: Case, options: Options) -> Made:
    from inquest.reports.references import bibtex, references

    found = references(case)
    if not found:
        raise _nothing(case, "no source")
    return bibtex(found).encode(), len(found), ()


def _csl(case: Case, options: Options) -> Made:
    from inquest.reports.references import csl_json, references

    found = references(case)
    if not found:
        raise _nothing(case, "no source")
    return csl_json(found), len(found), ()


_MADE: dict[str, Callable[[Case, Options], Made]] = {
    "claimreview": _claim_reviews,
    "csv": _findings,
    "bibtex": _bibtex,
    "csl": _csl,
}


def _nothing(case: Case, what: str) -> InputError:
    return InputError(f"The case {case.id} has {what}.", advice=f"`inquest show {case.id}` says what was done.")


async def _check_quotes(app: Resources, case: Case) -> None:
    """Every quote is held against its snapshot once more before it leaves the house."""
    texts: dict[str, str] = {}
    for finding in case.findings:
        if finding.snapshot not in texts:
            texts[finding.snapshot] = await app.snapshot_text(finding.snapshot)
        check_grounded(finding, texts[finding.snapshot])


async def _retrieval(app: Resources, case: Case, snapshot_hash: str) -> Snapshot:
    """The retrieval that this case made of the page; the same bytes may have come at other times, too."""
    retrievals = await app.archive.retrievals(snapshot_hash)
    if not retrievals:
        raise NotFound(
            f"The page {snapshot_hash} of the case {case.id} is not in the archive.",
            advice="Restore the archive from a copy.",
        )
    at = {source.retrieved_at for source in case.sources if source.snapshot == snapshot_hash}
    return _without_folders(next((each for each in retrievals if each.retrieved_at in at), retrievals[0]))


def _without_folders(snapshot: Snapshot) -> Snapshot:
    """A file of the user's own keeps its name and not its folders: evidence that is handed on tells nobody where, or
    under which user's name, it lay."""
    changed = {
        name: f"file:///{url.rsplit('/', 1)[-1]}"
        for name, url in (("url", snapshot.url), ("final_url", snapshot.final_url))
        if url.lower().startswith("file:")
    }
    return snapshot.model_copy(update=changed)


def _write_bytes(content: bytes, target: Path) -> None:
    with written(target) as part:
        part.write_bytes(content)


def _write_archive(case: Case, form: str, target: Path, bodies: Iterator[tuple[bytes, Snapshot]]) -> None:
    from inquest import __version__
    from inquest.archive.wacz import write_wacz
    from inquest.archive.warc import write_warc

    software = f"Inquest/{__version__}"
    title = f"Inquest case {case.id}: {case.summary.title if case.summary else case.brief.text[:200]}"
    if form == "wacz":
        titles = {source.snapshot: source.title for source in case.sources}
        if not target.absolute().parent.is_dir():
            raise InputError(f"There is no folder {target.absolute().parent}.", advice="Make it, or choose another.")
        write_wacz(target, bodies, title=title, software=software, made_at=case.created_at, titles=titles)
        return
    with written(target) as part, part.open("wb") as stream:
        write_warc(stream, bodies, software=software, made_at=case.created_at, title=title)


_REPORTS = {"pdf": ".pdf", "md": ".md", "html": ".html"}
FORMS = (*_REPORTS, *ENDINGS)
"""The forms, those of the report first."""


@dataclass(frozen=True)
class Handed:
    """A file's name and content."""

    name: str
    content: bytes


async def handed_on(app: Resources, case: Case, form: str) -> Handed:
    """The case in this form. Raises InputError, NotFound, StorageError, Ungrounded as `render` and `export` do."""
    if form in _REPORTS:
        return Handed(f"{case.id}{_REPORTS[form]}", await render(app, case, form))
    with tempfile.TemporaryDirectory(prefix="inquest-") as folder:
        target = Path(folder) / f"{case.id}{ENDINGS.get(form, '')}"
        await export(app, case, form, target)
        return Handed(target.name, await asyncio.to_thread(target.read_bytes))
