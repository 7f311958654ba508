"""Options with an optional value."""

from __future__ import annotations

import pytest

from inquest.cli.common import with_values


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        (["verify", "topic.json", "--json"], ["verify", "topic.json", "--json", "-"]),
        (["verify", "t.json", "--json", "--as-of", "2026"], ["verify", "t.json", "--json", "-", "--as-of", "2026"]),
        (["ask", "Why?", "--json", "case.json"], ["ask", "Why?", "--json", "case.json"]),
        (["verify", "topic.json", "--json", "--report"], ["verify", "topic.json", "--json", "-"]),
        # An answer of the market desk is not stored, so the location of its report must be given.
        (["ask", "Why?", "--report"], ["ask", "Why?", "--report"]),
        # If the option is already a switch, nothing is inserted.
        (["tier", "--json", "example.org"], ["tier", "--json", "example.org"]),
        (["run", "--", "--json"], ["run", "--", "--json"]),
    ],
)
def test_an_option_without_its_value_stands_for_the_usual_one(given: list[str], meant: list[str]) -> None:
    assert with_values(given) == meant
