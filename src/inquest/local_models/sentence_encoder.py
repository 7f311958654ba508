"""The encoder of sentences: a text as a vector of length 1."""

from __future__ import annotations

import os
from collections.abc import Sequence

from inquest.local_models.files import ModelFiles
from inquest.local_models.running import LoadedModel


class VectorEncoder:
    """Implements `kit.small_models.SentenceEncoder`. Safe to use from several threads."""

    def __init__(self, files: ModelFiles, *, threads: int | None = None) -> None:
        """`threads`: texts that are encoded side by side; None: one per core."""
        self.files = files
        self._model = LoadedModel(files, threads=threads or os.cpu_count() or 1)

    @property
    def name(self) -> str:
        return self.files.name

    @property
    def size(self) -> int:
        return self.files.size

    def encode(self, texts: Sequence[str]) -> list[bytes]:
        """One vector per text, in order, as little-endian 32-bit floats. Raises ModelUnavailable."""
        vectors = []
        for vector in self._model.run(texts):
            if vector.shape != (self.size,):
                raise self._model.unusable(
                    f"its answer has the shape {list(vector.shape)} instead of {self.size} numbers a text"
                )
            vectors.append(vector.astype("<f4").tobytes())
        return vectors
