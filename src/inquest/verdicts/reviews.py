"""Match published fact checks to the claims of a case.

A review is a pointer: it names who has checked the claim and with what result. It never decides a verdict; the
text of its page is judged like any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from inquest.claims.merging import parse_statement, same_statement
from inquest.domain.claim import Claim
from inquest.domain.document import Document
from inquest.domain.report import EarlierCheck
from inquest.domain.search import ClaimReview, Hit
from inquest.text.similarity import overlap
from inquest.text.urls import comparison_key, registrable_domain

OWN_WORD = "the page's own word"
"""Prefix of `found_by` for a review that a page declares itself to be."""
_ON_TOPIC = 0.5
"""Share of the shorter text's words that a review and the topic must have in common."""
_MOST_UNMATCHED = 10
"""Reviews listed that are on the topic but check no claim of the case."""


def earlier_checks(found: Iterable[EarlierCheck], claims: Sequence[Claim], *, topic: str) -> tuple[EarlierCheck, ...]:
    """Return each review once with the claim it checks, in the order of the claims, then those that are on the topic
    but check none of them; drop the rest.

    A review checks a claim if both make the same statement (`claims.merging`): the same words, names, figures, days
    and direction. A review of another figure for the same thing checks another claim.
    """
    statements = [(claim.id, parse_statement(claim.text)) for claim in claims]
    subject = parse_statement(topic)
    once: dict[tuple[str, str], EarlierCheck] = {}
    for check in found:
        # A page may review several claims, and several engines may find one page.
        key = (comparison_key(check.review.url), " ".join(check.review.claim.casefold().split()))
        once.setdefault(key, check)
    matched: list[EarlierCheck] = []
    others: list[EarlierCheck] = []
    for check in once.values():
        claimed_at = check.review.claimed_at
        statement = parse_statement(check.review.claim, claimed_at.at.date() if claimed_at else None)
        same = [(id, other) for id, other in statements if same_statement(statement, other)]
        if same:
            claim_id, _ = max(same, key=lambda each: overlap(statement.bag, each[1].bag)[0])
            matched.append(check.model_copy(update={"claim_id": claim_id}))
        elif overlap(statement.bag, subject.bag)[1] >= _ON_TOPIC:
            others.append(check.model_copy(update={"claim_id": None}))
    order = {claim.id: place for place, claim in enumerate(claims)}
    matched.sort(key=lambda check: (order[check.claim_id or ""], *_sort_key(check.review)))
    others.sort(key=lambda check: _sort_key(check.review))
    return (*matched, *others[:_MOST_UNMATCHED])


def reviews_of(hits: Iterable[Hit], documents: Iterable[Document]) -> tuple[EarlierCheck, ...]:
    """Return the reviews that engines returned, then those that pages declare themselves to be."""
    returned = [EarlierCheck(review=hit.review, found_by=hit.engine) for hit in hits if hit.review]
    declared = [
        EarlierCheck(review=review, found_by=f"{OWN_WORD}, {registrable_domain(document.url)}")
        for document in documents
        for review in document.reviews
    ]
    return (*returned, *declared)


def _sort_key(review: ClaimReview) -> tuple[str, str, str]:
    """Date, reviewer and address, so that the order does not depend on which review was found first."""
    return (review.at.iso if review.at else "9999", review.reviewer or "", review.url)
