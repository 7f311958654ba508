"""Copies among many texts: all of them found, nothing else."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.stories.likeness import COPY, copies

_WORDS = [
    f"{a}{b}" for a in ("bar", "mil", "ton", "ker", "sul", "van", "ped") for b in ("a", "ine", "or", "est", "um", "ack")
]


def an_article(seed: int, length: int = 220) -> str:
    """Words in an order that is unique to the seed."""
    order = random.Random(seed)
    return " ".join(order.choice(_WORDS) for _ in range(length))


def pairs_of(texts: list[str]) -> set[tuple[int, int]]:
    return {(pair.first, pair.second) for pair in copies(texts)}


def test_the_same_text_is_a_copy_whatever_its_case_spacing_and_quotes() -> None:
    first = "The works' discharge was “three times” the limit, said Dr Åse Öberg on Monday, the tenth of June."
    second = '  THE WORKS\' DISCHARGE was\n"three times" the limit - said Dr Ase Oberg, on Monday the tenth of June'
    assert copies([first, second])[0][:2] == (0, 1)


def test_a_copy_with_another_head_and_a_few_edits_is_found() -> None:
    text = an_article(1)
    edited = "Our own correspondent writes: " + text.replace("barine", "somebody", 2) + " Read more in our paper."
    (pair,) = copies([an_article(2), text, edited])
    assert (pair.first, pair.second) == (1, 2)
    assert pair.alike >= COPY


def test_a_copy_that_was_cut_short_is_found_by_what_it_contains() -> None:
    text = an_article(3, 600)
    (pair,) = copies([text, " ".join(text.split()[:120]), an_article(4)])
    assert (pair.first, pair.second) == (0, 1)
    assert pair.alike < COPY
    assert pair.contained > 0.95


def test_a_shared_quotation_makes_no_copy() -> None:
    quotation = "We have at all times kept to the limits of our permit and shall go on doing so, said the company."
    assert copies([f"{an_article(5)} {quotation}", f"{an_article(6)} {quotation}", quotation]) == []


def test_different_articles_are_no_copies() -> None:
    assert copies([an_article(seed) for seed in range(200)]) == []


@pytest.mark.parametrize("empty", ["", " \n", "...", "—"])
def test_texts_without_words_are_copies_of_nothing(empty: str) -> None:
    assert copies([empty, empty, an_article(1)]) == []


def test_texts_without_spaces_between_words_are_compared_too() -> None:
    text = "化学工場は許可された量の三倍を超える溶剤を川に流したと検査官が述べた。住民には知らされなかった。"
    assert pairs_of([text, text + "続きを読む", "別の記事はまったく異なる内容を伝えている。天気は晴れである。"]) == {
        (0, 1)
    }


def test_all_of_many_copies_hold_together() -> None:
    text = an_article(7)
    texts = [an_article(1000 + number) for number in range(100)] + [text] * 300
    reached = {100}
    for first, second in sorted(pairs_of(texts)):
        assert first >= 100
        if first in reached:
            reached.add(second)
    assert len(reached) == 300


@given(st.lists(st.text(max_size=200), max_size=6))
def test_any_texts_can_be_compared(texts: list[str]) -> None:
    for pair in copies(texts):
        assert 0 <= pair.first < pair.second < len(texts)
        assert 0 < pair.alike <= pair.contained <= 1


class TestWhatIsNoCopy:
    def test_a_form_with_other_figures_or_names(self) -> None:
        forecast = (
            "A ridge of high pressure keeps the coast dry today with sunny spells in the afternoon. Highs reach {} "
            "degrees on the coast and {} inland, with a light wind of {} kilometres an hour from the west. The night "
            "is clear, with lows of {} degrees in the valleys, and some mist before dawn over the marshes."
        )
        assert copies([forecast.format(23, 27, 12, 9), forecast.format(17, 19, 30, 4)]) == []
        assert len(copies([forecast.format(23, 27, 12, 9), forecast.format(23, 27, 12, 8)])) == 1
        match = (
            "It was the visitors who started better, and {} had the first chance after ten minutes, but {} saved well. "
            "After the break {} came on for the injured {} and soon found space behind the defence. A draw was a fair "
            "result, said the coach, and with some luck it could have been more for either side in the end."
        )
        assert (
            copies([match.format("Oduya", "Lind", "Marek", "Solis"), match.format("Tran", "Boyd", "Vega", "Holm")])
            == []
        )

    def test_articles_that_quote_the_same_paragraph(self) -> None:
        release = (
            "“We have looked into every single case that was brought to us and shall pay back what was taken too much "
            "from each of our customers before the end of the year, with interest, and without any form to fill in”"
        )
        first = f"The bank gives way after months of protest outside its doors. {release}, a spokesman said."
        second = (
            f"Customers remain doubtful about the promise that they were given. {release}, it was announced at noon."
        )
        assert copies([first, second]) == []
        unmarked = [text.replace("“", "").replace("”", "") for text in (first, second)]
        assert len(copies(unmarked)) == 1, "only the quotation marks tell that the words are somebody else's"

    def test_two_or_three_words(self) -> None:
        assert copies(["Breaking news", "Breaking news", "Weather for today", "Weather for today"]) == []


def test_headlines_are_copies_where_only_the_outlet_is_added() -> None:
    first = "Dye in the Lenn: county orders mill at Garrow Bridge to stop its pumps"
    assert pairs_of([first, f"{first} - Harbour Post", "County orders school at Garrow Bridge to stop lessons"]) == {
        (0, 1)
    }


def test_a_copy_in_capitals_has_the_same_names() -> None:
    text = "When Oduya met Lind and Marek of the Harbour Board, Solis kept away from the quay for the rest of the day."
    assert len(copies([text, text.upper() + " READ MORE"])) == 1
