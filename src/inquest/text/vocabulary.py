"""Rarity of words, and other words for the same act or measure (the rows of `[synonyms]` in `words.toml`).

`word_weights.json` is written by `training/word_weights.py`; `training/README.md` names its sources.
"""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files
from itertools import islice

from inquest.text.lexicon import word_lists
from inquest.text.sentences import fold, stem

_UNKNOWN_RARITY = 8.0
_SHORTEST = 4
_SHARED_LETTERS = 4
"""First letters that two forms of one word share: 'inspect', 'inspection'."""
IRREGULAR = dict(pair.split(":") for pair in word_lists(__name__, "irregular")["verbs"])
"""Irregular past forms of English verbs, with their base forms."""


@lru_cache(maxsize=1)
def _rarities() -> dict[str, float]:
    loaded = json.loads(files("inquest.text").joinpath("word_weights.json").read_text("utf-8"))
    return {term: float(level) for level, listed in loaded["rarity"].items() for term in listed.split()}


def rarity(term: str) -> float:
    """The inverse document frequency of a stem, in natural logarithms to half a unit; unlisted stems count as rare."""
    return _rarities().get(term, _UNKNOWN_RARITY)


@lru_cache(maxsize=1)
def _rows() -> dict[str, tuple[str, ...]]:
    """Map each stem to the first row that has it."""
    table: dict[str, tuple[str, ...]] = {}
    for first, others in word_lists(__name__, "synonyms").items():
        for word in (first, *others):
            table.setdefault(stem(word), (first, *others))
    forms: dict[str, list[str]] = {}
    for past, base in IRREGULAR.items():
        forms.setdefault(base, [base]).append(past)
    for base, every in forms.items():
        row = table.get(stem(base), tuple(every))
        for form in every:
            table.setdefault(stem(form), row)
    return table


@lru_cache(maxsize=1024)
def same_act(stemmed: str) -> frozenset[str]:
    """The stems of all words for the same act or measure as a stem; empty if no row has it."""
    return frozenset(map(stem, _rows().get(stemmed, ())))


def other_words(word: str) -> tuple[str, ...]:
    """Up to three other words for the same act or measure, each with a different stem, most common first: 'fine' has
    'penalty', 'strike' has none. For searching, since a report may use any of them."""
    if len(word) < _SHORTEST:
        return ()
    row = _rows().get(stem(word), ())
    by_stem = {stem(other): other for other in reversed(row)}
    beginning = fold(word)[:_SHARED_LETTERS]
    distinct = (other for other in row if by_stem[stem(other)] == other and other[:_SHARED_LETTERS] != beginning)
    return tuple(islice(distinct, 3))
