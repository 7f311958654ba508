"""The state of the database after a session: steps are kept for a case that continues, and not for one that has
ended."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

from inquest import Inquest
from inquest.app.cases.session import new_session
from inquest.domain.case import CaseStatus

ROW = json.dumps(
    {"url": "https://gazette.example/a", "title": "The ferry", "text": "The ferry at Tarn carried 412 people a day."}
)


def steps(home: Path) -> int:
    with sqlite3.connect(home / "inquest.db") as database:
        counted = [database.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in ("checkpoints", "writes")]
        free = database.execute("PRAGMA freelist_count").fetchone()[0]
    assert free < 20, "what is deleted is given back to the disk"
    return sum(counted)


async def test_steps_go_when_a_case_is_over_and_not_before(tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text(ROW)
    asked: dict[str, Any] = {"collections": ["tarn"], "engines": ["collection"]}
    async with Inquest(home=tmp_path / "home") as inquest:
        await inquest.app.collections.add("tarn", [rows])
        done = await inquest.inquiry("Did the ferry at Tarn carry 412 people a day?", **asked)
        assert done.status is CaseStatus.COMPLETED
        assert steps(tmp_path / "home") == 0
        session = await new_session(inquest.app, done.brief)
        async with session:
            planned = await session.begin()
        assert planned.status is CaseStatus.PLANNED and steps(tmp_path / "home") > 0
        assert (await inquest.resume(planned.id)).status is CaseStatus.COMPLETED
        assert steps(tmp_path / "home") == 0
