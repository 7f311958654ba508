"""A watched case: its request is run again, and the changes are reported claim by claim and citation by citation."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest

from inquest import Inquest
from inquest.app.cases.case_request import AuditRequest
from inquest.app.desks.watching import WatchRun, run_due, run_once, watch, watchable, watches_of
from inquest.app.service.case_actions import remove_case
from inquest.domain.case import Case, CaseStatus
from inquest.domain.errors import InputError, NotFound
from inquest.domain.finding import Verdict
from tests.app.cited_pages import REPLIES, with_cited_pages
from tests.app.conftest import ROWS
from tests.app.topic_cases import SetClock

CLAIM = "The Air Authority fined Calder Stone Ltd 150,000 euros in September 2023."
CITING = (
    "Norvane employed 640 people at its works in Lund in 2024 [1]. Norvane was fined 150,000 euros in 2023 [2].\n\n"
    "## Sources\n\n1. http://norvane.example/jobs\n2. http://norvane.example/fine\n"
)
DAY = timedelta(days=1)


async def _again(inquest: Inquest, case: Case) -> WatchRun:
    return await run_once(inquest.app, case, by="The desk")


@pytest.fixture
async def check(inquest: Inquest) -> Case:
    return await inquest.check(claims=[CLAIM], collections=["tarn"], engines=["collection"], budget_calls=100)


async def _rewritten(inquest: Inquest, folder: Path) -> None:
    """Every page gives a different fine."""
    rows = [row | {"text": row["text"].replace("150,000", "250,000")} for row in ROWS]
    (folder / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
    await inquest.app.collections.add("tarn", [folder / "rows.jsonl"], ratings=folder / "ratings.csv")


async def test_a_page_that_changed_changes_the_verdict(inquest: Inquest, check: Case, tmp_path: Path) -> None:
    app = inquest.app
    app.clock = clock = SetClock()
    clock.time = check.created_at
    kept, is_new = await watch(app, check, every=DAY, by="The desk")
    assert (is_new, kept.next_at) == (True, check.created_at + DAY)
    assert await run_due(app) == []
    clock.move(days=1)
    [same] = await run_due(app)
    assert (same.failed, same.lines, same.json["changed"], same.json["complete"]) == (False, (), False, True)
    await _rewritten(inquest, tmp_path)
    clock.move(days=1)
    [run] = await run_due(app)
    assert run.changes is not None
    assert run.changes.before == same.case_id
    assert [(each.text, each.before, each.after) for each in run.changes.verdicts] == [
        (CLAIM, check.assessments[0].verdict, Verdict.CONTRADICTED)
    ]
    assert "https://air-authority.example/notices/17" in {each.url for each in run.changes.changed_pages}
    assert all("250,000 euros" in each.quote for each in run.changes.contradictions)
    assert run.lines[0] == f"The verdict is contradicted; it was {check.assessments[0].verdict}: {CLAIM}"
    assert (run.json["changed"], run.json["watched_case"]) == (True, check.id)
    [(kept, subject)] = await watches_of(app)
    assert (kept.last_case, kept.changes, subject.id) == (run.case_id, run.lines, check.id)


async def test_the_same_is_asked_afresh_and_what_is_deleted_is_compared_and_watched_no_more(
    inquest: Inquest, check: Case
) -> None:
    await watch(inquest.app, check, every=DAY, by="A")
    run = await _again(inquest, check)
    assert run.case_id is not None
    case = await inquest.case(run.case_id)
    assert case.brief == check.brief.model_copy(update={"afresh": True})
    assert [(each.by, each.how) for each in case.approvals] == [("The desk", "watch")]
    assert (await inquest.replay(case.id)).same
    await remove_case(inquest.app, case)
    later = await _again(inquest, check)
    assert later.changes is not None
    assert later.changes.before == check.id
    await remove_case(inquest.app, check)
    assert await watches_of(inquest.app) == []


async def test_an_audit_is_compared_citation_by_citation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with with_cited_pages(tmp_path / "home") as opened:
        first = await opened.case_of(AuditRequest(text=CITING))
        assert (await _again(opened, first)).lines == ()
        monkeypatch.setitem(REPLIES, "http://norvane.example/jobs", REPLIES["http://norvane.example/fine"])
        run = await _again(opened, first)
        monkeypatch.setitem(REPLIES, "http://norvane.example/jobs", REPLIES["http://norvane.example/down"])
        unread = await _again(opened, first)
    assert run.changes is not None and unread.changes is not None
    assert [(each.before, each.after) for each in run.changes.citations] == [("holds", "not_there")]
    assert run.lines[0].startswith("holds → not there: Norvane employed 640 people")
    assert run.changes.anything
    assert [each.after for each in unread.changes.citations] == ["could_not_be_read"]
    assert not unread.changes.anything


async def test_what_cannot_be_watched(inquest: Inquest, check: Case) -> None:
    assert await watchable(inquest.app, check.id) == await inquest.case(check.id)
    store = await inquest.app.store()
    with pytest.raises(NotFound, match="20990101-00000000"):
        await watchable(inquest.app, "20990101-00000000")
    for status in set(CaseStatus) - {CaseStatus.COMPLETED, CaseStatus.PARTIAL}:
        unfinished = check.model_copy(update={"id": f"x-{status}", "status": status})
        await store.create(unfinished)
        with pytest.raises(InputError, match=f"has no result \\({status}\\)"):
            await watchable(inquest.app, f"x-{status}")
    answer = await inquest.ask("What did Calder Stone Ltd say about its fine?", company="Calder Stone Ltd")
    with pytest.raises(InputError, match="market answer"):
        await watchable(inquest.app, answer.id)
