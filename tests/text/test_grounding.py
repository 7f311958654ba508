"""A quote is in its text, character for character, or it is not a quote."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.domain.errors import Ungrounded
from inquest.domain.finding import Finding, Stance
from inquest.text.grounding import check_grounded, ground

TEXT = "He said: “It’s  about 5–7 %”\nof all. It’s about time."


def finding(quote: str, start: int) -> Finding:
    return Finding(
        id="F1", claim_id="C1", source_id="S1", agent="inquiry", stance=Stance.SUPPORTS, confidence=0.8,
        quote=quote, snapshot="sha256:0", start=start, end=start + len(quote),
    )  # fmt: skip


def test_white_space_quotation_marks_and_dashes_may_differ_and_the_span_is_the_texts() -> None:
    span = ground(TEXT, '"It\'s about 5-7 %" of all.')
    assert span is not None
    assert span.of(TEXT) == "It’s  about 5–7 %”\nof all."


def test_an_exact_match_goes_before_a_loose_one() -> None:
    text = "“a” cost. 'a' cost."
    span = ground(text, "'a' cost")
    assert span is not None
    assert span.of(text) == "'a' cost"


@pytest.mark.parametrize("quote", ["about 5–8 %", "of most", "", "   "])
def test_other_words_do_not_stand_there(quote: str) -> None:
    assert ground(TEXT, quote) is None


def test_of_several_places_the_nearest() -> None:
    span = ground("one two one two one", "one", near=9)
    assert span is not None
    assert span.start == 8


def test_a_finding_is_checked_against_its_text() -> None:
    assert check_grounded(finding("said", 3), TEXT).quote == "said"
    with pytest.raises(Ungrounded):
        check_grounded(finding("said", 4), TEXT)
    with pytest.raises(Ungrounded):
        check_grounded(finding("said", 4_000), TEXT)


@given(st.text(min_size=1, max_size=200), st.data())
def test_every_stretch_of_a_text_is_grounded_in_it(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(min_value=0, max_value=len(text) - 1))
    end = data.draw(st.integers(min_value=start + 1, max_value=len(text)))
    quote = text[start:end].strip()
    if quote:
        span = ground(text, quote, near=start)
        assert span is not None
        assert span.of(text) == quote
