"""Exports of a case: its archived pages, verdicts, findings and references."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from inquest.app.cases.claim_decisions import as_shown
from inquest.app.cases.reporting import render
from inquest.app.files import without_folders, written
from inquest.domain.case import Case
from inquest.domain.document import Snapshot
from inquest.domain.errors import InputError, NotFound
from inquest.domain.languages import Language, speaking
from inquest.domain.languages import language as speaks
from inquest.reports.words import reworded
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
"""The forms and the endings of their files."""


@dataclass(frozen=True)
class Options:
    """Options of an export. ClaimReview: the `url` of the page with the reviews and the organisation that publishes
    them; CSV: the byte order mark by which Excel recognizes UTF-8."""

    url: str = ""
    reviewer: str = ""
    bom: bool = False
    language: Language | None = None
    """Of reviews and findings; None: the language of the case."""


@dataclass(frozen=True)
class Exported:
    """A written export. `items`: its reviews, findings or references; `notes`: sentences on what it lacks."""

    path: Path
    snapshots: int
    items: int = 0
    notes: tuple[str, ...] = ()


def snapshots_of(case: Case) -> tuple[str, ...]:
    """The hashes of all pages of the case, each once: its sources, then all others that were quoted."""
    found = dict.fromkeys(source.snapshot for source in case.sources)
    found.update(dict.fromkeys(finding.snapshot for finding in case.findings))
    found.update(dict.fromkeys(mention.snapshot for claim in case.claims for mention in claim.mentions))
    pages = case.plan.user_sources if case.plan else ()
    found.update(dict.fromkeys(page.snapshot for page in pages if page.snapshot))
    return tuple(found)


async def export(app: Resources, case: Case, form: str, target: Path, options: Options | None = None) -> Exported:
    """Write the case in this form to `target`, whole or not at all; the same case gives the same bytes. Raises
    InputError for an unknown form, an empty export or a place that cannot be written; NotFound or StorageError for a
    page that is missing or changed in the archive; Ungrounded for a quote that is not in its snapshot."""
    if form not in ENDINGS:
        raise InputError(f"Invalid form '{form}': expected one of {', '.join(ENDINGS)}.")
    if form == "json":
        await asyncio.to_thread(_write_bytes, await render(app, case, "json"), target)
        return Exported(target, 0)
    if form in _MADE:
        if form == "csv":
            # Compare every quote with its snapshot once more.
            texts: dict[str, str] = {}
            for finding in case.findings:
                if finding.snapshot not in texts:
                    texts[finding.snapshot] = await app.snapshot_text(finding.snapshot)
                check_grounded(finding, texts[finding.snapshot])
        chosen, shown = options or Options(), await as_shown(app, case)
        with speaking(chosen.language or case.brief.language):
            content, items, notes = _MADE[form](shown if speaks() == "en" else reworded(shown), chosen)
        await asyncio.to_thread(_write_bytes, content, target)
        return Exported(target, 0, items, notes)
    hashes = snapshots_of(case)
    if not hashes:
        raise InputError(
            f"The case {case.id} has no archived page.", advice=f"`inquest show {case.id}` shows what was done."
        )
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
    import json

    from inquest.reports.claim_review import claim_review_json, without_review

    document = claim_review_json(case, page_url=options.url.strip(), reviewer=options.reviewer)
    reviews, left = len(document["@graph"]), len(without_review(case))
    if not reviews:
        raise _nothing(case, "no claim that was checked")
    notes = []
    if left:
        notes.append(
            f"{left} {'claim was not checked and has' if left == 1 else 'claims were not checked and have'} no review."
        )
    lacking = [name for name, value in (("--url", options.url), ("--reviewer", options.reviewer)) if not value.strip()]
    if lacking:
        notes.append(f"Add {' and '.join(lacking)} before you publish it.")
    # For use inside <script>, which no text of a page may end.
    content = json.dumps(document, ensure_ascii=False, indent=2).replace("<", "\\u003c") + "\n"
    return content.encode(errors="replace"), reviews, tuple(notes)


def _findings(case: Case, options: Options) -> Made:
    from inquest.reports.findings_csv import findings_csv

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
        raise NotFound(
            f"The page {snapshot_hash} of the case {case.id} is not in the archive.",
            advice="Restore the archive from a copy.",
        )
    at = {source.retrieved_at for source in case.sources if source.snapshot == snapshot_hash}
    snapshot = next((each for each in retrievals if each.retrieved_at in at), retrievals[0])
    addresses = {"url": without_folders(snapshot.url), "final_url": without_folders(snapshot.final_url)}
    return snapshot.model_copy(update=addresses)


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
            raise InputError(f"There is no folder {target.absolute().parent}.", advice="Create it, or choose another.")
        write_wacz(target, bodies, title=title, software=software, made_at=case.created_at, titles=titles)
        return
    with written(target) as part, part.open("wb") as stream:
        write_warc(stream, bodies, software=software, made_at=case.created_at, title=title)


_REPORTS = {"pdf": ".pdf", "md": ".md", "html": ".html"}
FORMS = (*_REPORTS, *ENDINGS)
"""All forms, those of the report first."""


async def exported_file(app: Resources, case: Case, form: str) -> tuple[str, bytes]:
    """The name and content of the case's file in this form. Raises as `render` and `export`."""
    if form in _REPORTS:
        return f"{case.id}{_REPORTS[form]}", await render(app, case, form)
    with tempfile.TemporaryDirectory(prefix="inquest-") as folder:
        target = Path(folder) / f"{case.id}{ENDINGS.get(form, '')}"
        await export(app, case, form, target)
        return target.name, await asyncio.to_thread(target.read_bytes)
