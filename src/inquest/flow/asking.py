"""What the claims of one desk share while it works: each question is asked once of each engine, each page read once."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from datetime import datetime

from inquest.domain.brief import Mode
from inquest.domain.check import DeskQuery
from inquest.domain.claim import Claim
from inquest.domain.errors import Outage
from inquest.domain.event import EventType, Stage
from inquest.domain.report import Coverage, OutageNote
from inquest.domain.search import Hit, Query
from inquest.flow.reading import Lead, PageRead, answer, read_page
from inquest.flow.resolving import is_unresolved
from inquest.flow.services import Services
from inquest.flow.sifting import sifted
from inquest.kit.desk import Desk
from inquest.retrieval.desk_plan import earlier_checks_of, plan_desk_searches
from inquest.retrieval.failover import Answered, answer_or_next, next_engines
from inquest.retrieval.search_plan import limits_for
from inquest.text.phrases import count
from inquest.text.sentences import shorten

__all__ = ["Asking", "query_as_put"]

_NAMED = 3
"""Engines that are named where none is ready."""
_UNPLANNED_SECONDS = 120.0
"""The time of a case that is somebody else's graph."""


def query_as_put(each: DeskQuery, desk: Desk, until: datetime | None) -> Query:
    """A desk's query as engines are asked. `until`: nothing published later is wanted."""
    latest = min(filter(None, (each.query.until, until)), default=None)
    return each.query.model_copy(update={"until": latest, "limit": desk.spec.results_per_query})


class Asking:
    """What the claims of one desk share: each question is asked once of each engine, each page is read once."""

    def __init__(
        self,
        desk: Desk,
        queries: Sequence[DeskQuery],
        engines: Sequence[str],
        services: Services,
        *,
        until: datetime | None,
        first: bool,
    ) -> None:
        """`engines`: names, in order of preference. `until`: nothing published later is wanted. `first`: it is the
        first round, in which checkers of claims are asked too."""
        self._desk, self._services, self._until = desk, services, until
        known = {engine.name: engine for engine in services.engines}
        self._ready = [known[name] for name in engines if name in known]
        self._queries = self._planned(queries, first=first)
        self._answers: dict[tuple[str, str], asyncio.Task[Answered]] = {}
        self._pages: dict[str, asyncio.Task[PageRead]] = {}

    def searches(self, claims: Iterable[Claim]) -> int:
        """How many questions were put to engines for these claims. What was begun for one that was cut off is not
        counted: how far that got is chance."""
        return len({self._key(engine, each) for claim in claims for each, engine in self._asks(claim)})

    async def answers(self, claim: Claim) -> tuple[list[tuple[DeskQuery, list[Hit]]], list[OutageNote], Coverage]:
        """What engines give for the claim's queries, in the desk's order, and what could not be asked."""
        asked = self._asks(claim)
        given = await asyncio.gather(*(self._answer_or_next(each, engine) for each, engine in asked))
        nobody = await self._nobody() if not self._ready and self._own(claim) else None
        found: dict[str, tuple[DeskQuery, list[Hit]]] = {}
        for (each, _), (hits, _, _) in zip(asked, given, strict=True):
            kept = [hit for hit in hits if not is_unresolved(hit)]
            found.setdefault(each.model_dump_json(), (each, []))[1].extend(kept)
        notes = [*([nobody] if nobody else []), *(note for _, own, _ in given for note in own)]
        out = dict.fromkeys(name for note in notes for name in (note.names or (note.where,)))
        coverage = Coverage(answered=sum(answered for *_, answered in given), out=tuple(out))
        return list(found.values()), notes, coverage

    def page(self, lead: Lead) -> asyncio.Task[PageRead]:
        """The page, being read."""
        if lead.key not in self._pages:
            self._pages[lead.key] = asyncio.ensure_future(self._read(lead))
        return self._pages[lead.key]

    async def close(self) -> None:
        """Stop whatever nobody waits for any more."""
        tasks = [*self._answers.values(), *self._pages.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _own(self, claim: Claim) -> list[DeskQuery]:
        return [query for query in self._queries if claim.id in query.claim_ids]

    def _asks(self, claim: Claim) -> list[tuple[DeskQuery, str]]:
        """The claim's queries with the engines they go to."""
        return [(each, engine) for each in self._own(claim) for engine in each.engines or ()]

    def _planned(self, queries: Sequence[DeskQuery], *, first: bool) -> tuple[DeskQuery, ...]:
        """The queries with their engines; those of somebody else's graph have no plan yet and are given one."""
        if all(each.engines is not None for each in queries):
            return tuple(queries)
        texts = {claim_id: each.query.purpose for each in reversed(queries) for claim_id in each.claim_ids}
        name = self._desk.spec.name
        asked = [*queries, *(earlier_checks_of(name, claim_id, text) for claim_id, text in texts.items() if first)]
        limits = limits_for("first", mode=Mode.QUICK, seconds=_UNPLANNED_SECONDS, claims=len(texts), usd=None)
        return plan_desk_searches(asked, {name: frozenset(self._desk.spec.kinds)}, self._ready, limits)[0]

    async def _nobody(self) -> OutageNote | None:
        """That nobody could be asked, where engines of the desk's kinds are not ready: not that nothing was found."""
        wanted = set(self._desk.spec.kinds)
        lacking = [each for each in self._services.engines if each.lacks and wanted & set(each.kinds)]
        if not lacking:
            return None
        names, reasons = [each.name for each in lacking], list(dict.fromkeys(each.lacks or "" for each in lacking))
        more = len(names) - _NAMED
        where = ", ".join(names[:_NAMED]) + (f" and {count(more, 'other')}" if more > 0 else "")
        why = "; ".join(reasons[:_NAMED])
        error = Outage(f"Search is unavailable ({why}): nobody could be asked.")
        return await self._services.outage("engine", where, error, Stage.DESKS, names=tuple(names))

    async def _answer_or_next(self, each: DeskQuery, engine: str) -> tuple[list[Hit], list[OutageNote], bool]:
        kinds = frozenset(self._desk.spec.kinds)
        suited = [choice for choice in self._ready if choice.suits(each.query, kinds)]
        others = next_engines(engine, each.engines or (), suited)
        return await answer_or_next(engine, others, lambda name: self._answer(each, name))

    async def _answer(self, each: DeskQuery, engine: str) -> Answered:
        key = self._key(engine, each)
        if key not in self._answers:
            self._answers[key] = asyncio.ensure_future(self._search(engine, self._put(each)))
        return await asyncio.shield(self._answers[key])

    def _put(self, each: DeskQuery) -> Query:
        return query_as_put(each, self._desk, self._until)

    def _key(self, engine: str, each: DeskQuery) -> tuple[str, str]:
        return engine, self._put(each).model_dump_json(exclude={"purpose"})

    async def _search(self, engine: str, query: Query) -> Answered:
        hits, note, error = await answer(engine, query, self._services, Stage.DESKS)
        if note is None:
            await self._services.events.emit(
                EventType.SEARCH_EXECUTED,
                f'{engine} gave {len(hits)} {"hit" if len(hits) == 1 else "hits"} for "{shorten(query.text, 90)}"',
                stage=Stage.DESKS,
                agent_name=self._desk.spec.agent,
                engine=engine,
                query=query.text,
                results_count=len(hits),
            )
        return hits, note, error

    async def _read(self, lead: Lead) -> PageRead:
        return await sifted(await read_page(lead, self._services, Stage.DESKS), self._services, Stage.DESKS)
