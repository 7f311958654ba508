"""Services that accept a request and never answer: the case ends in time, reports the missing replies, and can be
replayed."""

from __future__ import annotations

import asyncio
from pathlib import Path

from bench.simulated.companies import a_company_world
from bench.simulated.company_claims import TECHNICAL
from bench.simulated.running import limits_lifted
from bench.simulated.server import Latencies, simulated_web
from inquest import Inquest
from inquest.domain.case import CaseStatus
from inquest.domain.finding import Verdict
from inquest.engines.scholarly.crossref import Crossref
from inquest.engines.web.tavily import Tavily

FOREVER = 600.0
HANGING = {
    "engine": Latencies(search=FOREVER),
    "page": Latencies(page=FOREVER),
    "model": Latencies(model=FOREVER),
}


async def test_a_case_ends_in_its_time_and_lists_what_never_answered(tmp_path: Path) -> None:
    """One case for each kind of service, in parallel: each does little but wait."""
    with limits_lifted(Tavily, Crossref):
        async with asyncio.timeout(300):
            await asyncio.gather(*(ends_in_its_time(what, tmp_path / what) for what in HANGING))


async def ends_in_its_time(what: str, home: Path) -> None:
    async with (
        simulated_web(a_company_world((TECHNICAL,)), HANGING[what]) as web,
        Inquest(home=home, **web.settings) as inquest,
    ):
        case = await inquest.check(
            company=TECHNICAL.name,
            claims=[row.claim for row in TECHNICAL.rows[:2]],
            engines=("tavily", "crossref"),
            deadline="8s",
        )
        again = await inquest.replay(case.id)
    assert case.status is CaseStatus.PARTIAL
    assert what in {note.what for note in case.outages}
    assert len(case.assessments) == len(case.claims) == 2
    if what != "model":  # without a page nothing is verified, and nothing contradicted
        assert {each.verdict for each in case.assessments} == {Verdict.UNVERIFIED}
    assert again.same, again.difference
