"""The subjects of a case, and pages on others with the same name."""

from __future__ import annotations

import pytest

from inquest.claims.meant import meant_in, other_bearer, times_in
from inquest.domain.plan import Meant, MeantKind

BRIEF = (
    "Did Quorvane Dental Care close its practice in Ebbing, Ohio, in March 2024? What did the Dental Council say on "
    "3 May 2024?"
)
CARE = (Meant(name="Quorvane Dental Care", kind=MeantKind.ORGANISATION),)
EBBING = (Meant(name="Ebbing", kind=MeantKind.PLACE, within="Ohio"),)


def test_names_places_and_times_of_a_brief_are_settled() -> None:
    shown = [each.shown for each in meant_in(BRIEF)]
    assert shown == ["Quorvane Dental Care", "Ebbing (Ohio)", "Dental Council"]
    assert times_in(BRIEF) == ("March 2024", "3 May 2024")


def test_the_company_whose_claims_are_checked_comes_first_and_once() -> None:
    meant = meant_in(
        "Shares of Quorvane fell. Quorvane's Ebbing, Ohio, practice treats 900 patients. Quorvane Dental Care closed.",
        ("Quorvane Dental Care", ""),
    )
    assert [(each.name, each.kind, each.within) for each in meant] == [
        ("Quorvane Dental Care", MeantKind.ORGANISATION, ""),
        ("Ebbing", MeantKind.NAME, "Ohio"),
    ]


@pytest.mark.parametrize(
    ("title", "text", "who"),
    [
        ("Results", "The Quorvane Relief Fund of Larissa thanks its many volunteers for this.", "Quorvane Relief Fund"),
        ("Ore", "Shares of Quorvane Mining Corp. fell by a third on Monday after a warning.", "Quorvane Mining Corp"),
    ],
)
def test_a_page_on_another_of_the_name_is_known_by_how_its_name_goes_on(title: str, text: str, who: str) -> None:
    assert other_bearer(CARE, title, text) == who


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Closed", "Quorvane closed its practice in town on Monday, the council said."),
        ("Closed", "Quorvane Dental Care Ltd. closed. The Quorvane Relief Fund is no part of it at all."),
        ("Quorvane Practice Shut Down", "The practice was shut on Monday after an inspection by the council."),
        ("Closed", "Quorvane CEO Jane Doe said that the practice would be closed in the spring."),
        ("Dentists", "The dental chain Quorvane and the Quorvane Bank fought over a name for years."),
    ],
)
def test_a_page_that_may_be_about_the_one_that_is_meant_is_kept(title: str, text: str) -> None:
    assert other_bearer(CARE, title, text) == ""


def test_a_place_in_another_region_is_another_and_a_page_that_names_anybody_meant_is_kept() -> None:
    assert other_bearer(EBBING, "Flood", "The river rose in Ebbing, Missouri, on Monday.") == "Ebbing, Missouri"
    assert other_bearer(EBBING, "Flood", "The river rose in Ebbing, Ohio, and not in Ebbing, Missouri.") == ""
    assert other_bearer(EBBING, "Flood", "The river rose in Ebbing on Monday.") == ""
    assert other_bearer((Meant(name="Ebbing", kind=MeantKind.PLACE),), "Flood", "In Ebbing, Missouri, it rained.") == ""
    both = (*CARE, Meant(name="School Council"))
    text = "The Quorvane Relief Fund wrote to the School Council about its rooms on Monday."
    assert other_bearer(CARE, "Letter", text) == "Quorvane Relief Fund"
    assert other_bearer(both, "Letter", text) == ""
    place = (*CARE, Meant(name="Larissa", kind=MeantKind.PLACE))
    text = "The Quorvane Relief Fund of Larissa wrote to the council on Monday."
    assert other_bearer(place, "Letter", text) == "Quorvane Relief Fund"
