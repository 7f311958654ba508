"""Search plan: the assignment of questions to engines, the most valuable first, within pace, time and money of a case.

The value of a search is its likely addition to the results of earlier searches for the same claim: the reach of the
engine times the share that the others miss, less for a late answer, less for its price. Searches are taken in order of
value until a limit is met, so that fast engines with a wide reach get most searches and slow ones few. No clock is
used: the same questions and engines give the same plan, even on a replay. The questions of all desks of a check are
planned together; a question in several languages is sent once in each; and the cost is estimated before anything is
sent.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Literal

from inquest.domain.check import DeskQuery
from inquest.domain.plan import Mode
from inquest.domain.search import ON_THIS_MACHINE, EngineKind, Query
from inquest.kit.dialect import language_name
from inquest.retrieval.engine_choice import EngineChoice
from inquest.text.lexicon import table
from inquest.text.phrases import capitalised, count, listed
from inquest.text.sentences import content_words

Share = Literal["first", "gather", "further", "check", "request", "posts"]
"""The purpose of a search plan: the first round of a check, the questions of an inquiry, a round that a judge
requests, the claims found by an inquiry, a question between desks, posts on a topic."""

_FILTERS = ("since", "until", "domains", "language", "tickers", "exact", "near")
EARLIER_CHECKS = "earlier_checks"
"""The angle of the question for earlier checks of a claim."""
_OWN_POSTS = {EngineKind.SOCIAL}
"""Kinds of which each engine has its own index: a social network has only its own posts."""


@dataclass(frozen=True)
class Question:
    """A query with its claims, its weight, and the engines that suit it."""

    query: Query
    claim_ids: tuple[str, ...]
    weight: float
    engines: tuple[str, ...]


@dataclass(frozen=True)
class SearchLimits:
    """Limits of a plan. `per_claim`: searches for one claim; `seconds`: the latest start of a search at its engine's
    pace; `usd`: for all searches together, None without a limit."""

    per_claim: float
    seconds: float
    usd: float | None = None


@dataclass(frozen=True)
class SearchPlan:
    """The engines of each question, in order, and by engine the number of questions its pace excludes."""

    engines: tuple[tuple[str, ...], ...]
    no_time: Mapping[str, int] = field(default_factory=dict)


def _figures(section: str) -> dict[str, float]:
    found: dict[str, float] = table("inquest.retrieval", "search")[section]
    return found


def weight(place: int) -> float:
    """The weight of a claim's question at this place (from 0)."""
    return 1 / (1 + place * _figures("value")["further"])


def limits_for(share: Share, *, mode: Mode, seconds: float, claims: int, usd: float | None) -> SearchLimits:
    """The limits of a round. `seconds`: the time of the whole case; `usd`: its budget, None for none."""
    limits: dict[str, Any] = table("inquest.retrieval", "search")["limits"]
    wait = min(limits["most_seconds"], seconds * limits["share_of_time"])
    most = limits["usd_for_posts" if share == "posts" else "usd_per_claim"] * max(1, claims)
    return SearchLimits(limits[share][mode.value], wait, most if usd is None else min(most, usd))


def near_identical(first: Query, second: Query) -> bool:
    """Test if two queries have the same filters and nearly the same words."""
    if any(getattr(first, name) != getattr(second, name) for name in _FILTERS):
        return False
    one, other = _words(first.text), _words(second.text)
    apart = one ^ other
    if first.exact or not (one and other) or any(any(map(str.isdigit, word)) for word in apart):
        return first.text == second.text  # another year or figure is another question
    return len(one & other) >= _figures("near_identical")["overlap"] * len(one | other)


@lru_cache(maxsize=4096)
def _words(text: str) -> frozenset[str]:
    return frozenset(content_words(text))


def questions_on(queries: Sequence[tuple[Query, str]], suited: Callable[[Query], Sequence[str]]) -> list[Question]:
    """Weigh pairs of a query and its subject (a claim's id, a question) in their order, without near-identical queries.

    `suited`: the names of the engines for a query.
    """
    kept: list[Question] = []
    counts: dict[str, int] = {}
    for query, about in queries:
        if any(near_identical(each.query, query) and set(suited(query)) <= set(each.engines) for each in kept):
            continue
        kept.append(Question(query, (about,), weight(counts.get(about, 0)), tuple(suited(query))))
        counts[about] = counts.get(about, 0) + 1
    return kept


def plan_searches(questions: Sequence[Question], engines: Sequence[EngineChoice], limits: SearchLimits) -> SearchPlan:
    """Plan the searches that are worth their price and time. Engines on this machine are always asked: they cost
    nothing and are not waited for."""
    return _Planning(questions, engines, limits).plan()


class _Planning:
    """A plan in progress. Values only fall while searches are added, so that the best is found by computing the one
    that was best before again (lazy greedy maximisation of a submodular gain)."""

    def __init__(self, questions: Sequence[Question], engines: Sequence[EngineChoice], limits: SearchLimits) -> None:
        self._limits = limits
        self._engines = {engine.name: engine for engine in engines}
        self._questions = self._without_repetitions(questions)
        self._order = {engine.name: place for place, engine in enumerate(engines)}
        self._chosen: list[list[str]] = [[] for _ in questions]
        self._of_claim: dict[str, list[tuple[int, str]]] = {}
        self._searches: dict[str, float] = {}
        self._calls: dict[str, int] = {}
        self._no_time: dict[str, int] = {}
        self._usd = 0.0

    def plan(self) -> SearchPlan:
        heap = []
        for number, question in enumerate(self._questions):
            for name in question.engines:
                if ON_THIS_MACHINE & set(self._engines[name].kinds):
                    self._chosen[number].append(name)
                else:
                    heap.append((-self._value(number, name), number, self._order[name], name))
        heapq.heapify(heap)
        while heap:
            _, number, order, name = heapq.heappop(heap)
            value = self._value(number, name)
            if heap and -value > heap[0][0]:
                heapq.heappush(heap, (-value, number, order, name))
            elif value >= _figures("value")["least"]:
                self._take(number, name)
        self._add_named_engines()
        return SearchPlan(tuple(tuple(names) for names in self._chosen), dict(self._no_time))

    def _without_repetitions(self, questions: Sequence[Question]) -> list[Question]:
        """Drop engines that do not filter languages from a question that they get in another language."""
        put: set[tuple[str, Query]] = set()
        found = []
        for question in questions:
            alike = question.query.model_copy(update={"language": None, "purpose": ""})
            names = [
                name for name in question.engines if self._engines[name].filters_language or (name, alike) not in put
            ]
            if question.query.language is not None:
                put.update((name, alike) for name in names)
            found.append(replace(question, engines=tuple(names)))
        return found

    def _add_named_engines(self) -> None:
        """Assign to each engine that the user named, and that has no question yet, the one with most weight."""
        for name, engine in self._engines.items():
            suited = [number for number, question in enumerate(self._questions) if name in question.engines]
            if not engine.asked_for or not suited or any(name in names for names in self._chosen):
                continue
            if self._limits.usd is None or self._usd + engine.usd <= self._limits.usd:
                best = max(suited, key=lambda number: (self._questions[number].weight, -number))
                self._usd += engine.usd
                self._chosen[best].append(name)

    def _value(self, number: int, name: str) -> float:
        question, engine, value = self._questions[number], self._engines[name], _figures("value")
        missed = sum(self._missed(claim_id, number, engine) for claim_id in question.claim_ids)
        wait = self._calls.get(name, 0) * engine.pause
        late = 1 / (1 + wait / value["wait_seconds"])
        return question.weight * reach(engine) * missed * late - value["per_usd"] * engine.usd

    def _missed(self, claim_id: str, number: int, engine: EngineChoice) -> float:
        """The share of an engine's likely results for a claim that the searches chosen so far probably miss."""
        missed, question = 1.0, self._questions[number]
        for other, name in self._of_claim.get(claim_id, ()):
            known = self._engines[name]
            same = "same_question" if other == number else "other_question"
            if self._questions[other].query.language != question.query.language:
                same = "other_language"
            if known is not engine and set(known.kinds) == set(engine.kinds) == _OWN_POSTS:
                continue
            overlap = _figures("value")[same if set(known.kinds) & set(engine.kinds) else "other_kind"]
            missed *= 1 - reach(known) * overlap
        return missed

    def _take(self, number: int, name: str) -> None:
        question, engine = self._questions[number], self._engines[name]
        share = 1 / len(question.claim_ids)
        room = any(self._searches.get(each, 0.0) + share <= self._limits.per_claim for each in question.claim_ids)
        if not room:
            return
        if self._calls.get(name, 0) * engine.pause > self._limits.seconds:
            self._no_time[name] = self._no_time.get(name, 0) + 1
            return
        if engine.usd and self._limits.usd is not None and self._usd + engine.usd > self._limits.usd:
            return
        self._usd += engine.usd
        self._calls[name] = self._calls.get(name, 0) + 1
        self._chosen[number].append(name)
        for claim_id in question.claim_ids:
            self._searches[claim_id] = self._searches.get(claim_id, 0.0) + share
            self._of_claim.setdefault(claim_id, []).append((number, name))


def reach(engine: EngineChoice) -> float:
    """The share of relevant pages that the engine is likely to find, by `search.toml`."""
    own, of_kind = _figures("reach").get(engine.name), _figures("reach_of_kind")
    return own if own is not None else max((of_kind[kind.value] for kind in engine.kinds), default=0.0)


def earlier_checks_of(desk: str, claim_id: str, text: str) -> DeskQuery:
    """Build a desk's query for earlier checks of a claim."""
    query = Query(text=text, kinds=(EngineKind.FACT_CHECK,), purpose=f"Who has checked: {text}")
    return DeskQuery(desk=desk, angle=EARLIER_CHECKS, query=query, claim_ids=(claim_id,))


def plan_desk_searches(
    queries: Sequence[DeskQuery],
    kinds: Mapping[str, frozenset[EngineKind]],
    engines: Sequence[EngineChoice],
    limits: SearchLimits,
) -> tuple[tuple[DeskQuery, ...], SearchPlan]:
    """Assign engines to queries, and return the plan too.

    Near-identical queries take the words of the first, so that an engine is asked once. `kinds`: those that each desk
    searches if a query names none; `engines`: the available ones, in order of preference.
    """
    together = _grouped(queries)
    places = _places_of(together)
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


def _grouped(queries: Sequence[DeskQuery]) -> list[list[DeskQuery]]:
    """Group near-identical queries, in their order."""
    groups: list[list[DeskQuery]] = []
    for each in queries:
        same = next((group for group in groups if near_identical(group[0].query, each.query)), None)
        if same is None:
            groups.append([each])
        else:
            same.append(each)
    return groups


def _places_of(groups: Sequence[Sequence[DeskQuery]]) -> dict[tuple[int, str], int]:
    """Count, by group and claim, the earlier questions of the same desk on that claim. The question for earlier checks
    is counted separately, and comes first."""
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


def queries_in(languages: Sequence[str], queries: Iterable[Query]) -> tuple[Query, ...]:
    """Return each query once for each language; one that has one of these languages stays as it is.

    `languages`: ISO 639-1; (): nothing changes.
    """
    return tuple(
        each
        for query in queries
        for each in (
            (query,)
            if not languages or query.language in languages
            else [query.model_copy(update={"language": language}) for language in languages]
        )
    )


def desk_queries_in(languages: Sequence[str], queries: Iterable[DeskQuery]) -> tuple[DeskQuery, ...]:
    """Return each query of a desk once for each language, like `queries_in`."""
    return tuple(
        each if query == each.query else each.model_copy(update={"query": query})
        for each in queries
        for query in queries_in(languages, [each.query])
    )


def language_notes(languages: Sequence[str], engines: Sequence[EngineChoice]) -> tuple[str, ...]:
    """Word which of these engines can filter by language, for the approval of a plan."""
    if not languages or not engines:
        return ()
    names = listed([capitalised(language_name(code) or code) for code in languages])
    able = sum(each.filters_language for each in engines)
    whom = "none of the engines can" if not able else f"{able} of {count(len(engines), 'engine')} can"
    return (f"Pages in {names} are searched for: {whom} filter by language, the others return what they have.",)


@dataclass(frozen=True)
class CostEstimate:
    """The likely and the highest cost of a case, in US dollars."""

    likely: float
    most: float

    def in_words(self, budget: float | None) -> str:
        """Word the estimate in one sentence; `budget`: the user's, which is never exceeded."""
        if self.most == 0 or budget == 0:
            return "It will cost nothing."
        likely = f"It is likely to cost about {min(self.likely, budget or self.likely):.2f} USD"
        if budget is not None and budget < self.most:
            return f"{likely}, and no more than its budget of {budget:g} USD."
        return f"{likely}, and at most {self.most:.2f} USD; a budget sets a limit."


def estimated(counts: Mapping[str, int], searches_usd: float, price: Callable[[int, int], float]) -> CostEstimate:
    """Estimate the cost of reading a case, by its numbers of claims, sources or citations. `searches_usd`: the limit
    for searches; `price`: of tokens into and out of the model."""
    cost = _figures("cost")
    tokens = [int(sum(number * cost[f"{what}_{way}"] for what, number in counts.items())) for way in ("in", "out")]
    model = price(*tokens)
    return CostEstimate(likely=model + cost["searches_share"] * searches_usd, most=cost["most"] * model + searches_usd)
