"""Passages as a search brings them, whose word is what they are about: reported speech, what was taken back, checks."""

from __future__ import annotations

from typing import NamedTuple

from inquest.domain.finding import Stance

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
