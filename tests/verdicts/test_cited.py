"""The outcome of a source for the statement that cites it: verbatim sentences, other figures, credits to others."""

from __future__ import annotations

import pytest

from inquest.domain.audit import Outcome
from inquest.domain.document import Document, TextLink
from inquest.sources.credits import credits_at
from inquest.text.sentences import Span
from inquest.verdicts.cited import Found, outcome

JOBS = "Norvane employed 640 people at its works in Lund in 2024"


def found(text: str, statement: str = f"{JOBS}.", **more: object) -> Found:
    document = Document.model_validate({"snapshot": "s", "url": "https://paper.example/a", "text": text, **more})
    return outcome(statement, document, [], by_model=False)


@pytest.mark.parametrize(
    ("text", "more"),
    [
        (f"According to Reuters, {JOBS}.", {}),
        (f"{JOBS}, Reuters reported.", {}),
        (f"Reuters reported on the valley on Monday. {JOBS}.", {}),
        (f"LUND, May 4 (Reuters) - Rain fell on the valley.\n\n{JOBS}.", {}),
        (f"{JOBS}.", {"author": "Reuters"}),
        (f"{JOBS}.", {"source_links": ("https://gazette.example/jobs",)}),
    ],
)
def test_a_source_that_credits_another_publisher_for_the_statement_is_second_hand(text: str, more: object) -> None:
    assert isinstance(more, dict)
    assert found(text, **more).outcome is Outcome.SECOND_HAND


@pytest.mark.parametrize(
    ("text", "more"),
    [
        (f"Reuters reported on the weather.\n\n{JOBS}.", {}),
        (f"{JOBS}. According to Reuters, a choir sang for the visitors.", {}),
        (f"{JOBS}.", {"source_links": ("https://gazette.example/jobs", "https://office.example/jobs")}),
        (f"{JOBS}.", {"source_links": ("https://paper.example/earlier",)}),
        (f"LUND, May 4 (Reuters) - Rain fell.\n\n{JOBS}.", {"publisher": "Reuters"}),
    ],
)
def test_a_credit_for_something_else_or_to_itself_leaves_the_statement_its_own(text: str, more: object) -> None:
    assert isinstance(more, dict)
    assert found(text, **more).outcome is Outcome.HOLDS


def test_a_statement_that_names_the_credited_publisher_holds() -> None:
    said = f"According to Reuters, {JOBS}."
    assert found(said, said).outcome is Outcome.HOLDS


def test_a_sentence_with_other_figures_is_named_only_where_none_has_the_figures_of_the_statement() -> None:
    other = f"{JOBS.replace('640', '460')}."
    differs = found(other)
    assert differs.outcome is Outcome.PARTLY and "“640” for “460”" in differs.reason
    assert found(f"{other}\n\n{JOBS}.").outcome is Outcome.HOLDS


def test_a_link_is_a_credit_of_its_own_sentence_alone() -> None:
    text = f"The ferry has a new page. {JOBS}, as this page has it."
    links = [text.index("new page"), text.index("this page")]
    document = Document(
        snapshot="s",
        url="https://paper.example/a",
        text=text,
        text_links=tuple(
            TextLink(url=f"https://other.example/{n}", start=start, end=start + 8, block=0)
            for n, start in enumerate(links)
        ),
    )
    begin = text.index(JOBS)
    credited = credits_at(document, Span(begin, begin + len(JOBS)))
    assert [each.url for each in credited] == ["https://other.example/1"]
