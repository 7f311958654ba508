"""Small pieces of English: capitals, full stops, quotation marks and dates as a reader says them; with the grammar of
`inquest.domain.english`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby

from inquest.domain.document import Precision
from inquest.domain.english import capitalised, count, listed, numeral
from inquest.text.lexicon import entries, word_set
from inquest.text.regex import regex

__all__ = [
    "capitalised",
    "count",
    "day",
    "ended",
    "language_name",
    "listed",
    "numeral",
    "page_ranges",
    "quoted",
    "uncapitalised",
]


def uncapitalised(text: str) -> str:
    """With its first letter small, unless the first word may be a name.

    Small are determiners and the like, adverbs in -ly ('Recently'), and plurals before a small letter ('Samples were
    taken'); what is left is taken for a name, because a name written small is the worse mistake.
    """
    first, _, rest = text.partition(" ")
    word = first.lower().rstrip(",;:").split("-")[0]  # 'Seventy-two'
    plural = len(word) > 4 and word.endswith("s") and not word.endswith(("ss", "us", "is")) and word.isalpha()
    goes_on = first.endswith(",") or rest.partition(" ")[0].lower() in _SMALL
    adverb = len(word) > 5 and word.endswith("ly") and goes_on
    common = (plural and word not in _NAMES_IN_S) or (adverb and word not in _NAMES_IN_LY)
    if word in _SMALL or (common and rest[:1].islower()):
        return text[:1].lower() + text[1:]
    return text


_NAMES_IN_S = word_set(__name__, "names_in_s")
_NAMES_IN_LY = word_set(__name__, "names_in_ly")
_SMALL = word_set(__name__, "small")


def ended(text: str) -> str:
    """As a sentence, with a full stop if nothing ends it yet."""
    text = text.rstrip()
    return text if _ENDED.search(text) else text + "."


def one_stop(text: str) -> str:
    """With one mark where a quotation that ends in its own is followed by another: ‘"It closed.".’"""
    return _TWO_STOPS.sub(r"\1", text)


_TWO_STOPS = regex(r"([.!?…][”’\"']+)\s?\.(?!\.)")
_ENDED = regex(r"[.!?…][\"'”’)\]]*$")
_LAST_STOP = regex(r"(?<!\.)\.(?=[\"'”’]*$)")


def quoted(text: str) -> str:
    """In quotation marks, with any inside turned into single ones, and without the full stop at its end, which belongs
    to the sentence that quotes."""
    inside = _LAST_STOP.sub("", text.strip()).replace("“", "‘").replace("”", "’")
    return f"“{inside.replace(chr(34), chr(39))}”"


def day(at: datetime, precision: Precision = Precision.DAY) -> str:
    """'14 March 2024', 'March 2024', '2024'."""
    match precision:
        case Precision.YEAR:
            return f"{at.year}"
        case Precision.MONTH:
            return f"{at:%B} {at.year}"
        case _:
            return f"{at.day} {at:%B} {at.year}"


_LANGUAGES = entries(__name__, "language_names")


def language_name(code: str) -> str:
    """The English name of a language by its ISO 639-1 code; the code itself where it is not in the list."""
    return _LANGUAGES.get(code, code)


def page_ranges(numbers: Sequence[int]) -> str:
    """'page 4', 'pages 3–5 and 9'."""
    # Numbers in a row differ by as much as their places.
    rows = [[number for _, number in row] for _, row in groupby(enumerate(numbers), lambda each: each[1] - each[0])]
    written = listed([f"{row[0]}–{row[-1]}" if len(row) > 1 else str(row[0]) for row in rows])
    return f"page{'s' if len(numbers) > 1 else ''} {written}"
