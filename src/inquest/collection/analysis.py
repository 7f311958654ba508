"""Conversion of texts and questions to index terms.

A term consists of letters and digits, without case, accents and English endings. Text is normalized, so that 'CO₂' and
'CO2' are one term, and each character of a script without spaces is a term.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Any

from inquest.text.regex import regex
from inquest.text.sentences import STOP_WORDS

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
