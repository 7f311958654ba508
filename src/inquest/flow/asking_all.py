"""Every query to every engine that fits, at once; and where one cannot answer, the next suitable one in its place."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, TypedDict, Unpack

from inquest.domain.errors import EngineError, EngineUnavailable
from inquest.domain.event import EventType, Stage
from inquest.domain.report import OutageNote
from inquest.domain.search import EngineKind, Hit, Query
from inquest.flow.in_time import Patience, in_time
from inquest.flow.reading import answer
from inquest.flow.resolving import resolved
from inquest.flow.services import Services
from inquest.flow.state import CaseState
from inquest.retrieval.standing_in import ROUNDS, MayStandIn, Unanswered, anybody, said_of, stand_ins, stood_in
from inquest.text.sentences import shorten

__all__ = ["ASIDE", "Answer", "AskedAll", "ask_all", "fitting"]

ASIDE = frozenset((EngineKind.SOCIAL, EngineKind.ARCHIVE))
"""Of a topic asked elsewhere, for posts and for captures: neither is a page to read as a source."""
_SPECIAL = frozenset((EngineKind.ARCHIVE, EngineKind.FACT_CHECK))
_NOT_ASKED = "{} was not asked before the case ended."
_LEAST = 0.5
"""Seconds without which nobody is asked in another's place."""


@dataclass(frozen=True)
class Answer:
    """What one engine gave for one query."""

    engine: str
    query: Query
    hits: list[Hit]
    outages: list[OutageNote]
    added: list[str]
    """Queries that were not in the plan, in words."""
    error: EngineError | None


@dataclass(frozen=True)
class AskedAll:
    """Every answer, in the order of the plan and then of those who stood in for others."""

    answers: list[Answer]
    in_place: dict[str, str]
    """By the engine that did not answer: why, and who was asked instead, in words."""
    instead: dict[str, tuple[str, ...]]
    """By the engine that did not answer: who was asked instead."""
    unasked: list[OutageNote]
    """The engines that were not asked all of their questions before the case ended."""


def fitting(query: Query, state: CaseState, services: Services) -> list[str]:
    """The engines of the plan that this query goes to, in order of preference. Of a topic no network is among them,
    even where nobody else could be asked: a post that is read as a page would be evidence."""
    assert state.plan is not None
    kinds = {engine.name: engine for engine in services.engines}
    chosen = []
    for name in state.plan.engines:
        engine = kinds.get(name)
        if engine is None or (state.brief.topic and set(engine.kinds) <= ASIDE):
            continue
        # Archives are asked for addresses and checkers for claims; a query that is for nobody special is for others.
        anybody = not query.kinds and (engine.asked_for or not set(engine.kinds) <= _SPECIAL)
        fits = anybody or EngineKind.OWN in engine.kinds or set(query.kinds) & set(engine.kinds)
        if fits or (engine.asked_for and len(state.plan.engines) == 1):
            chosen.append(name)
    return chosen


class AskBounds(TypedDict, total=False):
    """How long is waited, and who may stand in."""

    seconds: float | None
    """No engine is waited for longer; None: as long as the HTTP client waits."""
    overall: Patience | None
    """What all of them together have, those who stand in included; None: no end."""
    may: MayStandIn
    """Whether an engine stands in for another at a query."""


class _Asking(NamedTuple):
    """One question to one engine."""

    label: str
    engine: str
    query: Query


async def ask_all(
    queries: Sequence[Query],
    whom: Callable[[Query], list[str]],
    answered: Callable[[list[Hit]], None],
    state: CaseState,
    services: Services,
    **bounds: Unpack[AskBounds],
) -> AskedAll:
    """Ask. `whom`: the engines of each query; `answered` is given the hits of each answer as it comes."""
    seconds, overall, may = bounds.get("seconds"), bounds.get("overall"), bounds.get("may", anybody)
    most = math.inf if seconds is None else seconds
    questions = [(n, engine) for n, query in enumerate(queries) for engine in whom(query)]
    asked: dict[int, list[str]] = {}
    for number, engine in questions:
        asked.setdefault(number, []).append(engine)
    labels = [f"ask {engine}: {place}" for place, (_, engine) in enumerate(questions)]
    given: list[Answer] = []
    unanswered: list[Unanswered] = []
    instead: list[tuple[Unanswered, str]] = []
    cut: dict[str, None] = {}
    for turn in range(ROUNDS):
        waits = overall.left(most) if overall else seconds
        answers = await services.side_by_side(
            [
                (label, partial(_ask, _Asking(label, engine, queries[number]), answered, waits, state, services))
                for label, (number, engine) in zip(labels, questions, strict=True)
            ]
        )
        given += [one for one in answers if one]
        cut |= {engine: None for (_, engine), one in zip(questions, answers, strict=True) if one is None}
        left = [
            Unanswered(number, one.query, engine, one.error)
            for (number, engine), one in zip(questions, answers, strict=True)
            if one and one.error
        ]
        unanswered += left
        next_ones = stand_ins(left, asked, services.engines, may)
        if not next_ones or (overall and overall.is_over(f"stand in {turn + 1}", _LEAST)):
            break
        instead += next_ones
        questions = [(question.number, engine) for question, engine in next_ones]
        labels = [f"ask {engine} in place of {question.engine}: {question.number}" for question, engine in next_ones]
        for number, engine in questions:
            asked[number].append(engine)
    return AskedAll(
        given,
        said_of(unanswered, instead, asked, services.engines, may),
        stood_in(unanswered, instead, asked, services.engines, may),
        [
            await services.outage("engine", name, EngineUnavailable(name, _NOT_ASKED.format(name)), Stage.SOURCES)
            for name in cut
        ],
    )


async def _ask(
    asking: _Asking,
    answered: Callable[[list[Hit]], None],
    seconds: float | None,
    state: CaseState,
    services: Services,
) -> Answer:
    label, engine, query = asking
    await services.progress(
        Stage.SOURCES, f'Searching {engine} for "{shorten(query.text, 90)}"', EventType.STAGE_STARTED
    )
    hits, outage, error = await _in_time(label, engine, query, seconds, services)
    hits, outages, added = await resolved(hits, state, services)
    answered(hits)
    if outage is None:
        await services.events.emit(
            EventType.QUERY_ANSWERED,
            f'{engine} gave {len(hits)} {"hit" if len(hits) == 1 else "hits"} for "{shorten(query.text, 90)}"',
            stage=Stage.SOURCES,
            engine=engine,
            query=query.text,
            hits=len(hits),
        )
    return Answer(engine, query, hits, ([outage] if outage else []) + outages, added, error)


async def _in_time(
    label: str, engine: str, query: Query, seconds: float | None, services: Services
) -> tuple[list[Hit], OutageNote | None, EngineError | None]:
    """The engine's answer; what takes longer is an outage."""
    try:
        return await in_time(label, lambda: answer(engine, query, services, Stage.SOURCES), seconds, services)
    except TimeoutError:
        error = EngineUnavailable(engine, f"{engine} had not answered in time and was not waited for.")
        return [], await services.outage("engine", engine, error, Stage.SOURCES), error
