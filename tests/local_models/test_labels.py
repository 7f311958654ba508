"""The stance of each score: read if the model declares it, asked for if not, never guessed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.domain.errors import InputError
from inquest.local_models.exports import labels_in, labels_said
from inquest.local_models.files import STANCES


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ({"0": "contradiction", "1": "entailment", "2": "neutral"}, ("contradicts", "supports", "neutral")),
        ({"0": "entailment", "1": "neutral", "2": "contradiction"}, ("supports", "neutral", "contradicts")),
        ({"0": "CONTRADICTION", "1": "NEUTRAL", "2": "ENTAILMENT"}, ("contradicts", "neutral", "supports")),
        ({"2": "Entailment", "0": "Contradiction", "1": "Neutral"}, ("contradicts", "neutral", "supports")),
        ({"0": "SUPPORTS", "1": "REFUTES", "2": "NOT ENOUGH INFO"}, ("supports", "contradicts", "neutral")),
        ({"0": "e", "1": "n", "2": "c"}, ("supports", "neutral", "contradicts")),
    ],
)
def test_public_spellings_are_read_in_any_order(written: dict[str, str], meant: tuple[str, ...]) -> None:
    assert labels_in({"id2label": written}, "It") == meant


@pytest.mark.parametrize(
    ("config", "sentence"),
    [
        ({}, "does not say what its scores mean"),
        ({"id2label": []}, "does not say what its scores mean"),
        ({"id2label": {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}}, "gives its scores no names"),
        ({"id2label": {"0": "entailment", "1": "not_entailment"}}, "two scores"),
        ({"id2label": {"0": "LABEL_0"}}, "one score"),
        ({"id2label": {"0": "positive", "1": "neutral", "2": "negative"}}, "unknown label: positive"),
        ({"id2label": {"0": "entailment", "1": "neutral", "2": "entails"}}, "two labels with the same meaning"),
        ({"id2label": {"0": "entailment", "1": "neutral", "3": "contradiction"}}, "leaves out numbers"),
        ({"id2label": {"x": "entailment"}}, "numbers its labels"),
    ],
)
def test_what_a_model_leaves_open_is_said(config: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence) as met:
        labels_in(config, "The model")
    assert met.value.advice


def test_a_person_can_say_it() -> None:
    assert labels_said("contradiction, neutral ,entailment") == ("contradicts", "neutral", "supports")
    with pytest.raises(InputError, match="two scores"):
        labels_said("contradiction,entailment")


@given(
    st.recursive(st.none() | st.integers() | st.text(), lambda inner: st.dictionaries(st.text(), inner), max_leaves=4)
)
def test_any_config_gives_three_stances_or_one_sentence(said: Any) -> None:
    try:
        found = labels_in({"id2label": said}, "It")
    except InputError:
        return
    assert sorted(found) == sorted(STANCES)
