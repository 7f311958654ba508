"""The contracts of small models on this machine: one reads pairs of sentences, one turns texts into vectors.

Both are optional: without them, claims are judged by rules and texts are searched by words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from inquest.entailment.meaning import Meaning


class PairReader(Protocol):
    """A cross-encoder: the relation of a passage to a claim, by meaning."""

    @property
    def name(self) -> str:
        """The model's name, shown and stored with a case."""

    @property
    def languages(self) -> tuple[str, ...]:
        """ISO 639-1 codes of its languages; empty: any."""

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Meaning]:
        """Return one meaning per (claim, passage), in order and independent of the other pairs. Raises ModelUnavailable
        if its files cannot be used."""


class SentenceEncoder(Protocol):
    """An encoder of texts as unit vectors; their scalar product is the similarity in meaning."""

    @property
    def name(self) -> str:
        """The model's name; vectors of different encoders are never compared."""

    @property
    def size(self) -> int:
        """The dimension of the vectors."""

    def encode(self, texts: Sequence[str]) -> list[bytes]:
        """Return one vector per text, in order, as little-endian 32-bit floats. Raises ModelUnavailable."""
