"""Investigation: what a topic's sources, posts and verdicts come to, and the level that follows."""

from __future__ import annotations

from inquest.domain.event import EventType, Stage
from inquest.flow.nodes.judge import texts_of
from inquest.flow.services import Services
from inquest.flow.state import CaseState, Delta
from inquest.logic.investigation_result import Gathered, investigation_result

__all__ = ["investigation"]


async def investigation(state: CaseState, services: Services) -> Delta:
    """The result of the investigation. Nothing is asked here: it is made of what the case has."""
    topic = state.brief.topic
    assert topic is not None
    gathered = Gathered(
        now=services.now(state.brief.as_of),
        sources={source.id: source for source in state.sources},
        documents=await texts_of(state.sources, services),
        claims=state.claims,
        findings=state.findings,
        assessments=state.assessments,
        hits=state.posts,
        outages=len(state.outages),
    )
    result = investigation_result(topic, gathered)
    level = result.recommended_verification_level.value
    before = result.upgrade.before.value
    await services.events.emit(
        EventType.TOPIC_INVESTIGATED,
        f"{before} -> {level}" if result.verification_upgraded else f"It stays {level}.",
        stage=Stage.JUDGE,
        level=level,
        before=before,
        confidence=result.confidence_level,
        requires_human_review=result.requires_human_review,
        review_reason=result.review_reason,
    )
    return {"investigation": result}
