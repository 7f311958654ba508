"""The news desk's statements on a source, and on all sources together."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.desks.news.findings import NewsEvidence, details_of, overview, speaks_of, summary_code
from inquest.domain.check import DeskQuery, InfoResponse
from inquest.domain.finding import ContradictionType, Speaker, SpeakerKind, Stance
from inquest.domain.reasons import Reason, in_words
from inquest.domain.report import OutageNote
from inquest.domain.search import Query
from inquest.kit.desk import FindingDraft, Results
from tests.case_parts import claim, dated, source

NOW = datetime(2026, 6, 1, tzinfo=UTC)
CLAIM = claim("Brackwell's Scope 1 emissions fell by 7% to 1.9 million tonnes in 2025.")
DIFFERENT = Reason(
    code="entailment.figures_differ", data={"claimed": "1.9 million tonnes", "found": "2.3 million tonnes"}
)
FIGURES = in_words(DIFFERENT)


def heard(name: str = "Herald", stance: Stance = Stance.CONTRADICTS, tier: int = 2, **more: Any) -> NewsEvidence:
    values: dict[str, Any] = {
        "source": more.pop("source", None) or source(name, tier, published=dated("2026-03-14"), owner=name),
        "quote": "Brackwell emitted 2.3 million tonnes last year.",
        "stance": stance,
        "contradiction_type": ContradictionType.DIRECT if stance is Stance.CONTRADICTS else None,
        "confidence": 0.8,
        "reasons": ("The sentence has 70 % of what the claim says.", FIGURES),
        "reason_codes": (DIFFERENT,) if stance is Stance.CONTRADICTS else (),
        "passage_id": "P1",
        "around": "Brackwell emitted 2.3 million tonnes last year. The kilns ran longer.",
    }
    return NewsEvidence(**values | more)


def sum_of(
    told: list[NewsEvidence], queries: int = 0, hits: int = 0, outages: int = 0, answers: tuple[InfoResponse, ...] = ()
) -> FindingDraft:
    """The summary of the findings, with the numbers of queries, results and engines that could not be queried."""
    query = DeskQuery(desk="news", angle="company", query=Query(text="words"), claim_ids=("C1",))
    notes = [OutageNote(what="engine", where=f"engine {n}", why="It is down.", at=NOW) for n in range(outages)]
    results = Results(queries=(query,) * queries, hits=hits, outages=tuple(notes), responses=answers)
    return overview(CLAIM, "Brackwell", told, results)


# --- one source ---


def test_every_field_of_the_specification_is_there_with_its_relevance() -> None:
    details = details_of(heard(angles=("company", "controversy")))
    assert details["source_url"] == "https://herald.example/Herald"
    assert details["source_title"] == "Report Herald"
    assert details["source_domain"] == "herald.example"
    assert details["source_tier"] == 2
    assert details["published_date"] == "2026-03-14"
    assert details["contradicts_claim"] is True
    assert details["contradiction_type"] == "direct"
    assert details["contradiction_explanation"] == FIGURES
    assert "The kilns ran longer." in str(details["snippet"])
    assert details["query_angles"] == ["company", "controversy"]
    details = details_of(heard(contradiction_type=ContradictionType.OMISSION, reasons=(), reason_codes=()))
    assert details["contradiction_type"] == "omission"
    assert details["contradiction_explanation"] == "It reports something that the claim leaves out."
    assert details_of(heard())["relevance_summary"] == (
        "herald.example says on 14 March 2026: “Brackwell emitted 2.3 million tonnes last year”. "
        "herald.example contradicts the claim: the claim says 1.9 million tonnes, the passage says 2.3 million "
        "tonnes."
    )


def test_whose_word_it_is_is_kept_and_that_of_the_company_called_its_own() -> None:
    own = heard(stance=Stance.SUPPORTS, own_word=True, reasons=("Both say 1.9 million tonnes.",))
    assert details_of(own)["speaker"] == {"kind": "party", "name": "Herald"}
    assert "in its own words" in str(details_of(own)["relevance_summary"])
    assert "company's own statement" in in_words(summary_code(own))
    wire = source("Wire", 3, owner="Ohm Holding", category="press_release", press_release=True)
    assert details_of(heard(own_word=True, source=wire))["speaker"] == {"kind": "party", "name": ""}
    admitted = heard(own_word=True, against_self=True)
    assert details_of(admitted)["against_self"] is True
    told = heard(speaker=Speaker(kind=SpeakerKind.AUTHORITY, name="the Emissions Registry"))
    assert details_of(told)["speaker"] == {"kind": "authority", "name": "the Emissions Registry"}
    assert "says, citing the Emissions Registry," in str(details_of(told)["relevance_summary"])


def test_a_passage_speaks_of_the_matter_only_with_its_words_and_the_company() -> None:
    text = "It rained. Brackwell's Scope 1 emissions in 2025 will be published in May. The mayor spoke."
    span = speaks_of(CLAIM.text, text, "Brackwell Cement plc", "")
    assert span is not None
    assert span.of(text).startswith("Brackwell's Scope 1 emissions")
    assert speaks_of(CLAIM.text, "Brackwell opened a canteen.", "Brackwell Cement plc", "") is None
    assert speaks_of(CLAIM.text, "Scope 1 emissions fell by 7% in 2025.", "Lunette", "") is None
    assert (
        speaks_of("One of the greenest is Brackwell Cement.", "Brackwell Cement 1", "Brackwell Cement plc", "") is None
    )
    assert speaks_of("", "", "", "") is None


# --- all together ---


def flagged(*tiers: int, **more: Any) -> Any:
    told = [heard(f"Paper{number}", tier=tier, **more) for number, tier in enumerate(tiers)]
    return sum_of(told)


@pytest.mark.parametrize(
    ("tiers", "contradicted"),
    [
        ((1,), True),
        ((2,), False),
        ((2, 2), True),
        ((3, 3), False),
        ((3, 3, 3), True),
        ((2, 3), False),
        ((2, 3, 3), True),
        ((4, 4, 4, 4), False),
    ],
)
def test_the_flag_rule(tiers: tuple[int, ...], contradicted: bool) -> None:
    found = flagged(*tiers)
    assert found.details["contradicted"] is contradicted
    assert bool(found.details["contradiction_rule"]) is contradicted
    assert ("It is contradicted" in found.summary) is contradicted


def test_copies_one_owner_and_the_very_same_sentence_are_one_source() -> None:
    copies = [
        heard(source=source(name, 2, story="brackwell", origin_of_story="A", published=dated("2026-03-14")))
        for name in ("A", "B", "C")
    ]
    found = sum_of(copies)
    assert found.details["contradicting_sources"] == 3
    assert found.details["independent_contradicting"] == 1
    assert found.details["contradicted"] is False
    owned = [heard(source=source(name, 2, owner="One House")) for name in ("A", "B")]
    assert sum_of(owned).details["contradicted"] is False
    said = "Brackwell emitted 2.3 million tonnes last year, the registry's own tables show."
    copies = [heard(name, quote=said) for name in ("A", "B", "C")]
    assert sum_of(copies).details["independent_contradicting"] == 1
    short = [heard(name, quote="Emissions rose.") for name in ("A", "B", "C")]
    assert sum_of(short).details["independent_contradicting"] == 3


def test_the_companys_word_makes_no_independent_source() -> None:
    own = heard(stance=Stance.SUPPORTS, own_word=True)
    found = sum_of([own])
    assert found.details["supporting_sources"] == 1
    assert found.details["independent_supporting"] == 0
    assert "Only the company itself supports it." in found.summary


def test_the_sum_counts_sides_and_tiers_and_names_the_weightiest_first() -> None:
    told = [
        heard("Weekly", Stance.SUPPORTS, 3),
        heard("Court", Stance.CONTRADICTS, 1),
        heard("Blog", Stance.NEUTRAL, 4),
        heard("Daily", Stance.UNASSESSED, 2),
    ]
    found = sum_of(told, queries=3, hits=14, outages=1)
    assert found.details["total_sources"] == 4
    assert found.details["tier_distribution"] == {"1": 1, "2": 1, "3": 1, "4": 1}
    assert (found.details["neutral_sources"], found.details["unassessed_sources"]) == (1, 1)
    key = found.details["key_findings"]
    assert isinstance(key, list)
    assert [each["source_domain"] for each in key if isinstance(each, dict)] == ["court.example", "weekly.example"]
    assert found.summary.startswith("Found one supporting source and one contradicting source across four sources")
    assert "One outage left the search incomplete." in found.summary
    assert found.confidence == pytest.approx(0.8)


def test_nothing_found_is_said_with_what_could_not_be_asked_in_the_same_sentence() -> None:
    found = sum_of([], queries=3)
    assert found.summary == "Found nothing in the press about the claim: no lead came back."
    assert found.confidence == 0
    assert found.details["contradicted"] is False
    assert "three leads came back, none about the claim" in sum_of([], hits=3).summary
    again = overview(CLAIM, "Brackwell", [], Results(hits=3, iteration=2)).summary
    assert again == (
        "Found nothing more in the press about the claim: three leads came back, "
        "none with anything new about the claim."
    )
    silent = sum_of([], queries=3, outages=2).summary
    assert silent == (
        "It is not known whether the press has reported on the claim: no lead came back, and two outages left the "
        "search incomplete."
    )
    (part,) = sum_of([], queries=3, hits=4, outages=1).summary.split(". ")
    assert "Found nothing" in part and "one outage left the search incomplete" in part


def test_what_other_desks_answered_is_part_of_the_sum() -> None:
    answer = InfoResponse(request_id="R1", answered_by="academic", asked_by="news", summary="The method is accepted")
    found = sum_of([], answers=(answer,))
    assert found.summary.endswith("The academic desk: The method is accepted.")
    assert found.details["answers"] == [{"answered_by": "academic", "summary": "The method is accepted"}]


@given(st.lists(st.tuples(st.sampled_from(list(Stance)), st.integers(1, 4), st.floats(0, 1)), max_size=8))
def test_the_sum_holds_for_any_findings(sides: list[tuple[Stance, int, float]]) -> None:
    told = [heard(f"P{n}", stance, tier, confidence=sure) for n, (stance, tier, sure) in enumerate(sides)]
    found = sum_of(told)
    assert found == sum_of(told)
    assert 0 <= found.confidence <= 1
    assert found.details["total_sources"] == len(told)
    backwards = sum_of(told[::-1])
    assert backwards.details["contradicted"] == found.details["contradicted"]
