"""A question and its answer, read as one statement: 'Did the works close? No.' says that the works did not close.

Pages of questions and answers, interviews and parliamentary replies have that form. The answer alone has none of the
claim's words, the question alone states nothing.
"""

from __future__ import annotations

import re
from dataclasses import replace

from inquest.domain.finding import ContradictionType, Stance
from inquest.entailment.evidence import Evidence
from inquest.entailment.reading import SentenceReading
from inquest.entailment.ruling import Ruling
from inquest.text.quantities import Relation, compare
from inquest.text.sentences import Span
from inquest.text.word_weights import rarity

__all__ = ["answered"]

_ASKS_WHETHER = re.compile(
    r"^\W*(?:(?:so|and|but|then)\W+)?(?:is|are|was|were|did|does|do|has|have|had|can|could|will|would|should)\b", re.I
)
# What is asked there is what somebody knows or has shown, and not whether it is so.
_ASKS_FOR_PROOF = re.compile(
    r"\b(?:evidence|proof|prove\w*|records?|reports?|stud(?:y|ies)|data|statistics|sources?|mention\w*|confirm\w*|found|"
    r"find|know\w*|claims?|claimed|post|fake|false|true|correct)\b",
    re.I,
)
# Whether somebody said it is another question than whether it is so, unless that is the claim.
_ASKS_FOR_WORDS = re.compile(
    r"\b(?:say|says|said|tell|told|alleg\w+|accus\w+|den(?:y|ied)|announc\w+|suggest\w*|believ\w+|think|promis\w+|warn\w*|"
    r"predict\w*|expect\w*|plan\w*|propos\w+|want\w*|tweet\w*)\b",
    re.I,
)
_NO = re.compile(
    r"^\W*(?:no|nope|false|incorrect)\b(?=\W*$|\s*[.,;:!–—]|\s+(?-i:[A-Z\"“])|\s+(?:there|they|it|he|she|we|this|that|but|not)\b)",
    re.I,
)
_YES = re.compile(
    r"^\W*(?:yes|true|correct)\b(?=\W*$|\s*[.,;:!–—]|\s+(?-i:[A-Z\"“])|\s+(?:they|it|he|she|we|this|that)\b)", re.I
)
_BUT = re.compile(r"\b(?:but|however|although|though|only|except|unless|partly|partially|some)\b", re.I)
# A claim with such a word says 'no' in other words.
_UNDOES = re.compile(
    r"\b(?:refus\w+|fail\w*|stop\w*|ignor\w+|avoid\w*|lack\w*|without|reject\w*|oppos\w+|ban(?:s|ned)?|block\w*|only|first|"
    r"prevent\w*|abandon\w*|end(?:s|ed)|cancel\w*)\b",
    re.I,
)
_MOST = 0.4
"""Share of the claim, by weight of its words, that must stand in a question for a 'no' to it to be a 'no' to the claim:
who denies most of it denies it. To bear the claim out a 'yes' must be to nearly all of it."""
_NEARLY_ALL = 0.75
_ITS_OWN, _ONLY_ITS_OWN = 0.6, 0.75
"""Share of the question, by weight, that must be of the claim: a 'yes' to something else about it bears out nothing. A
'yes' to what is nearly all the claim's own, and only a part of it, does not go against it either."""


def answered(evidence: Evidence) -> Ruling | None:
    """What a plain 'yes' or 'no' to a question about the claim says of it; None: none is given, or not about it."""
    sentences = evidence.passage.sentences
    for place in range(len(sentences) - 1):
        question, answer = sentences[place], sentences[place + 1]
        if not question.asks or answer.asks or not _ASKS_WHETHER.match(question.text):
            continue
        no, yes = bool(_NO.match(answer.text)), bool(_YES.match(answer.text))
        if no != yes and (ruling := _ruling(evidence, place, no=no)):
            return ruling
    return None


def _ruling(evidence: Evidence, place: int, *, no: bool) -> Ruling | None:
    claim, words = evidence.claim, evidence.words[place]
    question, answer = evidence.passage.sentences[place : place + 2]
    # What is asked the other way round ('Did it not?') is answered either way by 'no'.
    if words.opposed or claim.negations or question.negations:
        return None
    if _ASKS_FOR_PROOF.search(question.text) or _other_figure(claim, question):
        return None
    if _ASKS_FOR_WORDS.search(question.text) and not _ASKS_FOR_WORDS.search(claim.text):
        return None
    asked = _share(claim.bag, question.bag)
    span = Span(question.span.start, answer.span.end)
    both = replace(answer, span=span, text=span.of(evidence.passage.text))
    why = f"The passage answers '{'no' if no else 'yes'}' to a question that has {round(100 * asked)} % of the claim."
    if no and asked >= _MOST:
        confidence = 0.85 if asked >= _NEARLY_ALL else 0.74
        return Ruling(Stance.CONTRADICTS, confidence, (why,), both, ContradictionType.DIRECT, "answered")
    own = _share(question.bag, claim.bag)
    if not no and asked >= _NEARLY_ALL and own >= _ITS_OWN and not _BUT.search(answer.text):
        return Ruling(Stance.SUPPORTS, 0.8, (why,), both, name="answered")
    plain = not (_BUT.search(answer.text) or answer.negations or _UNDOES.search(claim.text))
    if not no and own >= _ONLY_ITS_OWN and plain:
        part = "The passage says 'yes' to a part of the claim, and denies nothing of it."
        return Ruling(Stance.NEUTRAL, 0.6, (part,), both, name="yes_to_a_part", weak=True)
    return None


def _share(wanted: frozenset[str], found: frozenset[str]) -> float:
    total = sum(rarity(term) for term in wanted)
    return sum(rarity(term) for term in wanted & found) / total if total else 0.0


def _other_figure(claim: SentenceReading, question: SentenceReading) -> bool:
    return any(
        compare(wanted, found).relation is Relation.DIFFERS
        for wanted in claim.quantities
        for found in question.quantities
    )
