"""The README names what there is."""

from __future__ import annotations

from pathlib import Path

import pytest

from inquest.app.settings import Settings
from inquest.kit.discover import engines

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", engines("inquest.engines"))
def test_every_engine_stands_in_its_table_with_its_key(name: str) -> None:
    spec = engines("inquest.engines")[name].spec
    [row] = [line for line in README.splitlines() if line.startswith(f"| `{name}` |")]
    assert all(kind.value in row for kind in spec.kinds)
    assert (spec.key or "none") in row


@pytest.mark.parametrize("name", ["reranker", "reranker_model", "ratings", "second_readers", "contact", "proxy"])
def test_a_setting_that_it_names_is_there(name: str) -> None:
    assert f"`INQUEST_{name.upper()}`" in README
    assert name in Settings.model_fields
