"""The rows of a data set, from one JSONL file or all files of a folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

__all__ = ["rows_of"]


def rows_of(data: Path, *keys: str) -> list[dict[str, Any]]:
    """Every row that has all of the keys; for a folder, from its JSONL files in the order of their names.

    Raises ValueError if no row has them, because the data does not have the form that the measure reads.
    """
    files = [data] if data.is_file() else sorted(data.rglob("*.jsonl"))
    lines = (line for file in files for line in file.read_text(encoding="utf-8").splitlines() if line.strip())
    found = [row for line in lines if isinstance(row := json.loads(line), dict) and all(key in row for key in keys)]
    if not found:
        raise ValueError(f"{data} holds no JSONL row with the keys {', '.join(keys)}.")
    return found
