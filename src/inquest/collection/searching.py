"""Search of a collection by words and by meaning, or by words alone without vectors.

Each document found by either is scored by both. Exact words win: a document with a rare name of letters and digits
('XK-4471') from the question comes before those that are merely similar, and a phrase is left to the index alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from inquest.collection.analysis import terms
from inquest.collection.entry import USUAL, FoundEntry, SearchFilter
from inquest.collection.index import Index, Stored
from inquest.collection.library import Library
from inquest.collection.snippet import best_window, window_around
from inquest.collection.vectors import Alike, VectorTable
from inquest.domain.errors import ModelUnavailable, StorageError
from inquest.kit.small_models import SentenceEncoder
from inquest.text.languages import detect_language
from inquest.text.regex import regex
from inquest.text.sentences import Span
from inquest.text.similarity import LEAST_LIKENESS, fused


@dataclass(frozen=True, slots=True)
class Encoding:
    """The sentence encoder and its languages."""

    encoder: SentenceEncoder
    languages: tuple[str, ...] = ()
    """ISO 639-1; empty: any."""

    def reads(self, language: str | None) -> bool:
        """True if the encoder is made for the language, or either is unknown."""
        return not (self.languages and language) or language.partition("-")[0].lower() in self.languages


class CollectionAnswer(NamedTuple):
    """The results of a search."""

    found: list[FoundEntry]
    by_meaning: bool = False
    """True: searched by words and meaning, with scores from 0 to 1; false: by words, with BM25 scores."""
    note: str = ""
    """The reason why a collection with vectors was searched by words alone, if the user can change that."""


class CollectionSearch:
    """Searches the collections of a library. Safe for several threads."""

    def __init__(self, library: Library, encoding: Encoding | None) -> None:
        self._library, self._encoding = library, encoding
        self._unusable = ""

    def __call__(self, name: str, text: str, wanted: SearchFilter = USUAL) -> CollectionAnswer:
        """The documents that match best. Raises NotFound, StorageError."""
        index = self._library.index(name)
        note = ""
        if wanted.semantic and not wanted.exact and self._encoding and self._encoding.reads(detect_language(text)):
            try:
                vectors = self._library.vectors(name)
                if vectors and not (note := self._why_not(name, vectors.state.encoder, self._encoding.encoder.name)):
                    found = search_by_both(index, vectors, self._encoding.encoder, text, wanted)
                    return CollectionAnswer(found, by_meaning=True)
            except StorageError as error:
                note = f"Searched by words only: {error.sentence}"
            except ModelUnavailable as error:
                # Not retried for every question.
                note = self._unusable = f"Searched by words only: {error.sentence}"
        return CollectionAnswer(index.search(text, wanted), note=note)

    def _why_not(self, name: str, encoder: str, used: str) -> str:
        if self._unusable or encoder == used:
            return self._unusable
        return (
            f"Searched by words only: {name} has the vectors of {encoder}, but the encoder is now {used}. "
            f"Replace them: inquest collection embed {name}"
        )


_CANDIDATES = 100
"""Documents by words and by meaning: one in neither hundred is not among the best ten."""
_RARE = 10
"""Documents: a name in more of them is not rare."""
_SIGN = regex(r"(?=\S*\d)(?=\S*[^\W\d_])\w[\w./-]*\w|\d{5,}")
"""A token of letters and digits, or a long number: an account, a docket, a chemical, a gene, a part."""


def search_by_both(
    index: Index, vectors: VectorTable, encoder: SentenceEncoder, text: str, wanted: SearchFilter
) -> list[FoundEntry]:
    """The documents that match best by words and meaning, best first, with scores from 0 to 1 (a rare exact name adds
    1). A document that shares no word with the question must be similar in meaning. Raises ModelUnavailable."""
    limit = wanted.limit
    if limit < 1 or not text.strip():
        return []
    [question] = encoder.encode([text])
    likenesses = vectors.compared_with(question)
    wide = max(_CANDIDATES, limit)
    weights = index.weights(text)
    similar = likenesses.best(wide, LEAST_LIKENESS)
    candidates = index.candidates(weights, wide, list(similar), wanted)
    meanings = [similar.get(one.snapshot) or likenesses.of(one.snapshot) for one in candidates]
    scores = fused([one.words for one in candidates], [each.score if each else None for each in meanings])
    named = _holders_of_rare_names(index, text)
    ranked = [
        (score + (one.snapshot in named), one, each)
        for score, one, each in zip(scores, candidates, meanings, strict=True)
    ]
    ranked.sort(key=lambda item: (-item[0], item[1].snapshot))
    return [one.found(score, _snippet(one, each, weights)) for score, one, each in ranked[:limit]]


def _holders_of_rare_names(index: Index, text: str) -> frozenset[str]:
    """The documents with a name of letters and digits from the question, by its rarest part, if they are few."""
    found: frozenset[str] = frozenset()
    for match in _SIGN.finditer(text):
        parts = terms(match.group())
        rarest = min(parts, key=index.holding, default="")
        if rarest and 0 < index.holding(rarest) <= _RARE:
            found |= index.holders(rarest, _RARE)
    return found


def _snippet(one: Stored, similar: Alike | None, weights: dict[str, float]) -> str:
    if one.words > 0 or similar is None:
        return best_window(one.text, weights)
    return window_around(one.text, Span(similar.start, similar.start))
