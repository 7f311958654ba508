"""A desk at work on its claims: all its questions at once, and each claim judged as soon as its own pages are in.

The desk says what to ask and what it comes to; what touches the outside happens here. What fails is a result: an outage
among the desk's findings, never the end of its work.
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
from inquest.domain.finding import Finding, Stance
from inquest.domain.reading import Reading
from inquest.domain.report import EarlierCheck, OutageNote
from inquest.domain.search import Hit
from inquest.domain.source import Source
from inquest.flow.desk_guard import GuardedDesk
from inquest.flow.gathering import DeskWork, Gathered, Gathering, label_of
from inquest.flow.joining import DeskResult, new_outages
from inquest.flow.judging import Beside, gathered_together, judged_together, kept, part_by_part
from inquest.flow.services import Services, subject_for
from inquest.kit.analyst import Passage, SourceReading
from inquest.kit.desk import Desk, DeskEvent, FindingDraft, JudgedPassage, Results
from inquest.retrieval.reading import PageRead, source_of
from inquest.sources.source_names import named_sources
from inquest.text.grounding import check_grounded, place_of
from inquest.text.phrases import count
from inquest.text.sentences import shorten
from inquest.text.urls import comparison_key
from inquest.verdicts.reviews import reviews_of

__all__ = ["DeskWork", "investigate"]


async def investigate(desk: Desk, work: DeskWork, services: Services, beside: Beside = ()) -> DeskResult:
    """The desk's findings on its claims. Raises nothing but BudgetMet's consequences: claims that were cut off have no
    findings, and the cut list says so. `beside`: all desks of the round, this one among them, with whom a claim is put
    before the analyst as one."""
    agent, claims = desk.spec.agent, work.claims
    await _tell(services, EventType.AGENT_STARTED, f"{desk.spec.title}: the desk has started.", agent)
    if not claims:
        status = DeskStatus(desk=desk.spec.name, status=Progress.COMPLETED)
        return DeskResult(desk=desk.spec.name, status=status)
    again = f" again (round {work.iteration})" if work.iteration > 1 else ""
    many = f"{len(claims)} claims" if len(claims) > 1 else "1 claim"
    await _tell(services, EventType.AGENT_THINKING, f"Investigating {many}{again}: {desk.spec.title}.", agent)
    together = await gathered_together(desk, work, beside, services)
    own = together[desk.spec.name]
    done = await services.side_by_side(
        [
            (f"{label_of(desk, work)} {each.claim.id} judged", partial(_judge, each, together, desk, work, services))
            for each in own.claims
        ]
    )
    return await _result(desk, work, [each for each in done if each is not None], own, services)


@dataclass(frozen=True)
class _Done:
    """One claim's part."""

    gathered: Gathered
    sources: tuple[Source, ...]
    """Those that a finding rests on or names; ids are snapshots still."""
    findings: tuple[Finding, ...]
    judged: Mapping[str, Reading]
    """By place."""
    requests: tuple[InfoRequest, ...]
    reviews: tuple[EarlierCheck, ...]
    outages: tuple[OutageNote, ...]
    failed: str = ""


async def _judge(
    gathered: Gathered,
    together: Mapping[str, Gathering],
    desk: Desk,
    work: DeskWork,
    services: Services,
) -> _Done:
    claim = gathered.claim
    own, texts = together[desk.spec.name].pages_for(gathered), together[desk.spec.name].texts_for(gathered)
    passages, judgements, missing = await judged_together(claim, desk, work, together, services)
    parts = parts_of(claim, subject_for(claim, work.subject).company)
    read = list(zip(passages, judgements, strict=True))
    if parts and services.analyst is services.local:
        read = await part_by_part(parts, read, services)
    spoken = {passage.snapshot for passage in passages}
    titles = [document.title for document in texts.values() if document.title]
    sources = {name: _source(page, work, services, titles) for name, page in own.items() if name in spoken}
    hits = {name: page.lead.hits for name, page in own.items()}
    given = [hit for _, found in gathered.answers for hit in found]
    results = Results(
        evidence=tuple(_evidence(read, parts, sources, gathered.answers, hits)),
        queries=tuple(query for query, _ in gathered.answers),
        hits=len({comparison_key(hit.url) for hit in given}),
        outages=(*gathered.outages, *missing),
        responses=work.responses.get(claim.id, ()),
        iteration=work.iteration,
    )
    guarded, by_id = GuardedDesk(desk), {passage.id: passage for passage in passages}
    drafts, findings = _drafted(guarded, claim, work, results, by_id, texts)
    asks = work.iteration == 1 and not guarded.failed
    requests = guarded.requests(claim, subject_for(claim, work.subject), drafts) if asks else ()
    desk_events = guarded.events(claim, drafts, results)
    if guarded.failed:
        await _tell(
            services,
            EventType.ERROR,
            f"{desk.spec.title}: {guarded.failed}",
            desk.spec.agent,
            claim_id=claim.id,
            message=guarded.failed,
        )
    await _tell_findings(claim, desk, drafts, desk_events, results, services)
    defects = await guarded.outages(services, Stage.DESKS)
    meant = {finding.snapshot for finding in findings}.union(*map(named_sources, findings))
    had = [page.document for page in gathered.pages if page.document]
    return _Done(
        gathered=gathered,
        sources=tuple(each for snapshot, each in sources.items() if snapshot in meant or each.other_bearer),
        findings=findings,
        judged=kept(passages, judgements),
        requests=requests,
        reviews=reviews_of(given, had),
        outages=(*results.outages, *defects),
        failed=guarded.failed,
    )


def _drafted(
    desk: GuardedDesk,
    claim: Claim,
    work: DeskWork,
    results: Results,
    passages: Mapping[str, Passage],
    texts: Mapping[str, Document],
) -> tuple[tuple[FindingDraft, ...], tuple[Finding, ...]]:
    """What the desk makes of it, and each draft on its words; one error finding where it fails, or a quote does not
    stand where a draft has it."""

    def made(drafts: tuple[FindingDraft, ...]) -> tuple[tuple[FindingDraft, ...], tuple[Finding, ...]]:
        return drafts, tuple(_finding(draft, claim, desk.spec.name, work, passages, texts) for draft in drafts)

    done = desk.attempt(
        f"The work on claim {claim.id} failed",
        lambda: made(desk.findings(claim, subject_for(claim, work.subject), results)),
        None,
    )
    if done is not None:
        return done
    return made((FindingDraft(evidence_type="error", stance=Stance.UNASSESSED, confidence=0.0, summary=desk.failed),))


def _source(page: PageRead, work: DeskWork, services: Services, beside: Sequence[str]) -> Source:
    assert page.document is not None
    reading = SourceReading(summary=shorten(page.document.text, 300), key_claims=(), relevance=0.5)
    source = source_of(page, reading, work.until, services, work.meant, beside)
    return source.model_copy(update={"id": source.snapshot})


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


def _finding(
    draft: FindingDraft,
    claim: Claim,
    desk: str,
    work: DeskWork,
    passages: Mapping[str, Passage],
    texts: Mapping[str, Document],
) -> Finding:
    """The finding on its words: a passage's, or else the claim's own where they stand."""
    common = {
        "id": "",
        "claim_id": claim.id,
        "agent": desk,
        "evidence_type": draft.evidence_type,
        "stance": draft.stance,
        "contradiction_type": draft.contradiction_type,
        "confidence": draft.confidence,
        "summary": draft.summary,
        "details": draft.details,
        "references": draft.references,
        "reasons": draft.reasons,
        "reason_codes": draft.reason_codes,
        "iteration": work.iteration,
    }
    passage = passages[draft.passage_id] if draft.passage_id else None
    if passage is None:
        where = claim.mentions[0]
        return Finding.model_validate(
            common
            | {
                "source_id": where.source_id,
                "snapshot": where.snapshot,
                "quote": where.quote,
                "start": where.start,
                "end": where.end,
                "page": claim.page,
            }
        )
    document, start = texts[passage.snapshot], passage.start + draft.start
    finding = Finding.model_validate(
        common
        | {
            "source_id": passage.snapshot,
            "snapshot": passage.snapshot,
            "quote": passage.text[draft.start : draft.end],
            "start": start,
            "end": passage.start + draft.end,
            "page": document.page_of(start),
            "place": place_of(document, start, passage.start + draft.end, claim.text),
        }
    )
    check_grounded(finding, document.text)
    return finding


async def _tell_findings(
    claim: Claim,
    desk: Desk,
    drafts: Sequence[FindingDraft],
    desk_events: Sequence[DeskEvent],
    results: Results,
    services: Services,
) -> None:
    agent = desk.spec.agent
    for event in desk_events:
        await _tell(services, event.type, event.text, agent, **event.data)
    reported = {each.data.get("message") for each in desk_events if each.type is EventType.ERROR}
    for note in [each for each in results.outages if each.why not in reported]:
        await _tell(services, EventType.ERROR, f"{note.where}: {note.why}", agent, claim_id=claim.id, message=note.why)
    sides = {draft.stance for draft in drafts} & {Stance.SUPPORTS, Stance.CONTRADICTS}
    await _tell(
        services,
        EventType.EVIDENCE_FOUND,
        f"{desk.spec.title}: {count(len(drafts), 'finding')} on claim {claim.id}.",
        agent,
        claim_id=claim.id,
        findings_count=len(drafts),
        supports_claim=Stance.SUPPORTS in sides if len(sides) == 1 else None,
    )


async def _result(
    desk: Desk, work: DeskWork, done: Sequence[_Done], gathering: Gathering, services: Services
) -> DeskResult:
    """All claims' parts as one, with provisional ids: one source per page."""
    prefix = f"{desk.spec.name}.{work.iteration}"
    names: dict[str, str] = {}
    sources: list[Source] = []
    findings: list[Finding] = []
    for part in done:
        for source in part.sources:
            if source.snapshot not in names:
                names[source.snapshot] = f"{prefix}.S{len(names) + 1}"
                sources.append(source.model_copy(update={"id": names[source.snapshot]}))
        for finding in part.findings:
            owner = names.get(finding.source_id, finding.source_id)
            update = {"id": f"{prefix}.F{len(findings) + 1}", "source_id": owner}
            findings.append(finding.model_copy(update=update))
    many = f"{len(work.claims)} claims" if len(work.claims) > 1 else "1 claim"
    against = sum(finding.stance is Stance.CONTRADICTS for finding in findings)
    failed = " ".join(dict.fromkeys(part.failed for part in done if part.failed))
    status = DeskStatus(
        desk=desk.spec.name,
        status=Progress.ERROR if failed else Progress.COMPLETED,
        error=failed,
        claims_assigned=len(work.claims),
        claims_completed=len(done),
        searches=gathering.searches,
        findings=len(findings),
        contradictions=against,
    )
    await _tell(
        services,
        EventType.AGENT_COMPLETED,
        f"{desk.spec.title}: the desk is done, {len(done)} of {many}, {against} against.",
        desk.spec.agent,
        claims_processed=len(done),
        findings_count=len(findings),
        contradictions_count=against,
    )
    return DeskResult(
        desk=desk.spec.name,
        sources=tuple(sources),
        findings=tuple(findings),
        requests=tuple(request for part in done for request in part.requests),
        reviews=tuple(review for part in done for review in part.reviews),
        read={part.gathered.claim.id: part.gathered.read for part in done},
        judged={part.gathered.claim.id: dict(part.judged) for part in done},
        coverage={part.gathered.claim.id: part.gathered.coverage for part in done},
        status=status,
        outages=new_outages([*gathering.unanswered, *_outages(done, gathering)], ()),
    )


def _outages(done: Sequence[_Done], gathering: Gathering) -> list[OutageNote]:
    """What could not be had, also for claims that were read for and not judged before the case ended."""
    judged = {part.gathered.claim.id: part.outages for part in done}
    return [note for each in gathering.claims for note in judged.get(each.claim.id, each.outages)]


async def _tell(services: Services, type: EventType, text: str, agent: str, **data: object) -> None:
    await services.events.emit(type, text, stage=Stage.DESKS, agent_name=agent, **data)  # type: ignore[arg-type]
