"""Claims compared with independent sources: which confirm them, and numbers, dates and places side by side."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.desks.verification.cross_reference import compared, cross_reference, evidence_sources, wanted_of
from inquest.domain.document import Precision, Published
from inquest.domain.finding import Finding, Stance
from inquest.domain.investigation import ConsistencyTable, Detail, MatchOfDetail
from tests.case_parts import claim, finding, source

SPILL = "The works at Haverley spilled 300 tonnes of brine on 14 March 2024."
MARCH = Published(at=datetime(2024, 3, 16, tzinfo=UTC), precision=Precision.DAY)

AGREES, DEVIATES = MatchOfDetail.AGREES, MatchOfDetail.DEVIATES
NOT_GIVEN, NOT_COMPARABLE = MatchOfDetail.NOT_GIVEN, MatchOfDetail.NOT_COMPARABLE


def table(*told: tuple[str, Stance, str], own: tuple[str, ...] = (), **of_source: Any) -> ConsistencyTable:
    sources = {name: source(name, published=MARCH, **of_source) for name, _, _ in told}
    findings = [finding(f"F{n}", name, stance, quote=quote) for n, (name, stance, quote) in enumerate(told, 1)]
    return cross_reference([claim(SPILL)], findings, sources, own=own)


def answers(sentence: str, stance: Stance | None = Stance.SUPPORTS, said: str = SPILL) -> dict[str, MatchOfDetail]:
    wanted = wanted_of(said)
    given_details = compared(wanted, said, sentence, stance, MARCH.at.date())
    return {each.detail.value: found[0] for each, found in zip(wanted, given_details, strict=True)}


def test_a_claim_has_a_row_for_each_of_its_details() -> None:
    rows = cross_reference([claim(SPILL)], [], {"S2": source("S2")}, place="Haverley, Lennshire").rows
    assert [(row.detail, row.claimed) for row in rows] == [
        (Detail.NUMBER, "300 tonnes"),
        (Detail.DATE, "14 March 2024"),
        (Detail.PLACE, "Haverley"),
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        "The works at Haverley spilled 300 tonnes of brine on 14 March 2024.",
        "On 14 March the Haverley works spilled 300,000 kg of brine.",
        "Haverley's works spilled about 310 tonnes of brine on Thursday.",
    ],
)
def test_converted_rounded_and_relative_details_agree(sentence: str) -> None:
    found = answers(sentence)
    assert found["number"] is AGREES
    assert found["date"] is AGREES


def test_another_number_or_day_of_the_same_thing_but_not_of_another_deviates() -> None:
    found = answers("The works at Haverley spilled 120 tonnes of brine on 14 March 2024.", Stance.CONTRADICTS)
    assert found["number"] is DEVIATES
    assert found["date"] is AGREES
    found = answers("The works at Haverley spilled 300 tonnes of brine on 2 March 2024.", Stance.CONTRADICTS)
    assert (found["number"], found["date"]) == (AGREES, DEVIATES)
    other = "No brine left the tanks: inspectors had emptied them on 9 March 2024."
    assert answers(other, Stance.CONTRADICTS)["date"] is NOT_COMPARABLE


def test_numbers_of_other_things_plans_bare_years_and_questions_are_not_compared() -> None:
    found = answers("The works at Haverley, which employ 412 people, spilled brine.")
    assert found["number"] is NOT_GIVEN
    found = answers("The works at Haverley plan to treat 900 tonnes of brine a year.", Stance.NEUTRAL)
    assert found["number"] is not DEVIATES
    assert answers("The works at Haverley spilled brine in 2024.")["date"] is NOT_COMPARABLE
    assert set(answers("Did the works at Haverley spill 120 tonnes on 2 March 2024?").values()) == {NOT_GIVEN}


def test_a_town_and_its_county_are_both_right() -> None:
    said = "The fire broke out in Haverley on 14 March 2024."
    other = "The fire broke out in Lennshire on 14 March 2024."
    assert answers(other, Stance.SUPPORTS, said)["place"] is NOT_COMPARABLE
    assert answers(other, Stance.CONTRADICTS, said)["place"] is DEVIATES
    assert answers(said, Stance.SUPPORTS, said)["place"] is AGREES


def test_each_cell_quotes_the_sentence_it_is_from() -> None:
    quote = "An alarm went off. The works spilled 120 tonnes of brine on 14 March 2024."
    found = table(("S2", Stance.CONTRADICTS, quote))
    cell = next(row for row in found.rows if row.detail is Detail.NUMBER).cells[0]
    assert cell.mention is not None
    assert cell.mention.quote == "The works spilled 120 tonnes of brine on 14 March 2024."
    assert quote[cell.mention.start : cell.mention.end] == cell.mention.quote
    assert cell.value == "120 tonnes"


def test_confirmations_are_counted_by_witness_and_copies_once() -> None:
    told = [
        (name, Stance.SUPPORTS, SPILL.replace("spilled", verb))
        for name, verb in (("S2", "spilled"), ("S3", "leaked"), ("S4", "lost"))
    ]
    apart = table(*told)
    copied = table(*told, story="T1", origin_of_story="S2")
    assert len(apart.claims[0].confirming) == 3
    assert len(copied.claims[0].confirming) == 1
    assert {row.agreeing for row in copied.rows if row.agreeing} == {1}


def test_the_score_is_the_share_of_agreeing_words_where_anybody_says_anything() -> None:
    full = table(("S2", Stance.SUPPORTS, SPILL), ("S3", Stance.SUPPORTS, SPILL))
    split = table(
        ("S2", Stance.SUPPORTS, SPILL),
        ("S3", Stance.CONTRADICTS, "The works at Haverley spilled 120 tonnes of brine on 14 March 2024."),
    )
    assert full.score == 100
    assert split.score is not None and 0 < split.score < 100
    assert ("S3", "120 tonnes") in {(cell.source_id, cell.value) for row in split.deviations for cell in row.cells}
    found = table(("S2", Stance.NEUTRAL, "The weather at Haverley was fair."))
    assert found.score is None


def test_the_own_article_its_copies_and_excluded_sources_confirm_nothing() -> None:
    told = [(name, Stance.SUPPORTS, SPILL) for name in ("S1", "S2")]
    found = table(*told, own=("S1",), story="T1", origin_of_story="S1")
    assert found.claims[0].confirming == ()
    assert found.score is None
    sources = {name: source(name, story="T1", origin_of_story="S2") for name in ("S1", "S2", "S3")}
    assert list(evidence_sources(sources, ["S1"])) == ["S2", "S3"]
    found = table(("S2", Stance.SUPPORTS, SPILL), excluded="published later")
    assert (found.rows[0].cells, found.claims[0].confirming) == ((), ())


@pytest.mark.parametrize("mode", ["asked", "denied", "ruled_false"])
def test_a_claim_that_a_page_only_asks_denies_or_rules_to_be_false_is_not_what_it_states(mode: str) -> None:
    judged = finding("F1", "S2", Stance.NEUTRAL, quote=SPILL).model_copy(update={"details": {"mode": mode}})
    found = cross_reference([claim(SPILL)], [judged], {"S2": source("S2", published=MARCH)})
    assert {cell.match for row in found.rows for cell in row.cells} == {NOT_GIVEN}


@given(st.text(max_size=120), st.text(max_size=120), st.none() | st.sampled_from(list(Stance)))
def test_any_two_texts_can_be_held_against_each_other(said: str, sentence: str, stance: Stance | None) -> None:
    wanted = wanted_of(said, "Haverley")
    found = compared(wanted, said, sentence, stance, MARCH.at.date())
    assert len(found) == len(wanted)
    assert all(value for match, value in found if match in (AGREES, DEVIATES))


_QUOTES = st.sampled_from(
    (
        SPILL,
        "The works at Haverley spilled 120 tonnes of brine.",
        "It happened on 2 March 2024 at Haverley.",
        "Nothing is known.",
    )
)
_TOLD = st.lists(
    st.tuples(st.sampled_from(("S2", "S3", "S4")), st.sampled_from((Stance.SUPPORTS, Stance.CONTRADICTS)), _QUOTES),
    max_size=6,
)


@given(_TOLD, st.randoms())
def test_the_score_stays_in_its_bounds_and_does_not_depend_on_order(
    told: list[tuple[str, Stance, str]], shuffle: Any
) -> None:
    sources = {name: source(name, published=MARCH) for name in ("S2", "S3", "S4")}
    findings: list[Finding] = [finding(f"F{n}", name, st_, quote=q) for n, (name, st_, q) in enumerate(told)]
    found = cross_reference([claim(SPILL)], findings, sources)
    assert found.score is None or 0 <= found.score <= 100
    for row in found.rows:
        assert row.agreeing + row.deviating <= len(sources)
    shuffled = list(findings)
    shuffle.shuffle(shuffled)
    assert cross_reference([claim(SPILL)], shuffled, sources).score == found.score
