"""The model's reading of a market question: fields of a wrong type or length are left to the rules."""

from __future__ import annotations

import json

import pytest

from inquest.analysts.prompts.market import answer
from inquest.analysts.replies import Unusable
from inquest.desks.market.questions import read_question
from inquest.domain.market import MarketRequest, QuestionKind
from tests.desks.market.market_parts import LISTINGS, NOW

ARTICLE = "Shares fell after the company lowered its outlook, and analysts took it badly."


def test_what_the_model_says_goes_before_the_rules_and_what_the_user_gives_before_it() -> None:
    reply = {"company": "Quarvane", "ticker": "QVRN", "kind": "guidance", "sector": "chips", "article": ARTICLE}
    reading = answer(json.dumps(reply))
    question = read_question("What about the one from Lisse?", NOW, listings=LISTINGS, reading=reading)
    assert (question.company, question.kind, question.sector) == ("Quarvane", QuestionKind.GUIDANCE, "chips")
    assert [each.symbol for each in question.tickers] == ["QVRN"]
    given = read_question("What about it?", NOW, MarketRequest(tickers=("PLUM",)), listings=LISTINGS, reading=reading)
    assert [each.symbol for each in given.tickers] == ["PLUM"]


def test_fields_of_another_form_are_empty() -> None:
    reply = {
        "company": "?",
        "ticker": "no ticker at all",
        "kind": "mood",
        "peers": [{}],
        "step_back": "No.",
        "article": ARTICLE,
    }
    reading = answer(json.dumps(reply))
    assert reading.model_dump(exclude={"article"}) == answer(json.dumps({"article": ARTICLE})).model_dump(
        exclude={"article"}
    )
    with pytest.raises(Unusable):
        answer(json.dumps({"article": "..."}))
