"""Whether an origin can be determined from what survived: every sign that distinguishes it from a rival, and no
other."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime, timedelta

import pytest

from bench.tree_truth import Survived, rivals_of
from bench.trees import grow
from inquest.domain.document import Precision, Published

_MAY = datetime(2024, 5, 6, 8, tzinfo=UTC)
_ALL = frozenset(range(5))


def report(hours: float, **more: object) -> Survived:
    """A report that is found, without credits, undated and complete."""
    blank = Survived(_MAY + timedelta(hours=hours), None, _ALL, None, None, True)
    return dataclasses.replace(blank, **more)  # type: ignore[arg-type]


def dated(hours: float) -> Published:
    return Published(at=_MAY + timedelta(hours=hours), precision=Precision.TIME)


def test_of_two_that_are_silent_undated_and_equal_neither_can_be_known() -> None:
    assert rivals_of("A", {"A": report(0), "B": report(3)}) == {"B"}


@pytest.mark.parametrize(
    ("origin", "copy"),
    [
        (report(0), report(3, says="A")),
        (report(0, published=dated(0)), report(3, published=dated(3))),
        (report(0, captured=_MAY + timedelta(hours=2)), report(3, published=dated(3))),
    ],
    ids=["its own words", "two dates", "a capture before a date"],
)
def test_words_dates_and_captures_tell(origin: Survived, copy: Survived) -> None:
    assert rivals_of("A", {"A": origin, "B": copy}) == frozenset()


def test_a_statement_tells_where_a_third_report_has_it_too() -> None:
    short = report(3, statements=frozenset({0, 1}))
    assert rivals_of("A", {"A": report(0), "B": short}) == {"B"}
    assert "B" not in rivals_of("A", {"A": report(0), "B": short, "C": report(5)})


def test_the_one_that_more_go_back_to_is_told_and_a_line_through_a_copy_counts() -> None:
    told = {"A": report(0), "B": report(3), "C": report(5, says="A"), "D": report(6, says="C")}
    assert rivals_of("A", told) == frozenset()
    assert rivals_of("A", told | {"D": report(6, says="B")}) == {"B"}


def test_a_date_that_is_too_early_tells_nothing_for_the_origin() -> None:
    backdated = report(3, published=dated(-72))
    assert rivals_of("A", {"A": report(0, published=dated(0)), "B": backdated}) == {"B"}


def test_round_a_loop_what_each_says_tells_nothing_and_who_is_met_first_does() -> None:
    loop = {"A": report(0, says="B"), "B": report(3, says="A")}
    assert rivals_of("A", loop) == {"B"}
    assert rivals_of("A", loop | {"C": report(5, says="A")}) == frozenset()


def test_of_a_report_that_was_not_found_there_is_no_trace_before_those_who_name_it() -> None:
    lost = {"N": report(1, found=False), "B": report(4, says="N", published=dated(4))}
    assert rivals_of("A", {"A": report(0), **lost}) == {"N"}
    assert rivals_of("A", {"A": report(0, published=dated(0)), **lost}) == frozenset()


def test_most_generated_trees_can_be_known_and_some_cannot() -> None:
    trees = [grow(8, 4_100_000 + seed) for seed in range(150)]
    undecidable = [tree for tree in trees if not tree.decidable]
    assert 3 <= len(undecidable) <= 30
    assert all(tree.origin not in tree.rivals for tree in undecidable)
