"""A replay has the engines that its plan had, whichever version wrote the plan."""

from __future__ import annotations

import pytest

from inquest.app.wiring.engine_choices import as_planned
from inquest.domain.plan import NO_QUESTION, Mode, Plan, UnaskedEngine
from inquest.engines.scholarly.openalex import OpenAlex
from inquest.retrieval.engine_choice import EngineChoice

NOW = [EngineChoice(name=name, kinds=(), lacks=lacks) for name, lacks in (("a", "no key"), ("b", None), ("c", "x"))]
COMMON = {"topic": "t", "questions": (), "queries": (), "engines": ("a",), "mode": Mode.QUICK}
IN_WORDS = Plan(**COMMON, left_out=("b: TAVILY_API_KEY is not set: get one", f"c: {NO_QUESTION}"))
AS_VALUES = Plan(
    **COMMON,
    unasked=(UnaskedEngine(engine="b", lacks="TAVILY_API_KEY is not set: get one"), UnaskedEngine(engine="c")),
)


@pytest.mark.parametrize("plan", [IN_WORDS, AS_VALUES], ids=["in words alone", "as values"])
def test_each_engine_lacks_what_it_lacked_when_the_case_was_planned(plan: Plan) -> None:
    found = {choice.name: choice.lacks for choice in as_planned(NOW, plan)}
    assert found == {"a": None, "b": "TAVILY_API_KEY is not set: get one", "c": None}


@pytest.mark.parametrize(("paid", "price"), [(None, 0.001), (("openalex",), 0.001), ((), 0.0)])
def test_an_engine_costs_what_it_cost_when_the_case_was_planned(paid: tuple[str, ...] | None, price: float) -> None:
    plan = Plan(**(COMMON | {"engines": ("openalex",)}), paid=paid)
    now = [EngineChoice(name="openalex", kinds=(), usd=0.0)]
    (choice,) = as_planned(now, plan, {"openalex": OpenAlex()})
    assert choice.usd == price, "whatever keys are set now"
