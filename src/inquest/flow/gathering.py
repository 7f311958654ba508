"""Search and read for all claims of a desk at once; then have the analyst judge passages, and turn them into findings.

Each desk chooses passages from its own pages, as it would alone. The analyst judges the passages of all desks of a
round for a claim in one call, each passage once, and each desk takes the readings of its own. So the evidence of a desk
does not depend on the other desks, and a claim costs one call. Passages judged in an earlier round are not repeated.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any

from inquest.claims.parts_of_claim import ClaimPart, parts_of
from inquest.domain.check import DeskQuery, InfoResponse
from inquest.domain.claim import Claim
from inquest.domain.document import Document
from inquest.domain.errors import ModelFormat, Outage
from inquest.domain.event import EventType, Stage
from inquest.domain.finding import Finding, Reading, Stance
from inquest.domain.plan import Meant, Mode
from inquest.domain.report import Coverage, OutageNote
from inquest.domain.search import Hit, Query
from inquest.domain.source import Source
from inquest.domain.value import firsts
from inquest.flow.services import ALWAYS, Services, subject_for
from inquest.kit.analyst import Passage, SourceReading
from inquest.kit.desk import Desk, Subject
from inquest.retrieval.answers import Search
from inquest.retrieval.engine_choice import EngineChoice
from inquest.retrieval.passages import passages_on
from inquest.retrieval.reading import Lead, PageRead, leads_of
from inquest.retrieval.retriever import Retriever, SearchRules
from inquest.retrieval.search_plan import earlier_checks_of, limits_for, plan_desk_searches
from inquest.sources.ranking import rank_hits
from inquest.text.grounding import check_grounded, place_of
from inquest.text.phrases import count
from inquest.text.sentences import Span, shorten

_NAMED = 3
"""Engines that a message names where none is ready."""
_UNPLANNED_SECONDS = 120.0
"""The time of a case that a third-party graph runs."""


@dataclass(frozen=True)
class DeskWork:
    """The work of a desk in one round."""

    claims: tuple[Claim, ...]
    subject: Subject
    queries: tuple[DeskQuery, ...]
    engines: tuple[str, ...]
    """In order of preference."""
    iteration: int = 1
    until: datetime | None = None
    """Later publications are not evidence."""
    meant: tuple[Meant, ...] = ()
    """The subjects of the case: pages about namesakes are not evidence."""
    read: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Comparison keys of the pages read in earlier rounds, by claim id."""
    responses: Mapping[str, tuple[InfoResponse, ...]] = field(default_factory=dict)
    """Answers of other desks, by claim id."""
    judged: Mapping[str, Mapping[str, Reading]] = field(default_factory=dict)
    """Readings of the same judge from earlier rounds, for any desk, by claim id and place: these are not repeated."""


@dataclass(frozen=True)
class Gathered:
    """The answers and pages for one claim."""

    claim: Claim
    answers: list[tuple[DeskQuery, list[Hit]]]
    """In the desk's order."""
    pages: list[PageRead]
    """The pages that could be read."""
    read: tuple[str, ...]
    """Comparison keys of the pages that were chosen."""
    outages: tuple[OutageNote, ...]
    coverage: Coverage


@dataclass(frozen=True)
class Gathering:
    """The results of a desk in one round, without those for claims that were cut off."""

    claims: tuple[Gathered, ...]
    searches: int
    """Queries sent for these claims. Work begun for a claim that was cut off is not counted, because how far it got is
    random."""
    unanswered: tuple[OutageNote, ...] = ()
    """Outages of engines and pages that were needed for claims that were cut off."""

    def pages_for(self, gathered: Gathered) -> dict[str, PageRead]:
        """Return the pages to judge a claim by, by snapshot: those read for other claims may concern it too. For a
        shared page the claim keeps its own hits: the report must not depend on which fetch finished first."""
        pages = [page for each in reversed(self.claims) for page in each.pages]
        return {page.document.snapshot: page for page in (*pages, *gathered.pages) if page.document}

    def texts_for(self, gathered: Gathered) -> dict[str, Document]:
        """Return the texts of `pages_for`."""
        return {name: page.document for name, page in self.pages_for(gathered).items() if page.document}


def label_of(desk: Desk, work: DeskWork) -> str:
    """Return the label of the desk's work in the list of what was cut off: 'news round 1'."""
    return f"{desk.spec.name} round {work.iteration}"


def query_for_engines(each: DeskQuery, desk: Desk, until: datetime | None) -> Query:
    """Return a desk's query as it is sent to engines, for nothing published after `until`."""
    latest = min(filter(None, (each.query.until, until)), default=None)
    return each.query.model_copy(update={"until": latest, "limit": desk.spec.results_per_query})


def opening(page: PageRead, relevance: float = 0.5) -> SourceReading:
    """Summarise a page by its first words, for pages that no analyst summarises."""
    assert page.document is not None
    return SourceReading(summary=shorten(page.document.text, 300), key_claims=(), relevance=relevance)


async def unanswered(
    planned: Mapping[str, Iterable[Search]], done: Collection[str], retriever: Retriever
) -> tuple[OutageNote, ...]:
    """Return the outages of searches for claims that were cut off. `planned`: by claim id; `done`: the other ids."""
    asked = {search for claim_id in done for search in planned.get(claim_id, ())}
    searches = dict.fromkeys(search for each in planned.values() for search in each)
    return await retriever.unanswered(search for search in searches if search not in asked)


async def gather(desk: Desk, work: DeskWork, services: Services) -> Gathering:
    """Search and read for all claims concurrently. Raises only errors that end a case."""
    round_, label = _Round(desk, work, services), label_of(desk, work)
    try:
        gathered = await services.side_by_side(
            [(f"{label} {claim.id}", partial(round_.gathered, claim)) for claim in work.claims]
        )
        done = {each.claim.id: each for each in gathered if each is not None}
        planned = {claim.id: [search for _, search in round_.searches(claim)] for claim in work.claims}
        missing = await unanswered(planned, done, round_.retriever)
    finally:
        await round_.retriever.close()
    # The same query for two purposes is one.
    searches = {
        (each.engine, each.query.model_dump_json(exclude={"purpose"}))
        for claim_id in done
        for each in planned[claim_id]
    }
    return Gathering(claims=tuple(done.values()), searches=len(searches), unanswered=missing)


class _Round:
    """The queries of a desk in one round, and their retriever."""

    def __init__(self, desk: Desk, work: DeskWork, services: Services) -> None:
        self._desk, self._work, self._services = desk, work, services
        known = {engine.name: engine for engine in services.engines}
        self._ready = [known[name] for name in work.engines if name in known]
        self._queries = self._planned()

        def suited(query: Query) -> list[EngineChoice]:
            return [each for each in self._ready if each.suits(query, frozenset(desk.spec.kinds))]

        rules = SearchRules(Stage.DESKS, label_of(desk, work), agent=desk.spec.agent, suited=suited)
        searches = [search for each in self._queries for search in self._of(each)]
        self.retriever = Retriever(searches, rules, services)

    def searches(self, claim: Claim) -> Iterator[tuple[DeskQuery, Search]]:
        """Yield the claim's queries with the searches they become."""
        for each in self._queries:
            if claim.id in each.claim_ids:
                yield from ((each, search) for search in self._of(each))

    async def gathered(self, claim: Claim) -> Gathered:
        """Search and read for a claim."""
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
        answers: dict[str, tuple[DeskQuery, list[Hit]]] = {}
        for (query, _), answer in zip(asked, found.answers, strict=True):
            answers.setdefault(query.model_dump_json(), (query, []))[1].extend(answer.hits)
        has_queries = any(claim.id in query.claim_ids for query in self._queries)
        outage = await self._no_engine() if not self._ready and has_queries else None
        unready = self._services.titles(outage.names) if outage else ()
        return Gathered(
            claim=claim,
            answers=list(answers.values()),
            pages=found.read,
            read=tuple(page.lead.key for page in found.pages),
            outages=(*((outage,) if outage else ()), *found.outages),
            coverage=found.coverage + Coverage(out=tuple(unready)),
        )

    def _leads(self, claim: Claim, hits: Sequence[Hit]) -> list[Lead]:
        """Choose the best pages that no earlier round has read for the claim."""
        spec = self._desk.spec
        topic = f"{subject_for(claim, self._work.subject).company} {claim.text}"
        seen = self._work.read.get(claim.id, frozenset())
        ranked = rank_hits(hits, topic=topic, rate=self._services.rater.publisher)[: spec.results_per_claim]
        return leads_of(ranked, seen=seen, queries=claim.queries[:1])[: spec.pages_per_claim]

    def _of(self, each: DeskQuery) -> list[Search]:
        query = query_for_engines(each, self._desk, self._work.until)
        return [Search(engine, query) for engine in each.engines or ()]

    def _planned(self) -> tuple[DeskQuery, ...]:
        """Return the queries with their engines. Those of a third-party graph are planned here; in its first round
        earlier fact checks of the claims are searched for too."""
        queries = self._work.queries
        if all(each.engines is not None for each in queries):
            return queries
        first = self._work.iteration == 1 and not any(query.request_id for query in queries)
        texts = {claim_id: each.query.purpose for each in reversed(queries) for claim_id in each.claim_ids}
        name = self._desk.spec.name
        asked = [*queries, *(earlier_checks_of(name, claim_id, text) for claim_id, text in texts.items() if first)]
        limits = limits_for("first", mode=Mode.QUICK, seconds=_UNPLANNED_SECONDS, claims=len(texts), usd=None)
        return plan_desk_searches(asked, {name: frozenset(self._desk.spec.kinds)}, self._ready, limits)[0]

    async def _no_engine(self) -> OutageNote | None:
        """Report that no engine could be queried, if engines of the desk's kinds are not ready."""
        wanted = {*self._desk.spec.kinds, *ALWAYS}
        lacking = [each for each in self._services.engines if each.lacks and wanted & set(each.kinds)]
        if not lacking:
            return None
        names, reasons = [each.name for each in lacking], list(dict.fromkeys(each.lacks or "" for each in lacking))
        more = len(names) - _NAMED
        others = f" and {count(more, 'other')}" if more > 0 else ""
        where = ", ".join(names[:_NAMED]) + others
        called = ", ".join(self._services.titles(names[:_NAMED])) + others
        why = "; ".join(reasons[:_NAMED])
        error = Outage(f"Search is unavailable ({why}): no engine could be queried.")
        note = await self._services.outage("engine", where, error, Stage.DESKS, names=tuple(names))
        return note.model_copy(update={"called": called})


Beside = Sequence[tuple[Desk, DeskWork]]
"""The desks at work in a round, in the order of the case."""
JudgedFor = Mapping[str, tuple[list[Passage], list[Reading]]]
"""The passages of each desk, with their readings."""
PASSAGES = 20
"""Full-size passages judged for one claim of a desk: two desks may judge a claim, in each round."""
_READ = ("stance", "contradiction_type", "confidence", "quote", "details", "reasons", "reason_codes")
"""Fields of a reading that its finding has too."""


async def judged(
    claim: Claim,
    passages: Sequence[Passage],
    services: Services,
    stage: Stage,
    *,
    statements: Sequence[str] = (),
    desk: str = "",
) -> tuple[tuple[Reading, ...], tuple[OutageNote, ...]]:
    """Return one reading per passage, and the outages: of the model, and of passages it gave no usable reading of."""
    found: tuple[Reading, ...] = ()
    outages: tuple[OutageNote, ...] = ()
    if passages:
        found, outages = await services.answered(
            lambda analyst: analyst.assess(claim.text, passages, statements=statements, desk=desk), stage
        )
    unusable = sum(judgement.stance is Stance.UNASSESSED for judgement in found)
    if unusable:
        name = services.analyst.name
        which = f"{unusable} of {len(found)} passages on claim {claim.id}"
        error = ModelFormat(name, f"{name} gave no usable assessment of {which}.")
        outages = (*outages, await services.outage("model", name, error, stage))
    await services.events.emit(
        EventType.CLAIM_CHECKED,
        f"{count(len(passages), 'passage')} assessed: “{shorten(claim.text, 120)}”",
        stage=stage,
        claim_id=claim.id,
        claim_text=claim.text,
    )
    return found, outages


def finding_of(
    number: int, claim: Claim, source: Source, passage: Passage, judgement: Reading, texts: Mapping[str, Document]
) -> Finding:
    """Make the finding of a judged passage. `texts`: by snapshot. Raises Ungrounded if the quote is not in place."""
    start = passage.start + judgement.start
    fields = {
        "id": f"F{number}",
        "source_id": source.id,
        "agent": "inquiry",
        "summary": judgement.reasons[0] if judgement.reasons else "",
        **{name: getattr(judgement, name) for name in _READ},
    }
    return quoting(fields, texts[passage.snapshot], Span(start, start + len(judgement.quote)), claim)


def quoting(fields: Mapping[str, Any], document: Document, span: Span, claim: Claim) -> Finding:
    """Make a finding of `fields`, its quote at this span of the document. Raises Ungrounded if it is not there."""
    finding = Finding.model_validate(
        {
            **fields,
            "claim_id": claim.id,
            "snapshot": document.snapshot,
            "start": span.start,
            "end": span.end,
            "page": document.page_of(span.start),
            "place": place_of(document, span.start, span.end, claim.text),
        }
    )
    return check_grounded(finding, document.text)


async def gathered_together(desk: Desk, work: DeskWork, beside: Beside, services: Services) -> dict[str, Gathering]:
    """Gather for the desk and for those that share claims and a judge with it; return the results by desk."""
    ids = {claim.id for claim in work.claims}
    judge = services.analyst.judge_of(desk.spec.name)
    mates = [
        (each, theirs)
        for each, theirs in beside
        if services.analyst.judge_of(each.spec.name) == judge and ids & {claim.id for claim in theirs.claims}
    ]
    if desk.spec.name not in {each.spec.name for each, _ in mates}:
        return {desk.spec.name: await gather(desk, work, services)}
    found = await asyncio.gather(
        *(
            services.shared.once(work.iteration, label_of(each, theirs), partial(gather, each, theirs, services))
            for each, theirs in mates
        )
    )
    return {each.spec.name: one for (each, _), one in zip(mates, found, strict=True)}


async def judged_together(
    claim: Claim, desk: Desk, work: DeskWork, gatherings: Mapping[str, Gathering], services: Services
) -> tuple[list[Passage], list[Reading], tuple[OutageNote, ...]]:
    """Return the desk's passages on the claim, their readings, and the outages."""
    gathered = [
        (name, gathering, own)
        for name, gathering in gatherings.items()
        for own in gathering.claims
        if own.claim.id == claim.id
    ]
    texts = {name: gathering.texts_for(own) for name, gathering, own in gathered}
    pages = {page.document.snapshot for *_, own in gathered for page in own.pages if page.document}
    statements = tuple(each.text for each in parts_of(claim, subject_for(claim, work.subject).company))
    begin = partial(_judged, claim, statements, texts, pages, work.judged.get(claim.id, {}), services)
    if len(texts) == 1:
        by_desk, missing = await begin()
    else:
        by_desk, missing = await services.shared.once(work.iteration, f"judge {claim.id} for {', '.join(texts)}", begin)
    return (*by_desk[desk.spec.name], missing)


async def _judged(
    claim: Claim,
    statements: Sequence[str],
    texts: Mapping[str, Mapping[str, Document]],
    found_for_it: Collection[str],
    known: Mapping[str, Reading],
    services: Services,
) -> tuple[JudgedFor, tuple[OutageNote, ...]]:
    choose = partial(passages_on, claim.text, limit=PASSAGES, found_for_it=found_for_it)
    chosen = {name: await asyncio.to_thread(choose, texts=own) for name, own in texts.items()}  # long if a page is
    every = (passage for passages in chosen.values() for passage in passages)
    new = firsts((key_of(passage), passage) for passage in every if key_of(passage) not in known)
    asked = [passage.model_copy(update={"id": f"P{number}"}) for number, passage in enumerate(new.values(), 1)]
    desk = next(iter(chosen))
    found, missing = await judged(claim, asked, services, Stage.DESKS, statements=statements, desk=desk)
    by_place = {**known, **dict(zip(new, found, strict=True))}
    return {
        name: (
            passages,
            [by_place[key_of(passage)].model_copy(update={"passage_id": passage.id}) for passage in passages],
        )
        for name, passages in chosen.items()
    }, missing


def key_of(passage: Passage) -> str:
    """Return the place of the passage as a key."""
    return f"{passage.snapshot} {passage.start} {passage.start + len(passage.text)}"


def kept(passages: Sequence[Passage], judgements: Sequence[Reading]) -> dict[str, Reading]:
    """Return the readings that need not be repeated, by place: all but unusable ones."""
    return {
        key_of(passage): judgement
        for passage, judgement in zip(passages, judgements, strict=True)
        if judgement.stance is not Stance.UNASSESSED
    }


async def part_by_part(
    parts: Sequence[ClaimPart], judged: Sequence[tuple[Passage, Reading]], services: Services
) -> list[tuple[Passage, Reading]]:
    """Replace each passage that is neutral on the whole claim by its readings on single statements of it, if any. Only
    the local analyst needs this: it reads one statement at a time, whereas a model names the covered ones."""
    silent = [passage for passage, found in judged if found.stance is Stance.NEUTRAL]
    on_parts: dict[str, list[tuple[Passage, Reading]]] = {}
    for number, part in enumerate(parts if silent else (), 1):
        for passage, found in zip(silent, await services.local.assess(part.text, silent), strict=True):
            if found.stance in (Stance.SUPPORTS, Stance.CONTRADICTS):
                reading = found.model_copy(update={"covers": (number,)})
                on_parts.setdefault(passage.id, []).append((passage, reading))
    return [part for each in judged for part in on_parts.get(each[0].id, [each])]
