"""What the rest of a sentence tells of the firm that it began with: 'X kept its grade and lifted its target to $1,150'.

A clause without a subject of its own has that of the clause before it. So what follows 'and', 'while' or a comma and
begins with the verb is the same firm's; what begins with another name is not.
"""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = [
    "CUT",
    "GRADES",
    "KEEP",
    "RAISE",
    "SAME",
    "Amounts",
    "amounts_in",
    "clause_end",
    "grade_after",
    "target_after",
]

_MONEY = (
    r"(?P<{0}_cur>US\$|C\$|A\$|HK\$|[$€£¥]|USD |EUR |GBP |CHF )?"
    r"(?P<{0}>\d[\d,]*(?:\.\d+)?)(?![\d%])(?!\s*(?:%|per\s?cent))"
)
_TO_FROM = re.compile(
    rf"\b(?:to|at)\s+(?:an?\s+)?{_MONEY.format('to')}(?:[^\d]{{0,20}}\bfrom\s+{_MONEY.format('from')})?"
    rf"|\bfrom\s+{_MONEY.format('from2')}\s*(?:to|→|->)\s*{_MONEY.format('to2')}"
    rf"|{_MONEY.format('from3')}\s*(?:→|->)\s*{_MONEY.format('to3')}"
)
_TARGET = r"(?:(?:12[- ]month|one[- ]year)\s+)?(?:price\s+targets?|targets?(?:\s+price)?|price\s+objectives?|pt)\b"
SAME = (
    r"(?:[,;]\s*(?:(?:and|while|but|then)\s+)?|\s+(?:and|while|but|then)\s+)"
    r"(?:(?:also|has|have|at the same time)\s+)*"
)
"""Where a clause goes on whose subject is the one before."""
_ITS = r"(?:its|their|his|her|the|an?)\s+"
RAISE = r"rais(?:es|ed|ing)|lift(?:s|ed|ing)|boost(?:s|ed|ing)|hik(?:es|ed|ing)|increas(?:es|ed|ing)|ups|upping"
CUT = r"cuts?|cutting|lower(?:s|ed|ing)|trim(?:s|med|ming)|slash(?:es|ed|ing)|reduc(?:es|ed|ing)|drop(?:s|ped|ping)"
_SET = r"sets?|setting|assign(?:s|ed|ing)"
KEEP = (
    r"reiterat(?:es|ed|ing)|maintain(?:s|ed|ing)|reaffirm(?:s|ed|ing)|keeps|kept|keeping|retain(?:s|ed|ing)|"
    r"affirm(?:s|ed|ing)"
)
GRADES = (
    "strong buy|speculative buy|conviction buy|buy|overweight|sector outperform|market outperform|outperform|"
    "positive|accumulate|add|top pick|hold|neutral|equal[- ]weight|market perform|sector perform|peer perform|"
    "in[- ]line|sector weight|underweight|sector underperform|underperform|reduce|strong sell|sell|negative"
)
_MORE_TARGET = re.compile(
    rf"{SAME}(?P<verb>{RAISE}|{CUT}|{_SET})\s+(?:{_ITS})?(?:[\w.&'’-]+\s+){{0,3}}?{_TARGET}(?P<rest>[^.;]{{0,60}}(?:\.\d[^.;]{{0,20}})*)",
    re.I,
)
_WITH_TARGET = re.compile(
    rf"(?:,\s*|\s+)(?:with|and)\s+{_ITS}(?:(?:new|street-high)\s+)?"
    rf"(?:{_MONEY.format('before')}\s+{_TARGET}|{_TARGET}\s+(?:of|at)\s+{_MONEY.format('after')})",
    re.I,
)
_MORE_GRADE = re.compile(
    rf"{SAME}(?P<verb>{KEEP})\s+(?:{_ITS})?[\"“'‘]?(?P<grade>{GRADES})[\"”'’]?(?:[- ]rat(?:ing|ed))?\b", re.I
)
_OTHER_SUBJECT = re.compile(
    r"(?:[;:]|,?\s(?:and|while|but|as|whereas))\s+"
    r"(?!(?:Monday|Tuesday|Wednesday|Thursday|Friday)\b)[A-Z]"
)
_END = re.compile(r"[.!?](?=\s+[A-Z\"“]|\s*$)")


class Amounts(NamedTuple):
    """A target as a text tells it; numbers as written."""

    verb: str
    to: str | None
    before: str | None = None
    sign: str = ""


def amounts_in(text: str, verb: str) -> Amounts | None:
    """'to $240 from $210', 'from $210 to $240', '$210 → $240', 'at $300'; percentages are no amounts."""
    found = _TO_FROM.search(text)
    if not found:
        return None
    parts = found.groupdict()
    sign = next((value for name, value in parts.items() if name.endswith("_cur") and value), "").strip()
    return Amounts(
        verb, parts["to"] or parts["to2"] or parts["to3"], parts["from"] or parts["from2"] or parts["from3"], sign
    )


def clause_end(text: str, start: int) -> int:
    """Where what is said from `start` on stops being of the same firm: at the sentence's end, or at another subject."""
    ends = [found.start() for form in (_END, _OTHER_SUBJECT) if (found := form.search(text, start))]
    return min(ends, default=len(text))


def target_after(text: str, start: int) -> Amounts | None:
    """The target that the same firm is told to have, or to have changed, after `start`."""
    end = clause_end(text, start)
    if (changed := _MORE_TARGET.search(text, start, end)) and (found := amounts_in(changed["rest"], changed["verb"])):
        return found
    if told := _WITH_TARGET.search(text, start, end):
        sign = (told["before_cur"] or told["after_cur"] or "").strip()
        return Amounts("", told["before"] or told["after"], None, sign)
    return None


def grade_after(text: str, start: int) -> str | None:
    """The grade that the same firm is told to have kept, after `start`."""
    kept = _MORE_GRADE.search(text, start, clause_end(text, start))
    return kept["grade"] if kept else None
