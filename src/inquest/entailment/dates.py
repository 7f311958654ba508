"""A claim's dates held against a passage's."""

from __future__ import annotations

import re
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from inquest.domain.document import Precision
from inquest.entailment.reading import Reading, SentenceReading
from inquest.text.moments import Moment
from inquest.text.sentences import stem

__all__ = ["DateEvidence", "DateMatch", "agree", "date_evidence", "happens_once"]

_OF_A_CLAIM = 12


class DateMatch(StrEnum):
    """How one date of the claim fares in the passage."""

    SAME = "same"
    OTHER = "other"
    """The passage speaks of another time."""
    ABSENT = "absent"


class DateEvidence(NamedTuple):
    """One date of the claim, and the passage's date in the sentence that has most of the claim's words."""

    claim: str
    match: DateMatch
    context: float
    """Share of the claim's words that stand in the same sentence."""
    fine: bool = False
    """The dates differ in month or day, and not in the year."""
    sentence: SentenceReading | None = None
    passage: str = ""

    @property
    def reason(self) -> str:
        """As a person would say it."""
        if self.match is DateMatch.SAME:
            return f"The date agrees ({self.claim})."
        if self.match is DateMatch.OTHER:
            return f"The claim speaks of {self.claim}, the passage of {self.passage}."
        return f"The passage does not give the claim's date ({self.claim})."


# What happens to one subject once, or hardly ever twice: another date for it is a contradiction, where another year's
# emissions are only other emissions.
_ONCE = frozenset(
    stem(word)
    for word in (
        "born birth died dies death killed founded found established formed created built constructed opened opens "
        "opening closed closes closing closure shut launched released published signed ratified elected inaugurated "
        "resigned retired married divorced merged acquired bought sold discovered invented began begins started "
        "ended abolished assassinated graduated premiered debuted ordered granted approved adopted passed enacted "
        "repealed sank crashed exploded burst collapsed abandoned declared commissioned decommissioned stopped "
        "arrested convicted sentenced withdrew withdrawn banned dissolved incorporated shutdown"
    ).split()
)


_FIRST_OR_LAST = re.compile(
    r"\b(?:the|its|his|her|their)\s+(?:very\s+)?(?:first|last)\s+(?!\d|year|quarter|month|week|half|time)\w|"
    r"\bfor\s+the\s+first\s+time\b",
    re.I,
)


def happens_once(sentence: SentenceReading) -> bool:
    """Whether it speaks of an event of a kind that has one date, or of the first or last of a kind."""
    return bool(_ONCE & sentence.bag) or bool(_FIRST_OR_LAST.search(sentence.text))


def date_evidence(claim: SentenceReading, passage: Reading) -> tuple[DateEvidence, ...]:
    """For each date of the claim, how the passage's dates stand to it."""
    found = []
    for moment in claim.moments[:_OF_A_CLAIM]:
        others = claim.bag
        best: tuple[tuple[bool, float], DateEvidence] | None = None
        for sentence in passage.sentences:
            if sentence.asks:
                continue
            context = len(others & sentence.bag) / len(others) if others else 0.0
            for candidate in sentence.moments:
                same = agree(moment, candidate)
                match = DateMatch.SAME if same else DateMatch.OTHER
                fine = not same and moment.start.year == candidate.start.year == candidate.end.year
                option = DateEvidence(
                    _spelled(moment, claim), match, context, fine, sentence, _spelled(candidate, sentence)
                )
                rank = (same, context)
                if best is None or rank > best[0]:
                    best = rank, option
        found.append(best[1] if best else DateEvidence(_spelled(moment, claim), DateMatch.ABSENT, 0.0))
    return tuple(found)


def _spelled(moment: Moment, sentence: SentenceReading) -> str:
    words = " ".join(moment.span.of(sentence.text).split())
    return f"{moment.order} {words}".strip()


def agree(claim: Moment, passage: Moment) -> bool:
    """Whether the passage's date can be the claim's, with 'before', 'by' and 'since' taken at their word."""
    first, last = _reach(claim)
    other_first, other_last = _reach(passage)
    return first <= other_last and other_first <= last


def _reach(moment: Moment) -> tuple[date, date]:
    match moment.order:
        case "before":
            return date.min, moment.start
        case "until" | "by":
            return date.min, moment.end
        case "after":
            return (moment.end if moment.precision is not Precision.DAY else moment.start), date.max
        case "since":
            return moment.start, date.max
        case _:
            return moment.start, moment.end
