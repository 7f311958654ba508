"""A model put to the test before it is taken in: it is loaded, and asked what it will be asked."""

from __future__ import annotations

from inquest.domain.errors import InputError, ModelUnavailable
from inquest.local_models.files import STANCES, ModelFiles
from inquest.local_models.running import LoadedModel

_CLAIM = "The plant closed in 2019."
_PASSAGE = "The plant was closed in 2019."


def tried_out(files: ModelFiles) -> None:
    """Load a model and run it once at its longest. Raises InputError with what is wrong with it, and ModelUnavailable
    where this machine can run none."""
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
            f"The model {files.name} answers with {shape} numbers a text, and {wanted[0]} are needed"
            + (": supports, neutral, contradicts." if files.kind == "stance" else ".")
        )


def _words_fit(model: LoadedModel) -> None:
    """The last words of the tokenizer must be known to the weights, and so must the last place of a text."""
    files, last = model.files, model.last_word
    try:
        model.run_ids([last] * 8)
    except ModelUnavailable as error:
        raise _wrong(
            f"The tokenizer of {files.name} is another model's: it has {last + 1:,} words, more than the weights know."
        ) from error
    try:
        model.run_ids([min(last, 1)] * files.max_tokens)
    except ModelUnavailable as error:
        raise _wrong(f"The model {files.name} cannot read {files.max_tokens} tokens, as its files say.") from error


def _wrong(message: str) -> InputError:
    return InputError(message, advice="Nothing was changed. Choose or copy its files again.")
