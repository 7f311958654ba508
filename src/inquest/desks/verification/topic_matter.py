"""Whether a claim that sources make is the topic's own matter: the same deed of the same people, at the same place, in
the same year and to the same figure, and said to have happened.

A page on the same company that has the title's verb tells of another deed more often than of this one. So what is not
the title in its own words counts as its matter only where nothing in it points elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from inquest.desks.verification.consistency_details import held_against, wanted_of
from inquest.domain.finding import Finding, Stance
from inquest.domain.investigation import Detail, MatchOfDetail
from inquest.domain.topic import Topic
from inquest.entailment.framing import Framing, framing, is_hedged
from inquest.entailment.predicates import has_word, predicates
from inquest.entailment.reading import SentenceReading, read_sentence
from inquest.text.entities import Name, names, same_name
from inquest.text.passages import stems
from inquest.text.sentences import fold

__all__ = ["bear_the_title", "is_of_another_matter", "tells_of_another_time", "tells_the_matter"]

_ITS_WORDS, _FEWEST = 0.6, 2
"""The share of the title's carrying words, names and figures aside, that a claim has which tells the same; and how many
such words a title must have: with one verb alone, any deed of the kind would do."""
_NOT_YET = re.compile(
    r"\b(?:will|shall|can|cannot|could|may(?=\s+[a-z])|might|would|should)\b"
    r"|\b(?:plan|intend|hope|want|wish|aim|seek|threaten|expect|propose|consider|demand|request|apply|applie|ask|bid|call|"
    r"prepare|practise|practice|negotiat|discuss|warn|fear|predict|forecast|weigh)(?:s|es|ed|d|ing)?\b",
    re.IGNORECASE,
)
"""Says of a deed that it is possible, wanted, asked for or feared, and so that it has not happened."""
_WANTED = re.compile(
    r"\b(?:appl|ask|bid|call|hop|wait|campaign|press|push|lobb|compet)(?:y|ies|ied|ying|s|es|e|ed|ing|ding)?\s+for\b"
    r"|\b(?:plan|intend|want|wish|hop|threaten|expect|propos|promis|seek|prepar|demand|offer)(?:s|es|e|ed|ing|d)?\s+to\b"
    r"|\b(?:is|are|was|were)\s+(?:considering|weighing|planning|discussing|negotiating|in\s+talks)\b",
    re.IGNORECASE,
)
"""The same, where the word governs what is wanted: said of a page's own words, which may tell more than the matter."""
_IS_TO = re.compile(r"\bto\s+[a-z]+", re.IGNORECASE)
"""A headline's future: 'to pay'."""
_LONG_AGO = re.compile(
    r"\b(?:years|decades|months)\s+(?:ago|before|earlier)\b|\blast\s+(?:year|decade|century)\b", re.IGNORECASE
)


_CIRCUMSTANCES = re.compile(
    r"\b(?:after|before|in|at|on|over|for|from|by|with|without|amid|as|when|while|following|because|since|during|under|near|"
    r"against|through|despite|due\s+to)\b",
    re.IGNORECASE,
)
"""Begins what a headline adds to its deed: 'children die after drinking water'."""
_OF_THE_DEED = 0.5
"""The share of what stands before the circumstances, names aside, that a text has which tells the same deed."""


def tells_the_matter(topic: Topic, text: str) -> bool:
    """Whether a text says in other words what the title says: most of its carrying words, half of those before its
    circumstances and its first verb among them, where its form shows one, and nothing that points to another matter."""
    if is_of_another_matter(topic, text):
        return False
    named = {stem for name in names(topic.title) for stem in stems(name.text)}
    carrying = [
        each for each in dict.fromkeys(stems(topic.title)) if each not in named and not any(c.isdigit() for c in each)
    ]
    bag = frozenset(stems(text))
    done = predicates(topic.title)
    first = next((each for each in carrying if each in done), None)
    if first is not None and not has_word(bag, first):
        return False
    deed = set(stems(_CIRCUMSTANCES.split(topic.title, maxsplit=1)[0]))
    before = [each for each in carrying if each in deed]
    if sum(has_word(bag, each) for each in before) < _OF_THE_DEED * len(before):
        return False
    return len(carrying) >= _FEWEST and sum(has_word(bag, each) for each in carrying) >= _ITS_WORDS * len(carrying)


def is_of_another_matter(topic: Topic, text: str) -> bool:
    """Whether a text points to another deed than the title's: it asks, or tells of what may be or is wanted; it leaves
    out one of the title's names and has others in its place; it is of another year; or it gives figures and
    not the title's."""
    wanted, told = read_sentence(topic.title), read_sentence(text)
    if told.asks or framing(told).framing is not Framing.STATED:
        return True
    unreal = is_hedged(text) or bool(_NOT_YET.search(text))
    if unreal and not (is_hedged(topic.title) or _NOT_YET.search(topic.title)):
        return True
    # 'Can catch fire' makes no plan of what a title says was done.
    if _WANTED.search(text) and not (_WANTED.search(topic.title) or _IS_TO.search(topic.title)):
        return True
    return _of_others(topic.title, text) or _of_another_time(topic, wanted, told) or _of_another_figure(topic, told)


def tells_of_another_time(topic: Topic, quote: str) -> bool:
    """Whether the words by which a source is held to confirm the topic tell of a wish or a plan, or of another year.
    Names are not looked for: a page that has named the company says 'it'."""
    wanted, told = read_sentence(topic.title), read_sentence(quote)
    if _WANTED.search(quote) and not (_NOT_YET.search(topic.title) or _IS_TO.search(topic.title)):
        return True
    years = _years(topic, wanted)
    given = {each.start.year for each in told.moments}
    return bool(years and given) and min(abs(one - other) for one in years for other in given) > 1


def bear_the_title(findings: Sequence[Finding], title: str) -> frozenset[str]:
    """Ids of the sources that say themselves what the title says, the claim of that id, and nowhere that it is not so.
    Where one has it otherwise than a sentence of another page, the two differ in what that sentence has beside the
    title."""
    own = [each for each in findings if each.claim_id == title]
    said = [e for e in own if not e.details.get("party") and not e.details.get("hearsay")]
    against = {each.source_id for each in own if each.stance is Stance.CONTRADICTS}
    return frozenset(each.source_id for each in said if each.stance is Stance.SUPPORTS) - against


def _of_others(title: str, text: str) -> bool:
    """A name of the title is missing, and one stands in the text that the title has not. The text's own names are
    compared as they are written: 'Norvane' is 'Norvane Group'."""
    mine, theirs = names(title), [each for each in names(text) if each.sure]
    missing = [
        each for each in mine if not any(_same(each, other) for other in theirs) and fold(each.text) not in fold(text)
    ]
    strange = [
        each for each in theirs if not any(_same(each, other) for other in mine) and fold(each.text) not in fold(title)
    ]
    return bool(missing and strange) or len(missing) == len(mine) > 0


def _same(one: Name, other: Name) -> bool:
    return same_name(one.text, other.text)


def _years(topic: Topic, wanted: SentenceReading) -> set[int]:
    """The years that the title gives, and that of the event."""
    return {each.start.year for each in wanted.moments} | ({topic.event_date.year} if topic.event_date else set())


def _of_another_time(topic: Topic, wanted: SentenceReading, told: SentenceReading) -> bool:
    years = _years(topic, wanted)
    given = {each.start.year for each in told.moments}
    if _LONG_AGO.search(told.text) and not _LONG_AGO.search(topic.title):
        return True
    if not years:
        # Without a date the topic is news, and news needs no year; who gives one tells of then.
        return bool(given)
    return bool(given) and not given & years


def _of_another_figure(topic: Topic, told: SentenceReading) -> bool:
    wanted = [each for each in wanted_of(topic.title) if each.detail is Detail.NUMBER]
    if not wanted:
        return False
    if not told.quantities:
        return True  # whoever does not give the title's figure does not bear it out
    given = held_against(wanted, topic.title, told.text, Stance.SUPPORTS, None)
    return any(each.match is not MatchOfDetail.AGREES for each in given)
