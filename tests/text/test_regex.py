"""Patterns that are compiled on first use."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator

import inquest
from inquest.text.regex import regex


def test_every_pattern_of_the_package_can_be_compiled() -> None:
    late = []
    for found in pkgutil.walk_packages(inquest.__path__, "inquest."):
        late += [each for value in vars(importlib.import_module(found.name)).values() for each in _patterns_in(value)]
    assert len(late) > 400
    for each in late:
        assert callable(each.match)  # raises if it is invalid


def _patterns_in(value: object) -> Iterator[re.Pattern[str]]:
    """The lazily compiled patterns of a value, including those in tuples, lists and tables."""
    if isinstance(value, type(regex(""))):
        yield value
    elif isinstance(value, dict):
        yield from (each for inner in value.values() for each in _patterns_in(inner))
    elif isinstance(value, tuple | list):
        yield from (each for inner in value for each in _patterns_in(inner))
