"""Whether a sentence of a company's report makes an environmental claim: that a product, service or deed is good, or
less bad, for the environment.

A linear model over stems, pairs of stems and groups of words. Its weights lie in `environmental_weights.json`, written
by `training/environmental_claims.py`, which says from what; `python -m bench.quality claims` measures it.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from array import array
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from math import sqrt
from typing import NamedTuple

from inquest.logic.environmental_words import GROUPS, TOPICS
from inquest.logic.text import stem

__all__ = ["BUCKETS", "environmental_features", "environmental_score", "is_environmental_claim", "trained_on"]

BUCKETS = 1 << 16
"""Features are known by a hash; two that share a bucket share a weight."""
_GROUP_VALUE = 0.2
_PIECES = (4, 5)
"""Letters of a piece of a word."""
_TOKEN = re.compile(r"[a-z0-9%&']+")
_YEAR = re.compile(r"\b20[2-5]\d\b")


def environmental_features(text: str) -> dict[int, float]:
    """The features of a sentence by bucket. Stems and pairs of them have length 1 together, and so have the pieces of
    words; groups are 0.2 each."""
    written = _TOKEN.findall(text.lower())
    tokens = [stem(token) for token in written]
    grams = set(tokens) | {f"{one} {two}" for one, two in pairwise(tokens)}
    features: dict[int, float] = {}
    for gram in sorted(grams):
        _add(features, gram, 1 / sqrt(len(grams)))
    pieces = {piece for token in written for piece in _pieces(f" {token} ")}
    for piece in sorted(pieces):
        _add(features, f"piece {piece}", 1 / sqrt(len(pieces)))
    for name in sorted(_groups_in(text)):
        _add(features, f"group {name}", _GROUP_VALUE)
    return features


def _pieces(token: str) -> Iterator[str]:
    for length in _PIECES:
        for start in range(len(token) - length + 1):
            yield token[start : start + length]


def _groups_in(text: str) -> set[str]:
    counts = {name: len(pattern.findall(text)) for name, pattern in GROUPS.items()}
    there = [name for name, count in counts.items() if count]
    if "%" in text or "percent" in text.lower():
        there.append("share")
    if any(char.isdigit() for char in text):
        there.append("number")
    if _YEAR.search(text):
        there.append("year to come")
    if " -- " in text or "..." in text:
        there.append("spoken")
    if "?" in text:
        there.append("question")
    topics = [name for name in there if name in TOPICS]
    found = set(there) | {f"{name} twice" for name, count in counts.items() if count > 1}
    found.add(f"topics {min(6, len(topics))}")
    found.add(f"length {min(4, len(text) // 100)}")
    for topic in topics:
        found |= {f"{topic} with {name}" for name in there if name != topic}
    if any(topic not in ("fossil", "power", "responsible") for topic in topics):
        found |= {f"topic with {name}" for name in there}
    return found


def _add(features: dict[int, float], name: str, value: float) -> None:
    bucket = zlib.crc32(name.encode()) % BUCKETS
    features[bucket] = features.get(bucket, 0.0) + value


class _Table(NamedTuple):
    weights: array[int]
    scale: float
    intercept: float
    seen: frozenset[str]


@lru_cache(maxsize=1)
def _table() -> _Table:
    loaded = json.loads(files("inquest.logic").joinpath("environmental_weights.json").read_text("utf-8"))
    weights = array("b", zlib.decompress(base64.b64decode(loaded["weights"])))
    return _Table(weights, loaded["scale"], loaded["intercept"], frozenset(loaded["trained_on"].split()))


def environmental_score(text: str) -> float:
    """The distance from the boundary: above 0, it is a claim. Comparable between sentences, not a probability."""
    table = _table()
    return table.intercept + table.scale * sum(
        value * table.weights[bucket] for bucket, value in environmental_features(text).items()
    )


def is_environmental_claim(text: str) -> bool:
    """Whether the sentence claims something good for the environment."""
    return environmental_score(text) > 0


def trained_on(digest: str) -> bool:
    """Whether a sentence was among those the weights were learned from, by the digest that the training gives it: so
    that nothing is measured on what was learned by heart."""
    return digest in _table().seen
