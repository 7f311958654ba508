"""What can be said of a claim and a passage for certain enough to overrule the learned part: numbers, dates, names,
negation and direction. Each rule gives its reasons in a person's words, or None where it has nothing to say."""

from __future__ import annotations

import re
from typing import NamedTuple

from inquest.domain.finding import ContradictionType, Stance
from inquest.logic.entities import is_likely, same_name
from inquest.logic.passages import stems
from inquest.logic.polarity import Saying
from inquest.logic.stance_dates import DateEvidence, DateMatch, happens_once
from inquest.logic.stance_evidence import Evidence
from inquest.logic.stance_numbers import NumberEvidence, NumberMatch
from inquest.logic.stance_reading import SentenceReading
from inquest.logic.text import stem

__all__ = ["Ruling", "contradiction_type", "rule"]


class Ruling(NamedTuple):
    """What a rule says, on which sentence it rests, and how often it is right (0 to 1)."""

    stance: Stance
    confidence: float
    reasons: tuple[str, ...]
    sentence: SentenceReading
    type: ContradictionType | None = None
    name: str = ""
    """Which rule spoke; for measuring."""
    weak: bool = False
    """It only says that nothing is known, and gives way to the learned part where that is fairly sure."""


# How much of the claim's words a sentence must have before the rule may speak of the same thing.
_NUMBER_CONTEXT = 0.5
_DATE_CONTEXT = 0.6
_OTHER_CONTEXT = 0.5
_SAME_MATTER = 0.6
_SAID_AGAIN = 0.95

_OMISSION = re.compile(
    r"\b(?:omit(?:s|ted|ting)?|left out|leav(?:es|ing) out|fail(?:s|ed) to (?:mention|disclose|include|report)|without "
    r"mentioning|did not (?:mention|disclose|include|report)|not disclosed|undisclosed|excluding|excludes|excluded|"
    r"not includ(?:ed|e|ing)|conceal(?:s|ed)?|only part of|does not count)\b",
    re.I,
)
_CONTEXT = re.compile(
    r"\b(?:out of context|misleading|cherry.?pick\w*|in fact|but only|mostly because|merely because|due only to|"
    r"however|although|largely because|exaggerat\w+|overstat\w+|selective\w*)\b",
    re.I,
)


_OPENING_NAME = re.compile(r"[\"“']?(?:The\s+)?([A-Z][\w'’&-]+(?:\s+[A-Z][\w'’&-]+)*)")


def rule(evidence: Evidence) -> Ruling | None:
    """The first rule that has something to say, surest first."""
    if all(sentence.asks for sentence in evidence.passage.sentences):
        return Ruling(Stance.NEUTRAL, 0.7, ("The passage only asks.",), evidence.sentence, name="asks")
    if evidence.sentence.asks:
        return None
    for one in (
        _unrelated,
        _other_names,
        _numbers,
        _dates,
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


def contradiction_type(evidence: Evidence) -> ContradictionType:
    """Which of the four kinds a contradiction is."""
    text = evidence.sentence.text
    if _OMISSION.search(text) and not _OMISSION.search(evidence.claim.text):
        return ContradictionType.OMISSION
    if _CONTEXT.search(text):
        return ContradictionType.CONTEXTUAL
    others = [date for date in evidence.dates if date.match is DateMatch.OTHER]
    if others and not any(number.match is NumberMatch.DIFFERS for number in evidence.numbers):
        return ContradictionType.TIMELINE
    return ContradictionType.DIRECT


def _unrelated(evidence: Evidence) -> Ruling | None:
    if any(number.match is NumberMatch.SAME for number in evidence.numbers):
        return None
    shared = evidence.claim.bag & evidence.passage.bag
    if not shared:
        return Ruling(
            Stance.NEUTRAL, 0.75, ("The passage shares no word with the claim.",), evidence.sentence, name="unrelated"
        )
    of_names = frozenset(stems(" ".join(evidence.names.met)))
    if shared <= of_names and len(evidence.claim.bag) > len(shared) + 1 and not evidence.numbers:
        reason = f"The passage names {evidence.names.met[0]} and has nothing else of the claim."
        return Ruling(Stance.NEUTRAL, 0.6, (reason,), evidence.sentence, name="names_only", weak=True)
    return None


def _other_names(evidence: Evidence) -> Ruling | None:
    """Another company, another person, another place: nothing about this one."""
    missing = evidence.names.missing
    if not missing or evidence.names.share > 0.5:
        return None
    # Only where it says much the same of the other: a passage that says something else is not judged by its names.
    rest = evidence.claim.bag - frozenset(stems(" ".join(missing)))
    if len(rest & evidence.sentence.bag) < _OTHER_CONTEXT * len(rest):
        return None
    if other_place := _same_slot(evidence, missing):
        return other_place
    subject = evidence.claim.text.lstrip("\"“' ").removeprefix("The ").startswith(missing[0])
    other = _OPENING_NAME.match(evidence.sentence.text)
    if not subject or other is None:
        return None
    named = other.group(1)
    known = any(is_likely(name) and name.text.startswith(named) for name in evidence.passage.names)
    if not known or any(same_name(named, name) for name in (*missing, *evidence.names.met)):
        return None
    return Ruling(
        Stance.NEUTRAL,
        0.75,
        (f"The claim is about {missing[0]}, the passage about {named}.",),
        evidence.sentence,
        name="other_names",
    )


def _same_slot(evidence: Evidence, missing: tuple[str, ...]) -> Ruling | None:
    """'in France' where the claim has 'in Germany'."""
    text = evidence.sentence.text
    for name in missing:
        slot = re.search(rf"\b(in|at|near|of|from|by|for)\s+(?:the\s+)?{re.escape(name)}", evidence.claim.text)
        if slot is None:
            continue
        for other in re.finditer(rf"\b{slot.group(1)}\s+(?:the\s+)?([A-Z][\w'’&-]+(?:\s+[A-Z][\w'’&-]+)*)", text):
            named = other.group(1)
            if any(known.sure and known.text == named for known in evidence.passage.names) and not same_name(
                name, named
            ):
                return Ruling(
                    Stance.NEUTRAL,
                    0.7,
                    (f"The claim speaks of {name}, the passage of {named}.",),
                    evidence.sentence,
                    name="other_place",
                )
    return None


def _numbers(evidence: Evidence) -> Ruling | None:
    """The same thing with another number; or with the same number, said the same way."""
    if evidence.names.missing:
        return None
    clear = [
        number
        for number in evidence.numbers
        if number.match is NumberMatch.DIFFERS
        and number.context >= _NUMBER_CONTEXT
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
        if sentence is None or best.context < _NUMBER_CONTEXT or _turned(evidence, sentence):
            return None
        if other := _other_time(evidence, sentence):
            return Ruling(Stance.NEUTRAL, 0.65, (best.reason, other), sentence, name="same_number_other_time")
        confidence = 0.72 if best.context >= 0.8 else 0.66
        return _attributed(
            Ruling(Stance.SUPPORTS, confidence, tuple(number.reason for number in same), sentence, name="numbers_same"),
            evidence,
        )
    return None


def _same_number_elsewhere(number: NumberEvidence, evidence: Evidence) -> bool:
    """Several numbers of one kind in the sentence: which one answers the claim cannot be told by rule."""
    if number.sentence is None or number.passage is None:
        return True
    alike = [one for one in number.sentence.quantities if one.dimension is number.claim.dimension]
    return len(alike) > 2 and number.nearby < 0.5


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
    cue = _OMISSION.search(sentence.text)
    if cue is None or _OMISSION.search(evidence.claim.text) or words.coverage < _SAME_MATTER or evidence.names.missing:
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
    if not words.opposed or words.agreeing or words.coverage < 0.5 or evidence.names.missing:
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
    if words.coverage < _SAME_MATTER or evidence.names.missing:
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
