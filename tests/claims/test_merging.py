"""The same claim from several sources is one; claims that disagree stay separate."""

from __future__ import annotations

import random

import pytest

from inquest.claims.merging import check_queries, merge_claims, parse_statement, same_statement
from inquest.domain.drafts import ClaimDraft, KeyClaim, SourceReading
from inquest.domain.source import Source
from tests.case_parts import source

TOPIC = "The Harlow works in Brindle: discharge of cadmium into the River Sorrel"

SAME = [
    (
        "The works spilled 300 tonnes of brine into the Sorrel.",
        "Some 300 tonnes of brine were spilled into the Sorrel by the works.",
    ),
    (
        "Harlow must pay a penalty of 2.4 million euros for polluting the Sorrel.",
        "Harlow will pay a civil penalty of €2.4 million for polluting the Sorrel.",
    ),
    ("The county closed two wells in Brindle.", "Two wells in Brindle were closed by the county."),
]
APART = [
    (
        "Harlow will pay a penalty of 2.4 million euros for the discharge.",
        "Harlow will pay a penalty of 4.2 million euros for the discharge.",
    ),
    ("Complaints in Brindle rose by 40% in 2023.", "Complaints in Brindle fell by 40% in 2023."),
    ("Seven children from Brindle died of it.", "Two children under 15 from Brindle died in that year."),
    ("Inspectors came to the works on 14 March 2023.", "Inspectors came to the works on 16 March 2023."),
    ("The county has built 400 homes in Brindle.", "The county plans to build 400 homes in Brindle."),
    ("The county fined the Brindle works for the leak.", "The county did not fine the Brindle works for the leak."),
    ("Harlow polluted the Sorrel for years.", "Harlow denies that it polluted the Sorrel for years."),
    ("The works in Brindle was closed by the county.", "The mayor of Stennick wrote a letter to the ministry."),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_in_other_words(one: str, other: str) -> None:
    assert same_statement(parse_statement(one), parse_statement(other))
    assert same_statement(parse_statement(other), parse_statement(one))


@pytest.mark.parametrize(("one", "other"), APART)
def test_another_figure_day_direction_or_matter_is_another_claim(one: str, other: str) -> None:
    assert not same_statement(parse_statement(one), parse_statement(other))
    assert not same_statement(parse_statement(other), parse_statement(one))


def reading(*claims: str, importance: float = 0.6) -> SourceReading:
    keys = tuple(KeyClaim(text=text, quote=text, start=0, end=len(text), importance=importance) for text in claims)
    return SourceReading(summary="", key_claims=keys, relevance=0.8)


def merged(*said: tuple[Source, SourceReading], limit: int | None = None) -> tuple[ClaimDraft, ...]:
    return merge_claims(TOPIC, said, limit)


def test_one_claim_of_two_sources_is_one_and_more_important() -> None:
    drafts = merged((source("A"), reading(SAME[0][0])), (source("B"), reading("The mayor is a midwife.", SAME[0][1])))
    both = next(draft for draft in drafts if len(draft.members) == 2)
    assert both.members == (("A", 0), ("B", 1))
    alone = "The works dismissed its shift chemist in June."
    drafts = merged((source("A"), reading(SAME[0][0], alone)), (source("B"), reading(SAME[0][1])))
    assert [len(draft.members) for draft in drafts] == [2, 1]
    assert drafts[0].importance > drafts[1].importance


def test_contested_claims_and_denials_are_worth_more() -> None:
    calm = "The works dismissed its shift chemist in June."
    contested = merged((source("A"), reading(APART[0][0], calm)), (source("B"), reading(APART[0][1])))
    alone = merged((source("A"), reading(APART[0][0], calm)))
    by_text = {draft.text: draft.importance for draft in contested}
    before = {draft.text: draft.importance for draft in alone}
    assert by_text[APART[0][0]] > before[APART[0][0]]
    assert by_text[calm] == before[calm]
    denial, praise = "At no time was water affected by the works.", "Harlow is a good neighbour to the town of Brindle."
    party = merged((source("P", press_release=True), reading(praise, denial)))
    assert [draft.text for draft in party] == [denial, praise]


def test_the_order_of_the_sources_does_not_matter() -> None:
    said = [(source(f"S{n}", n % 4 + 1), reading(*pair)) for n, pair in enumerate([*SAME, *APART])]
    first = merged(*said)
    shuffled = list(said)
    random.Random(3).shuffle(shuffled)
    assert merged(*shuffled) == first
    assert merged(*said, limit=3) == first[:3]


def test_queries_carry_names_words_and_the_figure_and_then_do_without_it() -> None:
    first, second = check_queries("Harlow Metals plc will pay a civil penalty of 2.4 million euros.")
    assert "Harlow Metals" in first
    assert "2.4 million euros" in first
    assert "2.4" not in second
    assert check_queries("It is so.") == ("It is so.",)


def test_the_same_in_other_words_is_one_claim_and_another_figure_or_a_no_is_not() -> None:
    def always_alike(one: str, other: str) -> float:
        return 0.95

    said = parse_statement("Harlow Chemicals poisoned the river Ansel.")
    assert not same_statement(said, parse_statement("Effluent of Harlow Chemicals made the Ansel toxic."))
    assert same_statement(said, parse_statement("Effluent of Harlow Chemicals made the Ansel toxic."), always_alike)
    for other in (
        "Effluent of Calder Metals made the Borun toxic.",
        "Harlow Chemicals did not make the Ansel toxic.",
        "Harlow Chemicals made the Ansel toxic with 40 tonnes of solvent.",
    ):
        assert not same_statement(said, parse_statement(other), always_alike), other
    assert not same_statement(
        said, parse_statement("Effluent of Harlow Chemicals made the Ansel toxic."), lambda one, other: 0.5
    )
