"""Report a check: the risks by topic, and the summary. It may only be written from findings."""

from __future__ import annotations

from inquest.desks.news.check_summary import CheckMaterial, check_summary
from inquest.desks.news.greenwashing import risk_overview
from inquest.domain.errors import ModelError
from inquest.domain.event import EventType, Stage
from inquest.domain.finding import Stance
from inquest.domain.report import OutageNote, Summary
from inquest.flow.joining import new_outages
from inquest.flow.nodes.write import grounded_only
from inquest.flow.services import Services
from inquest.flow.state import CaseState, Delta
from inquest.kit.analyst import WriteMaterial

_SIDES = (Stance.SUPPORTS, Stance.CONTRADICTS)


async def report_check(state: CaseState, services: Services) -> Delta:
    """What the findings come to, by topic and in words: the model's where there is one, else by rule."""
    assert state.check is not None and state.plan is not None and state.brief.check is not None
    await services.progress(Stage.SUMMARY, "Writing the summary")
    company = state.brief.check.company
    risks = risk_overview(state.claims, state.assessments, state.findings) if company else ()
    written, outages = await _written(state, services)
    material = CheckMaterial(
        company=company,
        claims=state.claims,
        assessments=state.assessments,
        findings=state.findings,
        sources=state.sources,
        risks=risks,
        outages=_missing(state),
        as_of=state.brief.as_of,
        found_claims=state.check.found_claims,
        unaided=state.read_unaided,
        missing_desks=tuple(dict.fromkeys(name for each in state.check.routing for name in each.missing)),
    )
    summary = written or check_summary(material)
    summary = grounded_only(summary, {finding.id for finding in state.findings})
    await services.events.emit(
        EventType.SUMMARY_WRITTEN, f"The summary is written: {summary.title}", stage=Stage.SUMMARY, title=summary.title
    )
    return {
        "summary": summary,
        "check": state.check.model_copy(update={"risks": risks}),
        "outages": new_outages(outages, state.outages),
    }


def _missing(state: CaseState) -> tuple[OutageNote, ...]:
    """What could not be had, without desks that are not installed: the plan says that, and the report lists
    what they were asked."""
    return tuple(note for note in state.missing if note.what != "desk")


async def _written(state: CaseState, services: Services) -> tuple[Summary | None, tuple[OutageNote, ...]]:
    """The model's summary; None where there is no model, it is out, or the budget is met before it has answered."""
    if services.mind is services.local or not any(each.stance in _SIDES for each in state.findings):
        return None, ()  # where nothing bears on any claim there is nothing to cite
    assert state.plan is not None and state.brief.check is not None
    about = state.brief.check.company or state.plan.topic
    missing = _missing(state)
    material = WriteMaterial(
        plan=state.plan.model_copy(update={"topic": about}),
        as_of=services.now(state.brief.as_of),
        sources=state.sources,
        claims=state.claims,
        findings=state.findings,
        assessments=state.assessments,
        missing=missing,
    )

    async def ask() -> tuple[Summary | None, tuple[OutageNote, ...]]:
        try:
            return await services.mind.write(material, depth="comprehensive"), ()
        except ModelError as error:
            return None, (await services.outage("model", error.model, error, Stage.SUMMARY),)

    (given,) = await services.side_by_side([("write", ask)])
    return given or (None, ())
