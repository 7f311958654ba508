"""Generated articles with known copies, edited or cut short, and, as a trap, templates filled in with other figures."""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import accumulate

__all__ = ["Articles", "a_word", "generate"]

_VOCABULARY = 60_000
_LENGTH = (120, 420)
_COPIES, _CUT, _FORMS = 0.05, 0.02, 0.05
"""Shares of the articles that are edited copies of another, the beginning of another, or filled-in templates."""
_REMARKS = (
    "Our correspondent writes from the scene.",
    "Read more in tomorrow's edition.",
    "This article was amended.",
    "All rights are reserved by the publisher.",
)


@dataclass(frozen=True)
class Articles:
    """Articles and `pairs` of their indices: one is a copy or the beginning of the other."""

    texts: list[str]
    pairs: frozenset[tuple[int, int]]


def generate(size: int, seed: int) -> Articles:
    """The given number of articles; the same for the same seed."""
    draw = random.Random(seed)
    vocabulary = [a_word(draw) for _ in range(_VOCABULARY)]
    frequency = list(accumulate(1 / (rank + 2) for rank in range(_VOCABULARY)))
    forms = [_form(draw, vocabulary, frequency) for _ in range(20)]
    texts: list[str] = []
    pairs: set[tuple[int, int]] = set()
    originals: list[int] = []
    for place in range(size):
        kind = draw.random()
        if originals and kind < _COPIES + _CUT:
            # Each article is used at most once, so that the list of pairs is complete.
            first = originals.pop(draw.randrange(len(originals)))
            texts.append(_edited(draw, texts[first]) if kind < _COPIES else _cut(draw, texts[first]))
            pairs.add((first, place))
        elif kind < _COPIES + _CUT + _FORMS:
            texts.append(_filled(draw, draw.choice(forms), vocabulary))
        else:
            texts.append(_prose(draw, draw.choices(vocabulary, cum_weights=frequency, k=draw.randint(*_LENGTH))))
            originals.append(place)
    return Articles(texts, frozenset(pairs))


def a_word(draw: random.Random) -> str:
    """An invented word."""
    return "".join(draw.choices("etaoinshrdlucmfwypvbgk", k=draw.randint(3, 10)))


def _prose(draw: random.Random, words: list[str]) -> str:
    sentences = []
    while words:
        length = draw.randint(8, 22)
        sentence, words = words[:length], words[length:]
        sentences.append(" ".join(sentence).capitalize() + ".")
    return " ".join(sentences)


def _edited(draw: random.Random, text: str) -> str:
    """The text with another beginning and end, and one word in forty changed."""
    words = [f"{word}ed" if draw.random() < 1 / 40 else word for word in text.split()]
    return f"{draw.choice(_REMARKS)} {' '.join(words)} {draw.choice(_REMARKS)}"


def _cut(draw: random.Random, text: str) -> str:
    words = text.split()
    return " ".join(words[: max(60, int(len(words) * draw.uniform(0.25, 0.45)))])


def _form(draw: random.Random, vocabulary: list[str], frequency: list[float]) -> list[str]:
    """The words of a template (a match report, a forecast, a filing), with '#' for a figure and '@' for a name."""
    words = draw.choices(vocabulary, cum_weights=frequency, k=100)
    for place in range(6, 100, 9):
        words[place] = "#" if place % 2 else "@"
    return words


def _filled(draw: random.Random, form: list[str], vocabulary: list[str]) -> str:
    filling = {"#": lambda: str(draw.randint(2, 9_999)), "@": lambda: draw.choice(vocabulary).capitalize()}
    return " ".join(filling[word]() if word in filling else word for word in form) + "."
