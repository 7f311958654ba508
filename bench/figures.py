"""A measured figure, printed as one JSON line with the commit, the data's hash and the machine."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import subprocess
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["DATA_BY", "FLOORS", "ROOT", "SHARED", "Figure", "below_floor", "data_hash", "print_figures"]

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("INQUEST_SHARED", ROOT.parent / "shared"))
_READ: dict[str, dict[str, Any]] = tomllib.loads((Path(__file__).parent / "floors.toml").read_text())
FLOORS: dict[str, dict[str, float]] = {
    measure: {name: float(value) for name, value in floors.items() if name != "data_by"}
    for measure, floors in _READ.items()
}
DATA_BY: dict[str, str] = {measure: str(floors.get("data_by", "")) for measure, floors in _READ.items()}
"""The authors of the data of each measure that has floors."""


@dataclass(frozen=True)
class Figure:
    """One number: `measure` (stance), `name` (macro_f1), the value, and the data it is based on."""

    measure: str
    name: str
    value: float
    unit: str = ""
    details: dict[str, Any] = field(default_factory=dict)


def below_floor(figure: Figure) -> str | None:
    """The reason why the figure misses its floor (or, for names that end in `_max`, its ceiling); None: it does not."""
    floors = FLOORS.get(figure.measure, {})
    floor, ceiling = floors.get(figure.name), floors.get(f"{figure.name}_max")
    if floor is not None and figure.value < floor:
        return f"{figure.measure} {figure.name} is {figure.value:.4f}, below its floor {floor}"
    if ceiling is not None and figure.value > ceiling:
        return f"{figure.measure} {figure.name} is {figure.value:.4f}, above its ceiling {ceiling}"
    return None


def data_hash(path: Path) -> str:
    """Hash of a file, or of all files of a folder in order; 12 hex digits."""
    digest = hashlib.sha256()
    for file in [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file()):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


def print_figures(figures: list[Figure], data: Path | None = None) -> list[str]:
    """Print the figures, and return the sentences of those that miss their floor."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, cwd=ROOT, check=False
    ).stdout.strip()
    common = {
        "commit": commit,
        "data": data_hash(data) if data else None,
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
    }
    missed = []
    for figure in figures:
        value = round(figure.value, 4)
        line = {"measure": figure.measure, "name": figure.name, "value": value, "unit": figure.unit}
        print(json.dumps(line | figure.details | common), flush=True)
        if why := below_floor(figure):
            missed.append(why)
    return missed
