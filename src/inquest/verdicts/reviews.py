"""Which checks by others are about which claims of a case.

A review is a pointer: it says that somebody has looked into the claim, who and with what result. It never decides a
verdict; what its page proves is judged as any page's words are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from inquest.claims.sameness import ParsedStatement, overlap, parse_statement, same_statement
from inquest.domain.claim import Claim
from inquest.domain.document import Document
from inquest.domain.leads import ClaimReview
from inquest.domain.report import EarlierCheck
from inquest.domain.search import Hit
from inquest.text.urls import comparison_key, registrable_domain

OWN_WORD = "the page's own word"
"""How `found_by` begins for what a page declares itself to be."""
_ON_THE_MATTER = 0.5
"""Which part of the shorter one's words a review must share with the topic to be about the matter."""
_MOST_UNMATCHED = 10
"""Reviews about the matter that check no claim of the case: enough to see that there are some."""


def earlier_checks(found: Iterable[EarlierCheck], claims: Sequence[Claim], *, topic: str) -> tuple[EarlierCheck, ...]:
    """The reviews, each with the claim that it checks: those of the first claim first, then what is about the matter
    and checks none of them. A review of something else altogether is left out, and each is there once.

    A claim is checked by a review where both make the same statement (`claims.sameness`): the same words, names,
    figures, days and direction. A review of another figure for the same thing checks another claim.
    """
    parts = [(claim.id, parse_statement(claim.text)) for claim in claims]
    matter = parse_statement(topic)
    once: dict[tuple[str, str], EarlierCheck] = {}
    for each in found:
        review = each.review
        # A checker's page may hold several claims; one claim of one page is one review, whoever led to it.
        once.setdefault((comparison_key(review.url), " ".join(review.claim.casefold().split())), each)
    matched: list[EarlierCheck] = []
    others: list[EarlierCheck] = []
    for each in once.values():
        said = _told(each.review)
        claim_id = _claim_of(said, parts)
        if claim_id:
            matched.append(each.model_copy(update={"claim_id": claim_id}))
        elif overlap(said, matter)[1] >= _ON_THE_MATTER:
            others.append(each.model_copy(update={"claim_id": None}))
    order = {claim.id: place for place, claim in enumerate(claims)}
    matched.sort(key=lambda each: (order[each.claim_id or ""], *_place(each)))
    others.sort(key=_place)
    return (*matched, *others[:_MOST_UNMATCHED])


def reviews_of(hits: Iterable[Hit], documents: Iterable[Document]) -> tuple[EarlierCheck, ...]:
    """The reviews that engines gave, and those that pages declare themselves to be, which is their own word."""
    given = [EarlierCheck(review=hit.review, found_by=hit.engine) for hit in hits if hit.review]
    own = [
        EarlierCheck(review=review, found_by=f"{OWN_WORD}, {registrable_domain(document.url)}")
        for document in documents
        for review in document.reviews
    ]
    return (*given, *own)


def _told(review: ClaimReview) -> ParsedStatement:
    return parse_statement(review.claim, review.claimed_at.at.date() if review.claimed_at else None)


def _claim_of(said: ParsedStatement, parts: Sequence[tuple[str, ParsedStatement]]) -> str | None:
    """The claim that says the same, the likest where several do."""
    same = [
        (-overlap(said, of)[0], place, claim_id)
        for place, (claim_id, of) in enumerate(parts)
        if same_statement(said, of)
    ]
    return min(same)[2] if same else None


def _place(each: EarlierCheck) -> tuple[str, str, str]:
    """By date, then reviewer and address: the order must not depend on what came first."""
    review = each.review
    return (review.at.iso if review.at else "9999", review.reviewer or "", review.url)
