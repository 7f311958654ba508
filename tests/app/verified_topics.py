"""A topic of the worlds whose truth is known, investigated by the whole program over a collection of its pages."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from inquest import Inquest
from inquest.app.cases.case_request import TopicRequest, request_of
from inquest.app.cases.requests import approval_from
from inquest.app.cases.session import new_session
from inquest.app.desks.briefs import topic_brief
from inquest.domain.case import Case
from tests.app.topic_worlds import RATINGS, WORLDS, TopicWorld

__all__ = ["AS_OF", "SILENT_BUT_FOR_POSTS", "verified"]

AS_OF = "2025-07-01"
SILENT_BUT_FOR_POSTS = replace(
    WORLDS["only somebody's blog"], pages=WORLDS["nothing but another matter"].pages, flags=(), never=()
)


async def verified(inquest: Inquest, folder: Path, world: TopicWorld, **more: Any) -> Case:
    """The topic's case. The collection holds all there is to find."""
    rows, ratings, topic = folder / "rows.jsonl", folder / "ratings.csv", folder / "topic.json"
    rows.write_text("\n".join(json.dumps(row) for row in world.rows))
    ratings.write_text(RATINGS)
    topic.write_text(json.dumps(world.topic))
    await inquest.app.collections.add("pages", [rows], ratings=ratings)
    asked = {"collections": ["pages"], "engines": "collection", "mode": "detailed", "as_of": AS_OF} | more
    session = await new_session(
        inquest.app, await topic_brief(inquest.app, request_of(TopicRequest, {"topic": str(topic), **asked}))
    )
    async with session:
        case = await session.begin()
        assert case.plan is not None, case.why
        case = await session.decide(approval_from("approve", case.plan, how="test", by="The desk"))
    return case
