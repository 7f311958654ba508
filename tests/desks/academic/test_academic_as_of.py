"""A check as of a date uses only what was published by then: no later criterion, edition or finding."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from inquest.desks.academic.schemes import certification_validations, check_certificates
from inquest.desks.academic.science_targets import target_validation
from inquest.desks.academic.validation import TechnicalClaim, editions_named
from inquest.domain.reasons import in_words
from inquest.kit.desk import FindingDraft
from inquest.sources.standards import Edition, Rule, standards_book

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


@pytest.mark.parametrize(
    ("text", "year", "expected"),
    [
        ("Our electricity meets the RE100 Technical Criteria.", 2024, "edition 4.1 of RE100 is in force"),
        ("Our electricity meets the RE100 Technical Criteria.", 2026, "edition April 2025 of RE100 is in force"),
        ("We are carbon neutral by PAS 2060.", 2024, "edition 2014 of PAS 2060 is in force"),
        ("We are carbon neutral by PAS 2060.", 2026, "PAS 2060 is no longer in force"),
        ("Removals follow the Land Sector and Removals Standard.", 2026, "is not yet in force"),
        ("Scope 2 emissions follow the Scope 2 Guidance.", 2026, "edition 2015 of GHG Protocol Scope 2 Guidance is in"),
        ("Our target meets the SBTi Corporate Net-Zero Standard.", 2025, "edition 1.2 of SBTi Corporate Net-Zero"),
        ("We report by ESRS E1.", 2025, "edition 2023 of ESRS E1 is in force"),
    ],
)
def test_a_standard_that_a_claim_names_has_the_edition_in_force_on_its_day(text: str, year: int, expected: str) -> None:
    editions = editions_named(technical(text, year))
    assert any(expected in in_words(why) for why, _ in editions)
    assert all(str(cited["url"]).startswith("https://") for _, cited in editions)


def test_an_unsourced_rule_is_asked_for_by_no_check_and_an_unsourced_edition_is_never_in_force() -> None:
    rows: list[Rule | Edition] = []
    for standard in standards_book():
        rows += [*standard.rules, *standard.editions]
    unsourced = [each for each in rows if each.source.unsourced]
    assert {each.asks for each in unsourced if isinstance(each, Rule)} == {""}
    assert not any(each.in_force(date.min, date.max) for each in unsourced if isinstance(each, Edition))
    assert len(unsourced) > 5 and not any("knowledge" in each.source.checked for each in rows)


def test_what_was_found_later_is_held_against_no_credit() -> None:
    for year in (2021, 2023, 2025):
        for found in certification_validations(technical(FOREST, year), ()):
            held = [each for each in found.references if each.get("from_the_book_of_standards")]
            assert all(int(str(each["publication_date"])) <= year for each in held)
            assert all(str(later) not in " ".join(map(str, found.reasons)) for later in range(year + 1, 2027))
    (before,) = check_certificates(FOREST, until=datetime(2010, 1, 1, tzinfo=UTC).date())
    (now,) = check_certificates(FOREST)
    assert before.legitimacy == "legitimate" and now.legitimacy == "controversial"


@pytest.mark.parametrize(("of", "named"), [("its green power slogan", False), ("guarantees of origin", True)])
def test_criticism_of_certificates_in_general_is_no_result_for_a_claim_that_names_none(of: str, named: bool) -> None:
    (made,) = certification_validations(technical(f"A court ruled that Oriel misled customers with {of}.", 2025), ())
    assert ("academic.risks_found" in {each.code for each in made.summary_codes}) is named
