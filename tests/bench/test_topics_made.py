"""Made topics: what is said to be so of one is so of its pages, or their figures would mean nothing."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from bench.measures.upgrades import made_topics
from bench.topics_made.path import investigated
from bench.topics_made.worlds import KINDS, Truth, a_topic, gives_a_figure, kinds, wordings
from inquest.analysts.local import LocalAnalyst
from inquest.desks.verification.topic_claims import title_claim

EVERY = [(listed, *made) for listed in KINDS for made in made_topics(listed)]
SOME = EVERY[::97]


def test_there_are_at_least_forty_kinds_in_six_headlines_and_none_is_in_both_lists() -> None:
    seen, held = (set(kinds(listed)) for listed in KINDS)
    assert len(seen | held) >= 40
    assert not seen & held
    assert all(len(wordings(listed)) == 6 * len(kinds(listed)) for listed in KINDS)


@pytest.mark.parametrize("listed", KINDS)
def test_no_other_telling_is_the_headline_again(listed: str) -> None:
    for forms in kinds(listed).values():
        assert len(set(forms["tellings"])) == len(set(forms["titles"])) == 6
        assert not {each.strip(".") for each in forms["tellings"]} & set(forms["titles"])
        assert forms["against"] and forms["other"] and forms["planned"]


@pytest.mark.parametrize("made", SOME, ids=str)
def test_the_same_arguments_make_the_same_topic_and_leave_no_slot_open(made: tuple[str, str, int, Truth, int]) -> None:
    one, other = a_topic(*made, 1), a_topic(*made, 1)
    assert one == other
    assert one != a_topic(*made, 2)
    assert "{" not in one.topic.title + "".join(f"{page.title} {page.text}" for page in one.pages)
    assert title_claim(one.topic, []) is not None or len(one.topic.title.split()) < 4


@pytest.mark.parametrize("made", SOME, ids=str)
def test_as_many_credible_papers_of_their_own_tell_of_it_as_is_said(made: tuple[str, str, int, Truth, int]) -> None:
    topic = a_topic(*made, 3)
    confirming = [page for page in topic.pages if page.role == "confirms"]
    assert len(confirming) == topic.credible
    assert all(page.score >= 70 for page in confirming)
    assert len({page.host for page in topic.pages if page.role != "release"}) == len(
        [page for page in topic.pages if page.role != "release"]
    )
    assert len({page.text for page in confirming}) == len(confirming)


def test_old_news_is_older_than_its_date_and_other_figures_are_no_rounding() -> None:
    old = a_topic("seen", "strike", 0, Truth.OLD, 2, 1)
    assert old.topic.event_date is not None
    assert all(
        page.published < old.topic.event_date - timedelta(days=365) for page in old.pages if page.role == "confirms"
    )
    assert not old.may_rise
    assert gives_a_figure("seen", "strike", 0)
    assert not gives_a_figure("seen", "strike", 1)
    other = a_topic("seen", "strike", 0, Truth.OTHER_FIGURE, 2, 1)
    figure = other.topic.title.split()[0]
    assert all(f" {figure} " not in f" {page.text} " for page in other.pages if page.role == "confirms")


def test_the_way_to_the_level_gives_what_a_case_gives() -> None:
    """A true topic that is plainly told rises by its credible papers; the same, told years before, does not."""
    true = a_topic("seen", "fine", 5, Truth.TRUE, 6, 1)
    result, gathered = asyncio.run(investigated(true, LocalAnalyst()))
    assert result.verification_upgraded
    assert gathered.claims[0].id == "C0"
    old = a_topic("seen", "fine", 5, Truth.OLD, 6, 1)
    assert not asyncio.run(investigated(old, LocalAnalyst()))[0].verification_upgraded
