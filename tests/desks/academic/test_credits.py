"""A claim's number of carbon credits compared with entries of registers."""

from __future__ import annotations

import pytest

from inquest.desks.academic.claimed_figures import claimed_figures
from inquest.domain.finding import Stance
from inquest.kit.desk import Results, Subject
from tests.desks.academic.test_reported import registered
from tests.desks.academic_parts import DESK, NOW, claim, only

SOLD = {"project": "Cookstoves in Kenya", "transaction": "Retired", "beneficiary": "Orle Glass plc"}
ROWS = (
    registered("S2", "offsets", id="VCS902", quantity="5354", vintage="2024", date="2025-04-10", **SOLD),
    registered("S3", "offsets", id="GS11432", quantity="17706", vintage="2023", date="2025-05-26", **SOLD),
    registered("S4", "offsets", id="VCS77", quantity="800", date="2025-05-26", **{**SOLD, "beneficiary": "Tarn AG"}),
    registered("S5", "offsets", id="VCS902", quantity="90000", date="2024-01-09", transaction="Issued"),
)


@pytest.mark.parametrize(
    ("text", "stance", "line"),
    [
        (
            "Orle Glass retired 5,354 carbon credits in 2025.",
            Stance.SUPPORTS,
            "5,354 (VCS902, 2025-04-10",
        ),
        ("Orle Glass retired 5,354 credits of VCS 902, vintage 2024, in 2025.", Stance.SUPPORTS, "VCS902"),
        ("Orle Glass retired 23,060 carbon credits in 2025.", Stance.SUPPORTS, "+ 17,706 (GS11432"),
        ("Orle Glass retired more than 20,000 tonnes of CO2e in credits in 2025.", Stance.SUPPORTS, "= 23,060"),
        ("Orle Glass retired only 5,354 carbon credits in 2025.", Stance.CONTRADICTS, "= 23,060"),
        ("Orle Glass retired about 5,300 carbon credits in 2025.", Stance.NEUTRAL, ""),
        ("Orle Glass retired 60,000 carbon credits in 2025.", Stance.NEUTRAL, ""),
        ("Orle Glass retired 2,000 carbon credits in 2025.", Stance.NEUTRAL, ""),
        ("Orle Glass retired 800 carbon credits in 2025.", Stance.NEUTRAL, ""),
        ("Orle Glass retired 5,354 carbon credits in 2024.", Stance.NEUTRAL, "2025-04-10"),
        ("Orle Glass retired 5,354 credits of VCS 77 in 2025.", Stance.NEUTRAL, "VCS902"),
        ("Orle Glass retired 5,354 credits of vintage 2019 in 2025.", Stance.NEUTRAL, "vintage 2024"),
        ("Orle Glass retired 5,354 forestry credits in 2025.", Stance.NEUTRAL, "VCS902"),
        ("Orle Glass cancelled 5,354 carbon credits in 2025.", Stance.NEUTRAL, ""),
        ("Project VCS 902 was issued 90,000 carbon credits in 2024.", Stance.SUPPORTS, "90,000 (VCS902, 2024-01-09)"),
        ("Project VCS 902 was issued 5,354 carbon credits in 2025.", Stance.NEUTRAL, ""),
    ],
)
def test_a_number_of_credits_is_compared_with_the_entries_of_its_company_kind_and_year(
    text: str, stance: Stance, line: str
) -> None:
    subject = Subject(company="Orle Glass", now=NOW)
    check = only(DESK.findings(claim(text), subject, Results(evidence=ROWS)), "registered_figure")
    assert check.stance is stance
    computed = str(check.details["computation"])
    assert line in computed if line else computed == "[]"


@pytest.mark.parametrize(
    "text",
    [
        "Orle Glass has not retired 5,354 carbon credits in 2025.",
        "Orle Glass pledged to retire 5,354 carbon credits in 2025.",
        "Orle Glass retired 5,354 carbon credits for the year 2025.",
        "Orle Glass retired 5,354 of the 9,000 credits that it bought in 2025.",
    ],
)
def test_a_number_of_credits_not_retired_in_the_year_is_compared_with_no_entry(text: str) -> None:
    assert not claimed_figures(text, "Orle Glass", 2025)


@pytest.mark.parametrize(
    ("number", "stance"),
    [("23,060", Stance.NEUTRAL), ("more than 20,000", Stance.SUPPORTS), ("5,354", Stance.SUPPORTS)],
)
def test_the_sum_of_as_many_rows_as_a_query_returns_may_be_a_part(number: str, stance: Stance) -> None:
    others = (registered(f"S1{n}", "offsets", id="VCS5", quantity="1", date="2020-01-01", **SOLD) for n in range(8))
    subject = Subject(company="Orle Glass", now=NOW)
    asked = claim(f"Orle Glass retired {number} carbon credits in 2025.")
    drafts = DESK.findings(asked, subject, Results(evidence=(*ROWS, *others)))
    assert only(drafts, "registered_figure").stance is stance
