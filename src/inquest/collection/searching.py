"""One way to ask a collection: by words and by meaning where both are to be had, by words alone where they are not.

What either finds is judged by both. Words win where they are exact: a document that holds a rare name of letters and
digits ('XK-4471') from the question comes before those that are merely alike, and a phrase is left to the index alone.
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
    """The encoder that is used, and what it reads."""

    encoder: SentenceEncoder
    languages: tuple[str, ...] = ()
    """ISO 639-1; empty: any."""

    def reads(self, language: str | None) -> bool:
        """Whether it reads texts of that language; it is given the benefit of the doubt."""
        return not (self.languages and language) or language.partition("-")[0].lower() in self.languages


class CollectionAnswer(NamedTuple):
    """What a search found, and how."""

    found: list[FoundEntry]
    by_meaning: bool = False
    """Found by words and meaning: scores are shares of 1. Otherwise they are BM25."""
    note: str = ""
    """Why a collection with vectors was searched by words alone, where somebody can do something about it."""


class CollectionSearch:
    """Asks the collections of a library. Safe to use from several threads."""

    def __init__(self, library: Library, encoding: Encoding | None) -> None:
        self._library, self._encoding = library, encoding
        self._unusable = ""

    def __call__(
        self,
        name: str,
        text: str,
        wanted: SearchFilter = USUAL,
    ) -> CollectionAnswer:
        """The documents that fit best.

        Raises NotFound, and StorageError where the index cannot be read.
        """
        index = self._library.index(name)
        note = ""
        if wanted.semantic and not wanted.exact and self._encoding and self._encoding.reads(detect_language(text)):
            try:
                vectors, note = self._vectors(name)
                if vectors and not (note := self._why_not(name, vectors.state.encoder)):
                    encoder = self._encoding.encoder
                    found = search_by_both(index, vectors, encoder, text, wanted)
                    return CollectionAnswer(found, by_meaning=True)
            except ModelUnavailable as error:
                # The words are still there. It is not tried again for every question.
                note = self._unusable = f"Searched by words alone: {error.sentence}"
        found = index.search(text, limit=wanted.limit, exact=wanted.exact, since=wanted.since, until=wanted.until)
        return CollectionAnswer(found, note=note)

    def _vectors(self, name: str) -> tuple[VectorTable | None, str]:
        try:
            return self._library.vectors(name), ""
        except StorageError as error:
            return None, f"Searched by words alone: {error.sentence}"

    def _why_not(self, name: str, encoder: str) -> str:
        assert self._encoding is not None
        if self._unusable:
            return self._unusable
        if encoder != self._encoding.encoder.name:
            return (
                f"Searched by words alone: {name} has the vectors of {encoder}, and {self._encoding.encoder.name} is "
                f"used now. Make them anew: inquest collection embed {name}"
            )
        return ""


_CANDIDATES = 100
# From either side: what is in neither hundred is not among the first ten by both together.
_RARE = 10
# Documents: a name that more of them hold no longer picks one out.
_SIGN = regex(r"(?=\S*\d)(?=\S*[^\W\d_])\w[\w./-]*\w|\d{5,}")
# A token of letters and digits, or a long number: an account, a docket, a chemical, a gene, a part.


def search_by_both(
    index: Index,
    vectors: VectorTable,
    encoder: SentenceEncoder,
    text: str,
    wanted: SearchFilter = USUAL,
) -> list[FoundEntry]:
    """The documents that fit the question best by words and meaning together, best first; scores from 0 to 1 (a rare
    exact name adds 1).

    A document that shares no word with the question must be alike in meaning to be found. Raises ModelUnavailable.
    """
    limit = wanted.limit
    if limit < 1 or not text.strip():
        return []
    [asked] = encoder.encode([text])
    likenesses = vectors.to(asked)
    wide = max(_CANDIDATES, limit)
    weights = index.weights(text)
    alike = likenesses.best(wide, LEAST_LIKENESS)
    candidates = index.candidates(weights, limit=wide, also=list(alike), since=wanted.since, until=wanted.until)
    meanings = [alike.get(one.snapshot) or likenesses.of(one.snapshot) for one in candidates]
    scores = fused([one.words for one in candidates], [each.score if each else None for each in meanings])
    named = _holders_of_rare_names(index, text)
    ranked = sorted(
        zip(
            [s + (c.snapshot in named) for s, c in zip(scores, candidates, strict=True)],
            candidates,
            meanings,
            strict=True,
        ),
        key=lambda item: (-item[0], item[1].snapshot),
    )
    return [one.found(score, _snippet(one, each, weights)) for score, one, each in ranked[:limit]]


def _holders_of_rare_names(index: Index, text: str) -> frozenset[str]:
    """The documents that hold a name of letters and digits in the question, by its rarest part, where few do."""
    found: frozenset[str] = frozenset()
    for match in _SIGN.finditer(text):
        parts = terms(match.group())
        rarest = min(parts, key=index.holding, default="")
        if rarest and 0 < index.holding(rarest) <= _RARE:
            found |= index.holders(rarest, _RARE)
    return found


def _snippet(one: Stored, alike: Alike | None, weights: dict[str, float]) -> str:
    text = one.text()
    if one.words > 0 or alike is None:
        return best_window(text, weights)
    return window_around(text, Span(alike.start, alike.start))
