"""Search plan: which question goes to which engine, the most valuable first, within pace, time and money of a case.

The value of a search is what it is likely to add to what the searches before it find for the same claim: the reach of
the engine times what the others miss, less for an answer that comes late, less for its price. Searches are taken in
the order of that value until a limit is met, so that a case asks fast and wide engines most and slow ones a little.
Nothing here knows a clock: the same questions and engines give the same plan, on a replay too. The questions of all
desks of a check are planned together; what a case asks in several languages is asked once in each; and what it will
cost is estimated before anything is asked.
"""

from __future__ import annotations

import heapq
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib.resources import files
from typing import Literal, cast

from inquest.domain.brief import Mode
from inquest.domain.check import DeskQuery
from inquest.domain.search import ON_THIS_MACHINE, EngineKind, Query
from inquest.kit.dialect import language_name
from inquest.retrieval.engine_choice import EngineChoice
from inquest.text.phrases import capitalised, count, listed
from inquest.text.sentences import content_words

Share = Literal["first", "gather", "further", "check", "request", "posts"]
"""For what a search plan is made: the first round of a check, the questions of an inquiry, a round that a judge asks
for, the claims that an inquiry has found, a question between desks, posts on a topic."""

EARLIER_CHECKS = "earlier_checks"
"""The angle of the question who has checked a claim before."""
_OWN_POSTS = {EngineKind.SOCIAL}
"""Kinds of which each engine has its own index: a network knows its own posts only."""


@dataclass(frozen=True)
class Question:
    """A query with the claims it is for, what it weighs beside others, and the engines that suit it."""

    query: Query
    claim_ids: tuple[str, ...]
    weight: float
    engines: tuple[str, ...]


@dataclass(frozen=True)
class SearchLimits:
    """How much may be asked. `per_claim`: searches for one claim; `seconds`: the latest that a search may begin because
    of its engine's pace; `usd`: for all searches together, None without a limit."""

    per_claim: float
    seconds: float
    usd: float | None = None


@dataclass(frozen=True)
class SearchPlan:
    """The engines of each question, in the order of the questions; and by engine, how many questions that it suits it
    is not asked because its pace leaves no time for them."""

    engines: tuple[tuple[str, ...], ...]
    no_time: Mapping[str, int] = field(default_factory=dict)

    @property
    def searches(self) -> int:
        return sum(map(len, self.engines))


@dataclass(frozen=True)
class Figures:
    """The figures of search.toml."""

    reach: Mapping[str, float]
    reach_of_kind: Mapping[str, float]
    value: Mapping[str, float]
    limits: Mapping[str, Mapping[str, float] | float]
    near_identical: Mapping[str, float]
    cost: Mapping[str, float]


@lru_cache(maxsize=1)
def figures() -> Figures:
    """The figures of search.toml."""
    table = tomllib.loads(files("inquest.retrieval").joinpath("search.toml").read_text(encoding="utf-8"))
    return Figures(**table)


def weight(place: int) -> float:
    """What the question at this place (from 0) among those on one claim weighs."""
    return 1 / (1 + place * figures().value["further"])


def limits_for(share: Share, *, mode: Mode, seconds: float, claims: int, usd: float | None) -> SearchLimits:
    """The limits of a round. `seconds`: the time of the whole case; `usd`: its budget, None without one."""
    table = figures().limits
    per_claim = cast("Mapping[str, float]", table[share])[mode.value]
    wait = min(cast("float", table["most_seconds"]), seconds * cast("float", table["share_of_time"]))
    most = cast("float", table["usd_for_posts" if share == "posts" else "usd_per_claim"]) * max(1, claims)
    return SearchLimits(per_claim, wait, most if usd is None else min(most, usd))


def near_identical(first: Query, second: Query) -> bool:
    """True where two queries ask for the same: the same filters, and nearly the same words."""
    if _filters(first) != _filters(second):
        return False
    one, other = _words(first.text), _words(second.text)
    apart = one ^ other
    if first.exact or not (one and other) or any(any(map(str.isdigit, word)) for word in apart):
        return first.text == second.text  # another year or figure is another question
    return len(one & other) >= figures().near_identical["overlap"] * len(one | other)


def _filters(query: Query) -> tuple[object, ...]:
    return query.since, query.until, query.domains, query.language, query.tickers, query.exact, query.near


@lru_cache(maxsize=4096)
def _words(text: str) -> frozenset[str]:
    return frozenset(content_words(text))


def questions_on(queries: Sequence[tuple[Query, str]], suited: Callable[[Query], Sequence[str]]) -> list[Question]:
    """Queries with what each is for (a claim's id, a question), in order of weight on it, near-identical ones left out.
    `suited`: the names of the engines that a query may go to."""
    kept: list[Question] = []
    counts: dict[str, int] = {}
    for query, about in queries:
        if any(near_identical(each.query, query) and set(suited(query)) <= set(each.engines) for each in kept):
            continue
        kept.append(Question(query, (about,), weight(counts.get(about, 0)), tuple(suited(query))))
        counts[about] = counts.get(about, 0) + 1
    return kept


def plan_searches(questions: Sequence[Question], engines: Sequence[EngineChoice], limits: SearchLimits) -> SearchPlan:
    """The searches that are worth their price and their time. What is kept on this machine is always asked: it costs
    nothing and keeps nobody waiting."""
    return _Planning(questions, engines, limits).plan()


class _Planning:
    """One plan being made. Values only fall while searches are added, so that the best of all is found by looking
    again at the one that was best before (the lazy form of greedy maximisation of a submodular gain)."""

    def __init__(self, questions: Sequence[Question], engines: Sequence[EngineChoice], limits: SearchLimits) -> None:
        self._limits = limits
        self._engines = {engine.name: engine for engine in engines}
        self._questions = self._once_where_languages_are_one(questions)
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
            elif value >= figures().value["least"]:
                self._take(number, name)
        self._ask_whom_the_user_named()
        return SearchPlan(tuple(tuple(names) for names in self._chosen), dict(self._no_time))

    def _once_where_languages_are_one(self, questions: Sequence[Question]) -> list[Question]:
        """The questions, each without the engines to which it is the same as one before it: they filter no language."""
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

    def _ask_whom_the_user_named(self) -> None:
        """Give each engine that the user asked for, and that has no question yet, the one it is best for."""
        for name, engine in self._engines.items():
            suited = [number for number, question in enumerate(self._questions) if name in question.engines]
            if not engine.asked_for or not suited or any(name in names for names in self._chosen):
                continue
            if self._limits.usd is None or self._usd + engine.usd <= self._limits.usd:
                best = max(suited, key=lambda number: (self._questions[number].weight, -number))
                self._usd += engine.usd
                self._chosen[best].append(name)

    def _value(self, number: int, name: str) -> float:
        question, engine, table = self._questions[number], self._engines[name], figures().value
        missed = sum(self._missed(claim_id, number, engine) for claim_id in question.claim_ids)
        wait = self._calls.get(name, 0) * engine.pause
        late = 1 / (1 + wait / table["wait_seconds"])
        return question.weight * reach(engine) * missed * late - table["per_usd"] * engine.usd

    def _missed(self, claim_id: str, number: int, engine: EngineChoice) -> float:
        """The share of what the engine could find for a claim that the searches chosen so far are likely to miss."""
        missed, question = 1.0, self._questions[number]
        for other, name in self._of_claim.get(claim_id, ()):
            known = self._engines[name]
            same = "same_question" if other == number else "other_question"
            if self._questions[other].query.language != question.query.language:
                same = "other_language"
            if known is not engine and set(known.kinds) == set(engine.kinds) == _OWN_POSTS:
                continue
            overlap = figures().value[same if set(known.kinds) & set(engine.kinds) else "other_kind"]
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
    """The share of what bears on a question that the engine is likely to find, by `search.toml`."""
    table = figures()
    own = table.reach.get(engine.name)
    return own if own is not None else max((table.reach_of_kind[kind.value] for kind in engine.kinds), default=0.0)


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
    checked a claim is a question of its own kind, and appears first."""
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
    """The queries, each once for each of these languages, one after another; one that is for one of them already stays
    as it is. `languages`: ISO 639-1; (): nothing changes."""
    return tuple(each for query in queries for each in _in_each(languages, query))


def desk_queries_in(languages: Sequence[str], queries: Iterable[DeskQuery]) -> tuple[DeskQuery, ...]:
    """The same for the queries of desks."""
    return tuple(
        each if query == each.query else each.model_copy(update={"query": query})
        for each in queries
        for query in _in_each(languages, each.query)
    )


def language_notes(languages: Sequence[str], engines: Sequence[EngineChoice]) -> tuple[str, ...]:
    """What to know before the plan is approved: which of these engines can be asked for a language at all."""
    if not languages or not engines:
        return ()
    names = listed([capitalised(language_name(code) or code) for code in languages])
    able = sum(each.filters_language for each in engines)
    whom = "none of the engines can" if not able else f"{able} of {count(len(engines), 'engine')} can"
    return (f"Pages in {names} are looked for: {whom} be asked for a language, the others give what they have.",)


def _in_each(languages: Sequence[str], query: Query) -> tuple[Query, ...]:
    if not languages or query.language in languages:
        return (query,)
    return tuple(query.model_copy(update={"language": language}) for language in languages)


@dataclass(frozen=True)
class CostEstimate:
    """US dollars."""

    likely: float
    most: float

    def in_words(self, budget: float | None) -> str:
        """One sentence for the plan; `budget`: the user's, which is never exceeded."""
        if self.most == 0 or budget == 0:
            return "It will cost nothing."
        likely = f"It is likely to cost about {min(self.likely, budget or self.likely):.2f} USD"
        if budget is not None and budget < self.most:
            return f"{likely}, and no more than its budget of {budget:g} USD."
        return f"{likely}, and at most {self.most:.2f} USD; a budget sets a limit."


def estimated(claims: int, sources: int, searches_usd: float, price: Callable[[int, int], float]) -> CostEstimate:
    """The estimate for so many claims to check and sources to read first. `searches_usd`: what searches may cost;
    `price`: of tokens into and out of the model."""
    table = figures().cost
    tokens = [
        int(claims * table[f"claim_{way}"] + sources * table[f"source_{way}"] + table[f"case_{way}"])
        for way in ("in", "out")
    ]
    model = price(*tokens)
    return CostEstimate(
        likely=model + table["searches_share"] * searches_usd, most=table["most"] * model + searches_usd
    )
