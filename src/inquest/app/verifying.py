"""A topic to verify, made into a brief."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inquest.app.requests import brief_from
from inquest.domain.brief import Brief
from inquest.domain.errors import InputError
from inquest.logic.topic_after import due

if TYPE_CHECKING:
    from inquest.app.build import App

__all__ = ["topic_brief"]


async def topic_brief(app: App, what: str, *, priority: str | None = None, again: bool = False, **common: Any) -> Brief:
    """The brief for a topic, which is kept with the others. `what`: its number, a URL, or a file with one. `common`:
    as for an inquiry (mode, engines, collections, as_of, budget_usd, deadline).

    Raises InputError for what cannot be used, and for a topic that was investigated lately unless `again` is given.
    """
    from inquest.app.topics import kept_topic

    topic = await kept_topic(app, what, priority=priority)
    if topic.investigated and not again:
        said = due(topic, app.clock.now())
        if not said.due:
            raise InputError(
                f"Topic {topic.id} is not due again. {said.reason}",
                advice="Add --again to investigate it once more.",
            )
    brief = brief_from(f"Verify: {topic.title}", urls=[topic.url] if topic.url else [], settings=app.settings, **common)
    return brief.model_copy(update={"topic": topic})
