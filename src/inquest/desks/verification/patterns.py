"""The patterns of `patterns.toml` beside this file, compiled once."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files

__all__ = ["pattern"]


@cache
def pattern(name: str) -> re.Pattern[str]:
    """The list of that name as one pattern. Raises KeyError where there is none."""
    table = tomllib.loads((files("inquest.desks.verification") / "patterns.toml").read_text(encoding="utf-8"))
    return re.compile("|".join(table[name]), re.IGNORECASE)
