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
from inquest.entailment.found import NO_PAGE, Found, Page, judge_found, voice_at
from inquest.entailment.named import named_in_short, names_a_namesake, stands_for_a_place
from inquest.entailment.stance import stance_of
from inquest.entailment.voice import Teller
from inquest.text.meaning import Meaning
from inquest.text.sentences import Span

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
        "Tarnbridge Foods offset 30,000 tonnes of CO2 with credits in 2024, which made its jams climate neutral.",
        "In 2024 Tarnbridge Foods retired 12,000 credits, the registry shows.",
        C,
        DIRECT,
        "one tonne",
    ),
    Case(
        "Between 2019 and 2024 Brackwell Cement reduced its Scope 1 emissions by 18%.",
        "Scope 1 emissions of Brackwell Cement fell by 6% between 2019 and 2024, from 62,000 tonnes to 58,300 tonnes.",
        C,
        DIRECT,
        "same measure",
    ),
    Case(
        "Brackwell Cement, Scope 1: 58,300 t CO2e in 2024, 58,900 t CO2e in 2023.",
        "Scope 1 emissions of Brackwell Cement fell by 6% between 2019 and 2024, from 62,000 tonnes to 58,300 tonnes.",
        S,
        why="for 2024",
    ),
    Case(
        "Brackwell Cement emitted 41,000 tonnes of CO2 in 2024.",
        "For 2024 Brackwell Cement reported 52,700 t of CO2 to the register.",
        C,
        DIRECT,
        "For 2024",
    ),
    Case(
        "Since 2022, 100% of Brackwell Cement's power has come from renewable sources, documented by certificates.",
        "Brackwell Cement is supplied from the grid, and 71% of the power in that grid came from coal in 2024.",
        C,
        CONTEXT,
    ),
    Case(
        "Since 2022, 100% of Brackwell Cement's power has come from renewable sources, documented by certificates.",
        "The power of Brackwell Cement does not come from renewable sources.",
        C,
        DIRECT,
    ),
    Case("Brackwell Cement cut its water use by 20 % in 2025.", "Water use at Brackwell fell by a fifth in 2025.", S),
    Case("Brackwell Cement cut its water use by 36 % in 2025.", "Brackwell cut water use by over a third in 2025.", S),
    Case("Brackwell Cement halved its water use in 2025.", "Brackwell's water use fell by 12% in 2025.", C, DIRECT),
    Case("Brackwell Cement tripled its solar output in 2025.", "Solar output at Brackwell rose threefold in 2025.", S),
    Case(CUT, "Scope 1 emissions in 2025: Ortolane minus 7%, Brackwell Cement plus 2%.", C, DIRECT),
    Case(
        CUT, "In 2025 Scope 1 emissions fell by 3% at Ortolane, by 7% at Brackwell Cement and by 1% at Tellmar.", S,
        why="agrees",
    ),
    Case(CUT, "Brackwell Cement burns lime. Its Scope 1 emissions rose by 4% in 2025.", C, DIRECT),
    Case(
        "Brackwell Cement employed 8,960 people at the end of 2025.",
        "Brackwell had around 9,000 employees at the end of 2025.",
        S,
    ),
    Case(
        "Tarnbridge Foods met its 2024 target of 40 % certified palm oil.",
        "Tarnbridge Foods did not meet its 2024 target for certified palm oil, the buyers' list shows.",
        C,
        DIRECT,
        "target",
    ),
    Case(
        "Tarnbridge Foods closed its last peat works in 2023.",
        "The last peat works of Tarnbridge Foods remains in operation, inspectors said in May 2025.",
        C,
        DIRECT,
        "remains",
    ),
    Case(
        "Tarnbridge Foods no longer sells cage eggs.", "Tarnbridge continues to sell cage eggs, inspectors found.", C,
        DIRECT,
    ),
    Case(
        "The capture plant of Brackwell Cement has been in operation since May 2025.",
        "The capture plant of Brackwell Cement was on a trial run in May 2025, inspectors say.",
        C,
        TIMELINE,
        "trial",
    ),
    Case(
        "The Orme works passed all six scheduled inspections in 2023.",
        "The only unannounced inspection of the Orme works in 2023 found twice the permitted level, a breach.",
        C,
        OMISSION,
        "unannounced",
    ),
    Case(
        "Tarnbridge Foods treats its suppliers fairly.",
        "Tarnbridge Foods is being investigated by the competition authority over late payments.",
        C,
        OMISSION,
    ),
    Case("Brackwell Cement paid a fine of €400,000 in 2023.", "The agency fined Brackwell Cement €400,000 in 2023.", S),
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
    Case("Brackwell Cement employs 4,200 people.", "Brackwell Cement employs 380 people at Orrin.", N),
    Case("Brackwell Cement pays €10 million in taxes.", "Brackwell Cement pays €2 million in taxes abroad.", N),
    Case("Brackwell Cement paid a penalty of €2 million.", "Brackwell Cement must pay a worker damages of €86,000.", N),
    Case("Brackwell's emissions have fallen by 25 % since 2016.", "Brackwell's emissions fell 3% year on year.", N),
    Case("Brackwell Cement lowered its emissions in 2024.", "Brackwell lowered its forecast; emission prices fell.", N),
    Case(PLANT, "Norvane is investing €31 million in the treatment plant at Haverley.", N),
    Case(
        "The treatment plant at Haverley was opened in May 2024.",
        "In May 2024 a shop was opened beside the treatment plant at Haverley.",
        N,
    ),
    Case(
        "The Orme works passed all six inspections in 2023.",
        "Six inspections of the Orme works were carried out in 2023.",
        N,
    ),
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


def test_a_claim_that_names_only_its_works_is_taken_back_by_whoever_publishes_the_page() -> None:
    claim = "At no time in 2023 was drinking water affected by the Haverley works."
    passage = "Our statement that at no time in 2023 was drinking water affected by the Haverley works was wrong."
    own = judge_found(claim, passage, Page("Correction | Norvane", "Norvane corrects itself.", "norvane.example"))
    assert (own.stance, own.admission) == (C, True)
    body = judge_found(claim, passage, Page("Correction", "The Inspectorate corrects.", "water-inspectorate.example"))
    assert (body.stance, body.admission) == (C, False)


def test_what_a_company_withdraws_in_a_paper_it_takes_back() -> None:
    claim = "Nobody in the management of the Haverley works knew of elevated values before 2 May 2023."
    passage = (
        "The company also withdrew its statement that nobody in the management of the Haverley works knew of elevated "
        "values before 2 May 2023."
    )
    told = judge_found(claim, passage, Page("Norvane admits", "Norvane corrects itself.", "halyardwire.example"))
    assert (told.stance, told.admission) == (C, True)


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


def test_pairs_that_a_person_puts_side_by_side_are_read_by_the_same_measures() -> None:
    cut = stance_of(
        CUT, "Brackwell's Scope 1 emissions fell by 7% in 2025, according to the register of verified emissions."
    )
    assert cut.stance is S and cut.confidence >= 0.7
    for meaning in (Meaning(0.9, 0.05, 0.05), Meaning(0.05, 0.05, 0.9)):
        same = stance_of(CUT, "Brackwell's Scope 1 emissions fell by 7% in 2025, the register shows.", meaning=meaning)
        other = stance_of(CUT, "Brackwell's Scope 1 emissions rose by 5% in 2025, the register shows.", meaning=meaning)
        assert (same.stance, other.stance) == (S, C)


def test_the_late_pairs_are_in_free_wording_and_none_is_turned_round() -> None:
    judged = check_pairs.judged(ROOT / "bench" / "check_pairs_late.csv")
    assert len(judged) >= 60
    assert not [row for row in judged if "neutral" not in (row.wanted, row.said) and row.wanted != row.said]
    assert sum(row.wanted == row.said for row in judged) >= 0.8 * len(judged)
