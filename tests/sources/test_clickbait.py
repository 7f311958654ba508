"""Clickbait titles, distinguished from other titles by words and forms, whatever the capitals."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.figures import below_floor
from bench.measures import clickbait as measure
from inquest.sources.noise import clickbait_of

BAIT = [
    "You Won't Believe What This Baker Found Under Her Oven",
    "This One Trick Will Make You Love Mondays",
    "Shocking news: the one thing everyone gets wrong about sleep",
    "23 Photos Only People Who Grew Up By The Sea Will Understand",
    "The 11 best snacks to eat when you are sad",
    "Which Vegetable Are You Based On Your Zodiac Sign",
    "Here's Why Everyone Is Obsessed With This Kitten",
    "We Tried The Weirdest Diet And It Was Hilarious",
    "Can You Guess The Movie From Just One Picture",
]
NEWS = [
    "Regulator fines mill over dye in the river",
    "Seven dead after ferry capsizes off northern coast",
    "15 soldiers killed in border clash",
    "Central bank raises rates by 0.5 percent amid inflation fears",
    "Prime minister resigns after coalition talks collapse",
    "Tribunal upholds penalty against chemicals company",
    "U.S. envoy meets opposition leader in Nairobi",
    "Stocks Fall as Investors Weigh Trade Deal",
    "Shares in carmaker slump 12% after recall",
    "Effects of sodium on blood pressure: a randomised trial",
    "Annual report 2023",
]
FOREIGN = [
    "Die zehn besten Rezepte für den Sommer und was Sie nicht wissen",
    "Les dix choses que vous ne savez pas sur le chocolat",
    "Diez cosas que no sabes de los gatos",
    "10 вещей, которые вы не знали о котах",
    "あなたが知らない10のこと",
]


@pytest.mark.parametrize("title", BAIT)
def test_a_title_that_baits_is_known_and_says_why(title: str) -> None:
    found = clickbait_of(title)
    assert found.share >= 0.8
    assert 1 <= len(found.reasons) <= 3


@pytest.mark.parametrize("title", NEWS)
def test_a_title_that_reports_is_left_alone(title: str) -> None:
    found = clickbait_of(title)
    assert found.share < 0.5
    assert found.reasons == ()


@pytest.mark.parametrize("title", [*FOREIGN, "", "   ", "12345", "???"])
def test_a_title_without_signs_in_english_is_no_bait(title: str) -> None:
    assert clickbait_of(title).share < 0.5


@pytest.mark.parametrize(
    "spelt", [str.lower, str.upper, str.title, "{} | The Daily Courier".format, "{} - Courier News".format]
)
def test_capitals_and_the_name_of_a_site_turn_no_judgement(spelt: Callable[[str], str]) -> None:
    # str.title writes "Here'S", which is no other word.
    judged = {title: clickbait_of(title).share >= 0.5 for title in BAIT + NEWS}
    assert {title: clickbait_of(spelt(title)).share >= 0.5 for title in judged} == judged


@given(st.text(max_size=300))
def test_any_text_has_a_score_between_nothing_and_one(title: str) -> None:
    found = clickbait_of(title)
    assert 0 <= found.share <= 1
    assert bool(found.reasons) <= (found.share >= 0.5)


def test_the_floor_holds_on_the_evaluation_data(shared: Path) -> None:
    figures = measure.measure(shared / measure.DATA)
    assert [why for figure in figures if (why := below_floor(figure))] == []
