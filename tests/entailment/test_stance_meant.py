"""What a model's reading may decide beside the rules, and where it is not even asked."""

from __future__ import annotations

import pytest

from inquest.domain.finding import Stance
from inquest.entailment.stance import stance_of
from inquest.entailment.windows import best_meaning, windows
from inquest.text.meaning import Meaning, meaning_of

BEARS_OUT = Meaning(0.01, 0.02, 0.97)
GOES_AGAINST = Meaning(0.97, 0.02, 0.01)
SAYS_NOTHING = Meaning(0.02, 0.96, 0.02)


class Reader:
    """Reads the same in every pair, and keeps what it was given."""

    def __init__(self, meaning: Meaning) -> None:
        self.meaning = meaning
        self.asked: list[tuple[str, str]] = []

    def __call__(self, claim: str, text: str) -> Meaning:
        self.asked.append((claim, text))
        return self.meaning


CLAIM = "Harlow Chemicals poisoned the river Ansel."
SAID_OTHERWISE = "Waste from Harlow Chemicals made the water of the river Ansel toxic, the laboratory established."


@pytest.mark.parametrize(
    ("meaning", "stance"),
    [(BEARS_OUT, Stance.SUPPORTS), (GOES_AGAINST, Stance.CONTRADICTS), (SAYS_NOTHING, Stance.NEUTRAL)],
)
def test_where_the_rules_are_silent_a_sure_reading_of_a_found_passage_decides(meaning: Meaning, stance: Stance) -> None:
    found = stance_of(CLAIM, SAID_OTHERWISE, searched=True, read=Reader(meaning))
    assert found.stance is stance
    assert stance_of(CLAIM, SAID_OTHERWISE, searched=True).stance is Stance.NEUTRAL
    if stance is not Stance.NEUTRAL:
        assert "Read for its meaning" in " ".join(found.reasons)
        assert found.confidence < 0.8  # what only a model reads is never as sure as what a rule can show


@pytest.mark.parametrize(
    "passage",
    [
        "Waste from Calder Metals made the water of the river Ansel toxic.",  # another company
        "Is it true that Harlow Chemicals made the river Ansel toxic?",
        "Rumour has it that Harlow Chemicals made the river Ansel toxic.",
        "The weather was fine in the valley.",
    ],
)
def test_a_passage_about_something_else_or_only_asked_is_not_read(passage: str) -> None:
    reader = Reader(BEARS_OUT)
    assert stance_of(CLAIM, passage, searched=True, read=reader).stance is Stance.NEUTRAL
    assert reader.asked == []


def test_what_goes_together_does_not_bear_out_what_causes_what() -> None:
    found = stance_of(
        "The solvent made people in Dorn ill.",
        "A study of the university shows that people in Dorn were ill more often when the solvent was in the river.",
        searched=True,
        read=Reader(BEARS_OUT),
    )
    assert found.stance is Stance.NEUTRAL


def test_another_number_or_year_is_for_the_rules() -> None:
    reader = Reader(BEARS_OUT)
    other_number = stance_of(
        "Harlow Chemicals released 400 tonnes of solvent.",
        "Harlow Chemicals released 900 tonnes of solvent.",
        searched=True,
        read=reader,
    )
    assert other_number.stance is Stance.CONTRADICTS
    other_year = stance_of(
        "Harlow Chemicals polluted the Ansel in 2019.",
        "In 2023, effluent of Harlow Chemicals spoiled the Ansel.",
        searched=True,
        read=reader,
    )
    assert other_year.stance is Stance.NEUTRAL


def test_where_words_and_reading_are_opposed_neither_decides_and_the_reasons_say_so() -> None:
    claim = "The permit of Harlow Chemicals allows 250 litres a day."
    passage = "The daily limit in the permit of Harlow Chemicals is 250 litres a day."
    assert stance_of(claim, passage, searched=True).stance is Stance.SUPPORTS
    found = stance_of(claim, passage, searched=True, read=Reader(GOES_AGAINST))
    assert found.stance is Stance.NEUTRAL
    assert "does the opposite" in " ".join(found.reasons)


def test_no_reading_turns_a_sentence_against_the_claim_that_it_repeats() -> None:
    claim = "Harlow Chemicals closed its plant in Dorn."
    assert stance_of(claim, claim, searched=True, read=Reader(GOES_AGAINST)).stance is Stance.SUPPORTS


def test_a_no_on_one_side_alone_does_not_contradict_where_the_reading_finds_nothing() -> None:
    claim = "At no time was drinking water affected by Harlow's works."
    passage = "The guidance value for drinking water at Harlow's works is 5 micrograms per litre."
    limits = "Harlow kept within the limits of its permit.", "Harlow exceeded the limits of its permit threefold."
    assert stance_of(claim, passage, searched=True, read=Reader(SAYS_NOTHING)).stance is Stance.NEUTRAL
    # Limits kept and exceeded rule each other out by what they say, and not by a 'no'.
    assert stance_of(*limits, searched=True, read=Reader(SAYS_NOTHING)).stance is Stance.CONTRADICTS


def test_scores_become_shares_that_add_up_to_one() -> None:
    found = meaning_of(1.0, 2.0, 3.0)
    assert sum(found) == pytest.approx(1.0, abs=2e-4)
    assert found.contradicts < found.neutral < found.supports
    assert meaning_of(1e4, 0, -1e4) == (1.0, 0.0, 0.0)


def test_a_short_passage_is_read_whole_and_a_long_one_where_it_bears_on_the_claim() -> None:
    assert windows(CLAIM, "") == ()
    (whole,) = windows(CLAIM, SAID_OTHERWISE)
    assert whole.of(SAID_OTHERWISE) == SAID_OTHERWISE
    filler = "The council met on Tuesday and spoke about parking for a long time. " * 60
    long = filler + SAID_OTHERWISE + filler
    spans = windows(CLAIM, long)
    assert SAID_OTHERWISE in spans[0].of(long)
    assert all(len(span.of(long)) <= 900 for span in spans)
    assert best_meaning([SAYS_NOTHING, BEARS_OUT]) == (BEARS_OUT, 1)
