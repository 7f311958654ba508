"""Detection of environmental claims: that a product, service or action is good, or less bad, for the environment.

Rules by hand, and nothing learned from labelled sentences: the words of `words.toml` weigh what `environmental.toml`
says. Such a claim has an object (the climate, water, waste, ...), something done for its good (reduce, recycle,
protect, commit) and mostly somebody who speaks for himself; what belongs to finance, law or definition counts
against it. `python -m bench.quality claims` measures it.
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
"""Words of environmental reporting, in groups: what a sentence is about, what is done about it, who speaks."""
_WEIGHTS = tomllib.loads((files(__package__) / "environmental.toml").read_text("utf-8"))
_BOUNDARY = float(_WEIGHTS["boundary"])
_OBJECTS: dict[str, float] = _WEIGHTS["objects"]
_ONCE: dict[str, float] = _WEIGHTS["once"]
_AGAINST: dict[str, float] = _WEIGHTS["against"]
_MARKS = tuple((regex(words), float(weight)) for weight, words in _WEIGHTS["marks"])
_TOPICS = frozenset((*_OBJECTS, *_WEIGHTS["further_topics"])) - {"leaving_fossil"}
TOPIC = regex("|".join(f"(?:{GROUPS[name].pattern})" for name in sorted(_TOPICS)), re.IGNORECASE)
"""What a sentence is about; the other groups say who does what."""


def environmental_score(text: str) -> float:
    """The distance from the boundary: above 0, it is a claim. Comparable between sentences, not a probability."""
    counts = {name: len(pattern.findall(text)) for name, pattern in GROUPS.items()}
    objects = sorted((weight for name, weight in _OBJECTS.items() if counts[name]), reverse=True)
    if not objects:
        return -_BOUNDARY
    # Of several objects, the weightiest counts fully and each further one by half.
    score = objects[0] + sum(objects[1:]) / 2
    score += sum(weight for name, weight in _ONCE.items() if counts[name])
    score -= sum(weight * min(2, counts[name]) for name, weight in _AGAINST.items())
    score += sum(weight for words, weight in _MARKS if words.search(text))
    return round(score - _BOUNDARY, 6)


def is_environmental_claim(text: str) -> bool:
    """True where the sentence claims something good for the environment."""
    return environmental_score(text) > 0
