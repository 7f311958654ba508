"""What a text tells and no other of its kind would: figures and names, and its words outside quotations.

A match report, a forecast or a filing repeats the words of the one before it with other figures and names. That is a
form filled in again, and no copy. A paragraph that two papers quote from a third is no copying of one another either.
"""

from __future__ import annotations

from dataclasses import dataclass

from inquest.text.regex import regex
from inquest.text.sentences import fold

_FIGURE = regex(r"(?<!\w)\d[\d.,:/]*(?<![.,:/])")
_SEPARATOR = regex(r"[.,](?=\d{3}(?!\d))")
_INSIDE = regex(r"(?<=[\w,;]\s)[^\W\d_]{2,}")
_TOKEN = regex(r"\w+")
_FEWEST_FIGURES, _FEWEST_NAMES = 3, 4
"""Of fewer, an edit or a corrected figure may change most."""
_SAME = 0.5
_QUOTATION = regex(r"“[^“”]{50,1500}”|„[^„“”]{50,1500}[“”]|«[^«»]{50,1500}»|(?<!\w)\"[^\"\n]{50,1500}\"(?!\w)")


def figures_in(text: str) -> frozenset[str]:
    """The numbers written in digits, without the separators of thousands: '2,000' is '2000', '3.5' stays."""
    return frozenset(_SEPARATOR.sub("", figure) for figure in _FIGURE.findall(text))


def names_in(text: str) -> frozenset[str]:
    """Words with a capital inside a sentence, folded."""
    return frozenset(fold(word) for word in _INSIDE.findall(text) if word[0].isupper())


@dataclass(frozen=True, slots=True)
class Particulars:
    """What a text tells: its figures and names, and all its words, in which those of another can stand."""

    figures: frozenset[str]
    names: frozenset[str]
    words: frozenset[str]


def particulars_of(text: str) -> Particulars:
    """The particulars of a text; words folded, so that one set in capitals has the same."""
    return Particulars(figures_in(text), names_in(text), frozenset(_TOKEN.findall(fold(text))))


def filled_in_again(shorter: Particulars, longer: Particulars) -> bool:
    """Whether two texts that share their wording tell of different things: less than half of the shorter one's figures,
    or of its names, stand in the other. Few figures or names tell nothing; of two figures, both must be others."""
    figures, names = shorter.figures, shorter.names
    if len(figures) >= 2:
        kept = len(figures & longer.figures)
        if (kept < _SAME * len(figures)) if len(figures) >= _FEWEST_FIGURES else kept == 0:
            return True
    return len(names) >= _FEWEST_NAMES and len(names & longer.words) < _SAME * len(names)


def outside_quotations(text: str) -> str:
    """The text without what stands between quotation marks and is longer than 50 characters."""
    return _QUOTATION.sub(" ", text)
