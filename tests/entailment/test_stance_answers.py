"""What a 'yes' or 'no' to a question says of a claim."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.domain.finding import ContradictionType, Stance
from inquest.entailment.answers import answered
from inquest.entailment.evidence import gather
from inquest.entailment.ruling import Ruling
from inquest.entailment.stance import stance_of
from inquest.text.meaning import Meaning

CLAIM = "The Calder works dumped waste acid into the Tolley river."
ASKED = "Did the Calder works dump waste acid into the Tolley river?"


def ruling(claim: str, passage: str) -> Ruling | None:
    evidence = gather(claim, passage)
    assert evidence is not None
    return answered(evidence)


@pytest.mark.parametrize("answer", ["No.", "No", "No, it did not.", "No It went to a kiln at Harl.", "False."])
def test_no_to_the_very_question_contradicts(answer: str) -> None:
    found = ruling(CLAIM, f"{ASKED} {answer}")
    assert found is not None
    assert found.stance is Stance.CONTRADICTS
    assert found.type is ContradictionType.DIRECT
    assert found.confidence >= 0.8


@pytest.mark.parametrize("answer", ["Yes.", "Yes", "Yes, for three years.", "Yes It was seen by two anglers."])
def test_yes_to_the_very_question_supports(answer: str) -> None:
    found = ruling(CLAIM, f"{ASKED} {answer}")
    assert found is not None
    assert found.stance is Stance.SUPPORTS


def test_the_quote_is_question_and_answer() -> None:
    passage = f"The inspectors replied. {ASKED} No, it never did. They asked for time."
    found = ruling(CLAIM, passage)
    assert found is not None
    assert found.sentence.span.of(passage) == f"{ASKED} No, it never did."
    assert found.sentence.text == f"{ASKED} No, it never did."


def test_a_model_that_reads_it_otherwise_does_not_undo_a_plain_no() -> None:
    found = stance_of(CLAIM, f"{ASKED} No.", meaning=Meaning(0.05, 0.15, 0.8))
    assert found.stance is Stance.CONTRADICTS
    assert found.confidence < 0.8  # it is doubted all the same


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        # nothing plain is answered
        (CLAIM, f"{ASKED} No answer could be found."),
        (CLAIM, f"{ASKED} No evidence was found by the inspectors."),
        (CLAIM, f"{ASKED} The inspectors are still looking into it."),
        (CLAIM, f"{ASKED} Was it the tannery? No."),
        # not whether it is so, but whether somebody has shown it
        (CLAIM, "Is there any record of the Calder works dumping waste acid into the Tolley river? No."),
        (CLAIM, "Is the claim true that the Calder works dumped waste acid into the Tolley river? No."),
        # not yes or no
        (CLAIM, "Why did the Calder works dump waste acid into the Tolley river? No reason was given."),
        (CLAIM, "Who dumped waste acid into the Tolley river near the Calder works? No."),
        # about something else
        (CLAIM, "Did the inspectors visit the works? No."),
        (CLAIM, "Did an angler say that the Calder works dumped waste acid into the Tolley river? Yes."),
        (CLAIM, "Did an angler say that the Calder works dumped waste acid into the Tolley river? No."),
        # a part only, or with a 'but'
        (CLAIM, f"{ASKED} Yes, but only rinsing water with some acid."),
        # either side asks for the opposite
        ("The Calder works did not dump waste acid into the Tolley river.", f"{ASKED} No."),
        (CLAIM, "Did the Calder works never dump waste acid into the Tolley river? No."),
        # another figure
        ("The Calder works dumped 40 tonnes of acid.", "Did the Calder works dump 90 tonnes of acid? No."),
    ],
)
def test_what_is_no_plain_answer_rules_nothing(claim: str, passage: str) -> None:
    assert ruling(claim, passage) is None


@pytest.mark.parametrize(
    ("claim", "stance"),
    [
        ("Aldo Renn voted for the dam at Calder and defended the dams at Harl and Tolley.", Stance.NEUTRAL),
        ("Aldo Renn refused to vote for the dam at Calder and for the dams at Harl and Tolley.", Stance.CONTRADICTS),
        ("Aldo Renn voted only for the dams at Harl and Tolley.", Stance.CONTRADICTS),
    ],
)
def test_yes_to_a_part_is_no_contradiction_whatever_a_model_reads(claim: str, stance: Stance) -> None:
    found = stance_of(claim, "Did Aldo Renn vote for the dam at Harl? Yes.", meaning=Meaning(0.85, 0.1, 0.05))
    assert found.stance is stance


def test_no_to_a_question_that_has_most_of_the_claim_is_less_sure() -> None:
    found = ruling(CLAIM, "Did the Calder works dump waste acid? No.")
    assert found is not None
    assert found.stance is Stance.CONTRADICTS
    assert found.confidence < 0.8


@given(st.text(max_size=120), st.text(max_size=120))
def test_whatever_is_written_a_ruling_rests_on_the_passage(claim: str, answer: str) -> None:
    passage = f"Did {claim}? {answer}"
    evidence = gather(claim, passage)
    found = answered(evidence) if evidence else None
    if found is not None:
        assert found.sentence.span.of(passage) == found.sentence.text
        assert found.reasons
