"""What a desk finds and reads for its claims, before anybody judges it: all its questions at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from inquest.domain.brief import Mode
from inquest.domain.check import DeskQuery, InfoResponse
from inquest.domain.claim import Claim
from inquest.domain.document import Document
from inquest.domain.errors import Outage
from inquest.domain.event import EventType, Stage
from inquest.domain.plan import Meant
from inquest.domain.reading import Reading
from inquest.domain.report import Coverage, OutageNote
from inquest.domain.search import Hit, Query
from inquest.flow.services import ALWAYS, Services, subject_for
from inquest.kit.desk import Desk, Subject
from inquest.retrieval.answers import Found, Search
from inquest.retrieval.engine_choice import EngineChoice
from inquest.retrieval.reading import Lead, PageRead, leads_of
from inquest.retrieval.retriever import Retriever, SearchRules
from inquest.retrieval.search_plan import earlier_checks_of, limits_for, plan_desk_searches
from inquest.sources.ranking import rank_hits
from inquest.text.phrases import count
from inquest.text.sentences import shorten

_NAMED = 3
"""Engines that are named where none is ready."""
_UNPLANNED_SECONDS = 120.0
"""The time of a case that is somebody else's graph."""


@dataclass(frozen=True)
class DeskWork:
    """What a desk is to do in one round."""

    claims: tuple[Claim, ...]
    subject: Subject
    queries: tuple[DeskQuery, ...]
    engines: tuple[str, ...]
    """Names of the engines that may be asked, in order of preference."""
    iteration: int = 1
    until: datetime | None = None
    """Nothing published later is evidence."""
    meant: tuple[Meant, ...] = ()
    """Whom the case is about: pages about others of these names are no evidence."""
    read: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """By claim id, the pages (comparison keys) that earlier rounds have read for it."""
    responses: Mapping[str, tuple[InfoResponse, ...]] = field(default_factory=dict)
    """By claim id, what others have answered this desk."""
    judged: Mapping[str, Mapping[str, Reading]] = field(default_factory=dict)
    """By claim id and place, what this desk's judge has found in earlier rounds, for whatever desk: it is not asked
    again."""


@dataclass(frozen=True)
class Gathered:
    """What was found and read for one claim."""

    claim: Claim
    answers: list[tuple[DeskQuery, list[Hit]]]
    """In the desk's order."""
    pages: list[PageRead]
    """Those that were had."""
    read: tuple[str, ...]
    """The pages (comparison keys) that were chosen."""
    outages: tuple[OutageNote, ...]
    coverage: Coverage


@dataclass(frozen=True)
class Gathering:
    """What a desk has found in one round: of claims that were cut off, nothing."""

    claims: tuple[Gathered, ...]
    searches: int
    """Questions put to engines for these claims. What was begun for one that was cut off is not counted: how far that
    got is chance."""
    unanswered: tuple[OutageNote, ...] = ()
    """Who should have been asked or read for claims that were cut off."""

    def pages_for(self, gathered: Gathered) -> dict[str, PageRead]:
        """By snapshot, what a claim is judged by: a page that was read for one claim may bear on another. Each claim
        keeps its own way to a shared page: whose fetch came first must not show in the report."""
        had = [page for each in reversed(self.claims) for page in each.pages]
        return {page.document.snapshot: page for page in (*had, *gathered.pages) if page.document}

    def texts_for(self, gathered: Gathered) -> dict[str, Document]:
        """The same pages' texts."""
        return {name: page.document for name, page in self.pages_for(gathered).items() if page.document}


def label_of(desk: Desk, work: DeskWork) -> str:
    """What the desk's work of the round is called wherever it may be cut off: 'news round 1'."""
    return f"{desk.spec.name} round {work.iteration}"


def query_as_put(each: DeskQuery, desk: Desk, until: datetime | None) -> Query:
    """A desk's query as engines are asked. `until`: nothing published later is wanted."""
    latest = min(filter(None, (each.query.until, until)), default=None)
    return each.query.model_copy(update={"until": latest, "limit": desk.spec.results_per_query})


async def gather(desk: Desk, work: DeskWork, services: Services) -> Gathering:
    """Search and read for every claim side by side. Raises nothing but what ends a case."""
    round_ = _Round(desk, work, services)
    label = label_of(desk, work)
    try:
        gathered = await services.side_by_side(
            [(f"{label} {claim.id}", partial(round_.gathered, claim)) for claim in work.claims]
        )
        had = tuple(each for each in gathered if each is not None)
        asked = {search for each in had for _, search in round_.searches(each.claim)}
        planned = {search: None for claim in work.claims for _, search in round_.searches(claim)}
        unanswered = await round_.retriever.unanswered(each for each in planned if each not in asked)
    finally:
        await round_.retriever.close()
    searches = {(each.engine, round_.asked_as(each)) for each in asked}
    return Gathering(claims=had, searches=len(searches), unanswered=unanswered)


class _Round:
    """A desk's questions of one round, and the way they are asked."""

    def __init__(self, desk: Desk, work: DeskWork, services: Services) -> None:
        self._desk, self._work, self._services = desk, work, services
        known = {engine.name: engine for engine in services.engines}
        self._ready = [known[name] for name in work.engines if name in known]
        self._queries = self._planned()
        rules = SearchRules(Stage.DESKS, label_of(desk, work), agent=desk.spec.agent, suited=self._suited)
        searches = [search for each in self._queries for search in self._of(each)]
        self.retriever = Retriever(searches, rules, services)

    def searches(self, claim: Claim) -> Iterator[tuple[DeskQuery, Search]]:
        """The claim's queries with the engines they go to."""
        for each in self._own(claim):
            for search in self._of(each):
                yield each, search

    @staticmethod
    def asked_as(search: Search) -> str:
        """What the engine is asked, whatever for."""
        return search.query.model_dump_json(exclude={"purpose"})

    async def gathered(self, claim: Claim) -> Gathered:
        """What is found and read for a claim."""
        desk = self._desk
        await self._services.events.emit(
            EventType.CLAIM_INVESTIGATING,
            f'{desk.spec.title}: "{shorten(claim.text, 120)}"',
            stage=Stage.DESKS,
            agent_name=desk.spec.agent,
            claim_id=claim.id,
            claim_text=claim.text,
        )
        asked = list(self.searches(claim))
        found = await self.retriever.find([search for _, search in asked], partial(self._leads, claim))
        nobody = await self._nobody() if not self._ready and self._own(claim) else None
        return Gathered(
            claim=claim,
            answers=_by_query([each for each, _ in asked], found),
            pages=found.read,
            read=tuple(page.lead.key for page in found.pages),
            outages=(*((nobody,) if nobody else ()), *found.outages),
            coverage=found.coverage + Coverage(out=nobody.names if nobody else ()),
        )

    def _leads(self, claim: Claim, hits: Sequence[Hit]) -> list[Lead]:
        """The best pages for the claim that no earlier round has read for it."""
        spec = self._desk.spec
        topic = f"{subject_for(claim, self._work.subject).company} {claim.text}"
        seen = self._work.read.get(claim.id, frozenset())
        ranked = rank_hits(hits, topic=topic, rate=self._services.rater.publisher)[: spec.results_per_claim]
        return leads_of(ranked, seen=seen, queries=claim.queries[:1])[: spec.pages_per_claim]

    def _own(self, claim: Claim) -> list[DeskQuery]:
        return [query for query in self._queries if claim.id in query.claim_ids]

    def _of(self, each: DeskQuery) -> list[Search]:
        query = query_as_put(each, self._desk, self._work.until)
        return [Search(engine, query) for engine in each.engines or ()]

    def _suited(self, query: Query) -> list[EngineChoice]:
        return [each for each in self._ready if each.suits(query, frozenset(self._desk.spec.kinds))]

    def _planned(self) -> tuple[DeskQuery, ...]:
        """The queries with their engines; those of somebody else's graph have no plan yet and are given one, in their
        first round with the question who has checked the claims."""
        queries = self._work.queries
        if all(each.engines is not None for each in queries):
            return queries
        first = self._work.iteration == 1 and not any(query.request_id for query in queries)
        texts = {claim_id: each.query.purpose for each in reversed(queries) for claim_id in each.claim_ids}
        name = self._desk.spec.name
        asked = [*queries, *(earlier_checks_of(name, claim_id, text) for claim_id, text in texts.items() if first)]
        limits = limits_for("first", mode=Mode.QUICK, seconds=_UNPLANNED_SECONDS, claims=len(texts), usd=None)
        return plan_desk_searches(asked, {name: frozenset(self._desk.spec.kinds)}, self._ready, limits)[0]

    async def _nobody(self) -> OutageNote | None:
        """That nobody could be asked, where engines that the desk asks are not ready: not that nothing was found."""
        wanted = {*self._desk.spec.kinds, *ALWAYS}
        lacking = [each for each in self._services.engines if each.lacks and wanted & set(each.kinds)]
        if not lacking:
            return None
        names, reasons = [each.name for each in lacking], list(dict.fromkeys(each.lacks or "" for each in lacking))
        more = len(names) - _NAMED
        where = ", ".join(names[:_NAMED]) + (f" and {count(more, 'other')}" if more > 0 else "")
        why = "; ".join(reasons[:_NAMED])
        error = Outage(f"Search is unavailable ({why}): nobody could be asked.")
        return await self._services.outage("engine", where, error, Stage.DESKS, names=tuple(names))


def _by_query(queries: Sequence[DeskQuery], found: Found) -> list[tuple[DeskQuery, list[Hit]]]:
    """The hits of each query, of all engines that answered it."""
    given: dict[str, tuple[DeskQuery, list[Hit]]] = {}
    for each, answer in zip(queries, found.answers, strict=True):
        given.setdefault(each.model_dump_json(), (each, []))[1].extend(answer.hits)
    return list(given.values())
