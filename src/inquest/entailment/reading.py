"""A text read once for all that the stance rules ask of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from inquest.text.entities import Name, names
from inquest.text.moments import Moment, moments
from inquest.text.passages import stems
from inquest.text.polarity import Attribution, Negation, Pole, attributions, is_negated, negations, poles, refutations
from inquest.text.quantities import Quantity, quantities
from inquest.text.sentences import Span, sentences

__all__ = ["Reading", "SentenceReading", "read_passage", "read_sentence"]


@dataclass(frozen=True, slots=True)
class SentenceReading:
    """One sentence and what stands in it. Spans within are offsets into the sentence."""

    span: Span
    """In the passage."""
    text: str
    terms: tuple[str, ...]
    """Stems of the words that carry meaning, in order."""
    bag: frozenset[str]
    quantities: tuple[Quantity, ...]
    moments: tuple[Moment, ...]
    negations: tuple[Negation, ...]
    poles: tuple[Pole, ...]
    refuted: bool
    """It calls something untrue."""
    attributions: tuple[Attribution, ...]
    negated: frozenset[str]
    """The stems that stand in the scope of a negation."""

    @property
    def asks(self) -> bool:
        """It is a question, and states nothing."""
        return self.text.rstrip("\"'”’)* ").endswith("?")

    def within(self, span: Span) -> frozenset[str]:
        """The stems that stand in a stretch of it."""
        return frozenset(stems(self.text[span.start : span.end]))

    def around(self, span: Span, *, reach: int = 60) -> frozenset[str]:
        """The stems within `reach` characters of a place, the words at the place itself left out."""
        before = self.text[max(0, span.start - reach) : span.start]
        return frozenset(stems(before)) | frozenset(stems(self.text[span.end : span.end + reach]))


@dataclass(frozen=True, slots=True)
class Reading:
    """A passage: its sentences, and what is known of the whole."""

    text: str
    sentences: tuple[SentenceReading, ...]
    bag: frozenset[str]
    names: tuple[Name, ...]


def _negated_stems(text: str, found: tuple[Negation, ...]) -> frozenset[str]:
    negated: set[str] = set()
    for _, scope in found:
        inside = text[scope.start : scope.end]
        # Only the words next to the cue are surely meant; a scope that runs on is cut.
        for term in stems(inside[:80]):
            place = inside.lower().find(term[:4])
            if place < 0 or is_negated(Span(scope.start + place, scope.start + place + 1), found):
                negated.add(term)
    return frozenset(negated)


@lru_cache(maxsize=4096)
def _sentence(text: str) -> SentenceReading:
    terms = tuple(stems(text))
    negated = negations(text)
    return SentenceReading(
        span=Span(0, len(text)),
        text=text,
        terms=terms,
        bag=frozenset(terms),
        quantities=quantities(text),
        moments=moments(text),
        negations=negated,
        poles=poles(text, negated),
        refuted=bool(refutations(text)),
        attributions=attributions(text),
        negated=_negated_stems(text, negated) if negated else frozenset(),
    )


def read_sentence(text: str) -> SentenceReading:
    """A claim, read as one sentence even where it is several."""
    return _sentence(text)


def read_passage(text: str) -> Reading:
    """A passage, sentence by sentence."""
    found = []
    for span in sentences(text):
        one = _sentence(span.of(text))
        found.append(
            SentenceReading(
                span, one.text, one.terms, one.bag, one.quantities, one.moments, one.negations, one.poles, one.refuted,
                one.attributions, one.negated,
            )
        )  # fmt: skip
    bag: frozenset[str] = frozenset().union(*(one.bag for one in found)) if found else frozenset()
    return Reading(text, tuple(found), bag, names(text))
