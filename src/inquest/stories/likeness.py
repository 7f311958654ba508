"""Likeness of two texts: copies in the same words, and one report in different words or languages.

Within a language, content words show likeness. Figures and names survive translation; names are compared by their
consonants, because 'Kovalenko' is 'Kowalenko' elsewhere. Copies are found by their shingles (Broder 1997): an index of
sampled shingles proposes pairs, each of which is then compared exactly. A match report, a forecast or a filing repeats
the words of an earlier one with other figures and names: it is a form filled in again, not a copy.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, groupby, pairwise, takewhile
from typing import NamedTuple
from zlib import crc32

from inquest.sources.publisher_names import spelt_alike
from inquest.text.sentences import content_words, fold
from inquest.text.similarity import overlap, runs, shingles

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
"""Minimum consonants of a name that identify it."""
COPY = 0.5
"""Texts that share this much of all their shingles (Jaccard) are copies; they differ by a head, a tail or edits."""
PART = 0.5
"""A text is a shortened copy of another that has this share of its shingles, ..."""
_FEWEST_SHARED = 30
"""... and at least so many: fewer may be a stock phrase, a name or a quotation."""
_SHORTEST = 4
"""Minimum words of a copy; 'Breaking news' is written again and again."""
_UNQUOTED = 0.6
"""Share of the likeness that must remain without the quotations of both texts."""
_SMALLEST = 8
"""Shingles of each text that are always indexed, those of the smallest hashes: copies have most of them in common."""
_SHORT_LIST = 24


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


class Overlap(NamedTuple):
    """Overlap of two texts, given by their places in the sequence."""

    first: int
    second: int
    alike: float
    """Shared shingles over those of both texts together."""
    contained: float
    """Shared shingles over those of the shorter text."""


def copies(texts: Sequence[str]) -> list[Overlap]:
    """Return the pairs that are copies, and those of which one is a part of the other.

    The pairs are in order of their places. Empty texts are not copies of anything. For a text with more than 24 copies
    not all pairs are returned, but enough to connect all copies; time grows with their number and not its square.
    """
    runs_at = cache(lambda place: runs(texts[place]))
    details_at = cache(lambda place: details_of(texts[place]))
    found = []
    for first, second in sorted(_proposed(texts)):
        one, other = runs_at(first), runs_at(second)
        alike, contained = overlap(one, other)
        enough = contained * min(len(one), len(other)) >= _FEWEST_SHARED
        if not (alike >= COPY or (contained >= PART and enough)):
            continue
        shorter, longer = sorted((first, second), key=lambda place: len(texts[place]))
        if alike < 1 and (
            _only_quote_alike(texts[first], texts[second], contained)
            or filled_in_again(details_at(shorter), details_at(longer))
        ):
            continue
        found.append(Overlap(first, second, alike, contained))
    return found


def _only_quote_alike(first: str, second: str, contained: float) -> bool:
    one, other = outside_quotations(first), outside_quotations(second)
    if len(one) == len(first) and len(other) == len(second):
        return False
    return overlap(runs(one), runs(other))[1] < _UNQUOTED * contained


def _proposed(texts: Sequence[str]) -> set[tuple[int, int]]:
    # All runs of a case are indexed, and fewer of a large collection.
    every = 1 if len(texts) <= 1_000 else 4 if len(texts) <= 10_000 else 8
    sampled: dict[int, list[int]] = defaultdict(list)
    sizes: dict[int, int] = {}
    for place, text in enumerate(texts):
        tokens = shingles(text)
        if len(tokens) > 1 or (tokens and tokens[0].count(" ") >= _SHORTEST - 1):
            hashes = sorted({crc32(token.encode("utf-8", "replace")) for token in tokens})
            kept = {*hashes[:_SMALLEST], *(value for value in hashes if value % every == 0)}
            sizes[place] = len(kept)
            for value in kept:
                sampled[value].append(place)
    return _sharing(sampled.values(), sizes)


def _sharing(lists: Iterable[list[int]], sizes: dict[int, int]) -> set[tuple[int, int]]:
    shared: Counter[tuple[int, int]] = Counter()
    for places in lists:
        if len(places) <= _SHORT_LIST:
            shared.update(combinations(places, 2))
        else:
            # For a run in very many texts, pair only neighbours, and all with the first: the work stays linear, and
            # copies, which share most of their runs, are neighbours again and again.
            shared.update(pairwise(places))
            shared.update((places[0], other) for other in places[2:])
    return {pair for pair, count in shared.items() if count >= PART * 0.6 * min(sizes[pair[0]], sizes[pair[1]])}
