"""The words of credit, read once from `credits.toml` beside this file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True)
class CreditWords:
    """Phrases are tuples of folded words; what each list means stands in the file."""

    before: frozenset[tuple[str, ...]]
    after: frozenset[str]
    same: frozenset[str]
    between: frozenset[str]
    labels: frozenset[str]
    own_work: frozenset[tuple[str, ...]]
    first_hand: frozenset[tuple[str, ...]]
    press: tuple[str, ...]
    publication: frozenset[str]
    tails: tuple[str, ...]
    leading: frozenset[str]
    unnamed: Mapping[str, frozenset[tuple[str, ...]]]
    known: Mapping[str, tuple[str, ...]]

    @property
    def longest(self) -> int:
        """Words of the longest phrase that stands before a name."""
        return max(map(len, self.before))


@cache
def credit_words() -> CreditWords:
    """The tables."""
    table = tomllib.loads((files("inquest.stories") / "credits.toml").read_text(encoding="utf-8"))
    first_hand = {
        tuple(phrase.replace("OURS", ours).split())
        for phrase in table["first_hand"]
        for ours in (table["ours"] if "OURS" in phrase else ("",))
    }
    return CreditWords(
        before=_phrases(table["before"]),
        after=frozenset(table["after"]),
        same=frozenset(table["same"]),
        between=frozenset(table["between"]),
        labels=frozenset(table["labels"]),
        own_work=_phrases(table["own_work"]),
        first_hand=frozenset(first_hand),
        press=tuple(table["press"]),
        publication=frozenset(table["publication"]),
        tails=tuple(table["tails"]),
        leading=frozenset(table["leading"]),
        unnamed={kind: _phrases(listed) for kind, listed in table["unnamed"].items()},
        known={domain: tuple(names) for domain, names in table["known"].items()},
    )


def source_labels() -> frozenset[str]:
    """What a link is called that names the source of a whole article, folded."""
    return credit_words().labels


def _phrases(listed: list[str]) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(phrase.split()) for phrase in listed)
