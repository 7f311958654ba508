"""Topics of a service: an investigation is a case like any other, opened with the plan approved beforehand."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from inquest.app.access.ownership import own_topic
from inquest.app.cases.case_request import TopicRequest
from inquest.app.cases.topic_records import investigations_of, topics_of
from inquest.app.desks.topics import AddedTopics, InvestigationBegun, start_investigation
from inquest.app.desks.topics import add_rows as take_rows
from inquest.app.service.new_cases import Owner, open_new, topic_space
from inquest.domain.case import Case
from inquest.domain.topic import Topic

if TYPE_CHECKING:
    from inquest.app.service.dispatching import Dispatcher
    from inquest.app.wiring.resources import Resources
    from inquest.domain.topic_history import Investigation

Background = Callable[[Coroutine[Any, Any, "Investigation"]], object]


@dataclass(frozen=True)
class Asked:
    """Who wants an investigation, where its end is waited for, and whether it is wanted though the rules say no."""

    owner: Owner
    background: Background
    again: bool = False


async def add_rows(app: Resources, rows: list[dict[str, Any]], owner: Owner) -> AddedTopics:
    """Take in topics of the owner's; what cannot be used is refused row by row. Raises StorageError."""
    store = await topics_of(app, topic_space(owner))

    async def add(topic: Topic) -> tuple[Topic, bool]:
        kept, is_new = await store.add(topic)
        if topic_space(owner):
            await own_topic(app, kept, owner.team_id, owner.by)
        return kept, is_new

    return await take_rows(app, ((f"topic {number}", row) for number, row in enumerate(rows, 1)), add)


async def begin_investigation(
    app: Resources, dispatcher: Dispatcher, body: Mapping[str, Any], asked: Asked
) -> InvestigationBegun:
    """POST /api/investigations/ of spec 001. Raises as `start_investigation`."""

    async def run(topic: Topic) -> Case:
        request = TopicRequest(topic=str(topic.id), again=True)
        case = await open_new(app, dispatcher, request, asked.owner, approve=True)
        assert topic.id is not None
        # From now on whoever ends the case writes down what came of it, though this process may be gone by then.
        await (await investigations_of(app)).for_case(topic.id, case.id, at=case.created_at, priority=topic.priority)
        async for _ in (await app.events()).follow(case.id):
            pass
        return await app.case(case.id)

    return await start_investigation(app, body, run, background=asked.background, again=asked.again)
