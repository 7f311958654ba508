"""The interfaces of the small models to their callers: the classifier of pairs (a cross-encoder with three classes,
each pair read once) and the sentence encoder (a text as a vector of length 1)."""

from __future__ import annotations

import hashlib
import os
import threading
from collections import OrderedDict
from collections.abc import Sequence

from inquest.entailment.meaning import Meaning, meaning_of
from inquest.local_models.files import STANCES, ModelFiles
from inquest.local_models.running import LoadedModel

KEPT = 50_000
"""Number of pairs whose results are cached: some 10 MB."""


class CrossEncoder:
    """Implements `kit.small_models.PairReader`. Safe to use from several threads."""

    def __init__(self, files: ModelFiles, *, threads: int | None = None, kept: int = KEPT) -> None:
        """`threads`: pairs read in parallel; None: one per core. `kept`: pairs whose results are cached; the least
        recently used are dropped first."""
        self.files, self.name, self.languages = files, files.name, files.languages
        self._model = LoadedModel(files, threads=threads or os.cpu_count() or 1)
        self._order = [files.labels.index(label) for label in STANCES]
        self._most = kept
        self._kept: OrderedDict[bytes, Meaning] = OrderedDict()
        self._lock = threading.Lock()

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Meaning]:
        """One result per (claim, passage), in order. Raises ModelUnavailable."""
        keys = [_key(claim, passage) for claim, passage in pairs]
        with self._lock:
            known = {key: self._kept[key] for key in keys if key in self._kept}
        new = {key: pair for key, pair in zip(keys, pairs, strict=True) if key not in known}
        texts = [(claim, passage) if self.files.claim_first else (passage, claim) for claim, passage in new.values()]
        for key, scores in zip(new, self._model.run(texts) if texts else [], strict=True):
            if scores.shape != (len(STANCES),):
                raise self._model.unusable(f"its answer has the shape {list(scores.shape)} instead of three scores")
            known[key] = meaning_of(*(float(scores[place]) for place in self._order))
        with self._lock:
            for key in keys:
                self._kept[key] = known[key]
                self._kept.move_to_end(key)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return [known[key] for key in keys]


def _key(claim: str, passage: str) -> bytes:
    # The length comes first, so that a claim with a NUL in it is not mistaken for another pair.
    digest = hashlib.blake2b(f"{len(claim)}:{claim}".encode("utf-8", "surrogatepass"), digest_size=16)
    digest.update(passage.encode("utf-8", "surrogatepass"))
    return digest.digest()


class VectorEncoder:
    """Implements `kit.small_models.SentenceEncoder`. Safe to use from several threads."""

    def __init__(self, files: ModelFiles, *, threads: int | None = None) -> None:
        """`threads`: texts encoded in parallel; None: one per core."""
        self.files, self.name, self.size = files, files.name, files.size
        self._model = LoadedModel(files, threads=threads or os.cpu_count() or 1)

    def encode(self, texts: Sequence[str]) -> list[bytes]:
        """One vector per text, in order, as little-endian 32-bit floats. Raises ModelUnavailable."""
        vectors = []
        for vector in self._model.run(texts):
            if vector.shape != (self.size,):
                raise self._model.unusable(
                    f"its answer has the shape {list(vector.shape)} instead of {self.size} numbers per text"
                )
            vectors.append(vector.astype("<f4").tobytes())
        return vectors
