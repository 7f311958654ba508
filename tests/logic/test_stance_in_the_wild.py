"""Passages as a search brings them: reported speech, checks, plans, other years, parts, limits, neighbours."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inquest.domain.finding import Stance
from inquest.logic.stance import StanceFound, stance_of
from inquest.logic.stance_found import NO_PAGE, Page

S, C, N = Stance.SUPPORTS, Stance.CONTRADICTS, Stance.NEUTRAL


class Case(NamedTuple):
    claim: str
    passage: str
    stance: Stance
    party: bool | None = None
    """Whether it is the word of the claim's own subject; None: it does not matter here."""
    said_by: str | None = None
    """Who must be named as the one who says so; '' nobody; None: it does not matter here."""
    title: str = ""


def judged(claim: str, passage: str, page: Page = NO_PAGE) -> StanceFound:
    return stance_of(claim, passage, page=page)


REPORTED_SPEECH = (
    Case(
        "Brandt Pharma's vaccine has never caused a serious side effect.",
        '"Our vaccine has never caused a serious side effect," the company said in a statement on Monday.',
        S,
        True,
        "Brandt Pharma",
        "Brandt Pharma before the committee",
    ),
    Case(
        "Ashdown United has sold 40,000 season tickets.",
        "Ashdown United says it has sold 40,000 season tickets.",
        S,
        True,
        "Ashdown United",
    ),
    Case(
        "Ashdown United has sold 40,000 season tickets.",
        'The stadium is full every week. "We have sold 40,000 season tickets," said the club\'s chairman, Tom Lisle.',
        S,
        True,
        title="A full house at Ashdown United",
    ),
    Case(
        "Mayor Ellen Tarr took money from the builder.",
        "Tarr denies that she took money from the builder.",
        C,
        True,
    ),
    Case(
        "The health ministry was warned of the shortage in May.",
        "Paul Renn, Minister of Health: The ministry was warned of the shortage in May.",
        S,
        True,
    ),
    Case(
        "Cordal Airlines cancelled 312 flights in July.",
        "Cordal Airlines cancelled 312 flights in July, the aviation authority said on Tuesday.",
        S,
        False,
        "aviation authority",
    ),
    Case(
        "The drug cut deaths from sepsis by a third.",
        "Researchers at the Karlen Institute found that the drug cut deaths from sepsis by a third.",
        S,
        False,
    ),
    Case(
        "The fire at the Lorne mill was started on purpose.",
        "The court found that the fire at the Lorne mill was started on purpose.",
        S,
        False,
        "court",
    ),
    Case(
        "The bridge at Orrin was inspected every year.",
        "According to the audit, the bridge at Orrin was not inspected every year.",
        C,
        False,
    ),
    Case(
        "Councillor Dray was paid 9,000 euros by the lobby.",
        "A man who did not want to be named said that Councillor Dray was paid 9,000 euros by the lobby.",
        S,
        False,
    ),
    Case(
        "Tellan Bank lost 200 million dollars in 2021.",
        "A spokeswoman for Tellan Bank told reporters that it had lost 200 million dollars in 2021.",
        S,
        True,
        "Tellan Bank",
    ),
    Case(
        "Our forests grew by 8 % in 2020.",
        "In 2020 our forests grew by 8 %.",
        S,
        True,
    ),
    Case(
        "Denholm Foods knew of the salmonella in April.",
        "Denholm Foods admitted that it knew of the salmonella in April.",
        S,
        True,
    ),
)

TAKEN_BACK = (
    Case(
        "No customer data were stolen from Tellan Bank.",
        "Our statement of 3 March that no customer data were stolen was wrong.",
        C,
        title="Tellan Bank: correction",
    ),
    Case(
        "The sausages of Denholm Foods were free of salmonella.",
        "Denholm Foods has withdrawn its statement. "
        "The assurance that the sausages were free of salmonella should not have been given, it said.",
        C,
    ),
    Case(
        "The sausages of Denholm Foods were free of salmonella.",
        "Denholm Foods admitted that its statement that the sausages were free of salmonella was wrong.",
        C,
    ),
    Case(
        "The minister was told of the delay in June.",
        "I told the House that I was told of the delay in June. This was not correct.",
        C,
    ),
    Case(
        "The turnout in Selby was 71 per cent.",
        "In our edition of Friday we wrongly reported that the turnout in Selby was 71 per cent.",
        C,
    ),
)

UNDER_CHECK = (
    Case("Vaccinated people may not give blood.", "The claim: Vaccinated people may not give blood.", N),
    Case(
        "Vaccinated people may not give blood.",
        "The claim: Vaccinated people may not give blood. Our verdict: False.",
        C,
        False,
    ),
    Case(
        "Dead people voted in Marlow County.",
        "Did dead people vote in Marlow County? No. The register was compared with the list of deaths.",
        C,
        False,
    ),
    Case("Dead people voted in Marlow County.", "Dead people voted in Marlow County?", N),
    Case("Dead people voted in Marlow County.", "It is claimed that dead people voted in Marlow County.", N),
    Case("Dead people voted in Marlow County.", "A viral post claims that dead people voted in Marlow County.", N),
    Case(
        "Dead people voted in Marlow County.",
        "There is no evidence that dead people voted in Marlow County, the election board said.",
        C,
        False,
    ),
    Case(
        "Drinking bleach cures the flu.",
        "Claim 3: Drinking bleach cures the flu\n\nRating: Pants on fire",
        C,
    ),
    Case(
        "The city will close all libraries.",
        "There is no truth in the rumour that the city will close all libraries.",
        C,
    ),
    Case(
        "The mayor paid for the trip with tax money.",
        "Claim 1: The mayor paid for the trip with tax money. Claim 2: The mayor owns a yacht. Our finding: False.",
        N,
    ),
    Case(
        "The hospital must pay 4.1 million euros to the family.",
        "The claim: The hospital must pay 1.4 million euros to the family. Our finding: False.",
        N,
    ),
    Case(
        "The star of Ashdown United was paid in cash.",
        "Whether the star of Ashdown United was paid in cash is not known.",
        N,
    ),
    Case("The senator met the lobbyist in Geneva.", "The senator reportedly met the lobbyist in Geneva.", N),
)

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
