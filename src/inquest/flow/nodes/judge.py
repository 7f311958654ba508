"""Judge claims: detect copied stories, weigh the findings on each claim, and choose the nearest passages to claims that
remain open.

A check is judged after each round, over all findings of all desks; the judge decides on a further round.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from inquest.claims.plan_queries import language_to_ask_in
from inquest.desks.news.findings import with_tiers_of
from inquest.desks.verification.topic_claims import own_words_aside
from inquest.domain.claim import Claim
from inquest.domain.document import Document
from inquest.domain.event import EventType, Stage
from inquest.domain.finding import Assessment, NearestPassage, Verdict
from inquest.domain.reasons import Reason, in_words
from inquest.domain.report import Coverage, OutageNote
from inquest.domain.source import Source
from inquest.entailment.windows import Likeness
from inquest.flow.nodes.vet import classified
from inquest.flow.services import Services, desks_without_engine, subject_for, texts_of
from inquest.flow.state import CaseState, Delta, new_outages
from inquest.retrieval.nearest import nearest, page_sentences
from inquest.sources.source_worth import after_as_of, with_age_and_capture
from inquest.stories.stories import assign_stories
from inquest.text.grounding import place_of
from inquest.verdicts.judging import Judged, Looked, another_round, changes, judge_claim
from inquest.verdicts.judging_gaps import could_not_check, gap_with_coverage, with_coverage
from inquest.verdicts.weighing import assess_claim
from inquest.verdicts.weighing_reasons import reason


async def judge(state: CaseState, services: Services) -> Delta:
    """Rate the sources, then assess each claim."""
    sources, outages = await _rated(state, services, state.claims)
    by_id = {source.id: source for source in sources}
    if state.brief.topic is not None:
        by_id = own_words_aside(state.brief.topic, by_id)
    unaided = state.read_unaided
    assessments = []
    for claim in state.claims:
        if f"check {claim.id}" in services.cut.labels:
            assessment = could_not_check(claim.id, reason("not_reached"))
        else:
            findings = [finding for finding in state.findings if finding.claim_id == claim.id]
            weighed = assess_claim(claim, findings, by_id, about=state.planned.topic)
            assessment = with_coverage(weighed, state.coverage.get(claim.id, Coverage()), unaided=unaided)
        assessments.append(assessment)
        await report_verdict(claim.text, assessment, services)
    near = await nearest_passages(state, assessments, by_id, services)
    return {"sources": sources, "assessments": tuple(assessments), "nearest": near, "outages": outages}


async def _rated(
    state: CaseState, services: Services, claims: Sequence[Claim] = ()
) -> tuple[tuple[Source, ...], tuple[OutageNote, ...]]:
    """Add ratings by the model, data of registries and archives, and stories to the sources; return the outages too."""
    known, outages = await classified(state.sources, state.findings, services, claims=claims)
    documents = await texts_of(known, services)
    vetted, now, as_of = [], services.now(state.brief.as_of), state.brief.as_of
    for source in known:
        if (found := state.vetted.get(source.id)) is not None:
            dated = with_age_and_capture(source, documents.get(source.id), now=now, **dict(found))
            source = dated.left_out(after_as_of(dated.published, as_of))
        vetted.append(source)
    return await asyncio.to_thread(assign_stories, tuple(vetted), documents), outages


async def report_verdict(claim: str, assessment: Assessment, services: Services) -> None:
    """Emit the verdict with its first reason."""
    spoken = assessment.verdict.value.replace("_", " ").upper() if assessment.checked else "COULD NOT BE CHECKED"
    await services.events.emit(
        EventType.FACT_CHECKED,
        f'{spoken}: "{claim}" - {assessment.reasons[0] if assessment.reasons else ""}',
        stage=Stage.FACT_CHECK,
        claim_id=assessment.claim_id,
        claim_text=claim,
        verdict=assessment.verdict.value,
        confidence=round(assessment.confidence, 2),
        independent_sources=assessment.independent_sources,
    )


async def judge_check(state: CaseState, services: Services) -> Delta:
    """Judge the claims after a round, and choose the gaps for a further round or the reason to stop."""
    check = state.checking
    sources, missing = await _rated(state, services)
    judged = _judged(state, sources, services)
    changed = changes(state.assessments, judged, check.iteration)
    why = _stopped(state, judged, services)
    by_claim = {claim.id: claim for claim in state.claims}
    wanted = []
    for gap in [each.gap for each in judged if each.gap is not None and not why]:
        # In the language of the place, by the claim and the sources.
        claim = by_claim[gap.claim_id]
        language = language_to_ask_in((claim.text, claim.company), state.sources)
        wanted.append(gap.model_copy(update={"language": language}))
    before = {assessment.claim_id: assessment for assessment in state.assessments}
    for assessment in (each.assessment for each in judged):
        text = by_claim[assessment.claim_id].text
        earlier = before.get(assessment.claim_id)
        if earlier is None:
            await report_verdict(text, assessment, services)
        elif earlier.verdict is not assessment.verdict:
            await services.events.emit(
                EventType.VERDICT_CHANGED,
                f'{earlier.verdict.value} -> {assessment.verdict.value}: "{text}"',
                stage=Stage.JUDGE,
                claim_id=assessment.claim_id,
                before=earlier.verdict.value,
                verdict=assessment.verdict.value,
                confidence=round(assessment.confidence, 2),
                iteration=check.iteration,
            )
    for gap in wanted:
        await services.events.emit(
            EventType.REINVESTIGATION_REQUESTED,
            f"Claim {gap.claim_id} is being investigated again: {gap.evidence_gap}",
            stage=Stage.JUDGE,
            agent_name="judge",
            claim_id=gap.claim_id,
            target_agents=[services.desks[name].spec.agent for name in gap.desks if name in services.desks],
            evidence_gap=gap.evidence_gap,
            refined_queries=list(gap.refined_queries),
        )
    update = {
        "changes": (*check.changes, *changed),
        "reinvestigations": (*check.reinvestigations, *wanted),
        "iteration": check.iteration if why else check.iteration + 1,
        "stopped": in_words(why) if why else "",
        "stopped_code": why,
    }
    assessments = tuple(each.assessment for each in judged)
    near: tuple[NearestPassage, ...] = ()
    if why:
        aside = {source.id: source for source in check.aside}
        by_id = {source.id: source for source in sources}
        near = await nearest_passages(state, assessments, aside | by_id, services)
        sources, near = _with_pages_of(near, sources, aside)
    return {
        "sources": sources,
        "findings": with_tiers_of(state.findings, {source.id: source for source in sources}),
        "assessments": assessments,
        "nearest": near,
        "check": check.model_copy(update=update),
        "outages": new_outages(missing, state.outages),
    }


def _with_pages_of(
    near: Sequence[NearestPassage], sources: Sequence[Source], aside: Mapping[str, Source]
) -> tuple[tuple[Source, ...], tuple[NearestPassage, ...]]:
    """Number the pages with nearest passages that no finding rests on; return all sources, and the passages."""
    new = dict.fromkeys(each.source_id for each in near if each.source_id in aside)
    ids = {old: f"S{number}" for number, old in enumerate(new, len(sources) + 1)}
    added = [aside[old].model_copy(update={"id": id}) for old, id in ids.items()]
    named = [each.model_copy(update={"source_id": ids.get(each.source_id, each.source_id)}) for each in near]
    return (*sources, *added), tuple(named)


def _judged(state: CaseState, sources: Sequence[Source], services: Services) -> list[Judged]:
    """Judge each claim; return the verdicts with their gaps."""
    check, by_id = state.checking, {source.id: source for source in sources}
    looking = {each.claim_id: each.desks for each in check.routing}
    unasked = desks_without_engine(services.desks.values(), state.planned.engines, services)
    judged: list[Judged] = []
    for claim in state.claims:
        own = [finding for finding in state.findings if finding.claim_id == claim.id]
        desks = looking.get(claim.id, ())
        begun = [f"{name} round 1 {claim.id}" for name in desks]
        cut = {*begun, *(f"{label} judged" for label in begun)} & set(services.cut.labels)
        if cut and not own:
            judged.append(Judged(assessment=could_not_check(claim.id, reason("not_reached")), gap=None))
            continue
        verdict = judge_claim(
            claim,
            own,
            by_id,
            subject=subject_for(claim, check.subject),
            looked=Looked(
                check.iteration,
                desks=[name for name in desks if name not in unasked],
                unasked=[name for name in desks if name in unasked],
            ),
        )
        coverage = state.coverage.get(claim.id, Coverage())
        covered = with_coverage(verdict.assessment, coverage, unaided=state.read_unaided)
        judged.append(Judged(covered, gap_with_coverage(verdict.gap, coverage)))
    return judged


def _stopped(state: CaseState, judged: Sequence[Judged], services: Services) -> Reason | None:
    """Return why no further round is run; None: one is."""
    assert state.brief.check is not None
    check = state.checking
    why = another_round(
        judged,
        iteration=check.iteration,
        rounds=state.brief.check.rounds,
        added=check.new_findings if check.iteration > 1 else None,
    )
    if not why and services.cut.is_too_late(f"round {check.iteration + 1}"):  # recorded, so that a replay ends here too
        why = another_round(judged, iteration=check.iteration, rounds=check.iteration, added=None, budget_met=True)
    not_reached = reason("not_reached")
    if left := sum(not_reached in each.assessment.reason_codes for each in judged):
        return reason("stopped_unreached", number=left)
    return why


async def nearest_passages(
    state: CaseState, assessments: Sequence[Assessment], sources: Mapping[str, Source], services: Services
) -> tuple[NearestPassage, ...]:
    """Return the sentences nearest to each claim that was checked and is unverified, in the order of the claims. Not
    from sources that do not count or that make the claim. `sources`: by id."""
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
