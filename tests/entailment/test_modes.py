"""Whether a sentence says that a claim's event happened, and whether it denies it."""

from __future__ import annotations

import pytest

from inquest.entailment.attribution import is_about_words
from inquest.entailment.changes import changes_in
from inquest.entailment.figures import compare_figures
from inquest.entailment.modes import denied_by, only_forgoes, realised_by
from inquest.entailment.parsed_text import statement_of
from inquest.text.quantities import Dimension, Relation


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("The museum opened in 1987.", "The museum was to have opened in 1987 but opened in 1991."),
        ("The bridge cost 40 million crowns.", "The bridge, budgeted at 40 million crowns, cost 61 million crowns."),
        ("The pool was closed.", "The council considered closing the pool."),
        ("The crew won the race.", "The crew nearly won the race."),
        ("The plant was fined 30,000 euros.", "The plant escaped a fine of 30,000 euros."),
        ("The firm drilled in the reserve.", "The firm obtained permission to drill in the reserve."),
        ("The firm recalled 8,000 heaters.", "The firm can recall 8,000 heaters."),
        ("The tram was carrying 40 riders.", "The tram, licensed to carry 40 riders, had 19 people on board."),
        ("The firm has moved to Harlow.", "The firm has yet to move to Harlow."),
        ("The firm cut emissions by 2023.", "The firm aimed to cut emissions by 2023."),
        ("The fishing act is now in force.", "The fishing act passed its second reading on Friday."),
        ("The harbour act was promulgated.", "The harbour act passed the assembly and moves on to the governor."),
        ("The harbour act passed.", "The act left committee and goes to the house, where it needs 40 votes to pass."),
        ("The mast was removed in 1998.", "Leave to remove the mast, given in 1998, lapsed."),
        ("The guild painted the hall.", "Rather than paint, the guild panelled the hall."),
        ("The mill cut its water use by 9 percent.", "The mill undertakes to reduce its water use by 30 percent."),
    ],
)
def test_what_was_only_planned_or_escaped_did_not_happen(claim: str, sentence: str) -> None:
    assert not realised_by(statement_of(claim), statement_of(sentence))
    assert realised_by(statement_of(sentence), statement_of(sentence))


@pytest.mark.parametrize(
    ("claim", "about"),
    [
        ("The mayor denies that the pool was sold.", True),
        ("The prosecution asked for a prison sentence of three years.", True),
        ("The museum in Odell had expected 200,000 visitors.", True),
        ("Corvane says that it will apply again.", True),
        ("Corvane plans to close the mill.", True),
        ("The mayor promised that the town would plant 500 trees.", True),
        ("The mill was expected to close.", False),
        ("The mill will close in 2027.", False),
        ("The pool that the mayor wanted to sell was closed.", False),
        ("The pool was closed, the mayor said on Monday, in spite of protests.", False),
    ],
)
def test_a_claim_that_somebody_speaks_is_not_one_of_what_he_says(claim: str, about: bool) -> None:
    assert is_about_words(claim) is about


@pytest.mark.parametrize("done", ["managed to drill", "went on to drill", "was the first to drill", "drilled"])
def test_an_infinitive_after_a_verb_that_implies_it_is_a_fact(done: str) -> None:
    sentence = f"The firm {done} in the reserve."
    assert realised_by(statement_of("The firm drilled in the reserve."), statement_of(sentence))


def test_the_clause_with_the_claims_figure_decides() -> None:
    sentence = statement_of("The mine, which plans to expand, employed 400 people.")
    assert realised_by(statement_of("The mine employed 400 people."), sentence)


def test_a_figure_that_is_almost_reached_is_a_figure() -> None:
    assert realised_by(statement_of("Some 400 homes lost power."), statement_of("Nearly 400 homes lost power."))


@pytest.mark.parametrize(
    ("claim", "sentence", "denied"),
    [
        ("The pool is safe.", "The pool is not yet safe.", True),
        ("The law was passed in 2019.", "The law was not passed in 2019.", True),
        ("The law was not passed in 2019.", "The law was passed in 2019.", True),
        ("The law was not passed in 2019.", "The law was not passed in 2019.", False),
        ("The law was passed in 2019.", "The law was not passed until 2019.", False),
        ("The law was passed in 2019.", "The minister did not say that the law was passed in 2019.", False),
    ],
)
def test_an_odd_negation_denies(claim: str, sentence: str, denied: bool) -> None:
    assert denied_by(statement_of(claim), statement_of(sentence)) is denied


def test_a_change_follows_from_two_levels() -> None:
    found = changes_in(statement_of("Emissions fell from 40,000 tonnes in 2019 to 30,000 tonnes in 2023."))
    assert {one.dimension: round(one.low, 2) for one in found} == {
        Dimension.MASS: 10_000_000,
        Dimension.SHARE: 25,
        Dimension.FACTOR: 0.75,
    }


@pytest.mark.parametrize(
    ("claim", "context"), [("Costs were cut by 10 million euros.", 1.0), ("Costs rose by a fifth.", 0.5)]
)
def test_a_worked_out_change_needs_no_verb_but_its_direction(claim: str, context: float) -> None:
    levels = statement_of("Costs fell from 50 million euros to 40 million euros.")
    (met,) = compare_figures(statement_of(claim), [levels], frozenset())
    assert (met.match, met.context > 0.9) == (Relation.SAME, context > 0.9)


@pytest.mark.parametrize(
    ("sentence", "match"),
    [
        ("The tunnel cost 410 million euros, against the 290 million first agreed.", Relation.SAME),
        ("The tunnel cost 410 million euros.", Relation.ABSENT),
        ("The tunnel cost 90 million euros more than first agreed.", Relation.DIFFERS),
    ],
)
def test_a_level_is_no_other_figure_for_a_difference(sentence: str, match: Relation) -> None:
    claim = statement_of("The tunnel cost 120 million euros more than first agreed.")
    (met,) = compare_figures(claim, [statement_of(sentence)], frozenset())
    assert met.match is match


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("The ferry takes 30 minutes.", "The ferry takes 1 h 5 min, up from 30 minutes."),
        ("A swim costs 6 euros.", "A swim costs 7 euros, having been 6 euros since 2019."),
        ("A swim costs 6 euros.", "A swim costs 7 euros; it was 6 euros last year."),
        ("The mast is 80 metres tall.", "The first design foresaw a mast of 80 metres; as built it reaches 64 metres."),
    ],
)
def test_a_figure_of_before_is_none_of_now(claim: str, sentence: str) -> None:
    (met,) = compare_figures(statement_of(claim), [statement_of(sentence)], frozenset())
    assert (met.match, met.why) == (Relation.NOT_COMPARABLE, "time")


def test_the_figure_of_a_plan_leaves_the_claim_to_the_one_that_came_of_it() -> None:
    sentence = statement_of("The Harlow quay was estimated at 6 million euros but the final bill was 9 million euros.")
    (met,) = compare_figures(statement_of("The Harlow quay cost 9 million euros."), [sentence], frozenset())
    assert met.match is Relation.SAME


@pytest.mark.parametrize(
    ("claim", "sentence", "match"),
    [
        ("The tram takes 95 minutes.", "The tram takes 1 h 35 min.", Relation.SAME),
        ("The tram takes 60 minutes.", "The tram takes 1 hour and 35 minutes.", Relation.DIFFERS),
        ("The guard earns 2,000 euros a month.", "The guard earns EUR 24,000 a year.", Relation.NOT_COMPARABLE),
        ("The guard earns 2,000 euros a month.", "The guard earns EUR 2,400 a month.", Relation.DIFFERS),
    ],
)
def test_a_duration_has_parts_and_a_rate_a_period(claim: str, sentence: str, match: Relation) -> None:
    (met,) = compare_figures(statement_of(claim), [statement_of(sentence)], frozenset())
    assert met.match is match


@pytest.mark.parametrize(("claim", "only"), [("The guild kept the hall.", True), ("The guild sold the hall.", False)])
def test_an_act_not_done_denies_no_other(claim: str, only: bool) -> None:
    sentences = ("The guild chose not to sell the hall.", "The guild voted against selling the hall.")
    assert [only_forgoes(statement_of(claim), statement_of(one)) for one in sentences] == [only, only]


def test_of_shares_the_difference_is_in_points() -> None:
    found = changes_in(statement_of("Unemployment fell from 10 to 8 per cent."))
    assert (Dimension.POINTS, 2.0) in [(one.dimension, one.low) for one in found]
