"""The parts of a passage that a reading model is given: chosen by the words they share with the claim, and by meaning.

A model of 192 tokens reads a sentence best alone, and a claim of several parts best beside all the sentences that speak
of them: so it is given the best sentences one by one, and those sentences together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from inquest.entailment.parsed_text import ParsedText, Statement, share_of
from inquest.text.quantities import Relation, compare

Likeness = Callable[[str, Sequence[str]], Sequence[float]]
"""How like each text is to a claim in meaning: -1 to 1."""

_WHOLE = 900
"""Characters that a model of 192 tokens reads with a claim beside them."""
_TOGETHER = 800
_COMPARED = 40
"""Sentences of which the meaning is compared: those with most of the claim's words."""
_ALONE = 3
_OPENING = 700
_KEPT = 10


@dataclass(frozen=True)
class Ranked:
    """A sentence of a passage with what it has of a claim."""

    index: int
    statement: Statement
    words: float
    """Share of the claim's words, by their rarity."""
    likeness: float
    """In meaning; 0 where no encoder is available."""

    @property
    def score(self) -> float:
        return self.words + self.likeness


@dataclass(frozen=True)
class Window:
    """What a model is given to read. `indices`: the sentences in it; `place`: together, alone or opening."""

    text: str
    indices: tuple[int, ...]
    place: str


def rank(claim: Statement, reading: ParsedText, likeness: Likeness | None) -> tuple[Ranked, ...]:
    """The sentences that bear most on the claim, best first, at most 10."""
    shares = [share_of(claim.terms, one.terms) for one in reading.statements]
    first = sorted(range(len(shares)), key=lambda index: (-shares[index], index))[:_COMPARED]
    # A short passage is read whole: only what is read alone, too, is worth the time.
    compared = first[:_ALONE] if len(reading.text) <= _WHOLE else first
    alike: dict[int, float] = {}
    if likeness is not None:
        texts = [reading.statements[index].text for index in compared]
        alike = dict(zip(compared, likeness(claim.text, texts), strict=True))
    found = [Ranked(index, reading.statements[index], shares[index], alike.get(index, 0.0)) for index in first]
    return tuple(sorted(found, key=lambda one: (-one.score, one.index))[:_KEPT])


def windows(claim: Statement, reading: ParsedText, ranked: Sequence[Ranked]) -> tuple[Window, ...]:
    """What is read: first the whole passage, or of a long one its best sentences together; then the best ones alone."""
    whole = len(reading.text) <= _WHOLE
    alone = [Window(_rewritten(claim, (one.statement,)), (one.index,), "alone") for one in ranked[:_ALONE]]
    if whole:
        every = tuple(range(len(reading.statements)))
        together = Window(_rewritten(claim, reading.statements, reading.text.strip()), every, "together")
        return (together, *alone) if len(every) > 1 else (together,)
    kept: list[Ranked] = []
    for one in ranked:
        if not kept or sum(len(each.statement.text) for each in (*kept, one)) <= _TOGETHER:
            kept.append(one)
    kept.sort(key=lambda one: one.index)
    text = " ".join(_rewritten(claim, (one.statement,)) for one in kept)
    together = Window(text, tuple(one.index for one in kept), "together")
    if len(reading.statements) == 1:
        return (together,)
    fitting = " ".join(one.text for one in reading.statements if one.span.end <= _OPENING)
    return (together, *alone, Window(fitting or reading.text[:_OPENING], (0,), "opening"))


def _rewritten(claim: Statement, statements: Sequence[Statement], whole: str = "") -> str:
    """The text of statements (`whole`: of all of a passage), with figures that are the claim's own in another form
    written as the claim writes them.

    '500 milligrams' becomes '0.5 grams', '312 %' 'about 300 %': a model reads meaning well and arithmetic badly.
    """
    text = whole or statements[0].text
    for statement in statements if claim.figures else ():
        for found in statement.figures:
            same = next((one for one in claim.figures if compare(one, found).relation is Relation.SAME), None)
            if same is not None and same.text != found.text:
                text = text.replace(found.text, same.text, 1)
    return text
