"""The same inquiry with PostgreSQL: cases, events, recordings and checkpoints in one database."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inquest import Inquest
from inquest.app.cases.case_request import InquiryRequest, request_of
from inquest.domain.case import CaseStatus
from tests.app.conftest import BRIEF, RATINGS, ROWS
from tests.store.conftest import postgres_server, postgres_url

__all__ = ["postgres_server", "postgres_url"]


@pytest.mark.postgres
async def test_an_inquiry_waits_and_goes_on_in_postgresql(postgres_url: str, tmp_path: Path) -> None:
    rows, ratings = tmp_path / "rows.jsonl", tmp_path / "ratings.csv"
    rows.write_text("\n".join(json.dumps(row) for row in ROWS))
    ratings.write_text(RATINGS)
    settings = {"home": tmp_path / "home", "database_url": postgres_url}
    async with Inquest(**settings) as inquest:
        await inquest.app.collections.add("tarn", [rows], ratings=ratings)
        from inquest.app.cases.requests import brief_from

        asked = brief_from(
            request_of(InquiryRequest, {"brief": BRIEF, "collections": ["tarn"], "engines": ["collection"]}),
            BRIEF,
            settings=inquest.app.settings,
        )
        async with await inquest.app.new_case(asked) as session:
            planned = await session.begin()
    async with Inquest(**settings) as tomorrow:
        case = await tomorrow.resume(planned.id)
        assert case.status is CaseStatus.COMPLETED
        assert (await tomorrow.replay(case.id)).difference == ""
    assert not (tmp_path / "home" / "inquest.db").exists()
