"""Which score of a published model means which stance: its own words for it, and what is said by hand."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from inquest.domain.errors import InputError

# As the public models for natural language inference and for fact checking write them.
_WORDS = {
    "supports": "supports supported support entailment entails entailed entail e true agree agrees",
    "contradicts": "contradicts contradicted contradiction contradict contradictory refutes refuted refute c false "
    "disagree disagrees",
    "neutral": "neutral n nei notenoughinfo notenoughinformation unrelated undetermined unknown discuss",
}
_STANCE = {word: stance for stance, words in _WORDS.items() for word in words.split()}
_SAY = "Say which is which with --labels, in its order: --labels contradiction,neutral,entailment."


def labels_in(config: Mapping[str, Any], where: str) -> tuple[str, ...]:
    """The stances of a model's scores, in its order, from `id2label` of its config.json. Raises InputError.

    `where` names the model in a sentence.
    """
    named = config.get("id2label")
    if not isinstance(named, dict) or not named:
        raise InputError(f"{where} does not say what its scores mean (config.json has no id2label).", advice=_SAY)
    try:
        by_number = {int(number): str(label) for number, label in named.items()}
    except (TypeError, ValueError) as error:
        raise InputError(f"{where} numbers its labels in a way that cannot be read.", advice=_SAY) from error
    if sorted(by_number) != list(range(len(by_number))):
        raise InputError(f"{where} leaves out numbers among its labels.", advice=_SAY)
    labels = [by_number[number] for number in range(len(by_number))]
    _three(labels, where)
    if all(re.fullmatch(r"(?i)label[_ -]?\d+", label) for label in labels):
        raise InputError(f"{where} gives its scores no names, only numbers ({', '.join(labels)}).", advice=_SAY)
    return _stances(labels, where)


def labels_said(words: str) -> tuple[str, ...]:
    """The same, from what a person says: `contradiction,neutral,entailment`. Raises InputError."""
    labels = [word.strip() for word in words.split(",") if word.strip()]
    _three(labels, "--labels")
    return _stances(labels, "--labels")


def _three(labels: Sequence[str], where: str) -> None:
    if len(labels) != 3:
        count = {1: "one score", 2: "two scores"}.get(len(labels), f"{len(labels)} scores")
        raise InputError(
            f"{where} has {count} ({', '.join(labels[:6])}), and three are needed: supports, neutral, contradicts.",
            advice="Choose a model for natural language inference with three classes.",
        )


def _stances(labels: Sequence[str], where: str) -> tuple[str, ...]:
    found = []
    for label in labels:
        stance = _STANCE.get(re.sub(r"[^a-z]", "", label.lower()))
        if stance is None:
            raise InputError(f"{where} has a label that is not understood: {label}.", advice=_SAY)
        found.append(stance)
    if len(set(found)) != len(found):
        raise InputError(f"{where} has two labels of one meaning: {', '.join(labels)}.", advice=_SAY)
    return tuple(found)
