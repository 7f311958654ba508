"""A model's answer to a question about a case: every quote is in the passages, or there is no answer."""

from __future__ import annotations

import json

import pytest

from inquest.analysts.prompts.answer import answer, question
from inquest.analysts.replies import Unusable
from inquest.kit.analyst import AnswerMaterial, Passage
from tests.analysts.scripted import SNAPSHOT, blocks

TEXT = "The mayor opened the works. The works cost 61 million pounds, the council said."
PASSAGE = Passage(id="P1", source_id="", snapshot=SNAPSHOT, text=TEXT, start=100)
MATERIAL = AnswerMaterial(question="What did the works cost?", topic="The works", passages=(PASSAGE,))


def said(text: str, quote: str, passage: str = "P1") -> str:
    return json.dumps({"answer": text, "quotes": [{"passage": passage, "quote": quote}], "why": ""})


def test_a_quote_is_held_against_its_passage_at_its_place_in_the_page() -> None:
    found = answer(said("According to the council they cost 61 million pounds.", "The works cost 61 million"), MATERIAL)
    (quote,) = found.quotes
    assert TEXT[quote.start - 100 :].startswith(quote.quote) and quote.snapshot == SNAPSHOT
    assert [kind for kind, _, _ in blocks(question(MATERIAL))] == ["topic", "question", "passage"]


@pytest.mark.parametrize(
    "reply",
    [
        said("They cost 61 million pounds.", "The works cost 62 million pounds"),
        said("They cost 61 million pounds.", "The works cost 61 million", "P9"),
        said("They cost 90 million pounds.", "The works cost 61 million"),
    ],
)
def test_an_answer_without_a_quote_or_with_a_figure_of_its_own_is_refused(reply: str) -> None:
    with pytest.raises(Unusable):
        answer(reply, MATERIAL)


def test_no_answer_has_its_reason() -> None:
    found = answer(json.dumps({"answer": "", "quotes": [], "why": "no passage names a price"}), MATERIAL)
    assert not found.quotes and found.why == "no passage names a price."
