"""Pieces that summaries are written of."""

from __future__ import annotations

import pytest

from inquest.domain.claim import Claim
from inquest.logic.writing_parts import clause


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Brackwell to pay 3.7 million euros over listeria", "Brackwell will pay 3.7 million euros over listeria"),
        ("Brackwell Foods plc to close two plants.", "Brackwell Foods plc will close two plants"),
        ("The company is to close two plants.", "the company is to close two plants"),
        ("Welcome to paradise", "Welcome to paradise"),
    ],
)
def test_a_claim_goes_on_after_that(text: str, said: str) -> None:
    assert clause(Claim(id="C1", text=text)) == said
