"""Replies of models to a request for JSON: everything readable is read, and only Unusable is raised."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.analysts.replies import AnswerPart, Unusable, object_in, parse, schema_of
from inquest.domain.claim import ClaimType

KINDS = "assess read plan merge events leanings classify write desk_queries market".split()
CLAIM = {"text": "It's so.", "members": ["S1.0"]}


def answer_of(kind: str) -> type[AnswerPart]:
    found: type[AnswerPart] = import_module(f"inquest.analysts.prompts.{kind}").Answer
    return found


@pytest.mark.parametrize(
    "text",
    [
        'Sure!\n```json\n{"claims": [{"text": "It\'s so.", "members": ["S1.0"],},]}\n```\nAnything else?',
        "{'claims': [{'text': 'It\\'s so.', 'members': ['S1.0']}]}",
        "{'claims': [{'text': \"It's so.\", 'members': ['S1.0']}]}",
        '<think>{"claims": []}</think>{"claims": [{"text": "It\'s so.", "members": ["S1.0"]}]}',
        '{"claims": [{"text": "It\'s so.", "members": ["S1.0"]}',
        '[{"text": "It\'s so.", "members": ["S1.0"]}]',
        '{"result": {"claims": [{"text": "It\'s so.", "members": ["S1.0"]}]}}',
    ],
)
def test_what_is_nearly_json_is_read(text: str) -> None:
    assert object_in(text, "claims") == {"claims": [CLAIM]}


def test_a_string_that_is_broken_off_is_left_out() -> None:
    assert object_in('{"claims": [{"text": "It is so.", "members": ["S1.0"]}, {"text": "Of 4,1', "claims") == {
        "claims": [{"text": "It is so.", "members": ["S1.0"]}, {}]
    }


@pytest.mark.parametrize("text", ["", "I cannot.", "{", "[]", '{"other": 1}', "<think>never ends", "{{{{" * 500])
def test_what_holds_no_answer_is_unusable(text: str) -> None:
    with pytest.raises(Unusable):
        object_in(text, "claims")


def test_a_field_that_is_malformed_has_its_default_and_a_single_item_is_a_list() -> None:
    merge: Any = answer_of("merge")
    text = (
        '{"claims": {"text": 7, "members": "S1.0", "type": "a kind of its own", "importance": "high", "queries": null}}'
    )
    (claim,) = parse(text, merge).claims
    assert (claim.text, claim.members, claim.type, claim.importance, claim.queries) == (
        "7", ["S1.0"], ClaimType.STATEMENT, 0.5, [],
    )  # fmt: skip
    assert parse('{"claims": [{"text": "x"}, 3, null]}', merge).claims == [None, None, None]


VALUES = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_no_answer_raises_but_as_unusable(kind: str, data: st.DataObject) -> None:
    answer = answer_of(kind)
    given_fields = {name: data.draw(VALUES) for name in answer.model_fields}
    try:
        parse(repr(given_fields), answer)
    except Unusable as error:
        assert str(error)


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_has_a_small_schema_of_what_must_be_there(kind: str) -> None:
    schema = schema_of(answer_of(kind))
    assert schema["type"] == "object" and schema["required"]
    assert len(str(schema)) < 1_500
    assert "$ref" not in str(schema) and "anyOf" not in str(schema)
