"""Emissions of a year, held against what a register, a table in prose or an article gives for the same year.

'Reported 58,300 t of CO2 for 2024', 'fell from 62,000 to 58,300 tonnes between 2019 and 2024' and 'Scope 1: 58,300 t in
2024, 58,900 t in 2023' each say what there was in a year. A year that both give is compared; of the others nothing is
said. Credits are of another kind: of what was cancelled in a registry one credit is one tonne (rules of the Verified
Carbon Standard and of the Gold Standard), so the tonnes that a claim sets off can be counted there.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from inquest.domain.finding import ContradictionType, Stance
from inquest.entailment.amounts import Mood, mood_at
from inquest.entailment.framing import is_hedged
from inquest.entailment.meant import Bearing
from inquest.entailment.pair import Pair
from inquest.entailment.parts import of_a_part, of_another_whole, part_of_the_year
from inquest.entailment.party import AFTER_PREPOSITION
from inquest.entailment.reading import SentenceReading
from inquest.text.entities import is_likely, names, same_name
from inquest.text.quantities import Dimension, Quantity, Relation, compare, shown

__all__ = ["about_credits", "about_levels"]

_EMITTED = re.compile(
    r"\b(?:CO2\w*|carbon(?:\s+dioxide)?|greenhouse\s+gas(?:es)?|GHG|emissions?|emitted|emits?)\b", re.I
)
# Tonnes that were not emitted, or not by the company's own doing, and tonnes of something else beside the emissions.
_NOT_EMITTED = re.compile(
    r"\b(?:avoid\w*|sav(?:es?|ed|ings?)|captur\w*|stor(?:es?|ed|age|ing)|offset\w*|credits?|allowances?|certificates?|sequest\w*|"
    r"remov(?:al|als|es|ed)|compensat\w*|per\s+(?:tonne|unit|capita|head|year)|landfill|waste|produced|production|output)\b",
    re.I,
)
_CHANGED_BY = re.compile(r"\b(?:by|of)\s+(?:(?:about|some|nearly|almost|more\s+than|only|just)\s+)*$", re.I)
_CHANGE = re.compile(
    r"\b(?:cut|reduc\w*|fell|fall\w*|drop\w*|declin\w*|decreas\w*|lower\w*|rose|ris\w*|increas\w*|grew|grow\w*|less|more|down|up)\b",
    re.I,
)
_FROM = re.compile(r"\bfrom\s+(?:(?:about|some|around)\s+)*$", re.I)
_TO = re.compile(r"\bto\s+(?:(?:about|some|around|only|just)\s+)*$", re.I)
_BETWEEN = re.compile(r"\b(?:between|from)\s+((?:19|20)\d\d)\s+(?:and|to|until)\s+((?:19|20)\d\d)\b", re.I)
_YEAR = re.compile(r"(?<![\d./-])((?:19|20)\d\d)(?![\d/-]|\.\d)")
_CLAUSE = re.compile(r";|,?\s+(?:while|whereas|but|although|though)\b", re.I)
_SYMBOL = re.compile(r"CO2|CO₂|GHG|Scopes?\b|V[CE][SRU]")
_ON_BEHALF = re.compile(r"\b(?:on\s+behalf\s+of|by|for|of|from)\s+(?:the\s+)?[A-Z]", re.S)
_SET_OFF = re.compile(r"\b(?:offset\w*|compensat\w*|neutrali[sz]ed|balanced)\b", re.I)
_CREDITS = re.compile(r"\b(?:credits?|certificates?|VCUs?|VERs?|CERs?|offsets)\b", re.I)
_OF_CREDITS = re.compile(r"\s*(?:[\w-]+\s+){0,3}?(?:credits?|certificates?|VCUs?|VERs?|CERs?|offsets)\b", re.I)
_CANCELLED = re.compile(r"\b(?:cancel(?:s|l?ed)|retired?|retires)\b", re.I)


class _Level(NamedTuple):
    """So much was emitted in a year."""

    year: str
    amount: Quantity


def about_levels(pair: Pair) -> Bearing | None:
    """Emissions of the same year in both; None: they have no year in common, or it is not clear what is of which."""
    claim, sentence = pair.claim, pair.sentence
    if not _comparable(pair) or not (_EMITTED.search(claim.text) and _EMITTED.search(sentence.text)):
        return None
    if _NOT_EMITTED.search(claim.text) or _NOT_EMITTED.search(sentence.text) or of_a_part(pair):
        return None
    wanted, told = _levels(claim), _levels(sentence)
    told = [each for each in told if _of_the_subject(pair, each.amount)]
    both = [(one, other) for one in wanted for other in told if one.year == other.year]
    relations = [compare(one.amount, other.amount).relation for one, other in both]
    if not both or (Relation.SAME in relations and Relation.DIFFERS in relations):
        return None
    (one, other), relation = both[0], relations[0]
    if relation is Relation.DIFFERS:
        reason = f"For {one.year} the claim says {shown(one.amount)}, the passage says {shown(other.amount)}."
        return Bearing(Stance.CONTRADICTS, 0.8, (reason,), ContradictionType.DIRECT)
    if relation is not Relation.SAME:
        return None
    reasons: tuple[str, ...] = (f"Both say {shown(one.amount)} for {one.year}.",)
    if len(both) < len(claim.quantities):
        reasons = (*reasons, "That bears out a part of the claim; of the rest the passage says nothing.")
    return Bearing(Stance.SUPPORTS, 0.76 if len(reasons) == 1 else 0.64, reasons)


def about_credits(pair: Pair) -> Bearing | None:
    """Tonnes that were set off, and the credits that a registry has as cancelled for it."""
    claim, sentence = pair.claim, pair.sentence
    if not _comparable(pair) or pair.time or not (_SET_OFF.search(claim.text) and _CREDITS.search(claim.text)):
        return None
    found = _CANCELLED.search(sentence.text)
    wanted = [each for each in claim.quantities if each.dimension is Dimension.MASS]
    told = [
        each
        for each in sentence.quantities
        if each.dimension is Dimension.COUNT and _OF_CREDITS.match(sentence.text[each.span.end :])
    ]
    told = [each for each in told if _of_the_subject(pair, each)]
    if found is None or len(wanted) != 1 or len(told) != 1 or bool(claim.moments) != bool(sentence.moments):
        return None
    (tonnes,), (credits,) = wanted, told
    slack = tonnes.step + credits.step * _TONNE
    apart = abs(tonnes.value - credits.value * _TONNE)
    if apart <= slack + 1e-9 * tonnes.value:
        reasons = (
            f"The claim's {shown(tonnes)} agree with the passage's {credits.text} credits.",
            "That bears out a part of the claim; of the rest the passage says nothing.",
        )
        return Bearing(Stance.SUPPORTS, 0.64, reasons)
    told_so = f"the passage has {credits.text} credits as '{found.group()}'"
    reason = f"The claim says {shown(tonnes)}, {told_so}: one is for one tonne."
    return Bearing(Stance.CONTRADICTS, 0.8, (reason,), ContradictionType.DIRECT)


_TONNE = 1000.0
"""Kilograms, the base unit of masses."""


def _comparable(pair: Pair) -> bool:
    claim, sentence = pair.claim, pair.sentence
    if claim.negations or sentence.negations or sentence.asks or pair.around.meant or is_hedged(sentence.text):
        return False
    if of_another_whole(claim.text, sentence.text) or not (pair.subject.names or pair.evidence.names.met):
        return False
    return part_of_the_year(claim.text) == part_of_the_year(sentence.text)


def _of_the_subject(pair: Pair, amount: Quantity) -> bool:
    """Whether the part of the statement that has the amount is of the claim's company, or of nobody else by name."""
    start = 0
    clause = pair.sentence.text
    for end in [*(match.start() for match in _CLAUSE.finditer(clause)), len(clause)]:
        if start <= amount.span.start < end:
            clause = clause[start:end]
            break
        start = end
    known = [*pair.subject.names, *pair.evidence.names.met]
    firms = [name for name in names(clause) if is_likely(name) and not _SYMBOL.match(name.text)]
    if any(same_name(name.text, other) for name in firms for other in known if not _SYMBOL.match(other)):
        return True
    return all(AFTER_PREPOSITION.search(clause[: name.span.start]) and not _ON_BEHALF.search(clause) for name in firms)


def _levels(reading: SentenceReading) -> list[_Level]:
    """What was emitted in which year, as far as the sentence says it."""
    masses = [each for each in reading.quantities if each.dimension is Dimension.MASS]
    if not masses or any(mood_at(reading.text, each.span) is not Mood.DONE for each in masses):
        return []
    text = reading.text
    years = [(match[1], match.start()) for match in _YEAR.finditer(text)]
    between = _BETWEEN.search(text)
    if between is not None and len(masses) == 2:
        first, last = masses
        if _FROM.search(text[: first.span.start]) and _TO.search(text[: last.span.start]):
            return [_Level(between[1], first), _Level(between[2], last)]
    masses = [each for each in masses if not _is_change(text, each)]
    if len(masses) == 1 and len({year for year, _ in years}) == 1:
        return [_Level(years[0][0], masses[0])]
    found = []
    for place, mass in enumerate(masses):
        # '58,300 t in 2024, 58,900 t in 2023': the year that follows an amount before the next one does.
        end = masses[place + 1].span.start if place + 1 < len(masses) else len(text)
        after = [year for year, start in years if mass.span.end <= start < end]
        if len(after) != 1:
            return []
        found.append(_Level(after[0], mass))
    return found


def _is_change(text: str, amount: Quantity) -> bool:
    before = text[: amount.span.start]
    return bool(_CHANGED_BY.search(before)) and bool(_CHANGE.search(before[-60:]))
