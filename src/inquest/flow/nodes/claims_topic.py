"""The claims of a topic: what its title says goes first, then what sources say of it, nearest to the topic first."""

from __future__ import annotations

from inquest.domain.claim import Claim
from inquest.domain.event import EventType, Stage
from inquest.flow.nodes.claims import claims
from inquest.flow.services import Services
from inquest.flow.state import CaseState, Delta
from inquest.logic.phrases import count
from inquest.logic.topic_evidence import near_first, title_claim

__all__ = ["MOST_CLAIMS", "claims_topic"]

MOST_CLAIMS = 16
"""Claims of one topic that are checked, the title among them: each is searched for, and judged in a call of its own."""


async def claims_topic(state: CaseState, services: Services) -> Delta:
    """The title as a claim of its own, and the nearest of the claims that the sources make."""
    topic = state.brief.topic
    assert topic is not None
    delta = await claims(state, services)
    if all(source.excluded for source in state.sources):
        return delta
    made: tuple[Claim, ...] = delta.get("claims", ())
    itself = title_claim(topic, made)
    kept = near_first([each for each in made if itself is None or each.text != itself.text], topic)
    kept = kept[: MOST_CLAIMS - (itself is not None)]
    if itself is not None:
        await services.events.emit(
            EventType.CLAIM_EXTRACTED,
            f'"{itself.text}"',
            stage=Stage.CLAIMS,
            claim_id=itself.id,
            claim_text=itself.text,
            importance=itself.importance,
            source_ids=list(itself.source_ids),
        )
    if len(kept) < len(made):
        nearest = count(len(kept), "claim")
        await services.progress(Stage.CLAIMS, f"Of {len(made)} claims the {nearest} nearest to the topic are checked")
    chosen = (*((itself,) if itself else ()), *kept)
    return delta | {"claims": chosen} if chosen else delta
