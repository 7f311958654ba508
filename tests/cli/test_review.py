"""`inquest review`: a decision at the terminal, and earlier decisions."""

from __future__ import annotations

import asyncio
import json

import pytest

from inquest.app.cases.topic_records import record_case
from inquest.app.wiring.resources import open_resources
from inquest.cli.entry import run
from inquest.domain.topic import ReviewFlag, Topic, VerificationLevel
from tests.app.topic_cases import a_case


@pytest.fixture
def case() -> str:
    """A case that waits for a review."""

    async def make() -> str:
        async with open_resources() as app:
            found = a_case(Topic(title="Bridge closed"), VerificationLevel.VERIFIED, flags=(ReviewFlag.CONTRADICTION,))
            await (await app.store()).create(found)
            await record_case(app, found)
            return found.id

    return asyncio.run(make())


def test_shown_decided_and_shown_again(case: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["review", case]) == 0
    out, err = capfd.readouterr()
    assert "before unverified · found verified · now verified" in out
    assert "Needs review: Sources disagree." in out
    assert err == "It has not been reviewed yet.\n"
    assert run(["review", case[:10], "--overrule", "unverified", "--why", "One post.", "--by", "Night desk"]) == 0
    assert "Night desk overruled, unverified: One post." in capfd.readouterr().out
    assert run(["review", case, "--accept", "--by", "Editor", "--json"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert [each["by"] for each in found["reviews"]] == ["Night desk", "Editor"]
    assert found["level_now"] == "verified"
