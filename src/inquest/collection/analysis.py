"""How text becomes index terms, and a question becomes the terms that are looked for.

Letters and digits make a term; case, accents and English endings do not count. Text is brought to its compatible form
first, so that 'CO₂' and 'CO2' are one term, and signs of scripts written without spaces are terms of their own.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Any

from inquest.text.regex import regex
from inquest.text.sentences import STOP_WORDS

TOKENIZER = "inquest_words"
LONGEST_TERM = 64
"""Bytes; what is longer is no word but a key, a hash or binary noise, and would only swell the dictionary."""

# Han, kana and Thai are written without spaces: taken whole, a sentence of them would be one term that nobody asks for.
_UNSPACED = regex(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f]")


@lru_cache(maxsize=1)
def analyzer() -> Any:
    """The one analyzer that documents and questions go through."""
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
    """The text as it is handed to the index. What is shown and quoted is always the text itself."""
    if text.isascii():
        return text
    return _UNSPACED.sub(r" \g<0> ", unicodedata.normalize("NFKC", text))


@lru_cache(maxsize=50_000)
def term_of(word: str) -> str:
    """The index term of a single word; '' where it has none."""
    found = analyzer().analyze(indexable(word))
    return str(found[0]) if len(found) == 1 else ""


def terms(text: str) -> list[str]:
    """The terms to look for, each once, in order, without words that stand in every text; with them, if the question
    has no other ('The Who')."""
    found: list[str] = list(dict.fromkeys(analyzer().analyze(indexable(text))))
    return [term for term in found if term not in _stop_terms()] or found


def positions(text: str) -> list[tuple[int, str]]:
    """Every term with its place: the material of a phrase."""
    found = analyzer().pre_tokenize(indexable(text)).tokens
    return [(token.position - found[0].position, token.text) for token in found]


@lru_cache(maxsize=1)
def _stop_terms() -> frozenset[str]:
    return frozenset(term for word in STOP_WORDS for term in analyzer().analyze(word))
