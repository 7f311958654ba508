"""The news desk's requests to other desks, and its answers to theirs."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from inquest.desks.news.desk import NewsDesk
from inquest.domain.check import InfoRequest
from inquest.domain.claim import Claim, ClaimType, Disclosure
from inquest.domain.finding import Stance
from inquest.kit.desk import FindingDraft, Subject
from tests.case_parts import finding

DESK = NewsDesk()
ABOUT = Subject(company="Lunette", industry="fashion retail", now=datetime(2026, 6, 1, tzinfo=UTC))


def met(stance: Stance, domain: str, words: str) -> FindingDraft:
    """A finding on a source, with the fields that requests need."""
    details = {"source_url": f"https://{domain}/a", "source_domain": domain, "snippet": words}
    return FindingDraft(
        evidence_type="news_source", stance=stance, confidence=0.8, summary="", details=details, passage_id="P1"
    )


AGAINST = met(Stance.CONTRADICTS, "herald.example", "Its suppliers near Dolvik were fined.")
DISPUTE = met(Stance.NEUTRAL, "trade.example", "Critics say the credits suffer from double counting.")


def requests_on(made: Claim, findings: list[FindingDraft]) -> tuple[InfoRequest, ...]:
    return DESK.requests(made, ABOUT, findings)


def claim(text: str, type: ClaimType = ClaimType.ENVIRONMENTAL, **more: Any) -> Claim:
    return Claim(id="C7", text=text, type=type, **more)


def test_nothing_is_asked_by_reflex_on_a_payment_or_on_a_row_of_a_table() -> None:
    assert requests_on(claim("We reduced packaging waste in all our shops."), []) == ()
    assert requests_on(claim("The board met.", ClaimType.LEGAL_GOVERNANCE), []) == ()
    assert requests_on(claim("We plant trees.", ClaimType.GEOGRAPHIC), [DISPUTE]) == ()
    paid = claim("Lunette paid a fine of 2 million euros in 2025.", ClaimType.QUANTITATIVE)
    assert requests_on(paid, [AGAINST]) == ()
    row = claim("Lunette, waste: 12 t in 2025, 14 t in 2024, 15 t in 2023.", quote="Waste | 15 | 14 | 12")
    assert requests_on(row, []) == ()


def test_land_with_its_extent_and_places_of_evidence_are_put_to_geography() -> None:
    text = "We restored 3,200 hectares of forest in Dolvik County since 2018."
    (request,) = requests_on(claim(text, ClaimType.GEOGRAPHIC), [])
    assert (request.to, request.asked_by, request.claim_id) == ("geography", "news", "C7")
    assert "Dolvik County" in request.description
    assert "3,200 hectares" in request.description
    (request,) = requests_on(claim("All suppliers were audited in 2025.", ClaimType.QUANTITATIVE), [AGAINST])
    assert request.to == "geography"
    assert request.context["places"] == ["Dolvik"]
    assert request.context["source_url"] == "https://herald.example/a"


def test_a_disclosure_is_put_to_law() -> None:
    disclosure = Disclosure(standard="IFRS S2", paragraph="6(a)", subject="oversight", reason="it says ‘board’")
    governed = claim("The board oversees climate risks.", ClaimType.LEGAL_GOVERNANCE, disclosures=(disclosure,))
    (request,) = requests_on(governed, [])
    assert request.to == "legal"
    assert "IFRS S2 6(a)" in request.description


def test_figures_that_should_fit_together_are_put_to_data() -> None:
    text = "Emissions were 1.9 million tonnes in 2025, 7.2% below the 2.05 million tonnes of 2024."
    (request,) = requests_on(claim(text, ClaimType.QUANTITATIVE), [])
    assert request.to == "data"
    assert "1.9 million tonnes" in request.description
    assert requests_on(claim("Emissions were 1.9 million tonnes in 2025.", ClaimType.QUANTITATIVE), []) == ()


# --- answering ---


def request(description: str, **more: Any) -> InfoRequest:
    return InfoRequest(id="R3", asked_by="academic", to="news", claim_id="C7", description=description, **more)


def test_a_question_is_looked_into_by_its_matter() -> None:
    asked = DESK.queries_for(
        request("Are there controversies about the Verdan forest project behind the credits?"),
        claim("We offset."),
        ABOUT,
    )
    assert [each.angle for each in asked] == ["company"]
    assert all("Verdan" in each.query.text and "Lunette" in each.query.text for each in asked)
    assert {each.request_id for each in asked} == {"R3"}


@pytest.mark.parametrize("description", ["", "?"])
def test_an_empty_question_falls_back_on_the_claim(description: str) -> None:
    asked = DESK.queries_for(request(description), claim("We offset 40,000 tonnes with forest credits."), ABOUT)
    assert "forest" in asked[0].query.text
    assert DESK.queries_for(request(description), claim(""), Subject(company="", now=ABOUT.now)) == ()


def test_the_answer_rests_on_findings_of_sources_and_counts_both_sides() -> None:
    def found(id: str, stance: Stance, url: str) -> Any:
        told = {"source_url": url, "relevance_summary": f"{url} says so."}
        return finding(id, "S2", stance, details=told, evidence_type="news_source")

    answer = DESK.respond(
        request("Controversies about Verdan?"),
        claim("We offset."),
        ABOUT,
        [
            found("F1", Stance.SUPPORTS, "https://a.example"),
            found("F2", Stance.CONTRADICTS, "https://b.example"),
            found("F3", Stance.CONTRADICTS, "https://b.example"),
            finding("F4", "S1", Stance.NEUTRAL),
        ],
    )
    assert answer is not None
    assert (answer.request_id, answer.answered_by, answer.asked_by) == ("R3", "news", "academic")
    assert len(answer.finding_ids) == 2
    assert "Found two news sources" in answer.summary
    assert "one against the claim, one for it" in answer.summary
    assert (
        DESK.respond(request("Controversies?"), claim("We offset."), ABOUT, [finding("F4", "S1", Stance.NEUTRAL)])
        is None
    )
