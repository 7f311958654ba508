"""Investigation: what a topic's sources, posts and verdicts come to, and the level that follows."""

from __future__ import annotations

from inquest.desks.verification.investigation_result import TopicMaterial, investigation_result
from inquest.domain.event import EventType, Stage
from inquest.domain.search import EngineKind
from inquest.flow.archived import texts_of
from inquest.flow.services import Services
from inquest.flow.state import CaseState, Delta


async def investigation(state: CaseState, services: Services) -> Delta:
    """The result of the investigation. Nothing is asked here: it is made of what the case has."""
    topic = state.brief.topic
    assert topic is not None
    answered, silent = _networks(state, services)
    gathered = TopicMaterial(
        now=services.now(state.brief.as_of),
        sources={source.id: source for source in state.sources},
        documents=await texts_of(state.sources, services),
        claims=state.claims,
        findings=state.findings,
        assessments=state.assessments,
        hits=state.posts,
        sought=state.sought,
        networks=answered,
        no_networks=silent,
        # One service is one, in however many ways it failed.
        outages=len({(note.what, note.where) for note in state.missing}),
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


def _networks(state: CaseState, services: Services) -> tuple[list[str], dict[str, str]]:
    """The social networks that answered, and those that could not be asked, with the reason: without a key, or out of
    order for every question. One that failed at one question of several has answered; the outage stands in the case."""
    asked = state.plan.engines if state.plan else ()
    known = [engine for engine in services.engines if EngineKind.SOCIAL in engine.kinds]
    failed = {note.where: note.why for note in state.outages if note.what == "engine"}
    gave = {hit.engine for hit in state.posts}
    silent = {engine.name: engine.lacks for engine in known if engine.lacks}
    silent |= {e.name: failed[e.name] for e in known if e.name in failed and e.name not in gave and e.name in asked}
    return [engine.name for engine in known if engine.name in asked and engine.name not in silent], silent
