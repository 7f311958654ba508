"""Assignment of claims to desks: by the desks' own rules, with claims for desks that are not installed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.claims.press_words import claim_words, places_of
from inquest.claims.routing import route
from inquest.domain.check import Taken
from inquest.domain.claim import Amount, Claim, ClaimType, Disclosure


def everything(claim: Claim) -> Taken:
    return Taken(reason="it is said of the company")


def nothing(claim: Claim) -> None:
    return None


def technical(claim: Claim) -> Taken | None:
    reason = "it gives emissions that benchmarks bear on"
    return Taken(priority=0.8, reason=reason, group="benchmark") if "emissions" in claim.text else None


DESKS: Mapping[str, Callable[[Claim], Taken | None]] = {"news": everything, "academic": technical}


def a_claim(text: str, type: ClaimType = ClaimType.STRATEGIC, **more: object) -> Claim:
    return Claim.model_validate({"id": "C1", "text": text, "type": type, "company": "Brandholm Ferries", **more})


def amount(low: float, unit: str, dimension: str) -> Amount:
    return Amount(quote="x", start=0, end=1, low=low, high=low, unit=unit, dimension=dimension)


def test_each_desk_that_takes_a_claim_looks_at_it_the_most_urgent_first_and_says_why() -> None:
    (found,) = route([a_claim("Brandholm Ferries cut its emissions.", importance=0.7)], DESKS)
    assert found.desks == ("academic", "news")
    assert found.priority == 0.7
    assert found.reasons == (
        "academic [benchmark]: it gives emissions that benchmarks bear on.",
        "news: it is said of the company.",
    )


def test_only_chosen_desks_look() -> None:
    (found,) = route([a_claim("It cut its emissions.")], DESKS, chosen=("academic",))
    assert found.desks == ("academic",)


def test_what_no_desk_takes_goes_to_news_or_nobody_and_the_reason_says_so() -> None:
    (found,) = route([a_claim("It is a good employer.")], {"news": nothing, "academic": nothing})
    assert found.desks == ("news",)
    assert "it is in no desk's field" in found.reasons[0]
    (found,) = route([a_claim("It is a good employer.")], DESKS, chosen=("academic",))
    assert found.desks == ()
    assert found.reasons[0].startswith("No desk checks it")


class TestDesksThatAreNotInstalled:
    def test_geography_only_for_a_claim_with_a_named_place(self) -> None:
        claim = a_claim("Brandholm Ferries restored 40 hectares of wetland near Tornevik.", ClaimType.GEOGRAPHIC)
        (found,) = route([claim], DESKS)
        assert found.missing == ("geography",)
        assert "Tornevik" in found.reasons[-1]
        claim = a_claim("Brandholm Ferries restored 40 hectares of wetland.", ClaimType.GEOGRAPHIC)
        assert route([claim], DESKS)[0].missing == ()

    def test_legal_for_governance_and_for_disclosure_paragraphs(self) -> None:
        governed = a_claim("The board approves the plan.", ClaimType.LEGAL_GOVERNANCE)
        asked = Disclosure(standard="IFRS S2", paragraph="33(e)", subject="base period", reason="it says ‘base year’")
        pointed = a_claim("The base year is 2019.", ClaimType.STRATEGIC, disclosures=(asked,))
        assert [each.missing for each in route([governed, pointed], DESKS)] == [("legal",), ("legal",)]
        assert "IFRS S2 33(e)" in route([pointed], DESKS)[0].reasons[-1]

    def test_data_only_for_figures_that_should_fit_together(self) -> None:
        figures = (amount(200, "t", "mass"), amount(150, "t", "mass"), amount(25, "%", "share"))
        claim = a_claim("It fell from 200 t to 150 t, by 25 %.", ClaimType.QUANTITATIVE, quantities=figures)
        assert route([claim], DESKS)[0].missing == ("data",)
        shares = (amount(12, "%", "share"), amount(8, "%", "share"))
        claim = a_claim("Fuel use fell by 12 % and waste by 8 %.", ClaimType.QUANTITATIVE, quantities=shares)
        assert route([claim], DESKS)[0].missing == ()

    def test_none_of_them_where_it_is_installed(self) -> None:
        claim = a_claim("The board approves the plan.", ClaimType.LEGAL_GOVERNANCE)
        (found,) = route([claim], {**DESKS, "legal": everything})
        assert found.missing == ()
        assert "legal" in found.desks


@given(st.lists(st.text(max_size=200), max_size=6), st.sampled_from(list(ClaimType)))
def test_every_claim_has_one_assignment_with_a_reason_for_each_desk(texts: list[str], type: ClaimType) -> None:
    claims = [a_claim(text, type).model_copy(update={"id": f"C{n}"}) for n, text in enumerate(texts)]
    found = route(claims, DESKS)
    assert [each.claim_id for each in found] == [claim.id for claim in claims]
    for each in found:
        assert len(each.reasons) == len(each.desks) + len(each.missing)
        assert "news" in each.desks


def test_a_place_is_known_by_what_stands_before_it_in_english_alone() -> None:
    assert places_of("The company opened a plant in Odell last year.") == ("Odell",)
    said = "In der Kantine hängt ein Plakat, und in Halle sieben stehen die Zertifikate für den Strom aus Texas."
    assert places_of(said) == ()


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("The oxy-fuel furnace at our Narvik plant emits 0.31 t CO2e per tonne of glass.", {"Narvik", "oxy-fuel"}),
        ("Wastewater from the Tampico works contained 3 mg/l of zinc in 2022.", {"Tampico", "Wastewater", "zinc"}),
        ("The Ballina depot runs its forklift trucks on hydrogen.", {"Ballina", "hydrogen", "depot"}),
    ],
)
def test_the_shortest_words_of_a_claim_keep_its_place_and_its_object(text: str, kept: set[str]) -> None:
    assert kept <= set(claim_words(Claim(id="C1", text=text, type=ClaimType.STATEMENT, quote=text), "Halmer").core)
