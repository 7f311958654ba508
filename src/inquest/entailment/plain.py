"""A claim held against one plain statement: what it comes to, whoever made it and however it is framed.

The rules know numbers, times, limits, opposites and negation. Names and subject may stand in the sentences beside it;
what is said must stand in the statement itself.
"""

from __future__ import annotations

import re

from inquest.domain.finding import ContradictionType, Stance
from inquest.entailment.amounts import Amount, AmountMatch
from inquest.entailment.bases import not_comparable
from inquest.entailment.dates import agree, happens_once
from inquest.entailment.first_part import bears_out_a_part, first_part
from inquest.entailment.levels import about_credits, about_levels
from inquest.entailment.meant import Bearing, Read, doubted, meant
from inquest.entailment.measures import about_measures, turns_another_measure
from inquest.entailment.opposites import about_cause, about_knowledge, about_limits, about_opposites
from inquest.entailment.order import about_limit_set, about_order
from inquest.entailment.pair import (
    LEANS,
    TOLD_LITTLE,
    Around,
    Pair,
    about_another,
    another_stage,
    flipped,
    half_negated,
    negated_alone,
    pair_of,
    phrased,
    same_deed,
    spelled,
    turned,
    without_its_cause,
)
from inquest.entailment.parts import of_a_part, of_another_body, part_of_the_year, says_little
from inquest.entailment.party import Subject, subject_of
from inquest.entailment.payments import same_payment
from inquest.entailment.predicates import same_word
from inquest.entailment.projects import about_projects, called_a_trial
from inquest.entailment.reading import SentenceReading
from inquest.entailment.ruling import OMISSION, contradiction_type
from inquest.entailment.sums import about_a_sum
from inquest.entailment.virtues import against_a_virtue, in_another_light, left_out_of_inspections
from inquest.text.passages import stems
from inquest.text.quantities import Dimension
from inquest.text.sentences import Span

__all__ = ["Around", "Bearing", "plain"]

_S, _C, _N = Stance.SUPPORTS, Stance.CONTRADICTS, Stance.NEUTRAL
# Shares of what the claim says, by weight of its words, from which a rule may speak; a word that only stands in the
# sentences beside counts half.
_SAYS_IT = 0.7
_TOLD_ALL = 0.85
_TOLD_WHOLLY = 0.95
_SAYS_NUMBER = 0.3
_TOLD_NUMBER = 0.45
_TOLD_AMOUNT, _TOLD_AMOUNTS = 0.6, 0.5
_TOLD_PAYMENT = 0.45
_SAME_MATTER = 0.55
_SAME_EVENT = 0.5
_RESTATED = 0.5
_TOLD_LIMIT = 0.3
_FEW_DAYS = 6
"""Two days of one deed this near to each other are two datings of it; further apart they may be two deeds."""
_UNIVERSAL = re.compile(
    r"\b(?:at\s+no\s+(?:time|point)|never|nobody|no\s+one|none|not\s+once|always|at\s+all\s+times|no|all|"
    r"every|without\s+exception)\b",
    re.I,
)
_NEVER = re.compile(r"\b(?:at\s+no\s+(?:time|point)|never|nobody|no\s+one|not\s+once)\b", re.I)
_NEVER_TOLD = 0.4
"""'Never' is undone by one time, whatever else is told of it."""
# These negate in the grammar's sense only: what was prevented in one place may be in another.
_WEAKLY = re.compile(
    r"prevent|avoid|lack|absence|free\s+of|far\s+from|instead|rather|ruled?\s+out|rejects?|without", re.I
)
# 'What the papers do not write is that ...' leaves what they do not write as it is.
_NOT_TOLD = re.compile(
    r"\s+(?:\w+ly\s+)?(?:write|say|mention|report|tell|told|know|believe|think|want|wish|hide|doubt|"
    r"comment|answer|explain|ask)\b",
    re.I,
)
_PRESENT = re.compile(r"\b(?:is|are|has|have|employs|works?|lives?|counts?|runs?|owns?|gives?)\b", re.I)
_PAST = re.compile(
    r"\b(?:was|were|had|did|(?:has|have)\s+(?:\w+ly\s+)?(?:been\s+)?\w+(?:ed|en|nt|wn|ld|de|ght|st|id|ut)|"
    r"[a-z]{2,}ed|fell|rose|"
    r"grew|won|lost|died|spent|paid|sold|bought|cost|shot|cut|took|gave|made|left|came|went|began|knew)\b"
)
# 'Excluding', 'does not include' tell what a thing is, not what somebody kept quiet about.
_NOT_COUNTED = re.compile(r"exclud|includ|count|only", re.I)
_PERIOD = re.compile(
    r"\b(?:last|past|next)\s+(?:[\w-]+\s+)?(?:years?|months?|weeks?|days?|decades?|century|quarters?)\b|"
    r"\b(?:a|per|each|every)\s+(?:year|month|week|day|hour|minute)\b|\b(?:annual(?:ly)?|yearly|monthly|"
    r"weekly|daily|hourly)\b",
    re.I,
)
_LIMITED = re.compile(
    r"\b(?:but|however|though|although)\b[^.]*\b(?:mere(?:ly)?|only|the\s+rest|most|not\s+all|others?|without|except)\b",
    re.I,
)
_NOT_EVER = re.compile(r"never|not\s+yet|no\s+longer|at\s+no\s+time", re.I)
_RESULT = re.compile(r"\b(?:passed|passes|met|meets|achieved|achieves|complied|complies|fulfilled|fulfils)\b", re.I)
_COMPARED = re.compile(r"(?:er|st)$|^(?:more|less|fewer|most|least|better|worse|same|different)$", re.I)


def plain(
    claim: SentenceReading, subject: Subject, statement: str, around: Around, read: Read | None = None
) -> Bearing:
    """How a statement bears on a claim, taken by itself as true. `read`: asks a model what it reads in the two."""
    pair = pair_of(claim, subject, statement, around)
    if pair is None:
        return Bearing(_N, 0.5, ("There is nothing to compare.",))
    # What turns a claim shares few of its words: whom it is about is all that must be the same.
    if not about_another(pair, of_what=False) and (
        turn := in_another_light(pair)
        or against_a_virtue(pair)
        or left_out_of_inspections(pair)
        or called_a_trial(pair)
        or _told_of_a_year(pair)
    ):
        return turn._replace(said=pair.said)
    if sums := about_a_sum(pair):
        return sums._replace(said=pair.said)
    why = about_another(pair) or not_comparable(claim.text, statement)
    if why and pair.evidence.names.missing and (first := first_part(claim)) is not None:
        return bears_out_a_part(plain(first, subject_of(first), statement, around, read), why)
    if why:
        return Bearing(_N, 0.7, (why,), said=pair.said)
    figures = bool(pair.numbers) or bool(pair.evidence.bearing.opposed)
    if pair.subject.first and figures and (why := of_another_body(claim.text, statement)):
        return Bearing(_N, 0.65, (why,), said=pair.said)
    if pair.subject.first and pair.numbers and of_a_part(pair):
        return Bearing(_N, 0.65, ("The passage's figure is of a part of what the claim speaks of.",), said=pair.said)
    ruled = next((found for rule in _RULES if (found := rule(pair)) is not None), None)
    if read is not None:
        ruled = doubted(ruled, pair, read) if ruled is not None else meant(pair, read)
    bearing = ruled or _nothing(pair)
    if bearing.stance is _S and (because := says_little(claim.text, statement)):
        why = f"The passage grants it and says why it says little: '{because}'."
        bearing = Bearing(_N, 0.5, (*bearing.reasons, why))
    return bearing._replace(said=pair.said, restates=_restates(pair))


def _told_of_a_year(pair: Pair) -> Bearing | None:
    """Emissions and credits of a year share few words with a claim on them."""
    if not_comparable(pair.claim.text, pair.sentence.text):
        return None
    if pair.subject.first and of_another_body(pair.claim.text, pair.sentence.text):
        return None
    return about_levels(pair) or about_credits(pair)


def _numbers(pair: Pair) -> Bearing | None:
    """The same amount of the same thing, or another."""
    differing = [number for number in pair.numbers if number.match is AmountMatch.DIFFERS]
    if differing and pair.said >= _SAYS_NUMBER and pair.told >= _TOLD_NUMBER:
        best = differing[0]
        assert best.found is not None
        if why := _time_of_number(pair, best):
            return Bearing(_N, 0.65, (best.reason, why))
        if bool(pair.claim.negations) != bool(pair.sentence.negations):
            return Bearing(_N, 0.6, (best.reason, "Only one of the two is negated."))
        if part_of_the_year(pair.claim.text) != part_of_the_year(pair.sentence.text):
            return Bearing(_N, 0.6, (best.reason, "One of the two numbers is of a part of the year."))
        if _period(pair.claim.text) != _period(pair.sentence.text):
            return Bearing(_N, 0.6, (best.reason, "The two numbers may be of different lengths of time."))
        sure = 0.86 if pair.said >= 0.6 else 0.74
        return Bearing(_C, sure, (best.reason,), ContradictionType.DIRECT)
    apart = [number for number in pair.numbers if number.match is AmountMatch.APART]
    if apart:
        return Bearing(_N, 0.65, (apart[0].reason,))
    if not pair.numbers or any(number.match is not AmountMatch.SAME for number in pair.numbers):
        return None
    # Two numbers that agree are hardly ever of something else.
    least = _TOLD_AMOUNT if len(pair.numbers) == 1 else _TOLD_AMOUNTS
    if all(same_payment(pair.claim, one.claim, pair.sentence, one.found) and one.governed for one in pair.numbers):
        least = _TOLD_PAYMENT
    if pair.said < _SAYS_NUMBER or pair.told < least or turned(pair) or another_stage(pair):
        return None
    if not (same_deed(pair) or all(number.governed for number in pair.numbers)):
        return None
    result = [term for match in _RESULT.finditer(pair.claim.text) for term in stems(match.group())]
    if any(not any(same_word(term, one) for one in pair.sentence.bag) for term in result):
        return None  # that they were carried out does not say that they were passed
    if pair.time:
        return Bearing(_N, 0.65, (pair.numbers[0].reason, pair.time))
    if any(date.match == "other" for date in pair.evidence.dates):
        return None
    sure = 0.74 if pair.told >= 0.75 else 0.66
    return Bearing(_S, sure, tuple(number.reason for number in pair.numbers))


def _period(text: str) -> str:
    """The length of time that an amount is of: 'in the last 5 years', 'a year'; '' where none is given."""
    found = _PERIOD.search(text)
    return " ".join(stems(found.group())) if found else ""


def _time_of_number(pair: Pair, number: Amount) -> str:
    """Why the sentence's number is of another time than the claim's; '' where it may be of the same."""
    sentence, found = pair.sentence, number.found
    assert found is not None
    if not pair.claim.moments:
        present = _PRESENT.search(pair.claim.text) and not _PAST.search(pair.claim.text)
        return "The passage's number is of a certain time, the claim's of now." if present and sentence.moments else ""
    if not sentence.moments or (pair.time and len(pair.claim.moments) > 1):
        return pair.time
    nearest = min(sentence.moments, key=lambda one: _distance(one.span, found.span))
    if any(agree(wanted, nearest) for wanted in pair.claim.moments):
        return ""
    return (
        f"The claim speaks of {spelled(pair.claim.text, pair.claim.moments[0].span)}, the number is of "
        f"{spelled(sentence.text, nearest.span)}."
    )


def _distance(one: Span, other: Span) -> int:
    return max(one.start - other.end, other.start - one.end)


def _limits(pair: Pair) -> Bearing | None:
    found = about_limits(pair.claim.text, pair.sentence.text)
    # What is said of a fine or a cost is not undone by what is said of the limit for which it was paid.
    beside = any(quantity.dimension is Dimension.MONEY for quantity in pair.claim.quantities)
    if found is None or pair.told < _TOLD_LIMIT or beside:
        return None
    opposite, reason = found
    if opposite and pair.time and not _UNIVERSAL.search(pair.claim.text):
        return Bearing(_N, 0.6, (pair.time,))
    if opposite:
        return Bearing(_C, 0.76, (reason,), ContradictionType.DIRECT, either_or=True)
    return None


def _knowledge(pair: Pair) -> Bearing | None:
    found = about_knowledge(pair.claim, pair.sentence)
    if found is None or pair.told < 0.3:
        return None
    agrees, reason = found
    if agrees:
        return Bearing(_S, 0.75, (reason,)) if not negated_alone(pair) else None
    return Bearing(_C, 0.76, (reason,), ContradictionType.TIMELINE) if not pair.sentence.negations else None


def _dates(pair: Pair) -> Bearing | None:
    """The same event, of a kind that has one date, on another day."""
    if not pair.time or not pair.claim.moments or not pair.sentence.moments:
        return None
    if pair.said < _SAME_EVENT or pair.told < _SAME_MATTER or turned(pair) or another_stage(pair):
        return Bearing(_N, 0.6, (pair.time,)) if pair.said >= _SAME_EVENT else None
    wanted, there = pair.claim.moments[0], pair.sentence.moments[0]
    once = happens_once(pair.claim) and happens_once(pair.sentence)
    days = wanted.start == wanted.end and there.start == there.end
    near = days and abs((wanted.start - there.start).days) <= _FEW_DAYS and pair.said >= _SAME_MATTER
    if (not once and not near) or not same_deed(pair) or pair.claim.quantities:
        return Bearing(_N, 0.6, (pair.time,))
    return Bearing(_C, 0.78 if once and pair.said >= 0.7 else 0.66, (pair.time,), ContradictionType.TIMELINE)


def _opposites(pair: Pair) -> Bearing | None:
    found = about_opposites(pair.claim.text, pair.sentence.text)
    least = TOLD_LITTLE if LEANS.match(pair.sentence.text) else 0.4
    if found is None or pair.told < least:
        return None
    return Bearing(
        _C, 0.7, (f"The claim says '{found[0]}', the passage says '{found[1]}'.",), contradiction_type(pair.evidence)
    )


def _cause(pair: Pair) -> Bearing | None:
    found = about_cause(pair.claim, pair.sentence)
    if found is None or pair.time:
        return None
    return Bearing(_C, 0.62, (found,), ContradictionType.DIRECT)


def _direction(pair: Pair) -> Bearing | None:
    words = pair.evidence.bearing
    if not words.opposed or words.agreeing or pair.said < _SAME_MATTER:
        return None
    if words.flipped > 0.3 and all(not said.startswith("not ") for _, said in words.opposed):
        return None
    if pair.time:
        return Bearing(_N, 0.6, (pair.time,))
    wanted, said = words.opposed[0]
    # 'Reduced' and 'larger' are mostly said of different things.
    if bool(_COMPARED.search(wanted)) != bool(_COMPARED.search(said.removeprefix("not "))) or not same_deed(pair):
        return None
    if any(number.match is AmountMatch.ABSENT for number in pair.numbers):
        return None
    sure = 0.8 if pair.said >= 0.65 else 0.7
    reason = f"The claim says '{wanted}', the passage says '{said}'."
    return Bearing(_C, sure, (reason,), contradiction_type(pair.evidence))


def _negation(pair: Pair) -> Bearing | None:
    words, sentence = pair.evidence.bearing, pair.sentence
    if not negated_alone(pair) or words.opposed:
        return None
    # '100 % of it' is all of it, and gone against by any 'not'.
    if any(number.match is not AmountMatch.SAME and not _is_all(number) for number in pair.numbers):
        return None
    negated = sentence if sentence.negations else pair.claim
    if any(_NOT_TOLD.match(negated.text, one.cue.end) for one in negated.negations):
        return None
    if all(_WEAKLY.match(one.cue.of(negated.text)) for one in negated.negations):
        return None
    least = _NEVER_TOLD if _NEVER.search(pair.claim.text) else _SAYS_IT if pair.claim.negations else _SAME_MATTER
    turned_round = flipped(pair.claim, sentence)
    complement = _complement(pair.claim)
    if complement and all(any(same_word(one, other) for other in turned_round) for one in complement):
        if pair.told < TOLD_LITTLE and not LEANS.match(sentence.text):
            return None
    elif pair.said < least or len(turned_round) < 0.25 * max(1, len(pair.shared)) or not same_deed(pair):
        return None
    if pair.time:
        return Bearing(_N, 0.6, (pair.time,))
    if another_stage(pair):
        return None
    cue = negated.negations[0].cue.of(negated.text)
    who = "passage" if negated is sentence else "claim"
    sure = 0.8 if pair.said >= 0.75 else 0.7
    reasons = (f"Only the {who} says '{cue}' of it.",)
    return Bearing(_C, sure, reasons, contradiction_type(pair.evidence), either_or=True, by_negation=True)


def _is_all(number: Amount) -> bool:
    return number.match is AmountMatch.ABSENT and number.claim.dimension is Dimension.SHARE and number.claim.low == 100


def _complement(claim: SentenceReading) -> frozenset[str]:
    """What a claim of the form 'X is Y' says of X, where Y is a word or two."""
    match = re.search(
        r"\b(?:is|are|was|were|remains|remained)\s+(?:an?\s+|the\s+)?((?:[\w-]+\s*){1,2})[.\s]*$", claim.text
    )
    return frozenset(stems(match.group(1))) if match else frozenset()


def _left_out(pair: Pair) -> Bearing | None:
    cue = OMISSION.search(pair.sentence.text)
    if cue is None or _NOT_COUNTED.search(cue.group()) or OMISSION.search(pair.claim.text) or pair.said < _SAYS_IT:
        return None
    return Bearing(_C, 0.6, (f"The passage says what was left out ('{cue.group()}').",), ContradictionType.OMISSION)


def _said(pair: Pair) -> Bearing | None:
    """Nearly all of what the claim says, with nothing that turns it round."""
    if (
        pair.said < _SAYS_IT
        or pair.told < _TOLD_ALL
        or pair.time
        or turned(pair)
        or half_negated(pair)
        or another_stage(pair)
    ):
        return None
    if any(number.match is not AmountMatch.SAME for number in pair.numbers):
        return None
    if len(pair.shared) < 2 or (len(pair.shared) < 3 and not pair.evidence.names.met and not pair.numbers):
        return None
    if (pair.claim.moments and not pair.same_time) or not (same_deed(pair) and phrased(pair)):
        return None
    if without_its_cause(pair) or turns_another_measure(pair):
        return None
    if _UNIVERSAL.search(pair.claim.text) and _LIMITED.search(pair.sentence.text):
        return None  # 'all of it', and then: 'but that is a mere part'
    flat = negated_alone(pair) and pair.said < _TOLD_WHOLLY
    if flat and any(_NOT_EVER.match(one.cue.of(pair.sentence.text)) for one in pair.sentence.negations):
        return None  # what is not in the sentence may be just what it denies: 'has never been touched'
    share = round(100 * pair.said)
    sure = 0.8 if pair.said >= 0.9 else 0.68
    return Bearing(_S, sure, (f"The sentence says what the claim says ({share} % of its words, and its names).",))


def _restates(pair: Pair) -> bool:
    """Enough of the claim, and nothing that differs."""
    if pair.said < _RESTATED and not (pair.numbers and pair.said >= _SAYS_NUMBER):
        return False
    if any(number.match is not AmountMatch.SAME for number in pair.numbers):
        return False
    return not pair.time and not negated_alone(pair) and not pair.evidence.bearing.opposed


def _nothing(pair: Pair) -> Bearing:
    reasons = [f"The sentence has {round(100 * pair.said)} % of what the claim says."]
    reasons += [number.reason for number in pair.numbers if number.match is not AmountMatch.SAME]
    if pair.time:
        reasons.append(pair.time)
    reasons.append("It neither bears the claim out nor goes against it.")
    return Bearing(_N, 0.6, tuple(reasons))


_RULES = (
    about_measures, about_projects, about_order, about_limit_set, _limits, _knowledge, _numbers, _dates,
    _opposites, _cause, _direction, _negation, _left_out, _said,
)  # fmt: skip
