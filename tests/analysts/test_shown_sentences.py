"""The part of many passages that is sent to a model: whole ones while there is room, then the most relevant
sentences."""

from __future__ import annotations

from collections.abc import Sequence

from inquest.analysts.marking import ShownText
from inquest.analysts.prompts.assess import Asked, packed, question
from inquest.kit.analyst import Passage

CLAIM = "The mill finished the repair of its weir in December 2024."
TOLD = "Two of the five gates still lay on the bank in August, and the owner now names the summer of 2027."
OTHER = "The parish council met on Tuesday to talk about the hall, the roof and the price of a new boiler."


def passage(number: int, *sentences: str) -> Passage:
    return Passage(id=f"P{number}", source_id="", snapshot=f"sha256:{number:064d}", text=" ".join(sentences))


def many(text: Sequence[str], count: int = 24) -> list[Passage]:
    return [passage(number, *text) for number in range(1, count + 1)]


def near(claim: str, texts: Sequence[str]) -> list[float]:
    """An encoder for which one sentence is on the topic."""
    return [0.9 if text == TOLD else 0.1 for text in texts]


def test_passages_that_fit_are_shown_whole() -> None:
    given = many((OTHER, TOLD, OTHER), 3)
    assert {each.text for each in packed(CLAIM, given, near).values()} == {given[0].text}


def test_what_is_near_in_meaning_is_shown_though_it_shares_no_word() -> None:
    given = many(
        (OTHER, *[f"Number {n} is a line about nothing in particular, as long as a line is." for n in range(12)])
    )
    given[7] = passage(
        8, OTHER, *[f"Line {n} tells of the weather and of the sheep on the hill." for n in range(12)], TOLD
    )
    shown = packed(CLAIM, given, near)
    assert TOLD in shown["P8"].text
    assert sum(len(each.text) for each in shown.values()) < 0.9 * sum(len(each.text) for each in given)
    assert all(each.text for each in shown.values()), "nobody is left out"


def test_less_is_shown_where_pages_say_the_claim_in_its_own_words() -> None:
    lines = [f"Number {n} is a line about nothing in particular, as long as a line is." for n in range(12)]
    plain = many((OTHER, *lines))
    saying = [passage(number, CLAIM, *lines) for number in range(1, 6)]

    def alike(claim: str, texts: Sequence[str]) -> list[float]:
        return [1.0 if text == claim else 0.1 for text in texts]

    def size(given: Sequence[Passage]) -> int:
        return sum(len(each.text) for each in packed(CLAIM, given, alike).values())

    assert size([*saying, *plain[5:]]) < 0.5 * size([*saying[:2], *plain[2:]])
    assert all(CLAIM in packed(CLAIM, [*saying, *plain[5:]], alike)[each.id].text for each in saying)


def test_a_passage_in_another_language_stays_whole() -> None:
    german = (
        "Zwei der fünf Tore lagen im August noch am Ufer, und der Eigentümer nennt jetzt den Sommer 2027. "
        "Die Gemeinde hat davon aus der Zeitung erfahren und wartet seither auf eine Antwort aus der Verwaltung."
    )
    lines = [f"Number {n} is a line about nothing in particular, as long as a line is." for n in range(12)]
    given = [*many((OTHER, *lines)), passage(99, german)]
    assert packed(CLAIM, given, near)["P99"].text == german


def test_a_label_is_shown_with_what_it_labels() -> None:
    lines = [f"Number {n} is a line about nothing in particular, as long as a line is." for n in range(12)]
    given = many((OTHER, *lines))
    given[7] = passage(8, *lines[:6], "Assessment.", "Upheld.", TOLD, "Status: active.\n\nA visitor came.", *lines[6:])

    def nearly(claim: str, texts: Sequence[str]) -> list[float]:
        return [0.9 if TOLD in text else 0.1 for text in texts]

    assert f"Assessment. Upheld. {TOLD} Status: active." in packed(CLAIM, given, nearly)["P8"].text


def test_a_figure_counts_where_the_claim_has_one() -> None:
    plain = [f"Line {'abcdefghijklmn'[n]} tells of the weather and of the sheep on the hill." for n in range(14)]
    given = many((OTHER, *plain))
    figure = "Forty of the wardens were sent home with 3.2 kilograms each."
    given[3] = passage(4, OTHER, *plain[:7], figure, *plain[7:])
    assert figure in packed("The wardens were each given 5 kilograms of fish.", given)["P4"].text


def test_a_title_is_given_where_it_says_more_than_what_is_shown() -> None:
    one = passage(1, TOLD).model_copy(update={"title": "The gates lay on the bank", "domain": "one.example"})
    other = passage(2, TOLD).model_copy(update={"title": "Weir at Holm not mended", "domain": "two.example"})
    said = question(Asked(CLAIM), [one, other], {each.id: ShownText(each.text) for each in (one, other)})
    assert "one.example" in said and "The gates lay on the bank" not in said
    assert "title: Weir at Holm not mended" in said
