"""A claim that makes several statements, as its parts: each in the claim's own words and as a sentence that stands
alone.

What the evidence says of one part it does not say of the others, so each is asked about, judged and weighed by itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from inquest.claims.assertions import assertions, has_no_subject, verb_of, without_pronoun
from inquest.claims.report.company import named_in
from inquest.domain.claim import Claim
from inquest.domain.finding import Finding
from inquest.text.regex import regex

_MOST = 5
"""Parts of a claim; what asserts more is an enumeration, and weighed as one."""


_OWN = regex(r"(?:we|the\s+(?:company|group))(?:\s+(?:also|have|has))?", re.I)
_OPENS = regex(r"(?:in|at|on|by|since|from|as|for|with|during|over|until|after|before|between)\b", re.I)
"""How a sentence begins whose subject comes later."""
_LONG = 10
"""Words of a subject that is repeated."""


class ClaimPart(NamedTuple):
    """One of several statements of a claim."""

    words: str
    """As they stand in the claim."""
    text: str
    """As a sentence of its own, with the claim's subject."""


def parts_of(claim: Claim, company: str = "") -> tuple[ClaimPart, ...]:
    """The statements of a claim, in its order; () where it makes one, or more than five.

    `company`: whose claim it is, the subject of what begins with a verb.
    """
    cut = [each.quote for each in assertions(claim.text, 0)] or [each.quote for each in claim.assertions]
    if not 2 <= len(cut) <= _MOST:
        return ()
    first = cut[0]
    return tuple(
        ClaimPart(words, _whole(words, first, company) if number else words) for number, words in enumerate(cut)
    )


def _whole(words: str, first: str, company: str) -> str:
    """'moved all plants' -> 'Norvane moved all plants'; 'Scope 2 by 8 %' -> 'Norvane cut Scope 2 by 8 %'."""
    verb = verb_of(first)
    subject = _subject(first[: verb.start].strip() if verb else "", company)
    said = without_pronoun(words)
    if has_no_subject(said):
        return f"{subject} {said}".strip()
    if verb_of(words) is None and verb is not None:
        return f"{subject} {verb.of(first)} {words}".strip()
    return words


def _subject(head: str, company: str) -> str:
    """Of what stands before the first verb; '' where it is not known: what the EU did is not put into the company's
    shoes."""
    if _OWN.fullmatch(head) or (company and named_in(company, head) and _OPENS.match(head)):
        return company or head
    return "" if _OPENS.match(head) or len(head.split()) > _LONG else head


def findings_on(parts: Sequence[ClaimPart], findings: Sequence[Finding]) -> tuple[tuple[Finding, ...], ...]:
    """For each part the findings that bear on it: those whose reading covers it by its number, and those that name no
    statement and so bear on the whole claim."""
    return tuple(
        tuple(each for each in findings if number in (each.details.get("covers") or (number,)))  # type: ignore[operator]
        for number in range(1, len(parts) + 1)
    )


def words_of(covers: Sequence[int], parts: Sequence[ClaimPart]) -> str:
    """The words of the statements that a reading covers; '' for the whole claim."""
    return "; ".join(parts[number - 1].words for number in covers if number <= len(parts))
