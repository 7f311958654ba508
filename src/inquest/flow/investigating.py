"""Run a desk on its claims: gather for all of them, judge each, and collect the findings.

The desk chooses the queries and drafts the findings; I/O happens here. A failure becomes an outage in the result and
never ends the work.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from inquest.claims.parts_of_claim import ClaimPart, parts_of, words_of
from inquest.domain.check import DeskQuery, DeskStatus, InfoRequest, Progress
from inquest.domain.claim import Claim
from inquest.domain.document import Document
from inquest.domain.event import EventType, Stage
from inquest.domain.finding import Finding, Reading, Stance
from inquest.domain.report import EarlierCheck, OutageNote
from inquest.domain.search import Hit
from inquest.domain.source import Source
from inquest.flow.desk_guard import GuardedDesk
from inquest.flow.gathering import (
    Beside,
    DeskWork,
    Gathered,
    Gathering,
    gathered_together,
    judged_together,
    kept,
    label_of,
    opening,
    part_by_part,
    quoting,
)
from inquest.flow.services import Services, subject_for
from inquest.flow.state import DeskResult, new_outages
from inquest.kit.analyst import Passage
from inquest.kit.desk import Desk, DeskEvent, FindingDraft, JudgedPassage, Results
from inquest.retrieval.reading import source_of
from inquest.text.phrases import count
from inquest.text.sentences import Span
from inquest.text.urls import comparison_key
from inquest.verdicts.reviews import reviews_of

_DRAFTED = FindingDraft.model_fields.keys() - {"passage_id", "start", "end"}
"""Fields of a draft that its finding has too."""


async def investigate(desk: Desk, work: DeskWork, services: Services, beside: Beside = ()) -> DeskResult:
    """Return the desk's findings on its claims. Claims cut off by the budget have no findings and are in the cut list.
    `beside`: all desks of the round, this one included; passages of one claim are judged in one call."""
    return await _Investigation(desk, work, services).result(beside)


@dataclass(frozen=True)
class _ClaimResult:
    gathered: Gathered
    sources: tuple[Source, ...]
    """Of all pages judged; their ids are still snapshots."""
    findings: tuple[Finding, ...]
    judged: Mapping[str, Reading]
    """By place."""
    requests: tuple[InfoRequest, ...]
    reviews: tuple[EarlierCheck, ...]
    outages: tuple[OutageNote, ...]
    failed: str


class _Investigation:
    """The work of a desk in one round."""

    def __init__(self, desk: Desk, work: DeskWork, services: Services) -> None:
        self._desk, self._work, self._services = desk, work, services
        self._name, self._title = desk.spec.name, desk.spec.title
        self._number = f"{len(work.claims)} claims" if len(work.claims) > 1 else "1 claim"

    async def result(self, beside: Beside) -> DeskResult:
        await self._emit(EventType.AGENT_STARTED, f"{self._title}: the desk has started.")
        work = self._work
        if not work.claims:
            return DeskResult(desk=self._name, status=DeskStatus(desk=self._name, status=Progress.COMPLETED))
        again = f" again (round {work.iteration})" if work.iteration > 1 else ""
        await self._emit(EventType.AGENT_THINKING, f"Investigating {self._number}{again}: {self._title}.")
        together = await gathered_together(self._desk, work, beside, self._services)
        label, gathering = label_of(self._desk, work), together[self._name]
        judged = await self._services.side_by_side(
            [
                (f"{label} {each.claim.id} judged", partial(self._judge, each, together, gathering))
                for each in gathering.claims
            ]
        )
        return await self._joined([each for each in judged if each is not None], gathering)

    async def _judge(self, gathered: Gathered, together: Mapping[str, Gathering], own: Gathering) -> _ClaimResult:
        claim, work, services = gathered.claim, self._work, self._services
        pages, texts, subject = own.pages_for(gathered), own.texts_for(gathered), subject_for(claim, work.subject)
        passages, judgements, missing = await judged_together(claim, self._desk, work, together, services)
        parts = parts_of(claim, subject.company)
        read = list(zip(passages, judgements, strict=True))
        if parts and services.analyst is services.local:
            read = await part_by_part(parts, read, services)
        with_passages = {passage.snapshot for passage in passages}
        titles = [document.title for document in texts.values() if document.title]
        sources: dict[str, Source] = {}
        for name, page in pages.items():
            if name in with_passages:
                source = source_of(page, opening(page), work.until, services, work.meant, titles)
                sources[name] = source.model_copy(update={"id": source.snapshot})
        hits = {name: page.lead.hits for name, page in pages.items()}
        all_hits = [hit for _, answer in gathered.answers for hit in answer]
        results = Results(
            evidence=tuple(_evidence(read, parts, sources, gathered.answers, hits)),
            queries=tuple(query for query, _ in gathered.answers),
            hits=len({comparison_key(hit.url) for hit in all_hits}),
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
        defects = await guarded.outages(services, Stage.DESKS)
        return _ClaimResult(
            gathered=gathered,
            sources=tuple(sources.values()),
            findings=findings,
            judged=kept(passages, judgements),
            requests=requests,
            reviews=reviews_of(all_hits, [page.document for page in gathered.pages if page.document]),
            outages=(*results.outages, *defects),
            failed=failed,
        )

    def _finding(
        self, draft: FindingDraft, claim: Claim, passages: Mapping[str, Passage], texts: Mapping[str, Document]
    ) -> Finding:
        """Make the finding of a draft, which quotes its passage or else the claim itself."""
        fields = {"id": "", "claim_id": claim.id, "agent": self._name, "iteration": self._work.iteration}
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

    async def _joined(self, parts: Sequence[_ClaimResult], gathering: Gathering) -> DeskResult:
        """Join the results of all claims under provisional ids, one source per page."""
        prefix = f"{self._name}.{self._work.iteration}"
        names: dict[str, str] = {}
        sources: list[Source] = []
        findings: list[Finding] = []
        for part in parts:
            for source in part.sources:
                if source.snapshot not in names:
                    names[source.snapshot] = f"{prefix}.S{len(names) + 1}"
                    sources.append(source.model_copy(update={"id": names[source.snapshot]}))
            for finding in part.findings:
                owner = names.get(finding.source_id, finding.source_id)
                update = {"id": f"{prefix}.F{len(findings) + 1}", "source_id": owner}
                findings.append(finding.model_copy(update=update))
        against = sum(finding.stance is Stance.CONTRADICTS for finding in findings)
        failed = " ".join(dict.fromkeys(part.failed for part in parts if part.failed))
        status = DeskStatus(
            desk=self._name,
            status=Progress.ERROR if failed else Progress.COMPLETED,
            error=failed,
            claims_assigned=len(self._work.claims),
            claims_completed=len(parts),
            searches=gathering.searches,
            findings=len(findings),
            contradictions=against,
        )
        await self._emit(
            EventType.AGENT_COMPLETED,
            f"{self._title}: the desk is done, {len(parts)} of {self._number}, {against} against.",
            claims_processed=len(parts),
            findings_count=len(findings),
            contradictions_count=against,
        )
        # Claims that were gathered for and not judged before the case ended have outages too.
        met = {part.gathered.claim.id: part.outages for part in parts}
        outages = [note for each in gathering.claims for note in met.get(each.claim.id, each.outages)]
        return DeskResult(
            desk=self._name,
            sources=tuple(sources),
            findings=tuple(findings),
            requests=tuple(request for part in parts for request in part.requests),
            reviews=tuple(review for part in parts for review in part.reviews),
            read={part.gathered.claim.id: part.gathered.read for part in parts},
            judged={part.gathered.claim.id: dict(part.judged) for part in parts},
            coverage={part.gathered.claim.id: part.gathered.coverage for part in parts},
            status=status,
            outages=new_outages([*gathering.unanswered, *outages], ()),
        )

    async def _emit(self, type: EventType, text: str, /, **data: object) -> None:
        agent, emit = self._desk.spec.agent, self._services.events.emit
        await emit(type, text, stage=Stage.DESKS, agent_name=agent, **data)  # type: ignore[arg-type]


def _evidence(
    read: Sequence[tuple[Passage, Reading]],
    parts: Sequence[ClaimPart],
    sources: Mapping[str, Source],
    answers: Sequence[tuple[DeskQuery, list[Hit]]],
    hits: Mapping[str, tuple[Hit, ...]],
) -> list[JudgedPassage]:
    angles: dict[str, dict[str, None]] = {}
    for query, found in answers:
        for hit in found:
            angles.setdefault(comparison_key(hit.url), {})[query.angle] = None
    made = []
    for passage, judgement in read:
        led = {angle for hit in hits[passage.snapshot] for angle in angles.get(comparison_key(hit.url), ())}
        made.append(
            JudgedPassage(
                source=sources[passage.snapshot],
                passage=passage,
                judgement=judgement,
                angles=tuple(sorted(led)),
                hits=hits[passage.snapshot],
                part=words_of(judgement.covers, parts),
            )
        )
    return made
