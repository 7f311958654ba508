"""Which questions need the news of the hour, and when an answer from filings is too weak to stand alone."""

from __future__ import annotations

import math

import pytest

from inquest.desks.market.routing import is_crag_fallback_needed, route_query
from inquest.domain.errors import InputError


@pytest.mark.parametrize(
    ("query", "needed"),
    [
        # The examples of the specification.
        ("Why is AAPL down today?", True),
        ("Why is NVDA up 8% today?", True),
        ("Latest news on AAPL", True),
        ("What happened to TSLA this week?", True),
        ("Recent analyst actions on NVDA", True),
        ("Analyze AAPL's strategy", False),
        ("Is TSLA on track with production targets?", False),
        # A word that has another in it: 'update' asks for news of its own, and is no 'up' of today.
        ("Is there an update on the plant?", True),
        ("Do analysts know its suppliers?", False),
        ("Is the slowdown known to its lenders?", False),
        ("Who supplies NOWhere Inc's upholstery downtown?", False),
    ],
)
def test_the_examples_are_routed_by_whole_words(query: str, needed: bool) -> None:
    assert route_query(query) is needed


@pytest.mark.parametrize(
    ("score", "needed"), [(0.0, True), (0.42, True), (0.4999, True), (0.5, False), (0.88, False), (1, False)]
)
def test_below_one_half_an_answer_from_filings_needs_news(score: float, needed: bool) -> None:
    assert is_crag_fallback_needed(score) is needed


@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf, -0.01, 1.01, 42, True, "0.4", None])
def test_what_is_no_confidence_is_one_clear_error(score: object) -> None:
    with pytest.raises(InputError, match="from 0 to 1") as raised:
        is_crag_fallback_needed(score)  # type: ignore[arg-type]
    assert raised.value.advice


def test_both_rules_are_found_at_the_top_of_the_library() -> None:
    import inquest

    assert inquest.route_query is route_query
    assert inquest.is_crag_fallback_needed is is_crag_fallback_needed
