"""The plan says what a case is likely to cost and what at most; nothing costs nothing."""

from __future__ import annotations

from inquest.retrieval.search_plan import estimated


def price(tokens_in: int, tokens_out: int) -> float:
    return tokens_in * 3e-6 + tokens_out * 15e-6


def test_more_claims_cost_more_and_the_likely_cost_is_below_the_most() -> None:
    few, many = estimated(1, 0, 0.04, price), estimated(14, 0, 0.56, price)
    assert 0 < few.likely < few.most and few.likely < many.likely < many.most


def test_a_budget_is_never_said_to_be_exceeded() -> None:
    said = estimated(14, 0, 0.56, price).in_words(0.02)
    assert said == "It is likely to cost about 0.02 USD, and no more than its budget of 0.02 USD."


def test_without_a_model_and_paid_engines_or_with_a_budget_of_0_it_costs_nothing() -> None:
    free = estimated(5, 15, 0.0, lambda tokens_in, tokens_out: 0.0)
    assert free.in_words(None) == estimated(5, 15, 0.2, price).in_words(0) == "It will cost nothing."
