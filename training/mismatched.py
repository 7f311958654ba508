"""Claims with passages that say nothing about them, made from pairs judged by people.

People judge passages that were chosen for the claim. A search returns passages that share the claim's words but say
something else. This makes such pairs: a claim, and a passage of another claim in the same set that shares rare words
with it, but less than half of its content. Some consist of two passages, like windows.
"""

# mypy: ignore-errors
from __future__ import annotations

import random
from collections import Counter, defaultdict

from inquest.text.sentences import content_words
from inquest.text.vocabulary import rarity

__all__ = ["mismatched"]

_SHARED_AT_MOST = 0.5
_COMMON = 0.3
_SHORT = 400


def mismatched(rows: list[dict[str, str]], claims_per_set: int = 900, seed: int = 7) -> list[dict[str, str]]:
    """At most one pair per claim, labelled neutral, with 'mismatched' as its source. The same rows and seed give the
    same pairs."""
    chance = random.Random(seed)
    by_set = defaultdict(list)
    for row in rows:
        by_set[row["source"]].append(row)
    made = []
    for _, part in sorted(by_set.items()):
        claims = sorted({row["claim"] for row in part})
        passages = sorted({(row["claim"], row["passage"]) for row in part if row["passage"].strip()})
        having = defaultdict(list)
        for index, (_, passage) in enumerate(passages):
            for term in set(content_words(passage)):
                having[term].append(index)
        own = defaultdict(set)
        for row in part:
            own[row["claim"]].add(row["passage"])
        bags = {claim: set(content_words(claim)) for claim in claims}
        for claim in chance.sample(claims, min(len(claims), claims_per_set)):
            shared = Counter()
            for term in sorted(bags[claim]):
                if len(having[term]) < _COMMON * len(passages):
                    for index in having[term]:
                        shared[index] += rarity(term)
            total = sum(rarity(term) for term in bags[claim]) or 1.0
            options = [
                index
                for index, score in shared.most_common(60)
                if score / total <= _SHARED_AT_MOST
                and passages[index][0] != claim
                and passages[index][1] not in own[claim]
                and len(bags[passages[index][0]] & bags[claim]) <= _SHARED_AT_MOST * len(bags[claim])
            ]
            if not options:
                continue
            chosen = chance.choice(options[:15])
            text = passages[chosen][1]
            if chance.random() < 0.5 and len(text) < _SHORT:
                second = chance.choice(options[:30])
                text = text if second == chosen else f"{text} {passages[second][1]}"
            made.append({"source": "mismatched", "claim": claim, "passage": text, "stance": "neutral"})
    return made
