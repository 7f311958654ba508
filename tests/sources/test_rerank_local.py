"""The local relevance: rare words, words together, and nothing from what all have or none has."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from inquest.sources.rerank_local import local_relevance


def test_a_rare_word_counts_for_more_than_a_common_one() -> None:
    common = ["dye works", "dye trade", "dye shop", "dye fair"]
    scores = local_relevance("dye tribunal", [*common, "tribunal sits"])
    assert scores[-1] > max(scores[:-1])


def test_words_that_stand_together_in_the_query_count_once_more() -> None:
    together, apart = local_relevance("solvent limit", ["the solvent limit was passed", "a limit is no solvent"])
    assert together > apart


def test_a_word_said_again_does_not_win_over_another_word() -> None:
    stuffed, whole = local_relevance("dye river fine", ["dye dye dye dye dye dye", "a fine for dye in a river"])
    assert whole > stuffed


def test_a_query_that_says_nothing_fits_everything() -> None:
    assert local_relevance("of the", ["dye", ""]) == [1.0, 1.0]
    assert local_relevance("dye", []) == []


@given(st.text(max_size=80), st.lists(st.text(max_size=80), min_size=1, max_size=6))
def test_the_order_of_the_candidates_changes_no_score(query: str, texts: list[str]) -> None:
    shuffled = list(reversed(texts))
    scores = dict(zip(texts, local_relevance(query, texts), strict=True))
    again = dict(zip(shuffled, local_relevance(query, shuffled), strict=True))
    assert all(abs(scores[text] - again[text]) < 1e-9 for text in texts)
