"""Detection of the language of a text."""

from __future__ import annotations

from functools import cache
from threading import Lock
from typing import TYPE_CHECKING

from inquest.text.lexicon import word_set
from inquest.text.regex import regex

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier


_WINDOW, _WINDOWS, _SHORT = 600, 3, 240
"""Characters of a sample, samples of a text, and characters of the longest text of which one sample is enough."""
_SURE = 0.5
"""Minimum probability of a reported language. On 1,445 paragraphs of the Universal Declaration of Human Rights in 25
languages, cut at 60 characters: 97.0 % right, 0.5 % not reported, 2.5 % wrong (Indonesian taken for Malay)."""
_PERHAPS_ENGLISH = 0.01
"""Probability from which a few words may be English: reached by all but 8 of 4,451 English claims and titles without a
word that only English has."""
_ENGLISH_ALONE, _ENGLISH_TOO = word_set(__name__, "english_alone"), word_set(__name__, "english_too")
_ENGLISH_SHARE, _ENGLISH_KINDS, _ENGLISH_LEAST = 0.25, 3, 6
"""Minimum share of function words, number of different function words (one of them found only in English) and number of
words of a text that is taken for English without the table of languages, which takes a quarter of a second to load and
is thirty times slower. Of 14,670 short texts 70 % are detected so, and none that the table assigns to another
language."""
_WORD = regex(r"[^\W\d_]+")
_READING = Lock()
_ENOUGH_TO_OVERRULE = 250  # Characters of the shortest text whose detected language overrules the declared one


def language_of(text: str, declared: str | None) -> str | None:
    """Return the language of a text: as detected if the text is long enough, else as declared. Pages of foreign
    editions often declare the wrong language."""
    if declared and (len(text) < _ENOUGH_TO_OVERRULE or _detected(text[:_WINDOW]) == declared):
        return declared
    return detect_language(text) or declared


def detect_language(text: str) -> str | None:
    """Return the ISO 639-1 code of the text's language; None if it is too short, mixed, or a list of names and figures.
    Of a long text, the majority of three samples decides."""
    step = max(1, len(text) if len(text) <= _SHORT else len(text) // _WINDOWS)
    places = [text[start : start + min(step, _WINDOW)] for start in range(0, len(text), step)][:_WINDOWS]
    found = [language for place in places if (language := _detected(place))]
    best = max(found, key=found.count, default=None)
    return best if best and 2 * found.count(best) > len(found) else None


def other_than_english(text: str) -> str | None:
    """Return the likeliest language of a text of a few words; None if it may be English."""
    if _is_plainly_english(text) or not any(char.isalpha() for char in text):
        return None
    with _READING:
        ranked = _read_identifier().rank(text)
    return None if dict(ranked).get("en", 0.0) >= _PERHAPS_ENGLISH else _named(ranked[0][0])


def _detected(text: str) -> str | None:
    if not any(char.isalpha() for char in text):
        return None
    if _is_plainly_english(text):
        return "en"
    with _READING:  # Concurrent claims would otherwise each load the model.
        identifier = _read_identifier()
    language, probability = identifier.classify(text)
    return _named(language) if len(language) == 2 and probability >= _SURE else None


def _named(language: str) -> str:
    return {"nb": "no", "nn": "no"}.get(language, language)


def _is_plainly_english(text: str) -> bool:
    words = _WORD.findall(text.lower())
    small = [word for word in words if word in _ENGLISH_ALONE or word in _ENGLISH_TOO]
    enough = len(words) >= _ENGLISH_LEAST and len(small) >= _ENGLISH_SHARE * len(words)
    return enough and len(set(small)) >= _ENGLISH_KINDS and not _ENGLISH_ALONE.isdisjoint(small)


@cache
def _read_identifier() -> LanguageIdentifier:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
