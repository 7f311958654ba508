"""Sums of money: which are of one payment, and when the same sum tells that it is."""

from __future__ import annotations

import pytest

from inquest.domain.finding import Stance
from inquest.entailment.found import Page
from inquest.entailment.stance import stance_of
from inquest.text.passages import stems

ORDER = Page(
    "Order 12/2025 in the matter of Brackwell Foods plc",
    "Settlement of the proceedings under notice 7/2024",
    "food-authority.example",
    elsewhere=frozenset(stems("pay penalty listeria plant Ashcombe recall")),
)


def _stance(claim: str, passage: str, page: Page = ORDER) -> Stance:
    return stance_of(claim, passage, page=page).stance


@pytest.mark.parametrize(
    "claim",
    [
        "Brackwell Foods to pay 3.7 million euros over listeria at its plant",
        "Brackwell Foods must pay a penalty of 3.7 million euros for listeria in its plant at Ashcombe.",
    ],
)
def test_the_same_telling_sum_is_the_same_payment_where_the_document_says_what_it_is_for(claim: str) -> None:
    assert _stance(claim, "Brackwell Foods plc shall pay a penalty of €3.7 million within 30 days.") is Stance.SUPPORTS


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        # The document says nothing of what the claim says it is for.
        (
            "Brackwell Foods to pay 3.7 million euros over wage theft in Spain",
            "Brackwell Foods plc shall pay a penalty of €3.7 million within 30 days.",
        ),
        # A round sum is shared by many matters.
        (
            "Brackwell Foods to pay 3 million euros over listeria at its plant",
            "Brackwell Foods plc shall pay €3 million within 30 days.",
        ),
        # Another payer, another kind of payment, and a denial.
        (
            "Brackwell Foods to pay 3.7 million euros over listeria at its plant",
            "Calder Stone plc shall pay a penalty of €3.7 million within 30 days.",
        ),
        (
            "Brackwell Foods must pay a penalty of 3.7 million euros over listeria at its plant",
            "Brackwell Foods plc shall pay a dividend of €3.7 million within 30 days.",
        ),
        (
            "Brackwell Foods to pay 3.7 million euros over listeria at its plant",
            "Brackwell Foods plc will not have to pay €3.7 million.",
        ),
    ],
)
def test_and_not_otherwise(claim: str, passage: str) -> None:
    assert _stance(claim, passage) is not Stance.SUPPORTS


PRESS = Page("Tribunal decides on dismissal", "", "morningpost.example")


@pytest.mark.parametrize(
    "passage",
    [
        "Brackwell Foods plc must pay 86,000 euros to a technician who told a newspaper about listeria at its plant.",
        "Brackwell Foods plc must pay a technician 86,000 euros over what she said about listeria at its plant.",
        "Brackwell Foods plc must pay 410,000 euros to two families over listeria at its plant.",
    ],
)
def test_what_is_paid_to_somebody_of_whom_the_claim_says_nothing_is_another_payment(passage: str) -> None:
    assert _stance("Brackwell Foods to pay 3.7 million euros over listeria at its plant", passage, PRESS) is (
        Stance.NEUTRAL
    )


@pytest.mark.parametrize(
    "passage",
    [
        "Brackwell Foods plc must pay 7.3 million euros over listeria at its plant.",
        "Brackwell Foods plc must pay 7.3 million euros to the treasury over listeria at its plant.",
        "Brackwell Foods plc must pay the state 7.3 million euros over listeria at its plant.",
        "Brackwell Foods plc must pay 7.3 million euros to settle the case over listeria at its plant.",
    ],
)
def test_another_sum_of_the_same_payment_contradicts(passage: str) -> None:
    claim = "Brackwell Foods must pay 3.7 million euros over listeria at its plant"
    assert _stance(claim, passage, PRESS) is Stance.CONTRADICTS


def test_a_headline_says_what_will_be_done() -> None:
    claim = "Brackwell Foods to pay 3.7 million euros over listeria at its plant"
    passage = "Brackwell Foods plc must pay 3.7 million euros over listeria at its plant, a court ruled."
    assert _stance(claim, passage, PRESS) is Stance.SUPPORTS


def test_who_was_fined_must_pay() -> None:
    claim = "Brackwell Foods fined 3.7 million euros for listeria at its plant"
    assert (
        _stance(claim, "Brackwell Foods plc will pay a penalty of 3.7 million euros for listeria.") is Stance.SUPPORTS
    )
    assert _stance(claim, "Brackwell Foods plc shall pay a penalty of €3.7 million within 30 days.") is Stance.SUPPORTS
    assert _stance(claim, "Brackwell Foods plc may have to pay a penalty of 3.7 million euros.") is Stance.NEUTRAL
