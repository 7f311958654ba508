"""The contracts of small models that run on this machine: one reads pairs of sentences, one turns a text into a vector.

Both are optional: where a platform cannot run them the rules judge alone, and words are searched alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from inquest.entailment.meaning import Meaning


class PairReader(Protocol):
    """A cross-encoder: what a passage says to a claim, by meaning."""

    @property
    def name(self) -> str:
        """Which model it is, as shown and as kept with a case."""
        ...

    @property
    def languages(self) -> tuple[str, ...]:
        """ISO 639-1 of the languages it reads; empty: any."""
        ...

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Meaning]:
        """One meaning per (claim, passage), in order. What a pair is given does not depend on the others. Raises
        ModelUnavailable where its files cannot be used."""
        ...


class SentenceEncoder(Protocol):
    """Texts as vectors of length 1, of which the scalar product is the likeness in meaning."""

    @property
    def name(self) -> str:
        """Which model it is: vectors of different encoders are never compared."""
        ...

    @property
    def size(self) -> int:
        """Numbers in a vector."""
        ...

    def encode(self, texts: Sequence[str]) -> list[bytes]:
        """One vector per text, in order, as little-endian 32-bit floats. Raises ModelUnavailable."""
        ...
