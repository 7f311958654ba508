"""The languages of the countries that a text names (`countries.csv`)."""

from __future__ import annotations

import csv
import re
from functools import lru_cache
from importlib.resources import files


def languages_at(text: str) -> tuple[str, ...]:
    """ISO 639-1 of the languages, other than English, that are read in the countries a text names, in its order; the
    names are met as they are spelt, with their capitals."""
    pattern, spoken = _table()
    return tuple(dict.fromkeys(spoken[match.group()][0] for match in pattern.finditer(text)))


@lru_cache(maxsize=1)
def _table() -> tuple[re.Pattern[str], dict[str, tuple[str, ...]]]:
    lines = (files("inquest.claims") / "countries.csv").read_text("utf-8").splitlines()
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    spoken = {name: tuple(row["languages"].split("|")) for row in rows for name in row["names"].split("|")}
    longest_first = sorted(spoken, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)"), spoken
