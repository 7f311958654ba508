"""Likeness of two texts in content, in other words or other languages.

Within a language, content words show likeness. Figures and names survive translation; names are compared by their
consonants, because 'Kovalenko' is 'Kowalenko' elsewhere. A match report, a forecast or a filing repeats the words of an
earlier one with other figures and names: it is a form filled in again, not a copy.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, takewhile

from inquest.sources.publisher_names import spelt_alike
from inquest.text.sentences import content_words, fold
from inquest.text.similarity import runs

_HEAD = 4_000
"""Characters at the beginning of a text, which show its subject."""
_OWN = 0.8
"""A text adds nothing to another that has this share of its figures and names, ..."""
_FEWEST = 8
"""... if there are this many of them, because every report of an event has its few figures and names, ..."""
_WORDS = 0.5
"""... and if this share of the content words is common to both (Dice)."""
_PHRASES = 0.1
_FEWEST_FIGURES, _FEWEST_NAMES, _KEPT = 3, 4, 0.5
"""If there are fewer, an edit or a correction may change most of them."""
_QUOTED, _LONGEST_QUOTED = 50, 1_500
"""Characters of a quotation."""

_DASHES = str.maketrans("-–—$€£¥₹(", " " * 9)
_QUOTES = str.maketrans("“”„«»", '"' * 5)
_CONSONANTS = str.maketrans("wcqz", "vkks", "aeiouyjh")
_SKELETON = 3
"""Least consonants of a name that identify it."""


@dataclass(frozen=True, slots=True)
class Particulars:
    """Content of a text, for comparison."""

    words: frozenset[str]
    """Content words and figures."""
    marks: frozenset[str]
    """Figures, and names by their consonants."""


def particulars_of(title: str, text: str) -> Particulars:
    """Return the particulars of a text, from its title and its first 4,000 characters."""
    head = text[:_HEAD]
    figures = figures_in(head)
    words = {spelt_alike(word) for word in content_words(f"{title}\n{head}")}
    return Particulars(figures | words, figures | {skeleton(name) for name in names_in(head)})


def figures_in(text: str) -> frozenset[str]:
    """Return the numbers in digits, without thousands separators: '2,000' is '2000', '3.5' is unchanged."""
    figures = set()
    for token in text.translate(_DASHES).split():
        if token[0].isdigit():
            written = "".join(takewhile(lambda char: char.isdigit() or char in ".,:/", token)).rstrip(".,:/")
            groups = written.replace(",", ".").split(".")
            figures.add("".join(groups) if all(len(group) == 3 for group in groups[1:]) else written)
    return frozenset(figures)


def names_in(text: str) -> frozenset[str]:
    """Return the capitalised words inside sentences, folded."""
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
    """Return the consonants of a name, one letter for each sound; a short name is returned whole."""
    spelt = spelt_alike(name)
    consonants = "".join(char for char, _ in groupby(spelt.translate(_CONSONANTS)))
    return consonants if len(consonants) >= _SKELETON else spelt


def alike(first: Particulars, second: Particulars) -> float:
    """Return the share of content words and figures that two texts have in common (Dice), 0 to 1."""
    total = len(first.words) + len(second.words)
    return 2 * len(first.words & second.words) / total if total else 0.0


def common(first: Particulars, second: Particulars) -> tuple[int, float]:
    """Return the number of figures and names in common, and their share of the smaller set."""
    shared = len(first.marks & second.marks)
    fewest = min(len(first.marks), len(second.marks))
    return shared, shared / fewest if fewest else 0.0


def adds_nothing(first: Particulars, second: Particulars) -> bool:
    """True if one text has no content beyond the other: it is a rewrite, though without a credit."""
    shared, part = common(first, second)
    return shared >= _FEWEST and part >= _OWN and alike(first, second) >= _WORDS


def share_phrases(first: str, second: str) -> bool:
    """True if a tenth of the shorter text's shingles are in the other. Independent reports share no phrases."""
    one, other = runs(first[:_HEAD]), runs(second[:_HEAD])
    return bool(one and other) and len(one & other) >= _PHRASES * min(len(one), len(other))


@dataclass(frozen=True, slots=True)
class Details:
    """The figures and names of a text, which may fill in a form, and all its words."""

    figures: frozenset[str]
    names: frozenset[str]
    words: frozenset[str]


def details_of(text: str) -> Details:
    """Return the details of a whole text."""
    words = "".join(char if char.isalnum() else " " for char in fold(text)).split()
    return Details(figures_in(text), names_in(text), frozenset(words))


def filled_in_again(shorter: Details, longer: Details) -> bool:
    """True if two texts with the same wording are about different things: the longer one has less than half of the
    shorter one's figures, or of its names. Few figures or names decide nothing; of two figures, both must
    differ."""
    figures, names = shorter.figures, shorter.names
    if len(figures) >= 2:
        kept = len(figures & longer.figures)
        if (kept < _KEPT * len(figures)) if len(figures) >= _FEWEST_FIGURES else kept == 0:
            return True
    return len(names) >= _FEWEST_NAMES and len(names & longer.words) < _KEPT * len(names)


def outside_quotations(text: str) -> str:
    """Return the text without quotations of 50 to 1,500 characters."""
    lines = []
    for line in text.translate(_QUOTES).split("\n"):
        parts = line.split('"')
        closed = len(parts) % 2 == 1
        inside = [number % 2 == 1 and _QUOTED <= len(part) <= _LONGEST_QUOTED for number, part in enumerate(parts)]
        kept = [part for part, quoted in zip(parts, inside, strict=True) if not (closed and quoted)]
        lines.append('"'.join(kept))
    return "\n".join(lines)


class Neighbours:
    """Index of the nearest of very many texts: those that share the rarer figures, names and words of a text."""

    _OLDEST, _NEWEST = 8, 24
    """Texts compared of all that share a word, so that the work for each text is bounded."""

    def __init__(self) -> None:
        self._with: dict[str, list[int]] = defaultdict(list)

    def add(self, place: int, particulars: Particulars) -> None:
        """Add a text to the index."""
        for mark in particulars.marks | particulars.words:
            self._with[mark].append(place)

    def nearest(self, particulars: Particulars, most: int = 12) -> list[int]:
        """Return the places of the texts that have most in common, nearest first; rarer marks weigh more."""
        weight: Counter[int] = Counter()
        for mark in particulars.marks | particulars.words:
            places = self._with.get(mark, [])
            many = len(places) > self._OLDEST + self._NEWEST
            for place in places[: self._OLDEST] + places[-self._NEWEST :] if many else places:
                weight[place] += 1_000 // (len(places) + 3)
        return [place for place, _ in sorted(weight.items(), key=lambda item: (-item[1], item[0]))[:most]]
