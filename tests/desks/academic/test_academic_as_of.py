"""A check as of a day knows what was published by then: no criterion, edition or finding that came later."""

from __future__ import annotations

from datetime import UTC, datetime

from inquest.desks.academic.schemes import Legitimacy, certification_validations, check_certificates
from inquest.desks.academic.science_targets import target_validation
from inquest.desks.academic.validation import TechnicalClaim
from inquest.kit.desk import FindingDraft

VALIDATED = "Norvane's near-term target was validated by the Science Based Targets initiative."
FOREST = "Norvane offset 50,000 tonnes of CO2 with VCS credits from a rainforest protection project."


def technical(text: str, year: int) -> TechnicalClaim:
    return TechnicalClaim(text=text, company="Norvane", now=datetime(year, 6, 15, tzinfo=UTC))


def cited_years(found: FindingDraft) -> set[int]:
    return {int(str(each["publication_date"])[:4]) for each in found.references if each["publication_date"]}


def test_the_criteria_that_are_cited_were_in_force() -> None:
    for year in (2022, 2023, 2024, 2025, 2026):
        found = target_validation(technical(VALIDATED, year), ())
        assert found.references and max(cited_years(found)) <= year
    editions = {
        str(target_validation(technical(VALIDATED, year), ()).references[0]["edition"]) for year in (2022, 2025)
    }
    assert editions == {"5.0", "5.2"}


def test_what_was_found_later_is_held_against_no_credit() -> None:
    for year in (2021, 2023, 2025):
        for found in certification_validations(technical(FOREST, year), ()):
            held = [each for each in found.references if each.get("from_the_book_of_standards")]
            assert all(int(str(each["publication_date"])) <= year for each in held)
            assert all(str(later) not in " ".join(map(str, found.reasons)) for later in range(year + 1, 2027))
    (before,) = check_certificates(FOREST, until=datetime(2010, 1, 1, tzinfo=UTC).date())
    (now,) = check_certificates(FOREST)
    assert before.legitimacy is Legitimacy.LEGITIMATE and now.legitimacy is Legitimacy.CONTROVERSIAL
