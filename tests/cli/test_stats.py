"""`inquest stats`: figures for people and for programs."""

from __future__ import annotations

import asyncio
import json

import pytest

from inquest.app.cases.topic_records import record_case, review
from inquest.app.wiring.resources import open_resources
from inquest.cli.entry import run
from inquest.domain.topic import Topic, VerificationLevel
from tests.app.topic_cases import a_case


def test_metrics_alerts_and_cases(capfd: pytest.CaptureFixture[str]) -> None:
    async def fill() -> None:
        async with open_resources() as app:
            case = a_case(Topic(title="Bridge closed"), VerificationLevel.VERIFIED, at=app.clock.now())
            await (await app.store()).create(case)
            await record_case(app, case)
            await review(app, case.id, overrule="unverified", why="A hoax.", by="A")

    asyncio.run(fill())
    assert run(["stats", "--days", "2"]) == 0
    out = capfd.readouterr().out
    assert "three sources or more      100%" in out
    assert "false upgrades             100% (1 of 1; 1 reviewed)" in out
    assert "! 1 of 1 upgrade had to be reversed. Cases: 20250203-a" in out
    assert "Topic cases  1: 1 completed; $0.030" in out
    assert run(["stats", "--json"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert found["investigations"]["false_upgrade_rate"] == 1
    assert found["alerts"][0]["cases"] == ["20250203-a"]
