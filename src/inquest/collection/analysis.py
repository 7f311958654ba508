"""Index terms of texts and questions, and the passage of a text that shows why it was found.

A term consists of letters and digits, without case, accents and English endings. Text is normalized, so that 'CO₂' and
'CO2' are one term, and each character of a script without spaces is a term.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from inquest.text.regex import regex
from inquest.text.sentences import STOP_WORDS, Span

TOKENIZER = "inquest_words"
LONGEST_TERM = 64
"""Bytes; longer terms are keys, hashes or binary data, not words."""

# Han, kana and Thai are written without spaces, so a sentence would be a single useless term.
UNSPACED = regex(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f]")


@lru_cache(maxsize=1)
def analyzer() -> Any:
    """The analyzer of documents and questions."""
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

    return (
        TextAnalyzerBuilder(Tokenizer.simple())
        .filter(Filter.remove_long(LONGEST_TERM))
        .filter(Filter.lowercase())
        .filter(Filter.ascii_fold())
        .filter(Filter.stemmer("english"))
        .build()
    )


def indexable(text: str) -> str:
    """The normalized text for the index; quotes are always from the original."""
    if text.isascii():
        return text
    return UNSPACED.sub(r" \g<0> ", unicodedata.normalize("NFKC", text))


@lru_cache(maxsize=50_000)
def term_of(word: str) -> str:
    """The index term of a single word, or ''."""
    found = analyzer().analyze(indexable(word))
    return str(found[0]) if len(found) == 1 else ""


def terms(text: str) -> list[str]:
    """The distinct terms of a question in order, without stop words unless it has no others ('The Who')."""
    found: list[str] = list(dict.fromkeys(analyzer().analyze(indexable(text))))
    return [term for term in found if term not in _stop_terms()] or found


def positions(text: str) -> list[tuple[int, str]]:
    """The terms of a phrase with their positions."""
    found = analyzer().pre_tokenize(indexable(text)).tokens
    return [(token.position - found[0].position, token.text) for token in found]


@lru_cache(maxsize=1)
def _stop_terms() -> frozenset[str]:
    return frozenset(term for word in STOP_WORDS for term in analyzer().analyze(word))


LONGEST = 300
"""Characters."""
_SCANNED = 400_000
"""Characters of a text that are searched for a passage: about two hundred pages."""
_WORD = regex(r"[^\W_]+")
_SENTENCE_END = regex(r"""[.!?…]["'”’»)\]]*\s+|\n\s*\n""")


def best_window(text: str, weights: Mapping[str, float]) -> str:
    """At most 300 verbatim characters of `text` around its weightiest words; without any, its beginning. `weights`:
    weight by index term; a term counts once in a window. If there is room, the window begins with a sentence."""
    found = [
        (match.start(), match.end(), term)
        for match in _WORD.finditer(text, 0, min(len(text), _SCANNED))
        if (term := term_of(match.group())) in weights
    ]
    return window_around(text, _heaviest(found, weights))


def window_around(text: str, span: Span, longest: int = LONGEST) -> str:
    """At most `longest` verbatim characters of `text` that contain the span (or its beginning) and the context that
    fits: from the beginning of its sentence to the end of a sentence or word."""
    first, last = span.start, min(span.end, span.start + longest)
    room = longest - (last - first)
    start = first
    for match in _SENTENCE_END.finditer(text, max(0, first - room), first):
        start = match.end()
        break
    else:
        start = 0 if first <= room else _word_start(text, max(0, first - room // 2), first)
    while start < len(text) and start < max(first, 1) and text[start].isspace():
        start += 1
    end = min(len(text), start + longest)
    if end < len(text):
        ends = [match.end() for match in _SENTENCE_END.finditer(text, last, end)]
        end = ends[-1] if ends and ends[-1] - start > longest // 2 else _word_end(text, end, last, start)
    return text[start:end].strip()


def _heaviest(found: list[tuple[int, int, str]], weights: Mapping[str, float]) -> Span:
    """The span from the first to the last word of the best window: most weight, then tightest, then earliest."""
    best, best_weight, weight = Span(0, 0), 0.0, 0.0
    counts: Counter[str] = Counter()
    left = 0
    for right, (_, end, term) in enumerate(found):
        counts[term] += 1
        weight += weights[term] if counts[term] == 1 else 0.0
        while left <= right and (end - found[left][0] > LONGEST or counts[found[left][2]] > 1):
            dropped = found[left][2]
            counts[dropped] -= 1
            weight -= weights[dropped] if counts[dropped] == 0 else 0.0
            left += 1
        if left > right:
            continue  # a single word longer than the window
        span = Span(found[left][0], end)
        as_good = weight > best_weight - 1e-9 and best_weight > 0
        if weight > best_weight + 1e-9 or (as_good and span.end - span.start < best.end - best.start):
            best, best_weight = span, weight
    return best


def _word_start(text: str, position: int, no_later: int) -> int:
    return next((place + 1 for place in range(position, no_later) if text[place].isspace()), no_later)


def _word_end(text: str, position: int, no_earlier: int, start: int) -> int:
    return next((place for place in range(position, max(no_earlier, start), -1) if text[place].isspace()), position)


_VARIANTS = {"'": "['’‘]", '"': '["“”„«»]', "-": "[-‐‑–—]"}
_PLAIN = str.maketrans("’‘“”„«»‐‑–—", '\'\'"""""----')


def first_occurrence(phrase: str, text: str) -> Span | None:
    """The first occurrence of the phrase as whole words; in scripts without spaces every character is one."""
    match = _pattern(phrase).search(text) if phrase.strip() else None
    return Span(*match.span()) if match else None


@lru_cache(maxsize=64)
def _pattern(phrase: str) -> re.Pattern[str]:
    words = phrase.translate(_PLAIN).strip().strip('"').split()
    spelled = r"\s+".join("".join(_VARIANTS.get(sign) or re.escape(sign) for sign in word) for word in words)
    seam = f"(?<={UNSPACED.pattern})|(?={UNSPACED.pattern})"
    return re.compile(rf"(?:(?<!\w)|{seam}){spelled}(?:(?!\w)|{seam})", re.IGNORECASE)
