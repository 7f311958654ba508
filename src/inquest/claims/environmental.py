"""Whether a sentence of a company's report makes an environmental claim: that a product, service or deed is good, or
less bad, for the environment.

Rules by hand, and nothing learned from labelled sentences: the words of `environmental_words.py` weigh what is set
below. Such a claim has an object (the climate, water, waste, ...), a deed done for its good (reduce, recycle,
protect, commit) and mostly somebody who speaks for himself; what belongs to finance, law, risk, definition or free
talk counts against it. `python -m bench.quality claims` measures it.
"""

from __future__ import annotations

import re

from inquest.claims.environmental_words import GROUPS

__all__ = ["environmental_score", "is_environmental_claim"]

_BOUNDARY = 1.8
"""What object, deed and speaker must weigh together, less what speaks against."""
_OBJECTS: dict[str, float] = {
    "low_carbon": 1.2,
    "climate": 1.2,
    "renewable": 1.0,
    "efficiency": 0.8,
    "circular": 1.1,
    "nature": 0.9,
    "water": 0.5,
    "pollution": 0.8,
    "environment_phrase": 1.4,
    "environment": 0.9,
    "sustainable": 0.9,
    "green": 0.8,
    "electric_transport": 0.2,
    "green_finance": 0.9,
    "certificate": 0.6,
    "leaving_fossil": 1.2,
    "responsible": 0.2,
}
"""What the sentence is about. Of several, the weightiest counts fully and each further one by half."""
_DEEDS: dict[str, float] = {"reduce": 0.9, "improve": 0.6, "commit": 0.6, "deed": 0.3}
"""What is done about it. Nothing, where there is no object."""
_SPEAKERS: dict[str, float] = {"company": 0.4, "product": 0.2}
_AGAINST: dict[str, float] = {
    "finance": 0.4,
    "risk": 0.4,
    "regulation": 0.3,
    "definition": 0.5,
    "reference": 0.4,
    "conversation": 0.8,
    "talk": 0.5,
    "other_environment": 1.0,
    "other_sustainable": 0.8,
    "negation": 0.3,
    "social": 0.2,
    "fossil": 0.3,
}
_SPOKEN = re.compile(r" -- |\.\.\.")
_FIGURE = re.compile(r"\d\s?(?:%|per\s?cent|percent|tonnes?|tons?|MWh|GWh|kWh)")
_YEAR_TO_COME = re.compile(r"\bby (?:the end of )?20[2-5]\d\b")


def environmental_score(text: str) -> float:
    """The distance from the boundary: above 0, it is a claim. Comparable between sentences, not a probability."""
    counts = {name: len(pattern.findall(text)) for name, pattern in GROUPS.items()}
    objects = sorted((weight for name, weight in _OBJECTS.items() if counts[name]), reverse=True)
    if not objects:
        return -_BOUNDARY
    score = objects[0] + sum(objects[1:]) / 2
    score += sum(weight for name, weight in _DEEDS.items() if counts[name])
    score += sum(weight for name, weight in _SPEAKERS.items() if counts[name])
    score -= sum(weight * min(2, counts[name]) for name, weight in _AGAINST.items())
    score += 0.2 * bool(_FIGURE.search(text)) + 0.3 * bool(_YEAR_TO_COME.search(text))
    score -= 0.6 * bool(_SPOKEN.search(text)) + 0.8 * ("?" in text)
    return score - _BOUNDARY


def is_environmental_claim(text: str) -> bool:
    """Whether the sentence claims something good for the environment."""
    return environmental_score(text) > 0
