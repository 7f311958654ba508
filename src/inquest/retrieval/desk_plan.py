"""The search plan of a check: the questions of all its desks and claims together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from inquest.domain.check import DeskQuery
from inquest.domain.search import EngineKind, Query
from inquest.retrieval.engine_choice import EngineChoice
from inquest.retrieval.search_plan import Question, SearchLimits, SearchPlan, near_identical, plan_searches, weight

EARLIER_CHECKS = "earlier_checks"
"""The angle of the question who has checked a claim before."""


def earlier_checks_of(desk: str, claim_id: str, text: str) -> DeskQuery:
    """The question who has checked the claim before, put in a desk's name."""
    query = Query(text=text, kinds=(EngineKind.FACT_CHECK,), purpose=f"Who has checked: {text}")
    return DeskQuery(desk=desk, angle=EARLIER_CHECKS, query=query, claim_ids=(claim_id,))


def plan_desk_searches(
    queries: Sequence[DeskQuery],
    kinds: Mapping[str, frozenset[EngineKind]],
    engines: Sequence[EngineChoice],
    limits: SearchLimits,
) -> tuple[tuple[DeskQuery, ...], SearchPlan]:
    """The queries with their engines, and the plan. Of near-identical ones the words of the first stand for all, so
    that an engine is asked once. `kinds`: what each desk searches where a query does not say; `engines`: those that are
    ready, in order of preference."""
    together = _together(queries)
    places = _places(together)
    questions = [
        Question(
            query=group[0].query,
            claim_ids=tuple(dict.fromkeys(claim_id for each in group for claim_id in each.claim_ids)),
            weight=max(weight(places[number, claim_id]) for each in group for claim_id in each.claim_ids),
            engines=tuple(
                engine.name
                for engine in engines
                if any(engine.suits(each.query, kinds.get(each.desk, frozenset())) for each in group)
            ),
        )
        for number, group in enumerate(together)
    ]
    plan = plan_searches(questions, engines, limits)
    by_name = {engine.name: engine for engine in engines}
    planned: dict[int, DeskQuery] = {}
    for group, names in zip(together, plan.engines, strict=True):
        for each in group:
            own = tuple(name for name in names if by_name[name].suits(each.query, kinds.get(each.desk, frozenset())))
            query = each.query.model_copy(update={"text": group[0].query.text})
            planned[id(each)] = each.model_copy(update={"query": query, "engines": own})
    return tuple(planned[id(each)] for each in queries), plan


def _together(queries: Sequence[DeskQuery]) -> list[list[DeskQuery]]:
    """The queries in their order, near-identical ones as one."""
    groups: list[list[DeskQuery]] = []
    for each in queries:
        same = next((group for group in groups if near_identical(group[0].query, each.query)), None)
        if same is None:
            groups.append([each])
        else:
            same.append(each)
    return groups


def _places(groups: Sequence[Sequence[DeskQuery]]) -> dict[tuple[int, str], int]:
    """By the group's number and the claim, how many questions of the same desk come before it on that claim. Who has
    checked a claim is a question of its own kind, and stands first."""
    asked: dict[tuple[str, str], int] = {}
    places: dict[tuple[int, str], int] = {}
    for number, group in enumerate(groups):
        for each in group:
            desk = each.angle if each.angle == EARLIER_CHECKS else each.desk
            for claim_id in each.claim_ids:
                place = asked.get((desk, claim_id), 0)
                asked[desk, claim_id] = place + 1
                places[number, claim_id] = min(place, places.get((number, claim_id), place))
    return places
