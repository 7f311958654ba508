"""Failover: the engines that replace one that cannot answer, and the notes on it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from inquest.domain.errors import EngineError, EngineKeyRefused, EngineQuota, EngineUnavailable
from inquest.domain.reasons import Reason, as_written, in_words
from inquest.domain.search import ON_THIS_MACHINE, EngineKind, Query
from inquest.domain.value import grouped
from inquest.retrieval.engine_choice import EngineChoice
from inquest.retrieval.search_plan import reach

MayReplace = Callable[[str, str, Query], bool]
"""Test (engine, other engine, query) if the other may replace the engine for the query, beyond their kinds."""
_NEXT = 2
"""Maximum replacements of one engine: if that many fail, the network is usually the cause."""
_MOST_NAMES = 3


def is_for_others(error: EngineError | None) -> bool:
    """Test if another engine can help: the quota is used up, the key refused, or the engine unavailable, but not if an
    answer cannot be parsed."""
    return isinstance(error, EngineQuota | EngineKeyRefused | EngineUnavailable)


def next_engines(out: str, asked: Sequence[str], suited: Sequence[EngineChoice]) -> tuple[str, ...]:
    """Return the replacements of an engine, among those of `suited` that are available, share a kind with it and do not
    get the same query anyway.

    Those with most kinds in common come first, then those of the widest reach. Engines on this machine are not replaced
    and replace none.
    """
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
    """The engine that was queried in its place; None: there was none."""
    beside: tuple[str, ...]
    """Engines of the same kind that got the same query anyway."""


def departures(
    failed: Iterable[Failed], answered: Collection[str] = (), titles: Callable[[Sequence[str]], Sequence[str]] = tuple
) -> dict[tuple[str, ...], Reason]:
    """Return one line for each group of engines that failed alike: the reason, and the engines asked in their place.

    `answered`: the engines that answered any query. `titles`: the display names of engines.
    """
    alike: dict[str, tuple[Reason, dict[str, str]]] = {}
    for name, each in _by_engine(failed).items():
        instead = [other.next for other in each if other.next]
        others = list(dict.fromkeys(instead or (other for one in each for other in one.beside)))
        replacing = [other for other in others if other in answered]
        if replacing:
            beyond = len(replacing) - _MOST_NAMES
            more = [Reason(code="routing.more", data={"number": beyond})] if beyond > 0 else []
            engines = [*map(as_written, titles(replacing[:_MOST_NAMES])), *more]
            rest = Reason.of("routing.asked_instead" if instead else "routing.asked_beside", engines=engines)
        else:
            rest = Reason(code="routing.none_instead_answered" if others else "routing.none_else")
        key = f"{type(each[0].error).__name__} {in_words(rest)}"
        alike.setdefault(key, (rest, {}))[1][name] = str(each[0].error).rstrip(". ")
    return {
        tuple(whys): Reason.of("routing.instead", why="; ".join(dict.fromkeys(whys.values())), rest=rest)
        for rest, whys in alike.values()
    }


def replaced_by(failed: Iterable[Failed]) -> dict[str, tuple[str, ...]]:
    """Map each engine that did not answer to those asked in its place, or else the same questions anyway."""
    return {
        name: tuple(dict.fromkeys([one.next for one in each if one.next] or (b for one in each for b in one.beside)))
        for name, each in _by_engine(failed).items()
    }


def _by_engine(failed: Iterable[Failed]) -> dict[str, list[Failed]]:
    return grouped((each.engine, each) for each in failed if is_for_others(each.error))


def _kinds(name: str, engines: Sequence[EngineChoice]) -> set[EngineKind]:
    kinds = {kind for engine in engines if engine.name == name for kind in engine.kinds}
    return set() if kinds & ON_THIS_MACHINE else kinds
