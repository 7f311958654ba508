"""The direction of two statements: a negation in only one, and words that exclude each other."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from inquest.entailment.parsed_text import Statement
from inquest.text.entities import same_name
from inquest.text.quantities import LIMITS
from inquest.text.regex import regex
from inquest.text.sentences import Span, content_words, stem, words
from inquest.text.vocabulary import IRREGULAR, is_negated

_PREFIX = regex(
    r"un-?(?=\w{4})|non-?(?=\w{4})|(?:in|im|il|ir|dis)(?=\w{2,}(?:[ai]ble|[ae]nt|ate|ect|ete|al|ive|ious|est|er)$)"
)
_NEAR = 30
"""Characters from a negation to the figure whose limit it reverses."""


@dataclass(frozen=True)
class Direction:
    """The direction of a sentence relative to the claim."""

    negated: bool
    """One statement denies the other."""
    opposed: tuple[str, str] | None
    """A word of the claim and its opposite in the sentence."""
    agreeing: bool
    """Both have words of one direction and none of opposite ones."""
    denies_opposite: bool
    """One denies the opposite of the other's word: 'approved', 'did not reject'."""


def compare_direction(claim: Statement, sentence: Statement) -> Direction:
    """Compare the directions of both, including their negations."""
    opposed = opposed_words(claim, sentence)
    shared = _lemmas(claim.text) & _lemmas(sentence.text)
    same = _denies_opposite(claim, sentence)
    negated = _negates(claim, shared) != _negates(sentence, shared) and not same
    if opposed is not None and content_words(opposed[0]) == content_words(opposed[1]):
        opposed, negated = None, True
    mine, theirs = ({(pole.axis, pole.sign) for pole in one.poles} for one in (claim, sentence))
    return Direction(negated, opposed, opposed is None and not negated and bool(mine & theirs), same)


def opposed_words(claim: Statement, sentence: Statement, *, plain: bool = False) -> tuple[str, str] | None:
    """Return a word of the claim and a word of the sentence that excludes it, with their negations, or None. `plain`:
    ignore negations, as in a statement that the sentence calls untrue."""
    mine, theirs = (
        {(pole.axis, -pole.sign if plain and pole.negated else pole.sign): pole for pole in one.poles}
        for one in (claim, sentence)
    )
    for (axis, sign), pole in mine.items():
        other = theirs.get((axis, -sign))
        if other is None or (axis, sign) in theirs or (axis, -sign) in mine:
            continue
        pair = pole.span.of(claim.text), other.span.of(sentence.text)
        both_deny = claim.negations and sentence.negations and lemma(pair[0]) == lemma(pair[1])
        if not both_deny and not _is_exchanged(claim, pole.span, sentence, other.span):
            return pair
    return _prefixed(claim, sentence) or _prefixed(sentence, claim)


def exchanged(claim: Statement, sentence: Statement) -> bool:
    """True if words of one axis have other bearers, and the claim's is named after its word: 'Norra won', 'Kelmar lost
    to Norra'. They oppose nothing."""
    return any(
        mine.axis == other.axis and mine.sign != other.sign and _is_exchanged(claim, mine.span, sentence, other.span)
        for mine in claim.poles
        for other in sentence.poles
    )


def _is_exchanged(claim: Statement, mine: Span, sentence: Statement, theirs: Span) -> bool:
    bearer = next((one.text for one in reversed(claim.names) if one.span.end <= mine.start), "")
    before = [one.text for one in sentence.names if one.span.end <= theirs.start]
    after = [one.text for one in sentence.names if one.span.start >= theirs.end]
    if not bearer or not before or any(same_name(bearer, one) for one in before):
        return False
    return any(same_name(bearer, one) for one in after)


def _denies_opposite(claim: Statement, sentence: Statement) -> bool:
    """True if one negates the opposite of the other's word: 'approved', 'did not reject'; 'not hurt', 'unhurt'."""
    turned = any(
        mine.axis == other.axis
        and mine.sign == other.sign
        and mine.negated != other.negated
        and lemma(mine.span.of(claim.text)) != lemma(other.span.of(sentence.text))
        for mine in claim.poles
        for other in sentence.poles
    )
    return turned or any(_prefixed(*pair, alike=False) for pair in ((claim, sentence), (sentence, claim)))


def _prefixed(one: Statement, other: Statement, *, alike: bool = True) -> tuple[str, str] | None:
    """Return a word of one statement and its negation by a prefix in the other ('reliable', 'unreliable'), if both are
    negated or neither (`alike`), or only one is."""
    both = {span.of(other.text).lower() for span in words(other.text)}
    plain = {word: span for span in words(one.text) if (word := span.of(one.text).lower()) not in both}
    for span in words(other.text):
        word = span.of(other.text).lower()
        prefix = _PREFIX.match(word)
        bare = plain.get(word[prefix.end() :]) if prefix else None
        if bare and (is_negated(bare, one.negations) == is_negated(span, other.negations)) is alike:
            return bare.of(one.text), span.of(other.text)
    return None


def _negates(statement: Statement, shared: frozenset[str]) -> bool:
    """True for an odd number of negations over shared words that are nowhere else in the statement. A negation that
    only reverses a limit ('never exceeded 40') is part of the figure."""
    text = statement.text
    denied = (one.scope for one in statement.negations if not _turns_a_limit(one.scope, statement))
    others = ((scope, _lemmas(f"{text[: scope.start]} {text[scope.end :]}")) for scope in denied)
    return sum(bool(shared & _lemmas(scope.of(text)) - other) for scope, other in others) % 2 == 1


@lru_cache(maxsize=8_192)
def lemma(word: str) -> str:
    """Return the stem of a word, of an irregular verb that of its base form; 'move' and 'moved' have the same."""
    return stem(IRREGULAR.get(word.lower(), word)).removesuffix("e")


@lru_cache(maxsize=8_192)
def _lemmas(text: str) -> frozenset[str]:
    """The stems of the content words, and those of the base forms of irregular verbs."""
    return frozenset(content_words(text)) | {
        lemma(word) for span in words(text) if (word := span.of(text)) in IRREGULAR
    }


def _turns_a_limit(scope: Span, statement: Statement) -> bool:
    limited = (one for one in statement.figures if one.bound in LIMITS)
    return any(0 <= one.span.start - scope.start <= _NEAR for one in limited)
