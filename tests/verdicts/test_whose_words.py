"""Whose words a quote has."""

from __future__ import annotations

import pytest

from inquest.verdicts.whose_words import (
    corrects,
    is_handed_on,
    is_speech,
    only_restates,
    press_named,
    speaks_of_itself,
)


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


@pytest.mark.parametrize(
    "quote",
    [
        "Museet skal ifølge lokale medier sælges.",
        "Podle místních médií bude muzeum prodáno.",
        "An engineer is reported to have sent a letter.",
        "An unnamed engineer says that he wrote to the owner.",
        "The pier, residents claim, had been closed for months.",
        "The altar is widely attributed to Riemenschneider.",
        "According to messages shared on WhatsApp, the bridge fell at night.",
        "The bridge fell at night, it has been claimed.",
        "The bridge fell at night, according to reports.",
    ],
)
def test_what_is_only_reported_is_known_by_its_form(quote: str) -> None:
    assert is_handed_on(quote)


@pytest.mark.parametrize(
    "quote",
    [
        "Der Fahrer ist ausgestiegen.",
        "Le ministre est parti.",
        "El alcalde firmó.",
        "The deaths attributed to heat rose by a third.",
        "A woman of 34 was taken to hospital.",
        "The ministry reports a fall of 3 percent.",
        "The plant sent 400 messages a day to the grid.",
    ],
)
def test_plain_statements_are_none(quote: str) -> None:
    assert not is_handed_on(quote)


def test_who_says_we_speaks_of_itself() -> None:
    assert speaks_of_itself("Our driver stayed with the bus.")


def test_whom_a_page_quotes_is_not_its_publisher() -> None:
    assert not speaks_of_itself('The driver said: "We stayed with the bus."')
    assert not speaks_of_itself("The works use energy of their own.")


@pytest.mark.parametrize(
    ("quote", "name"),
    [
        ("Le « Lenn Mail » parle de 83 blessés.", "lenn mail"),
        ("Lenn Mail'in haberine göre 83 kişi yaralandı.", "lenn mail"),
        ("Eighty-three were hurt, the Harbour Courier reports.", "harbour courier"),
        ("Eighty-three were hurt when the mail train left the rails.", ""),
    ],
)
def test_the_paper_that_a_report_is_from(quote: str, name: str) -> None:
    assert press_named(quote) == name


def test_speech_from_beginning_to_end() -> None:
    assert is_speech("“The generator ran out of diesel.”") and is_speech("« Rien n'a bougé. »")
    assert not is_speech("“It fell,” she said.") and not is_speech("The generator ran out of diesel.")
