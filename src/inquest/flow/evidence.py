"""Evidence on one claim: the stretches of pages that bear on it, put before the analyst."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from inquest.domain.document import Document
from inquest.domain.errors import ModelFormat
from inquest.domain.event import Stage
from inquest.domain.finding import Stance
from inquest.domain.report import OutageNote
from inquest.entailment.facilities import known_facilities
from inquest.flow.services import Services
from inquest.kit.analyst import Judgement, Passage
from inquest.text.blocks import evidence_spans
from inquest.text.passages import ScoredSpan, best_passages, stems, terms_met
from inquest.text.urls import registrable_domain

__all__ = ["judged", "passages_on"]

PASSAGES_PER_CLAIM = 24
PASSAGES_PER_SOURCE = 2
PASSAGE_SIZE = 1_600
"""Characters: most news fits into one or two. What decides a claim often stands in sentences that share no word with
it, beside some that do."""
LEAD = 400
"""Characters of a document's opening that go with each of its passages, for the names in it."""


def passages_on(
    claim: str, texts: Mapping[str, Document], limit: int = PASSAGES_PER_CLAIM, *, found_for_it: Collection[str] = ()
) -> list[Passage]:
    """The passages that bear most on the claim, in the order of the documents: at most two of each.

    `texts` by snapshot. `found_for_it`: snapshots of the pages that were found for this claim; each is heard with its
    best passage, because a page in other words or another language shares few of the claim's. The rest are those that
    share most of its words. A passage's `source_id` is left open.
    """
    wanted = set(stems(claim))
    works = known_facilities(document.text for document in texts.values())
    scored = [
        (place > 0 or snapshot not in found_for_it, -len(wanted & set(stems(best.span.of(document.text)))), order, best)
        for order, (snapshot, document) in enumerate(texts.items())
        for place, best in enumerate(_best(claim, document, whole=snapshot in found_for_it))
    ]
    scored.sort(key=lambda item: (*item[:3], item[3].span.start))
    documents = list(texts.values())
    chosen = sorted((order, best.span.start, best) for _, _, order, best in scored[:limit])
    return [
        Passage(
            id=f"P{number}",
            source_id="",
            snapshot=document.snapshot,
            text=document.text[best.span.start : best.span.end],
            start=best.span.start,
            title=document.title,
            domain=registrable_domain(document.url),
            published=document.published,
            lead=document.text[:LEAD],
            elsewhere=terms_met(claim, document.text, size=PASSAGE_SIZE, within=evidence_spans(document)),
            facilities=works,
        )
        for number, (document, best) in enumerate([(documents[order], best) for order, _, best in chosen], 1)
    ]


def _best(claim: str, document: Document, *, whole: bool) -> list[ScoredSpan]:
    """The best passages of what is evidence in a document; what it opens with, where a page that was found for the claim
    (`whole`) shares no word with it: it may be in another language."""
    within = evidence_spans(document)
    found = best_passages(claim, document.text, limit=PASSAGES_PER_SOURCE, size=PASSAGE_SIZE, within=within)
    if found or not whole:
        return found
    opening = document.text[:LEAD]
    return best_passages(opening, document.text, limit=1, size=PASSAGE_SIZE, within=within)


async def judged(
    claim_id: str, claim: str, passages: Sequence[Passage], services: Services, stage: Stage, *, desk: str = ""
) -> tuple[tuple[Judgement, ...], tuple[OutageNote, ...]]:
    """One judgement per passage; what should have been judged and could not be is said to be missing."""
    if not passages:
        return (), ()
    found, outages = await services.answered(lambda analyst: analyst.assess(claim, passages, desk=desk), stage)
    count = sum(judgement.stance is Stance.UNASSESSED for judgement in found)
    if count:
        name = services.mind.name
        which = f"{count} of {len(found)} passages on claim {claim_id}"
        error = ModelFormat(name, f"{name} gave no usable judgment of {which}.")
        outages = (*outages, await services.outage("model", name, error, stage))
    return found, outages
