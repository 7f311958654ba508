"""Who cannot answer is stood in for by the widest engine of its kind that was not to be asked anyway."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from inquest.domain.errors import EngineError, EngineFormat, EngineQuota
from inquest.domain.report import OutageNote
from inquest.domain.search import EngineKind, Hit, Query
from inquest.retrieval.engine_choice import EngineChoice
from inquest.retrieval.failover import Answered, asked_or_next, next_engines

WEB = [EngineChoice(name, (EngineKind.WEB,)) for name in ("wikipedia", "tavily", "duckduckgo")]
NOW = datetime(2026, 1, 1, tzinfo=UTC)
PAPERS = EngineChoice("crossref", (EngineKind.SCHOLARLY,))
OWN = EngineChoice("collection", (EngineKind.OWN,))


def test_the_widest_of_the_kind_is_next_and_never_one_that_is_asked_anyway() -> None:
    assert next_engines("wikipedia", ("wikipedia",), [*WEB, PAPERS]) == ("tavily", "duckduckgo")
    assert next_engines("wikipedia", ("wikipedia", "tavily"), WEB) == ("duckduckgo",)


def test_nobody_stands_in_for_the_users_own_documents() -> None:
    assert next_engines("collection", ("collection",), [OWN, *WEB]) == ()


class Services:
    """Engines of which some are out."""

    def __init__(self, **out: EngineError) -> None:
        self.out = out
        self.asked: list[str] = []

    async def ask(self, engine: str, query: Query) -> Answered:
        self.asked.append(engine)
        if error := self.out.get(engine):
            return (
                [],
                OutageNote(what="engine", where=engine, why=str(error), at=datetime(2026, 1, 1, tzinfo=UTC)),
                error,
            )
        return [Hit(url=f"https://{engine}.example", engine=engine, rank=1)], None, None


async def test_a_limit_that_is_met_leads_to_the_next_and_is_noted() -> None:
    services = Services(wikipedia=EngineQuota("wikipedia", "used up"))
    ((hits, notes, answered),) = await asked_or_next([("wikipedia", Query(text="q"))], WEB, services.ask)
    assert [hit.engine for hit in hits] == ["tavily"] and answered and [note.where for note in notes] == ["wikipedia"]


async def test_two_that_are_out_share_the_one_that_stands_in() -> None:
    out = EngineQuota("x", "used up")
    services = Services(wikipedia=out, tavily=out)
    query = Query(text="q")
    await asked_or_next([("wikipedia", query), ("tavily", query)], WEB, services.ask)
    assert sorted(services.asked) == ["duckduckgo", "tavily", "wikipedia"]


@pytest.mark.parametrize("out", [EngineFormat("wikipedia", "no JSON")])
async def test_what_an_engine_cannot_read_stays_its_own(out: EngineError) -> None:
    services = Services(wikipedia=out)
    ((hits, notes, answered),) = await asked_or_next([("wikipedia", Query(text="q"))], WEB, services.ask)
    assert not hits and notes and not answered and services.asked == ["wikipedia"]
