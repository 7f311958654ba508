"""Small pieces of English: capitals, full stops, quotation marks and dates as a reader says them; with the grammar of
`inquest.domain.english`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cache
from itertools import groupby

from inquest.domain.document import Precision
from inquest.domain.english import capitalised, count, listed, numeral
from inquest.domain.languages import language
from inquest.text.lexicon import word_set
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
    """With its first letter small where the first word is a determiner or the like, and no name."""
    word = text.partition(" ")[0].lower().rstrip(",;:").split("-")[0]  # 'Seventy-two'
    return text[:1].lower() + text[1:] if word in _SMALL else text


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
    """'14 March 2024', 'March 2024', '2024'; as the language of the report writes it."""
    if language() != "en" and precision is not Precision.YEAR:
        from babel.dates import format_date, format_skeleton

        if precision is Precision.MONTH:
            return str(format_skeleton("yMMMM", at, locale=language()))
        return str(format_date(at, "long", locale=language()))
    match precision:
        case Precision.YEAR:
            return f"{at.year}"
        case Precision.MONTH:
            return f"{at:%B} {at.year}"
        case _:
            return f"{at.day} {at:%B} {at.year}"


@cache
def language_name(code: str) -> str:
    """The English name of a language by its ISO 639-1 code; the code itself where CLDR has none."""
    from babel import Locale

    return str(Locale("en").languages.get(code, code))


def page_ranges(numbers: Sequence[int]) -> str:
    """'page 4', 'pages 3–5 and 9'."""
    # Numbers in a row differ by as much as their places.
    rows = [[number for _, number in row] for _, row in groupby(enumerate(numbers), lambda each: each[1] - each[0])]
    written = listed([f"{row[0]}–{row[-1]}" if len(row) > 1 else str(row[0]) for row in rows])
    return f"page{'s' if len(numbers) > 1 else ''} {written}"
