"""What comes nearest to the claims on which nothing could be decided."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from inquest.domain.assessment import Assessment, Verdict
from inquest.domain.claim import Claim
from inquest.domain.document import Document
from inquest.domain.finding import NearestPassage
from inquest.domain.source import Source
from inquest.entailment.windows import Likeness
from inquest.flow.archived import texts_of
from inquest.flow.services import Services
from inquest.flow.state import CaseState
from inquest.retrieval.nearest import nearest, page_sentences
from inquest.text.places import place_of


async def nearest_passages(
    state: CaseState, assessments: Sequence[Assessment], sources: Mapping[str, Source], services: Services
) -> tuple[NearestPassage, ...]:
    """Of each claim that was looked into and is unverified, the sentences that come nearest to it, in the order of the
    claims. `sources` by id: those that do not count are left out, and so is whoever makes the claim."""
    looked_into = {each.claim_id for each in assessments if each.checked and each.verdict is Verdict.UNVERIFIED}
    wanted = [claim for claim in state.claims if claim.id in looked_into]
    counted = [source for source in sources.values() if not source.excluded] if wanted else []
    pages = await texts_of(counted, services)
    stories = {source.id: source.story for source in counted if source.story}
    about = state.brief.check.company if state.brief.check else ""
    return await asyncio.to_thread(_chosen, wanted, pages, stories, services.local.likeness, about)


def _chosen(
    claims: Sequence[Claim],
    pages: Mapping[str, Document],
    stories: Mapping[str, str],
    likeness: Likeness | None,
    about: str,
) -> tuple[NearestPassage, ...]:
    stated = page_sentences(pages, stories)
    found = []
    for claim in claims:
        others = [each for each in stated if each.page not in claim.source_ids]
        for one in nearest(claim.text, others, likeness, about=about):
            document = pages[one.page]
            found.append(
                NearestPassage(
                    claim_id=claim.id, source_id=one.page, quote=one.text, snapshot=document.snapshot,
                    start=one.span.start, end=one.span.end, page=document.page_of(one.span.start),
                    place=place_of(document, one.span.start, one.span.end, claim.text),
                )
            )  # fmt: skip
    return tuple(found)
