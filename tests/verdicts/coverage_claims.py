"""A claim for the tests of coverage."""

from __future__ import annotations

from inquest.domain.claim import Claim


def a_claim() -> Claim:
    return Claim(id="C1", text="The bridge opened in 2024.")
