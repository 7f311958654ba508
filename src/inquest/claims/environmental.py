"""Detection of environmental claims: that a product, service or action is good, or less bad, for the environment.

Rules set by hand, not learned: the word groups of `words.toml` have the weights of `environmental.toml`. A claim has an
object (climate, water, waste, ...), an action for its benefit (reduce, recycle, protect, commit) and mostly a company
that speaks of itself; words of finance, law and definition count against it. Quality: `python -m bench.quality claims`.
"""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files

from inquest.text.lexicon import entries
from inquest.text.regex import regex

GROUPS = {
    name: regex(rf"(?<![\w-])(?:{words})(?!\w)", re.IGNORECASE)
    for name, words in entries(__name__, "environmental_words").items()
}
"""Words of environmental reporting in groups: subjects, actions and speakers."""
_WEIGHTS = tomllib.loads((files(__package__) / "environmental.toml").read_text("utf-8"))
_BOUNDARY = float(_WEIGHTS["boundary"])
_OBJECTS: dict[str, float] = _WEIGHTS["objects"]
_ONCE: dict[str, float] = _WEIGHTS["once"]
_AGAINST: dict[str, float] = _WEIGHTS["against"]
_MARKS = tuple((regex(words), float(weight)) for weight, words in _WEIGHTS["marks"])
_TOPICS = frozenset((*_OBJECTS, *_WEIGHTS["further_topics"])) - {"leaving_fossil"}
TOPIC = regex("|".join(f"(?:{GROUPS[name].pattern})" for name in sorted(_TOPICS)), re.IGNORECASE)
"""The subjects among the word groups."""


def environmental_score(text: str) -> float:
    """Return the distance from the decision boundary: a claim above 0. Comparable between sentences, but not a
    probability."""
    counts = {name: len(pattern.findall(text)) for name, pattern in GROUPS.items()}
    objects = sorted((weight for name, weight in _OBJECTS.items() if counts[name]), reverse=True)
    if not objects:
        return -_BOUNDARY
    score = objects[0] + sum(objects[1:]) / 2  # the heaviest object counts in full, each further one by half
    score += sum(weight for name, weight in _ONCE.items() if counts[name])
    score -= sum(weight * min(2, counts[name]) for name, weight in _AGAINST.items())
    score += sum(weight for words, weight in _MARKS if words.search(text))
    return round(score - _BOUNDARY, 6)


def is_environmental_claim(text: str) -> bool:
    """Return True if the sentence claims a benefit for the environment."""
    return environmental_score(text) > 0
