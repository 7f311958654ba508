"""Have the analyst of the case judge passages on a claim, and turn them into findings.

Each desk chooses passages from its own pages, as it would alone. The analyst judges the passages of all desks of a
round for a claim in one call, each passage once, and each desk takes the readings of its own. So the evidence of a desk
does not depend on the other desks, and a claim costs one call. Passages judged in an earlier round are not repeated.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any

from inquest.claims.parts_of_claim import ClaimPart, parts_of
from inquest.domain.claim import Claim
from inquest.domain.document import Document
from inquest.domain.errors import ModelFormat
from inquest.domain.event import EventType, Stage
from inquest.domain.finding import Finding, Stance
from inquest.domain.reading import Reading
from inquest.domain.report import OutageNote
from inquest.domain.source import Source
from inquest.flow.gathering import DeskWork, Gathering, gather, label_of
from inquest.flow.services import Services, subject_for
from inquest.kit.analyst import Passage
from inquest.kit.desk import Desk
from inquest.retrieval.passages import passages_on
from inquest.text.grounding import check_grounded, place_of
from inquest.text.phrases import count
from inquest.text.sentences import Span, shorten

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
    chosen = {name: passages_on(claim.text, own, PASSAGES, found_for_it=found_for_it) for name, own in texts.items()}
    new: dict[str, Passage] = {}
    for passage in (passage for passages in chosen.values() for passage in passages):
        if key_of(passage) not in known:
            new.setdefault(key_of(passage), passage)
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
