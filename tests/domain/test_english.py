"""Agreement, articles, plurals and lists, for any number and any words."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.domain.languages import count, filled, listed, plural_of, with_article

words = st.text(st.characters(categories=["Ll", "Lu", "Nd"]), min_size=1, max_size=12)
several = st.lists(words, max_size=6)


@given(st.integers(0, 10_000), st.sampled_from(["source", "copy", "search", "match", "day", "page"]))
def test_a_noun_and_its_verb_agree_with_their_number(number: int, noun: str) -> None:
    said = filled(f"{{n:Count {noun}}} {{n:was/were}} read.", {"n": number})
    one = f"{noun} was" in said
    assert one == (number == 1) and (one or f"{plural_of(noun)} were" in said)
    assert said[0].isupper() or said[0].isdigit()


@given(several)
def test_a_verb_agrees_with_how_many_names_stand_before_it(names: list[str]) -> None:
    said = filled("{names} {names:says/say} so.", {"names": names})
    assert said.endswith(" says so.") == (len(names) == 1)


@given(several)
def test_a_list_has_one_joint_and_names_all(names: list[str]) -> None:
    said = listed(names)
    assert said.count(" and ") == (len(names) > 1) and said.count(", ") == max(0, len(names) - 2)
    assert re.split(", | and ", said) == (names or [""])


@given(words)
def test_what_data_says_is_no_template(text: str) -> None:
    assert filled("{text}", {"text": f"{{{text}}}"}) == f"{{{text}}}"


@given(words)
def test_every_word_has_one_article_and_stays_as_it_is(text: str) -> None:
    assert with_article(text) in (f"a {text}", f"an {text}")


@pytest.mark.parametrize(
    "said",
    [
        "an energy attribute certificate", "a guarantee of origin", "an I-REC", "a REC", "an SBTi target", "a unit",
        "an unmet target", "an hour", "a European index", "a one-off", "an 8-K", "a 10-K", "an 11-year plan",
        "a 118-page report", "an 80 % cut", "a NATO study", "an NGO", "a UN body", "an uncle", "a used car",
    ],
)  # fmt: skip
def test_the_article_goes_by_the_sound(said: str) -> None:
    assert with_article(said.split(" ", 1)[1]) == said


@pytest.mark.parametrize(
    ("noun", "many"), [("copy", "copies"), ("day", "days"), ("search", "searches"), ("bus", "buses")]
)
def test_regular_plurals(noun: str, many: str) -> None:
    assert count(2, noun) == f"two {many}" and count(1, noun) == f"one {noun}"


def test_an_unknown_form_is_an_error_of_the_template() -> None:
    with pytest.raises(ValueError, match="no form"):
        filled("{n:plural}", {"n": 2})
