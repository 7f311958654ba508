"""The rows that a measure reads from its data."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import quality
from bench.rows import rows_of

TITLE = '{"title": "Council approves budget", "clickbait": false}\n'


def test_a_folder_is_read_like_its_files_and_what_is_of_another_form_is_left_aside(tmp_path: Path) -> None:
    (tmp_path / "b.jsonl").write_text(TITLE + "\n", encoding="utf-8")
    (tmp_path / "a.jsonl").write_text('{"claim": "x"}\n' + TITLE, encoding="utf-8")
    (tmp_path / "README.md").write_text("no rows", encoding="utf-8")
    assert len(rows_of(tmp_path, "title", "clickbait")) == 2
    assert len(rows_of(tmp_path / "b.jsonl", "title", "clickbait")) == 1


def test_data_of_another_form_is_one_sentence_and_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(TITLE, encoding="utf-8")
    assert quality.main(["tiers", "--data", str(file)]) == 2
    assert "no JSONL row with the keys domain, pc1" in capsys.readouterr().err
