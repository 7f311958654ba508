"""Cases put into a data folder as if they had been run: rows, events, and the archived text of every source."""

from __future__ import annotations

import json
import re
from datetime import datetime
from pathlib import Path

from inquest.app.cases.topic_records import investigations_of, topics_of
from inquest.app.desks.watching import parse_every, watch
from inquest.app.wiring.resources import Resources
from inquest.domain.case import Case, CaseStatus
from inquest.domain.document import Document, Snapshot
from inquest.domain.event import EventType
from inquest.domain.investigation import InvestigationStatus
from inquest.domain.plan import Brief, Mode, Plan
from inquest.domain.search import Query
from inquest.domain.topic import Topic
from tests.reports.made_case import TEXTS, snapshot_of
from tests.reports.report_cases import bare

_HALF = re.compile("[\ud800-\udfff]")


def without_halves(case: Case) -> Case:
    """The case with every lone surrogate, which databases cannot store, replaced by a letter; spans stay unchanged."""
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


async def seed(app: Resources, case: Case) -> Case:
    """Store the case, its events, and the pages it is based on."""
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


async def seed_report(app: Resources, path: Path) -> Case:
    """A case based on one sentence of a PDF's second page."""
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


async def seed_waiting(app: Resources) -> Case:
    """A case whose second plan, with other questions and queries than the first, waits for a decision."""
    base = Plan(
        topic="The Tarn quarry", questions=("Was it closed?", "Who closed it?"), queries=(Query(text="Tarn quarry"),),
        engines=("collection",), mode=Mode.QUICK, analyst="local", notes=("It costs nothing.",),
    )  # fmt: skip
    changed = {"questions": base.questions[:1], "queries": (Query(text="Tarn quarry", language="de"),), "revision": 2}
    plan = base.model_copy(update=changed)
    case = bare().case.model_copy(
        update={
            "id": "20240601-0000wait",
            "status": CaseStatus.PLANNED,
            "brief": Brief(text="Was the Tarn quarry closed?"),
            "plan": plan,
            "sources": (),
            "findings": (),
            "summary": None,
            "markers": (),
        }
    )
    await (await app.store()).create(case)
    sink = (await app.events()).sink(case.id, app.clock)
    for each in (base, plan):
        await sink.emit(EventType.PLAN_READY, "The plan is ready.", plan=each.model_dump(mode="json"))
    return case


async def seed_topic(app: Resources) -> int:
    """A watched topic that was investigated once; its number."""
    topic, _ = await (await topics_of(app)).add(Topic(title="Dockers & crews walk out", url="https://paper.example/x"))
    assert topic.id is not None
    rows = await investigations_of(app)
    begun = await rows.start(topic.id, at=app.clock.now(), priority=topic.priority, estimated=None)
    failed = {"status": InvestigationStatus.FAILED, "why": "Nobody could be asked.", "case_id": "20260101-0000000a"}
    await rows.finish(begun.model_copy(update=failed), None)
    await watch(app, topic, every=parse_every("24h"), by="Ada")
    return topic.id
