"""How much two texts tell the same, in other words and other languages.

Words that carry meaning show likeness within a language. Figures and names survive translation, the names by their
consonants: Kyiv's 'Kovalenko' is 'Kowalenko' elsewhere. A match report, a forecast or a filing repeats the words of the
one before it with other figures and names: that is a form filled in again, and no copy.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, takewhile

from inquest.sources.publisher_names import spelt_alike
from inquest.text.sentences import content_words, fold
from inquest.text.shingles import runs

_HEAD = 4_000
"""Characters: what a text is about appears at its beginning."""
_OWN = 0.8
"""A text whose figures and names stand so far in another adds nothing to it ..."""
_FEWEST = 8
"""... if there are so many of them, because the few that an event has are in everybody's report of it, ..."""
_WORDS = 0.5
"""... and so much of the carrying words is shared (Dice)."""
_PHRASES = 0.1
_FEWEST_FIGURES, _FEWEST_NAMES, _KEPT = 3, 4, 0.5
"""Of fewer, an edit or a corrected figure may change most."""
_QUOTED, _LONGEST_QUOTED = 50, 1_500
"""Characters of a quotation."""

_DASHES = str.maketrans("-–—$€£¥₹(", " " * 9)
_QUOTES = str.maketrans("“”„«»", '"' * 5)
_CONSONANTS = str.maketrans("wcqz", "vkks", "aeiouyjh")
_SKELETON = 3
"""Consonants of a name by which it is known."""


@dataclass(frozen=True, slots=True)
class Particulars:
    """What a text tells."""

    words: frozenset[str]
    """Carrying words and figures."""
    marks: frozenset[str]
    """Figures, and names by their consonants."""


def particulars_of(title: str, text: str) -> Particulars:
    """What a text tells, from its title and its first 4,000 characters."""
    head = text[:_HEAD]
    figures = figures_in(head)
    words = {spelt_alike(word) for word in content_words(f"{title}\n{head}")}
    return Particulars(figures | words, figures | {skeleton(name) for name in names_in(head)})


def figures_in(text: str) -> frozenset[str]:
    """The numbers written in digits, without the separators of thousands: '2,000' is '2000', '3.5' stays."""
    figures = set()
    for token in text.translate(_DASHES).split():
        if token[0].isdigit():
            written = "".join(takewhile(lambda char: char.isdigit() or char in ".,:/", token)).rstrip(".,:/")
            groups = written.replace(",", ".").split(".")
            figures.add("".join(groups) if all(len(group) == 3 for group in groups[1:]) else written)
    return frozenset(figures)


def names_in(text: str) -> frozenset[str]:
    """Words with a capital inside a sentence, folded."""
    found, goes_on = set(), False
    for token in text.split():
        if goes_on and token[0].isupper():
            name = "".join(takewhile(str.isalpha, token))
            if len(name) > 1:
                found.add(fold(name))
        goes_on = token[-1].isalnum() or token[-1] in ",;"
    return frozenset(found)


@lru_cache(maxsize=65_536)
def skeleton(name: str) -> str:
    """The consonants of a name, those that languages write for one sound as one; a short name as it is."""
    spelt = spelt_alike(name)
    consonants = "".join(char for char, _ in groupby(spelt.translate(_CONSONANTS)))
    return consonants if len(consonants) >= _SKELETON else spelt


def alike(first: Particulars, second: Particulars) -> float:
    """How much of their carrying words and figures two texts share (Dice), 0 to 1."""
    total = len(first.words) + len(second.words)
    return 2 * len(first.words & second.words) / total if total else 0.0


def common(first: Particulars, second: Particulars) -> tuple[int, float]:
    """How many figures and names the two share, and what part that is of those of the one that has fewer."""
    shared = len(first.marks & second.marks)
    fewest = min(len(first.marks), len(second.marks))
    return shared, shared / fewest if fewest else 0.0


def adds_nothing(first: Particulars, second: Particulars) -> bool:
    """Whether one of the two tells nothing that the other does not tell: it is a rewrite, though it names nobody."""
    shared, part = common(first, second)
    return shared >= _FEWEST and part >= _OWN and alike(first, second) >= _WORDS


def share_phrases(first: str, second: str) -> bool:
    """Whether a tenth of the shorter text's shingles stand in the other: who writes of the same event shares its names
    and figures, and no phrases."""
    one, other = runs(first[:_HEAD]), runs(second[:_HEAD])
    return bool(one) and bool(other) and len(one & other) >= _PHRASES * min(len(one), len(other))


@dataclass(frozen=True, slots=True)
class Details:
    """What fills in a form: the figures and names of a text, and all its words, in which those of another can stand."""

    figures: frozenset[str]
    names: frozenset[str]
    words: frozenset[str]


def details_of(text: str) -> Details:
    """The details of a whole text."""
    words = "".join(char if char.isalnum() else " " for char in fold(text)).split()
    return Details(figures_in(text), names_in(text), frozenset(words))


def filled_in_again(shorter: Details, longer: Details) -> bool:
    """Whether two texts that share their wording tell of different things: less than half of the shorter one's figures,
    or of its names, stand in the other. Few figures or names show nothing; of two figures, both must be others."""
    figures, names = shorter.figures, shorter.names
    if len(figures) >= 2:
        kept = len(figures & longer.figures)
        if (kept < _KEPT * len(figures)) if len(figures) >= _FEWEST_FIGURES else kept == 0:
            return True
    return len(names) >= _FEWEST_NAMES and len(names & longer.words) < _KEPT * len(names)


def outside_quotations(text: str) -> str:
    """The text without what appears between quotation marks and is longer than 50 characters."""
    lines = []
    for line in text.translate(_QUOTES).split("\n"):
        parts = line.split('"')
        closed = len(parts) % 2 == 1
        inside = [number % 2 == 1 and _QUOTED <= len(part) <= _LONGEST_QUOTED for number, part in enumerate(parts)]
        kept = [part for part, quoted in zip(parts, inside, strict=True) if not (closed and quoted)]
        lines.append('"'.join(kept))
    return "\n".join(lines)


class Neighbours:
    """Which of very many texts are nearest to one, without comparing all: those that share its rarer figures, names and
    words."""

    _OLDEST, _NEWEST = 8, 24
    """Of those that share a word, so many stand for all; the work for each text is bounded."""

    def __init__(self) -> None:
        self._with: dict[str, list[int]] = defaultdict(list)

    def add(self, place: int, particulars: Particulars) -> None:
        """Let this one be found from now on."""
        for mark in particulars.marks | particulars.words:
            self._with[mark].append(place)

    def nearest(self, particulars: Particulars, most: int = 12) -> list[int]:
        """The places that share most with it, weightiest first; a mark weighs the more the rarer it is."""
        weight: Counter[int] = Counter()
        for mark in particulars.marks | particulars.words:
            places = self._with.get(mark, [])
            shown = places
            if len(places) > self._OLDEST + self._NEWEST:
                shown = places[: self._OLDEST] + places[-self._NEWEST :]
            for place in shown:
                weight[place] += 1_000 // (len(places) + 3)
        return [place for place, _ in sorted(weight.items(), key=lambda item: (-item[1], item[0]))[:most]]
