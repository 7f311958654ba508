"""Passages as a search brings them: reported speech, checks, plans, other years, parts, limits, neighbours."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inquest.domain.finding import Stance
from inquest.entailment.found import NO_PAGE, Page
from inquest.entailment.stance import StanceFound, stance_of
from tests.entailment.found_passages import REPORTED_SPEECH, TAKEN_BACK, UNDER_CHECK, Case

S, C, N = Stance.SUPPORTS, Stance.CONTRADICTS, Stance.NEUTRAL


def judged(claim: str, passage: str, page: Page = NO_PAGE) -> StanceFound:
    return stance_of(claim, passage, page=page)


PREDICATES = (
    Case(
        "The city of Selby has spent 12 million euros on the stadium.",
        "The council approved 12 million euros for the stadium in Selby.",
        N,
    ),
    Case(
        "The city of Selby has spent 12 million euros on the stadium.",
        "The mayor of Selby announced 12 million euros for the stadium.",
        N,
    ),
    Case(
        "The city of Selby has spent 12 million euros on the stadium.",
        "By June the city of Selby had spent 7.5 million euros on the stadium.",
        C,
    ),
    Case(
        "The city of Selby has spent 12 million euros on the stadium.",
        "The city of Selby plans to spend 20 million euros on the stadium.",
        N,
    ),
    Case(
        "Denholm Foods must pay a fine of 3 million euros.",
        "Denholm Foods made a provision of 3.6 million euros for the fine.",
        N,
    ),
    Case(
        "Denholm Foods must pay a fine of 3 million euros.",
        "The court imposed a fine of 1.2 million euros on Denholm Foods.",
        C,
    ),
    Case(
        "Two schools were closed in Orrin.",
        "The town of Orrin has eleven schools.",
        N,
    ),
    Case(
        "Five schools were closed in Orrin.",
        "The two schools lie 300 metres from the river in Orrin.",
        N,
    ),
    Case(
        "Two schools were closed in Orrin.",
        "Four schools were closed in Orrin.",
        C,
    ),
    Case(
        "Eleven people died in the crash at Lorne.",
        "Both of the two people on the first bench died in the crash at Lorne.",
        N,
    ),
    Case(
        "Eleven people died in the crash at Lorne.",
        "Another three people died in the crash at Lorne after being taken to hospital.",
        N,
    ),
    Case(
        "Karlen cut its emissions by 40 % since 2010.",
        "Karlen wants to cut its emissions by 40 % by 2030.",
        N,
    ),
    Case(
        "The vote was won by 312 votes.",
        "The hall seats 400 people, and the vote was on a Sunday.",
        N,
    ),
    Case(
        "Mortality was 28 % higher in Lorne than in the county.",
        "The increase in mortality in Lorne was 22 % for men and 37 % for women.",
        N,
    ),
    Case(
        "Cordal Airlines has closed its base at Orrin.",
        "Cordal Airlines plans to close its base at Orrin.",
        N,
    ),
    Case("Cordal Airlines has closed its base at Orrin.", "Cordal Airlines would close its base at Orrin.", N),
)

TIMES = (
    Case(
        "The plant at Orrin employed 571 people in 2024.",
        "In 2023 the plant at Orrin employed 612 people.",
        N,
    ),
    Case(
        "The plant at Orrin employed 571 people in 2024.",
        "The plant at Orrin employed 590 people in 2024 (previous year: 612).",
        C,
    ),
    Case(
        "The plant at Orrin employed 612 people in 2023.",
        "The plant at Orrin employed 590 people in 2024, down from 612 in 2023.",
        S,
    ),
    Case(
        "Ashdown United won 24 matches in the 2019 season.",
        "Ashdown United won 11 matches in the 2016 season.",
        N,
    ),
    Case(
        "The glacier lost 4 metres of ice in 2022.",
        "In 2011 the glacier lost 2 metres of ice, in 2022 it lost 4 metres.",
        S,
    ),
    Case(
        "The Lorne bridge was opened on 3 May 2019.",
        "The Lorne bridge was opened on 14 September 2021.",
        C,
    ),
    Case(
        "The council met in Selby on 12 March 2021.",
        "The council met in Selby on 9 April 2021.",
        N,
    ),
    Case(
        "The council met in Selby on 12 March 2021.",
        "The council of Selby met five times in 2021.",
        N,
    ),
)

LIMITS = (
    Case(
        "Nitrate in the wells of Orrin has at all times stayed within the limit.",
        "In 2018 nitrate in the wells of Orrin exceeded the limit on 12 days.",
        C,
    ),
    Case(
        "The noise at Lorne airport exceeded the permitted level.",
        "The noise at Lorne airport stayed below the permitted level throughout.",
        C,
    ),
    Case(
        "The campaign of Ellen Tarr kept within the spending limit.",
        "The campaign of Ellen Tarr spent more than twice the permitted amount.",
        C,
    ),
    Case(
        "The air of Selby was within the legal limits.",
        "Fine dust in the air of Selby was measured at three times the legal limit.",
        C,
    ),
    Case(
        "The permit of the Orrin mine allows 250 micrograms per litre.",
        "Under the permit of the Orrin mine the daily mean shall not exceed 250 micrograms per litre.",
        S,
    ),
    Case(
        "The permit of the Orrin mine sets a limit of 250 micrograms per litre.",
        "The permit of the Orrin mine sets a maximum of 250 micrograms per litre.",
        S,
    ),
)

KNOWLEDGE = (
    Case(
        "The school board first learned of the mould on 7 June 2021.",
        "The caretaker informed the school board of the mould on 31 March 2021.",
        C,
    ),
    Case(
        "The directors of Karlen knew of the leak before the audit of 14 March 2022.",
        "The directors of Karlen were told of the leak on 19 January 2022.",
        S,
    ),
    Case(
        "The directors of Karlen knew of the leak before the audit of 14 March 2022.",
        "The directors of Karlen were told of the leak on 2 May 2022.",
        N,
    ),
    Case(
        "The coach knew of the injury before the final.",
        "The team doctor said that the coach was told of the injury two days before the final.",
        S,
    ),
)

NEIGHBOURS = (
    Case(
        "The resettlement of the people of Orrin is voluntary.",
        "The resettlement of the people of Orrin begins in May. It is not voluntary.",
        C,
    ),
    Case(
        "Karlen's donation to the museum was voluntary.",
        "Karlen has donated two million euros to the museum. The donation was an obligation under the settlement.",
        C,
    ),
    Case(
        "Ellen Tarr resigned as mayor of Selby by mutual agreement.",
        "Ellen Tarr is no longer mayor of Selby. She was dismissed and did not leave by mutual agreement.",
        C,
    ),
    Case(
        "Denholm Foods must pay a fine of 3 million euros.",
        "Denholm Foods has lost in court. The fine is 1.2 million euros.",
        C,
    ),
    Case(
        "The flood at Lorne was caused by the dam.",
        "The flood at Lorne was caused by three days of rain.",
        C,
    ),
    Case(
        "Karlen was fined 3 million euros.",
        "Karlen makes paint. Its rival Tellan Paints was fined 5 million euros.",
        N,
    ),
)

CASES = (
    *REPORTED_SPEECH, *TAKEN_BACK, *UNDER_CHECK, *PREDICATES, *TIMES, *LIMITS, *KNOWLEDGE, *NEIGHBOURS,
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.claim[:40]} | {case.passage[:60]}")
def test_what_a_found_passage_says(case: Case) -> None:
    found = judged(case.claim, case.passage, Page(title=case.title))
    assert found.stance is case.stance, found.reasons
    if case.party is not None:
        assert found.party is case.party, found.attributed_to
    if case.said_by is not None:
        assert (found.attributed_to or "") == case.said_by
    assert found.reasons
    assert (found.contradiction_type is None) == (found.stance is not C)


def test_of_an_answer_the_statement_and_the_answer_are_the_quote() -> None:
    passage = "We looked into it. Claim 2: Dead people voted in Marlow County. Our finding: False. Nobody was named."
    found = judged("Dead people voted in Marlow County.", passage)
    assert found.span.of(passage) == "Claim 2: Dead people voted in Marlow County. Our finding: False."


def test_what_was_found_out_goes_before_what_a_party_says() -> None:
    passage = (
        '"Our wells have never exceeded the limit," the company said. '
        "In 2019 nitrate in the wells of Orrin Water exceeded the limit on 12 days."
    )
    found = judged("The wells of Orrin Water have never exceeded the limit.", passage)
    assert (found.stance, found.party) == (C, False)


def test_a_page_that_says_we_speaks_for_its_publisher() -> None:
    page = Page(title="Questions and answers", domain="denholm-foods.example")
    found = judged("Denholm Foods has paid all its fines.", "We have paid all our fines.", page)
    assert (found.stance, found.party) == (S, True)


def test_a_day_of_the_week_is_told_from_the_day_of_the_page() -> None:
    claim = "The council of Selby closed the pool on 14 March 2024."
    passage = "The council of Selby closed the pool on Thursday."
    assert judged(claim, passage, Page(day=date(2024, 3, 15), published=date(2024, 3, 15))).stance is S
    assert judged(claim, passage, Page(day=date(2024, 3, 29), published=date(2024, 3, 29))).stance is not S


def test_what_was_written_before_does_not_speak_of_later() -> None:
    claim, passage = "The mill at Lorne employed 200 people in 2024.", "The mill at Lorne employed 340 people."
    assert judged(claim, passage, Page(published=date(2021, 5, 1))).stance is N


@settings(deadline=None)
@given(st.sampled_from([case.passage for case in CASES]), st.sampled_from([case.claim for case in CASES]))
def test_any_claim_on_any_passage_has_a_quote_and_reasons(passage: str, claim: str) -> None:
    found = judged(claim, passage)
    assert found == judged(claim, passage)
    assert 0 <= found.confidence <= 1
    assert found.span.of(passage).strip()
    assert found.reasons
    if found.stance is N:
        assert not (found.party or found.admission or found.hearsay)
