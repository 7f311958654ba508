"""Cases put into a data folder as if they had been run: rows, events, and the archived text of every source."""

from __future__ import annotations

import json
import re
from datetime import datetime
from pathlib import Path

from inquest.app.build import App
from inquest.domain.brief import Brief
from inquest.domain.case import Case
from inquest.domain.document import Document, Snapshot
from inquest.domain.event import EventType
from tests.reports.made_case import TEXTS, snapshot_of
from tests.reports.report_cases import bare

_HALF = re.compile("[\ud800-\udfff]")


def without_halves(case: Case) -> Case:
    """The case with every lone half of a character, which no database keeps, made a letter; spans stay as they are."""
    document = json.dumps(case.model_dump(mode="python"), default=_plain)
    for source in case.sources:
        text = TEXTS[source.snapshot]
        whole = _HALF.sub("D", text)
        if whole != text:
            TEXTS[snapshot_of(whole)] = whole
            document = document.replace(source.snapshot, snapshot_of(whole))
    return Case.model_validate_json(re.sub(r"\\ud83d(?!\\u)", "D", document))


def _plain(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


async def seed(app: App, case: Case) -> Case:
    """Keep the case, what happened in it, and the pages it rests on."""
    case = without_halves(case)
    await (await app.store()).create(case)
    sink = (await app.events()).sink(case.id, app.clock)
    await sink.emit(EventType.CASE_CREATED, case.brief.text)
    for source in case.sources:
        text = TEXTS[source.snapshot]
        body = text.encode("utf-8", "surrogatepass")
        url = source.url if source.url.startswith("http") else "https://elsewhere.example/"
        snapshot = Snapshot(
            hash=source.snapshot,
            url=url,
            final_url=url,
            content_type="text/plain; charset=utf-8",
            retrieved_at=source.retrieved_at,
            size=len(body),
        )
        await app.archive.put(body, snapshot)
        await app.archive.put_document(Document(snapshot=source.snapshot, url=url, title=source.title, text=text))
        await sink.emit(EventType.SOURCE_FOUND, source.title, url=source.url, title=source.title, stars=4)
    await sink.emit(EventType.CASE_FINISHED, case.why, status=case.status.value)
    return case


async def seed_report(app: App, path: Path) -> Case:
    """A case that rests on one sentence of a PDF's second page."""
    snapshot, document = await app.pages_offline.read_file(path)
    start = document.text.index(". ", document.pages[1]) + 2
    end = document.text.index(". ", start) + 1
    made = bare().case
    source = made.sources[0].model_copy(update={"snapshot": snapshot.hash, "url": "https://works.example/report.pdf"})
    finding = made.findings[0].model_copy(
        update={
            "snapshot": snapshot.hash,
            "start": start,
            "end": end,
            "quote": document.text[start:end],
            "page": document.page_of(start),
        }
    )
    changed = {"id": "20240601-0000pdf1", "brief": Brief(text="What does the report say?")}
    case = made.model_copy(update={**changed, "sources": (source,), "findings": (finding,)})
    await (await app.store()).create(case)
    return case
