"""Whose words a quote has."""

from __future__ import annotations

import pytest

from inquest.verdicts.whose_words import corrects, only_restates, parties_of, reports_a_party
from tests.case_parts import source

PARTIES = frozenset({"harlow"})


@pytest.mark.parametrize(
    "quote",
    [
        '"Our discharges have at all times stayed within the limits," the company said.',
        "Harlow spoke of a voluntary investment of 31 million euros.",
        "Harlow had announced in a press release that the plant was running.",
        '"The employee left by mutual agreement," said the company\'s spokesman, Adam Reed.',
    ],
)
def test_a_partys_statement_is_its_own_whoever_prints_it(quote: str) -> None:
    assert reports_a_party(quote, PARTIES)


@pytest.mark.parametrize(
    "quote",
    [
        "The tribunal found that she had not left by mutual agreement, as the company had said.",
        "Harlow admitted that its statement was wrong.",
        "Inspectors measured 780 micrograms per litre at the Harlow works.",
        "The regulator said that Harlow broke its permit.",
        "",
    ],
)
def test_findings_admissions_and_other_voices_are_not(quote: str) -> None:
    assert not reports_a_party(quote, PARTIES)


def test_parties_are_those_whose_releases_are_there() -> None:
    release = source("P", press_release=True, owner="Harlow Metals plc")
    unowned = source("Q", press_release=True, domain="orme.example")
    assert parties_of([release, unowned, source("A", owner="Times Group")]) == {"harlow", "orme"}


def test_restating_and_correcting() -> None:
    assert only_restates("The claim: Harlow must pay 4.2 million euros.")
    assert only_restates("Claim 2: seven children died.")
    assert only_restates("In our edition of 19 January we wrote that it must pay 4.2 million euros.")
    assert not only_restates("The claim: Harlow must pay 4.2 million euros. Our finding: False.")
    assert not only_restates("Claim 2: seven children died. Verdict: not true.")
    assert only_restates("The claim: the finding of the court is final.")
    assert not only_restates("Harlow claims that it paid.")
    assert corrects("That figure was wrong, and we regret the error.")
    assert not corrects("The works spilled 300 tonnes of brine.")
