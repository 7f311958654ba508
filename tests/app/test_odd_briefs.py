"""Unusual briefs and claims: each gets one plain answer, and nothing is invented."""

from __future__ import annotations

import pytest

from inquest import Inquest
from inquest.app.cases.case_request import InquiryRequest
from inquest.app.cases.requests import brief_from
from inquest.desks.inquiry.writing import ANSWERS
from inquest.domain.case import Case, CaseStatus
from inquest.domain.errors import InputError

_HERE = {"collections": ["tarn"], "engines": ["collection"]}


async def _case(inquest: Inquest, brief: str, **more: object) -> Case:
    return await inquest.inquiry(brief, **{**_HERE, **more})  # type: ignore[arg-type]


def _answers(case: Case) -> list[str]:
    assert case.summary is not None
    found = next((section for section in case.summary.sections if section.heading == ANSWERS), None)
    return [statement.text for statement in found.statements] if found else []


async def test_one_word_is_a_topic_and_asserts_nothing(inquest: Inquest) -> None:
    case = await _case(inquest, "Tarn")
    assert case.status is CaseStatus.COMPLETED, case.why
    assert case.plan is not None and not any(each.startswith("Is it so") for each in case.plan.questions)
    assert not _answers(case)


async def test_of_questions_alone_each_has_an_answer_or_is_said_to_have_none(inquest: Inquest) -> None:
    asked = ("How large was the fine for the Tarn Bridge works?", "Who owns the moon?", "Was a court asked?")
    case = await _case(inquest, " ".join(asked))
    said = _answers(case)
    assert [text.startswith(question) for text, question in zip(said, asked, strict=True)] == [True] * 3
    assert "000 euros" in said[0] and "9,000,000" not in said[0], "no answer is what a verdict contradicts"
    assert "Not answered" in said[1]


async def test_a_budget_that_pays_for_nothing_leaves_what_costs_nothing(inquest: Inquest) -> None:
    case = await _case(inquest, "How large was the fine for the Tarn Bridge works?", budget_usd=0.0)
    assert case.cost.usd == 0
    assert case.status is CaseStatus.COMPLETED, "one's own documents cost nothing"
    assert case.findings


@pytest.mark.parametrize("text", ["Investigation ID: 7f3a\nBudget: 1\nMode: quick", "As of: 2024-03-01", "Mode: quick"])
def test_control_lines_alone_make_no_case(text: str) -> None:
    with pytest.raises(InputError, match="control lines only"):
        brief_from(InquiryRequest(brief=text), text)


@pytest.mark.parametrize("text", ["Budget: was it kept in Tarn?", "Flight: MH370", "Budget: 1\nWho closed the quarry?"])
def test_a_line_that_asks_or_names_something_is_a_brief(text: str) -> None:
    assert brief_from(InquiryRequest(brief=text), text).text == text


def test_an_id_of_any_form_on_a_line_of_its_own_is_the_reference_of_the_case() -> None:
    brief = brief_from(InquiryRequest(brief="?"), "Investigation ID: Desk-7F3a\nWho closed the quarry?")
    assert (brief.text, brief.reference) == ("Who closed the quarry?", "Desk-7F3a")
