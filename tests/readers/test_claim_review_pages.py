"""Pages that declare a check of a claim: the declaration is read with the page, and never as its text."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from inquest.domain.document import Document, Snapshot
from inquest.readers.html.reader import HtmlReader

URL = "https://checks.example/2026/07/vellmar"
REVIEW = {
    "@context": "https://schema.org",
    "@type": "ClaimReview",
    "claimReviewed": "The port of Vellmar never dredged the reserve",
    "itemReviewed": {"@type": "Claim", "author": {"@type": "Person", "name": "Ada Quill"}},
    "reviewRating": {"@type": "Rating", "ratingValue": "1", "bestRating": "5", "worstRating": "1"},
    "author": {"@id": "https://checks.example/#desk"},
    "url": "/2026/07/vellmar",
}
DESK = {"@type": "Organization", "@id": "https://checks.example/#desk", "name": "Check Desk"}


def read(*scripts: str, box: str = "", above: str = "") -> Document:
    blocks = "".join(f'<script type="application/ld+json">{script}</script>' for script in scripts)
    page = (
        f"<html><head><title>No, the port did dredge</title>{blocks}</head>"
        f"<body><article>{above}<h1>No, the port did dredge</h1>{box}<div>"
        "<p>Records of the harbour authority show that two dredgers worked inside the reserve on nine days in March, "
        "although the authority had told the council that no dredging took place there.</p></div></article>"
        "</body></html>"
    ).encode()
    snapshot = Snapshot(
        hash="sha256:" + "0" * 64,
        url=URL,
        final_url=URL,
        content_type="text/html; charset=utf-8",
        retrieved_at=datetime(2026, 7, 15, tzinfo=UTC),
        size=len(page),
    )
    return HtmlReader().read(page, snapshot)


@pytest.mark.parametrize(
    "declared",
    [
        [REVIEW, DESK],
        {"@context": "https://schema.org", "@graph": [DESK, {"@type": "NewsArticle", "headline": "x"}, REVIEW]},
        {"@type": "NewsArticle", "publisher": DESK, "review": [REVIEW]},
    ],
    ids=["list", "graph", "nested"],
)
def test_a_review_is_found_wherever_it_stands(declared: Any) -> None:
    [found] = read(json.dumps(declared)).reviews
    assert (found.claim, found.claimant) == ("The port of Vellmar never dredged the reserve", "Ada Quill")
    assert (found.rating, found.verdict, found.reviewer) == ("1 of 5", "contradicted", "Check Desk")
    assert found.url == URL


def test_what_a_page_declares_is_not_its_text() -> None:
    document = read(json.dumps(REVIEW))
    assert document.reviews
    assert "never dredged the reserve" not in document.text
    assert "two dredgers worked inside the reserve" in document.text


def test_markup_that_is_broken_leaves_the_rest() -> None:
    document = read("{ not json", json.dumps(REVIEW), "<!-- " + json.dumps(REVIEW | {"claimReviewed": "B"}) + " -->")
    assert [found.claim for found in document.reviews] == [REVIEW["claimReviewed"], "B"]


CLAIM = "<div class='claim'><div>Claim:</div><div>The port of Vellmar never dredged the reserve</div></div>"


@pytest.mark.parametrize(
    ("above", "box", "lines"),
    [
        (CLAIM, "", ["The port of Vellmar never dredged the reserve"]),
        ("", f"<div>{CLAIM}<a>Mostly satire<span>About this rating</span></a></div>", ["Mostly satire"]),
        ("", "<div class='check-rating'><div>Rating</div><p><b>False</b></p></div>", ["False"]),
    ],
    ids=["claim above the heading", "rating as a link", "class"],
)
def test_the_claim_and_its_rating_are_kept_where_the_page_shows_them(above: str, box: str, lines: list[str]) -> None:
    rated = REVIEW | {"reviewRating": {"alternateName": "Mostly satire"}}
    document = read(json.dumps(rated), above=above, box=box)
    assert set(lines) <= set(document.text.split("\n"))
    assert "two dredgers worked inside the reserve" in document.text
    assert "About this rating" not in document.text
