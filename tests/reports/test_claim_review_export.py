"""The verdicts of a case as ClaimReview: the fields required by Google and schema.org, and nothing that was not
found."""

from __future__ import annotations

import json
from typing import Any

import pytest

from inquest.claims.claim_review import claim_reviews
from inquest.domain.case import Case
from inquest.domain.errors import InputError
from inquest.domain.finding import Verdict
from inquest.reports.exports import BEST, VALUES, WORST, claim_review_json, without_review
from tests.reports.check_cases import COMPANY, company_report
from tests.reports.made_case import NOON
from tests.reports.odd_check_cases import hostile_check
from tests.reports.report_cases import hostile, rich

PAGE = "https://desk.example/checks/7"
CASES = [rich, hostile, company_report, hostile_check]


def reviews(case: Case, **options: str) -> list[dict[str, Any]]:
    document = claim_review_json(case, **options)
    assert document["@context"] == "https://schema.org"
    found: list[dict[str, Any]] = document["@graph"]
    return found


def nodes(value: Any) -> list[dict[str, Any]]:
    """Every object of the document."""
    if isinstance(value, dict):
        return [value, *(node for each in value.values() for node in nodes(each))]
    return [node for each in value for node in nodes(each)] if isinstance(value, list) else []


@pytest.mark.parametrize("made", CASES)
def test_every_review_has_what_google_requires_and_no_property_is_empty_or_local(made: Any) -> None:
    for review in reviews(made().case, page_url=PAGE, reviewer="The Desk"):
        assert review["@type"] == "ClaimReview"
        assert review["claimReviewed"].strip()
        assert review["url"].startswith(f"{PAGE}#")
        assert review["author"] == {"@type": "Organization", "name": "The Desk"}
        rating = review["reviewRating"]
        assert rating["@type"] == "Rating" and rating["alternateName"]
        if "ratingValue" in rating:
            assert rating["worstRating"] == WORST >= 1
            assert rating["worstRating"] <= rating["ratingValue"] <= rating["bestRating"] == BEST
        assert review["itemReviewed"]["@type"] == "Claim"
    for node in nodes(reviews(made().case, page_url=PAGE)):
        assert node["@type"]
        assert all(value not in ("", None, [], {}) for value in node.values()), node
        if "url" in node:
            assert node["url"].startswith(("http://", "https://"))
    assert "/home/" not in json.dumps(claim_review_json(made().case))


def test_there_is_one_review_for_each_claim_that_was_looked_into() -> None:
    case = rich().case
    assert [review["claimReviewed"] for review in reviews(case)] == [claim.text for claim in case.claims]
    assert len({review["url"] for review in reviews(case, page_url=PAGE)}) == len(case.claims)
    unread = case.assessments[0].model_copy(update={"checked": False})
    cut_off = case.model_copy(update={"assessments": (unread, *case.assessments[1:])})
    assert len(reviews(cut_off)) == len(case.claims) - 1
    assert [claim.id for claim in without_review(cut_off)] == ["C1"]


def test_the_words_are_those_of_the_report_and_the_numbers_say_how_true_it_is() -> None:
    ratings = [review["reviewRating"] for review in reviews(rich().case)]
    assert [rating["alternateName"] for rating in ratings] == [
        "Verified", "Contradicted", "Partly true", "Disputed", "Unverified",
    ]  # fmt: skip
    assert [rating.get("ratingValue") for rating in ratings] == [5, 1, 3, None, None]
    assert VALUES.keys() == set(Verdict) - {Verdict.DISPUTED, Verdict.UNVERIFIED}


def test_what_was_not_verified_is_not_said_to_be_false() -> None:
    *_, unverified = reviews(rich().case)
    assert "Nothing was found that supports or contradicts it." in unverified["reviewBody"]
    assert "does not say that it is false" in unverified["reviewBody"]


@pytest.mark.parametrize("made", [rich, company_report])
def test_our_own_reader_understands_every_verdict(made: Any) -> None:
    case = made().case
    read = claim_reviews(nodes(reviews(case, page_url=PAGE, reviewer="The Desk")), PAGE, now=NOON)
    assert [review.verdict for review in read] == [each.verdict.value for each in case.assessments]
    assert {review.reviewer for review in read} == {"The Desk"}
    assert all(review.claimant for review in read)


def test_a_claim_of_a_report_is_the_company_s_and_appears_in_the_report() -> None:
    for review in reviews(company_report().case):
        claim = review["itemReviewed"]
        assert claim["author"]["name"] == COMPANY
        assert claim["firstAppearance"]["name"] == "Nachhaltigkeitsbericht 2022"
        assert "url" not in claim["firstAppearance"], "it is a file of the user's own"


@pytest.mark.parametrize(
    ("byline", "author"),
    [
        ("Ada Marsh; Bo Lind", [{"@type": "Person", "name": "Ada Marsh"}, {"@type": "Person", "name": "Bo Lind"}]),
        ("Ida van der Holm", "Ida van der Holm"),
        ("Weber & Töchter GmbH", {"@type": "Organization", "name": "Weber & Töchter GmbH"}),
    ],
)
def test_each_author_is_named_alone_and_typed_where_the_name_tells(byline: str, author: object) -> None:
    case = rich().case
    sources = tuple(each.model_copy(update={"author": byline}) for each in case.sources)
    works = nodes(reviews(case.model_copy(update={"sources": sources})))
    assert next(node["author"] for node in works if node["@type"] == "CreativeWork") == author


def test_what_only_the_publisher_can_say_is_left_out_and_not_made_up() -> None:
    for review in reviews(rich().case):
        assert "url" not in review and "author" not in review
    with pytest.raises(InputError, match="not a web address"):
        claim_review_json(rich().case, page_url="javascript:alert(1)")
