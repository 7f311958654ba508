"""One loaded model: texts in, arrays out. The only file that knows onnxruntime and the tokenizer.

Each pair runs alone. A batch would be a little faster, but its numbers are scaled together: what one pair is given
would then depend on its neighbours, and a replay could differ. Both cores are used by running pairs side by side.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from inquest.domain.errors import ModelUnavailable
from inquest.local_models.files import ModelFiles

if TYPE_CHECKING:
    import numpy

__all__ = ["LoadedModel"]

_SIDE_BY_SIDE = 16
"""Fewer pairs than this are run in the caller's thread."""
_LONGEST = 20_000
"""Characters of a text that are looked at: more than any model here can read."""


class LoadedModel:
    """Weights and tokenizer, loaded when first used; safe to use from several threads."""

    def __init__(self, files: ModelFiles, *, threads: int) -> None:
        self.files = files
        self._threads = max(1, threads)
        self._lock = threading.Lock()
        self._session: Any = None
        self._tokenizer: Any = None
        self._inputs: frozenset[str] = frozenset()

    def run(self, texts: Sequence[str | tuple[str, str]]) -> list[numpy.ndarray[Any, Any]]:
        """The model's first output for each text or pair of texts. Raises ModelUnavailable."""
        self._load()
        if self._threads == 1 or len(texts) < _SIDE_BY_SIDE:
            return [self._one(text) for text in texts]
        with ThreadPoolExecutor(self._threads, thread_name_prefix="inquest-mind") as pool:
            return list(pool.map(self._one, texts, chunksize=8))

    def _one(self, text: str | tuple[str, str]) -> numpy.ndarray[Any, Any]:
        import numpy

        if isinstance(text, str):
            encoded = self._tokenizer.encode(text[:_LONGEST])
        else:
            encoded = self._tokenizer.encode(text[0][:_LONGEST], text[1][:_LONGEST])
        given = {
            "input_ids": encoded.ids,
            "attention_mask": encoded.attention_mask,
            "token_type_ids": encoded.type_ids,
        }
        feed = {
            name: numpy.asarray([values], dtype=numpy.int64) for name, values in given.items() if name in self._inputs
        }
        found: numpy.ndarray[Any, Any] = self._session.run(None, feed)[0][0]
        return found

    def _load(self) -> None:
        with self._lock:
            if self._session is not None:
                return
            try:
                import onnxruntime
                from tokenizers import Tokenizer
            except ImportError as error:
                raise ModelUnavailable(
                    self.files.name,
                    f"This machine cannot run local models ({error}).",
                    advice="The rules judge alone; install onnxruntime for this platform to add the model.",
                ) from error
            wrong = None if self.files.hashes is None else _missing(self.files)
            if wrong:
                raise self._unusable(wrong)
            try:
                options = onnxruntime.SessionOptions()
                options.intra_op_num_threads = 1
                options.inter_op_num_threads = 1
                options.log_severity_level = 3
                session = onnxruntime.InferenceSession(
                    str(self.files.weights), options, providers=["CPUExecutionProvider"]
                )
                tokenizer = Tokenizer.from_file(str(self.files.tokens))
            except Exception as error:  # both libraries raise exceptions of no common kind for a bad file
                raise self._unusable(
                    str(error).splitlines()[0][:200] if str(error) else type(error).__name__
                ) from error
            tokenizer.no_padding()
            tokenizer.enable_truncation(self.files.max_tokens, strategy="longest_first")
            self._tokenizer = tokenizer
            self._inputs = frozenset(each.name for each in session.get_inputs())
            self._session = session

    def _unusable(self, why: str) -> ModelUnavailable:
        return ModelUnavailable(
            self.files.name,
            f"The local model {self.files.name} cannot be used: {why}.",
            advice="`inquest models --verify` says which files are damaged; install Inquest again, or choose another.",
        )


def _missing(files: ModelFiles) -> str | None:
    return next((f"{path.name} is missing" for path in (files.weights, files.tokens) if not path.is_file()), None)
