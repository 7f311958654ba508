"""Vetoes on a weighed stance: functions of the evidence, the numbers and the stance.

A veto makes the stance neutral. `VETOES` is the whole list; `bench.quality ablation` leaves out each in turn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from inquest.domain.finding import Stance
from inquest.entailment.changes import changes_in, is_change, moved, moves_to, shares_in, sign_of_result
from inquest.entailment.dates import DateMatch
from inquest.entailment.direction import exchanged, lemma
from inquest.entailment.features import READ_ALONE, Evidence
from inquest.entailment.figures import FigureMatch, Met, differing, on_other_matter, same_digits
from inquest.entailment.framing import has, words_of
from inquest.entailment.modes import denied_in_part, only_forgoes, opposed_by, realised_by, turned_by
from inquest.entailment.parsed_text import Statement, share_of
from inquest.text.entities import same_name
from inquest.text.quantities import LIMITS, Dimension, Quantity, Relation, compare
from inquest.text.regex import regex
from inquest.text.sentences import Span, content_words
from inquest.text.vocabulary import Negation

__all__ = ["RESTATED", "SAID_BESIDE", "VETOES", "Veto", "allowed", "has_dates", "is_below_zero", "outside_share"]

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

Veto = Callable[[Evidence, Mapping[str, float], Stance], bool]


def nothing_said(evidence: Evidence, numbers: Mapping[str, float], stance: Stance) -> bool:
    """No sentence shares words with the claim, and no model reads meaning."""
    return numbers["one_has"] < _SAID and not evidence.meanings


def read_neutral(evidence: Evidence, numbers: Mapping[str, float], stance: Stance) -> bool:
    """No support if the model reads every window as neutral; nor from a page found by a search if it reads no
    single sentence as support and none restates the claim, because the quote would be one of them."""
    if stance is not Stance.SUPPORTS or not evidence.meanings:
        return False
    lead = [one.neutral - one.supports for one in evidence.meanings]
    if not evidence.found or numbers["one_has"] >= SAID_BESIDE:
        return min(lead) > _NOT_READ
    alone = evidence.read_in("alone")
    unread = min((one.neutral - one.supports for one in alone), default=0.0) > _NEUTRAL_ALONE
    unquotable = bool(alone) and max(one.supports for one in alone) < READ_ALONE and numbers["one_has"] < _SHARED
    return min(lead) > 0 or (numbers["one_has"] < RESTATED and unread) or unquotable


def stranger(evidence: Evidence, numbers: Mapping[str, float], stance: Stance) -> bool:
    """A passage found by a search is about another subject."""
    return evidence.found and bool(evidence.names.stranger)


def other_figure(evidence: Evidence, numbers: Mapping[str, float], stance: Stance) -> bool:
    """No support if a figure of the claim differs, or is only in a sentence about something other than the nearest one,
    which has another, or levels that make another change."""
    if stance is not Stance.SUPPORTS:
        return False
    if any(_changes_otherwise(one, evidence) for one in evidence.figures):
        return True
    differs = (one.match is FigureMatch.DIFFERS and one.context >= RESTATED for one in evidence.figures)
    same = [one for one in evidence.figures if one.match is FigureMatch.SAME]
    elsewhere = all(one.context < RESTATED and one.statement is not evidence.near[0] for one in same)
    return any(differs) or (elsewhere and bool(same) and differing(evidence.claim, evidence.near[0]))


def _changes_otherwise(one: Met, evidence: Evidence) -> bool:
    if one.match is FigureMatch.SAME and one.statement and one.found:
        return moves_to(evidence.claim, one.figure, one.statement, one.found) < 0
    changes = changes_in(evidence.near[0]) if one.match is not FigureMatch.SAME else ()
    factors = [compare(one.figure, each) for each in changes if one.figure.dimension is Dimension.FACTOR]
    return Relation.DIFFERS in factors and Relation.SAME not in factors


def no_figure(evidence: Evidence, numbers: Mapping[str, float], stance: Stance) -> bool:
    """No support from a passage found by a search that has none of the claim's figures."""
    met = any(one.match is FigureMatch.SAME for one in evidence.figures)
    return stance is Stance.SUPPORTS and evidence.found and bool(evidence.figures) and not met


def same_figures(evidence: Evidence, numbers: Mapping[str, float], stance: Stance) -> bool:
    """No contradiction from the model's reading alone of a sentence with the claim's figures and its other words."""
    met, opposed = evidence.figures, evidence.direction.opposed or evidence.direction.negated
    if stance is not Stance.CONTRADICTS or opposed or evidence.other_time:
        return False
    if not met:
        return has_dates(evidence)
    least = (
        RESTATED if any(one.computed and one.figure.dimension is not Dimension.COUNT for one in met) else SAID_BESIDE
    )
    return all(one.match is FigureMatch.SAME and one.context >= least for one in met)


def has_dates(evidence: Evidence) -> bool:
    """True if a sentence has the claim's other words and, for its dates, more or less exact ones: '1934' and 'the
    1930s'."""
    said = frozenset(term for term in evidence.claim.terms if not any(map(str.isdigit, term)))
    return bool(evidence.dates) and all(
        one.found is not None
        and one.statement is not None
        and one.match is DateMatch.SAME
        and (one.found.start, one.found.end) != (one.moment.start, one.moment.end)
        and share_of(said, one.statement.terms) >= SAID_BESIDE
        for one in evidence.dates
    )


def only_a_limit(evidence: Evidence, numbers: Mapping[str, float], stance: Stance) -> bool:
    """No contradiction from a figure that is only a limit."""
    return stance is Stance.CONTRADICTS and any(one.why == "limit" for one in evidence.figures)


def other_basis(evidence: Evidence, numbers: Mapping[str, float], stance: Stance) -> bool:
    """No support from figures of another basis; nor a contradiction from them, or from one within the claim's
    limit, unless a word opposes the claim."""
    if stance is Stance.SUPPORTS:
        other = (one.why for one in evidence.figures if one.match is FigureMatch.NOT_COMPARABLE)
        return any(why in ("method", "matter", "period", "time") for why in other)
    if stance is not Stance.CONTRADICTS or evidence.direction.opposed or evidence.direction.negated:
        return False
    return any(one.match is FigureMatch.NOT_COMPARABLE or _keeps_the_limit(one) for one in evidence.figures)


def _keeps_the_limit(one: Met) -> bool:
    """True if the claim gives a limit and the passage another figure that complies: 350 is at least 200."""
    limited = one.figure.bound in LIMITS
    return limited and one.found is not None and one.match is FigureMatch.SAME and one.found.value != one.figure.value


def negated(evidence: Evidence, numbers: Mapping[str, float], stance: Stance) -> bool:
    """No support from sentences with an odd number of further negations over the shared words or those of a part."""
    if stance is not Stance.SUPPORTS:
        return False
    return all(turned_by(evidence.claim, one) or denied_in_part(evidence.claim, one) for one in _deciding(evidence))


def opposed(evidence: Evidence, numbers: Mapping[str, float], stance: Stance) -> bool:
    """No support from sentences that have the claim's words but for one, and its opposite instead."""
    return stance is Stance.SUPPORTS and all(opposed_by(evidence.claim, one) for one in _deciding(evidence))


def unrealised(evidence: Evidence, numbers: Mapping[str, float], stance: Stance) -> bool:
    """No support for a fact from something planned, expected or possible; nor a contradiction from its figure."""
    if stance is Stance.CONTRADICTS:
        other = (one.statement for one in evidence.figures if one.match is FigureMatch.DIFFERS and one.statement)
        return evidence.direction.opposed is None and any(not realised_by(evidence.claim, one) for one in other)
    return stance is Stance.SUPPORTS and not any(realised_by(evidence.claim, one) for one in _deciding(evidence))


def _deciding(evidence: Evidence) -> list[Statement]:
    """Return the sentences that restate the claim; if none does, the one that a support rests on."""
    near = [one.statement for one in evidence.ranked[:_NEAREST] if one.words >= RESTATED]
    return near or [evidence.sentence_for(Stance.SUPPORTS)]


def taken_back(evidence: Evidence, numbers: Mapping[str, float], stance: Stance) -> bool:
    """No support from sentences that correct or withdraw what they repeat, or that the passage calls false."""
    if stance is not Stance.SUPPORTS or has("withdrawn", evidence.claim.text):
        return False
    return all(has("withdrawn", one.text) or evidence.calls_false(one) for one in _deciding(evidence))


def uncaused(evidence: Evidence, numbers: Mapping[str, float], stance: Stance) -> bool:
    """No support for a cause from sentences that name none."""
    if stance is not Stance.SUPPORTS or not has("caused", evidence.claim.text):
        return False
    return not any(has("links", one.text) for one in _deciding(evidence))


def counts_others(evidence: Evidence, numbers: Mapping[str, float], stance: Stance) -> bool:
    """No support from the claim's number if it counts something else or has another unit or currency."""
    return stance is Stance.SUPPORTS and any(
        one.match is FigureMatch.ABSENT and _is_named(one.figure) and _has_number(one.figure, evidence.near[0])
        for one in evidence.figures
    )


def _has_number(figure: Quantity, statement: Statement) -> bool:
    same = (other for other in statement.figures if other.value == figure.value or same_digits(figure, other))
    return any(_is_named(other) for other in same)


def _is_named(figure: Quantity) -> bool:
    return bool(figure.nouns) or figure.dimension not in (Dimension.COUNT, Dimension.LIMIT)


def denied_twice(evidence: Evidence, numbers: Mapping[str, float], stance: Stance) -> bool:
    """No contradiction from a sentence that denies the opposite of the claim, calls false what may be its opposite,
    denies the same or another act, or restates it with two negations: 'did not reject', 'could not fail to see'."""
    place = evidence.sentence_for(stance)
    if stance is not Stance.CONTRADICTS or evidence.calls_false(place):
        return stance is Stance.CONTRADICTS
    if evidence.direction.opposed or (evidence.claim.negations and (evidence.direction.negated or not place.negations)):
        return False
    if only_forgoes(evidence.claim, place) or (place is evidence.near[0] and evidence.direction.denies_opposite):
        return True
    if share_of(evidence.claim.terms, place.terms) < RESTATED:
        return False
    twice = bool(evidence.claim.negations) or any(
        _is_denied(other.cue, one, place.text) for one, other in pairwise(place.negations)
    )
    return twice and all(one.match is not FigureMatch.DIFFERS for one in evidence.figures)


def _is_denied(cue: Span, by: Negation, text: str) -> bool:
    """True for a negation in the scope of another, or in a relative clause on what it denies: 'no one who does not'."""
    between = text[by.scope.end : cue.start]
    return cue.start < by.scope.end or (len(between.split()) <= _WHO_DOES and between[:1].isspace())


def asserts_something_else(evidence: Evidence, numbers: Mapping[str, float], stance: Stance) -> bool:
    """No contradiction of a denial from a sentence of a page that denies nothing and lacks what the claim
    denies."""
    if stance is not Stance.CONTRADICTS or not evidence.found or evidence.direction.opposed or evidence.other_time:
        return False
    place = evidence.sentence_for(stance)
    differs = any(one.match is FigureMatch.DIFFERS for one in evidence.figures)
    affirms = bool(evidence.claim.negations) and not place.negations
    return affirms and not differs and not turned_by(evidence.claim, place)


def only_cleared(evidence: Evidence, numbers: Mapping[str, float], stance: Stance) -> bool:
    """No contradiction of an accusation from a denial of what somebody is accused of: whoever is cleared was charged;
    nor of a claim that somebody denies something from a passage in which somebody does."""
    if stance is Stance.CONTRADICTS and has("denying", evidence.claim.text):
        return any(has("denying", one.text) for one in evidence.near[:_NEAREST])
    if stance is not Stance.CONTRADICTS or evidence.direction.opposed or not evidence.direction.negated:
        return False
    return has("accused", evidence.claim.text) and not turned_by(evidence.claim, evidence.sentence_for(stance))


def other_share(evidence: Evidence, numbers: Mapping[str, float], stance: Stance) -> bool:
    """No support for 'most' or 'few' from a share that is neither."""
    return stance is Stance.SUPPORTS and outside_share(evidence, _deciding(evidence))


def other_sign(evidence: Evidence, numbers: Mapping[str, float], stance: Stance) -> bool:
    """No support from a loss, a negative figure or a fall from one level to another for a claim without figures that
    names no fall or loss, and no contradiction of one that does; the same for a rise."""
    if stance is Stance.NEUTRAL or evidence.claim.figures:
        return False
    deciding = _deciding(evidence)
    if is_below_zero(evidence, deciding):
        return any(pole.sign < 0 for pole in evidence.claim.poles) is (stance is Stance.CONTRADICTS)
    moves, wanted = (
        {moved(one) for one in deciding},
        {pole.sign for pole in evidence.claim.poles if pole.axis == "amount"},
    )
    return (
        len(wanted) == 1 and len(moves) == 1 and 0 not in moves and (moves == wanted) is (stance is Stance.CONTRADICTS)
    )


def other_matter(evidence: Evidence, numbers: Mapping[str, float], stance: Stance) -> bool:
    """No contradiction from a rise or fall of something else on a page: 'births fell' for 'the population grew'."""
    changes = any(pole.axis == "amount" for pole in evidence.claim.poles) and not evidence.claim.figures
    if not (evidence.found and stance is Stance.CONTRADICTS and changes and evidence.direction.opposed):
        return False
    return on_other_matter(evidence.claim, evidence.sentence_for(stance))


def other_span(evidence: Evidence, numbers: Mapping[str, float], stance: Stance) -> bool:
    """No support for an amount within a time from the same amount since then, or until then."""
    if stance is not Stance.SUPPORTS or not evidence.claim.figures:
        return False
    same = [one for one in evidence.dates if one.match is DateMatch.SAME and one.found is not None]
    return bool(same) and all(
        one.found is not None and one.found.order in _SPANS and one.moment.order not in _SPANS for one in same
    )


def swapped(evidence: Evidence, numbers: Mapping[str, float], stance: Stance) -> bool:
    """No support from a sentence that swaps the claim's two names around the same verb: 'Norra beat Kelmar' and 'Kelmar
    beat Norra', unless one of the two is passive; no contradiction from one that swaps them around its opposite."""
    if stance is Stance.CONTRADICTS and not any(one.match is FigureMatch.DIFFERS for one in evidence.figures):
        return exchanged(evidence.claim, evidence.sentence_for(stance))
    return stance is Stance.SUPPORTS and all(_is_swapped(evidence.claim, one) for one in _deciding(evidence))


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
    figures = [(one.text, figure) for one in about for figure in one.figures[:1]]
    return (
        bool(figures)
        and not evidence.claim.figures
        and all(figure.text.startswith(_MINUS) or sign_of_result(text, figure) < 0 for text, figure in figures)
    )


VETOES: tuple[Veto, ...] = (
    nothing_said, read_neutral, stranger, other_figure, no_figure, same_figures, only_a_limit, other_basis, negated,
    opposed, unrealised, taken_back, uncaused, counts_others, denied_twice, other_share, other_sign,
    other_matter, other_span, swapped, asserts_something_else, only_cleared,
)  # fmt: skip


def allowed(evidence: Evidence, numbers: Mapping[str, float], stance: Stance) -> Stance:
    """Return the stance, or neutral if a veto applies."""
    if stance is not Stance.NEUTRAL and any(veto(evidence, numbers, stance) for veto in VETOES):
        return Stance.NEUTRAL
    return stance
