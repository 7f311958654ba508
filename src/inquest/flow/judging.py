"""How passages bear on a claim, by the analyst of the case, and the findings that follow.

Each desk chooses its own passages from its own pages, as it would alone. What the desks of a round have chosen for a
claim is put before the analyst as one, what two of them have chosen once; and each is given the judgements of its own.
So no desk's evidence depends on who else is there, and a claim costs one call however many desks it has. What was
judged in an earlier round is not judged again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from functools import partial

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
from inquest.text.sentences import shorten

Beside = Sequence[tuple[Desk, DeskWork]]
"""The desks at work in a round, in the order in which the case has them."""
JudgedFor = Mapping[str, tuple[list[Passage], list[Reading]]]
"""By desk, its passages and how each of them bears on the claim."""
PASSAGES = 20
"""Of full size, put before the analyst for one claim of a desk: two desks judge a claim, and may do so again."""


async def judged(
    claim: Claim,
    passages: Sequence[Passage],
    services: Services,
    stage: Stage,
    *,
    statements: Sequence[str] = (),
    desk: str = "",
) -> tuple[tuple[Reading, ...], tuple[OutageNote, ...]]:
    """One reading per passage; what should have been judged and could not be is said to be missing."""
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
        error = ModelFormat(name, f"{name} gave no usable judgment of {which}.")
        outages = (*outages, await services.outage("model", name, error, stage))
    await services.events.emit(
        EventType.CLAIM_CHECKED,
        f'{count(len(passages), "passage")} judged: "{shorten(claim.text, 120)}"',
        stage=stage,
        claim_id=claim.id,
        claim_text=claim.text,
    )
    return found, outages


def finding_of(
    number: int,
    claim: Claim,
    source: Source,
    passage: Passage,
    judgement: Reading,
    texts: Mapping[str, Document],
) -> Finding:
    """What a judged passage says of a claim, with its quote where it appears in the source's text (`texts` by
    snapshot). Raises where the quote does not stand there."""
    document = texts[passage.snapshot]
    start = passage.start + judgement.start
    finding = Finding(
        id=f"F{number}",
        claim_id=claim.id,
        source_id=source.id,
        agent="inquiry",
        stance=judgement.stance,
        contradiction_type=judgement.contradiction_type,
        confidence=judgement.confidence,
        quote=judgement.quote,
        snapshot=passage.snapshot,
        start=start,
        end=start + len(judgement.quote),
        page=document.page_of(start),
        place=place_of(document, start, start + len(judgement.quote), claim.text),
        summary=judgement.reasons[0] if judgement.reasons else "",
        details=judgement.details,
        reasons=judgement.reasons,
        reason_codes=judgement.reason_codes,
    )
    check_grounded(finding, document.text)
    return finding


async def gathered_together(desk: Desk, work: DeskWork, beside: Beside, services: Services) -> dict[str, Gathering]:
    """What the desk has found, by its name, and what those have found that share claims and a judge with it."""
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
    """The desk's passages on the claim, how each bears, and what could not be judged."""
    texts = {
        name: gathering.texts_for(own)
        for name, gathering in gatherings.items()
        for own in gathering.claims
        if own.claim.id == claim.id
    }
    pages = {
        page.document.snapshot
        for gathering in gatherings.values()
        for own in gathering.claims
        if own.claim.id == claim.id
        for page in own.pages
        if page.document
    }
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
    """Where the passage appears, as a key: of one snapshot there is one text, whatever comes later."""
    return f"{passage.snapshot} {passage.start} {passage.start + len(passage.text)}"


def kept(passages: Sequence[Passage], judgements: Sequence[Reading]) -> dict[str, Reading]:
    """By place, what need not be asked again: all but what could not be judged."""
    return {
        key_of(passage): judgement
        for passage, judgement in zip(passages, judgements, strict=True)
        if judgement.stance is not Stance.UNASSESSED
    }


async def part_by_part(
    parts: Sequence[ClaimPart], judged: Sequence[tuple[Passage, Reading]], services: Services
) -> list[tuple[Passage, Reading]]:
    """The passages with their readings, in their order; one that says nothing to the whole claim and something to
    statements of it is there once for each of these. For the local analyst, which reads one statement at a time: a
    model is given all of them and says which a passage covers."""
    silent = [passage for passage, found in judged if found.stance is Stance.NEUTRAL]
    on_parts: dict[str, list[tuple[Passage, Reading]]] = {}
    for number, part in enumerate(parts if silent else (), 1):
        for passage, found in zip(silent, await services.local.assess(part.text, silent), strict=True):
            if found.stance in (Stance.SUPPORTS, Stance.CONTRADICTS):
                reading = found.model_copy(update={"covers": (number,)})
                on_parts.setdefault(passage.id, []).append((passage, reading))
    return [part for each in judged for part in on_parts.get(each[0].id, [each])]
