"""Claims given by a user: errors are reported with their line, valid claims are located in the report."""

from __future__ import annotations

import json

import pytest

from inquest.claims.report.given import given_claims, placed
from inquest.domain.claim import ClaimType
from inquest.domain.document import Document
from inquest.domain.errors import InputError

GOOD = '{"id": "a", "text": "We cut CO2 emissions by 12 % in 2022."}'


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "Line 3 of f is not JSON"),
        ("[1]", "Line 3 of f is not a JSON object"),
        ('{"text": "x"}', "Line 3 of f has no `id`"),
        ('{"id": "b", "text": 7}', "Line 3 of f has no `text`"),
        ('{"id": "b", "text": "x", "type": "odd"}', "Line 3 of f has the unknown type ‘odd’"),
        ('{"id": "b", "text": "x", "page": 0}', "Line 3 of f has an invalid page ‘0’"),
        ('{"id": "a", "text": "Output rose."}', "Line 3 of f repeats the id ‘a’ of line 1"),
        ('{"id": "b", "text": "' + "x" * 3000 + '"}', "Line 3 of f has 3,000 characters"),
        ('{"id": "b", "text": "?"}', "Line 3 of f makes no statement"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(line: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        given_claims([GOOD, "", line], "f")
    assert str(caught.value).startswith(said)


def test_a_file_without_a_claim_is_wrong() -> None:
    with pytest.raises(InputError, match="f contains no claim"):
        given_claims(["", " "], "f")


def test_what_is_known_is_kept_and_what_is_not_is_found() -> None:
    lines = [GOOD, '{"id": 2, "claim": "Norvane plants trees.", "type": "geographic", "page": 4, "company": "Norvane"}']
    first, second = given_claims(lines, "f", company="Harlow")
    assert (first.id, first.type, first.company, first.page) == ("a", ClaimType.QUANTITATIVE, "Harlow", None)
    assert (second.id, second.type, second.company, second.page) == ("2", ClaimType.GEOGRAPHIC, "Norvane", 4)
    assert [first.text[each.start : each.end] for each in first.quantities] == ["12 %"]


def test_a_claim_is_placed_where_its_words_stand_and_nowhere_else() -> None:
    opening = "A first page.\n\n"
    text = f"{opening}We cut CO2 emissions\nby 12 % in 2022. And more."
    document = Document(snapshot="sha256:0", url="https://norvane.example/", text=text, pages=(0, len(opening)))
    (claim,) = given_claims([GOOD], "f")
    there = placed(claim, document)
    assert text[there.start : there.end] == there.quote == "We cut CO2 emissions\nby 12 % in 2022."
    assert there.page == 2
    assert [text[each.start : each.end] for each in there.quantities] == ["12 %"]
    (other,) = given_claims(['{"id": "b", "text": "Norvane plants trees."}'], "f")
    assert placed(other, document) == other


@pytest.mark.parametrize(
    ("question", "claim"),
    [
        ("Did Odell Water pay a fine in 2023?", "Odell Water paid a fine in 2023."),
        ("How much did Odell Water pay in 2023?", "How much did Odell Water pay in 2023?"),
    ],
)
def test_a_claim_given_as_a_yes_no_question_is_what_it_asks_about(question: str, claim: str) -> None:
    (given,) = given_claims([json.dumps({"id": "1", "text": question})], "claims.jsonl")
    assert given.text == claim
