"""The book of standards: every figure has a source, every source says how it was checked, every check has its rule."""

from __future__ import annotations

from datetime import date

import pytest

from inquest.desks.academic.terms import ASPECTS, METHODS
from inquest.sources.standards_book import Edition, PublicSource, Standard, standards_book

BOOK = standards_book()
SOURCE = PublicSource(title="T", publisher="P", year=2020, url="https://example.org", checked="Read.")


def test_every_standard_has_a_name_of_its_own_and_a_family_that_exists() -> None:
    ids = [standard.id for standard in BOOK]
    assert len(ids) == len(set(ids)) > 45
    assert {standard.family for standard in BOOK} - {""} <= set(ids)
    assert all(standard.spellings or standard.marks for standard in BOOK)


def test_every_source_is_public_dated_and_says_how_it_was_checked() -> None:
    sources = [edition.source for standard in BOOK for edition in standard.editions]
    sources += [rule.source for standard in BOOK for rule in standard.rules]
    sources += [criticism.source for standard in BOOK for criticism in standard.criticisms]
    assert len(sources) > 150
    for source in sources:
        assert source.url.startswith("https://"), source
        assert 1990 <= source.year <= 2026, source
        assert source.checked.endswith("."), source
        assert source.title, source
        assert source.publisher, source


def test_every_figure_has_a_unit() -> None:
    assert [rule.id for standard in BOOK for rule in standard.rules if rule.figure is not None and not rule.unit] == []


def test_rules_of_a_standard_are_told_apart() -> None:
    for standard in BOOK:
        ids = [rule.id for rule in standard.rules]
        assert len(ids) == len(set(ids)), standard.id


def test_editions_follow_one_another() -> None:
    for standard in BOOK:
        begins = [edition.in_force_from for edition in standard.editions if edition.in_force_from]
        assert begins == sorted(begins), standard.id
        for edition in standard.editions:
            if edition.in_force_from and edition.in_force_until:
                assert edition.in_force_from < edition.in_force_until


def test_methods_belong_to_standards_that_exist() -> None:
    assert {method.standard_id for method in METHODS} <= set(BOOK.by_id)


def test_what_accounting_rules_ask_for_can_be_looked_for() -> None:
    kinds = ("accounting", "product", "project", "verification", "neutrality")
    asked = {rule.asks for standard in BOOK if standard.kind in kinds for rule in standard.rules}
    assert asked - {""} <= set(ASPECTS)


@pytest.mark.parametrize(
    ("day", "versions"),
    [
        (date(2020, 5, 1), ["4.x"]),
        (date(2022, 1, 1), ["4.x", "5.0"]),
        (date(2022, 7, 15), ["5.0"]),
        (date(2023, 6, 1), ["5.1"]),
        (date(2024, 5, 1), ["5.2"]),
        (date(2026, 1, 1), ["5.3"]),
        (date(2026, 5, 1), ["5.3 (revised contraction)"]),
        (date(2010, 1, 1), []),
    ],
)
def test_the_criteria_in_force_on_a_day(day: date, versions: list[str]) -> None:
    assert [edition.version for edition in BOOK["sbti-near-term"].editions_on(day)] == versions


def test_figures_that_targets_are_judged_by() -> None:
    figure = {rule.id: rule.figure for rule in BOOK["sbti-near-term"].rules}
    assert figure["rate-1-2"] == 4.2
    assert figure["rate-1-2-4"] == figure["rate-3"] == 2.5
    assert figure["base-year"] == 2015
    assert (figure["coverage-1-2"], figure["coverage-3"], figure["scope-3-threshold"]) == (95, 67, 40)
    assert BOOK.rule("sbti-net-zero", "long-term-cut").figure == 90
    assert len(BOOK["ghg-protocol-scope-3"].parts) == 15


def test_a_rule_of_an_edition_that_is_not_there_is_refused() -> None:
    rule = {"id": "r", "text": "t", "editions": ("9",), "source": SOURCE}
    with pytest.raises(ValueError, match="edition"):
        Standard.model_validate(
            {
                "id": "x",
                "name": "X",
                "kind": "k",
                "publisher": "P",
                "about": "",
                "rules": [rule],
                "editions": [Edition(version="1", source=SOURCE)],
            }
        )


def test_a_rule_that_is_not_there_is_an_error() -> None:
    with pytest.raises(KeyError):
        BOOK.rule("sbti", "no-such-rule")
