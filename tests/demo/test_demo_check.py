"""Verdicts on the claims of the demo's report, whose truth is known: a check of every sixth, without a model.

No untrue claim may be verified and no true one contradicted; the number with a verdict that their truth allows has a
floor. A true claim that misleads by omission is recognised by its kind.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from inquest import Inquest, demo
from inquest.app.cases.requests import approval_from
from inquest.app.cases.session import new_session
from inquest.app.desks.briefs import prepare
from inquest.domain.case import Case, CaseStatus
from inquest.domain.claim import Claim
from inquest.domain.finding import Verdict

CLAIMS: list[dict[str, Any]] = json.loads(Path(__file__).with_name("check_truth.json").read_text("utf-8"))["claims"]
CHECKED = CLAIMS[::6]
ACCEPTABLE = 2
"""Number of the 5 claims that must get a verdict that their truth allows: with the local analyst most stay
unverified."""


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> tuple[Case, Case]:
    """The case with its plan, and the time of the check."""

    async def work() -> tuple[Case, Case]:
        async with Inquest(home=tmp_path_factory.mktemp("home")) as inquest:
            session = await new_session(inquest.app, await prepare(inquest.app, "claims"))
            async with session:
                planned = await session.begin()
                assert planned.plan is not None
                ids = [claim_of(planned, each["begins"]).id for each in CHECKED]
                narrowed = await session.decide(approval_from(f"only {', '.join(ids)}", planned.plan, how="test"))
                assert narrowed.plan is not None
                done = await session.decide(approval_from("approve", narrowed.plan, how="test"))
                return planned, done

    return asyncio.run(work())


@pytest.fixture
def checked(cases: tuple[Case, Case]) -> Case:
    return cases[1]


def claim_of(case: Case, begins: str) -> Claim:
    (found,) = [claim for claim in case.claims if claim.quote.startswith(begins)]
    return found


def verdict_of(case: Case, begins: str) -> Verdict:
    claim = claim_of(case, begins)
    return next(each.verdict for each in case.assessments if each.claim_id == claim.id)


def test_the_report_makes_these_claims_and_hardly_others(cases: tuple[Case, Case]) -> None:
    planned, checked = cases
    assert checked.status is CaseStatus.COMPLETED and len(checked.assessments) == len(CHECKED)
    found = {each["id"]: claim_of(planned, each["begins"]).id for each in CLAIMS}
    others = {claim.id for claim in planned.claims} - set(found.values())
    assert len(set(found.values())) == len(CLAIMS) and len(others) <= 1


def test_no_untruth_is_verified_and_no_truth_contradicted(checked: Case) -> None:
    said = {each["id"]: verdict_of(checked, each["begins"]) for each in CHECKED}
    assert {key for key, verdict in said.items() if verdict is Verdict.VERIFIED} <= {
        each["id"] for each in CLAIMS if "verified" in each["acceptable"] and each["true"] is not False
    }
    assert {key for key, verdict in said.items() if verdict is Verdict.CONTRADICTED} <= {
        each["id"] for each in CLAIMS if each["true"] is False
    }
    wrong = {each["id"]: said[each["id"]].value for each in CHECKED if said[each["id"]].value not in each["acceptable"]}
    assert len(CHECKED) - len(wrong) >= ACCEPTABLE, wrong


def test_its_documents_are_invented(checked: Case) -> None:
    pages = [source.url for source in checked.sources if source.url.startswith("http")]
    assert [url for url in pages if ".example/" not in url] == []
    assert all(path.exists() for path in (demo.report(), *demo.technical_documents()))
