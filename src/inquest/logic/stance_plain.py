"""A claim held against one plain statement: what it comes to, whoever made it and however it is framed.

The rules know numbers, times, limits, opposites and negation. Names and subject may stand in the sentences beside it;
what is said must stand in the statement itself.
"""

from __future__ import annotations

import re
from datetime import date
from typing import NamedTuple

from inquest.domain.finding import ContradictionType, Stance
from inquest.logic.entities import NamesMet, is_likely, names, same_name
from inquest.logic.moments import moments
from inquest.logic.passages import stems
from inquest.logic.quantities import Dimension, Relation, compare, shown
from inquest.logic.stance_amounts import Amount, AmountMatch, Mood, amounts, mood_at
from inquest.logic.stance_dates import agree, happens_once
from inquest.logic.stance_evidence import Evidence, gather
from inquest.logic.stance_opposites import about_cause, about_knowledge, about_limits, about_opposites, sets_a_limit
from inquest.logic.stance_party import AFTER_PREPOSITION, Subject, is_common
from inquest.logic.stance_predicates import predicates, same_word
from inquest.logic.stance_reading import SentenceReading
from inquest.logic.stance_ruling import OMISSION, contradiction_type
from inquest.logic.stance_weights import rarity
from inquest.logic.text import Span, stem

__all__ = ["Around", "Bearing", "plain"]

_S, _C, _N = Stance.SUPPORTS, Stance.CONTRADICTS, Stance.NEUTRAL
# Shares of what the claim says, by weight of its words, from which a rule may speak; a word that only stands in the
# sentences beside counts half.
_SAYS_IT = 0.7
_TOLD_ALL = 0.85
_SAYS_NUMBER = 0.3
_TOLD_NUMBER = 0.45
_SAME_MATTER = 0.55
_SAME_EVENT = 0.5
_RESTATED = 0.5
_BESIDE = 0.5
_TOLD_LITTLE = 0.25
_TOLD_LIMIT = 0.3
_FEW_DAYS = 6
"""Two days of one deed this near to each other are two datings of it; further apart they may be two deeds."""
_MODAL = ("must", "shall", "may", "might", "will", "would", "could", "can")
_UNIVERSAL = re.compile(
    r"\b(?:at\s+no\s+(?:time|point)|never|nobody|no\s+one|none|not\s+once|always|at\s+all\s+times|no|all|every|without\s+exception)\b",
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
    r"\s+(?:\w+ly\s+)?(?:write|say|mention|report|tell|told|know|believe|think|want|wish|hide|doubt|comment|answer|explain|ask)\b",
    re.I,
)
_PRESENT = re.compile(r"\b(?:is|are|has|have|employs|works?|lives?|counts?|runs?|owns?|gives?)\b", re.I)
_PAST = re.compile(
    r"\b(?:was|were|had|did|(?:has|have)\s+(?:\w+ly\s+)?(?:been\s+)?\w+(?:ed|en|nt|wn|ld|de|ght|st|id|ut)|[a-z]{2,}ed|fell|rose|"
    r"grew|won|lost|died|spent|paid|sold|bought|cost|shot|cut|took|gave|made|left|came|went|began|knew)\b"
)
_BECAUSE = re.compile(
    r"\b(?:because|due\s+to|caus(?:e|es|ed|ing)|result(?:s|ed)?\s+(?:of|in|from)|leads?\s+to|led\s+to|owing\s+to|thanks\s+to|"
    r"triggered|contribut\w+|from|made|makes|why|driv\w+|responsible|blam\w+)\b",
    re.I,
)
# 'Excluding', 'does not include' tell what a thing is, not what somebody kept quiet about.
_NOT_COUNTED = re.compile(r"exclud|includ|count|only", re.I)
_PARTICLE = re.compile(r"\b(?P<verb>[a-z]{3,})\s+(?:\w+\s+)?(?P<particle>off|out|down|away|back|up)\b", re.I)
_COMPARED = re.compile(r"(?:er|st)$|^(?:more|less|fewer|most|least|better|worse|same|different)$", re.I)
_PRONOUN = re.compile(
    r"^\W*(?:(?:it|this|that|these|those|they|he|she)\b|(?:the|this|that|these|its|their)\s+\w+)", re.I
)


_DATELINE = re.compile(r"\W*[A-Z][A-Z .'’-]{2,30}\s*(?:,[^()–—-]{2,30})?(?:\([^)]{2,30}\))?\s*[-–—:]\s")


class Around(NamedTuple):
    """What stands around a statement, where its names and its subject may be."""

    before: str = ""
    after: str = ""
    title: str = ""
    whole: str = ""
    """The passage, and how its document opens: where it happens may be said further off."""
    published: date | None = None
    day: date | None = None
    meant: bool = False
    """It is announced or spoken of."""

    @property
    def text(self) -> str:
        return "\n\n".join(part for part in (self.title, self.before, self.after) if part)


class Bearing(NamedTuple):
    """What a statement comes to for the claim. Neutral bearings carry why they are no more than that."""

    stance: Stance
    confidence: float
    reasons: tuple[str, ...]
    type: ContradictionType | None = None
    said: float = 0.0
    """Share of what the claim says that stands in the statement, 0 to 1."""
    either_or: bool = False
    """Where it contradicts the claim, one of the two must be so: what is untrue of it bears the claim out."""
    restates: bool = False
    """It has the claim's matter and nothing that differs: enough for what is then called true or untrue."""


class _Pair(NamedTuple):
    claim: SentenceReading
    subject: Subject
    evidence: Evidence
    around: Around
    numbers: tuple[Amount, ...]
    said: float
    told: float
    shared: frozenset[str]
    time: str
    """Why it is about another time; '' where it is not, or does not say."""
    same_time: bool

    @property
    def sentence(self) -> SentenceReading:
        return self.evidence.sentence


def plain(claim: SentenceReading, subject: Subject, statement: str, around: Around) -> Bearing:
    """How a statement bears on a claim, taken by itself as true."""
    evidence = gather(claim.text, statement, title=around.text)
    if evidence is not None and evidence.names.missing:
        evidence = evidence._replace(names=_with_places(evidence.names, subject, around.whole))
    if evidence is None:
        return Bearing(_N, 0.5, ("There is nothing to compare.",))
    pair = _pair(claim, subject, evidence, around)
    if why := _about_another(pair):
        return Bearing(_N, 0.7, (why,), said=pair.said)
    bearing = next((found for rule in _RULES if (found := rule(pair)) is not None), None) or _nothing(pair)
    return bearing._replace(said=pair.said, restates=_restates(pair))


def _pair(claim: SentenceReading, subject: Subject, evidence: Evidence, around: Around) -> _Pair:
    sentence = evidence.sentence
    aside = set(_MODAL)
    aside.update(stems(" ".join((*evidence.names.met, *evidence.names.missing))))
    for quantity in claim.quantities:
        aside.update(stems(quantity.text))
    for moment in claim.moments:
        aside.update(stems(moment.span.of(claim.text)))
    own = [term for term in claim.bag if term not in aside]
    beside = frozenset(stems(f"{around.before} {around.after}"))
    total = sum(rarity(term) for term in own)
    inside = [term for term in own if any(same_word(term, other) for other in sentence.bag)]
    only_beside = [term for term in own if term not in inside and any(same_word(term, other) for other in beside)]
    weight = sum(rarity(term) for term in inside)
    said = weight / total if total else 1.0
    told = (weight + _BESIDE * sum(rarity(term) for term in only_beside)) / total if total else 1.0
    time, same_time = _times(claim, sentence, around)
    return _Pair(
        claim, subject, evidence, around, amounts(claim, sentence, meant=around.meant), said, told, frozenset(inside), time, same_time,
    )  # fmt: skip


def _with_places(met: NamesMet, subject: Subject, whole: str) -> NamesMet:
    """The names met, with those that only say where taken from the whole passage."""
    further = {name for name in met.missing if name not in subject.names and name in whole}
    return NamesMet((*met.met, *further), tuple(name for name in met.missing if name not in further))


def _about_another(pair: _Pair) -> str:
    """Why the statement is about something or somebody else; '' where it may be about the claim's subject."""
    missing = [name for name in pair.evidence.names.missing if not is_common(name)]
    if missing:
        return f"The passage does not name {', '.join(missing[:2])}."
    leans = pair.told >= _TOLD_LITTLE and _PRONOUN.match(pair.sentence.text)
    if not pair.shared and not leans and not any(number.match is AmountMatch.SAME for number in pair.numbers):
        return "The passage says nothing of what the claim says."
    first, text = pair.subject.first, pair.sentence.text
    if not first or first.split()[0] in text or _DATELINE.match(text):
        return ""
    for name in names(text):
        if any(same_name(name.text, wanted) for wanted in (*pair.subject.names, *pair.evidence.names.met)):
            break
        if is_likely(name) and len(name.text) > 2 and not is_common(name.text):
            if AFTER_PREPOSITION.search(text[: name.span.start]):
                continue
            return f"The claim is about {first}, the sentence about {name.text}."
    return ""


def _times(claim: SentenceReading, sentence: SentenceReading, around: Around) -> tuple[str, bool]:
    """Whether the statement's time is the claim's."""
    if not claim.moments:
        return "", False
    wanted = claim.moments[0]
    there = moments(sentence.text, around.day) if around.day else sentence.moments
    if there:
        if len(claim.moments) > 1 and len(there) > 1:
            apart = [one for one in claim.moments if not any(agree(one, other) for other in there)]
            if apart:
                return (
                    f"The claim speaks of {_spelled(claim.text, apart[0].span)}, the passage of another period.",
                    False,
                )
        met = [(one, other) for one in claim.moments for other in there if agree(one, other)]
        if met:
            # 'In 2023' does not say that it was on 16 March.
            return "", any(one.order or other.end - other.start <= one.end - one.start for one, other in met)
        return (
            f"The claim speaks of {_spelled(claim.text, wanted.span)}, the passage of {_spelled(sentence.text, there[0].span)}.",
            False,
        )
    for text in (around.before, around.title.split(chr(10))[0]):
        beside = moments(text)
        if beside and not any(agree(one, other) for one in claim.moments for other in beside):
            return (
                f"The claim speaks of {_spelled(claim.text, wanted.span)}, the passage of {_spelled(text, beside[0].span)}."
            ), False
    if around.published and wanted.order not in ("before", "by", "until") and around.published < wanted.start:
        return f"It was written before {_spelled(claim.text, wanted.span)}.", False
    return "", False


def _spelled(text: str, span: Span) -> str:
    return " ".join(span.of(text).split())


def _numbers(pair: _Pair) -> Bearing | None:
    """The same amount of the same thing, or another."""
    differing = [number for number in pair.numbers if number.match is AmountMatch.DIFFERS]
    if differing and pair.said >= _SAYS_NUMBER and pair.told >= _TOLD_NUMBER:
        best = differing[0]
        assert best.found is not None
        if why := _time_of_number(pair, best):
            return Bearing(_N, 0.65, (best.reason, why))
        if bool(pair.claim.negations) != bool(pair.sentence.negations):
            return Bearing(_N, 0.6, (best.reason, "Only one of the two is negated."))
        sure = 0.86 if pair.said >= 0.6 else 0.74
        return Bearing(_C, sure, (best.reason,), ContradictionType.DIRECT)
    apart = [number for number in pair.numbers if number.match is AmountMatch.APART]
    if apart:
        return Bearing(_N, 0.65, (apart[0].reason,))
    if not pair.numbers or any(number.match is not AmountMatch.SAME for number in pair.numbers):
        return None
    if pair.said < _SAYS_NUMBER or pair.told < 0.5 or _turned(pair) or _another_stage(pair):
        return None
    if not (_same_deed(pair) or all(number.governed for number in pair.numbers)):
        return None
    if pair.time:
        return Bearing(_N, 0.65, (pair.numbers[0].reason, pair.time))
    if any(date.match == "other" for date in pair.evidence.dates):
        return None
    sure = 0.74 if pair.told >= 0.75 else 0.66
    return Bearing(_S, sure, tuple(number.reason for number in pair.numbers))


def _time_of_number(pair: _Pair, number: Amount) -> str:
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
        f"The claim speaks of {_spelled(pair.claim.text, pair.claim.moments[0].span)}, the number is of "
        f"{_spelled(sentence.text, nearest.span)}."
    )


def _distance(one: Span, other: Span) -> int:
    return max(one.start - other.end, other.start - one.end)


def _turned(pair: _Pair) -> bool:
    words = pair.evidence.bearing
    return words.flipped > 0.2 or bool(words.opposed) or bool(words.denied_by) or pair.sentence.refuted


def _another_stage(pair: _Pair) -> bool:
    """What the claim says was done, the statement says is planned, due or over; or the other way round."""
    wanted, found = _stage(pair.claim, pair.shared), _stage(pair.sentence, pair.shared)
    if pair.around.meant and found is Mood.DONE and not pair.sentence.moments:
        found = Mood.MEANT
    if wanted is found:
        return False
    return Mood.MEANT in (wanted, found) or (wanted is Mood.DONE and found is Mood.DUE)


def _stage(reading: SentenceReading, shared: frozenset[str]) -> Mood:
    """The mood of the words that claim and statement share: the latest of them is nearest to the deed."""
    moods = []
    for match in re.finditer(r"[\w'’-]+", reading.text):
        terms = stems(match.group())
        if terms and any(same_word(terms[0], term) for term in shared):
            moods.append(mood_at(reading.text, Span(*match.span())))
    if Mood.MEANT in moods:
        return Mood.MEANT
    return Mood.DUE if Mood.DUE in moods else Mood.DONE


def _limits(pair: _Pair) -> Bearing | None:
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


def _knowledge(pair: _Pair) -> Bearing | None:
    found = about_knowledge(pair.claim, pair.sentence)
    if found is None or pair.told < 0.3:
        return None
    agrees, reason = found
    if agrees:
        return Bearing(_S, 0.75, (reason,)) if not _negated_alone(pair) else None
    return Bearing(_C, 0.76, (reason,), ContradictionType.TIMELINE) if not pair.sentence.negations else None


def _negated_alone(pair: _Pair) -> bool:
    return bool(pair.claim.negations) != bool(pair.sentence.negations)


def _dates(pair: _Pair) -> Bearing | None:
    """The same event, of a kind that has one date, on another day."""
    if not pair.time or not pair.claim.moments or not pair.sentence.moments:
        return None
    if pair.said < _SAME_EVENT or pair.told < _SAME_MATTER or _turned(pair) or _another_stage(pair):
        return Bearing(_N, 0.6, (pair.time,)) if pair.said >= _SAME_EVENT else None
    wanted, there = pair.claim.moments[0], pair.sentence.moments[0]
    once = happens_once(pair.claim) and happens_once(pair.sentence)
    days = wanted.start == wanted.end and there.start == there.end
    near = days and abs((wanted.start - there.start).days) <= _FEW_DAYS and pair.said >= _SAME_MATTER
    if (not once and not near) or not _same_deed(pair) or pair.claim.quantities:
        return Bearing(_N, 0.6, (pair.time,))
    return Bearing(_C, 0.78 if once and pair.said >= 0.7 else 0.66, (pair.time,), ContradictionType.TIMELINE)


def _opposites(pair: _Pair) -> Bearing | None:
    found = about_opposites(pair.claim.text, pair.sentence.text)
    least = _TOLD_LITTLE if _PRONOUN.match(pair.sentence.text) else 0.4
    if found is None or pair.told < least:
        return None
    return Bearing(
        _C, 0.7, (f"The claim says '{found[0]}', the passage says '{found[1]}'.",), contradiction_type(pair.evidence)
    )


def _cause(pair: _Pair) -> Bearing | None:
    found = about_cause(pair.claim, pair.sentence)
    if found is None or pair.time:
        return None
    return Bearing(_C, 0.62, (found,), ContradictionType.DIRECT)


def _direction(pair: _Pair) -> Bearing | None:
    words = pair.evidence.bearing
    if not words.opposed or words.agreeing or pair.said < _SAME_MATTER:
        return None
    if words.flipped > 0.3 and all(not said.startswith("not ") for _, said in words.opposed):
        return None
    if pair.time:
        return Bearing(_N, 0.6, (pair.time,))
    wanted, said = words.opposed[0]
    # 'Reduced' and 'larger' are mostly said of different things.
    if bool(_COMPARED.search(wanted)) != bool(_COMPARED.search(said.removeprefix("not "))) or not _same_deed(pair):
        return None
    if any(number.match is AmountMatch.ABSENT for number in pair.numbers):
        return None
    sure = 0.8 if pair.said >= 0.65 else 0.7
    reason = f"The claim says '{wanted}', the passage says '{said}'."
    return Bearing(_C, sure, (reason,), contradiction_type(pair.evidence))


def _negation(pair: _Pair) -> Bearing | None:
    words, sentence = pair.evidence.bearing, pair.sentence
    if not _negated_alone(pair) or words.opposed:
        return None
    if any(number.match is not AmountMatch.SAME for number in pair.numbers):
        return None
    negated = sentence if sentence.negations else pair.claim
    if any(_NOT_TOLD.match(negated.text, one.cue.end) for one in negated.negations):
        return None
    if all(_WEAKLY.match(one.cue.of(negated.text)) for one in negated.negations):
        return None
    least = _NEVER_TOLD if _NEVER.search(pair.claim.text) else _SAYS_IT if pair.claim.negations else _SAME_MATTER
    flipped = _flipped(pair.claim, sentence)
    complement = _complement(pair.claim)
    if complement and all(any(same_word(one, other) for other in flipped) for one in complement):
        if pair.told < _TOLD_LITTLE and not _PRONOUN.match(sentence.text):
            return None
    elif pair.said < least or len(flipped) < 0.25 * max(1, len(pair.shared)) or not _same_deed(pair):
        return None
    if pair.time:
        return Bearing(_N, 0.6, (pair.time,))
    if _another_stage(pair):
        return None
    cue = negated.negations[0].cue.of(negated.text)
    who = "passage" if negated is sentence else "claim"
    sure = 0.8 if pair.said >= 0.75 else 0.7
    reasons = (f"Only the {who} says '{cue}' of it.",)
    return Bearing(_C, sure, reasons, contradiction_type(pair.evidence), either_or=True)


def _flipped(claim: SentenceReading, sentence: SentenceReading) -> set[str]:
    """The claim's words that one of the two negates and the other does not."""
    return {
        term
        for term in claim.bag
        for other in sentence.bag
        if same_word(term, other) and (term in claim.negated) != (other in sentence.negated)
    }


def _same_deed(pair: _Pair) -> bool:
    """Whether the statement has what the claim says is done or is so, and not only whom and what it is done to."""
    deeds = predicates(pair.claim.text)
    turned = {stem(word) for one, _ in pair.evidence.bearing.opposed for word in (one.removeprefix("not "),)}
    return not deeds - turned or bool(deeds & pair.shared)


def _complement(claim: SentenceReading) -> frozenset[str]:
    """What a claim of the form 'X is Y' says of X, where Y is a word or two."""
    match = re.search(
        r"\b(?:is|are|was|were|remains|remained)\s+(?:an?\s+|the\s+)?((?:[\w-]+\s*){1,2})[.\s]*$", claim.text
    )
    return frozenset(stems(match.group(1))) if match else frozenset()


def _left_out(pair: _Pair) -> Bearing | None:
    cue = OMISSION.search(pair.sentence.text)
    if cue is None or _NOT_COUNTED.search(cue.group()) or OMISSION.search(pair.claim.text) or pair.said < _SAYS_IT:
        return None
    return Bearing(_C, 0.6, (f"The passage says what was left out ('{cue.group()}').",), ContradictionType.OMISSION)


def _half_negated(pair: _Pair) -> bool:
    """Whether one of the two negates what the other says; a negation of something else in a long sentence does not."""
    if pair.claim.negations and not pair.sentence.negations:
        return True
    return _negated_alone(pair) and bool(_flipped(pair.claim, pair.sentence))


def _phrased(pair: _Pair) -> bool:
    """'Called off' is not 'called for': a verb with its particle must stand there with it."""
    said = [(stems(one["verb"]), one["particle"].lower()) for one in _PARTICLE.finditer(pair.sentence.text)]
    for match in _PARTICLE.finditer(pair.claim.text):
        verb, particle = stems(match["verb"]), match["particle"].lower()
        if verb and not any(other == particle and same_word(verb[0], term) for terms, other in said for term in terms):
            return False
    return True


def _said(pair: _Pair) -> Bearing | None:
    """Nearly all of what the claim says, with nothing that turns it round."""
    if (
        pair.said < _SAYS_IT
        or pair.told < _TOLD_ALL
        or pair.time
        or _turned(pair)
        or _half_negated(pair)
        or _another_stage(pair)
    ):
        return None
    if any(number.match is not AmountMatch.SAME for number in pair.numbers):
        return None
    if len(pair.shared) < 2 or (len(pair.shared) < 3 and not pair.evidence.names.met and not pair.numbers):
        return None
    if (pair.claim.moments and not pair.same_time) or not (_same_deed(pair) and _phrased(pair)):
        return None
    if _BECAUSE.search(pair.claim.text) and not _BECAUSE.search(pair.sentence.text):
        return None
    share = round(100 * pair.said)
    sure = 0.8 if pair.said >= 0.9 else 0.68
    return Bearing(_S, sure, (f"The sentence says what the claim says ({share} % of its words, and its names).",))


def _restates(pair: _Pair) -> bool:
    """Enough of the claim, and nothing that differs."""
    if pair.said < _RESTATED and not (pair.numbers and pair.said >= _SAYS_NUMBER):
        return False
    if any(number.match is not AmountMatch.SAME for number in pair.numbers):
        return False
    return not pair.time and not _negated_alone(pair) and not pair.evidence.bearing.opposed


def _nothing(pair: _Pair) -> Bearing:
    reasons = [f"The sentence has {round(100 * pair.said)} % of what the claim says."]
    reasons += [number.reason for number in pair.numbers if number.match is not AmountMatch.SAME]
    if pair.time:
        reasons.append(pair.time)
    reasons.append("It neither bears the claim out nor goes against it.")
    return Bearing(_N, 0.6, tuple(reasons))


def _limit_set(pair: _Pair) -> Bearing | None:
    """Both say where a limit lies: 'allows 250', 'shall not exceed 250', 'sets a maximum of 250'."""
    if pair.told < _TOLD_NUMBER or len(pair.claim.quantities) != 1:
        return None
    (quantity,) = pair.claim.quantities
    if not sets_a_limit(pair.claim.text, quantity.span):
        return None
    for found in pair.sentence.quantities:
        if not sets_a_limit(pair.sentence.text, found.span):
            continue
        if compare(quantity, found).relation is Relation.SAME:
            return Bearing(_S, 0.72, (f"Both set the limit at {shown(quantity)}.",))
    return None


_RULES = (
    _limit_set, _limits, _knowledge, _numbers, _dates, _opposites, _cause, _direction, _negation, _left_out, _said,
)  # fmt: skip
