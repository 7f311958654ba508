"""Failover: where an engine cannot answer, the next best one that was not to be asked the same answers in its place."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from inquest.domain.errors import EngineError, EngineKeyRefused, EngineQuota, EngineUnavailable
from inquest.domain.report import OutageNote
from inquest.domain.search import EngineKind, Hit, Query
from inquest.retrieval.engine_choice import EngineChoice
from inquest.retrieval.search_plan import reach

__all__ = ["Answered", "answer_or_next", "asked_or_next", "is_for_others", "next_engines"]

Answered = tuple[list[Hit], OutageNote | None, EngineError | None]
"""What an engine gave, or why it gave nothing."""
_NEXT = 2
"""Engines that are asked in the place of one: where that many are out, it is mostly the network."""


def is_for_others(error: EngineError | None) -> bool:
    """True where another engine can help: the limit is used up, the key refused, or the engine out of order. What it
    cannot read stays its own."""
    return isinstance(error, EngineQuota | EngineKeyRefused | EngineUnavailable)


def next_engines(out: str, asked: Sequence[str], suited: Sequence[EngineChoice]) -> tuple[str, ...]:
    """Who is asked in an engine's place: those of `suited` that search what it searches and are not asked the question
    anyway, the widest first. Nothing stands in for the user's own documents."""
    kinds = {kind for engine in suited if engine.name == out for kind in engine.kinds} - {EngineKind.OWN}
    others = [engine for engine in suited if engine.name not in asked and kinds & set(engine.kinds)]
    return tuple(engine.name for engine in sorted(others, key=lambda engine: -reach(engine))[:_NEXT])


async def answer_or_next(
    engine: str, others: Sequence[str], ask: Callable[[str], Awaitable[Answered]]
) -> tuple[list[Hit], list[OutageNote], bool]:
    """The hits of the engine or of the first of the others that answers, what could not be asked, and whether anybody
    answered. Who is asked next follows from who did not answer, and so is the same on a replay."""
    notes: list[OutageNote] = []
    for name in (engine, *others):
        hits, note, error = await ask(name)
        if note is None:
            return hits, notes, True
        notes.append(note)
        if not is_for_others(error):
            break
    return [], notes, False


async def asked_or_next(
    asked: Sequence[tuple[str, Query]],
    suited: Sequence[EngineChoice],
    ask: Callable[[str, Query], Awaitable[Answered]],
) -> list[tuple[list[Hit], list[OutageNote], bool]]:
    """The answers to several searches at once, each as `answer_or_next` has it; nobody is asked the same twice.
    `suited`: who may be asked in the place of others."""
    of_query: dict[Query, list[str]] = {}
    for engine, query in asked:
        of_query.setdefault(query, []).append(engine)
    begun: dict[tuple[str, Query], asyncio.Future[Answered]] = {}

    async def once(engine: str, query: Query) -> Answered:
        key = (engine, query)
        if key not in begun:
            begun[key] = asyncio.ensure_future(ask(engine, query))
        return await begun[key]

    async def answered(engine: str, query: Query) -> tuple[list[Hit], list[OutageNote], bool]:
        others = next_engines(engine, of_query[query], suited)
        return await answer_or_next(engine, others, lambda name: once(name, query))

    return await asyncio.gather(*(answered(engine, query) for engine, query in asked))
