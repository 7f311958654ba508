"""A model in the format of public hubs: a folder with model.onnx, tokenizer.json and config.json."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from inquest.domain.errors import InputError
from inquest.local_models.files import MANIFEST, TOKENS, WEIGHTS, ModelFiles, model_files

CONFIG, TOKENIZER_CONFIG = "config.json", "tokenizer_config.json"
_MOST_TOKENS = 512
"""Passages are read sentence by sentence, so more is never needed, and would cost time and memory."""
_FEWEST_TOKENS = 16
_COUNT_FROM_PADDING = frozenset({"roberta", "xlm-roberta", "camembert", "xlm-roberta-xl", "longformer", "mpnet"})
"""Model types whose positions begin after that of the padding, so that two of them cannot be used for text."""
_MANY_LANGUAGES = 200_000
"""Vocabulary size from which a model is multilingual (XLM-R 250,002, mDeBERTa 251,000; DeBERTa-v3 128,100)."""


@dataclass(frozen=True)
class GivenLabels:
    """Properties of a model that a person states because its files may lack them."""

    labels: str | None = None
    """The meanings of its scores, in their order: `contradiction,neutral,entailment`."""
    claim_first: bool = False
    """True if it was trained with the claim before the passage; inference models have the premise, the passage,
    first."""
    languages: Sequence[str] | None = None
    """ISO 639-1; empty: any; None: not stated."""
    licence: str = ""
    source: str = ""


def described(folder: Path, name: str, said: GivenLabels, *, weights_follow: bool = False) -> ModelFiles:
    """The model in a folder, under that name. If it has a manifest of ours, that is used. `weights_follow`: the weights
    are still missing. Raises InputError if files are missing or lack required information."""
    if not folder.is_dir():
        there = "is a file" if folder.exists() else "does not exist"
        raise InputError(f"{folder} {there}.", advice="Give a folder with model.onnx, tokenizer.json and config.json.")
    for needed in (WEIGHTS, TOKENS):
        if not (folder / needed).is_file() and not (needed == WEIGHTS and weights_follow):
            raise InputError(f"{folder} has no {needed}.", advice=_HOW[needed])
    if (folder / MANIFEST).is_file():
        ours = model_files(folder)
        return replace(ours, name=name, licence=said.licence or ours.licence, source=said.source or ours.source)
    config = _json(folder / CONFIG, needed=said.labels is None)
    where = f"The model in {folder}"
    return ModelFiles(
        folder=folder,
        name=name,
        kind="stance",
        labels=labels_said(said.labels) if said.labels is not None else labels_in(config, where),
        languages=tuple(said.languages) if said.languages is not None else _languages(config),
        max_tokens=_max_tokens(config, _json(folder / TOKENIZER_CONFIG, needed=False)),
        claim_first=said.claim_first,
        licence=said.licence,
        source=said.source or str(folder),
    )


_HOW = {
    WEIGHTS: "Export the model as ONNX (`optimum-cli export onnx`), or name another folder.",
    TOKENS: "It lies beside the weights where a model is published; older ones must be converted to it once.",
}


def _json(path: Path, *, needed: bool) -> dict[str, Any]:
    if not path.is_file():
        if needed:
            raise InputError(
                f"{path.parent} has no {path.name}, which explains what the scores mean.",
                advice="Add it, or give --labels contradiction,neutral,entailment in the model's own order.",
            )
        return {}
    try:
        value = json.loads(path.read_text("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not JSON.", advice="Copy or download it again.") from error
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}).") from error
    if not isinstance(value, dict):
        raise InputError(f"{path} is not a JSON object.", advice="Copy or download it again.")
    return value


def _max_tokens(config: dict[str, Any], tokenizer: dict[str, Any]) -> int:
    """The number of tokens it reads: the least of the limits of its positions, its tokenizer and our own."""
    positions = _whole(config.get("max_position_embeddings"))
    if positions is not None and config.get("model_type") in _COUNT_FROM_PADDING:
        positions -= 2
    found = [_MOST_TOKENS, positions, _whole(tokenizer.get("model_max_length"))]
    return min(number for number in found if number is not None and number >= _FEWEST_TOKENS)


def _whole(value: object) -> int | None:
    # Tokenizers without a limit declare 1e30.
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if 0 < value < 10**9 else None


def _languages(config: dict[str, Any]) -> tuple[str, ...]:
    """Any if the vocabulary or the name is that of a multilingual model; otherwise English, as for most such models."""
    named = str(config.get("_name_or_path", "")).lower()
    many = (_whole(config.get("vocab_size")) or 0) >= _MANY_LANGUAGES
    return () if many or any(word in named for word in ("multilingual", "xlm", "mdeberta")) else ("en",)


# The spellings of public models for natural language inference and fact checking.
_WORDS = {
    "supports": "supports supported support entailment entails entailed entail e true agree agrees",
    "contradicts": "contradicts contradicted contradiction contradict contradictory refutes refuted refute c false "
    "disagree disagrees",
    "neutral": "neutral n nei notenoughinfo notenoughinformation unrelated undetermined unknown discuss",
}
_STANCE = {word: stance for stance, words in _WORDS.items() for word in words.split()}
_SAY = "Say which is which with --labels, in its order: --labels contradiction,neutral,entailment."


def labels_in(config: Mapping[str, Any], where: str) -> tuple[str, ...]:
    """The stances of a model's scores, in their order, from `id2label` of its config.json. Raises InputError. `where`
    names the model in a sentence."""
    named = config.get("id2label")
    if not isinstance(named, dict) or not named:
        raise InputError(f"{where} does not say what its scores mean (config.json has no id2label).", advice=_SAY)
    try:
        by_number = {int(number): str(label) for number, label in named.items()}
    except (TypeError, ValueError) as error:
        raise InputError(f"{where} numbers its labels in a way that cannot be read.", advice=_SAY) from error
    if sorted(by_number) != list(range(len(by_number))):
        raise InputError(f"{where} leaves out numbers among its labels.", advice=_SAY)
    return _stances([by_number[number] for number in range(len(by_number))], where)


def labels_said(words: str) -> tuple[str, ...]:
    """The same, as stated by a person: `contradiction,neutral,entailment`. Raises InputError."""
    return _stances([word.strip() for word in words.split(",") if word.strip()], "--labels")


def _stances(labels: Sequence[str], where: str) -> tuple[str, ...]:
    if len(labels) != 3:
        count = {1: "one score", 2: "two scores"}.get(len(labels), f"{len(labels)} scores")
        raise InputError(
            f"{where} has {count} ({', '.join(labels[:6])}), but needs three: supports, neutral, contradicts.",
            advice="Choose a model for natural language inference with three classes.",
        )
    if all(re.fullmatch(r"(?i)label[_ -]?\d+", label) for label in labels):
        raise InputError(f"{where} gives its scores no names, only numbers ({', '.join(labels)}).", advice=_SAY)
    found = []
    for label in labels:
        stance = _STANCE.get(re.sub(r"[^a-z]", "", label.lower()))
        if stance is None:
            raise InputError(f"{where} has an unknown label: {label}.", advice=_SAY)
        found.append(stance)
    if len(set(found)) != len(found):
        raise InputError(f"{where} has two labels with the same meaning: {', '.join(labels)}.", advice=_SAY)
    return tuple(found)
