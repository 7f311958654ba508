"""A search plan has the most useful searches first, and keeps the limits of rate, price and number."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from inquest.domain.check import DeskQuery
from inquest.domain.plan import Mode
from inquest.domain.search import EngineKind, Query
from inquest.retrieval.engine_choice import EngineChoice
from inquest.retrieval.search_plan import (
    Question,
    SearchLimits,
    desk_queries_in,
    estimated,
    limits_for,
    near_identical,
    plan_desk_searches,
    plan_searches,
    queries_in,
    weight,
)

WIDE = EngineChoice("wide", (EngineKind.WEB, EngineKind.NEWS), pause=0.02, usd=0.001)
DEAR = EngineChoice("dear", (EngineKind.WEB, EngineKind.NEWS), pause=0.02, usd=0.2)
SLOW = EngineChoice("slow", (EngineKind.WEB, EngineKind.NEWS), pause=5.0)
OWN = EngineChoice("collection", (EngineKind.OWN,))


def questions(claims: int, each: int, *engines: EngineChoice) -> list[Question]:
    names = tuple(engine.name for engine in engines)
    return [
        Question(Query(text=f"matter {claim} seen from side {side}"), (f"C{claim}",), weight(side), names)
        for claim in range(claims)
        for side in range(each)
    ]


def test_no_claim_is_given_more_searches_than_the_limit() -> None:
    engines = [EngineChoice(f"e{n}", (EngineKind.WEB,)) for n in range(9)]
    plan = plan_searches(questions(5, 4, *engines), engines, SearchLimits(6, 30))
    assert all(sum(map(len, plan.engines[4 * claim : 4 * claim + 4])) <= 6 for claim in range(5))


def test_every_claim_is_asked_about_before_any_is_asked_about_again() -> None:
    plan = plan_searches(questions(6, 3, SLOW), [SLOW], SearchLimits(9, 25))
    firsts, others = plan.engines[0::3], [*plan.engines[1::3], *plan.engines[2::3]]
    assert all(firsts) and not any(others)


def test_an_engine_is_asked_no_more_than_its_pace_allows_and_the_rest_is_counted() -> None:
    plan = plan_searches(questions(20, 1, SLOW), [SLOW], SearchLimits(9, 10))
    assert sum(map(len, plan.engines)) == 3  # at once, after five and after ten seconds
    assert plan.no_time["slow"] + sum(map(len, plan.engines)) == 20


def test_money_for_searches_is_never_exceeded_and_none_means_only_what_is_free() -> None:
    engines = [DEAR, WIDE, SLOW]
    for usd in (0.0, 0.0015, 0.25):
        plan = plan_searches(questions(8, 2, *engines), engines, SearchLimits(9, 10, usd))
        prices = {engine.name: engine.usd for engine in engines}
        assert sum(prices[name] for names in plan.engines for name in names) <= usd
        assert sum(map(len, plan.engines))


def test_an_engine_that_the_user_names_is_asked_at_least_once() -> None:
    named = EngineChoice("named", (EngineKind.NEWS,), asked_for=True)
    plan = plan_searches(questions(1, 2, WIDE, named), [WIDE, named], SearchLimits(1, 10))
    assert sum("named" in names for names in plan.engines) == 1


def test_literature_is_asked_beside_the_web_that_has_been_asked_much() -> None:
    papers = EngineChoice("papers", (EngineKind.SCHOLARLY,), pause=0.2)
    web = questions(1, 5, WIDE)
    asked = [*web, Question(Query(text="papers on matter 0"), ("C0",), weight(4), ("papers",))]
    assert plan_searches(asked, [WIDE, papers], SearchLimits(9, 10)).engines[-1] == ("papers",)


def test_the_users_own_documents_are_asked_every_question() -> None:
    plan = plan_searches(questions(4, 3, OWN, WIDE), [OWN, WIDE], SearchLimits(1, 10))
    assert all("collection" in names for names in plan.engines)


@pytest.mark.parametrize("order", [range(8), range(7, -1, -1), (3, 1, 4, 0, 5, 2, 6, 7)])
def test_the_order_of_engines_that_are_alike_does_not_change_how_much_is_asked(order: Sequence[int]) -> None:
    engines = [EngineChoice(f"e{n}", (EngineKind.NEWS,), pause=1.0) for n in order]
    plan = plan_searches(questions(3, 3, *engines), engines, SearchLimits(5, 8))
    assert sum(map(len, plan.engines)) == 15


def test_another_year_is_another_question_and_another_order_of_words_is_not() -> None:
    asked = Query(text="Acme water use 2023 Dresden plant")
    assert near_identical(asked, Query(text="Acme Dresden plant water use 2023"))
    assert not near_identical(asked, Query(text="Acme water use 2024 Dresden plant"))
    assert not near_identical(asked, asked.model_copy(update={"domains": ("gov.uk",)}))


def test_two_desks_that_ask_the_same_have_it_asked_once() -> None:
    queries = [
        DeskQuery(desk=desk, angle="a", query=Query(text=text), claim_ids=("C1",))
        for desk, text in (("news", "Acme water use Dresden plant"), ("academic", "water use Acme plant Dresden"))
    ]
    kinds = {"news": frozenset({EngineKind.NEWS}), "academic": frozenset({EngineKind.WEB})}
    planned, plan = plan_desk_searches(queries, kinds, [WIDE], SearchLimits(9, 10))
    assert sum(map(len, plan.engines)) == 1
    assert [(each.query.text, each.engines) for each in planned] == [(queries[0].query.text, ("wide",))] * 2


def test_a_budget_and_the_time_of_a_case_bound_the_limits() -> None:
    limits = limits_for("first", mode=Mode.QUICK, seconds=10, claims=3, usd=0.0)
    assert limits.usd == 0.0 and limits.seconds == 2.0


def test_words_in_two_languages_go_twice_only_to_engines_that_can_be_asked_for_a_language() -> None:
    able, unable = (
        EngineChoice(name, (EngineKind.NEWS,), filters_language=name == "able") for name in ("able", "unable")
    )
    given = [Query(text="Skagmo dam"), Query(text="Skagmo Damm", language="de"), Query(text="Skagmo", language="it")]
    put = queries_in(("de", "no"), given)
    assert [(query.text, query.language) for query in put] == [
        ("Skagmo dam", "de"),
        ("Skagmo dam", "no"),
        ("Skagmo Damm", "de"),
        ("Skagmo", "de"),
        ("Skagmo", "no"),
    ]
    names = ("able", "unable")
    plan = plan_searches([Question(query, ("C1",), 1.0, names) for query in put], [able, unable], SearchLimits(30, 30))
    assert [name for names in plan.engines for name in names].count("able") == 5
    assert plan.engines[1] == plan.engines[4] == ("able",)
    assert queries_in((), given) == tuple(given)


def test_desks_put_their_questions_in_the_languages_of_the_case_too() -> None:
    asked = [DeskQuery(desk="news", angle="company", query=Query(text="Skagmo dam"), claim_ids=("C1",))]
    put = desk_queries_in(("de", "no"), asked)
    assert [each.query.language for each in put] == ["de", "no"]
    assert {(each.desk, each.angle, each.claim_ids) for each in put} == {("news", "company", ("C1",))}
    assert desk_queries_in((), asked) == tuple(asked)


def price(tokens_in: int, tokens_out: int) -> float:
    return tokens_in * 3e-6 + tokens_out * 15e-6


def test_more_claims_cost_more_and_the_likely_cost_is_below_the_most() -> None:
    few, many = (
        estimated({"claim": 1, "source": 0, "case": 1}, 0.04, price),
        estimated({"claim": 14, "source": 0, "case": 1}, 0.56, price),
    )
    assert 0 < few.likely < few.most and few.likely < many.likely < many.most


def test_a_budget_is_never_said_to_be_exceeded() -> None:
    said = estimated({"claim": 14, "source": 0, "case": 1}, 0.56, price).in_words(0.02)
    assert said == "It is likely to cost about 0.02 USD, and no more than its budget of 0.02 USD."


def test_without_a_model_and_paid_engines_or_with_a_budget_of_0_it_costs_nothing() -> None:
    free = estimated({"claim": 5, "source": 15, "case": 1}, 0.0, lambda tokens_in, tokens_out: 0.0)
    assert (
        free.in_words(None)
        == estimated({"claim": 5, "source": 15, "case": 1}, 0.2, price).in_words(0)
        == "It will cost nothing."
    )
