"""Forms of words of the desk's table, and the sector that a text names."""

from __future__ import annotations

import re
from functools import cache

from inquest.text.lexicon import entries
from inquest.text.regex import regex


@cache
def forms(section: str) -> dict[str, re.Pattern[str]]:
    """The patterns of a section of `words.toml` by name, each for whole words in upper and lower case alike."""
    found = entries(__name__, section)
    return {name: regex(rf"(?<![\w-])(?:{words})(?![\w-])", re.IGNORECASE) for name, words in found.items()}


def sector_in(text: str) -> str:
    """The sector that a question or a company's name names first; '' where it names none."""
    hits = [(match.start(), name) for name, form in forms("sectors").items() if (match := form.search(text))]
    return min(hits, key=lambda hit: hit[0])[1] if hits else ""
