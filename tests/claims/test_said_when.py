"""Days as they were, for a reader on another day."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.claims.said_when import with_days

WRITTEN = date(2023, 6, 8)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("In an order published on Thursday, it paid.", "In an order published on 8 June 2023, it paid."),
        ("Inspectors came in the night of 14 March.", "Inspectors came in the night of 14 March 2023."),
        ("Yesterday the works was closed.", "On 7 June 2023 the works was closed."),
        (
            "It was closed yesterday evening by the county.",
            "It was closed on the evening of 7 June 2023 by the county.",
        ),
        ("The wells were closed last Wednesday.", "The wells were closed on 7 June 2023."),
    ],
)
def test_days_are_written_out(sentence: str, expected: str) -> None:
    assert with_days(sentence, WRITTEN) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "It was founded on 14 March 1998.",
        'The letter says "we came on Monday".',
        "It has been so since last year.",
        "The plant opens on 30 November.",
        "It was closed on 3 October.",
    ],
)
def test_what_is_plain_quoted_vague_to_come_or_long_ago_stays(sentence: str) -> None:
    assert with_days(sentence, WRITTEN) == sentence


@given(st.text(max_size=120))
def test_without_a_day_of_writing_nothing_changes(sentence: str) -> None:
    assert with_days(sentence, None) == sentence
    assert isinstance(with_days(sentence, WRITTEN), str)
