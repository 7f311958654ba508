"""Values grouped by a key that several of them may share."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


def grouped(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """All values of each key, in order."""
    found: dict[K, list[V]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def firsts(pairs: Iterable[tuple[K, V]]) -> dict[K, V]:
    """The first value of each key, in order."""
    found: dict[K, V] = {}
    for key, value in pairs:
        found.setdefault(key, value)
    return found
