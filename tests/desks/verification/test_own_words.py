"""A topic's own words are not evidence for it."""

from __future__ import annotations

from inquest.desks.verification.topic_claims import own_words_aside
from inquest.domain.claim import Claim
from inquest.domain.finding import Finding, Verdict
from inquest.domain.source import Category
from inquest.domain.topic import Topic
from inquest.verdicts.weighing import assess_claim
from tests.case_parts import finding, source

TOPIC = Topic(title="Brackwell to pay 3.7 million euros", url="https://morningpost.example/brackwell")
CLAIM = Claim(id="C0", text=TOPIC.title)


POST = "https://morningpost.example/"
OWN = source("S1", 1, domain="morningpost.example", url=f"{POST}brackwell", story="T1", origin_of_story="S1")
SAME_PAPER = source("S2", 1, domain="morningpost.example", url=f"{POST}brackwell-again")
COPY = source("S3", 1, domain="eveningecho.example", story="T1", origin_of_story="S1")
ORDER = source("S4", 1, domain="food-authority.example", category=Category.GOVERNMENT)
ALL = {each.id: each for each in (OWN, SAME_PAPER, COPY, ORDER)}


def supports(source_id: str) -> Finding:
    return finding(f"F{source_id}", source_id, quote="Brackwell shall pay 3.7 million euros.", claim_id="C0")


def test_the_article_its_copies_and_its_publisher_are_set_aside_each_with_the_reason() -> None:
    aside = {id: each.excluded for id, each in own_words_aside(TOPIC, ALL).items() if each.excluded}
    assert aside == {
        "S1": "it is the article being checked",
        "S2": "it is from the same publisher as the article being checked",
        "S3": "it is a copy of the article being checked",
    }


def test_a_topic_is_not_verified_by_its_own_article() -> None:
    found = [supports(each) for each in ALL]
    alone = assess_claim(CLAIM, found[:3], own_words_aside(TOPIC, ALL))
    assert alone.verdict is Verdict.UNVERIFIED and not alone.supporting
    assert any("the article being checked" in reason for reason in alone.reasons)
    both = assess_claim(CLAIM, found, own_words_aside(TOPIC, ALL))
    assert both.verdict is Verdict.VERIFIED and both.supporting == ("FS4",)


def test_where_the_article_is_itself_a_copy_what_it_copies_stays() -> None:
    copied = OWN.model_copy(update={"origin_of_story": "S3"})
    origin = COPY.model_copy(update={"origin_of_story": "S3"})
    aside = own_words_aside(TOPIC, {"S1": copied, "S3": origin})
    assert aside["S1"].excluded and not aside["S3"].excluded
