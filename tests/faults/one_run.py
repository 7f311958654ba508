"""A case of a topic or a market question in a process of its own, which may kill itself with the first event of a kind.

`python -m tests.faults.one_run HOME topic|market [EVENT]`: writes out the case's id and the types of its events.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

from inquest import Inquest
from inquest.app.cases.case_request import MarketQuestion, TopicRequest, request_of
from inquest.app.cases.requests import approval_from
from inquest.app.desks.briefs import market_brief, topic_brief
from inquest.domain.brief import Brief
from inquest.domain.event import Event
from tests.app.market_rows import NOW, QUESTION
from tests.app.verified_topics import AS_OF


async def _brief(inquest: Inquest, kind: str, home: Path) -> Brief:
    if kind == "topic":
        topic = str(home.parent / "topic.json")
        return await topic_brief(
            inquest.app,
            TopicRequest(topic=topic, as_of=AS_OF, again=True, engines=("collection",), collections=("pages",)),
        )
    return await market_brief(
        inquest.app,
        request_of(
            MarketQuestion, {"question": QUESTION, "as_of": NOW, "engines": "collection", "collections": ["pages"]}
        ),
    )


async def _run(home: Path, kind: str, until: str) -> None:
    def heard(event: Event) -> None:
        sys.stdout.write(f"{event.type.value}\n")
        sys.stdout.flush()
        if event.type.value == until:
            os.kill(os.getpid(), signal.SIGKILL)

    async with Inquest(home=home) as inquest:
        session = await inquest.app.new_case(await _brief(inquest, kind, home))
        session.listen(heard)
        sys.stdout.write(f"{session.case.id}\n")
        async with session:
            case = await session.begin()
            assert case.plan is not None, case.why
            await session.decide(approval_from("approve", case.plan, how="test", by="The desk"))


if __name__ == "__main__":
    asyncio.run(_run(Path(sys.argv[1]), sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else ""))
