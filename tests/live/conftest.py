"""Tests with the real services. They run only if INQUEST_LIVE=1 is set, and never in CI."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_WANTED = os.environ.get("INQUEST_LIVE") == "1"
_KEYS = {name: value for name, value in os.environ.items() if name.endswith(("_API_KEY", "_SEARXNG_URL"))}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    skipped = pytest.mark.skip(reason="asks real services; set INQUEST_LIVE=1 to run it")
    for item in items:
        if not _WANTED and Path(__file__).parent in item.path.parents:
            item.add_marker(skipped)


@pytest.fixture(autouse=True)
def no_network() -> None:
    """Here, and only here, the network may be used."""


@pytest.fixture
def keys() -> dict[str, str]:
    """The keys and addresses of the person who runs these tests, by the name of their setting."""
    return _KEYS
