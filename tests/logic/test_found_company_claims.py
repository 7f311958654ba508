"""Passages that a search found, held against the claims of companies' reports."""

from __future__ import annotations

import csv
from typing import NamedTuple

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bench.figures import ROOT
from bench.measures import check_pairs
from inquest.domain.finding import ContradictionType, Stance
from inquest.logic.stance_found import NO_PAGE, Found, Page, judge_found, voice_at
from inquest.logic.stance_named import named_in_short, names_a_namesake, stands_for_a_place
from inquest.logic.stance_voice import Teller
from inquest.logic.text import Span

S, C, N = Stance.SUPPORTS, Stance.CONTRADICTS, Stance.NEUTRAL
DIRECT, CONTEXT, OMISSION, TIMELINE = (
    ContradictionType.DIRECT,
    ContradictionType.CONTEXTUAL,
    ContradictionType.OMISSION,
    ContradictionType.TIMELINE,
)


class Case(NamedTuple):
    claim: str
    passage: str
    stance: Stance
    kind: ContradictionType | None = None
    why: str = ""
    """Words that must stand in the reasons."""
    title: str = ""


CUT = "Brackwell Cement cut its Scope 1 emissions by 7 % in 2025."
PLANT = "The treatment plant at Haverley was completed in December 2024 at a cost of 38 million euros."
HELD = (
    Case(CUT, "Brackwell's Scope 1 emissions fell by 7% in 2025, according to the register.", S, why="agrees"),
    Case(CUT, "Brackwell's Scope 1 emissions rose by 5% in 2025, according to the register.", C, DIRECT, "'rose'"),
    Case(CUT, "Brackwell's Scope 1 emissions fell by 3% in 2025, the register shows.", C, DIRECT, "same measure"),
    Case(
        "Brackwell Cement cut its Scope 1 emissions by 7 % and its water use by 12 % in 2025.",
        "Brackwell's Scope 1 emissions fell by 7% in 2025, the register shows.",
        S,
        why="bears out a part",
    ),
    Case(
        "Brackwell Cement reduced its water withdrawal by 7 % in 2025.",
        "Brackwell withdrew 4% more water in 2025, the basin authority found.",
        C,
        DIRECT,
    ),
    Case(
        PLANT, "The new treatment plant at the Haverley works has been in operation since 9 December 2024.", S,
        why="a part",
    ),
    Case(
        PLANT, "Norvane had spent €18.6 million on its treatment plant at Haverley by the end of 2024.", C, DIRECT,
        "18.6",
    ),
    Case(
        PLANT, "The treatment plant at Haverley is still under construction and will not be ready before 2026.", C,
        TIMELINE,
    ),
    Case(
        "Tarnbridge Foods stopped the use of peat in 2022.",
        "Tarnbridge was still using peat in 2024, the inspectorate found.",
        C,
        DIRECT,
        "still using",
    ),
    Case(
        "Tarnbridge Foods sources 100 % renewable electricity.",
        "Tarnbridge relied on the fossil-fuelled grid and bought certificates, the regulator found.",
        C,
        CONTEXT,
        "rests on",
    ),
    Case(
        "Brackwell Cement cut its emissions by 7 % in 2020.",
        "Brackwell's emissions fell by 7% in 2020 only because two kilns stood still.",
        C,
        CONTEXT,
        "only because",
    ),
    Case(
        "Tarnbridge Foods has strong governance.",
        "Tarnbridge Foods is under investigation by the regulator for its climate disclosures.",
        C,
        OMISSION,
        "leaves out",
    ),
    Case(
        "Tarnbridge Foods achieved its packaging target in 2024.",
        "Tarnbridge's packaging target was put off to 2026.",
        C,
        TIMELINE,
        "2026",
    ),
    Case(
        "Tarnbridge Foods published the list of its farms before the parliament asked for it.",
        "The list of its farms was published by Tarnbridge Foods three months after the parliament had asked for it.",
        C,
        TIMELINE,
    ),
)  # fmt: skip
TRAPS = (
    Case(CUT, "Brackwell Energy's Scope 1 emissions rose by 5% in 2025.", N),
    Case(CUT, "Tellmar's Scope 1 emissions rose by 7% in 2025.", N, title="Brackwell and Tellmar in figures"),
    Case(CUT, "Brackwell's Scope 1 emissions rose by 5% in 2021.", N),
    Case(CUT, "Brackwell's Scope 3 emissions rose by 5% in 2025.", N),
    Case(CUT, "Brackwell's ammonia emissions rose by 5% in 2025.", N),
    Case(CUT, "Brackwell aims to cut its Scope 1 emissions by 30% by 2030.", N),
    Case(CUT, "Brackwell's Scope 1 emissions per tonne of cement rose by 1% in 2025.", N),
    Case(CUT, "At Brackwell's subsidiary Tellmar Lime, Scope 1 emissions rose by 5% in 2025.", N),
    Case(CUT, "Brackwell's Scope 1 emissions fell by 2% in the third quarter of 2025.", N),
    Case(CUT, "Brackwell's Scope 1 emissions may have risen in 2025.", N),
    Case(CUT, "Cement works cut their Scope 1 emissions by 1% on average in 2025.", N, title="Brackwell and others"),
    Case(CUT, "Brackwell's shares rose by 7 % in 2025.", N),
    Case("Brackwell Cement cut its water use by 7 % in 2025.", "Households in Brackwell used 4% more water.", N),
    Case("Tarnbridge Foods has strong governance.", "Tarnbridge sued a rival over misleading reports.", N),
    Case("Tarnbridge Foods has strong governance.", "Tarnbridge has not been fined for false accounts.", N),
    Case(
        "Tarnbridge Foods will source all of its electricity from renewable sources by 2030.",
        "Tarnbridge obtained 64% of its electricity from renewable sources in 2023.",
        N,
    ),
)  # fmt: skip


def found(case: Case) -> Found:
    return judge_found(case.claim, case.passage, Page(title=case.title))


@pytest.mark.parametrize("case", (*HELD, *TRAPS), ids=lambda case: case.passage[:60])
def test_a_passage_bears_on_a_company_s_claim_and_says_why(case: Case) -> None:
    told = found(case)
    assert (told.stance, told.type) == (case.stance, case.kind), told.reasons
    assert told.reasons and case.why in " ".join(told.reasons)


def test_a_company_that_takes_its_own_statement_back_admits_it() -> None:
    claim = "At no time in 2023 was the drinking water of Haverley affected by Norvane Chemicals' operations."
    passage = "Our statement of 4 July 2023 that at no time was drinking water affected should not have been made."
    lead = "Haverley. The supervisory board of Norvane Chemicals plc corrects earlier statements."
    told = judge_found(claim, passage, Page("Correction of our statement", lead, "norvane.example"))
    assert (told.stance, told.admission, told.voice.teller) == (C, True, Teller.PARTY)
    # And where somebody else has judged the passage.
    page = Page("Correction of our statement", lead, "norvane.example")
    assert voice_at(claim, passage, Span(0, len(passage)), page).admits
    # A paper that corrects itself takes nothing of the company's back.
    paper = judge_found(
        claim, passage, Page("Correction", "The Haverley Post corrects a report.", "haverleypost.example")
    )
    assert not paper.admission


@pytest.mark.parametrize(
    "opening",
    (
        "Documents seen by this newspaper show that",
        "Our own reporters went there and found that",
        "Invoices that two experts have checked for this paper show that",
        "Photographs and delivery notes in our hands prove that",
        "After two weeks with the books, our reporters can say that",
    ),
)
def test_what_a_paper_saw_itself_is_its_own_word(opening: str) -> None:
    told = judge_found(CUT, f"{opening} the Scope 1 emissions of Brackwell Cement rose by 5 % in 2025.")
    assert told.stance is C and told.voice.teller in (Teller.ITSELF, Teller.AUTHORITY), told


def test_what_a_company_told_the_paper_is_not() -> None:
    told = judge_found(
        CUT, "The company told this newspaper that Brackwell Cement cut its Scope 1 emissions by 7 % in 2025."
    )
    assert told.stance is S and told.voice.teller is Teller.PARTY


def test_a_company_is_known_by_its_first_word_and_a_namesake_or_a_place_is_not_the_company() -> None:
    assert named_in_short("Brackwell Cement", "Brackwell's emissions fell.")
    assert named_in_short("Brackwell Cement", "The works at Brackwell Group were shut.")
    assert not named_in_short("Brackwell Cement", "Brackwell Energy grew.")
    assert not named_in_short("Brackwell Cement", "Brackwell grew.", "Brackwell Energy reports: Brackwell grew.")
    assert not named_in_short("General Cement", "General rules apply.")
    assert names_a_namesake("Brackwell Cement", "Brackwell Energy grew.") == "Brackwell Energy"
    assert stands_for_a_place("Brackwell Cement", "Households in Brackwell used more water.")
    assert not stands_for_a_place("Brackwell Cement", "Emissions in Brackwell Cement's works rose.")


@given(st.integers(1, 60), st.integers(1, 60), st.sampled_from(("fell", "declined", "rose", "increased")))
def test_figures_of_one_measure_agree_or_not(claimed: int, told: int, verb: str) -> None:
    assume(claimed == told or abs(claimed - told) > 1)  # '1 %' and '2 %' may be one figure, rounded
    claim = f"Brackwell Cement cut its Scope 1 emissions by {claimed} % in 2025."
    said = judge_found(claim, f"Brackwell's Scope 1 emissions {verb} by {told} % in 2025.", NO_PAGE)
    same = claimed == told and verb in ("fell", "declined")
    assert said.stance is (S if same else C)


def test_the_measured_pairs_are_many_of_many_companies_and_half_of_them_are_traps() -> None:
    path = ROOT / "bench" / "check_pairs.csv"
    rows = list(csv.DictReader(path.read_text("utf-8").splitlines()))
    assert len(rows) >= 150
    assert sum(row["stance"] == "neutral" for row in rows) >= len(rows) / 2
    assert {row["type"] for row in rows if row["stance"] == "contradicts"} == {kind.value for kind in ContradictionType}
    judged = check_pairs.judged(path)
    traps = [row for row in judged if row.wanted == "neutral"]
    assert sum(row.said != "neutral" for row in traps) <= 0.02 * len(traps)
    assert not [row for row in judged if "neutral" not in (row.wanted, row.said) and row.wanted != row.said]
