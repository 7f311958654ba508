"""What a claim's words make of it: what is done by a date is no aim, a technology of one's own is one."""

from __future__ import annotations

import json

import pytest

from inquest.claims.report.given import given_claims
from inquest.desks.academic.terms import technologies_in
from inquest.desks.news.desk import requests_on
from inquest.domain.claim import Claim, ClaimType
from inquest.domain.finding import Stance
from inquest.kit.desk import FindingDraft


def claim_of(text: str) -> Claim:
    (made,) = given_claims([json.dumps({"id": "1", "text": text, "company": "Norvane"})], "a list")
    return made


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("By the end of 2024 Norvane had spent €31 million on the treatment plant.", ClaimType.QUANTITATIVE),
        ("Norvane had cut its emissions by 12% by 2023.", ClaimType.QUANTITATIVE),
        ("Norvane will have cut its emissions by 42% by 2030.", ClaimType.STRATEGIC),
        ("Norvane had set a target to cut its emissions by 30% by 2030.", ClaimType.STRATEGIC),
    ],
)
def test_what_had_been_done_by_a_date_is_not_what_is_aimed_at(text: str, kind: ClaimType) -> None:
    assert claim_of(text).type is kind


@pytest.mark.parametrize("whose", ["Our", "Norvane's", "Norvane’s", "Its proprietary"])
def test_a_technology_is_one_whoever_it_is_said_to_be_of(whose: str) -> None:
    assert technologies_in(f"{whose} refrigerant-free cooling technology reduces emissions by 30%.") == (
        "refrigerant-free cooling technology",
    )
    assert not technologies_in(f"{whose} supplier management system covers all sites.")


def test_geography_is_asked_about_the_place() -> None:
    (trees,) = requests_on(claim_of("Norvane planted 1,200 trees at Lower Pell in 2023."), "Norvane", ())
    assert trees.to == "geography" and "show of the place Lower Pell" in trees.description


def test_literature_is_not_asked_what_was_paid() -> None:
    where = {"source_url": "https://register.example/1", "source_domain": "register.example"}
    details = {**where, "snippet": "It had spent €18 million."}
    against = [FindingDraft(evidence_type="x", stance=Stance.CONTRADICTS, confidence=0.8, summary="", details=details)]
    spent = claim_of("By the end of 2024 Norvane had spent €31 million on the waste water treatment plant.")
    removed = claim_of("A renewable heat supply cut the carbon emissions of the plant by 90%.")
    assert "academic" not in {each.to for each in requests_on(spent, "Norvane", against)}
    assert "academic" in {each.to for each in requests_on(removed, "Norvane", against)}
