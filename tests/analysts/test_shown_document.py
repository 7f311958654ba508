"""The part of a document that a model is given: all of a short one, the most relevant parts of others."""

from __future__ import annotations

from inquest.analysts.prompts.read import question, shown
from inquest.domain.plan import Brief
from tests.analysts.scripted import document

TOPIC, BRIEF = "The weir", "Is the weir at Holm mended, and who pays for it?"
FIRST = "The valley woke to rain and a river the colour of tea."
TOLD = "Two gates of the weir still lay on the bank in August; whoever pays for it now names the summer of 2027."
LINES = [
    f"Line {n} of it is about the hall, the roof of the hall and the boiler of the hall." for n in "abcdefghijklmn"
]


def test_of_a_longer_one_the_first_sentence_and_what_bears_most_on_the_brief_are_shown() -> None:
    text = "\n\n".join((FIRST, *LINES, *LINES, *LINES, *LINES, TOLD))
    seen = shown(document(text), TOPIC, BRIEF)
    assert seen.text.startswith(FIRST) and seen.text.endswith(TOLD)
    assert len(seen.text) < 0.6 * len(text)
    span = seen.find(TOLD)
    assert span is not None and span.of(text) == TOLD


def test_the_topic_stands_beside_a_brief_that_has_not_its_words() -> None:
    seen = shown(document(TOLD), TOPIC, BRIEF)
    assert "topic:" not in question(Brief(text=BRIEF), TOPIC, document(TOLD), seen)
    assert "topic: Flood at Holm" in question(Brief(text=BRIEF), "Flood at Holm", document(TOLD), seen)
