"""Parsed texts: sentences with their words, figures, dates, names and direction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property, lru_cache
from typing import NamedTuple

from inquest.entailment.limits import limits
from inquest.text.company_names import LEGAL_WORDS
from inquest.text.entities import Name, NameKind, is_likely, names
from inquest.text.lexicon import pattern
from inquest.text.moments import Moment, moments, with_days
from inquest.text.quantities import Quantity, quantities
from inquest.text.regex import regex
from inquest.text.sentences import Span, content_words, sentences
from inquest.text.similarity import best_passages
from inquest.text.vocabulary import Negation, Pole, negations, poles, rarity

ASIDE = regex(r",(?P<part>\s[^,;:.]+),(?P<kept>\s)")
"""A part of a sentence between two commas."""
_ITEM_NUMBER = regex(r"\(?\d{1,3}(?:\.\d{1,3})*[.)]")
"""The number of a paragraph or an item, not a figure: '14.'."""
YEAR = regex(r"\b(?:19|20)\d\d\b")
_PLACED = pattern(__name__, "placed")
"""Words before a name that make it a place, time or agent, not a subject."""
_LONG = 60_000
"""Characters; of a longer text only the parts with most of the claim's words are read."""
_PARTS, _PART = 16, 2_000
_SENTENCE = 1_500
"""Characters after which text without a full stop is split: tables and lists of links."""


@dataclass(frozen=True)
class Statement:
    """A sentence of a passage, or a whole claim. Its parts are computed on first use and cached."""

    text: str
    span: Span
    """Its position in the text."""

    @cached_property
    def terms(self) -> frozenset[str]:
        """Stems of its content words."""
        return frozenset(content_words(self.text))

    @cached_property
    def figures(self) -> tuple[Quantity, ...]:
        """Amounts, counts, shares, and multiples of a limit."""
        limited = limits(self.text)
        others = (one for one in quantities(self.text) if not any(one.span.meets(other.span) for other in limited))
        return tuple(sorted((*others, *limited), key=lambda one: one.span))

    @cached_property
    def moments(self) -> tuple[Moment, ...]:
        """Dates that need no reference date."""
        return moments(self.text)

    @cached_property
    def names(self) -> tuple[Name, ...]:
        """Certain and likely names."""
        return tuple(name for name in names(self.text) if is_likely(name))

    @cached_property
    def subjects(self) -> tuple[str, ...]:
        """The names that it is about, without those that only say where."""
        about = (name for name in self.names if name.kind is not NameKind.PLACE)
        return tuple(name.text for name in about if not _PLACED.search(self.text[: name.span.start]))

    @cached_property
    def said(self) -> frozenset[str]:
        """Stems of its content words that are in no name; all, if it has no others."""
        named = frozenset(term for name in self.names for term in content_words(name.text)) | LEGAL_WORDS
        return (self.terms - named) or self.terms

    @cached_property
    def negations(self) -> tuple[Negation, ...]:
        """Negations with their scope."""
        return negations(self.text)

    @cached_property
    def poles(self) -> tuple[Pole, ...]:
        """Words with an opposite, with their direction."""
        return poles(self.text, self.negations)

    @property
    def moves(self) -> set[int]:
        """Signs of its words for a rise (1) or fall (-1)."""
        return {pole.sign for pole in self.poles if pole.axis == "amount"}

    @property
    def asks(self) -> bool:
        """True for a question."""
        return self.text.rstrip("\"”’') ").endswith("?")


@dataclass(frozen=True)
class ParsedText:
    text: str
    statements: tuple[Statement, ...]

    def with_rows(self, rows: Sequence[tuple[Span, str]], claim: Statement) -> ParsedText:
        """Replace bare table cells by the rows' text under their headers; spans stay those of the text. Of rows that
        differ in the claim's names and years, only those with most of them are kept."""
        if not rows:
            return self
        years = frozenset(YEAR.findall(claim.text))
        marks = frozenset(term for name in claim.names for term in content_words(name.text)) | years
        shared = [len(marks & {*content_words(said), *YEAR.findall(said)}) for _, said in rows]
        about = [row for row, share in zip(rows, shared, strict=True) if share == max(shared)]
        spoken = []
        for one in self.statements:
            said = next((said for span, said in about if one.span.meets(span)), "")
            if said or not any(one.span.meets(span) for span, _ in rows):
                spoken.append(replace(one, text=said) if said else one)
        return ParsedText("\n".join(one.text for one in spoken), tuple(spoken))


class Page(NamedTuple):
    """Data on the document of a passage."""

    title: str = ""
    lead: str = ""
    """Its opening, which usually names the subject."""
    day: date | None = None
    """Its date, if known, which resolves 'on Thursday'."""
    terms: frozenset[str] = frozenset()
    """Stems of the claim found elsewhere in the document, as far as known."""
    rows: tuple[tuple[Span, str], ...] = ()
    """The table rows in the passage, each with its text under the column headers."""

    @property
    def around(self) -> str:
        """Title and opening, which may name the subject of the passage."""
        return f"{self.title}\n\n{self.lead}"


@lru_cache(maxsize=4096)
def statement_of(text: str) -> Statement:
    """Parse a claim as one statement, even if it has several sentences."""
    return Statement(text.strip(), Span(0, len(text)))


@lru_cache(maxsize=512)
def read(text: str, day: date | None = None) -> ParsedText:
    """Split a text into sentences; a text without any (a table, a list of links) into pieces of at most 1,500
    characters. `day`: when it was written; 'on Tuesday' is then read as '3 December 2024', as in claims."""
    found, whole = [], text
    for span in sentences(text):
        for start in range(span.start, span.end, _SENTENCE):
            part = Span(start, min(start + _SENTENCE, span.end))
            written = part.of(text)
            if _ITEM_NUMBER.fullmatch(written):
                continue
            dated = with_days(written, day)
            if dated != written:
                whole = whole.replace(written, dated, 1)
            found.append(Statement(dated, part))
    return ParsedText(whole, tuple(found))


def read_best(claim: str, text: str, day: date | None = None) -> ParsedText:
    """Split as `read`; of a very long text only the parts with most of the claim's words, in order."""
    if len(text) <= _LONG:
        return read(text, day)
    spans = sorted(span for span, _ in best_passages(claim, text, limit=_PARTS, size=_PART))
    found = []
    for part in spans or [Span(0, _PART)]:
        found += [
            Statement(one.text, Span(one.span.start + part.start, one.span.end + part.start))
            for one in read(part.of(text), day).statements
        ]
    return ParsedText(text, tuple(found))


def share_of(wanted: frozenset[str], there: frozenset[str]) -> float:
    """Return the share of the wanted stems that are there, weighted by rarity; 0 if none is wanted."""
    total = sum(rarity(term) for term in wanted)
    return sum(rarity(term) for term in wanted & there) / total if total else 0.0
