"""Failover: who is asked in the place of an engine that cannot answer, and what is said of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from inquest.domain.english import agreeing
from inquest.domain.errors import EngineError, EngineKeyRefused, EngineQuota, EngineUnavailable
from inquest.domain.search import ON_THIS_MACHINE, EngineKind, Query
from inquest.retrieval.engine_choice import EngineChoice
from inquest.retrieval.search_plan import reach
from inquest.text.phrases import listed

MayReplace = Callable[[str, str, Query], bool]
"""True where a second engine may be asked for the same as a first one that is out, given the query; beside kinds."""
_NEXT = 2
"""Engines that are asked in the place of one: where that many are out, it is mostly the network."""
_MOST_NAMES = 3


def is_for_others(error: EngineError | None) -> bool:
    """True where another engine can help: the limit is used up, the key refused, or the engine out of order. What it
    cannot read stays its own."""
    return isinstance(error, EngineQuota | EngineKeyRefused | EngineUnavailable)


def next_engines(out: str, asked: Sequence[str], suited: Sequence[EngineChoice]) -> tuple[str, ...]:
    """Who is asked in an engine's place: those of `suited` that are ready, search what it searches and are not asked
    the question anyway; those who search most of what it searches first, of these the widest. Nothing replaces what is
    kept on this machine, and it replaces nothing."""
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
    """By the engines that did not answer: one line on why, and on who was asked in their place. Engines that are out
    alike are one line. `answered`: the engines that answered any question."""
    alike: dict[tuple[str, ...], dict[str, str]] = {}
    for name, each in _by_engine(failed).items():
        instead = [other.next for other in each if other.next]
        others = list(dict.fromkeys(instead or (other for one in each for other in one.beside)))
        replacing = [other for other in others if other in answered]
        if replacing:
            rest = _listed(replacing, "asked instead" if instead else "asked the same questions")
        else:
            rest = "none that was asked instead answered" if others else "there was no other engine to ask instead"
        alike.setdefault((type(each[0].error).__name__, rest), {})[name] = str(each[0].error).rstrip(". ")
    return {tuple(whys): f"{'; '.join(dict.fromkeys(whys.values()))}; {rest}." for (_, rest), whys in alike.items()}


def replaced_by(failed: Iterable[Failed]) -> dict[str, tuple[str, ...]]:
    """By the engine that did not answer: who was asked in its place, or the same questions anyway."""
    return {
        name: tuple(dict.fromkeys([one.next for one in each if one.next] or (b for one in each for b in one.beside)))
        for name, each in _by_engine(failed).items()
    }


def _by_engine(failed: Iterable[Failed]) -> dict[str, list[Failed]]:
    found: dict[str, list[Failed]] = {}
    for each in failed:
        if is_for_others(each.error):
            found.setdefault(each.engine, []).append(each)
    return found


def _kinds(name: str, engines: Sequence[EngineChoice]) -> set[EngineKind]:
    kinds = {kind for engine in engines if engine.name == name for kind in engine.kinds}
    return set() if kinds & ON_THIS_MACHINE else kinds


def _listed(names: Sequence[str], what: str) -> str:
    more = [f"{len(names) - _MOST_NAMES} more"] if len(names) > _MOST_NAMES else []
    shown = [*names[:_MOST_NAMES], *more]
    return f"{listed(shown)} {agreeing(len(shown), 'was', 'were')} {what}"
