"""A topic's investigation in its own process, which may kill itself with the first event of a kind.

`python -m tests.faults.one_run HOME EVENT`: prints the case's id.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

from inquest import Inquest
from inquest.app.cases.case_request import TopicRequest
from inquest.app.cases.requests import approval_from
from inquest.app.cases.session import new_session
from inquest.app.desks.briefs import topic_brief
from inquest.domain.event import Event
from tests.app.verified_topics import AS_OF


async def _run(home: Path, until: str) -> None:
    def heard(event: Event) -> None:
        if event.type.value == until:
            os.kill(os.getpid(), signal.SIGKILL)

    async with Inquest(home=home) as inquest:
        topic = TopicRequest(
            topic=str(home.parent / "topic.json"),
            mode="detailed",
            as_of=AS_OF,
            again=True,
            engines=("collection",),
            collections=("pages",),
        )
        session = await new_session(inquest.app, await topic_brief(inquest.app, topic))
        session.listen(heard)
        sys.stdout.write(f"{session.case.id}\n")
        sys.stdout.flush()
        async with session:
            case = await session.begin()
            assert case.plan is not None, case.why
            await session.decide(approval_from("approve", case.plan, how="test", by="The desk"))


if __name__ == "__main__":
    asyncio.run(_run(Path(sys.argv[1]), sys.argv[2]))
