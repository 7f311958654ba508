"""The notes of a plan to its user."""

from __future__ import annotations

from pathlib import Path

from bench.simulated.companies import a_company_world
from bench.simulated.company_claims import TECHNICAL
from bench.simulated.server import simulated_web
from inquest import Inquest
from inquest.app.cases.case_request import ClaimsRequest
from inquest.app.cases.session import new_session
from inquest.app.desks.briefs import check_brief
from inquest.domain.plan import Brief


async def test_that_x_sees_seven_days_only_stands_in_the_plan(tmp_path: Path) -> None:
    async with simulated_web(a_company_world((TECHNICAL,))) as web:
        settings = web.settings | {"keys": web.settings["keys"] | {"X_BEARER_TOKEN": "x-simulated-0123"}, "model": ""}
        async with Inquest(home=tmp_path, **settings) as inquest:
            session = await new_session(
                inquest.app, Brief(text="Did the harbour at Odell burn?", engines=("x", "tavily"))
            )
            async with session:
                case = await session.begin()
    assert case.plan is not None and "x" in case.plan.engines
    assert any("covers only the last 7 days" in note for note in case.plan.notes)


async def test_a_check_is_named_by_its_first_claim(tmp_path: Path) -> None:
    given = ("The harbour at Odell burned in May.", "Odell has two harbours.")
    async with simulated_web(a_company_world((TECHNICAL,))) as web, Inquest(home=tmp_path, **web.settings) as inquest:
        session = await new_session(inquest.app, await check_brief(inquest.app, ClaimsRequest(claims=given)))
        async with session:
            case = await session.begin()
    assert case.plan is not None and case.plan.topic == "The harbour at Odell burned in May (+1)"
