"""Other words for one act or measure, by the rows of `[synonyms]` in `words.toml`."""

from __future__ import annotations

from functools import lru_cache

from inquest.text.lexicon import word_lists
from inquest.text.sentences import fold, stem

_SHORTEST = 4
_BEGINNING = 4
"""Letters that two forms of one word share: 'inspect', 'inspection'."""
IRREGULAR = dict(pair.split(":") for pair in word_lists(__name__, "irregular")["verbs"])
"""Past forms of English verbs that no rule makes, with the form that they are of."""


@lru_cache(maxsize=1)
def _rows() -> dict[str, tuple[str, ...]]:
    """From a stem to the first row that has it."""
    table: dict[str, tuple[str, ...]] = {}
    for first, others in word_lists(__name__, "synonyms").items():
        for word in (first, *others):
            table.setdefault(stem(fold(word)), (first, *others))
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
    """The stems of all words for the same act or measure as a stemmed one's; empty where no row has it."""
    return frozenset(stem(fold(each)) for each in _rows().get(stemmed, ()))


def other_words(word: str, *, most: int = 3) -> tuple[str, ...]:
    """Other words for the same act or measure, each of another stem, most usual first: 'strike' has none, 'fine' has
    'penalty'. For searching, where a report may use any of them."""
    if len(word) < _SHORTEST:
        return ()
    row = _rows().get(stem(fold(word)), ())
    by_stem = {stem(each): each for each in reversed(row)}
    found = [each for each in row if by_stem[stem(each)] == each and each[:_BEGINNING] != fold(word)[:_BEGINNING]]
    return tuple(found[:most])
