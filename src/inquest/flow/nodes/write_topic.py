"""Write up the investigation of a topic: the level and why, then the cited summary."""

from __future__ import annotations

from inquest.domain.report import Section, Statement, Summary
from inquest.flow.nodes.write import write
from inquest.flow.services import Services
from inquest.flow.state import CaseState, Delta
from inquest.logic.phrases import ended

__all__ = ["write_topic"]


async def write_topic(state: CaseState, services: Services) -> Delta:
    """The summary, the level first. There is one where nothing was found as well: that is a result too."""
    result, topic = state.investigation, state.brief.topic
    assert result is not None and topic is not None
    delta = await write(state, services)
    written: Summary | None = delta.get("summary")
    raised = result.upgrade
    level = raised.new_level.value
    first = f"The topic is {level}; it was {raised.before.value} before." if raised.upgraded else f"It stays {level}."
    said = [first, *raised.reasons, f"Confidence: {result.confidence_level:.0f} of 100."]
    if result.requires_human_review:
        said.append(f"A person should look at it: {result.review_reason or 'the rules ask for it'}")
    about = Section(
        heading="Verification level",
        statements=tuple(Statement(text=ended(text), about_the_work=True) for text in said),
    )
    rest = written.sections if written else ()
    title = written.title if written else topic.title
    summary = Summary(title=title, sections=(about, *rest), dropped=written.dropped if written else 0)
    return delta | {"summary": summary}
