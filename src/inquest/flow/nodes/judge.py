"""Judge: find out who copies whom, and weigh what was found on each claim."""

from __future__ import annotations

from inquest.desks.verification.topic_claims import own_words_aside
from inquest.domain.assessment import Assessment, Verdict
from inquest.domain.document import Document
from inquest.domain.event import EventType, Stage
from inquest.domain.report import Coverage
from inquest.domain.source import Source
from inquest.flow.archived import texts_of
from inquest.flow.classifying import classified
from inquest.flow.nearest import nearest_passages
from inquest.flow.services import Services
from inquest.flow.state import CaseState, Delta
from inquest.sources.source_worth import after_as_of, with_age_and_capture
from inquest.stories.stories import assign_stories
from inquest.verdicts.coverage import could_not_check, with_coverage
from inquest.verdicts.weighing import assess_claim
from inquest.verdicts.weighing_reasons import reason

SPOKEN = {
    Verdict.VERIFIED: "VERIFIED",
    Verdict.PARTIALLY_TRUE: "PARTIALLY TRUE",
    Verdict.CONTRADICTED: "CONTRADICTED",
    Verdict.DISPUTED: "DISPUTED",
    Verdict.UNVERIFIED: "UNVERIFIED",
}


async def judge(state: CaseState, services: Services) -> Delta:
    """Stories over all sources, then one assessment per claim."""
    known, outages = await classified(state.sources, state.findings, services, claims=state.claims)
    sources = await told(state.model_copy(update={"sources": known}), services)
    by_id = {source.id: source for source in sources}
    if state.brief.topic is not None:
        by_id = own_words_aside(state.brief.topic, by_id)
    topic = state.plan.topic if state.plan else ""
    unaided = state.read_unaided
    assessments = []
    for claim in state.claims:
        findings = [finding for finding in state.findings if finding.claim_id == claim.id]
        cut = f"check {claim.id}" in services.cut.labels
        if cut:
            assessment = could_not_check(claim.id, reason("not_reached"))
        else:
            covered = state.coverage.get(claim.id, Coverage())
            weighed = assess_claim(claim, findings, by_id, about=topic)
            assessment = with_coverage(weighed, covered, unaided=unaided)
        assessments.append(assessment)
        await say_verdict(claim.text, assessment, services)
    near = await nearest_passages(state, assessments, by_id, services)
    return {"sources": sources, "assessments": tuple(assessments), "nearest": near, "outages": outages}


async def told(state: CaseState, services: Services) -> tuple[Source, ...]:
    """The sources, with what registries and archives say of them, and with who tells whose story."""
    documents = await texts_of(state.sources, services)
    vetted = tuple(_vetted(source, documents.get(source.id), state, services) for source in state.sources)
    return assign_stories(vetted, documents)


def _vetted(source: Source, document: Document | None, state: CaseState, services: Services) -> Source:
    """The source with what registries and archives said of it while claims were checked."""
    found = state.vetted.get(source.id)
    if found is None:
        return source
    known = with_age_and_capture(
        source,
        document,
        age=found.age,
        captured=found.captured,
        archive=found.archive,
        now=services.now(state.brief.as_of),
    )
    return known.model_copy(update={"excluded": after_as_of(known.published, state.brief.as_of) or known.excluded})


def spoken(assessment: Assessment) -> str:
    """The verdict as the progress has it."""
    return SPOKEN[assessment.verdict] if assessment.checked else "COULD NOT BE CHECKED"


async def say_verdict(claim: str, assessment: Assessment, services: Services) -> None:
    """Tell the verdict, with its first reason."""
    await services.events.emit(
        EventType.FACT_CHECKED,
        f'{spoken(assessment)}: "{claim}" - {assessment.reasons[0] if assessment.reasons else ""}',
        stage=Stage.FACT_CHECK,
        claim_id=assessment.claim_id,
        claim_text=claim,
        verdict=assessment.verdict.value,
        confidence=round(assessment.confidence, 2),
        independent_sources=assessment.independent_sources,
    )
