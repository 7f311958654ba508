"""Run desks on their claims: gather for all of them, judge each, and collect the findings.

A desk chooses the queries and drafts the findings; I/O happens here. A failure becomes an outage in the result and
never ends the work. Each desk chooses passages from its own pages, as it would alone. The analyst judges the passages
of all desks for a claim in one call, each passage once, and each desk takes the readings of its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from inquest.claims.parts_of_claim import parts_of, words_of
from inquest.domain.check import DeskQuery, DeskStatus, InfoResponse, Progress
from inquest.domain.claim import Claim
from inquest.domain.document import Document
from inquest.domain.errors import Outage
from inquest.domain.event import EventType, Stage
from inquest.domain.finding import Finding, Reading, Stance
from inquest.domain.plan import Meant, Mode
from inquest.domain.report import Coverage, OutageNote
from inquest.domain.search import Hit, Query
from inquest.domain.source import Source
from inquest.domain.value import firsts, grouped
from inquest.flow.desk_guard import GuardedDesk
from inquest.flow.gathering import (
    judged,
    kept,
    key_of,
    opening,
    part_by_part,
    query_for_engines,
    quoting,
    unanswered,
)
from inquest.flow.services import ALWAYS, Services, subject_for
from inquest.flow.state import DeskResult, new_outages
from inquest.kit.analyst import Passage
from inquest.kit.desk import Desk, DeskEvent, FindingDraft, JudgedPassage, Results, Subject
from inquest.retrieval.answers import Search
from inquest.retrieval.engine_choice import EngineChoice
from inquest.retrieval.fanout import Piece
from inquest.retrieval.passages import passages_on
from inquest.retrieval.reading import Lead, PageRead, leads_of, source_of
from inquest.retrieval.retriever import Retriever, SearchRules
from inquest.retrieval.search_plan import earlier_checks_of, limits_for, plan_desk_searches
from inquest.sources.ranking import rank_hits
from inquest.text.phrases import count
from inquest.text.sentences import Span, shorten
from inquest.text.urls import comparison_key
from inquest.verdicts.reviews import reviews_of

_NAMED = 3
"""Engines that a message names where none is ready."""
_UNPLANNED_SECONDS = 120.0
"""The time of a case that a third-party graph runs."""
PASSAGES = 20
"""Full-size passages judged for one claim of a desk: two desks may judge a claim, in each round."""
_DRAFTED = FindingDraft.model_fields.keys() - {"passage_id", "start", "end"}
"""Fields of a draft that its finding has too."""


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
    """In the desk's order; no hits for a query without engines."""
    pages: list[PageRead]
    """The pages that could be read."""
    read: tuple[str, ...]
    """Comparison keys of the pages that were chosen."""
    outages: tuple[OutageNote, ...]
    coverage: Coverage


async def investigate(works: Sequence[tuple[Desk, DeskWork]], services: Services) -> list[DeskResult]:
    """Return the desks' results on their claims. Claims cut off by the budget have no findings and are in the cut
    list. Raises only errors that end a case."""
    desks = [_Investigation(desk, work, services) for desk, work in works]
    gathering = [asyncio.ensure_future(each.gather()) for each in desks]
    try:
        await asyncio.gather(*gathering)
    finally:
        for task in gathering:
            task.cancel()
    pieces: list[Piece[list[DeskResult]]] = []
    for group in grouped((services.analyst.judge_of(each.name), each) for each in desks).values():
        for id in dict.fromkeys(id for each in group for id in each.gathered):
            having = [each for each in group if id in each.gathered]
            pieces.append((f"{having[0].label} {id} judged", partial(_judged, id, having, services)))
    done = await services.side_by_side(pieces)
    by_claim = {(one.desk, id): one for each in done if each is not None for one in each for id in one.read}
    return [
        await each.joined([by_claim[each.name, id] for id in each.gathered if (each.name, id) in by_claim])
        for each in desks
    ]


async def _judged(claim_id: str, desks: Sequence[_Investigation], services: Services) -> list[DeskResult]:
    """Return the results of desks on a claim. Passages that the same judge has read in an earlier round are known."""
    work, claim = desks[0].work, desks[0].gathered[claim_id].claim
    found_for_it = {page.document.snapshot for each in desks for page in each.gathered[claim_id].pages if page.document}
    choose = partial(passages_on, claim.text, limit=PASSAGES, found_for_it=found_for_it)
    # Choosing takes long if a page is long.
    chosen = [await asyncio.to_thread(choose, texts=each.texts_for(claim_id)) for each in desks]
    known = work.judged.get(claim_id, {})
    every = (passage for passages in chosen for passage in passages)
    new = firsts((key_of(passage), passage) for passage in every if key_of(passage) not in known)
    asked = [passage.model_copy(update={"id": f"P{number}"}) for number, passage in enumerate(new.values(), 1)]
    statements = tuple(each.text for each in parts_of(claim, subject_for(claim, work.subject).company))
    found, missing = await judged(claim, asked, services, Stage.DESKS, statements=statements, desk=desks[0].name)
    by_place = {**known, **dict(zip(new, found, strict=True))}
    results = []
    for desk, passages in zip(desks, chosen, strict=True):
        readings = [by_place[key_of(each)].model_copy(update={"passage_id": each.id}) for each in passages]
        results.append(await desk.concluded(claim_id, passages, readings, missing))
    return results


class _Investigation:
    """The work of a desk in one round: its searches, and what they found."""

    def __init__(self, desk: Desk, work: DeskWork, services: Services) -> None:
        self._desk, self.work, self._services = desk, work, services
        self.name, self._title = desk.spec.name, desk.spec.title
        self.label = f"{self.name} round {work.iteration}"
        """The label of its work in the list of what was cut off."""
        self._number = f"{len(work.claims)} claims" if len(work.claims) > 1 else "1 claim"
        self.gathered: dict[str, Gathered] = {}
        """By claim id, without claims that were cut off."""
        self._searches = 0
        """Queries sent for these claims. Work begun for a claim that was cut off is not counted, because how far it got
        is random."""
        self._unanswered: tuple[OutageNote, ...] = ()
        """Outages of engines and pages that were needed for claims that were cut off."""
        known = {engine.name: engine for engine in services.engines}
        self._ready = [known[name] for name in work.engines if name in known]
        self._queries = self._planned()

    async def gather(self) -> None:
        """Search and read for all claims concurrently."""
        desk, work = self._desk, self.work
        await self._emit(EventType.AGENT_STARTED, f"{self._title}: the desk has started.")
        if not work.claims:
            return
        again = f" again (round {work.iteration})" if work.iteration > 1 else ""
        await self._emit(EventType.AGENT_THINKING, f"Investigating {self._number}{again}: {self._title}.")

        def suited(query: Query) -> list[EngineChoice]:
            return [each for each in self._ready if each.suits(query, frozenset(desk.spec.kinds))]

        rules = SearchRules(Stage.DESKS, self.label, agent=desk.spec.agent, suited=suited)
        planned = {claim.id: [search for _, search in self._asked(claim)] for claim in work.claims}
        retriever = Retriever((search for each in self._queries for search in self._of(each)), rules, self._services)
        try:
            gathered = await self._services.side_by_side(
                [(f"{self.label} {claim.id}", partial(self._gathered, claim, retriever)) for claim in work.claims]
            )
            self.gathered = {each.claim.id: each for each in gathered if each is not None}
            self._unanswered = await unanswered(planned, self.gathered, retriever)
        finally:
            await retriever.close()
        # The same query for two purposes is one.
        sent = (each for claim_id in self.gathered for each in planned[claim_id])
        self._searches = len({(each.engine, each.query.model_dump_json(exclude={"purpose"})) for each in sent})

    async def _gathered(self, claim: Claim, retriever: Retriever) -> Gathered:
        """Search and read for a claim."""
        text = f'{self._title}: "{shorten(claim.text, 120)}"'
        await self._emit(EventType.CLAIM_INVESTIGATING, text, claim_id=claim.id, claim_text=claim.text)
        asked = list(self._asked(claim))
        found = await retriever.find([search for _, search in asked], partial(self._leads, claim))
        answers: dict[str, tuple[DeskQuery, list[Hit]]] = {
            each.model_dump_json(): (each, []) for each in self._queries if claim.id in each.claim_ids
        }
        for (query, _), answer in zip(asked, found.answers, strict=True):
            answers[query.model_dump_json()][1].extend(answer.hits)
        outage = await self._no_engine() if not self._ready and answers else None
        unready = self._services.titles(outage.names) if outage else ()
        return Gathered(
            claim=claim,
            answers=list(answers.values()),
            pages=found.read,
            read=tuple(page.lead.key for page in found.pages),
            outages=(*((outage,) if outage else ()), *found.outages),
            coverage=found.coverage + Coverage(out=tuple(unready)),
        )

    def _asked(self, claim: Claim) -> Iterator[tuple[DeskQuery, Search]]:
        """Yield the claim's queries with the searches they become."""
        for each in self._queries:
            if claim.id in each.claim_ids:
                yield from ((each, search) for search in self._of(each))

    def _leads(self, claim: Claim, hits: Sequence[Hit]) -> list[Lead]:
        """Choose the best pages that no earlier round has read for the claim."""
        spec = self._desk.spec
        topic = f"{subject_for(claim, self.work.subject).company} {claim.text}"
        seen = self.work.read.get(claim.id, frozenset())
        ranked = rank_hits(hits, topic=topic, rate=self._services.rater.publisher)
        # The rows of registers are on this machine, and their registers have ranked them.
        rows = sorted((each for each in ranked if "registry" in each.hit.details), key=lambda each: each.hit.rank)
        pages = [each for each in ranked if each not in rows][: spec.results_per_claim]
        found = (leads_of(each, seen=seen, queries=claim.queries[:1])[: spec.pages_per_claim] for each in (rows, pages))
        return [lead for leads in found for lead in leads]

    def _of(self, each: DeskQuery) -> list[Search]:
        query = query_for_engines(each, self._desk, self.work.until)
        return [Search(engine, query) for engine in each.engines or ()]

    def _planned(self) -> tuple[DeskQuery, ...]:
        """Return the queries with their engines. Those of a third-party graph are planned here; in its first round
        earlier fact checks of the claims are searched for too."""
        queries = self.work.queries
        if all(each.engines is not None for each in queries):
            return queries
        first = self.work.iteration == 1 and not any(query.request_id for query in queries)
        texts = {claim_id: each.query.purpose for each in reversed(queries) for claim_id in each.claim_ids}
        asked = [*queries, *(earlier_checks_of(self.name, claim_id, text) for claim_id, text in texts.items() if first)]
        limits = limits_for("first", mode=Mode.QUICK, seconds=_UNPLANNED_SECONDS, claims=len(texts), usd=None)
        return plan_desk_searches(asked, {self.name: frozenset(self._desk.spec.kinds)}, self._ready, limits)[0]

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

    def _pages_for(self, claim_id: str) -> dict[str, PageRead]:
        """Return the pages to judge a claim by, by snapshot: those read for other claims may concern it too. For a
        shared page the claim keeps its own hits: the report must not depend on which fetch finished first."""
        pages = [page for each in reversed(self.gathered.values()) for page in each.pages]
        return {page.document.snapshot: page for page in (*pages, *self.gathered[claim_id].pages) if page.document}

    def texts_for(self, claim_id: str) -> dict[str, Document]:
        """Return the texts of the pages to judge a claim by, by snapshot."""
        return {name: page.document for name, page in self._pages_for(claim_id).items() if page.document}

    async def concluded(
        self, claim_id: str, passages: list[Passage], judgements: list[Reading], missing: tuple[OutageNote, ...]
    ) -> DeskResult:
        """Return the desk's result on a claim, from the readings of its passages."""
        work, services, gathered = self.work, self._services, self.gathered[claim_id]
        claim, pages, texts = gathered.claim, self._pages_for(claim_id), self.texts_for(claim_id)
        subject = subject_for(claim, work.subject)
        parts = parts_of(claim, subject.company)
        read = list(zip(passages, judgements, strict=True))
        if parts and services.analyst is services.local:
            read = await part_by_part(parts, read, services)
        titles = [document.title for document in texts.values() if document.title]
        sources: dict[str, Source] = {}
        for name in (name for name in pages if any(passage.snapshot == name for passage in passages)):
            source = source_of(pages[name], opening(pages[name]), work.until, services, work.meant, titles)
            sources[name] = source.model_copy(update={"id": source.snapshot})
        angles: dict[str, set[str]] = {}
        for query, answer in gathered.answers:
            for hit in answer:
                angles.setdefault(comparison_key(hit.url), set()).add(query.angle)
        results = Results(
            evidence=tuple(
                JudgedPassage(
                    source=sources[passage.snapshot],
                    passage=passage,
                    judgement=judgement,
                    angles=tuple(sorted(set().union(*(angles.get(comparison_key(hit.url), ()) for hit in hits)))),
                    hits=hits,
                    part=words_of(judgement.covers, parts),
                )
                for passage, judgement in read
                for hits in [pages[passage.snapshot].lead.hits]
            ),
            queries=tuple(query for query, _ in gathered.answers),
            hits=len(angles),
            outages=(*gathered.outages, *missing),
            responses=work.responses.get(claim.id, ()),
            iteration=work.iteration,
        )
        guarded, by_id = GuardedDesk(self._desk), {passage.id: passage for passage in passages}

        def made(drafts: tuple[FindingDraft, ...]) -> tuple[tuple[FindingDraft, ...], tuple[Finding, ...]]:
            return drafts, tuple(self._finding(draft, claim, by_id, texts) for draft in drafts)

        # If the desk fails or a quote is not in the text, an error is the only finding.
        failing = f"The work on claim {claim.id} failed"
        drafts, findings = guarded.attempt(
            failing, lambda: made(guarded.findings(claim, subject, results)), None
        ) or made(
            (FindingDraft(evidence_type="error", stance=Stance.UNASSESSED, confidence=0.0, summary=guarded.failed),)
        )
        asks = work.iteration == 1 and not guarded.failed
        requests = guarded.requests(claim, subject, drafts) if asks else ()
        desk_events = guarded.events(claim, drafts, results)
        if failed := guarded.failed:
            await self._emit(EventType.ERROR, f"{self._title}: {failed}", claim_id=claim.id, message=failed)
        await self._report_findings(claim, drafts, desk_events, results)
        hits = (hit for _, answer in gathered.answers for hit in answer)
        return DeskResult(
            desk=self.name,
            sources=tuple(sources.values()),
            findings=findings,
            requests=requests,
            reviews=reviews_of(hits, [page.document for page in gathered.pages if page.document]),
            read={claim.id: gathered.read},
            judged={claim.id: kept(passages, judgements)},
            coverage={claim.id: gathered.coverage},
            status=DeskStatus(desk=self.name, status=Progress.COMPLETED, error=failed),
            outages=(*results.outages, *await guarded.outages(services, Stage.DESKS)),
        )

    def _finding(
        self, draft: FindingDraft, claim: Claim, passages: Mapping[str, Passage], texts: Mapping[str, Document]
    ) -> Finding:
        """Make the finding of a draft, which quotes its passage or else the claim itself."""
        fields = {"id": "", "claim_id": claim.id, "agent": self.name, "iteration": self.work.iteration}
        fields |= {name: getattr(draft, name) for name in _DRAFTED}
        if not draft.passage_id:
            return Finding.model_validate({**fields, **claim.mentions[0].model_dump(), "page": claim.page})
        passage = passages[draft.passage_id]
        fields |= {"source_id": passage.snapshot, "quote": passage.text[draft.start : draft.end]}
        span = Span(passage.start + draft.start, passage.start + draft.end)
        return quoting(fields, texts[passage.snapshot], span, claim)

    async def _report_findings(
        self, claim: Claim, drafts: Sequence[FindingDraft], desk_events: Sequence[DeskEvent], results: Results
    ) -> None:
        for event in desk_events:
            await self._emit(event.type, event.text, **event.data)
        reported = {event.data.get("message") for event in desk_events if event.type is EventType.ERROR}
        for note in results.outages:
            if note.why not in reported:
                await self._emit(EventType.ERROR, f"{note.where}: {note.why}", claim_id=claim.id, message=note.why)
        sides = {draft.stance for draft in drafts} & {Stance.SUPPORTS, Stance.CONTRADICTS}
        await self._emit(
            EventType.EVIDENCE_FOUND,
            f"{self._title}: {count(len(drafts), 'finding')} on claim {claim.id}.",
            claim_id=claim.id,
            findings_count=len(drafts),
            supports_claim=Stance.SUPPORTS in sides if len(sides) == 1 else None,
        )

    async def joined(self, parts: Sequence[DeskResult]) -> DeskResult:
        """Join the results on all claims, one source per page."""
        if not self.work.claims:
            return DeskResult(desk=self.name, status=DeskStatus(desk=self.name, status=Progress.COMPLETED))
        every = [finding for part in parts for finding in part.findings]
        against = sum(finding.stance is Stance.CONTRADICTS for finding in every)
        failed = " ".join(dict.fromkeys(part.status.error for part in parts if part.status.error))
        await self._emit(
            EventType.AGENT_COMPLETED,
            f"{self._title}: the desk is done, {len(parts)} of {self._number}, {against} against.",
            claims_processed=len(parts),
            findings_count=len(every),
            contradictions_count=against,
        )
        # Claims that were gathered for and not judged before the case ended have outages too.
        met = {claim_id: part.outages for part in parts for claim_id in part.read}
        outages = [note for id, each in self.gathered.items() for note in met.get(id, each.outages)]
        return DeskResult(
            desk=self.name,
            sources=tuple(firsts((source.id, source) for part in parts for source in part.sources).values()),
            findings=tuple(every),
            requests=tuple(request for part in parts for request in part.requests),
            reviews=tuple(review for part in parts for review in part.reviews),
            read={id: pages for part in parts for id, pages in part.read.items()},
            judged={id: readings for part in parts for id, readings in part.judged.items()},
            coverage={id: each for part in parts for id, each in part.coverage.items()},
            status=DeskStatus(
                desk=self.name,
                status=Progress.ERROR if failed else Progress.COMPLETED,
                error=failed,
                claims_assigned=len(self.work.claims),
                claims_completed=len(parts),
                searches=self._searches,
                findings=len(every),
                contradictions=against,
            ),
            outages=new_outages([*self._unanswered, *outages], ()),
        )

    async def _emit(self, type: EventType, text: str, /, **data: object) -> None:
        agent, emit = self._desk.spec.agent, self._services.events.emit
        await emit(type, text, stage=Stage.DESKS, agent_name=agent, **data)  # type: ignore[arg-type]
