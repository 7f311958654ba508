"""Values of a report: a summary has each heading once, whoever wrote it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from inquest.domain.report import Section, Statement, Summary

headings = st.sampled_from(["Executive summary", "EXECUTIVE  summary", "Key findings", "Gaps"])


@given(st.lists(st.tuples(headings, st.text("ab", min_size=1, max_size=3)), max_size=8))
def test_no_heading_stands_twice_and_no_sentence_is_lost(made: list[tuple[str, str]]) -> None:
    sections = tuple(Section(heading=heading, statements=(Statement(text=text),)) for heading, text in made)
    summary = Summary(title="T", sections=sections)
    shown = [" ".join(each.heading.casefold().split()) for each in summary.sections]
    assert len(shown) == len(set(shown))
    kept = {statement.text for each in summary.sections for statement in each.statements}
    assert kept == {text for _, text in made}
