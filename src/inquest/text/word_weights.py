"""How rare a word is. `word_weights.json` is written by `training/word_weights.py`; `training/README.md` says from
what."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files

_UNKNOWN_RARITY = 8.0


@lru_cache(maxsize=1)
def _rarities() -> dict[str, float]:
    loaded = json.loads(files("inquest.text").joinpath("word_weights.json").read_text("utf-8"))
    return {term: float(level) for level, listed in loaded["rarity"].items() for term in listed.split()}


def rarity(term: str) -> float:
    """The inverse document frequency of a stem, in natural logarithms to half a unit; a stem that is not in the table
    is a rare one."""
    return _rarities().get(term, _UNKNOWN_RARITY)
