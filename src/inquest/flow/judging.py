"""How passages bear on a claim, by the analyst of the case, and the findings that follow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from inquest.domain.claim import Claim
from inquest.domain.document import Document
from inquest.domain.errors import ModelFormat
from inquest.domain.event import Stage
from inquest.domain.finding import Finding, Stance
from inquest.domain.reading import Reading
from inquest.domain.report import OutageNote
from inquest.domain.source import Source
from inquest.flow.services import Services
from inquest.kit.analyst import Passage
from inquest.text.grounding import check_grounded
from inquest.text.places import place_of


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
    if not passages:
        return (), ()
    found, outages = await services.answered(
        lambda analyst: analyst.assess(claim.text, passages, statements=statements, desk=desk), stage
    )
    count = sum(judgement.stance is Stance.UNASSESSED for judgement in found)
    if count:
        name = services.mind.name
        which = f"{count} of {len(found)} passages on claim {claim.id}"
        error = ModelFormat(name, f"{name} gave no usable judgment of {which}.")
        outages = (*outages, await services.outage("model", name, error, stage))
    return found, outages


def finding_of(
    number: int,
    claim: Claim,
    source: Source,
    passage: Passage,
    judgement: Reading,
    texts: Mapping[str, Document],
) -> Finding:
    """What a judged passage says of a claim, with its quote where it stands in the source's text (`texts` by
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
