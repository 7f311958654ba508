"""A topic to verify: made into a brief, and carried out where nobody is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from inquest.app.cases.case_request import TopicRequest
from inquest.app.cases.requests import approval_from, brief_from
from inquest.app.cases.session import new_session
from inquest.domain.brief import Brief
from inquest.domain.case import Case, CaseStatus
from inquest.domain.errors import InputError
from inquest.domain.topic import Priority, Topic
from inquest.stories.topic_after import due

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources


async def topic_brief(
    app: Resources, request: TopicRequest, *, on_note: Callable[[str], object] | None = None
) -> Brief:
    """The brief for a topic (its number, a URL, or a file with one), which is kept with the others. The request's
    priority is that of this investigation; a topic that is kept already keeps its own. `on_note` is called with what a
    new topic lacks, and with what `as_of` leaves out. Raises InputError for what cannot be used, and for a topic that
    was investigated lately unless `again` is given."""
    from inquest.app.desks.topics import kept_topic

    topic = await kept_topic(app, request.topic, priority=request.priority, on_note=on_note)
    if request.priority is not None:
        topic = topic.model_copy(update={"priority": Priority(request.priority)})
    if topic.investigated and not request.again:
        said = due(topic, app.clock.now())
        if not said.due:
            raise InputError(
                f"Topic {topic.id} is not due again. {said.reason}",
                advice="Add --again to investigate it once more.",
            )
    urls = [topic.url] if topic.url else []
    brief = brief_from(request, f"Verify: {topic.title}", urls=urls, mode=request.mode, settings=app.settings)
    dated = topic.event_date or topic.discovery_date
    if on_note is not None and brief.as_of is not None and dated is not None and brief.as_of < dated:
        on_note(f"It is dated {dated:%Y-%m-%d}, and nothing published after {brief.as_of:%Y-%m-%d} counts as evidence.")
    return brief.model_copy(update={"topic": topic})


async def run_topic(app: Resources, topic: Topic, *, by: str) -> Case:
    """Investigate a kept topic with the settings of this process; `by` has approved of the plan beforehand, whatever it
    is. Raises what a session raises."""
    session = await new_session(
        app, await topic_brief(app, TopicRequest(topic=str(topic.id), again=True)), approved=True
    )
    async with session:
        case = await session.begin()
        if case.status is CaseStatus.PLANNED:
            assert case.plan is not None
            case = await session.decide(approval_from("approve", case.plan, how="watch", by=by))
    return case
