"""The reader's text on real pages, compared with the text marked by a person."""

from __future__ import annotations

from pathlib import Path

from bench.figures import FLOORS
from bench.measures import extraction


def test_extraction_does_not_fall_below_its_floor(shared: Path, tmp_path: Path) -> None:
    """The figure for every twelfth page; `make eval` measures all of them, and the speed."""
    lines = (shared / extraction.DATA / "gold.jsonl").read_text("utf-8").splitlines()
    (tmp_path / "gold.jsonl").write_text("\n".join(lines[::12]), "utf-8")
    (tmp_path / "html").symlink_to(shared / extraction.DATA / "html")
    figures = {figure.name: figure.value for figure in extraction.measure(tmp_path)}
    assert figures["token_f1"] >= FLOORS["extraction"]["token_f1"] - 0.01
