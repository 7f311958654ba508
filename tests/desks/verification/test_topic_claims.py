"""Which claims are checked for a topic: those of its matter, and no headings."""

from __future__ import annotations

import pytest

from inquest.desks.verification.topic_claims import is_heading, on_the_topic
from inquest.domain.claim import Claim, Mention
from inquest.domain.topic import Topic

TOPIC = Topic(title="Kestrel Bank was fined 2.4 million euros for exceeding its lending limit in Aldport")


def kept(*texts: str, topic: Topic = TOPIC) -> list[str]:
    return [each.text for each in on_the_topic([Claim(id=f"C{n}", text=t) for n, t in enumerate(texts, 1)], topic)]


@pytest.mark.parametrize(
    "text",
    [
        "Kestrel Bank was fined 4.2 million euros for lending above its limit.",
        "The fine of 2.4 million euros under order 7/2024 was paid on 14 February 2024.",
        "Kestrel Bank did not exceed its lending limit.",
    ],
    ids=["the same with another sum", "without a name", "the denial"],
)
def test_what_bears_on_the_matter_is_checked(text: str) -> None:
    assert kept(text) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "Kestrel Bank employed 612 people in Aldport in 2023.",
        "Kestrel Bank sponsors the Aldport regatta.",
        "Orme Mill Ltd was ordered to pay a fine of 640,000 euros for discharging fibres.",
        "A painter was robbed in Aldport on Monday.",
    ],
    ids=["its staff", "its gifts", "another's fine", "another event of the place"],
)
def test_what_is_about_the_same_people_or_place_only_is_not(text: str) -> None:
    assert kept(text) == []


def test_the_topics_own_article_is_checked_whatever_it_claims() -> None:
    mention = Mention(source_id="S1", snapshot="sha256:1", quote="x", start=0, end=1)
    beside = Claim(id="C1", text="Kestrel Bank employed 612 people in Aldport in 2023.", mentions=(mention,))
    assert on_the_topic([beside], TOPIC, own=("S1",)) == [beside]
    assert on_the_topic([beside], TOPIC, own=("S2",)) == []


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("Notice of violation 041/2023: Kestrel Bank, Aldport branch", True),
        ("Corrections and clarifications, 26 January 2024", True),
        ("Strike at Harrow plant over pay", True),
        ("Kestrel Bank was fined 2.4 million euros", False),
        ("Sales fell by 2.0% to 391 million", False),
        ("Kestrel Bank pays.", False),
        ('The chair said: "We pay."', False),
    ],
)
def test_a_heading_has_neither_a_verb_nor_an_end(text: str, heading: bool) -> None:
    assert is_heading(text) is heading


def test_a_heading_is_no_claim_though_it_has_all_words_of_the_title() -> None:
    assert kept("Fine for Kestrel Bank: 2.4 million over lending limit, Aldport") == []
