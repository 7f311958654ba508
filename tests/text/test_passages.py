"""The passages of a long text that are relevant to a claim."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from inquest.text.similarity import best_passages, best_sentence

FILLER = "The council met on the usual day and spoke about roads, schools and the new library. "
NEEDLE = "Harlow Chemicals exceeded its mercury limit by 312 per cent in 2023."


def test_the_needle_is_found_in_fifty_pages() -> None:
    text = FILLER * 900 + NEEDLE + " " + FILLER * 900
    best = best_passages("Harlow exceeded the mercury limit by 312 %.", text, limit=3, size=300)
    assert NEEDLE in best[0].span.of(text)
    assert all(found.span.end - found.span.start <= 300 for found in best)


def test_passages_are_best_first_apart_and_at_most_the_limit() -> None:
    text = " ".join([NEEDLE, FILLER, "Mercury is a metal.", FILLER, "Harlow makes paint.", FILLER])
    found = best_passages("Harlow exceeded the mercury limit.", text, limit=2, size=90)
    assert len(found) == 2
    assert found[0].score >= found[1].score
    first, second = sorted(one.span for one in found)
    assert first.end <= second.start


def test_nothing_is_found_where_no_word_is_shared() -> None:
    assert best_passages("Harlow exceeded the mercury limit.", "Lisbon is sunny. Porto is not.") == []
    assert best_passages("Harlow exceeded the mercury limit.", "") == []


def test_the_best_sentence_is_the_one_with_most_of_the_claim() -> None:
    passage = "Harlow makes paint. " + NEEDLE
    assert best_sentence("Harlow exceeded the mercury limit", passage).span.of(passage) == NEEDLE


@given(st.text(max_size=300), st.text(max_size=60), st.integers(min_value=10, max_value=100))
def test_any_text_gives_spans_of_its_own(text: str, claim: str, size: int) -> None:
    for span, score in best_passages(claim, text, size=size):
        assert 0 <= span.start < span.end <= len(text)
        assert score > 0
