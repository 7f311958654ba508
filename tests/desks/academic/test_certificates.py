"""Certificates and credits: the scheme is looked up, the purchase is not vouched for."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import pytest

from inquest.desks.academic.schemes import InstrumentCheck, Legitimacy, check_certificates
from inquest.kit.desk import FindingDraft
from tests.desks.academic_parts import FOODS, NOW, claim, found, page


def only(text: str) -> InstrumentCheck:
    (check,) = check_certificates(text)
    return check


def risks_of(draft: FindingDraft) -> dict[str, Any]:
    risks = draft.details["risks"]
    assert isinstance(risks, dict)
    return risks


def test_a_known_certificate_is_legitimate_and_its_critics_are_named() -> None:
    check = only("100% of our electricity comes from certified renewable sources via I-REC certificates.")
    assert (check.kind.name, check.legitimacy) == ("energy attribute certificate", "legitimate")
    assert {each.about for each in check.criticisms} >= {"additionality"}


def test_the_legitimacy_of_credits_follows_from_their_project() -> None:
    check = only("We bought VCS carbon credits of landfill gas projects.")
    assert check.legitimacy == "legitimate"
    assert all("forest" not in each.text.lower() for each in check.criticisms)
    text = "We bought VCS carbon credits of wind projects."
    assert only(text).legitimacy == "controversial"
    assert check_certificates(text, until=date(2023, 12, 31))[0].legitimacy == "legitimate"


def test_a_standard_of_another_kind_is_no_unknown_scheme() -> None:
    text = "By the GHG Protocol Corporate Standard the Scope 1 figure is net of the offsets that were bought."
    assert only(text).legitimacy == "unknown"


def test_certificates_used_for_what_they_are_not() -> None:
    checks = check_certificates("Guarantees of origin for electricity offset our flights.")
    assert checks[0].legitimacy == "questionable"
    assert "academic.certificates_for_more" in {each.code for each in checks[0].misused}
    pending = only("Pending Issuance Units of the Woodland Carbon Code offset our emissions.")
    assert pending.legitimacy == "questionable"


@pytest.mark.parametrize(
    ("text", "scheme", "legitimacy"),
    [
        ("Our German plants run on renewable electricity covered by Texas RECs.", "rec", "questionable"),
        ("We are a Swedish company, and bought renewable RECs for our plant in Texas.", "rec", "legitimate"),
        ("Our plant in France cancelled guarantees of origin.", "go", "legitimate"),
        ("Our Sydney office is covered by REGOs.", "rego-au", "legitimate"),
        ("Our offices in London are covered by REGOs.", "rego", "legitimate"),
        ("Our offices in Singapore are covered by 4,000 LGCs.", "lgc", "questionable"),
        ("Our plant in Chile is covered by guarantees of origin from Norway.", "go", "questionable"),
        ("Our office in Georgia is covered by renewable RECs from Texas.", "rec", "legitimate"),
    ],
)
def test_a_certificate_belongs_to_the_market_of_consumption(text: str, scheme: str, legitimacy: Legitimacy) -> None:
    (check,) = check_certificates(text)
    assert [each.id for each in check.schemes] == [scheme]
    assert check.legitimacy == legitimacy


def test_both_kinds_are_kept_apart() -> None:
    kinds = [
        each.kind.name
        for each in check_certificates("RECs for electricity, and Gold Standard carbon credits for the rest.")
    ]
    assert kinds == ["energy attribute certificate", "carbon credit"]


@pytest.mark.parametrize("text", ["", "We have 500 employees.", "The gold standard of service."])
def test_claims_without_either(text: str) -> None:
    assert check_certificates(text) == ()


def test_retirement_on_a_registrys_page_is_found_though_its_line_does_not_name_the_credits() -> None:
    registry = page(
        "S2",
        "Carbon credits of project 7. Retired, vintage 2023: 52,000.",
        domain="registry.verra.org",
        category="standards",
    )
    (draft,) = [
        each
        for each in found(claim("We retired 85,000 VCS carbon credits for 2023."), FOODS, registry)
        if each.evidence_type == "certification_validation"
    ]
    assert [each["text"] for each in risks_of(draft)["retirement"]["evidence"]] == ["Retired, vintage 2023: 52,000."]
    assert {"permanence", "leakage"} <= {*risks_of(draft)}
    electricity = found(claim("Our electricity is covered by I-REC certificates."), FOODS)
    (draft,) = [each for each in electricity if each.evidence_type == "certification_validation"]
    assert not {"permanence", "leakage"} & {*risks_of(draft)}


def test_the_law_in_force_on_the_day_of_the_claim_is_named() -> None:
    made = claim("Our coffee is a climate neutral product, offset with Gold Standard carbon credits, until 2035.")

    def named(day: datetime, report_year: int | None = None) -> bool:
        subject = FOODS.model_copy(update={"now": day, "report_year": report_year})
        checks = [each for each in found(made, subject) if each.evidence_type == "certification_validation"]
        return any("Directive (EU) 2024/825" in each.summary for each in checks)

    later = NOW.replace(year=2028)
    assert named(later) and named(later, 2027)
    assert not named(later, 2024) and not named(NOW.replace(year=2026, month=9, day=26))
