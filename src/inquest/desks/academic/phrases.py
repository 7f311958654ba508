"""Lists of English phrases as patterns: the tables of this desk hold phrases, not regular expressions."""

from __future__ import annotations

import re
from functools import cache

from inquest.text.lexicon import entries
from inquest.text.regex import regex


def phrases(listed: str) -> re.Pattern[str]:
    """A pattern of whole words for any phrase of a list that is parted by `|`, whatever their case.

    In a phrase `*` is any ending, `#` a digit, a blank also a hyphen, and ` … ` up to 60 characters of one clause.
    """
    parts = sorted((" ".join(each.split()) for each in listed.split("|") if each.strip()), key=len, reverse=True)
    ways = []
    for each in map(re.escape, parts):
        anywhere = each.replace(r"\ …\ ", r"\b[^.;]{0,60}?\b").replace(r"\*", r"\w*").replace(r"\#", r"\d")
        ways.append(anywhere.replace(r"\ ", r"[\s-]+"))
    return regex(rf"(?<!\w)(?:{'|'.join(ways)})(?!\w)", re.I)


@cache
def phrase_table(section: str) -> dict[str, re.Pattern[str]]:
    """The lists of a section of `words.toml`, by name, in order. Raises KeyError where there is no such section."""
    return {name: phrases(listed) for name, listed in entries(__name__, section).items()}
