"""The order of a summary written by a model: the verdicts, the text about them, the open questions."""

from __future__ import annotations

from inquest.analysts.prompts.write import question, with_the_work
from inquest.domain.report import Section, Statement, Summary
from tests.analysts.scripted import finding, material


def _section(heading: str, *texts: str, about_the_work: bool = False) -> Section:
    return Section(
        heading=heading, statements=tuple(Statement(text=text, about_the_work=about_the_work) for text in texts)
    )


BY_RULE = Summary(
    title="t",
    sections=(
        _section("In short", "Of two claims, one is verified.", about_the_work=True),
        _section("Key findings", "It closed."),
        _section("Recommendations", "Ask again.", about_the_work=True),
    ),
)


def test_how_the_claims_came_out_stands_first() -> None:
    summary = with_the_work(Summary(title="t", sections=(_section("Findings", "It closed."),)), BY_RULE)
    assert [each.heading for each in summary.sections] == ["In short", "Findings", "Recommendations"]


def test_a_heading_that_both_have_stands_once() -> None:
    written = Summary(title="t", sections=(_section("In Short", "It closed."),))
    (first, *_) = with_the_work(written, BY_RULE).sections
    assert [each.text for each in first.statements] == ["Of two claims, one is verified.", "It closed."]
    assert len(with_the_work(written, BY_RULE).sections) == 2


def test_without_a_word_of_the_rules_on_how_it_came_out_what_is_written_stands_first() -> None:
    rest = BY_RULE.model_copy(update={"sections": BY_RULE.sections[1:]})
    summary = with_the_work(Summary(title="t", sections=(_section("Findings", "It closed."),)), rest)
    assert [each.heading for each in summary.sections] == ["Findings", "Recommendations"]


def test_the_claims_as_given_and_other_excluded_sources_are_no_evidence_to_write_from() -> None:
    given = material(finding(1, "The plant closed."))
    assert "The plant closed." in question(given)
    sources = tuple(each.model_copy(update={"excluded": "pages.given"}) for each in given.sources)
    assert "The plant closed." not in question(given.model_copy(update={"sources": sources}))
