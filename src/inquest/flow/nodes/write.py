"""Write: the cited summary. It may only be written from findings; what cites nothing is dropped and counted."""

from __future__ import annotations

from inquest.domain.event import EventType, Stage
from inquest.domain.report import Section, Summary
from inquest.flow.services import Services
from inquest.flow.state import CaseState, Delta
from inquest.kit.analyst import WriteMaterial

__all__ = ["grounded_only", "write"]


async def write(state: CaseState, services: Services) -> Delta:
    """The summary, or nothing where there is no source: no source, no report."""
    if state.plan is None or not any(not source.excluded for source in state.sources):
        return {}
    await services.progress(Stage.SUMMARY, "Writing the summary")
    material = WriteMaterial(
        plan=state.plan,
        as_of=services.now(state.brief.as_of),
        sources=state.sources,
        claims=state.claims,
        findings=(*state.findings, *state.event_findings),
        assessments=state.assessments,
        timeline=state.timeline,
        bias=state.bias,
        missing=tuple(f"{note.where}: {note.why}" for note in state.missing),
    )
    depth = state.brief.mode.settings.summary_depth
    summary, outages = await services.judged(
        "write", lambda analyst: analyst.write(material, depth=depth), Stage.SUMMARY
    )
    summary = grounded_only(summary, {finding.id for finding in material.findings})
    await services.events.emit(
        EventType.SUMMARY_WRITTEN, f"The summary is written: {summary.title}", stage=Stage.SUMMARY, title=summary.title
    )
    return {"summary": summary, "outages": outages}


def grounded_only(summary: Summary, finding_ids: set[str]) -> Summary:
    """The summary without sentences that state a fact and cite no finding; `dropped` counts them.

    A citation of a finding that does not exist is no citation. A sentence about the work itself needs none.
    """
    dropped = summary.dropped
    sections = []
    for section in summary.sections:
        kept = []
        for statement in section.statements:
            cited = tuple(fid for fid in dict.fromkeys(statement.finding_ids) if fid in finding_ids)
            if cited or statement.about_the_work:
                kept.append(statement.model_copy(update={"finding_ids": cited}))
            else:
                dropped += 1
        if kept:
            sections.append(Section(heading=section.heading, statements=tuple(kept)))
    return summary.model_copy(update={"sections": tuple(sections), "dropped": dropped})
