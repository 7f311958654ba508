"""Fact checks: each review of a claim is a hit, and a claim without a review is not."""

from __future__ import annotations

from inquest.domain.search import Query
from tests.engines.recorded_replies import ACCESS, ENGINES, asked, body_of, recorded, reply


def test_each_review_of_a_claim_is_a_hit() -> None:
    hits = recorded("google_factcheck")
    assert [hit.review.verdict for hit in hits if hit.review] == [
        "contradicted", "partially_true", "partially_true", "contradicted", "contradicted", None, "partially_true",
        None, "unverified", "contradicted",
    ]  # fmt: skip
    review = hits[0].review
    assert review is not None
    assert (review.claim, review.claimant) == ("Claim 0: the port of Vellmar dredged the reserve", "Poster 0")
    assert (review.rating, review.reviewer, review.url) == ("False", "Check Desk 0", hits[0].url)
    assert review.claimed_at and review.claimed_at.iso == "2026-07-10"
    assert hits[0].published == review.at
    second = hits[1]
    assert (second.publisher, second.published, second.title) == (
        "second.example", None, "Fact check: Claim 0: the port of Vellmar dredged the reserve",
    )  # fmt: skip


def test_a_claim_nobody_reviewed_leaves_the_others() -> None:
    body = body_of("google_factcheck")
    body["claims"][3]["claimReview"] = []
    engine = ENGINES["google_factcheck"](ACCESS)
    assert len(engine.parsed(reply(body), engine.parse)) == len(recorded("google_factcheck")) - 1


def test_fact_checks_of_one_site_are_asked_for_by_its_filter() -> None:
    sent = asked("google_factcheck", Query(text="Vellmar", language="fr", domains=("checks.example",)))
    assert (sent["reviewPublisherSiteFilter"], sent["languageCode"]) == ("checks.example", "fr")
    many = asked("google_factcheck", Query(text="Vellmar", domains=("a.example", "b.example")))
    assert "reviewPublisherSiteFilter" not in many
