"""All the evidence of one pair, gathered once: for the rules, the learned part and the reasons."""

from __future__ import annotations

from typing import NamedTuple

from inquest.entailment.dates import DateEvidence, date_evidence
from inquest.entailment.numbers import NumberEvidence, number_evidence
from inquest.entailment.reading import Reading, SentenceReading, read_passage, read_sentence
from inquest.entailment.words import WordEvidence, word_evidence
from inquest.text.entities import NamesMet, names_met
from inquest.text.passages import stems

__all__ = ["Evidence", "gather"]


class Evidence(NamedTuple):
    """A claim, a passage, and what each kind of rule found."""

    claim: SentenceReading
    passage: Reading
    words: tuple[WordEvidence, ...]
    """One per sentence of the passage."""
    numbers: tuple[NumberEvidence, ...]
    """One per number of the claim."""
    dates: tuple[DateEvidence, ...]
    """One per date of the claim."""
    names: NamesMet
    best: int
    """Index of the sentence that bears most on the claim."""
    title: str = ""

    @property
    def sentence(self) -> SentenceReading:
        return self.passage.sentences[self.best]

    @property
    def bearing(self) -> WordEvidence:
        return self.words[self.best]


def gather(claim: str, passage: str, *, title: str = "") -> Evidence | None:
    """The evidence, or None where claim or passage has no sentence."""
    wanted, reading = read_sentence(claim), read_passage(passage)
    if not reading.sentences or not claim.strip():
        return None
    met = names_met(claim, passage, context=title)
    name_stems = frozenset(stems(" ".join((*met.met, *met.missing))))
    words = tuple(word_evidence(wanted, sentence, name_stems) for sentence in reading.sentences)
    numbers = number_evidence(wanted, reading, name_stems)
    weight = [one.coverage + 0.1 * bool(one.opposed) + 0.05 * bool(one.agreeing) for one in words]
    for number in numbers:
        for index, sentence in enumerate(reading.sentences):
            if number.sentence is sentence and number.context > 0:
                weight[index] += 0.2
    # A question states nothing: it is quoted only where there is nothing else.
    weight = [
        value - (1.0 if sentence.asks else 0.0) for value, sentence in zip(weight, reading.sentences, strict=True)
    ]
    best = max(range(len(weight)), key=lambda index: (weight[index], -index))
    return Evidence(
        wanted, reading, words, numbers, date_evidence(wanted, reading), met, best,
        title,
    )  # fmt: skip
