"""What a text is about, so that two tellings of one matter are known in other words and other languages.

Words that carry meaning show likeness within a language. Figures and names survive translation, the names by their
sound: Kyiv's 'Kovalenko' is 'Kowalenko' elsewhere. Whoever brings none that the other lacks adds nothing of their own.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import lru_cache

from inquest.stories.copies import runs
from inquest.stories.particulars import figures_in, names_in
from inquest.text.regex import regex
from inquest.text.sentences import content_words

_HEAD = 4_000
"""Characters: what a text is about stands at its beginning."""

_OWN = 0.8
"""A text whose figures and names stand so far in another adds nothing to it ..."""
_FEWEST = 8
"""... if there are so many of them, because the few that an event has are in everybody's report of it, ..."""
_WORDS = 0.5
"""... and so much of the carrying words is shared (Dice)."""

_TURNS = 0.1
_SPELT_OUT = regex(r"(?<=[bcdfghjklmnprstvwz])([aou])e(?=[bcdfghklmnrstz])")
_SOUNDS = tuple(
    (regex(written), heard)
    for written, heard in (
        (r"sch|sz|sh|cz|ch", "s"), (r"ph", "f"), (r"kh|ck|c|q", "k"), (r"w", "v"), (r"[yj]", "i"), (r"z", "s"),
        (r"dj|dzh", "i"), (r"(?<=.)h", ""), (r"(.)\1+", r"\1"), (r"(?<=.)(?:ii?|os|as|us)$", ""),
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Matter:
    """What a text is about."""

    words: frozenset[str]
    """Carrying words and figures."""
    particulars: frozenset[str]
    """Figures, and names by their sound."""


NO_MATTER = Matter(frozenset(), frozenset())


def matter_of(title: str, text: str) -> Matter:
    """The matter of a text, from its title and its first 4,000 characters."""
    head = text[:_HEAD]
    figures = figures_in(head)
    words = {spelt_alike(word) for word in content_words(f"{title}\n{head}")}
    return Matter(frozenset(words) | figures, figures | frozenset(heard(name) for name in names_in(head)))


_STROKES = str.maketrans("łøđðı", "loddi")
"""Letters that no accent can be taken from: 'według' is 'wedlug' like 'żródło' is 'zrodlo'."""


def spelt_alike(folded: str) -> str:
    """Folded words in which 'ae', 'oe', 'ue' stand as the plain vowel: Mueller and Müller are one name."""
    return _SPELT_OUT.sub(r"\1", folded.translate(_STROKES))


@lru_cache(maxsize=65_536)
def heard(name: str) -> str:
    """A folded name by its sound: how it is written in one language or another tells nothing."""
    sounding = spelt_alike(name)
    for written, sound in _SOUNDS:
        sounding = written.sub(sound, sounding)
    return sounding


def alike(first: Matter, second: Matter) -> float:
    """How much of their carrying words and figures two matters share (Dice), 0 to 1."""
    total = len(first.words) + len(second.words)
    return 2 * len(first.words & second.words) / total if total else 0.0


def common(first: Matter, second: Matter) -> tuple[int, float]:
    """How many figures and names the two share, and what part that is of those of the one that has fewer."""
    shared = len(first.particulars & second.particulars)
    fewest = min(len(first.particulars), len(second.particulars))
    return shared, shared / fewest if fewest else 0.0


def adds_nothing(first: Matter, second: Matter) -> bool:
    """Whether one of the two tells nothing that the other does not tell: it is a rewrite, though it names nobody."""
    shared, part = common(first, second)
    return shared >= _FEWEST and part >= _OWN and alike(first, second) >= _WORDS


def share_turns(first: str, second: str) -> bool:
    """Whether a tenth of the shorter text's runs of four words stand in the other: who writes of the same event shares
    its names and figures, and no turns of phrase."""
    one, other = (runs(text[:_HEAD]) for text in (first, second))
    return bool(one) and bool(other) and len(one & other) >= _TURNS * min(len(one), len(other))


class Neighbours:
    """Which of very many matters are nearest to one, without comparing all: those that share its rarer figures and
    names, and where there are few of these, its rarer words."""

    _OLDEST, _NEWEST = 8, 24
    """Of those that share a word, so many stand for all; the work for each matter is bounded."""

    def __init__(self) -> None:
        self._with: dict[str, list[int]] = defaultdict(list)

    def add(self, place: int, matter: Matter) -> None:
        """Let this one be found from now on."""
        for mark in matter.particulars | matter.words:
            self._with[mark].append(place)

    def nearest(self, matter: Matter, most: int = 12) -> list[int]:
        """The places that share most with it, weightiest first; a mark weighs the more the rarer it is."""
        weight: Counter[int] = Counter()
        for mark in matter.particulars | matter.words:
            places = self._with.get(mark, ())
            if not places:
                continue
            known = (
                places
                if len(places) <= self._OLDEST + self._NEWEST
                else places[: self._OLDEST] + places[-self._NEWEST :]
            )
            worth = 1_000 // (len(places) + 3)
            for place in known:
                weight[place] += worth
        return [place for place, _ in sorted(weight.items(), key=lambda item: (-item[1], item[0]))[:most]]
