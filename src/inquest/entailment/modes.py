"""Modes of a statement (fact, plan, expectation, possibility) and denials of a claim.

Both follow from the words around what claim and sentence share, independently of a reading model.
"""

from __future__ import annotations

import re
from functools import lru_cache

from inquest.entailment.direction import compare_direction, lemma, opposed_words
from inquest.entailment.framing import has, words_of
from inquest.entailment.parsed_text import Statement, share_of, statement_of
from inquest.text.quantities import Relation, compare
from inquest.text.regex import regex
from inquest.text.sentences import content_words, words
from inquest.text.vocabulary import IRREGULAR, is_unrealised, same_act

_CLAUSE = regex(
    r"[,;:]\s+|[()]|\s*[–—]\s*|\s-\s|\s(?=(?:but|while|although|though|whereas|yet(?!\s+to\b)|because|and\s+that|and\s+(?:has|had|have|is|was|were)"
    r"|and\s+\w+ed)\b)"
)
_ASIDE = regex(r"^([^,;:]+),\s[^,;:]+,(?=\s(?:is|are|was|were|has|have|had|will|would|could|did|does|never)\b)", re.I)
"""A subject with an aside before its verb: 'The opening, set for May, was put off.'"""
_MOST = 0.7
"""Minimum share of a claim's words in a sentence for its negation to apply to the claim."""
_OTHERS = 0.9
"""Minimum share of a claim's other words in a sentence with the opposite of one."""
_CONDITION = regex(r"\b(?:until|unless|before|without|except|only|alone|solely|merely|because|if)\b", re.I)
"""Words that limit a denial to some cases: 'was not closed until May'."""

_JOINED = regex(r",\s+(?:and|but|while|although|though|whereas|yet)\s+|;\s+", re.I)
_ADDED = regex(r",\s+(?:which|who|where|no|an?|the)\b|\sthat\s+would\b", re.I)
_ONLY = regex(r"\b(?:only|just|merely|solely)\b", re.I)
_NOT_ONLY = regex(rf"\bnot\s+{_ONLY.pattern}", re.I)
_IS, _ENDED = regex(r"\b(?:is|are)\b", re.I), regex(r"\b(?:was|were|had)\b[^.;]*\b(?:until|till)\b", re.I)
_FIRST = regex(
    r"\W*(?:(?:be|been|being|is|are|was|were|do|does|did|have|has|had|yet|ever|to|the|an?|any|its|their|his|her)\s+)*(?P<word>\w+)",
    re.I,
)
"""The negated word, after auxiliaries."""

_PAST = regex(r"(?<!\bbe )\b[^\W\d_]+\b")
_IRREGULAR = frozenset(past for past, base in IRREGULAR.items() if base not in ("be", "have", "do") and past != base)
_CONTINUOUS = regex(r"\b(?:is|are|was|were|been)\s+(?:\w+ly\s+)?(?!going\b)(\w+ing)\b", re.I)
_INFINITIVE = regex(
    r"\b(?P<to>to|can|could|may|might|must|should|rather\s+than|instead\s+of)\s+(?:\w+ly\s+)?(?P<act>(?!announc|confirm|report|reveal)[a-z]+)\b",
    re.I,
)
_FINITE = regex(r"\b(?:is|are|was|were|has|had|have|did|do|does|will|would|\w{2,}ed)\b|,", re.I)
_IMPLIES = regex(
    r"\b(?:manag|able|beg[aiu]n|start|continu|went\s+on|go(?:es|ne)?\s+on|help|forc|compel|led|leads?|caus|mak|made|first|last|only|had|has|have|"
    r"used|proceed|opt|cho[os]|c[ao]me|found|show[ns]?|proven?|proved|known|seen|report|said|believ|thought|estimat|seem|appear|tend|turn|"
    r"because|after|by)\w*\s+(?:\w+ly\s+)?$",
    re.I,
)
"""Words before an infinitive that imply that it was done, or say that it was."""

_FORGONE = regex(r"short\s+of\s+$|\bagainst\s+$|^not\s+to\s+$", re.I)
_NO_DENIAL = regex(r"prevent|instead|rather|free|absence|lack|hardly|scarcely|barely|without", re.I)
"""Cues for an action or a lack, not for an untrue statement."""

_UNDOING = ("begin", "decision")
_NAMED = regex(
    r"(?:\b(?:the|an?|its|his|her|their)|['’]s)\s+(?:[\w-]+\s+){0,2}?(?P<act>(?!\w+ing\b)\w+)(?=\s+(?:of|to|in|on|at|for|by|from|with|was|were)\b)"
    r"|(?:^|[;:]\s)(?P<subject>\w+ing)(?=,|\s(?:is|are|was|were|has|had|will|would)\b)",
    re.I,
)
"""A noun with an article, or a gerund as the subject: 'the launch was scrubbed', 'opening, due in May, has slipped'."""


def realised_by(claim: Statement, sentence: Statement) -> bool:
    """False if the claim states a fact and the sentence has its figures and dates, or most of its words, only as
    planned, expected, possible or imagined, or as a state that has ended."""
    if is_unrealised(claim.text) or has("announced", claim.text):
        return True
    if has("imagined", sentence.text) or (_IS.search(claim.text) and _ENDED.search(sentence.text)):
        return False
    if has("stage", sentence.text) and not has("stage", claim.text):
        # One step of a procedure, without a word for what the claim ends with, or with the act to come: 'became law'.
        last = next((one for one in reversed(content_words(claim.text)) if not one.isdigit()), "")
        if (last not in sentence.terms and same_act(last).isdisjoint(sentence.terms)) or _only_named(claim, sentence):
            return False
    first = _INFINITIVE.search(sentence.text)
    if first and not _FINITE.search(sentence.text[: first.start()]) and _only_named(claim, sentence):
        return False
    acts = {term for term in claim.terms if term.isalpha()}
    deciding = [one for one in _clauses(sentence.text) if acts & one.terms and _has_value_of(claim, one)]
    if not deciding:
        shares = {one: share_of(claim.terms, one.terms) for one in _clauses(sentence.text)}
        most = max(shares.values(), default=0.0)
        deciding = [one for one, share in shares.items() if share == most]
    return any(not is_unrealised(one.text) and not _only_named(claim, one) for one in deciding)


def _only_named(claim: Statement, clause: Statement) -> bool:
    """True if the clause has an act that the claim reports only in the infinitive: 'obtained permission to drill', 'can
    recall' for 'recalled', 'commits to reduce' for 'cut'; not after a verb that implies it: 'managed to drill'."""
    axes = {pole.axis for pole in claim.poles}
    moving = {pole.span.start for pole in clause.poles if pole.axis in axes}
    named = [
        match
        for match in _INFINITIVE.finditer(clause.text)
        if lemma(match["act"]) in _done(claim.text) or match.start("act") in moving
    ]
    if not named or any(_IMPLIES.search(clause.text[: match.start("to")]) for match in named):
        return False
    other = moving - {match.start("act") for match in named}
    return not other and not any(lemma(match["act"]) in _done(clause.text) for match in named)


@lru_cache(maxsize=4_096)
def _done(text: str) -> frozenset[str]:
    """The stems of the verbs in a past or continuous form, as in 'opened' and 'was opening', without auxiliaries."""
    past = (word for word in _PAST.findall(text) if word.endswith("ed") or word.lower() in _IRREGULAR)
    return frozenset(map(lemma, (*past, *_CONTINUOUS.findall(text))))


def denied_by(claim: Statement, sentence: Statement) -> bool:
    """True if one of the two has an odd number of negations more, and the first negated word is in both."""
    if (_CONDITION.search(sentence.text) or has("excepted", sentence.text)) and not _NOT_ONLY.search(sentence.text):
        return False
    restates = share_of(claim.terms, sentence.terms) >= _MOST
    not_only = bool(_ONLY.search(claim.text)) and bool(_NOT_ONLY.search(sentence.text))
    return opposed_by(claim, sentence) or (restates and (not_only or turned_by(claim, sentence)))


def opposed_by(claim: Statement, sentence: Statement) -> bool:
    """True if the sentence has the words of the claim but for one, and the opposite of that."""
    pair = opposed_words(claim, sentence)
    return pair is not None and share_of(claim.terms - set(content_words(pair[0])), sentence.terms) >= _OTHERS


def turned_by(claim: Statement, sentence: Statement) -> bool:
    """True if one of the two has an odd number of negations more, each of a shared word; of an accusation, of the word
    that accuses: 'cleared of fraud' and 'not guilty' do not deny 'charged with fraud'."""
    if not compare_direction(claim, sentence).negated:
        return False
    if any(_NO_DENIAL.match(one.cue.of(each.text)) for each in (claim, sentence) for one in each.negations):
        return False
    negating, other = (sentence, claim) if len(sentence.negations) > len(claim.negations) else (claim, sentence)
    accusing = words_of("accused", claim.text).partition(" ")[0] if other is claim else ""
    said = {lemma(accusing)} if accusing else {lemma(span.of(other.text)) for span in words(other.text)}
    first = [_FIRST.match(negating.text, one.scope.start) for one in negating.negations]
    meant = [match and lemma(match["word"]) in said for match in first]
    return bool(meant) and all(meant)


def only_forgoes(claim: Statement, sentence: Statement) -> bool:
    """True if all that the sentence denies are acts that somebody chose not to do, none of which the claim names:
    'stopped short of closing the mill', 'chose not to sell it'."""
    cues = [(one.cue, _FIRST.match(sentence.text, one.scope.start)) for one in sentence.negations]
    said = {lemma(span.of(claim.text)) for span in words(claim.text)}
    return bool(cues) and all(
        act and _FORGONE.search(sentence.text[cue.start : act.start("word")]) and lemma(act["word"]) not in said
        for cue, act in cues
    )


def undone_by(claim: Statement, sentence: Statement) -> bool:
    """True if the sentence ends or forbids something, or has the verbs of the claim only as nouns: 'cancelled its
    concert' for 'played', 'the launch was scrubbed' for 'was launched'."""
    if any(pole.axis in _UNDOING and pole.sign < 0 and not pole.negated for pole in sentence.poles):
        return True
    acts = _done(claim.text)
    named = {lemma(one["act"] or one["subject"]) for one in _NAMED.finditer(sentence.text)}
    return bool(acts) and acts <= named - _done(sentence.text)


def denied_in_part(claim: Statement, sentence: Statement) -> bool:
    """True if a part of the sentence denies what no other part has of the claim: 'guilty of theft and cleared of fraud'
    for 'guilty of fraud'."""
    parts = [part for part in _clauses(sentence.text) if claim.terms & part.terms]
    if claim.negations or len(parts) < 2:
        return False
    for part in parts:
        elsewhere = frozenset[str]().union(*(other.terms for other in parts if other is not part))
        for one in part.negations:
            denied = claim.terms & set(content_words(one.scope.of(part.text)))
            if denied - elsewhere and not _NO_DENIAL.match(one.cue.of(part.text)):
                return True
    return False


def main_clauses(text: str) -> list[str]:
    """Return the joined parts of a sentence, each up to its first relative clause or apposition."""
    return [_ADDED.split(part, maxsplit=1)[0] for part in _JOINED.split(text)]


@lru_cache(maxsize=2_048)
def _clauses(text: str) -> tuple[Statement, ...]:
    aside = _ASIDE.match(text)
    parts = _CLAUSE.split(text)
    if aside:
        parts = [*_CLAUSE.split(text[aside.end(1) : aside.end()]), *_CLAUSE.split(_ASIDE.sub(r"\1", text))]
    return tuple(statement_of(part) for part in parts if part and part.strip())


def _has_value_of(claim: Statement, clause: Statement) -> bool:
    """True if the clause has a figure or a date of the claim."""
    same = (compare(mine, other) is Relation.SAME for mine in claim.figures for other in clause.figures)
    return any(same) or any(mine.overlaps(other) for mine in claim.moments for other in clause.moments)
