"""Reasons: codes with data, and the one place that puts them into words."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from string import Formatter

import pytest
from pydantic import ValidationError

from inquest.domain.languages import filled
from inquest.domain.reasons import Reason, ReasonData, in_words


class Every(dict[str, ReasonData]):
    """Data with every name; the value is a list of two, which every form except a share and a date can write."""

    def __missing__(self, name: str) -> ReasonData:
        special: dict[str, ReasonData] = {"share": 0.5, "date": "2024-03-01", "until": "2024-03-01"}
        return special.get(name, ["one", "other"])


CATALOGUE = files("inquest.domain").joinpath("wording")


def test_a_reason_without_a_sentence_is_an_error_of_the_code() -> None:
    with pytest.raises(KeyError):
        in_words(Reason(code="entailment.no_such_reason"))
    with pytest.raises(KeyError):
        in_words(Reason(code="no_such_package.name"))


def test_a_code_names_its_package() -> None:
    with pytest.raises(ValidationError):
        Reason(code="figures_differ")


def test_braces_in_the_data_are_text_of_the_page_and_no_field() -> None:
    assert in_words(Reason(code="entailment.nothing_to_compare", data={"x": "{y}"})) == "There is nothing to compare."


@pytest.mark.parametrize("name", sorted(path.name for path in CATALOGUE.iterdir() if path.is_file()))
def test_every_sentence_of_the_catalogue_can_be_filled(name: str) -> None:
    for code, sentence in tomllib.loads(CATALOGUE.joinpath(name).read_text("utf-8")).items():
        fields = [field for _, field, _, _ in Formatter().parse(sentence) if field is not None]
        assert all(field.isidentifier() for field in fields), code
        assert filled(sentence, Every()), code
        assert sentence == sentence.strip(), code
