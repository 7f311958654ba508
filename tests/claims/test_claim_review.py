"""The meaning of fact checkers' ratings, and ClaimReview markup in all its variants."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.claims.claim_review import MOST_REVIEWS, NO_VERDICT, RATINGS, claim_reviews, folded, verdict_of
from inquest.domain.finding import Verdict
from inquest.domain.search import ClaimReview

NOW = datetime(2026, 7, 15, 12, tzinfo=UTC)
PAGE = "https://checks.example/2026/07/vellmar"


def review(**fields: Any) -> dict[str, Any]:
    whole = {
        "@type": "ClaimReview",
        "claimReviewed": "The port of Vellmar never dredged the reserve",
        "itemReviewed": {
            "@type": "Claim",
            "author": {"@type": "Person", "name": "Ada Quill"},
            "datePublished": "2026-07-01",
        },
        "reviewRating": {"@type": "Rating", "alternateName": "False"},
        "author": {"@type": "Organization", "name": "Check Desk", "url": "https://checks.example/"},
        "datePublished": "2026-07-12",
        "url": "https://checks.example/2026/07/vellmar",
    }
    return {name: value for name, value in (whole | fields).items() if value is not None}


def read(*nodes: Any) -> tuple[ClaimReview, ...]:
    return claim_reviews(nodes, PAGE, now=NOW)


# Ratings in words


@pytest.mark.parametrize(
    ("rating", "verdict"),
    [
        ("False", "contradicted"), ("Faux", "contradicted"), ("Falsch", "contradicted"), ("Falso", "contradicted"),
        ("Pants on Fire!", "contradicted"), ("Mostly False", "contradicted"), ("Four Pinocchios", "contradicted"),
        ("Altered photo", "contradicted"),
        ("Mostly true", "partially_true"), ("Half True", "partially_true"), ("HALF-TRUE", "partially_true"),
        ("Misleading", "partially_true"), ("Missing context", "partially_true"), ("Trompeur", "partially_true"),
        ("Engañoso", "partially_true"), ("Irreführend", "partially_true"),
        ("True", "verified"), ("Correct.", "verified"), ("Vrai", "verified"), ("Richtig", "verified"),
        ("Verdadeiro", "verified"),
        ("Unproven", "unverified"), ("Unbelegt", "unverified"), ("Sin pruebas", "unverified"),
        ("No evidence", "unverified"), ("Disputed", "disputed"), ("Umstritten", "disputed"),
    ],
)  # fmt: skip
def test_the_words_of_a_rating_are_known_in_many_languages(rating: str, verdict: str) -> None:
    assert verdict_of(rating) == verdict


@pytest.mark.parametrize("rating", ["Satire", "Parodie", "Scam", "Opinion", "A nice hat", "", None, "Not false", "1"])
def test_what_says_nothing_of_truth_has_no_verdict(rating: str | None) -> None:
    assert verdict_of(rating) is None


@pytest.mark.parametrize(
    ("rating", "verdict"),
    [
        ("False. The photo was taken in 2018.", "contradicted"),
        ("FALSE | Check Desk", "contradicted"),
        ("<b>Mostly&nbsp;true</b>", "partially_true"),
        ("Partly false. Missing context", "partially_true"),
    ],
)
def test_what_is_written_round_a_rating_does_no_harm(rating: str, verdict: str) -> None:
    assert verdict_of(rating) == verdict


@pytest.mark.parametrize("rating", ["True, but misleading", "True: the photo. False: the caption.", "False / True"])
def test_a_rating_that_says_two_things_has_no_verdict(rating: str) -> None:
    assert verdict_of(rating) is None


def test_the_table_of_ratings_is_in_order() -> None:
    assert not set(RATINGS) & NO_VERDICT
    assert all(folded(words) == words for words in RATINGS)
    assert set(RATINGS.values()) == set(Verdict)


# Ratings in numbers


@pytest.mark.parametrize(
    ("value", "best", "worst", "verdict"),
    [
        (1, 5, 1, "contradicted"), ("2", "5", "1", "contradicted"), (3, 5, 1, "partially_true"),
        ("4,0", 5, 1, "partially_true"), (5, 5, 1, "verified"), (1, 1, 5, "verified"), (10, 10, 0, "verified"),
        (1, 5, None, None), (1, None, None, None), (7, 5, 1, None), (-1, 5, 1, None), (1, 1, 1, None),
        (float("nan"), 5, 1, None), ("one", 5, 1, None), (True, 5, 1, None),
    ],
)  # fmt: skip
def test_a_number_means_something_only_between_the_ends_of_its_scale(
    value: object, best: object, worst: object, verdict: str | None
) -> None:
    assert verdict_of("three barges of five", value=value, best=best, worst=worst) == verdict


# Markup


def test_a_review_is_read_whole() -> None:
    [found] = read(review(inLanguage="en-GB", headline="No, the port did dredge"))
    assert found.claimed_at and found.at
    assert (found.claim, found.claimant, found.claimed_at.iso) == (
        "The port of Vellmar never dredged the reserve", "Ada Quill", "2026-07-01",
    )  # fmt: skip
    assert (found.rating, found.verdict, found.reviewer, found.at.iso) == (
        "False", "contradicted", "Check Desk", "2026-07-12",
    )  # fmt: skip
    assert (found.url, found.title, found.language) == (PAGE, "No, the port did dredge", "en")


@pytest.mark.parametrize(
    "kind", ["ClaimReview", ["Review", "ClaimReview"], "schema:ClaimReview", "http://schema.org/ClaimReview"]
)
def test_the_type_is_known_in_every_spelling(kind: Any) -> None:
    assert len(read(review(**{"@type": kind}))) == 1


@pytest.mark.parametrize(
    ("author", "claimant"),
    [
        ("Ada Quill", "Ada Quill"),
        ({"name": "Ada Quill"}, "Ada Quill"),
        ([{"name": "Ada Quill"}, "Ben Reed"], "Ada Quill, Ben Reed"),
        ({"name": {"@value": "Ada Quill", "@language": "en"}}, "Ada Quill"),
        ({"@id": "#ada"}, "Ada of the harbour"),
        ("https://social.example/@ada", None),
        (None, None),
        (5, "5"),
    ],
)
def test_who_claims_is_read_from_any_form(author: Any, claimant: str | None) -> None:
    ada = {"@id": "#ada", "@type": "Person", "name": "Ada of the harbour"}
    [found] = read(review(itemReviewed={"@type": "Claim", "author": author}), ada)
    assert found.claimant == claimant


def test_who_claims_may_stand_at_the_work_in_which_it_appeared() -> None:
    work = {"@type": "SocialMediaPosting", "author": {"name": "Ada Quill"}, "datePublished": "2026-06-30"}
    for place in ("firstAppearance", "appearance"):
        [found] = read(review(itemReviewed=[{"@type": "Claim", place: [work]}]))
        assert found.claimant == "Ada Quill"
        assert found.claimed_at is not None
        assert found.claimed_at.iso == "2026-06-30"


@pytest.mark.parametrize(
    ("rating", "words", "verdict"),
    [
        ({"alternateName": ["Mostly true"]}, "Mostly true", "partially_true"),
        ({"ratingValue": "False"}, "False", "contradicted"),
        ({"ratingValue": 2, "bestRating": 5, "worstRating": 1}, "2 of 5", "contradicted"),
        ({"ratingValue": "2", "bestRating": "5"}, "2 of 5", None),
        ([{"ratingValue": None}, {"alternateName": "True"}], "True", "verified"),
        ("Misleading", "Misleading", "partially_true"),
        (None, "", None),
    ],
)
def test_a_rating_is_read_from_any_form(rating: Any, words: str, verdict: str | None) -> None:
    [found] = read(review(reviewRating=rating))
    assert (found.rating, found.verdict) == (words, verdict)


def test_the_claim_may_stand_at_the_item_and_names_may_have_a_prefix() -> None:
    [found] = read(review(claimReviewed=None, itemReviewed={"@type": "Claim", "name": "The water is clean"}))
    assert found.claim == "The water is clean"
    assert read(review(claimReviewed="", itemReviewed=None)) == (), "a check of nothing is none"
    [found] = read({"@type": "schema:ClaimReview", "schema:claimReviewed": "X", "schema:url": {"@id": "/x"}})
    assert (found.claim, found.url) == ("X", "https://checks.example/x")


def test_markup_scripts_and_invisible_characters_are_taken_off() -> None:
    [found] = read(review(claimReviewed="The <b>port</b>\u202e<script>steal()</script> &amp; the reef\u200b"))
    assert found.claim == "The port & the reef"


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "data:text/html,x", "", 5, None, "http://[", "https://a.example/ b<"]
)
def test_an_address_that_is_none_becomes_the_pages(url: Any) -> None:
    [found] = read(review(url=url))
    assert found.url == PAGE


def test_a_page_cannot_flood_us() -> None:
    many = [review(claimReviewed=f"Claim {number} " + "x" * 9000) for number in range(500)]
    found = read(*many)
    assert len(found) == MOST_REVIEWS
    assert all(len(one.claim) <= 500 for one in found)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["@id", "@value", "name", "author", "url", "ratingValue", "x"]), inner)
    ),
    max_leaves=8,
)


@given(
    st.dictionaries(
        st.sampled_from(
            "@id claimReviewed itemReviewed reviewRating author publisher url datePublished inLanguage headline".split()
        ),
        JSON,
    )
)
def test_whatever_a_page_declares_is_read_or_left_out(fields: dict[str, Any]) -> None:
    for found in read({"@type": "ClaimReview", **fields}, fields):
        assert found.claim
        assert urlsplit(found.url).scheme in ("http", "https")
        assert ClaimReview.model_validate_json(found.model_dump_json()) == found
