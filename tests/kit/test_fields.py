"""Reading fields with any content, writing queries, and interpreting refusals."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.domain.errors import EngineFormat, EngineKeyRefused, EngineQuota, EngineUnavailable
from inquest.domain.search import Query
from inquest.kit.dialect import country_of, keywords, language_of, secrets, spoken, words
from inquest.kit.discover import engines
from inquest.kit.engine import EngineAccess
from inquest.kit.fields import (
    as_text,
    dig,
    doi_of,
    doi_url,
    each,
    listed,
    number,
    people,
    present,
    uninverted,
    web_url,
    whole,
)  # fmt: skip
from inquest.text.urls import is_web_url

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(JSON)
def test_no_value_breaks_a_field_reader(value: Any) -> None:
    assert isinstance(as_text(value), str)
    assert dig(value, "a", 0, "b") is None or value
    assert number(value) is None or isinstance(number(value), float)
    assert whole(value) is None or isinstance(whole(value), int)
    assert doi_of(value) is None or isinstance(value, str)
    assert isinstance(uninverted(value), str)
    assert isinstance(each(value, "x"), list)
    assert people([value]) is None or as_text(value)


@given(st.text(max_size=60) | st.text("htps:/.@%[]<>\\ aé\x00\u2028", max_size=40).map(lambda rest: "https://" + rest))
def test_an_address_is_absolute_or_refused(value: str) -> None:
    try:
        url = web_url(value)
    except ValueError:
        return
    assert is_web_url(url)
    assert not any(char.isspace() or char in '<>"' for char in url.split("/")[2])


@pytest.mark.parametrize(
    "value",
    [None, 5, "", "example.org/x", "javascript:alert(1)", "ftp://a.example/", "https://", "http:///x", "https://[::1",
     "https://a b.example/", "https://a.example:99999/", "https://a.example/\x00", "mailto:a@b.example",
     "https://a.example/" + "x" * 9000],
)  # fmt: skip
def test_what_leads_nowhere_is_no_address(value: object) -> None:
    with pytest.raises(ValueError):
        web_url(value)


def test_addresses_are_mended_where_that_is_safe() -> None:
    assert web_url("//a.example/x y") == "https://a.example/x%20y"
    assert web_url(" http://A.example/ ") == "http://A.example/"


def test_numbers_as_written_and_as_strings() -> None:
    assert (number("2.5"), number(3), number(True), number("inf"), number(10**400)) == (2.5, 3.0, None, None, None)
    assert (whole("7"), whole(7.5), whole(2**60)) == (7, None, None)


def test_dois_are_one_spelling() -> None:
    for text in (
        "10.5555/ABC.1",
        "doi:10.5555/abc.1",
        "https://doi.org/10.5555/ABC.1",
        "http://dx.doi.org/10.5555/abc.1",
    ):
        assert doi_of(text) == "10.5555/abc.1"
    assert doi_of("11.5555/x") is None
    assert doi_url("10.1002/(sici)1<1::aid>3.0", None) == "https://doi.org/10.1002/(sici)1%3C1::aid%3E3.0"
    assert doi_url(None, "https://a.example/") == "https://a.example/"


def test_a_list_may_be_left_out_but_not_be_something_else() -> None:
    assert listed(None) == []
    assert listed([1]) == [1]
    wrong: tuple[object, ...] = ({}, "text", 5)
    for value in wrong:
        with pytest.raises(TypeError):
            listed(value)


def test_people_and_details() -> None:
    assert people([None, " A  B ", "", 5]) == "A B, 5"
    assert people([f"P{n}" for n in range(13)]) == ", ".join(f"P{n}" for n in range(10)) + " and 3 others"
    assert people([]) is None
    assert present(a=None, b="", c=[], d=0, e=False, f="x") == {"d": 0, "e": False, "f": "x"}


def test_an_abstract_with_an_absurd_position_costs_nothing() -> None:
    assert uninverted({"late": [10**18], "words": [1], "Two": [0], "bad": "x"}) == "Two words late"


def test_words_are_one_line_cut_between_words_and_quotes_balance() -> None:
    assert words(Query(text=" a\n\tb\x00c ")) == "a b c"
    assert words(Query(text='he said "no')) == "he said no"
    assert words(Query(text='he said "no"')) == 'he said "no"'
    assert words(Query(text='a "b" c', exact=True)) == '"a b c"'
    assert words(Query(text="", exact=True)) == ""
    assert words(Query(text="alpha beta gamma"), limit=12) == "alpha beta"


@given(st.text(max_size=500), st.booleans(), st.integers(5, 100))
def test_words_never_grow_past_the_limit(text: str, exact: bool, limit: int) -> None:
    written = words(Query(text=text, exact=exact), limit=limit)
    assert len(written) <= limit + 2
    assert written.count('"') % 2 == 0
    assert "\n" not in written


def test_keywords_drop_what_carries_no_meaning_but_never_all() -> None:
    assert keywords(Query(text="What did the port authority decide?")) == ["port", "authority", "decide"]
    assert keywords(Query(text="to be or not")) == ["to", "be", "or", "not"]
    assert keywords(Query(text="to be", exact=True)) == ['"to be"']


def test_sites_and_languages() -> None:
    assert spoken(Query(text="", domains=("A.example",))) == "site:a.example"
    assert spoken(Query(text="", exclude_domains=("b.example",))) == "-site:b.example"
    assert country_of("de-AT") == ("de", "DE")
    assert country_of("xx") == ("en", "US")
    assert [language_of(name) for name in ("German", "en-US", "Klingon", 5)] == ["de", "en", None, None]


def test_a_key_is_known_in_both_its_spellings() -> None:
    assert secrets("a+b") == ("a+b", "a%2Bb")
    assert secrets("ab") == ("ab",)
    assert secrets(None) == ()


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("Invalid API key. Your API key should be here: https://serpapi.example/", EngineKeyRefused),
        ("Unauthorized: missing or invalid API key.", EngineKeyRefused),
        ("The provided subscription token is invalid.", EngineKeyRefused),
        ("Your account has run out of searches.", EngineQuota),
        ("This API key has exceeded its monthly quota", EngineQuota),
        ("Please limit requests to one every 5 seconds", EngineQuota),
        ("Rate exceeded.", EngineQuota),
        ("Insufficient budget.", EngineQuota),
        ("Index temporarily unavailable", EngineUnavailable),
        ("The operation timed out", EngineUnavailable),
        ("Unsupported parameter: foo", EngineFormat),
        (None, EngineFormat),
        ({"a": 1}, EngineFormat),
    ],
)
def test_what_a_service_says_becomes_the_error_it_means(message: object, kind: type[Exception]) -> None:
    assert type(engines("inquest.engines")["tavily"]().refusal(message)) is kind


def test_a_refusal_never_shows_the_key() -> None:
    engine = engines("inquest.engines")["tavily"](EngineAccess(key="tvly-secret-value"))
    error = engine.refusal("the API key tvly-secret-value is invalid <b>!</b>" + "x" * 500)
    assert "secret" not in error.sentence
    assert len(error.sentence) < 300
