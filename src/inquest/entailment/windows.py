"""The windows of a passage for a reading model, selected by shared words and by meaning.

A model of 192 tokens reads a sentence best alone, and a claim of several parts best with all relevant sentences: so it
reads the best sentences one by one, and together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from inquest.entailment.framing import qualifies
from inquest.entailment.parsed_text import ASIDE, ParsedText, Statement, share_of, statement_of
from inquest.text.quantities import Relation, compare
from inquest.text.regex import regex
from inquest.text.vocabulary import is_unrealised

Likeness = Callable[[str, Sequence[str]], Sequence[float]]
"""Similarity in meaning of each text to a claim: -1 to 1."""

_WHOLE = 900
"""Characters that a model of 192 tokens can read beside a claim."""
_TOGETHER = 800
_COMPARED = 40
"""Sentences compared by meaning: those with most of the claim's words."""
_ALONE = 3
_OPENING = 700
_KEPT = 10
_BESIDE = (
    ASIDE,
    regex(r"^(?P<part>[^,;:.\"“]+),\s(?P<kept>)(?=\S)"),
    regex(
        r",(?P<part>\s(?:which|who|whose|where|although|though|while|as|with|an?|the|no)\b[^,;:.]+)(?P<kept>)(?=\.?\s*$)"
    ),
)
"""Asides, openings and ends of a sentence."""


@dataclass(frozen=True)
class Ranked:
    """A sentence of a passage with its similarity to a claim."""

    index: int
    statement: Statement
    words: float
    """Share of the claim's words, weighted by rarity."""
    likeness: float
    """In meaning; 0 without an encoder."""

    @property
    def score(self) -> float:
        return self.words + self.likeness


@dataclass(frozen=True)
class Window:
    """A text for the model to read. `indices`: its sentences; `place`: together, alone or opening."""

    text: str
    indices: tuple[int, ...]
    place: str


def rank(claim: Statement, reading: ParsedText, likeness: Likeness | None) -> tuple[Ranked, ...]:
    """Return at most 10 sentences most relevant to the claim, best first."""
    shares = [share_of(claim.terms, one.terms) for one in reading.statements]
    first = sorted(range(len(shares)), key=lambda index: (-shares[index], index))[:_COMPARED]
    # A short passage is read whole: only the sentences that are also read alone are worth the time.
    compared = first[:_ALONE] if len(reading.text) <= _WHOLE else first
    alike: dict[int, float] = {}
    if likeness is not None:
        texts = [reading.statements[index].text for index in compared]
        alike = dict(zip(compared, likeness(claim.text, texts), strict=True))
    found = [Ranked(index, reading.statements[index], shares[index], alike.get(index, 0.0)) for index in first]
    return tuple(sorted(found, key=lambda one: (-one.score, one.index))[:_KEPT])


def windows(claim: Statement, reading: ParsedText, ranked: Sequence[Ranked]) -> tuple[Window, ...]:
    """Return the windows: the whole passage, or the best sentences of a long one together; then the best ones alone."""
    whole = len(reading.text) <= _WHOLE
    alone = [Window(_rewritten(claim, (one.statement,)), (one.index,), "alone") for one in ranked[:_ALONE]]
    if whole:
        every = tuple(one.index for one in ranked)
        together = Window(_rewritten(claim, reading.statements, reading.text.strip()), every, "together")
        return (together, *alone) if len(reading.statements) > 1 else (together,)
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


def _plain(claim: Statement, sentence: str) -> str:
    """Return a sentence without asides, openings and ends that share no word, figure or date with the claim and do not
    qualify what the rest says: 'The judge, who is not known for haste, dismissed the appeal.'"""
    for form in _BESIDE:
        for match in reversed(list(form.finditer(sentence))):
            part = statement_of(match["part"])
            if claim.terms & part.terms or part.figures or part.moments or qualifies(part.text):
                continue
            if form is _BESIDE[-1] and is_unrealised(part.text):
                continue
            sentence = f"{sentence[: match.start()]}{match['kept']}{sentence[match.end() :]}"
    return sentence


def _rewritten(claim: Statement, statements: Sequence[Statement], whole: str = "") -> str:
    """Return the statements' text (`whole`: of the passage) with equal figures rewritten in the claim's form, and
    without parts of sentences beside the claim.

    '500 milligrams' becomes '0.5 grams', '312 %' 'about 300 %': a model reads meaning well and arithmetic badly.
    """
    text = whole or statements[0].text
    for statement in statements:
        text = text.replace(statement.text, _plain(claim, statement.text), 1)
        for found in statement.figures if claim.figures else ():
            same = next((one for one in claim.figures if compare(one, found) is Relation.SAME), None)
            if same is not None and same.text != found.text:
                text = text.replace(found.text, same.text, 1)
    return text
