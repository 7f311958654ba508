"""Who is said to say what: the forms of attribution, and how a statement is put."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inquest.entailment.framing import Framing, answer_to, framing
from inquest.entailment.reading import read_passage, read_sentence
from inquest.entailment.speakers import Manner, attributed


@pytest.mark.parametrize(
    ("sentence", "speaker", "manner", "said"),
    [
        ('"We never paid him," the club said on Monday.', "the club", Manner.SAYS, "We never paid him"),
        (
            '"We never paid him," said the club\'s chairman, Tom Lisle.',
            "the club's chairman",
            Manner.SAYS,
            "never paid",
        ),
        ("Lisle told the court that he never paid.", "Lisle", Manner.SAYS, "that he never paid"),
        ("The club denies that it paid.", "The club", Manner.DENIES, "that it paid"),
        ("The club does not deny that it paid.", "The club", Manner.ADMITS, "that it paid"),
        ("The club admitted that it paid.", "The club", Manner.ADMITS, "that it paid"),
        ("According to the audit, the club paid.", "the audit", Manner.SAYS, "the club paid"),
        ("The club paid, according to the audit.", "the audit", Manner.SAYS, "The club paid"),
        ("The audit shows that the club paid.", "The audit", Manner.FINDS, "that the club paid"),
        ("The drug, its maker said in a statement, cures colds.", "its maker", Manner.SAYS, "cures colds"),
        ("The club spoke of nine new players.", "The club", Manner.INTENDS, "nine new players"),
        (
            "The hall will be sold, Austria's finance minister said.",
            "Austria's finance minister",
            Manner.SAYS,
            "be sold",
        ),
        ("The club's statement that it paid is here.", "The club", Manner.SAYS, "it paid"),
    ],
)
def test_who_says_what(sentence: str, speaker: str, manner: Manner, said: str) -> None:
    (found,) = attributed(sentence)
    assert found.speaker.startswith(speaker)
    assert found.manner is manner
    assert said in found.scope.of(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "40 % of residents reported headaches.",
        "Divers found a ring in the lake.",
        "He learned of it from press reports on 7 June.",
        "The public should be told at once.",
        "As shown at the fair, the car is long.",
        "Smith had left, as the club had said.",
    ],
)
def test_a_deed_is_no_statement(sentence: str) -> None:
    assert attributed(sentence) == ()


@pytest.mark.parametrize(
    ("sentence", "put"),
    [
        ("The bridge is safe.", Framing.STATED),
        ("Is the bridge safe?", Framing.ASKED),
        ("Claim 2: The bridge is safe", Framing.TESTED),
        ("A viral post claims that the bridge is safe.", Framing.TESTED),
        ("It is rumoured that the bridge is safe.", Framing.RUMOURED),
        ("Whether the bridge is safe is not known.", Framing.OPEN),
        ("The board can neither confirm nor rule out that the bridge is safe.", Framing.OPEN),
        ("The claim that the bridge is safe is false.", Framing.UNTRUE),
        ("There is no evidence that the bridge is safe.", Framing.UNTRUE),
        ("Our statement of 4 May that the bridge is safe should not have been made.", Framing.UNTRUE),
        ("It is not true that the bridge is safe.", Framing.UNTRUE),
        ("The paper wrongly reported that the bridge is safe.", Framing.UNTRUE),
    ],
)
def test_how_a_statement_is_put(sentence: str, put: Framing) -> None:
    found = framing(read_sentence(sentence))
    assert found.framing is put
    if put in (Framing.UNTRUE, Framing.TESTED):
        assert "the bridge is safe" in found.clause.of(sentence).lower()


@pytest.mark.parametrize(
    ("passage", "answer"),
    [
        ("Is the bridge safe? No. It was closed in May.", Framing.UNTRUE),
        ("Claim: The bridge is safe. Our verdict: False.", Framing.UNTRUE),
        ("Claim: The bridge is safe. Rating: Mostly true.", Framing.BENT),
        ("Is the bridge safe? Yes, says the board.", Framing.TRUE),
        ("I said that the bridge is safe. This was not correct.", Framing.UNTRUE),
        ("Is the bridge safe? No car may pass it.", None),
        ("Claim: The bridge is safe. Claim 2: It is old. Verdict: False.", None),
    ],
)
def test_the_answer_to_a_statement(passage: str, answer: Framing | None) -> None:
    found = answer_to(read_passage(passage), 0)
    assert (found[0] if found else None) is answer


@settings(deadline=None)
@given(st.text(alphabet="abc THE said that, .\"“”'’?:claim", max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    for one in attributed(text):
        assert 0 <= one.scope.start <= one.scope.end <= len(text)
    if text.strip():
        assert framing(read_sentence(text)).clause.of(text) in text
