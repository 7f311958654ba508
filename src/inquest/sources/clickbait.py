"""Clickbait: the probability that a title baits its reader (spec 003, noise filters), by a dozen signs in its words.

A title that baits speaks to its reader, points at what it leaves out, exaggerates, announces a list, and has the
small words of talk; a headline names who did what, where. The signs and their weights are set by hand (`words.toml`);
English only: a title in another language shows none of them.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from inquest.text.lexicon import entries, word_lists
from inquest.text.regex import regex


class Clickbait(NamedTuple):
    """Probability, 0 to 1, that a title baits, and the signs of it, weightiest first; reasons only from 0.5 on."""

    score: float
    reasons: tuple[str, ...]


_SIGNS = {name: frozenset(words) for name, words in word_lists(__name__, "clickbait_signs").items()}
_WEIGHTS = {name: float(weight) for name, weight in entries(__name__, "clickbait_weights").items()}
_REASONS = entries(__name__, "clickbait_reasons")
_REPEATED = frozenset(("talk", "articles"))
"""Signs of which every occurrence counts, up to three; of the others the first."""
_CONTRACTIONS = ("n't", "'ll", "'ve", "'re", "'d", "'m")
_TOKEN = regex(r"[$£€]?\w+(?:[-'.&]\w+)*%?")
_SITE_NAME = regex(r"\s+(?:[|·»]\s*|[-–—]\s+)(?=[^|·»]{2,40}$)(?:\S+\s*){1,4}$")
_QUOTED = regex(r"\"[^\"]+ [^\"]+ [^\"]+\"|(?<!\w)'[^'\"]+ [^'\"]+ [^'\"]+'(?!\w)")
_PLAIN = str.maketrans("’‘“”„", '\'\'"""')


def clickbait_of(title: str) -> Clickbait:
    """Probability that the title baits; 0 for a title without words. From 0.5 on it is called bait."""
    text = " ".join(title[:400].translate(_PLAIN).split()).lower()
    text = _SITE_NAME.sub("", text) or text
    # The words of a person quoted are not those of the title: 'You have failed us', says the mayor.
    own = _TOKEN.findall(_QUOTED.sub(" ", text))
    words = own if len(own) > 1 else _TOKEN.findall(text)
    if not words:
        return Clickbait(0.0, ())
    parts = sorted(((_WEIGHTS[sign] * times, sign) for sign, times in _signs(words).items()), reverse=True)
    score = 1 / (1 + math.exp(-_WEIGHTS["prior"] - math.fsum(weight for weight, _ in parts)))
    reasons = dict.fromkeys(_REASONS[sign] for weight, sign in parts if weight > 0 and score >= 0.5)
    return Clickbait(score, tuple(reasons)[:3])


def _signs(words: list[str]) -> dict[str, int]:
    """The signs that the words of a title show, and how often each counts."""
    counts = {sign: sum(word in listed for word in words) for sign, listed in _SIGNS.items()}
    counts["contraction"] = sum(word.endswith(_CONTRACTIONS) for word in words)
    for sign in ("opening", "question"):
        counts[sign] = int(words[0] in _SIGNS[sign])
    opening = words[1:] if words[0] == "the" else words
    counts["list"] = int(bool(opening) and opening[0].isdigit() and len(opening[0]) <= 3)
    counts["figure"] = sum(word[0] in "$£€" or word[-1] == "%" for word in words)
    return {sign: min(times, 3 if sign in _REPEATED else 1) for sign, times in counts.items() if times}
