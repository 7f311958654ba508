"""A company called 'Target' or 'Net Zero Foods': its name says nothing about the subject of a claim."""

from __future__ import annotations

import json

import pytest

from inquest.claims.report.company import name_masked
from inquest.claims.report.given import given_claims
from inquest.desks.academic.queries import Group, academic_groups
from inquest.desks.news.greenwashing import topic_of
from inquest.domain.claim import Claim, ClaimType

NAMES = ["Target", "Target Corporation", "Goal", "Net Zero Foods", "Gold Standard Bakers plc", "Offset Print"]
CLAIMS = {
    "{}'s Scope 1 emissions fell by 12% in 2023.": ClaimType.QUANTITATIVE,
    "{} has restored 5,000 hectares of degraded peatland in Borneo since 2020.": ClaimType.GEOGRAPHIC,
    "{}'s audit committee met six times.": ClaimType.LEGAL_GOVERNANCE,
}


def claim_of(text: str, company: str) -> Claim:
    (made,) = given_claims([json.dumps({"id": "1", "text": text, "company": company})], "a list")
    return made


@pytest.mark.parametrize("company", NAMES)
@pytest.mark.parametrize("said", CLAIMS)
def test_a_claim_is_of_the_type_that_its_own_words_give_it(said: str, company: str) -> None:
    plain, claim = claim_of(said.format("Corvane"), "Corvane"), claim_of(said.format(company), company)
    assert claim.type is plain.type is CLAIMS[said]
    assert topic_of(claim) == topic_of(plain)
    assert claim.disclosures == plain.disclosures


@pytest.mark.parametrize("company", NAMES)
def test_the_academic_desk_is_not_called_by_a_name(company: str) -> None:
    text = f"{company} opened 20 stores in 2023."
    assert not academic_groups(text, ClaimType.STATEMENT, company)
    aimed = f"{company} has set a science-based target."
    assert Group.TARGETS in academic_groups(aimed, ClaimType.STRATEGIC, company)


def test_the_words_themselves_still_count() -> None:
    claim = claim_of("Target has a target of net zero by 2040.", "Target")
    assert claim.type is ClaimType.STRATEGIC
    certified = "Renewable Energy Group buys Renewable Energy Certificates."
    assert "Renewable Energy Certificates" in name_masked(certified, "Renewable Energy Group")
    assert "Shell" in name_masked("Shell", "shell") and name_masked("shell", "Shell") == "shell"
