"""Whether a title baits or reports: hand-set weights over kinds of words and forms (clickbait.toml), nothing learned.

A title that baits speaks to its reader, points at what it does not say, promises a feeling or a list, and has all the
small words of talk; a headline says who did what, where. How a title is capitalised plays no part, because the same
title comes in capitals from one site and in lower case from another.
"""

from __future__ import annotations

import math
import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from inquest.text.regex import regex


class Clickbait(NamedTuple):
    """How sure it is, 0 to 1, that a title baits, and by what, weightiest first; reasons only from 0.5 on."""

    score: float
    reasons: tuple[str, ...]


_REPORTS = Clickbait(0.0, ())
_Weighed = tuple[float, str]
"""Log-odds, and the reason that stands for them."""
_CONTRACTIONS = ("n't", "'ll", "'ve", "'re", "'d", "'m")
_TOKEN = regex(r"[#@$£€]?\w+(?:[-'.&]\w+)*[%']?")
_SUFFIX = regex(r"\s+(?:[|·»]\s*|[-–—]\s+)(?=[^|·»]{2,40}$)(?:\S+\s*){1,4}$")
_PLAIN = str.maketrans("’‘“”„", '\'\'"""')
_SAID = regex(r"\"[^\"]+ [^\"]+ [^\"]+\"|(?<![\w])'[^'\"]+ [^'\"]+ [^'\"]+'(?!\w)")
_NUMBER = regex(r"\d{1,3}")
_LETTERS = regex(r"[^\W\d_]")
_LATIN = regex(r"[a-zà-ÿœ]")
_POINTS = (1.0, "it points at what it does not say")
_ANNOUNCES, _COUNTS = (2.6, "it announces a list"), (-0.8, "")
"""What a number at the head of a title weighs: 'nine things', 'nine dead'."""
_HARDLY_ANY_WORDS = (-0.5, "")


class _Table(NamedTuple):
    prior: float
    kinds: dict[str, _Weighed]
    lexicon: dict[str, str]
    """The kind of every word."""
    lists: dict[str, frozenset[str]]
    openings: dict[str, _Weighed]
    forms: tuple[tuple[re.Pattern[str], _Weighed], ...]


@cache
def _table() -> _Table:
    raw = tomllib.loads((files(__package__) / "clickbait.toml").read_text(encoding="utf-8"))

    def weighed(entry: dict[str, float | str]) -> _Weighed:
        return float(entry["weight"]), str(entry.get("reason", ""))

    return _Table(
        raw["prior"],
        {kind: weighed(entry) for kind, entry in raw["kinds"].items()},
        {word: kind for kind, words in raw["words"].items() for word in words.split()},
        {name: frozenset(words.split()) for name, words in raw["lists"].items()},
        {word: weighed(entry) for word, entry in raw["openings"].items()},
        tuple((regex(entry["pattern"]), weighed(entry)) for entry in raw["forms"]),
    )


def clickbait_of(title: str) -> Clickbait:
    """How sure it is that the title baits; 0 for an empty title, and for one that is not English: it is not judged.

    The weights are log-odds, so that the score is a rough probability; 0.5 is where bait begins.
    """
    text = " ".join(title[:400].translate(_PLAIN).split()).lower()
    text = _SUFFIX.sub("", text) or text
    # What somebody said is not how the title speaks: 'You have failed us', says the mayor.
    own = _SAID.sub(" ", text)
    text = own if len(own.split()) > 1 else text
    words = _TOKEN.findall(text)
    if not words or _is_foreign(text, words):
        return _REPORTS
    parts = [*_counted(words), *_formed(text, words)]
    total = _table().prior + math.fsum(weight for weight, _ in parts)
    score = 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))
    if score < 0.5:
        return Clickbait(score, ())
    telling = sorted((part for part in parts if part[0] > 0.3 and part[1]), reverse=True)
    return Clickbait(score, tuple(dict.fromkeys(reason for _, reason in telling))[:3])


def _counted(words: list[str]) -> list[tuple[float, str]]:
    """What the words weigh, by kind."""
    table = _table()
    counts: dict[str, int] = {}
    for place, word in enumerate(words):
        kind = _kind(word, table.lexicon)
        if word == "us" and place and words[place - 1] in table.lists["to_us"]:
            kind = "we"
        if kind:
            counts[kind] = counts.get(kind, 0) + 1
    weights = ((table.kinds[kind], number) for kind, number in counts.items())
    return [(weight * (2 - 0.5 ** (number - 1)), reason) for (weight, reason), number in weights]


def _kind(word: str, lexicon: dict[str, str]) -> str | None:
    kind = lexicon.get(word)
    if kind is None and "." in word:
        # 'N.F.L' and 'U.S': the last full stop is no part of the word.
        letters = word.replace(".", "")
        kind = lexicon.get(letters) or ("initials" if len(letters) <= word.count(".") + 1 else None)
    elif kind is None and "'" in word:
        kind = "contraction" if word.endswith(_CONTRACTIONS) else lexicon.get(word.removesuffix("'s").rstrip("'"))
    elif kind is None and (word[0] in "$£€" or word[-1] == "%"):
        kind = "money"
    elif kind is None and word[0] in "#@":
        kind = "leisure"
    return kind


def _formed(text: str, words: list[str]) -> list[_Weighed]:
    """What the form of the title weighs."""
    table = _table()
    found = [weighed for form, weighed in table.forms if form.search(text)]
    first, periods = words[0], table.lists["periods"]
    if first in table.openings and not (first == "this" and words[1:2] and words[1] in periods):
        found.append(table.openings[first])
    found += _numbered(words[1:] if first == "the" else words, words)
    if "this" in words[1:]:
        after = words[words.index("this", 1) + 1 :][:1]
        if after and after[0] not in periods:
            found.append(_POINTS)
    if len(words) <= 3:
        found.append(_HARDLY_ANY_WORDS)
    return found


def _numbered(opening: list[str], words: list[str]) -> list[_Weighed]:
    """What a number at the head of the title weighs: it announces a list, or counts what was harmed."""
    table = _table()
    lists = table.lists
    worded = bool(opening) and opening[0] in lists["number_words"] and bool(lists["listed"] & {*opening[1:4]})
    if not opening or not (worded or _NUMBER.fullmatch(opening[0])):
        return []
    near = {table.lexicon.get(word) for word in opening[1:5]}
    hard = any(word in lists["harm"] for word in words) or bool(near & lists["hard"] and not near & lists["soft"])
    return [_COUNTS if hard else _ANNOUNCES]


def _is_foreign(text: str, words: list[str]) -> bool:
    letters = len(_LETTERS.findall(text))
    if letters == 0 or len(_LATIN.findall(text)) < 0.7 * letters:
        return True
    lists = _table().lists
    foreign = sum(word in lists["foreign"] for word in words)
    return foreign >= 2 and foreign > sum(word in lists["english"] for word in words)
