"""Snapshots to keep."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from inquest.domain.document import Snapshot


@pytest.fixture(scope="session")
def snapshot_of() -> Callable[..., Snapshot]:
    """A snapshot of a body; every field can be overridden."""

    def make(body: bytes, url: str = "https://echo.example/bridge", **more: Any) -> Snapshot:
        given = {
            "hash": "sha256:" + hashlib.sha256(body).hexdigest(),
            "url": url,
            "final_url": url,
            "content_type": "text/html; charset=utf-8",
            "retrieved_at": datetime(2025, 3, 5, 10, 20, 30, 123456, tzinfo=UTC),
            "size": len(body),
        }
        return Snapshot.model_validate(given | more)

    return make
