"""Negation and its scope, directions, hedges, and who is speaking."""

from __future__ import annotations

import pytest

from inquest.text.vocabulary import hedges, negations, poles, speakers


@pytest.mark.parametrize(
    ("text", "cue", "scope"),
    [
        ("Harlow did not exceed the limit, but it leaked.", "did not", "exceed the limit"),
        ("There is no evidence that it leaked.", "no", "evidence that it leaked"),
        ("The company denies the spill.", "denies", "the spill"),
        ("It failed to report the leak.", "failed to", "report the leak"),
        ("They rule out a strike.", "rule out", "a strike"),
        ("They have yet to say.", "have yet to", "say"),
        ("They can't say.", "can't", "say"),
        ("The well came back clear of E. coli.", "came back clear of", "E. coli"),
        ("It runs daily except on Sundays.", "except", "on Sundays"),
        ("Neither lead nor tin is sold.", "Neither", "lead nor tin is sold"),
    ],
)
def test_a_negation_reaches_to_the_end_of_its_clause(text: str, cue: str, scope: str) -> None:
    (found,) = negations(text)
    assert (found.cue.of(text), found.scope.of(text).strip()) == (cue, scope)


@pytest.mark.parametrize(
    "text", ["not only the river was hit", "No doubt it leaked", "It leaked in No. 5", "a notable year"]
)
def test_what_only_looks_like_a_negation(text: str) -> None:
    assert negations(text) == ()


@pytest.mark.parametrize(
    ("text", "axis", "sign"),
    [
        ("Emissions rose", "amount", 1),
        ("Emissions fell", "amount", -1),
        ("Emissions did not fall", "amount", 1),
        ("It did not exceed it", "limit", -1),
        ("It was approved", "decision", 1),
        ("The judge allowed the will to stand", "validity", 1),
        ("The judge refused to leave the will of Ada Holt in force", "validity", -1),
        ("The will was annulled", "validity", -1),
    ],
)
def test_a_direction_word_counts_with_its_negation(text: str, axis: str, sign: int) -> None:
    assert (axis, sign) in {(pole.axis, pole.sign) for pole in poles(text)}


def test_two_negations_undo_each_other() -> None:
    signs = {pole.sign for pole in poles("There was no place without an increase") if pole.axis == "amount"}
    assert signs == {1}


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ("The company denies the spill.", "The company"),
        ("It leaked, according to the Environment Agency.", "the Environment Agency"),
        ("Mr Reed, a manager, said it leaked.", "Mr Reed"),
    ],
)
def test_a_speaker_is_named(text: str, speaker: str) -> None:
    assert speakers(text) == (speaker,)


def test_hedges_are_found() -> None:
    text = "It may be harmful."
    assert [span.of(text) for span in hedges(text)] == ["may"]
