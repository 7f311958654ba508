"""A claim of several statements put before the local analyst one by one, where beside the whole nothing was told.

A page that bears out one statement says neither yes nor no to the sentence that makes three. No model is asked for it.
"""

from __future__ import annotations

from collections.abc import Sequence

from inquest.claims.parts_of_claim import parts_of
from inquest.domain.claim import Claim
from inquest.domain.finding import Stance
from inquest.flow.services import Services
from inquest.kit.analyst import Judgement, Passage

PartJudged = tuple[Passage, Judgement, str]
"""A passage, how it bears, and on which part of the claim; '': on the whole."""


async def part_by_part(
    claim: Claim, company: str, judged: Sequence[PartJudged], services: Services
) -> list[PartJudged]:
    """The passages with their judgements, in their order; one that says nothing to the whole and something to parts is
    there once for each of these. `company`: whose claim it is."""
    parts = parts_of(claim, company)
    silent = [passage for passage, found, _ in judged if found.stance is Stance.NEUTRAL]
    on_parts: dict[str, list[PartJudged]] = {}
    for part in parts if silent else ():
        for passage, found in zip(silent, await services.local.assess(part.text, silent), strict=True):
            if found.stance in (Stance.SUPPORTS, Stance.CONTRADICTS):
                on_parts.setdefault(passage.id, []).append((passage, found, part.words))
    return [part for each in judged for part in on_parts.get(each[0].id, [each])]
