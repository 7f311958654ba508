"""Sentences, words and places in a text. Every span is a pair of character offsets into the text it came from."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from inquest.text.lexicon import pattern, word_set
from inquest.text.regex import regex

ASKING = ("?", "？", "؟")
"""How a question ends, in any script."""


class Span(NamedTuple):
    """A span of a text: `text[start:end]`."""

    start: int
    end: int

    def of(self, text: str) -> str:
        return text[self.start : self.end]


_ABBREVIATIONS = word_set(__name__, "abbreviations")
_END = pattern(__name__, "end")
_HEADING, _FULL = 120, 4
"""Characters: what is longer is no heading; what a line may lack to the longest of its paragraph and still be full."""
_GERMAN_MONTH = pattern(__name__, "german_month")
_GERMAN_BEFORE = pattern(__name__, "german_before")
_SOLID = regex(r"\S")
_NUMBER_AFTER = regex(r"\d|[A-Z]{1,4}[-/. ]?\d|[IVXLC]+\b")
_WORD = regex(r"\w+(?:[-'’.]\w+)*", re.UNICODE)


def sentences(text: str) -> list[Span]:
    """The sentences of a text, without the white space around them.

    Blank lines, list items, rows of a table and the end of a heading end a sentence; abbreviations, initials, German
    ordinals and decimal numbers do not. In Chinese and Japanese no space follows.
    """
    return list(_sentences(text))


@lru_cache(maxsize=1_024)
def _sentences(text: str) -> tuple[Span, ...]:
    # Remembered: the same pages are read for one claim and question after another.
    ends = [0]
    for match in _END.finditer(text):
        if match.group() == "\n" and not _is_row(text, match.start()) and _goes_on(text, ends[-1], match.start()):
            continue
        if match.group()[0] == "." and not match.group().startswith("..") and not _ends_sentence(text, match.start()):
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
    """True where the line before or after a line feed is a row of a table."""
    following = text.find("\n", line_end + 1)
    before = text.rfind("\n", 0, line_end) + 1
    return " | " in text[before:line_end] or " | " in text[line_end : following if following >= 0 else len(text)]


def _goes_on(text: str, start: int, line_end: int) -> bool:
    """Whether a line that ends in no mark and is followed by one with a capital is not a heading, but wrapped.

    A heading is short, a line of its own, and either in title case or broken off where the next word still had room: a
    line that is wrapped is as full as the other lines of its paragraph.
    """
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
    carrying = [word for word in spelled if fold(word) not in STOP_WORDS]
    following = text[line_end + 1 : line_end + 1 + 4 * _HEADING].split("\n\n")[0]
    if len(carrying) > 2 and all(word[0].isupper() for word in carrying) and re.search(r"\s[a-z]{4,}", following):
        return False
    lines = [each.strip() for each in following.split("\n")]
    room = max(len(each) for each in lines)
    return len(line) + 1 + len(lines[0].split(" ")[0]) + _FULL > room


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
        # 'Inc. The' does end a sentence; 'Mr. The' does not occur.
        return rest[:1].isupper() and word in ("inc", "ltd", "co", "corp", "plc", "llc", "etc", "a.m", "p.m")
    initial = len(word) == 1 and spelled.isupper()
    ordinal = spelled.isdigit() and len(spelled) <= 2 and _is_ordinal(text, dot, rest)
    return not (initial or ordinal or rest[:1].islower())


def _is_ordinal(text: str, dot: int, rest: str) -> bool:
    """'14. Juni', 'der 2. Weltkrieg', not 'It was 14. Then'."""
    return bool(_GERMAN_MONTH.match(rest) or _GERMAN_BEFORE.search(text[max(0, dot - 16) : dot]))


def words(text: str) -> list[Span]:
    """Words and numbers; '4.2', 'e-mail' and "company's" are one each."""
    return [Span(*match.span()) for match in _WORD.finditer(text)]


def fold(text: str) -> str:
    """Lower case, without accents, with plain quotes and dashes: for comparing, never for showing."""
    if text.isascii():
        return text.casefold()
    decomposed = unicodedata.normalize("NFKD", text.replace("’", "'").replace("–", "-").replace("—", "-"))
    return "".join(char for char in decomposed if not unicodedata.combining(char)).casefold()


STOP_WORDS = word_set(__name__, "stop_words")


def stem(word: str) -> str:
    """A light English stem for matching ('emissions' ~ 'emission', 'exceeded' ~ 'exceed'); numbers stay as they are."""
    word = fold(word).removesuffix("'s")
    if not word.isalpha() or len(word) <= 3:
        return word
    for suffix, replacement in (("ies", "y"), ("sses", "ss"), ("ied", "y"), ("ing", ""), ("edly", ""), ("ed", "")):
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            word = word[: -len(suffix)] + replacement
            break
    else:
        if word.endswith("s") and not word.endswith(("ss", "us", "is")):
            word = word[:-1]
    if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "aelos":
        word = word[:-1]
    return word[:-1] if len(word) > 4 and word.endswith("e") else word


def content_words(text: str) -> list[str]:
    """The stems of the words that carry meaning, in order, repeats kept."""
    return [found for word in _WORD.findall(text) if (found := _content(word))]


@lru_cache(maxsize=65_536)
def _content(word: str) -> str:
    """The stem of a word that carries meaning, '' for others; remembered."""
    return stem(word) if fold(word) not in STOP_WORDS and (len(word) > 1 or word.isdigit()) else ""


def shorten(text: str, limit: int) -> str:
    """At most `limit` characters, cut between words, with an ellipsis where something was cut."""
    text = " ".join(text.split())
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    if " " in cut[limit // 2 :]:
        cut = cut.rsplit(" ", 1)[0]
    return cut.rstrip(" ,;:–-") + "…"
