"""Whether what a page says is the topic's own matter."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from inquest.desks.verification.topic_matter import is_of_another_matter, tells_of_another_time, tells_the_matter
from inquest.domain.topic import Topic

TOPIC = Topic(title="Larne council approves tannery of Ostra", event_date=datetime(2024, 3, 4, tzinfo=UTC))
COUNTED = Topic(title="Ostra dismisses 340 weavers in Larne")


@pytest.mark.parametrize(
    ("topic", "text"),
    [
        (TOPIC, "The council of Larne has approved the tannery of Ostra."),
        (TOPIC, "The tannery of Ostra was approved by the council in Larne in March 2024."),
        (COUNTED, "Ostra has dismissed 340 weavers in Larne."),
    ],
)
def test_the_same_in_other_words_is_the_matter(topic: Topic, text: str) -> None:
    assert tells_the_matter(topic, text)


@pytest.mark.parametrize(
    ("topic", "text"),
    [
        (TOPIC, "The council of Larne may approve the tannery of Ostra."),
        (TOPIC, "The council of Larne will vote on whether it approves the tannery of Ostra."),
        (TOPIC, "Has the council of Larne approved the tannery of Ostra?"),
        (TOPIC, "The council of Larne approved the tannery of Ostra in 2011."),
        (TOPIC, "Years ago the council of Larne approved the tannery of Ostra."),
        (TOPIC, "The council of Dunmore approved a tannery of Ostra."),
        (TOPIC, "The council approved a tannery of Norvane in Dunmore."),
        (COUNTED, "Ostra has dismissed 25 weavers in Larne."),
    ],
)
def test_a_plan_a_question_another_year_place_or_figure_is_another_matter(topic: Topic, text: str) -> None:
    assert is_of_another_matter(topic, text)
    assert not tells_the_matter(topic, text)


def test_the_verb_alone_is_not_the_matter() -> None:
    text = "The mayor of Larne approved a speed limit before the gates of Ostra."
    assert not is_of_another_matter(TOPIC, text)
    assert not tells_the_matter(TOPIC, text)
    assert not tells_the_matter(Topic(title="Ostra fined"), "Ostra was fined.")


def test_what_may_be_is_the_matter_of_a_title_that_says_it_may_be() -> None:
    assert tells_the_matter(Topic(title="Ostra may close its tannery"), "Ostra may close the tannery.")


@pytest.mark.parametrize(
    ("quote", "another"),
    [
        ("It has applied for the council's approval.", True),
        ("The company plans to build it.", True),
        ("The council approved it in 2019.", True),
        ("It was approved on Monday, and nobody spoke against it.", False),
        ("The council approved it in December 2023.", False),
    ],
)
def test_a_quote_on_a_wish_or_on_another_year_confirms_nothing(quote: str, another: bool) -> None:
    """A year more or less is left: what a title tells in January may have happened in December."""
    assert tells_of_another_time(TOPIC, quote) is another


def test_what_only_shares_the_circumstances_is_another_matter() -> None:
    topic = Topic(title="Children die after drinking water from Ostra wells")
    assert not tells_the_matter(topic, "The town of Ostra draws drinking water from eleven wells near the river.")
    assert tells_the_matter(topic, "Two children died after drinking water from the wells of Ostra.")
