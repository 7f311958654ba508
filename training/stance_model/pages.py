"""The pages in `written/page-*.jsonl`: sentences on one affair, and claims judged against each of them.

A line of a file is a page with its claims, `{"page": [SENTENCE, ...], "claims": [{"t": CLAIM, "s": [2], "c": [], "m":
[5]}, ...]}`: the numbers of the sentences that support and contradict the claim, and of those on which two editors
could differ; every other sentence is neutral. Most sentences of a page say nothing on a claim about its subject, which
a model cannot learn from pairs chosen because they are related.
"""

# mypy: ignore-errors
from __future__ import annotations

import json
import random

from training.stance_model.written import FOLDER, KEPT_APART, PAGE

_DECIDED = ("supports", "contradicts")
_WINDOW = (3, 6)
"""Least and most sentences of a window."""
_SCATTERED = 0.4
"""Share of windows whose sentences are not adjacent."""
_TRIES = 8


def claims_of_pages(*, apart: bool = False):
    """Yield each claim with its page and, by number, the stance of each sentence that has a clear one."""
    for path in sorted(FOLDER.glob(f"{PAGE}*.jsonl")):
        if path.stem.endswith(KEPT_APART) != apart:
            continue
        for line in path.open(encoding="utf-8"):
            page = json.loads(line)
            for claim in page["claims"]:
                stances = dict.fromkeys(range(len(page["page"])), "neutral")
                stances |= dict.fromkeys(claim["s"], "supports") | dict.fromkeys(claim["c"], "contradicts")
                yield claim["t"], page["page"], {n: each for n, each in stances.items() if n not in claim["m"]}


def single_sentences(*, apart: bool = False):
    """The pairs of a claim and one sentence."""
    return [
        _pair(claim, sentences, [number], stance)
        for claim, sentences, stances in claims_of_pages(apart=apart)
        for number, stance in stances.items()
    ]


def windows_of_pages(*, apart: bool = False, seed: int = 3):
    """Of each claim, some sentences of its page with one that decides it, and some that do not."""
    chance, made = random.Random(seed), []
    for claim, sentences, stances in claims_of_pages(apart=apart):
        for decided in (True, False):
            for _ in range(_TRIES):
                size = chance.randint(*_WINDOW)
                start = chance.randint(0, len(sentences) - size)
                numbers = list(range(start, start + size))
                if chance.random() < _SCATTERED:
                    numbers = sorted(chance.sample(range(len(sentences)), size))
                stance = _stance_of(numbers, stances)
                if stance is not None and (stance in _DECIDED) is decided:
                    made.append(_pair(claim, sentences, numbers, stance))
                    break
    return made


def whole_pages(*, apart: bool = False):
    """Of each claim, its page, and its page without the sentences that decide it."""
    made = []
    for claim, sentences, stances in claims_of_pages(apart=apart):
        silent = [number for number, stance in stances.items() if stance == "neutral"]
        for numbers in dict.fromkeys((tuple(stances), tuple(silent))):
            stance = _stance_of(numbers, stances)
            if stance is not None:
                made.append(_pair(claim, sentences, numbers, stance))
    return made


def _stance_of(numbers, stances):
    """The stance of sentences together; None for both sides, or if one of them is not clear."""
    found = {stances.get(number) for number in numbers} - {"neutral"}
    return "neutral" if not found else found.pop() if len(found) == 1 else None


def _pair(claim, sentences, numbers, stance):
    passage = " ".join(sentences[number] for number in numbers)
    return {"claim": claim, "passage": passage, "stance": stance, "source": "written"}
