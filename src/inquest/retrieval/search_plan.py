"""Search plan: which question goes to which engine, the most valuable first, within pace, time and money of a case.

The value of a search is what it is likely to add to what the searches before it find for the same claim: the reach of
the engine times what the others miss, less for an answer that comes late, less for its price. Searches are taken in
the order of that value until a limit is met, so that a case asks fast and wide engines most and slow ones a little.
Nothing here knows a clock: the same questions and engines give the same plan, on a replay too.
"""

from __future__ import annotations

import heapq
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib.resources import files
from typing import Literal, cast

from inquest.domain.brief import Mode
from inquest.domain.search import EngineKind, Query
from inquest.retrieval.engine_choice import EngineChoice
from inquest.text.sentences import content_words

Share = Literal["first", "gather", "further", "check", "request", "posts"]
"""For what a search plan is made: the first round of a check, the questions of an inquiry, a round that a judge asks
for, the claims that an inquiry has found, a question between desks, posts on a topic."""

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
    """The searches that are worth their price and their time. The user's own documents are asked everything: they cost
    nothing and keep nobody waiting."""
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
                if EngineKind.OWN in self._engines[name].kinds:
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
