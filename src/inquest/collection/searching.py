"""One way to ask a collection: by words and by meaning where both are to be had, by words alone where they are not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from inquest.collection.entry import USUAL, FoundEntry, SearchFilter
from inquest.collection.hybrid import search_by_both
from inquest.collection.library import Library
from inquest.collection.likeness import VectorTable
from inquest.domain.errors import ModelUnavailable, StorageError
from inquest.kit.small_models import SentenceEncoder
from inquest.text.languages import detect_language


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
