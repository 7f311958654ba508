"""What can be said of a claim and a passage for certain enough to overrule the learned part: numbers, dates, names,
negation and direction. Each rule gives its reasons in a person's words, or None where it has nothing to say."""

from __future__ import annotations

import re

from inquest.domain.finding import ContradictionType, Stance
from inquest.entailment.answers import answered
from inquest.entailment.bases import not_comparable
from inquest.entailment.dates import DateEvidence, DateMatch, happens_once
from inquest.entailment.evidence import Evidence
from inquest.entailment.measured import measured_alike
from inquest.entailment.numbers import NumberEvidence, NumberMatch
from inquest.entailment.others import other_names, unrelated
from inquest.entailment.reading import SentenceReading
from inquest.entailment.ruling import OMISSION, Ruling, contradiction_type
from inquest.text.polarity import Saying
from inquest.text.quantities import Relation, compare
from inquest.text.sentences import stem

__all__ = ["rule"]


# How much of the claim's words a sentence must have before the rule may speak of the same thing.
_SAME_THING = 0.5
_DATE_CONTEXT = 0.6
_SAME_MATTER = 0.6
_SAID_AGAIN = 0.95

_TWO_SIDES = re.compile(
    r"\b(?:although|though|but|whereas|while|despite|instead|rather|not|however|earlier|wrong)\b", re.I
)
_OPEN = re.compile(
    r"\bwhether\b.{0,120}\b(?:not (?:yet )?(?:known|clear|established)|unclear|unknown|unproven|open)\b|"
    r"\b(?:not (?:yet )?known|unclear|unknown) (?:whether|if)\b|\bneither confirm\w*,? nor\b",
    re.I,
)


def rule(evidence: Evidence) -> Ruling | None:
    """The first rule that has something to say, surest first."""
    if all(sentence.asks for sentence in evidence.passage.sentences):
        return Ruling(Stance.NEUTRAL, 0.7, ("The passage only asks.",), evidence.sentence, name="asks")
    if ruling := answered(evidence):
        return ruling
    if evidence.sentence.asks:
        return None
    for one in (
        _bases,
        measured_alike,
        unrelated,
        other_names,
        _numbers,
        _dates,
        _left_open,
        _denial,
        _called_untrue,
        _direction,
        _negation,
        _left_out,
        _said_again,
    ):
        ruling = one(evidence)
        if ruling is not None:
            return ruling
    return None


def _bases(evidence: Evidence) -> Ruling | None:
    """Figures of different kinds: another scope, method, base year or currency."""
    why = not_comparable(evidence.claim.text, evidence.sentence.text)
    return Ruling(Stance.NEUTRAL, 0.75, (why,), evidence.sentence, name="bases") if why else None


def _numbers(evidence: Evidence) -> Ruling | None:
    """The same thing with another number; or with the same number, said the same way."""
    if evidence.names.missing:
        return None
    clear = [
        number
        for number in evidence.numbers
        if number.match is NumberMatch.DIFFERS
        and number.context >= _SAME_THING
        and number.sentence is not None
        and not _same_number_elsewhere(number, evidence)
    ]
    if clear:
        best = max(clear, key=lambda number: (number.context, number.nearby))
        assert best.sentence is not None
        if other := _other_time(evidence, best.sentence):
            return Ruling(Stance.NEUTRAL, 0.65, (best.reason, other), best.sentence, name="other_time")
        if _doubled_negation(evidence, best.sentence):
            return None
        confidence = 0.86 if best.context >= 0.7 and best.nearby >= 0.5 else 0.74
        return Ruling(
            Stance.CONTRADICTS, confidence, (best.reason,), best.sentence, ContradictionType.DIRECT, "numbers_differ"
        )
    same = [number for number in evidence.numbers if number.match is NumberMatch.SAME]
    if same and len(same) == len(evidence.numbers):
        best = max(same, key=lambda number: number.context)
        sentence = best.sentence
        if sentence is None or best.context < _SAME_THING or _turned(evidence, sentence):
            return None
        if _TWO_SIDES.search(sentence.text) and _two_numbers(best, sentence):
            return None
        if OMISSION.search(sentence.text) and not OMISSION.search(evidence.claim.text):
            return None  # it gives the figure to say what the figure leaves out
        if other := _other_time(evidence, sentence):
            return Ruling(Stance.NEUTRAL, 0.65, (best.reason, other), sentence, name="same_number_other_time")
        confidence = 0.72 if best.context >= 0.8 else 0.66
        return _attributed(
            Ruling(Stance.SUPPORTS, confidence, tuple(number.reason for number in same), sentence, name="numbers_same"),
            evidence,
        )
    return _one_of_several(evidence, same)


def _one_of_several(evidence: Evidence, same: list[NumberEvidence]) -> Ruling | None:
    """'558 were shot and 201 died in custody' beside '201 died in custody': a part is borne out, and nothing denied."""
    if not same or any(number.match is NumberMatch.DIFFERS for number in evidence.numbers):
        return None
    best = max(same, key=lambda number: number.context)
    sentence = best.sentence
    if sentence is None or sentence.negations or evidence.claim.negations or _turned(evidence, sentence):
        return None
    if _TWO_SIDES.search(sentence.text) or OMISSION.search(sentence.text):
        return None
    if not all(other is sentence or other.asks for other in evidence.passage.sentences):
        return None  # what else is said may deny the rest
    reason = f"{best.reason} That bears out one of the claim's figures and speaks of no other."
    return Ruling(Stance.NEUTRAL, 0.6, (reason,), sentence, name="one_of_several", weak=True)


def _same_number_elsewhere(number: NumberEvidence, evidence: Evidence) -> bool:
    """Several numbers of one kind in the sentence: which one answers the claim cannot be told by rule."""
    if number.sentence is None or number.passage is None:
        return True
    alike = [one for one in number.sentence.quantities if one.dimension is number.claim.dimension]
    return len(alike) > 2 and number.nearby < 0.5


def _two_numbers(number: NumberEvidence, sentence: SentenceReading) -> bool:
    """'It spent 18 million, although it spoke of 31 million': which of the two is the fact cannot be told by rule."""
    return any(compare(number.claim, other).relation is Relation.DIFFERS for other in sentence.quantities)


def _other_time(evidence: Evidence, sentence: SentenceReading) -> str:
    """Why the sentence is about another time than the claim; '' where it is not, or does not say."""
    for date in evidence.dates:
        if date.match is DateMatch.OTHER and sentence.moments:
            return date.reason
    return ""


def _doubled_negation(evidence: Evidence, sentence: SentenceReading) -> bool:
    """Claim or sentence says that the number is not so: a differing number then proves nothing."""
    return bool(evidence.claim.negations) != bool(sentence.negations)


def _turned(evidence: Evidence, sentence: SentenceReading) -> bool:
    index = evidence.passage.sentences.index(sentence)
    words = evidence.words[index]
    return words.flipped > 0.2 or bool(words.opposed) or bool(words.denied_by) or sentence.refuted


def _dates(evidence: Evidence) -> Ruling | None:
    """The same event at another time, where the event is of a kind that has one date; or at the same time."""
    if evidence.names.missing or not evidence.dates:
        return None
    for date in evidence.dates:
        if date.match is not DateMatch.OTHER or date.context < _DATE_CONTEXT or date.sentence is None:
            continue
        if any(number.match is NumberMatch.DIFFERS for number in evidence.numbers):
            continue
        if _turned(evidence, date.sentence) or not _one_event(evidence, date):
            continue
        return Ruling(
            Stance.CONTRADICTS,
            0.85 if date.context >= 0.75 else 0.75,
            (date.reason,),
            date.sentence,
            ContradictionType.TIMELINE,
            "dates_differ",
        )
    covered = evidence.bearing.coverage >= _SAME_MATTER
    if covered and all(date.match is DateMatch.OTHER for date in evidence.dates):
        return Ruling(Stance.NEUTRAL, 0.6, (evidence.dates[0].reason,), evidence.sentence, name="another_time")
    return None


def _one_event(evidence: Evidence, date: DateEvidence) -> bool:
    return date.fine or (happens_once(evidence.claim) and date.sentence is not None and happens_once(date.sentence))


def _left_open(evidence: Evidence) -> Ruling | None:
    """'Whether it did is not known' says neither that it did nor that it did not."""
    sentence = evidence.sentence
    cue = _OPEN.search(sentence.text)
    if cue is None or _OPEN.search(evidence.claim.text) or evidence.bearing.coverage < _SAME_THING:
        return None
    return Ruling(Stance.NEUTRAL, 0.6, (f"The passage leaves it open ('{cue.group()}').",), sentence, name="left_open")


def _called_untrue(evidence: Evidence) -> Ruling | None:
    """'The claim that ... is false', 'no evidence that ...'."""
    words, sentence = evidence.bearing, evidence.sentence
    if not sentence.refuted or evidence.claim.refuted or evidence.claim.negations or words.coverage < _SAME_MATTER:
        return None
    return Ruling(
        Stance.CONTRADICTS,
        0.75,
        ("The passage calls it untrue, or says that nothing shows it.",),
        sentence,
        contradiction_type(evidence),
        "called_untrue",
    )


def _left_out(evidence: Evidence) -> Ruling | None:
    """Said again together with what was left out."""
    words, sentence = evidence.bearing, evidence.sentence
    cue = OMISSION.search(sentence.text)
    if cue is None or OMISSION.search(evidence.claim.text) or words.coverage < _SAME_MATTER or evidence.names.missing:
        return None
    return Ruling(
        Stance.CONTRADICTS,
        0.6,
        (f"The passage says what was left out ('{cue.group()}').",),
        sentence,
        ContradictionType.OMISSION,
        "left_out",
    )


def _denial(evidence: Evidence) -> Ruling | None:
    """A denial reported in the passage is the denier's contradicting statement, and said to be that."""
    for sentence, words in zip(evidence.passage.sentences, evidence.words, strict=True):
        if not words.denied_by or words.coverage < 0.4 or evidence.claim.negations:
            continue
        if any(attribution.saying is Saying.DENIES for attribution in evidence.claim.attributions):
            continue
        return Ruling(
            Stance.CONTRADICTS,
            0.6,
            (f"The passage reports that {_inside(words.denied_by)} denies it; that is the denier's own statement.",),
            sentence,
            ContradictionType.DIRECT,
            "denial",
        )
    return None


def _direction(evidence: Evidence) -> Ruling | None:
    words = evidence.bearing
    if not words.opposed or words.agreeing or evidence.names.missing:
        return None
    if min(words.coverage, words.said) < _SAME_THING:
        return None
    if words.flipped > 0.3 and all(not said.startswith("not ") for _, said in words.opposed):
        return None
    if other := _other_time(evidence, evidence.sentence):
        return Ruling(Stance.NEUTRAL, 0.6, (other,), evidence.sentence, name="direction_other_time")
    wanted, said = words.opposed[0]
    confidence = 0.85 if words.coverage >= 0.65 else 0.7
    return Ruling(
        Stance.CONTRADICTS,
        confidence,
        (f"The claim says '{wanted}', the passage says '{said}'.",),
        evidence.sentence,
        contradiction_type(evidence),
        "direction",
    )


def _negation(evidence: Evidence) -> Ruling | None:
    words, sentence = evidence.bearing, evidence.sentence
    if min(words.coverage, words.said) < _SAME_MATTER or evidence.names.missing:
        return None
    one_sided = bool(evidence.claim.negations) != bool(sentence.negations)
    if not one_sided or words.flipped < 0.25 or words.opposed:
        return None
    if other := _other_time(evidence, sentence):
        return Ruling(Stance.NEUTRAL, 0.6, (other,), sentence, name="negation_other_time")
    negated = sentence if sentence.negations else evidence.claim
    cue = negated.negations[0].cue.of(negated.text)
    who = "passage" if negated is sentence else "claim"
    confidence = 0.85 if words.coverage >= 0.75 and words.flipped >= 0.4 else 0.72
    return Ruling(
        Stance.CONTRADICTS,
        confidence,
        (f"Only the {who} says '{cue}' of it.",),
        sentence,
        contradiction_type(evidence),
        "negation",
    )


def _said_again(evidence: Evidence) -> Ruling | None:
    """Nearly all of the claim's words in one sentence, with nothing that turns them round."""
    words, sentence = evidence.bearing, evidence.sentence
    if words.coverage < _SAID_AGAIN or len(evidence.claim.bag) < 3 or evidence.names.missing:
        return None
    if _turned(evidence, sentence):
        return None
    if any(number.match is not NumberMatch.SAME for number in evidence.numbers):
        return None
    if _TWO_SIDES.search(sentence.text) and any(_two_numbers(number, sentence) for number in evidence.numbers):
        return None
    if any(date.match is not DateMatch.SAME for date in evidence.dates):
        return None
    return _attributed(
        Ruling(
            Stance.SUPPORTS,
            0.8,
            ("The passage says the same in nearly the same words.",),
            sentence,
            name="said_again",
        ),
        evidence,
    )


def _attributed(ruling: Ruling, evidence: Evidence) -> Ruling:
    """An allegation reported is weaker than a statement."""
    index = evidence.passage.sentences.index(ruling.sentence)
    words = evidence.words[index]
    if not words.alleged or any(stem("claim") == term for term in evidence.claim.terms):
        return ruling
    return ruling._replace(
        confidence=min(ruling.confidence, 0.6),
        reasons=(*ruling.reasons, f"The passage only reports that {_inside(words.said_by)} says so."),
    )


def _inside(speaker: str) -> str:
    """A speaker as it stands inside a sentence."""
    first, _, rest = speaker.partition(" ")
    return (
        f"{first.lower()} {rest}".strip()
        if first in ("The", "A", "An", "Its", "Their", "Our", "It", "They", "He", "She", "We", "His", "Her")
        else speaker
    )
