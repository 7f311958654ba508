"""One loaded model: texts in, arrays out; and its test. The only file that uses onnxruntime and the tokenizer.

Each pair runs alone. A batch would be slightly faster, but its numbers are scaled together: the result of one pair
would then depend on its neighbours, and a replay could differ. Cores are used by running pairs in parallel, those of
all callers in the same threads: with more threads than cores, a pair takes a sixth longer.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import TYPE_CHECKING, Any

from inquest.domain.errors import InputError, ModelUnavailable
from inquest.local_models.files import STANCES, ModelFiles

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]

_SIDE_BY_SIDE = 4
"""Number of pairs below which they run in the caller's thread."""
_LONGEST = 20_000
"""Characters of a text that are used: more than any model here can read."""
_GIVEN = ("input_ids", "attention_mask", "token_type_ids")
_WHOLE_NUMBERS = {"tensor(int64)": "int64", "tensor(int32)": "int32"}
_NO_TELEMETRY = ("ORT_DISABLE_TELEMETRY", "ORT_TELEMETRY_DISABLED")
"""Full opt-outs of onnxruntime, by their present and former names (its pull requests 27379 and 29843). They are read
once, when the library starts; `disable_telemetry_events` comes too late for what it sends and writes when it starts."""


class LoadedModel:
    """Weights and tokenizer, loaded when first used; safe to use from several threads. A model that could not be loaded
    is not tried again: every caller gets the same error."""

    def __init__(self, files: ModelFiles, *, threads: int) -> None:
        self.files = files
        self._threads = max(1, threads)
        self._pool = ThreadPoolExecutor(self._threads, thread_name_prefix="inquest-model")
        self._lock = threading.Lock()
        self._session: Any = None
        self._tokenizer: Any = None
        self._inputs: Mapping[str, str] = {}
        self._output = ""
        self._failed: ModelUnavailable | None = None

    def run(self, texts: Sequence[str | tuple[str, str]]) -> list[Array]:
        """The model's scores for each text or pair of texts, in order. Raises ModelUnavailable."""
        self.load()
        if self._threads == 1 or len(texts) < _SIDE_BY_SIDE:
            return [self._one(text) for text in texts]
        return list(self._pool.map(self._one, texts))

    def load(self) -> None:
        """Load the files, once. Raises ModelUnavailable."""
        with self._lock:
            if self._failed is not None:
                raise self._failed.with_traceback(None)
            if self._session is not None:
                return
            try:
                self._load()
            except ModelUnavailable as error:
                self._failed = error
                raise

    @property
    def last_word(self) -> int:
        """The highest number that the tokenizer gives a token. Raises ModelUnavailable."""
        self.load()
        return max(self._tokenizer.get_vocab(with_added_tokens=True).values(), default=0)

    def run_ids(self, ids: Sequence[int]) -> Array:
        """The model's scores for tokens by number, as one text. Raises ModelUnavailable."""
        self.load()
        return self._scores({"input_ids": ids, "attention_mask": [1] * len(ids), "token_type_ids": [0] * len(ids)})

    def unusable(self, why: str) -> ModelUnavailable:
        """The error with the reason why the model cannot be used; `why` completes '... cannot be used: '."""
        return ModelUnavailable(
            self.files.name,
            f"The local model {self.files.name} cannot be used: {why}.",
            advice="`inquest models --verify` says which files are damaged; `inquest models use` chooses another.",
        )

    def _one(self, text: str | tuple[str, str]) -> Array:
        texts = (text,) if isinstance(text, str) else text
        encoded = self._tokenizer.encode(*(_readable(each[:_LONGEST]) for each in texts))
        return self._scores(
            {
                "input_ids": encoded.ids,
                "attention_mask": encoded.attention_mask,
                "token_type_ids": encoded.type_ids,
            }
        )

    def _scores(self, given: Mapping[str, Sequence[int]]) -> Array:
        import numpy

        feed = {name: numpy.asarray([given[name]], dtype=form) for name, form in self._inputs.items()}
        try:
            found: Array = self._session.run([self._output], feed)[0][0]
        except Exception as error:  # its exceptions have no base class of their own
            raise self.unusable(
                f"it fails on a text ({_short(error)}), perhaps because the tokenizer belongs to another model"
            ) from error
        if not numpy.isfinite(found).all():
            raise self.unusable("its output is not a number")
        return found

    def _load(self) -> None:
        os.environ.update(dict.fromkeys(_NO_TELEMETRY, "1"))
        try:
            # Before onnxruntime, which imports a part of it first: if another thread is importing it at that moment,
            # Python gives one of the two a half-loaded library.
            import_module("numpy")
            import onnxruntime
            from tokenizers import Tokenizer
        except ImportError as error:
            raise ModelUnavailable(
                self.files.name,
                f"This machine cannot run local models ({error}).",
                advice="The rules judge alone; install onnxruntime for this platform to add the model.",
            ) from error
        missing = self.files.missing()
        if missing:
            raise self.unusable(missing)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 4  # errors are also raised, and we report them ourselves
        try:
            tokenizer = Tokenizer.from_file(str(self.files.tokens))
        except Exception as error:  # it raises a bare Exception
            raise self.unusable(f"{self.files.tokens.name} is not a tokenizer ({_short(error)})") from error
        try:
            session = onnxruntime.InferenceSession(str(self.files.weights), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # as above
            raise self.unusable(
                f"{self.files.weights.name} is not a model that can be run ({_short(error)})"
            ) from error
        tokenizer.no_padding()
        tokenizer.enable_truncation(self.files.max_tokens, strategy="longest_first")
        wanted = {each.name: str(each.type) for each in session.get_inputs()}
        strange = [name for name, form in wanted.items() if name not in _GIVEN or form not in _WHOLE_NUMBERS]
        if strange:
            raise self.unusable(f"it requires the input {strange[0]}, which models of this kind do not have")
        if "input_ids" not in wanted:
            raise self.unusable("it takes no input_ids, and so cannot read text")
        self._inputs = {name: _WHOLE_NUMBERS[form] for name, form in wanted.items()}
        outputs = [each.name for each in session.get_outputs()]
        self._output = "logits" if "logits" in outputs else outputs[0]
        self._tokenizer = tokenizer
        self._session = session


def _readable(text: str) -> str:
    """Lone surrogates are not text, and the tokenizer rejects them."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _short(error: Exception) -> str:
    """The library's message, without the parts meant for its developers."""
    words = str(error).strip().splitlines()
    return (words[0].rpartition(" : ")[2][:160].rstrip(". ") if words else "") or type(error).__name__


_CLAIM = "The plant closed in 2019."
_PASSAGE = "The plant was closed in 2019."


def tried_out(files: ModelFiles) -> None:
    """Load a model and run it once at its full length. Raises InputError with its fault, and ModelUnavailable if this
    machine cannot run models."""
    model = LoadedModel(files, threads=1)
    try:
        model.load()
    except ModelUnavailable as error:
        if isinstance(error.__cause__, ImportError):
            raise
        raise _wrong(str(error)) from error
    _words_fit(model)
    try:
        (scores,) = model.run([(_CLAIM, _PASSAGE)] if files.kind == "stance" else [_PASSAGE])
    except ModelUnavailable as error:
        raise _wrong(str(error)) from error
    wanted = (len(STANCES),) if files.kind == "stance" else (files.size,)
    if scores.shape != wanted:
        shape = " x ".join(str(part) for part in scores.shape) or "1"
        raise _wrong(
            f"The model {files.name} answers with {shape} numbers per text, but {wanted[0]} are needed"
            + (": supports, neutral, contradicts." if files.kind == "stance" else ".")
        )


def _words_fit(model: LoadedModel) -> None:
    """Check that the weights cover the tokenizer's last words and the last position of a text."""
    files, last = model.files, model.last_word
    try:
        model.run_ids([last] * 8)
    except ModelUnavailable as error:
        raise _wrong(
            f"The tokenizer of {files.name} is another model's: its {last + 1:,} words exceed those of the weights."
        ) from error
    try:
        model.run_ids([min(last, 1)] * files.max_tokens)
    except ModelUnavailable as error:
        raise _wrong(f"The model {files.name} cannot read {files.max_tokens} tokens, as its files claim.") from error


def _wrong(message: str) -> InputError:
    return InputError(message, advice="Nothing was changed. Choose or copy its files again.")
