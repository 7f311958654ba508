"""Cases on two workers, of which one is killed and one stopped, over a database that is restarted and an object store
that goes away: none is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.scale.chaos import Chaos, run
from bench.scale.machines import s3_program

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.skipif(s3_program() is None, reason="needs moto_server: `make test` installs it"),
]


async def test_nothing_is_lost_or_doubled_when_workers_and_the_database_fail(tmp_path: Path) -> None:
    outcome = await run(
        Chaos(cases=3, workers=2, every=2.0, blows=2, restarts=1, limit=120, store_away=2, calm=1), tmp_path
    )
    assert outcome.ended["completed"] == 3
    assert (outcome.lost, outcome.doubled_events, outcome.doubled_findings, outcome.paid_twice) == (0, 0, 0, 0)
    assert outcome.blows.total() == 4
