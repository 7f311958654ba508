"""A claim's words held against a sentence's: how much of it is there, and whether it points the same way."""

from __future__ import annotations

from typing import NamedTuple

from inquest.entailment.reading import SentenceReading
from inquest.text.polarity import Pole, Saying
from inquest.text.word_weights import rarity

__all__ = ["WordEvidence", "coverage", "word_evidence"]

_OF_A_CLAIM = 20


class WordEvidence(NamedTuple):
    """What the words of one sentence say to a claim."""

    coverage: float
    """Share of the claim's content words in the sentence, 0 to 1."""
    said: float
    """As `coverage`, without the claim's names, and a rare word weighing more than a common one: what is said of the
    bearers of the names."""
    flipped: float
    """Share of the shared words that one of the two negates and the other does not."""
    agreeing: tuple[tuple[str, str], ...]
    """Direction words of claim and sentence that point the same way, about the same thing."""
    opposed: tuple[tuple[str, str], ...]
    """Those that point opposite ways."""
    denied_by: str
    """Who denies it, where the sentence reports a denial; '' otherwise."""
    said_by: str
    """Who says it, where the sentence puts it into somebody's mouth."""
    alleged: bool


def coverage(claim: SentenceReading, sentence: SentenceReading) -> float:
    """Share of the claim's content words that stand in the sentence."""
    return len(claim.bag & sentence.bag) / len(claim.bag) if claim.bag else 0.0


def word_evidence(
    claim: SentenceReading, sentence: SentenceReading, name_stems: frozenset[str] = frozenset()
) -> WordEvidence:
    """Coverage, negation and direction of one sentence with regard to a claim."""
    shared = claim.bag & sentence.bag
    flipped = len({term for term in shared if (term in claim.negated) != (term in sentence.negated)})
    agreeing, opposed = _directions(claim, sentence)
    denied = said = ""
    alleged = False
    for attribution in sentence.attributions:
        if attribution.saying is Saying.DENIES:
            denied = attribution.speaker
        else:
            said = attribution.speaker
            alleged = alleged or attribution.saying is Saying.ALLEGES
    wanted = claim.bag - name_stems
    weight = sum(rarity(term) for term in wanted)
    return WordEvidence(
        coverage=len(shared) / len(claim.bag) if claim.bag else 0.0,
        said=sum(rarity(term) for term in wanted & sentence.bag) / weight if weight else 0.0,
        flipped=flipped / len(shared) if shared else 0.0,
        agreeing=agreeing,
        opposed=opposed,
        denied_by=denied,
        said_by=said,
        alleged=alleged,
    )


def _directions(
    claim: SentenceReading, sentence: SentenceReading
) -> tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]:
    agreeing: list[tuple[str, str]] = []
    opposed: list[tuple[str, str]] = []
    for wanted in claim.poles[:_OF_A_CLAIM]:
        beside = claim.around(wanted.span, reach=40)
        options = [pole for pole in sentence.poles if pole.axis == wanted.axis]
        near = [pole for pole in options if beside & sentence.around(pole.span, reach=40)]
        if not near:
            continue
        # The pole with most of the claim's words beside it is the one about the same thing.
        best = max(near, key=lambda pole: len(beside & sentence.around(pole.span, reach=40)))
        pair = (_spelled(wanted, claim), _spelled(best, sentence))
        (agreeing if best.sign == wanted.sign else opposed).append(pair)
    return tuple(dict.fromkeys(agreeing)), tuple(dict.fromkeys(opposed))


def _spelled(pole: Pole, sentence: SentenceReading) -> str:
    word = pole.span.of(sentence.text)
    return f"not {word}" if pole.negated else word
