"""A model's statements about a page itself: kept if they are in the page, otherwise left out; nothing raises."""

from __future__ import annotations

import json
from typing import Any

import pytest

from inquest.analysts.prompts.read import answer, shown
from inquest.domain.document import Document
from inquest.domain.source import PageReading

_TEXT = "Dye ran into the Lenn, according to the Lenn Courier. Correction: an earlier version named another mill."


def page_of(**said: Any) -> PageReading | None:
    document = Document(snapshot="s", url="https://post.example/a", title="Dye", text=_TEXT)
    reply = json.dumps({"summary": "It reports dye.", "key_claims": [], "relevance": 0.9} | said)
    return answer(reply, document, shown(document, "dye", "dye"), final=True).page


def credit(**said: Any) -> dict[str, Any]:
    return {"kind": "press", "name": "Lenn Courier", "quote": "according to the Lenn Courier"} | said


def test_a_credit_is_kept_with_the_place_of_its_words() -> None:
    page = page_of(credits=[credit()], withdrawn="Correction: an earlier version named another mill.")
    assert page is not None and page.credits is not None and page.withdrawn is not None
    (found,) = page.credits
    assert (found.name, found.url, _TEXT[found.start : found.end]) == ("Lenn Courier", "", found.quote)


@pytest.mark.parametrize(
    "given",
    [
        [credit(name="Harbour Post")],
        [credit(quote="as the Lenn Courier wrote")],
        [credit(kind="ghost")],
        [{"name": 4}],
        "Lenn Courier",
        {"name": "Lenn Courier"},
    ],
)
def test_what_does_not_stand_in_the_page_is_left_out(given: Any) -> None:
    assert page_of(credits=given, first_hand=True, withdrawn="...", date={"at": 1}) is None


def test_no_credits_is_an_answer_and_none_given_is_not() -> None:
    assert page_of() is None
    page = page_of(credits=[])
    assert page is not None and page.credits == ()


def test_an_address_that_the_page_does_not_link_to_is_dropped() -> None:
    page = page_of(credits=[credit(url="https://elsewhere.example/1")])
    assert page is not None and page.credits is not None and page.credits[0].url == ""
