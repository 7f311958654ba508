"""A register that no engine of the case can query is named by the check, and is not 'not registered there'."""

from __future__ import annotations

from pathlib import Path

from bench.simulated.company_claims import TECHNICAL
from tests.flow.test_judging_together import a_house


async def test_a_query_that_no_engine_could_take_reaches_the_desk(tmp_path: Path) -> None:
    text = f"{TECHNICAL.name} retired 5,354 carbon credits in 2023."
    async with a_house(tmp_path) as inquest:
        case = await inquest.check(
            company=TECHNICAL.name,
            claims=[text],
            desks=("academic",),
            rounds=0,
            engines=("tavily",),
            as_of="2024-12-31",
        )
    (check,) = [each for each in case.findings if each.evidence_type == "registered_figure"]
    assert "academic.register_missing" in [each.code for each in check.summary_codes]
