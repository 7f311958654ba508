"""A claim that makes several statements, as its parts: each in the claim's own words and as a sentence that stands
alone.

What the evidence says of one part it does not say of the others, so each is asked about, judged and weighed by itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from inquest.claims.report_claims_company import named_in
from inquest.claims.report_claims_parts import assertions, has_no_subject, verb_of, without_pronoun
from inquest.domain.claim import Claim
from inquest.domain.finding import Finding, Stance
from inquest.text.sentences import content_words

__all__ = ["PART", "ClaimPart", "findings_on", "parts_of", "shares", "untouched"]

PART = "part"
"""Key in a finding's details: the words of the part that it is about; without it a finding is on the whole claim."""
_MOST = 5
"""Parts of a claim; what asserts more is an enumeration, and weighed as one."""
_HARDLY, _MOSTLY = 0.15, 0.5
"""Shares of a part's own words: up to which a quote does not speak of it, and from which it says what the part says."""
_SPEAKS, _AS_GOOD = 0.2, 0.6
"""The share from which a contradiction is of one part, and how near another part must come to be meant too."""


_OWN = re.compile(r"(?:we|the\s+(?:company|group))(?:\s+(?:also|have|has))?", re.I)
_OPENS = re.compile(r"(?:in|at|on|by|since|from|as|for|with|during|over|until|after|before|between)\b", re.I)
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
    """Of what stands before the first verb; '' where it cannot be told: what the EU did is not put into the company's
    shoes."""
    if _OWN.fullmatch(head) or (company and named_in(company, head) and _OPENS.match(head)):
        return company or head
    return "" if _OPENS.match(head) or len(head.split()) > _LONG else head


def shares(parts: Sequence[str], quote: str) -> tuple[float, ...]:
    """For each part the share of the words of its own, those that no other part has, that stand in the quote; 1 for a
    part that has none of its own."""
    bags = [set(content_words(part)) for part in parts]
    found = set(content_words(quote))
    own = [
        bag - set().union(*(other for at, other in enumerate(bags) if at != number)) for number, bag in enumerate(bags)
    ]
    return tuple(len(bag & found) / len(bag) if bag else 1.0 for bag in own)


def untouched(parts: Sequence[str], quotes: Sequence[str]) -> tuple[int, ...]:
    """The parts (by place) that no quote speaks of, where every quote has most of another part.

    A quote that has words of no part says the same in other words, and of that nothing can be concluded: then ().
    """
    measured = [shares(parts, quote) for quote in quotes]
    if not measured or any(max(each) < _MOSTLY for each in measured):
        return ()
    return tuple(number for number in range(len(parts)) if max(each[number] for each in measured) <= _HARDLY)


def findings_on(parts: Sequence[ClaimPart], findings: Sequence[Finding]) -> tuple[tuple[Finding, ...], ...]:
    """For each part the findings that bear on it. One that was judged beside a part is on that part; one that was
    judged beside the whole claim is on all that it may mean. What bears on no side is on every part."""
    on = [_bears_on(parts, each) for each in findings]
    return tuple(
        tuple(each for each, places in zip(findings, on, strict=True) if number in places)
        for number in range(len(parts))
    )


def _bears_on(parts: Sequence[ClaimPart], finding: Finding) -> tuple[int, ...]:
    everywhere = tuple(range(len(parts)))
    if finding.stance not in (Stance.SUPPORTS, Stance.CONTRADICTS):
        return everywhere
    named = [number for number in everywhere if parts[number].words == finding.details.get(PART)]
    if named:
        return (named[0],)
    # With the subject that all share, whose name is then nobody's own word.
    texts = [part.text for part in parts]
    if finding.stance is Stance.SUPPORTS:
        left = untouched(texts, [finding.quote])
        return tuple(number for number in everywhere if number not in left)
    said = shares(texts, finding.quote)
    if max(said) < _SPEAKS:
        return everywhere
    return tuple(number for number in everywhere if said[number] >= _AS_GOOD * max(said))
