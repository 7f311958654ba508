"""The dates that search engines put before the words of a page."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.text.dates import date_first

NOW = datetime(2026, 7, 15, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("snippet", "date", "rest"),
    [
        ("Mar 5, 2024 ... The harbour authority was fined.", "2024-03-05", "The harbour authority was fined."),
        ("5 Mar 2024 · The harbour", "2024-03-05", "The harbour"),
        ("03/05/2024 — The harbour", "2024-03-05", "The harbour"),
        ("3 days ago — The harbour", "2026-07-12", "The harbour"),
        ("The fine ... was paid", None, "The fine ... was paid"),
        ("In 2024 ... it was paid", None, "In 2024 ... it was paid"),
        ("Mar 5, 2024", None, "Mar 5, 2024"),
        ("", None, ""),
    ],
)
def test_a_date_before_the_words_is_taken_off(snippet: str, date: str | None, rest: str) -> None:
    found, words = date_first(snippet, now=NOW)
    assert ((found.iso if found else None), words) == (date, rest)


@given(st.text(max_size=200) | st.text("Mar 5,2024.·—", max_size=60))
def test_nothing_but_a_date_is_ever_lost(snippet: str) -> None:
    found, words = date_first(snippet, now=NOW)
    assert snippet.endswith(words)
    assert found or words == snippet
