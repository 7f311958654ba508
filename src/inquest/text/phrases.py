"""English phrases: capitals, full stops, quotation marks and dates; also exports the grammar of
`inquest.domain.languages`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import groupby

from inquest.domain.languages import capitalised as capitalised
from inquest.domain.languages import count as count
from inquest.domain.languages import day as day
from inquest.domain.languages import in_quotation_marks, word
from inquest.domain.languages import listed as listed
from inquest.domain.languages import numeral as numeral
from inquest.domain.reasons import Reason, sentences
from inquest.text.lexicon import word_set
from inquest.text.regex import regex
from inquest.text.sentences import ASKING, STOP_WORDS
from inquest.text.units import WORD_NUMBERS

_SMALL = (STOP_WORDS | WORD_NUMBERS.keys() | word_set(__name__, "small")) - {"i"}
_TWO_STOPS = regex(r"([.!?…][”’\"']+)\s?\.(?!\.)")
_ENDED = regex(r"(?:^|[.!?…][\"'”’)\]]*)$")
_NUMBER = regex(r"(?<!\d)(?:\d{1,3}(?:,\d{3})+|\d{3,})")
_LAST_STOP = regex(r"(?<!\.)\.(?=[\"'”’]*$)")


def uncapitalised(text: str) -> str:
    """Put the first letter in lower case if the first word is a determiner or another small word, not a name."""
    word = text.partition(" ")[0].lower().rstrip(",;:").split("-")[0]  # 'Seventy-two'
    return text[:1].lower() + text[1:] if word in _SMALL else text


def ended(text: str) -> str:
    """End a text with a full stop unless it is empty or has a final mark."""
    text = text.rstrip()
    return text if _ENDED.search(text) else text + "."


def one_stop(text: str) -> str:
    """Remove the full stop after a quotation that ends in its own mark: ‘"It closed.".’"""
    return _TWO_STOPS.sub(r"\1", text)


def stated(reasons: Iterable[Reason]) -> str:
    """The sentences of reasons as running text."""
    return ended(one_stop(" ".join(sentences(reasons))))


def before_answer(question: str) -> str:
    """Return a question as it is written before its answer: 'Who knew of it:'."""
    return question if question.endswith(ASKING) else f"{question}:"


def quoted(text: str) -> str:
    """Put a text in quotation marks, with inner ones made single and without its last full stop, which belongs to the
    quoting sentence."""
    inside = _LAST_STOP.sub("", text.strip()).replace("“", "‘").replace("”", "’")
    return in_quotation_marks(inside.replace(chr(34), chr(39)))


@cache
def language_name(code: str) -> str:
    """The English name of a language by its ISO 639-1 code; the code itself if CLDR lacks it."""
    from babel import Locale

    return str(Locale("en").languages.get(code, code))


def page_ranges(numbers: Sequence[int]) -> str:
    """Format page numbers: 'page 4', 'pages 3–5 and 9'."""
    # Consecutive numbers differ from their indexes by the same amount.
    rows = [[number for _, number in row] for _, row in groupby(enumerate(numbers), lambda item: item[1] - item[0])]
    written = listed([f"{row[0]}–{row[-1]}" if len(row) > 1 else str(row[0]) for row in rows])
    return f"{word('pages' if len(numbers) > 1 else 'page')} {written}"


def numbers_in(text: str) -> tuple[str, ...]:
    """The digits of the numbers of three digits or more: 5354 of '5,354', 902 of 'VCS902', 2025 of '2025-04-10'."""
    return tuple(dict.fromkeys(each.replace(",", "") for each in _NUMBER.findall(text)))
