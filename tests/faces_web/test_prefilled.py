"""The form of a new case with the brief and options of a template or of an earlier case."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import httpx2
import pytest

from inquest import Inquest
from inquest.app.cases.case_request import KINDS, CaseRequest, request_of, templates
from inquest.app.cases.requests import brief_from
from inquest.app.desks.briefs import brief_of
from inquest.app.pages.new_case import request_from, sent_again, sent_by
from inquest.domain.case import Case, CaseKind, CaseStatus
from inquest.domain.errors import InputError
from inquest.domain.plan import Brief
from inquest.domain.topic import Priority, Topic

_SHARED: dict[str, Any] = {"engines": "brave, gdelt", "budget_usd": 2.5, "deadline": "5m", "language": "fr"}
_GIVEN: dict[str, dict[str, Any]] = {
    "inquiry": {"brief": "Did the Tarn Bridge close?", "urls": "https://a.example/1", "mode": "detailed",
                "as_of": "2026-03-01", "languages": "de, fr", "collections": "own"},
    "claims": {"claims": "Calder Stone was fined in 2023.\nIt closed two, of nine, quarries.", "company": "Calder",
               "industry": "mining", "rounds": 0, "max_claims": 7, "desks": "news"},
    "market": {"question": "Why is NVDA down today?", "tickers": "NVDA", "sector": "chips", "save": True,
               "filings": "0001045810-26-000021"},
}  # fmt: skip


def _case(request: CaseRequest, brief: Brief) -> Case:
    now = datetime.now(UTC)
    kind = CaseKind(request.kind)
    return Case(id="20260101-abcd", kind=kind, status=CaseStatus.COMPLETED, brief=brief, as_of=now, created_at=now)


async def _same(inquest: Inquest, kind: str) -> tuple[CaseRequest, CaseRequest]:
    request = request_of(KINDS[kind][0], _SHARED | _GIVEN[kind])
    case = _case(request, await brief_of(inquest.app, request))
    again = request_from(sent_again(case))
    return request, again


@pytest.mark.parametrize("kind", list(_GIVEN))
async def test_the_form_of_an_earlier_case_makes_the_same_brief(inquest: Inquest, kind: str) -> None:
    request, again = await _same(inquest, kind)
    first, second = [await brief_of(inquest.app, each) for each in (request, again)]
    if kind == "market":
        assert again.as_of is None
        second = second.model_copy(update={"as_of": first.as_of})
    if first.check is not None and second.check is not None:
        assert [each.text for each in first.check.claims] == [each.text for each in second.check.claims]
    assert first == second


async def test_a_topic_and_a_report_are_named_again(inquest: Inquest) -> None:
    request = request_of(KINDS["topic"][0], {"topic": "17", "mode": "quick"})
    brief = brief_from(request, "Verify: Tarn Bridge closed", mode="quick").model_copy(
        update={"topic": Topic(id=17, title="Tarn Bridge closed", priority=Priority.HIGH)}
    )
    again = request_from(sent_again(_case(request, brief)))
    assert (again.topic, again.priority, again.mode) == ("17", "high", "quick")  # type: ignore[union-attr]

    asked = {"company": "Calder Stone", "report": "https://calder.example/r.pdf", "claims": "It closed a quarry."}
    request = request_of(KINDS["claims"][0], asked)
    form = sent_again(_case(request, await brief_of(inquest.app, request)))
    assert form.kind == "report" and request_from(form) == request_of(
        KINDS["claims"][0], asked | {"language": "en", "max_claims": 20, "rounds": 1}
    )


async def test_a_template_fills_the_form_and_its_blanks_must_be_filled(client: httpx2.AsyncClient) -> None:
    for name, template in templates().items():
        page = await client.get(f"/new?template={name}")
        assert page.status_code == 200
        assert all(f"[{what}]" in page.text.replace("&#39;", "'") for what in template.blanks.values()), name
        form = sent_by(template)
        with pytest.raises(InputError, match="Missing"):
            request_from(form)
        answer = await client.post("/new", data=dict(form))
        assert answer.status_code == 422 and "Missing" in answer.text, name
