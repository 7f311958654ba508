"""Sentences and words of a text. Every span is a pair of character offsets into the text it came from."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from inquest.text.lexicon import pattern, word_set
from inquest.text.regex import regex

ASKING = ("?", "？", "؟")  # Question marks of all scripts


class Span(NamedTuple):
    """A span of a text: `text[start:end]`."""

    start: int
    end: int

    def of(self, text: str) -> str:
        return text[self.start : self.end]

    def meets(self, other: Span) -> bool:
        """True if the two have a character in common."""
        return self.start < other.end and other.start < self.end


_ABBREVIATIONS = word_set(__name__, "abbreviations")
_END = pattern(__name__, "end")
_HEADING, _FULL = 120, 4
"""Maximum characters of a heading, and the number of characters by which a full line may be shorter than the longest of
its paragraph."""
_GERMAN_MONTH = pattern(__name__, "german_month")
_GERMAN_BEFORE = pattern(__name__, "german_before")
_SOLID = regex(r"\S")
_NUMBER_AFTER = regex(r"\d|[A-Z]{1,4}[-/. ]?\d|[IVXLC]+\b")
_WORD = regex(r"\w+(?:[-'’.]\w+)*", re.UNICODE)


def sentences(text: str) -> list[Span]:
    """The sentences of a text, without the white space around them. Blank lines, list items, rows of a table and the
    end of a heading end a sentence; abbreviations, initials, German ordinals and decimal numbers do not. Chinese and
    Japanese sentences need no space between them."""
    return list(_sentences(text))


@lru_cache(maxsize=1_024)
def _sentences(text: str) -> tuple[Span, ...]:
    # Cached, since the same pages are read for many claims and questions.
    ends = [0]
    for match in _END.finditer(text):
        mark, place = match.group(), match.start()
        if mark == "\n" and not _is_row(text, place) and _is_wrapped(text, ends[-1], place):
            continue
        if mark[0] == "." and not mark.startswith("..") and not _ends_sentence(text, place):
            continue
        ends.append(match.end())
    parts = (stripped(text, Span(*between)) for between in pairwise([*ends, len(text)]))
    return tuple(part for part in parts if part.start < part.end)


def stripped(text: str, span: Span) -> Span:
    """The span without white space at its ends."""
    inside = span.of(text)
    start = span.start + len(inside) - len(inside.lstrip())
    return Span(start, max(start, span.end - len(inside) + len(inside.rstrip())))


def _is_row(text: str, line_end: int) -> bool:
    """True if the line before or after a line feed is a row of a table."""
    following = text.find("\n", line_end + 1)
    before = text.rfind("\n", 0, line_end) + 1
    return " | " in text[before:line_end] or " | " in text[line_end : following if following >= 0 else len(text)]


def _is_wrapped(text: str, start: int, line_end: int) -> bool:
    """True if a line without a final mark before a line with a capital is wrapped, and not a heading. A heading is a
    short separate line, in title case or with room for the next word; a wrapped line is as full as the other lines of
    its paragraph."""
    if re.match(r"\s*(?:[-*•–]|\d{1,2}[.)])\s", text[line_end + 1 : line_end + 8]):
        return False
    line_start = text.rfind("\n", 0, line_end) + 1
    line = text[line_start:line_end].strip()
    begins = _SOLID.search(text, start)
    if begins is None or begins.start() < line_start:
        return True
    if not 0 < len(line) <= _HEADING or line[-1] in ",;:-–—&/(" or "|" in line:
        return True
    spelled = re.findall(r"[^\W\d_][\w'’-]*", line)
    if not spelled or fold(spelled[-1]) in STOP_WORDS:
        return True
    content = [word for word in spelled if fold(word) not in STOP_WORDS]
    following = text[line_end + 1 : line_end + 1 + 4 * _HEADING].split("\n\n")[0]
    if len(content) > 2 and all(word[0].isupper() for word in content) and re.search(r"\s[a-z]{4,}", following):
        return False
    lines = [other.strip() for other in following.split("\n")]
    return len(line) + 1 + len(lines[0].split(" ")[0]) + _FULL > max(map(len, lines))


def _ends_sentence(text: str, dot: int) -> bool:
    before = re.search(r"[\w.]+$", text[max(0, dot - 20) : dot])
    spelled = before.group() if before else ""
    word = spelled.lower()
    rest = text[dot + 1 : dot + 60].lstrip("\"'”’»)] \n\t")
    if not rest:
        return True
    if word == "no" and not _NUMBER_AFTER.match(rest):
        return rest[:1].isupper()  # 'No. They ...' is an answer, 'No. 4' a number
    if word in _ABBREVIATIONS:
        # 'Inc. The' ends a sentence; 'Mr. The' does not occur.
        return rest[:1].isupper() and word in ("inc", "ltd", "co", "corp", "plc", "llc", "etc", "a.m", "p.m")
    initial = len(word) == 1 and spelled.isupper()
    # German ordinals: '14. Juni', 'der 2. Weltkrieg', but not 'It was 14. Then'.
    german = _GERMAN_MONTH.match(rest) or _GERMAN_BEFORE.search(text[max(0, dot - 16) : dot])
    ordinal = spelled.isdigit() and len(spelled) <= 2 and german
    return not (initial or ordinal or rest[:1].islower())


def words(text: str) -> list[Span]:
    """The words and numbers of a text; '4.2', 'e-mail' and "company's" are one each."""
    return [Span(*match.span()) for match in _WORD.finditer(text)]


STOP_WORDS = word_set(__name__, "stop_words")


LETTERS = {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"}
"""Latin letters that are not a plain one with an accent, as names are spelled without them."""
_LETTERS = str.maketrans(LETTERS)


def fold(text: str) -> str:
    """The text in lower case, without accents, with plain quotes and dashes: for comparison, never for display."""
    if text.isascii():
        return text.casefold()
    plain = text.casefold().translate(_LETTERS).replace("’", "'").replace("–", "-").replace("—", "-")
    return "".join(char for char in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(char)).casefold()


def stem(word: str) -> str:
    """A light English stem for matching ('emissions' ~ 'emission', 'exceeded' ~ 'exceed'); numbers are unchanged."""
    word = fold(word).removesuffix("'s")
    if not word.isalpha() or len(word) <= 3:
        return word
    for suffix, replacement in (("ies", "y"), ("sses", "ss"), ("ied", "y"), ("ing", ""), ("edly", ""), ("ed", "")):
        if word.endswith(suffix) and len(word) - len(suffix) >= 3 and not word.endswith("eed"):
            word = word[: -len(suffix)] + replacement
            break
    else:
        if word.endswith("s") and not word.endswith(("ss", "us", "is")):
            word = word[:-1]
    if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "aelos":
        word = word[:-1]
    return word[:-1] if len(word) > 4 and word.endswith("e") else word


def content_words(text: str) -> list[str]:
    """The stems of the content words, in order, with repeats."""
    return [found for word in _WORD.findall(text) if (found := _content(word))]


@lru_cache(maxsize=65_536)
def _content(word: str) -> str:
    """The stem of a content word, '' for other words."""
    return stem(word) if fold(word) not in STOP_WORDS and (len(word) > 1 or word.isdigit()) else ""


def shorten(text: str, limit: int) -> str:
    """Shorten a text to `limit` characters, between words and with an ellipsis."""
    text = " ".join(text.split())
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    if " " in cut[limit // 2 :]:
        cut = cut.rsplit(" ", 1)[0]
    return cut.rstrip(" ,;:–-") + "…"
