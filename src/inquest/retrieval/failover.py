"""Failover: who is asked in the place of an engine that cannot answer, and what is said of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from inquest.domain.errors import EngineError, EngineKeyRefused, EngineQuota, EngineUnavailable
from inquest.domain.search import EngineKind, Query
from inquest.retrieval.engine_choice import EngineChoice
from inquest.retrieval.search_plan import reach

MayReplace = Callable[[str, str, Query], bool]
"""True where a second engine may be asked for the same as a first one that is out, given the query; beside kinds."""
_NEXT = 2
"""Engines that are asked in the place of one: where that many are out, it is mostly the network."""
_MOST_NAMES = 3


def anybody(out: str, other: str, query: Query) -> bool:
    """Whoever searches for the same kinds may."""
    return True


def is_for_others(error: EngineError | None) -> bool:
    """True where another engine can help: the limit is used up, the key refused, or the engine out of order. What it
    cannot read stays its own."""
    return isinstance(error, EngineQuota | EngineKeyRefused | EngineUnavailable)


def next_engines(out: str, asked: Sequence[str], suited: Sequence[EngineChoice]) -> tuple[str, ...]:
    """Who is asked in an engine's place: those of `suited` that are ready, search what it searches and are not asked
    the question anyway; those who search most of what it searches first, of these the widest. Nothing stands in for
    the user's own documents, and they for nothing."""
    kinds = _kinds(out, suited)
    others = [
        engine
        for engine in suited
        if engine.lacks is None and engine.name not in asked and kinds & _kinds(engine.name, suited)
    ]
    ranked = sorted(others, key=lambda engine: (-len(kinds & set(engine.kinds)), -reach(engine)))
    return tuple(engine.name for engine in ranked[:_NEXT])


@dataclass(frozen=True)
class Failed:
    """An engine that could not answer a question."""

    engine: str
    error: EngineError
    next: str | None
    """Who was asked in its place; None: nobody."""
    beside: tuple[str, ...]
    """Who was asked the same question anyway and searches the same."""


def departures(failed: Iterable[Failed], answered: Collection[str] = ()) -> dict[tuple[str, ...], str]:
    """By the engines that did not answer: one line on why, and on who was asked in their place. Engines that
    are out alike, as where the network is down, are one line. `answered`: the engines that answered any question: who
    was asked instead and was out too is not named as standing in."""
    alike: dict[tuple[str, tuple[str, ...], bool], dict[str, str]] = {}
    for name, each in _by_engine(failed).items():
        why = str(each[0].error).rstrip(". ")
        instead, beside = _instead(each), _beside(each)
        standing = [other for other in instead or beside if other in answered]
        key = (type(each[0].error).__name__, tuple(standing), bool(instead))
        key = key if standing else (key[0], (), bool(instead or beside))
        alike.setdefault(key, {})[name] = why
    return {tuple(whys): _departure(list(whys.values()), key[1], key[2]) for key, whys in alike.items()}


def _departure(whys: Sequence[str], standing: Sequence[str], asked: bool) -> str:
    """The line of engines that are out alike: the reason of each, and who stood in."""
    why = "; ".join(dict.fromkeys(whys))
    if standing:
        return f"{why}; {_listed(standing, 'asked instead' if asked else 'asked the same questions')}."
    return f"{why}; {'none that was asked instead answered' if asked else 'there was no other engine to ask instead'}."


def replaced_by(failed: Iterable[Failed]) -> dict[str, tuple[str, ...]]:
    """By the engine that did not answer: who was asked in its place, or the same questions anyway."""
    return {name: tuple(_instead(each) or _beside(each)) for name, each in _by_engine(failed).items()}


def _by_engine(failed: Iterable[Failed]) -> dict[str, list[Failed]]:
    found: dict[str, list[Failed]] = {}
    for each in failed:
        if is_for_others(each.error):
            found.setdefault(each.engine, []).append(each)
    return found


def _instead(failed: Iterable[Failed]) -> list[str]:
    return list(dict.fromkeys(each.next for each in failed if each.next))


def _beside(failed: Iterable[Failed]) -> list[str]:
    return list(dict.fromkeys(name for each in failed for name in each.beside))


def _kinds(name: str, engines: Sequence[EngineChoice]) -> set[EngineKind]:
    kinds = {kind for engine in engines if engine.name == name for kind in engine.kinds}
    return set() if EngineKind.OWN in kinds else kinds


def _listed(names: Sequence[str], what: str) -> str:
    shown = [*names[:_MOST_NAMES], *([f"{len(names) - _MOST_NAMES} more"] if len(names) > _MOST_NAMES else [])]
    if len(shown) == 1:
        return f"{shown[0]} was {what}"
    return f"{', '.join(shown[:-1])} and {shown[-1]} were {what}"
