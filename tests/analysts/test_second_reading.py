"""Passages that a model is not sure of are read a second time, alone."""

from __future__ import annotations

from inquest.domain.finding import Stance
from tests.analysts.scripted import passage, scripted_analyst
from tests.analysts.test_model_analyst import CLAIM, SAYS_SO
from tests.analysts.test_model_assess import judged, judgements

QUOTE = "the plant released 4,100 litres of solvent on 6 June 2023"
TEXT = f"The weather was fine all week. {SAYS_SO} Nothing else is known of that week. The fair was held on Sunday."


def first(stance: str, confidence: float) -> dict[str, object]:
    return judgements(judged("P1", stance, QUOTE, confidence=confidence))


async def test_what_is_sure_is_asked_about_once() -> None:
    analyst, model = scripted_analyst(first("supports", 0.9))
    await analyst.assess(CLAIM, [passage(1, TEXT)])
    assert len(model.asked) == 1


async def test_the_second_reading_sees_the_sentence_and_its_neighbours_and_its_quote_stands_in_the_passage() -> None:
    analyst, model = scripted_analyst(first("contradicts", 0.6), first("supports", 0.9))
    far = "The harbour master gave a speech. " * 30
    text = f"{far}{SAYS_SO} Nothing else is known. {far}"
    (found,) = await analyst.assess(CLAIM, [passage(1, text)])
    assert len(model.asked) == 2 and len(model.user[1]) < len(model.user[0]) / 2
    assert found.stance is Stance.SUPPORTS
    assert text[found.start : found.end] == found.quote == QUOTE


async def test_two_readings_that_are_as_sure_of_the_contrary_decide_nothing() -> None:
    analyst, _ = scripted_analyst(first("contradicts", 0.7), first("supports", 0.7))
    (found,) = await analyst.assess(CLAIM, [passage(1, TEXT)])
    assert found.stance is Stance.NEUTRAL
    assert found.reasons[-1] == "Two readings of it gave different stances."
