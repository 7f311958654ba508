"""Days said from where the writer stood ('on Thursday', 'yesterday', '14 March') as the days they were."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta

from inquest.domain.document import Precision
from inquest.text.moments import moments
from inquest.text.phrases import day
from inquest.text.regex import regex

_SOON = timedelta(days=150)
"""How far back a day without a year can be taken for the nearest one."""
_WORD = regex(r"(?:yesterday|today)$", re.I)
_WEEKDAY = regex(r"(?:on\s+|last\s+)?(?:mon|tues|wednes|thurs|fri|satur|sun)day$", re.I)
_DAY_MONTH = regex(r"\d{1,2}(?:st|nd|rd|th)?\s+[A-Z][a-z]+$|[A-Z][a-z]+\s+\d{1,2}(?:st|nd|rd|th)?$")
_PART_OF_DAY = regex(r"\s+(morning|afternoon|evening|night)\b")
_QUOTED = regex(r"[\"“][^\"”]*[\"”]")


def with_days(sentence: str, reference: date | None) -> str:
    """The sentence with such days written out, so that it can be understood on another day; `reference` is the day it
    was written. What stands in quotation marks, and what cannot be told for certain, stays."""
    if reference is None:
        return sentence
    quoted = [match.span() for match in _QUOTED.finditer(sentence)]
    for moment in reversed(moments(sentence, reference)):
        start, end = moment.span
        said = moment.span.of(sentence).rstrip(".")
        end = start + len(said)  # the full stop after 'March' may be the sentence's
        exact = moment.precision is Precision.DAY and moment.start == moment.end
        inside = any(first <= start < last for first, last in quoted)
        if not moment.relative or not exact or inside or not timedelta() <= reference - moment.start <= _SOON:
            continue
        written = day(datetime.combine(moment.start, time.min, UTC))
        before = sentence[:start]
        if _DAY_MONTH.search(said):
            sentence = f"{before}{written}{sentence[end:]}"
        elif part := _PART_OF_DAY.match(sentence, end):
            sentence = f"{before}on the {part.group(1)} of {written}{sentence[part.end() :]}"
        elif _WORD.search(said) or _WEEKDAY.search(said):
            on = (
                ""
                if re.search(r"\b(?:on|of|since|until|by|from)\s+$", before)
                else "On "
                if not before.strip()
                else "on "
            )
            sentence = f"{before}{on}{written}{sentence[end:]}"
    return sentence
