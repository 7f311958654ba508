"""A headline as a claim: when the model is asked, and what points to another event."""

from datetime import date

import pytest

from inquest.domain.finding import Stance
from inquest.entailment.found import Found, Page, judge_found
from inquest.text.meaning import Meaning

HEADLINE = "Norvane chief Anna Berg steps down"
TOLD = "Anna Berg has left her post at Norvane with immediate effect."
PAGE = Page("Notes from the region", "", "courier.example", published=date(2024, 3, 4))


def sure_of_all(claim: str, text: str) -> Meaning:
    return Meaning(contradicts=0.1, neutral=0.1, supports=0.8)


def sure_of_nothing(claim: str, text: str) -> Meaning:
    return Meaning(contradicts=0.3, neutral=0.4, supports=0.3)


def judged(headline: str, text: str, page: Page = PAGE) -> Found:
    return judge_found(headline, text, page, sure_of_all)


def test_the_same_event_in_other_words_bears_the_headline_out() -> None:
    found = judged(HEADLINE, TOLD)
    assert found.stance is Stance.SUPPORTS
    assert "the passage reports what the headline says (80%)" in found.reasons[0]


def test_where_the_model_is_not_sure_it_says_nothing() -> None:
    assert judge_found(HEADLINE, TOLD, PAGE, sure_of_nothing).stance is Stance.NEUTRAL


def test_a_whole_sentence_as_a_claim_needs_a_surer_model() -> None:
    assert judged(f"{HEADLINE}.", TOLD).stance is Stance.NEUTRAL


@pytest.mark.parametrize(
    "text",
    [
        "Anna Berg is considering leaving her post at Norvane.",
        "Anna Berg could leave her post at Norvane.",
        "Shareholders of Norvane hope that Anna Berg goes.",
        'There are rumours in Haverley: "Anna Berg has left her post at Norvane."',
        '"Anna Berg has left her post at Norvane."',
        "Anna Berg left her post at Norvane in 2015.",
    ],
)
def test_what_is_wanted_rumoured_quoted_or_of_another_year_does_not(text: str) -> None:
    assert judged(HEADLINE, text).stance is Stance.NEUTRAL


def test_another_place_is_another_event() -> None:
    headline = "Norvane shuts plant in Haverley"
    assert judged(headline, "Norvane ended production in Haverley for good.").stance is Stance.SUPPORTS
    assert judged(headline, "Norvane, which is at home in Haverley, ended work.").stance is Stance.SUPPORTS
    assert judged(headline, "Norvane ended production in Tolmouth for good.").stance is Stance.NEUTRAL


def test_another_kind_of_site_is_another_event() -> None:
    headline = "Council backs Norvane plant in Haverley"
    assert judged(headline, "In Haverley a majority voted for the factory of Norvane.").stance is Stance.SUPPORTS
    assert judged(headline, "In Haverley they voted for a path past the depot of Norvane.").stance is Stance.NEUTRAL


def test_the_figure_of_the_headline_must_stand_there() -> None:
    headline = "Norvane sheds 340 posts"
    assert judged(headline, "At Norvane 340 people are out of work.").stance is Stance.SUPPORTS
    assert judged(headline, "At Norvane 120 people are out of work.").stance is not Stance.SUPPORTS
    assert judged(headline, "At Norvane many people are out of work.").stance is Stance.NEUTRAL


def test_what_names_nobody_is_general_and_no_event() -> None:
    assert judged("Warm weather slows the virus", "The heat holds up infections.").stance is Stance.NEUTRAL


def test_a_deed_that_opens_a_headline_is_no_name() -> None:
    told = "Norvane has shut its plant in Haverley, where 120 people worked."
    assert judged("Closure of the Norvane plant in Haverley", told).stance is Stance.SUPPORTS


def test_the_models_no_to_a_headline_does_not_count() -> None:
    against = judge_found(HEADLINE, "Norvane chief Anna Berg packs up", PAGE, lambda *_: Meaning(0.97, 0.02, 0.01))
    assert against.stance is Stance.NEUTRAL
