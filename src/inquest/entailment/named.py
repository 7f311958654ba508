"""Whether a text names a company in short: 'Norvane' for 'Norvane Chemicals plc', and no other firm or "
"place of that name."""

from __future__ import annotations

import re
from functools import lru_cache

from inquest.text.entities import names
from inquest.text.sentences import stem
from inquest.text.word_weights import rarity

__all__ = ["named_in_short", "names_a_namesake", "stands_for_a_place"]

# A first word that any firm may have ('General', 'National') names nobody alone: as rare as this (in natural logarithms
# of texts per text that has it) is a word that is hardly ever a common one.
_RARE = 6.0
_COMMON = frozenset(
    "general national american british german french european international united first northern southern eastern "
    "western new royal green global standard union city bank the north south east west great central".split()
)
# What may follow the first word without making another firm of it.
_FORM = (
    r"(?:plc|PLC|Inc|Ltd|LLC|Corp|Corporation|Company|Co|Group|Holdings?|GmbH|AG|SA|SE|NV|BV|ASA|AB|AS|Oyj|SpA|Limited|"
    r"Scopes?|CEO|CFO|COO|Chief|Chair(?:man|woman)?|President|Director|Board|Spokes\w+)\b"
)
_PLACE_BEFORE = re.compile(
    r"\b(?:in|near|around|outside|from|(?:village|town|city|parish|municipality|district|county|people|"
    r"residents|households|"
    r"council)\s+of)\s+(?:the\s+)?$",
    re.I,
)


@lru_cache(maxsize=2048)
def named_in_short(name: str, text: str, around: str = "") -> bool:
    """Whether the text calls the bearer of a name of several words by its first: followed by no other capitalised word
    than the name's own or a legal form, and not only as a place. `around`: where a namesake would make it unclear
    which of the two is meant, unless the full name stands there too."""
    words = _words(name)
    if len(words) < 2 or not _tells(words[0]):
        return False
    whole = re.compile(rf"(?<![\w-]){re.escape(words[0])}\s+{re.escape(words[1])}", re.I)
    if names_a_namesake(name, around) and not whole.search(around):
        return False
    return any(
        _is_meant(words, text, match) for match in re.finditer(rf"(?<![\w-]){re.escape(words[0])}(?![\w-])", text)
    )


@lru_cache(maxsize=2048)
def names_a_namesake(name: str, text: str) -> str:
    """Another firm whose name begins with the same word ('Norvane Energy' beside 'Norvane Chemicals'); '' for none."""
    words = _words(name)
    if len(words) < 2 or not _tells(words[0]):
        return ""
    other = re.search(rf"(?<![\w-]){re.escape(words[0])}\s+(?!{_FORM})(?P<next>[A-Z][a-z]\w+)", text)
    if other is None or other["next"] in words or other["next"].endswith(("'s", "’s")):
        return ""
    listed = [each.text for each in names(text)]
    return other.group() if any(each.startswith(other.group()) for each in listed) else ""


@lru_cache(maxsize=2048)
def stands_for_a_place(name: str, text: str) -> bool:
    """Whether the text has a company's first word only as a place: 'households in Norvane'."""
    words = _words(name)
    if len(words) < 2 or not _tells(words[0]):
        return False
    found = list(re.finditer(rf"(?<![\w-]){re.escape(words[0])}(?![\w-])", text))
    return bool(found) and all(
        _PLACE_BEFORE.search(text[: one.start()])
        and not re.match(rf"['’]s?\b|\s+(?:{re.escape(words[1])}|{_FORM})", text[one.end() :])
        for one in found
    )


def _words(name: str) -> list[str]:
    return re.findall(r"\w[\w&-]*", re.sub(r"['’]s?\b", "", name.removeprefix("The ")))


def _tells(word: str) -> bool:
    return len(word) > 3 and word[0].isupper() and word.lower() not in _COMMON and rarity(stem(word)) >= _RARE


def _is_meant(words: list[str], text: str, match: re.Match[str]) -> bool:
    after = text[match.end() :]
    owns = re.match(r"['’]s?\b", after)
    if owns is None and _PLACE_BEFORE.search(text[: match.start()]):
        return False
    following = re.match(r"\s+([A-Z]\w+)", after)
    return owns is not None or following is None or following[1] in words or bool(re.match(rf"\s+{_FORM}", after))
