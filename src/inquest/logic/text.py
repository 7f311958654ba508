"""Sentences, words and places in a text. Every span is a pair of character offsets into the text it came from."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

__all__ = ["STOP_WORDS", "Span", "content_words", "fold", "sentences", "shorten", "stem", "words"]


class Span(NamedTuple):
    """A stretch of a text: `text[start:end]`."""

    start: int
    end: int

    def of(self, text: str) -> str:
        return text[self.start : self.end]


_ABBREVIATIONS = frozenset(
    (
        "mr mrs ms dr prof st sr jr gen sen rep gov capt col lt sgt rev hon inc ltd co corp plc llc bros dept univ "
        "est vs etc cf al eg ie no nos vol vols pp fig figs sec art ca approx appr min max avg jan feb mar apr jun "
        "jul aug sep sept oct nov dec mon tue wed thu fri sat sun u.s u.k u.n e.u a.m p.m ph.d b.sc m.sc e.g i.e "
        "bzw z.b d.h u.a usw nr str mio mrd vgl ggf inkl"
    ).split()
)
_END = re.compile(r"""[.!?…]+[)\]"'”’»]*(?=\s|$)|\n\s*\n|\n(?=\s*(?:[-*•–]|\d{1,2}[.)])\s)""")
_WORD = re.compile(r"\w+(?:[-'’.]\w+)*", re.UNICODE)


def sentences(text: str) -> list[Span]:
    """The sentences of a text, without the white space around them.

    Blank lines and list items end a sentence; abbreviations, initials and decimal numbers do not.
    """
    found: list[Span] = []
    start = 0
    for match in _END.finditer(text):
        if match.group()[0] == "." and not match.group().startswith("..") and not _ends_sentence(text, match.start()):
            continue
        _add(found, text, start, match.end())
        start = match.end()
    _add(found, text, start, len(text))
    return found


def _add(found: list[Span], text: str, start: int, end: int) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        found.append(Span(start, end))


def _ends_sentence(text: str, dot: int) -> bool:
    before = re.search(r"[\w.]+$", text[max(0, dot - 20) : dot])
    spelled = before.group() if before else ""
    word = spelled.lower()
    rest = text[dot + 1 : dot + 60].lstrip("\"'”’»)] \n\t")
    if not rest:
        return True
    if word in _ABBREVIATIONS:
        # 'Inc. The' does end a sentence; 'Mr. The' does not occur.
        return rest[:1].isupper() and word in ("inc", "ltd", "co", "corp", "plc", "llc", "etc", "a.m", "p.m")
    if len(word) == 1 and spelled.isupper():
        return False
    return not rest[:1].islower()


def words(text: str) -> list[Span]:
    """Words and numbers; '4.2', 'e-mail' and "company's" are one each."""
    return [Span(*match.span()) for match in _WORD.finditer(text)]


def fold(text: str) -> str:
    """Lower case, without accents, with plain quotes and dashes: for comparing, never for showing."""
    if text.isascii():
        return text.casefold()
    decomposed = unicodedata.normalize("NFKD", text.replace("’", "'").replace("–", "-").replace("—", "-"))
    return "".join(char for char in decomposed if not unicodedata.combining(char)).casefold()


STOP_WORDS = frozenset(
    (
        "a about above after again all also am an and any are as at be because been before being below between both "
        "but by can could did do does doing down during each few for from further had has have having he her here "
        "hers him his how i if in into is it its itself just me more most my no nor not now of off on once only or "
        "other our ours out over own per same she should so some such than that the their theirs them then there "
        "these they this those through to too under until up upon very was we were what when where which while who "
        "whom why will with would you your yours said says say according told"
    ).split()
)


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
    found = []
    for span in words(text):
        word = span.of(text)
        if fold(word) not in STOP_WORDS and (len(word) > 1 or word.isdigit()):
            found.append(stem(word))
    return found


def shorten(text: str, limit: int) -> str:
    """At most `limit` characters, cut between words, with an ellipsis where something was cut."""
    text = " ".join(text.split())
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    if " " in cut[limit // 2 :]:
        cut = cut.rsplit(" ", 1)[0]
    return cut.rstrip(" ,;:–-") + "…"
