"""Vetoes on a weighed stance: reasons of the evidence why a support or a contradiction is neutral.

`AGAINST_SUPPORT` and `AGAINST_CONTRADICTION` are the whole lists; `bench.quality ablation` leaves out each in turn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise, product

from inquest.domain.finding import Stance
from inquest.entailment.changes import (
    changes_in,
    found_order,
    is_change,
    moves_to,
    shares_in,
    sign_of_result,
    stated_order,
    sums_in,
)
from inquest.entailment.direction import exchanged, lemma
from inquest.entailment.features import READ_ALONE, Evidence
from inquest.entailment.figures import MILLION, Met, differing, on_other_matter, same_digits
from inquest.entailment.framing import has, words_of
from inquest.entailment.modes import denied_in_part, only_forgoes, opposed_by, realised_by, turned_by, undone_by
from inquest.entailment.parsed_text import Statement, share_of
from inquest.text.entities import same_name
from inquest.text.quantities import LIMITS, Dimension, Quantity, Relation, compare
from inquest.text.regex import regex
from inquest.text.sentences import Span, content_words
from inquest.text.vocabulary import Negation

RESTATED = 0.6
"""Minimum share of a claim in a sentence that restates it."""
SAID_BESIDE = 0.9
"""Minimum share of a claim's other words in a sentence that matches its figures."""
_NEAREST = 5
"""Sentences closest to the claim that may restate it."""
_NOT_READ = 0.4
"""By how much neutral must exceed support in every window to veto it, for a passage given with the claim or with all of
its words; for other passages found by a search, any excess counts."""
_NEUTRAL_ALONE = 0.2
"""The same for a single sentence of such a page."""
_SHARED = 0.4
"""Minimum share of a claim in a sentence that may be quoted in support although the model does not read it so."""
_WHO_DOES = 2
"""Words between what is denied and the negation of its relative clause."""
_SAID = 0.12
"""Minimum share of a claim in a sentence that is about it."""

_SHARES = (
    (regex(r"\b(?:nearly|almost|virtually|practically)\s+(?:all|every\w*)\b", re.I), 80.0, 100.0),
    (regex(r"\b(?:most(?!\s+(?:\w+ly\s+)?\w+(?:ed|ing|ful|ous|ive|ant|ent|ble)\b)|majority)\b", re.I), 50.0, 100.0),
    (regex(r"\b(?:(?<!a\s)(?<!quite\s)few|hardly\s+any\w*|minority)\b", re.I), 0.0, 50.0),
    (regex(r"(?<!\bnot\s)\b(?:all|every\w*|each)\b.{0,60}", re.I), 100.0, 100.0),
)
"""Words for a share, with the minimum and maximum per cent."""
_EXCEPTED = 99.0
"""Per cent of 'all but three'."""

_SPANS = ("since", "until", "by")
_ACT = regex(r"\s+(?:(?:has|have|had|is|are|was|were|been|will|\w+ly)\s+)*(?P<act>\w+)\b", re.I)
"""The verb right after a subject."""
_BY = regex(r"\bby\b", re.I)
_MUTUAL = frozenset(map(lemma, "meet marry merge play join face talk speak sign agree".split()))
"""Verbs that say the same of both sides."""
_MINUS = ("-", "−", "–", "(")

Veto = Callable[[Evidence], bool]


def nothing_said(evidence: Evidence) -> bool:
    """No sentence shares words with the claim, and no model reads meaning."""
    return evidence.one_has < _SAID and not evidence.meanings


def stranger(evidence: Evidence) -> bool:
    """A passage found by a search is about another subject."""
    return evidence.found and bool(evidence.stranger)


def read_neutral(evidence: Evidence) -> bool:
    """The model reads every window as neutral; or, on a page found by a search, no single sentence as support, and none
    restates the claim, because the quote would be one of them."""
    if not evidence.meanings:
        return False
    lead = [one.neutral - one.supports for one in evidence.meanings]
    if not evidence.found or evidence.one_has >= SAID_BESIDE:
        return min(lead) > _NOT_READ
    alone = evidence.read_in("alone")
    unread = min((one.neutral - one.supports for one in alone), default=0.0) > _NEUTRAL_ALONE
    unquotable = bool(alone) and max(one.supports for one in alone) < READ_ALONE and evidence.one_has < _SHARED
    return min(lead) > 0 or (evidence.one_has < RESTATED and unread) or unquotable


def other_figure(evidence: Evidence) -> bool:
    """A figure of the claim differs, or is only in a sentence about something other than the nearest one, which has
    another, or levels that make another change."""
    if any(_changes_otherwise(one, evidence) for one in evidence.figures):
        return True
    differs = any(one.context >= RESTATED for one in evidence.met(Relation.DIFFERS))
    same = evidence.met(Relation.SAME)
    elsewhere = all(one.context < RESTATED and one.statement is not evidence.near[0] for one in same)
    return differs or (elsewhere and bool(same) and differing(evidence.claim, evidence.near[0]))


def _changes_otherwise(one: Met, evidence: Evidence) -> bool:
    if one.match is Relation.SAME and one.statement and one.found:
        return moves_to(evidence.claim, one.figure, one.statement, one.found) < 0
    changes = changes_in(evidence.near[0]) if one.match is not Relation.SAME else ()
    factors = [compare(one.figure, each) for each in changes if one.figure.dimension is Dimension.FACTOR]
    return Relation.DIFFERS in factors and Relation.SAME not in factors


def no_figure(evidence: Evidence) -> bool:
    """A passage found by a search has none of the claim's figures."""
    return evidence.found and bool(evidence.figures) and not evidence.met(Relation.SAME)


def same_figures(evidence: Evidence) -> bool:
    """Only the model's reading contradicts a sentence with the claim's figures and its other words."""
    met = evidence.figures
    if evidence.is_opposed or evidence.other_time:
        return False
    if not met:
        return has_dates(evidence)
    large = (one.figure.dimension is not Dimension.COUNT or one.figure.value >= MILLION for one in met if one.computed)
    least = RESTATED if any(large) else SAID_BESIDE
    return all(one.match is Relation.SAME and one.context >= least for one in met)


def has_dates(evidence: Evidence) -> bool:
    """True if a sentence has the claim's other words and, for its dates, more or less exact ones: '1934' and 'the
    1930s'."""
    said = frozenset(term for term in evidence.claim.terms if not any(map(str.isdigit, term)))
    return bool(evidence.dates) and all(
        one.found is not None
        and one.statement is not None
        and one.match is Relation.SAME
        and (one.found.start, one.found.end) != (one.moment.start, one.moment.end)
        and share_of(said, one.statement.terms) >= SAID_BESIDE
        for one in evidence.dates
    )


def only_a_limit(evidence: Evidence) -> bool:
    """A figure is only a limit."""
    return any(one.why == "limit" for one in evidence.figures)


def other_basis(evidence: Evidence) -> bool:
    """A figure has another basis."""
    return any(one.why in ("method", "matter", "period", "time") for one in evidence.met(Relation.NOT_COMPARABLE))


def not_comparable(evidence: Evidence) -> bool:
    """A figure has another basis or complies with the claim's limit (350 is at least 200), and no word opposes the
    claim."""
    within = (one for one in evidence.met(Relation.SAME) if one.figure.bound in LIMITS and one.found)
    complies = any(one.found and one.found.value != one.figure.value for one in within)
    return not evidence.is_opposed and (complies or bool(evidence.met(Relation.NOT_COMPARABLE)))


def negated(evidence: Evidence) -> bool:
    """The sentences have an odd number of further negations over the shared words or those of a part."""
    return all(turned_by(evidence.claim, one) or denied_in_part(evidence.claim, one) for one in _deciding(evidence))


def opposed(evidence: Evidence) -> bool:
    """The sentences have the claim's words but for one, and its opposite instead."""
    return all(opposed_by(evidence.claim, one) for one in _deciding(evidence))


def unrealised(evidence: Evidence) -> bool:
    """The claim is a fact, and the sentences state something planned, expected or possible."""
    return not any(realised_by(evidence.claim, one) for one in _deciding(evidence))


def unrealised_figure(evidence: Evidence) -> bool:
    """The other figure is one of something planned, expected or possible."""
    other = (one.statement for one in evidence.met(Relation.DIFFERS) if one.statement)
    return evidence.direction.opposed is None and any(not realised_by(evidence.claim, one) for one in other)


def undone(evidence: Evidence) -> bool:
    """The claim states an act, the sentences end or forbid something or only name the act, and the model reads no
    support."""
    if evidence.reads(Stance.SUPPORTS) or evidence.claim.negations or any(one.sign < 0 for one in evidence.claim.poles):
        return False
    return all(undone_by(evidence.claim, one) for one in _deciding(evidence))


def _deciding(evidence: Evidence) -> list[Statement]:
    """Return the sentences that restate the claim; if none does, the one that a support rests on."""
    near = [one.statement for one in evidence.ranked[:_NEAREST] if one.words >= RESTATED]
    return near or [evidence.sentence_for(Stance.SUPPORTS)]


def taken_back(evidence: Evidence) -> bool:
    """The sentences correct or withdraw what they repeat, or the passage calls it false."""
    if has("withdrawn", evidence.claim.text):
        return False
    return all(has("withdrawn", one.text) or evidence.calls_false(one) for one in _deciding(evidence))


def uncaused(evidence: Evidence) -> bool:
    """The claim names a cause, and the sentences none."""
    return has("caused", evidence.claim.text) and not any(has("links", one.text) for one in _deciding(evidence))


def counts_others(evidence: Evidence) -> bool:
    """The claim's number counts something else or has another unit or currency, or a number of nothing in particular
    is outside the claim's limit, or a sum of parts is another."""
    sums = [one for one in sums_in(evidence.near[0]) if not one.nouns]
    pairs = product((one.figure for one in evidence.met(Relation.ABSENT)), (*evidence.near[0].figures, *sums))
    return any(
        other.value == one.value or same_digits(one, other)
        if _is_named(one) and _is_named(other)
        else (one.bound in LIMITS or other in sums) and compare(one, other) is Relation.DIFFERS
        for one, other in pairs
    )


def _is_named(figure: Quantity) -> bool:
    return bool(figure.nouns) or figure.dimension not in (Dimension.COUNT, Dimension.LIMIT)


def denied_twice(evidence: Evidence) -> bool:
    """The sentence denies the opposite of the claim, calls false what may be its opposite, denies the same or another
    act, or restates it with two negations: 'did not reject', 'could not fail to see'."""
    place = evidence.sentence_for(Stance.CONTRADICTS)
    if evidence.calls_false(place):
        return True
    if evidence.direction.opposed or (evidence.claim.negations and (evidence.direction.negated or not place.negations)):
        return False
    if only_forgoes(evidence.claim, place) or (place is evidence.near[0] and evidence.direction.denies_opposite):
        return True
    if share_of(evidence.claim.terms, place.terms) < RESTATED or evidence.met(Relation.DIFFERS):
        return False
    pairs = pairwise(place.negations)
    return bool(evidence.claim.negations) or any(_is_denied(other.cue, one, place.text) for one, other in pairs)


def _is_denied(cue: Span, by: Negation, text: str) -> bool:
    """True for a negation in the scope of another, or in a relative clause on what it denies: 'no one who does not'."""
    between = text[by.scope.end : cue.start]
    return cue.start < by.scope.end or (len(between.split()) <= _WHO_DOES and between[:1].isspace())


def unread(evidence: Evidence) -> bool:
    """Only a negation shows a contradiction, the model reads none, and the sentence lacks a word of the claim, which
    may deny, too: 'detected no lead', 'lead was absent'."""
    if not evidence.meanings or not evidence.direction.negated or evidence.reads(Stance.CONTRADICTS):
        return False
    return not (evidence.other_time or evidence.met(Relation.DIFFERS) or evidence.one_has >= SAID_BESIDE)


def asserts_something_else(evidence: Evidence) -> bool:
    """The claim is a denial, and the sentence of a page denies nothing and lacks what the claim denies."""
    if not evidence.found or evidence.direction.opposed or evidence.other_time or evidence.met(Relation.DIFFERS):
        return False
    place = evidence.sentence_for(Stance.CONTRADICTS)
    return bool(evidence.claim.negations) and not place.negations and not turned_by(evidence.claim, place)


def only_cleared(evidence: Evidence) -> bool:
    """The claim is an accusation, and the sentence denies what somebody is accused of: whoever is cleared was charged;
    or the claim is that somebody denies something, and in the passage somebody does."""
    if has("denying", evidence.claim.text):
        return any(has("denying", one.text) for one in evidence.near[:_NEAREST])
    if evidence.direction.opposed or not evidence.direction.negated or not has("accused", evidence.claim.text):
        return False
    return not turned_by(evidence.claim, evidence.sentence_for(Stance.CONTRADICTS))


def other_share(evidence: Evidence) -> bool:
    """The claim says 'most' or 'few', and the share is neither."""
    return outside_share(evidence, _deciding(evidence))


def other_sign(evidence: Evidence) -> bool:
    """The passage has a loss, a negative figure or a fall from one level to another, and the claim, without figures,
    names no fall or loss; the same for a rise. Or the claim compares, and the passage only has two levels."""
    return _has_same_sign(evidence) is False or _is_uncompared(evidence)


def same_sign(evidence: Evidence) -> bool:
    """The same, and the claim names one, too. Or the claim compares, and the passage only has two levels."""
    return _has_same_sign(evidence) is True or _is_uncompared(evidence)


def _is_uncompared(evidence: Evidence) -> bool:
    """True for a claim without figures that compares, and two levels of which it is not clear whose they are."""
    orders = (found_order(evidence.claim, one) for one in _deciding(evidence))
    return not evidence.claim.figures and None in orders


def _has_same_sign(evidence: Evidence) -> bool | None:
    """Compare the directions of a claim without figures and of the passage's figures; None if either has none."""
    if evidence.claim.figures:
        return None
    deciding = _deciding(evidence)
    if is_below_zero(evidence, deciding):
        return any(pole.sign < 0 for pole in evidence.claim.poles)
    return has_order(evidence, deciding)


def has_order(evidence: Evidence, deciding: Sequence[Statement]) -> bool | None:
    """Compare a claim's rise, fall or comparison with the levels of the sentences; None if either has none."""
    moves, wanted = {found_order(evidence.claim, one) for one in deciding}, stated_order(evidence.claim)
    return moves == wanted if len(wanted) == len(moves) == 1 and moves.isdisjoint((0, None)) else None


def other_matter(evidence: Evidence) -> bool:
    """Something else on a page rises or falls: 'births fell' for 'the population grew'."""
    if not (evidence.found and evidence.claim.moves and not evidence.claim.figures and evidence.direction.opposed):
        return False
    return on_other_matter(evidence.claim, evidence.sentence_for(Stance.CONTRADICTS))


def other_span(evidence: Evidence) -> bool:
    """The claim has an amount within a time, and the passage the same amount since then, or until then."""
    same = [(one.found, one.moment) for one in evidence.dates if one.match is Relation.SAME and one.found]
    spans = bool(same) and all(found.order in _SPANS and mine.order not in _SPANS for found, mine in same)
    return spans and bool(evidence.claim.figures)


def swapped(evidence: Evidence) -> bool:
    """The sentences swap the claim's two names around the same verb: 'Norra beat Kelmar' and 'Kelmar beat Norra',
    unless one of the two is passive."""
    return all(_is_swapped(evidence.claim, one) for one in _deciding(evidence))


def swapped_opposite(evidence: Evidence) -> bool:
    """The sentence swaps the claim's two names around the opposite of its verb."""
    differs = evidence.met(Relation.DIFFERS)
    return not differs and exchanged(evidence.claim, evidence.sentence_for(Stance.CONTRADICTS))


def _is_swapped(claim: Statement, sentence: Statement) -> bool:
    if len(claim.names) < 2:
        return False
    first, second = claim.names[:2]
    there = [next((one for one in sentence.names if same_name(name.text, one.text)), None) for name in (first, second)]
    if there[0] is None or there[1] is None or there[0].span.start < there[1].span.start:
        return False
    mine = _ACT.match(claim.text, first.span.end, second.span.start)
    theirs = _ACT.match(sentence.text, there[1].span.end, there[0].span.start)
    if mine is None or theirs is None or lemma(mine["act"]) != lemma(theirs["act"]) or lemma(mine["act"]) in _MUTUAL:
        return False
    return bool(_BY.search(claim.text, mine.end(), second.span.start)) is bool(
        _BY.search(sentence.text, theirs.end(), there[0].span.start)
    )


def outside_share(evidence: Evidence, deciding: Sequence[Statement]) -> bool:
    """True if the claim has a word for a share ('most', 'few') and the sentences only shares that it excludes."""
    claim = evidence.claim.text
    named = next(((found[0], low, high) for each, low, high in _SHARES if (found := each.search(claim))), None)
    if named is None or has("excepted", claim):
        return False
    word, low, high = named
    whole = set(content_words(word)) or evidence.claim.terms
    excepted = [one for one in deciding if whole & set(content_words(words_of("excepted", one.text)))]
    shares = [_EXCEPTED for _ in excepted] + [
        figure.value
        for one in deciding
        for figure in (*one.figures, *shares_in(one))
        if figure.dimension is Dimension.SHARE and low < _EXCEPTED and not is_change(one.text, figure)
    ]
    return bool(shares) and not any(low <= share <= high for share in shares)


def is_below_zero(evidence: Evidence, deciding: Sequence[Statement]) -> bool:
    """True if the claim has no figure and those of the sentences are negative, as written or as losses."""
    about = [one for one in deciding if share_of(evidence.claim.terms, one.terms) >= _SHARED]
    figures = [] if evidence.claim.figures else [(one.text, figure) for one in about for figure in one.figures[:1]]
    below = (figure.text.startswith(_MINUS) or sign_of_result(text, figure) < 0 for text, figure in figures)
    return bool(figures) and all(below)


AGAINST_SUPPORT: tuple[Veto, ...] = (
    nothing_said, stranger, read_neutral, other_figure, no_figure, other_basis, negated, opposed, unrealised,
    taken_back, uncaused, counts_others, other_share, other_sign, other_span, swapped, undone,
)  # fmt: skip
AGAINST_CONTRADICTION: tuple[Veto, ...] = (
    nothing_said, stranger, same_figures, only_a_limit, not_comparable, unrealised_figure, denied_twice, same_sign,
    other_matter, swapped_opposite, asserts_something_else, only_cleared, unread,
)  # fmt: skip


def allowed(evidence: Evidence, stance: Stance) -> Stance:
    """Return the stance, or neutral if a veto applies."""
    vetoes = {Stance.SUPPORTS: AGAINST_SUPPORT, Stance.CONTRADICTS: AGAINST_CONTRADICTION}.get(stance, ())
    return Stance.NEUTRAL if any(veto(evidence) for veto in vetoes) else stance
