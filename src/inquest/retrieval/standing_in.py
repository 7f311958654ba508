"""When an engine cannot answer, the next suitable one is asked in its place, and the case says so.

Who stands in is decided over all answers and in the order of the plan, so that a replay decides the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from inquest.domain.errors import EngineError
from inquest.domain.search import EngineKind, Query
from inquest.retrieval.engine_choice import EngineChoice
from inquest.retrieval.failover import is_for_others

__all__ = ["ROUNDS", "MayStandIn", "Unanswered", "anybody", "said_of", "stand_ins", "stood_in"]

ROUNDS = 3
"""How often one question is handed on: where that many are out, it is mostly the network."""
MayStandIn = Callable[[str, str, Query], bool]
"""Whether a second engine is asked for the same as a first one that is out, given the query; beside their kinds."""
_MOST_NAMES = 3


def anybody(out: str, other: str, query: Query) -> bool:
    """Whoever searches for the same kinds may."""
    return True


@dataclass(frozen=True)
class Unanswered:
    """A question that an engine left without an answer."""

    number: int
    """Of the query, in the plan."""
    query: Query
    engine: str
    error: EngineError

    @property
    def is_for_others(self) -> bool:
        """Its limit is used up, it refused its key, or it is out of order; what it cannot read stays its own."""
        return is_for_others(self.error)


def stand_ins(
    unanswered: Sequence[Unanswered],
    asked: Mapping[int, Iterable[str]],
    engines: Sequence[EngineChoice],
    may: MayStandIn = anybody,
) -> list[tuple[Unanswered, str]]:
    """For each question the engine that stands in, where there is one: ready, of the same kinds, and not asked this
    query before. `asked`: the engines by the query's number; `engines`: in order of preference; `may`: whether the
    caller takes the one for the other at this query."""
    taken = {number: set(names) for number, names in asked.items()}
    found = []
    for question in unanswered:
        if not question.is_for_others:
            continue
        kinds = _kinds(question.engine, engines)
        already = taken.setdefault(question.number, {question.engine})
        others = [
            engine
            for engine in engines
            if engine.lacks is None
            and engine.name not in already
            and kinds & _kinds(engine.name, engines)
            and may(question.engine, engine.name, question.query)
        ]
        if others:
            best = max(others, key=lambda engine: len(kinds & set(engine.kinds)))  # the first of the best
            already.add(best.name)
            found.append((question, best.name))
    return found


def said_of(
    unanswered: Sequence[Unanswered],
    instead: Sequence[tuple[Unanswered, str]],
    asked: Mapping[int, Iterable[str]],
    engines: Sequence[EngineChoice],
    may: MayStandIn = anybody,
) -> dict[str, str]:
    """By the engine that did not answer: one line on why, and on who was asked in its place."""
    lines: dict[str, str] = {}
    for name in _left(unanswered):
        why = str(next(question.error for question in unanswered if question.engine == name)).rstrip(". ")
        named, beside = _others(name, unanswered, instead, asked, engines, may)
        if named:
            lines[name] = f"{why}; {_listed(named, 'asked instead')}."
        elif beside:
            lines[name] = f"{why}; {_listed(beside, 'asked the same questions')}."
        else:
            lines[name] = f"{why}; there was no other engine to ask instead."
    return lines


def stood_in(
    unanswered: Sequence[Unanswered],
    instead: Sequence[tuple[Unanswered, str]],
    asked: Mapping[int, Iterable[str]],
    engines: Sequence[EngineChoice],
    may: MayStandIn = anybody,
) -> dict[str, tuple[str, ...]]:
    """By the engine that did not answer: who was asked in its place, or the same questions anyway."""
    found = {}
    for name in _left(unanswered):
        named, beside = _others(name, unanswered, instead, asked, engines, may)
        found[name] = tuple(dict.fromkeys(named or beside))
    return found


def _left(unanswered: Sequence[Unanswered]) -> list[str]:
    return list(dict.fromkeys(question.engine for question in unanswered if question.is_for_others))


def _others(
    name: str,
    unanswered: Sequence[Unanswered],
    instead: Sequence[tuple[Unanswered, str]],
    asked: Mapping[int, Iterable[str]],
    engines: Sequence[EngineChoice],
    may: MayStandIn,
) -> tuple[list[str], list[str]]:
    """Who was asked in the engine's place, and who was asked the same questions anyway."""
    named = [other for question, other in instead if question.engine == name]
    kinds = _kinds(name, engines)
    beside = [
        other
        for question in unanswered
        if question.engine == name
        for other in asked.get(question.number, ())
        if other != name and other not in named and kinds & _kinds(other, engines) and may(name, other, question.query)
    ]
    return named, beside


def _kinds(name: str, engines: Sequence[EngineChoice]) -> set[EngineKind]:
    """The user's own documents are no stand-in for anything, and nothing is for them."""
    kinds = {kind for engine in engines if engine.name == name for kind in engine.kinds}
    return set() if EngineKind.OWN in kinds else kinds


def _listed(names: Iterable[str], what: str) -> str:
    each = list(dict.fromkeys(names))
    shown = each[:_MOST_NAMES] + ([f"{len(each) - _MOST_NAMES} more"] if len(each) > _MOST_NAMES else [])
    if len(shown) == 1:
        return f"{shown[0]} was {what}"
    return f"{', '.join(shown[:-1])} and {shown[-1]} were {what}"
