"""A text as the comparators see it: its sentences, each with its words, figures, dates, names and direction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from inquest.entailment.limits import limits
from inquest.text.entities import Name, is_likely, names
from inquest.text.moments import Moment, moments
from inquest.text.passages import best_passages
from inquest.text.polarity import Negation, Pole, negations, poles
from inquest.text.quantities import Quantity, quantities
from inquest.text.sentences import Span, content_words, sentences
from inquest.text.vocabulary import rarity

__all__ = ["ParsedText", "Statement", "read", "read_best", "share_of", "statement_of"]

_LONG = 60_000
"""Characters. Of a longer text only the parts that share most words with the claim are read."""
_PARTS, _PART = 16, 2_000
_SENTENCE = 1_500
"""Characters after which something without a full stop is cut: tables and lists of links."""


@dataclass(frozen=True)
class Statement:
    """A sentence of a passage, or a whole claim. What is found in it is found once, when it is first asked for."""

    text: str
    span: Span
    """Where it appears in the text it is from."""

    @cached_property
    def terms(self) -> frozenset[str]:
        """The stems of its words of content."""
        return frozenset(content_words(self.text))

    @cached_property
    def figures(self) -> tuple[Quantity, ...]:
        """Amounts, counts, shares, and multiples of a limit."""
        limited = limits(self.text)
        others = (one for one in quantities(self.text) if not any(_meet(one.span, other.span) for other in limited))
        return tuple(sorted((*others, *limited), key=lambda one: one.span))

    @cached_property
    def moments(self) -> tuple[Moment, ...]:
        """Dates that need no reference date."""
        return moments(self.text)

    @cached_property
    def names(self) -> tuple[Name, ...]:
        """What is surely or likely a name."""
        return tuple(name for name in names(self.text) if is_likely(name))

    @cached_property
    def negations(self) -> tuple[Negation, ...]:
        """Words that negate, each with its scope."""
        return negations(self.text)

    @cached_property
    def poles(self) -> tuple[Pole, ...]:
        """Words that have an opposite, each with its direction."""
        return poles(self.text, self.negations)

    @property
    def asks(self) -> bool:
        """It is a question."""
        return self.text.rstrip("\"”’') ").endswith("?")


@dataclass(frozen=True)
class ParsedText:
    """A text and its sentences."""

    text: str
    statements: tuple[Statement, ...]

    def with_rows(self, rows: Sequence[tuple[Span, str]]) -> ParsedText:
        """With what rows of tables say under their heads in place of their bare cells; spans stay those of the text."""
        if not rows:
            return self
        spoken = [
            replace(one, text=next((said for span, said in rows if _meet(one.span, span)), one.text))
            for one in self.statements
        ]
        return ParsedText("\n".join(one.text for one in spoken), tuple(spoken))


def _meet(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


@lru_cache(maxsize=4096)
def statement_of(text: str) -> Statement:
    """A claim, read as one statement even where it is several sentences."""
    return Statement(text.strip(), Span(0, len(text)))


@lru_cache(maxsize=512)
def read(text: str) -> ParsedText:
    """The sentences of a text; of what has none (a table, a list of links), pieces of at most 1,500 characters."""
    found = []
    for span in sentences(text):
        for start in range(span.start, span.end, _SENTENCE):
            part = Span(start, min(start + _SENTENCE, span.end))
            found.append(Statement(part.of(text), part))
    return ParsedText(text, tuple(found))


def read_best(claim: str, text: str) -> ParsedText:
    """As `read`; of a very long text only the parts that share most words with the claim, in their order."""
    if len(text) <= _LONG:
        return read(text)
    spans = sorted(span for span, _ in best_passages(claim, text, limit=_PARTS, size=_PART))
    found = []
    for part in spans or [Span(0, _PART)]:
        found += [
            Statement(one.text, Span(one.span.start + part.start, one.span.end + part.start))
            for one in read(part.of(text)).statements
        ]
    return ParsedText(text, tuple(found))


def share_of(wanted: frozenset[str], there: frozenset[str]) -> float:
    """The share of the wanted stems that are there, each by its rarity; 0 where nothing is wanted."""
    total = sum(rarity(term) for term in wanted)
    return sum(rarity(term) for term in wanted & there) / total if total else 0.0
