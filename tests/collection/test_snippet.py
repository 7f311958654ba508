"""The passage of a text that is shown: verbatim, short, around the words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.collection.analysis import LONGEST, best_window, first_occurrence, indexable, terms, window_around
from inquest.text.sentences import Span

FILLER = "Nothing of interest is said in this sentence, which is here to fill the page. "


def test_the_window_is_where_most_of_the_words_stand_together() -> None:
    text = FILLER * 5 + "The permit allows solvent. " + FILLER * 5 + "Solvent reached the river at night. " + FILLER * 5
    shown = best_window(text, {"solvent": 1.0, "river": 2.0})
    assert "Solvent reached the river at night." in shown and shown in text and len(shown) <= LONGEST


def test_a_rare_word_counts_for_more_than_a_frequent_one() -> None:
    text = "Report report. " + FILLER * 8 + "Dioxane was found."
    assert "Dioxane" in best_window(text, {"report": 0.1, "dioxan": 5.0})


def test_without_a_word_it_is_the_beginning_of_the_text() -> None:
    assert best_window(FILLER * 10, {}).startswith("Nothing of interest")
    assert best_window("", {"x": 1.0}) == ""


@given(
    st.text(alphabet=st.sampled_from("abc é東.\n !"), max_size=900),
    st.dictionaries(st.sampled_from(["a", "ab", "abc", "e", "東", "c"]), st.floats(0.1, 9)),
)
def test_a_snippet_is_always_verbatim_and_never_too_long(text: str, weights: dict[str, float]) -> None:
    shown = best_window(text, weights)
    assert shown in text and len(shown) <= LONGEST


@given(st.text(min_size=1, max_size=900), st.data())
def test_a_window_holds_the_span_it_is_made_around(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    span = Span(start, data.draw(st.integers(start, min(len(text), start + LONGEST))))
    shown = window_around(text, span)
    assert shown in text and span.of(text).strip() in shown and len(shown) <= LONGEST


def test_a_phrase_stands_where_its_words_do_whatever_case_spacing_and_quotes() -> None:
    text = "It said “the  company’s\nrecord–breaking year” was over."
    span = first_occurrence("The company's record-breaking year", text)
    assert span and span.of(text) == "the  company’s\nrecord–breaking year"
    assert first_occurrence("record", "recorded") is None
    assert first_occurrence("  ", text) is None


@pytest.mark.parametrize("phrase", ["時計博物館", "GDP", "展", "พิพิธภัณฑ์"])
def test_a_phrase_is_found_between_characters_of_a_script_without_spaces(phrase: str) -> None:
    span = first_occurrence(phrase, f"町の{phrase}が日本で公開")
    assert span and span.of(f"町の{phrase}が日本で公開") == phrase
    assert first_occurrence("GDP", "GDPs in 日本") is None


def test_terms_are_alike_for_what_readers_take_for_one_word() -> None:
    assert terms("CO₂ emissions in Zürich") == terms("co2 EMISSION Zurich")
    assert terms("The Who") == ["the", "who"]
    assert terms("the river and the works") == terms("river works")
    assert indexable("東京の川") == " 東  京  の  川 "
