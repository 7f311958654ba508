"""Limits are arithmetic: values within one, above one, or a multiple of one, and the effect of a negation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.entailment.limits import limits
from inquest.text.quantities import Bound, Quantity, Relation, compare, quantities

WITHIN = (
    "within the limit",
    "within its permit",
    "below the legal limit",
    "not above the limit",
    "never exceeded the limits",
)
ABOVE = (
    "above the limit",
    "exceeded its discharge permit",
    "exceeded its permitted maximum",
    "not within the limit",
    "beyond any threshold",
)
WORDS = {2: "twice", 3: "three times", 40: "forty times"}


def of_limit(text: str) -> Quantity:
    (found,) = limits(f"The level was {text} in March.")
    return found


def of_number(text: str) -> Quantity:
    (found,) = quantities(f"The level {text} kg in March.")
    return found


@given(st.sampled_from(WITHIN), st.sampled_from(ABOVE))
def test_what_is_within_a_limit_is_not_above_it(within: str, above: str) -> None:
    assert compare(of_limit(within), of_limit(above)) is Relation.DIFFERS
    assert compare(of_limit(above), of_limit(within)) is Relation.DIFFERS


@given(st.sampled_from(WITHIN), st.integers(2, 400), st.sampled_from(("", "more than ", "about ")))
def test_a_multiple_of_a_limit_is_not_within_it(within: str, times: int, bound: str) -> None:
    multiple = of_limit(f"{bound}{WORDS.get(times, f'{times} times')} the limit")
    assert compare(of_limit(within), multiple) is Relation.DIFFERS


@given(st.integers(2, 90), st.integers(-90, 90))
def test_a_share_of_a_limit_is_the_multiple_that_it_comes_to(times: int, off: int) -> None:
    multiple = of_limit(f"more than {WORDS.get(times, f'{times} times')} the limit")
    share = 100 * times + off
    relation = Relation.SAME if off >= 0 else Relation.DIFFERS
    assert compare(multiple, of_limit(f"at {share} % of the permitted level")) is relation
    assert compare(multiple, of_limit(f"at {share - 100} per cent above the limit")) is relation


@given(st.integers(1, 10_000), st.integers(1, 10_000))
def test_what_never_exceeded_a_number_is_at_most_that(limit: int, measured: int) -> None:
    relation = compare(of_number(f"never exceeded {limit}"), of_number(f"was {measured}"))
    if measured <= limit:
        assert relation is Relation.SAME
    elif measured - limit > max(1, measured // 10):  # if closer, both may be rounded: '10,000'
        assert relation is Relation.DIFFERS


@pytest.mark.parametrize(
    ("said", "bound"),
    [
        ("did not exceed 40", Bound.AT_MOST),
        ("exceeded 40", Bound.AT_LEAST),
        ("was within the limit of 40", Bound.AT_MOST),
        ("was not below 40", Bound.AT_LEAST),
        ("was no more than 40", Bound.AT_MOST),
        ("was not about 40", Bound.ABOUT),
    ],
)
def test_a_denied_limit_is_one_on_the_other_side(said: str, bound: Bound) -> None:
    assert of_number(said).bound is bound


@pytest.mark.parametrize("text", ["The sky is the limit.", "The limit was raised.", "within the limit of 40 kg", ""])
def test_what_says_nothing_of_being_within_or_above_is_none(text: str) -> None:
    assert limits(text) == ()
