"""Write up the investigation of a topic: the level and why, then the cited summary."""

from __future__ import annotations

from inquest.desks.verification.investigation_notes import LEVEL_HEADING, level_words
from inquest.desks.verification.topic_claims import main_claims, near_first
from inquest.domain.report import Section, Statement, Summary
from inquest.flow.nodes.write import write
from inquest.flow.services import Services
from inquest.flow.state import CaseState, Delta
from inquest.text.phrases import capitalised, count

MOST_TOLD = 7
"""Claims that the summary of a topic tells of; the others stand in the table of verdicts."""


def about_the_topic(state: CaseState) -> CaseState:
    """The case with the few claims that a summary of the topic tells of: its main matter first, then the nearest."""
    topic = state.brief.topic
    assert topic is not None
    mains = main_claims(state.claims, topic, state.findings)
    rest = near_first([claim for claim in state.claims if claim not in mains], topic)
    claims = (*mains, *rest)[:MOST_TOLD]
    by_claim = {assessment.claim_id: assessment for assessment in state.assessments}
    assessments = tuple(by_claim[claim.id] for claim in claims if claim.id in by_claim)
    # What the plan of a topic asks is what the desk does; no page answers 'Do dates and numbers agree?'.
    plan = state.plan.model_copy(update={"questions": ()}) if state.plan else None
    return state.model_copy(update={"claims": claims, "assessments": assessments, "plan": plan})


async def write_topic(state: CaseState, services: Services) -> Delta:
    """The summary, the level first. There is one where nothing was found as well: that is a result too."""
    result, topic = state.investigation, state.brief.topic
    assert result is not None and topic is not None
    told = about_the_topic(state)
    delta = await write(told, services)
    written: Summary | None = delta.get("summary")
    about = Section(
        heading=LEVEL_HEADING,
        statements=tuple(Statement(text=text, about_the_work=True) for text in level_words(result)),
    )
    rest = written.sections if written else ()
    if left := len(state.claims) - len(told.claims):
        verb = "stands" if left == 1 else "stand"
        beside = f"{capitalised(count(left, 'further claim'))} beside the topic {verb} in the table of verdicts."
        about = about.model_copy(
            update={"statements": (*about.statements, Statement(text=beside, about_the_work=True))}
        )
    title = written.title if written else topic.title
    summary = Summary(title=title, sections=(about, *rest), dropped=written.dropped if written else 0)
    return delta | {"summary": summary}
