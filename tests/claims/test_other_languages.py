"""The language besides English in which a claim is searched for, and the words."""

from __future__ import annotations

import pytest

from inquest.claims.plan_queries import language_to_ask_in, words_of_every_language
from inquest.domain.claim import Claim
from tests.case_parts import source


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The Lisbon metro, Portugal's largest, carried 1.2 million people.", "pt"),
        ("The Swiss canton banned it.", "de"),
        ("The South Korean yard built nine ships.", "ko"),
        ("Leeds cut its bus fares.", None),
        ("He had to polish the brass.", None),
    ],
)
def test_the_country_that_is_named_tells_the_language(text: str, language: str | None) -> None:
    assert language_to_ask_in((text,)) == language


def test_what_says_most_goes_first_and_two_counted_sources_tell_where_no_country_is_named() -> None:
    german = [source(id, language="de") for id in ("S1", "S2")]
    assert language_to_ask_in(("A plant in Norway closed.", "Acme of France"), german) == "no"
    assert language_to_ask_in(("A plant closed.", "Acme"), german) == "de"
    assert language_to_ask_in(("A plant closed.",), [source("S1", language="de")]) is None
    excluded = source("S2", language="de", excluded="published after the as-of date")
    assert language_to_ask_in(("A plant closed.",), [source("S1", language="de"), excluded]) is None


@pytest.mark.parametrize(
    ("text", "company", "words"),
    [
        ("The Arvika plant in Sweden recycled 62 GWh of heat in 2025.", "Odell Heat AB", "Odell Heat Arvika 62 2025"),
        ("Our Scope 1 emissions were 1.9 million tonnes in Poland.", "Odell Heat", "Odell Heat 1.9"),
        ("Bus fares in Norway rose by 4 percent.", "", ""),
    ],
)
def test_names_figures_and_years_are_asked_for_and_no_word_of_english(text: str, company: str, words: str) -> None:
    assert words_of_every_language(Claim(id="C1", text=text), company) == words
