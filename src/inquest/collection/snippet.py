"""The passage of a text that best shows why it was found: verbatim and contiguous."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

from inquest.collection.analysis import UNSPACED, term_of
from inquest.text.regex import regex
from inquest.text.sentences import Span

LONGEST = 300
"""Characters."""
_SCANNED = 400_000
"""Characters of a text that are searched for a passage: about two hundred pages."""
_WORD = regex(r"[^\W_]+")
_SENTENCE_END = regex(r"""[.!?…]["'”’»)\]]*\s+|\n\s*\n""")


def best_window(text: str, weights: Mapping[str, float]) -> str:
    """At most 300 verbatim characters of `text` around its weightiest words; without any, its beginning.

    `weights`: weight by index term; a term counts once in a window. If there is room, the window begins with a
    sentence.
    """
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
