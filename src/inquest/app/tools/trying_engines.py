"""Trying one engine: one live question, what it answered as we read it, or exactly what went wrong."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any

from inquest.domain.errors import EngineError, InputError, InquestError, SettingError
from inquest.domain.report import Cost
from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.exchange import Purpose, Reply, Request
from inquest.text.markup import plain
from inquest.text.sentences import shorten

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources
    from inquest.net.door import Door

USUAL_QUERIES = {
    EngineKind.ARCHIVE: "https://www.iana.org/",
    EngineKind.FACT_CHECK: "vaccine",
    EngineKind.MARKET: "AAPL",
    EngineKind.SCHOLARLY: "coral reef bleaching",
    EngineKind.SOCIAL: "climate",
    EngineKind.NEWS: "climate",
    EngineKind.WEB: "climate",
    EngineKind.OWN: "report",
    EngineKind.REGISTRY: "Unilever PLC",
}
"""What is asked where the user names no query: something that every engine of that kind knows. Of several kinds the
first one listed here decides."""


async def try_engine(app: Resources, name: str, query: str | None = None, *, limit: int = 10) -> dict[str, Any]:
    """One question to the engine, live and counted like every call. Its hits as parsed, the time it took, and, where
    something went wrong, the error: its kind, the status, the service's own words and what to do. Never a key. Raises
    InputError for a name that is no engine's, SettingError where it lacks a key or an address."""
    from inquest.net.searcher import Searcher

    engine = app.engines.get(name)
    if engine is None:
        raise InputError(f"There is no engine '{name}'.", advice=f"Engines: {', '.join(sorted(app.engines))}.")
    if EngineKind.OWN in engine.spec.kinds:
        await app.collections.refresh()
        names = app.collections.names()
        if not names:
            raise SettingError(f"{engine.spec.title} needs a collection.", advice="Add one: inquest collection add.")
        engine = type(engine)(engine.access.model_copy(update={"collections": names}))
    if lacks := engine.lacks():
        raise SettingError(f"The engine {name} cannot be asked: it {lacks}.")
    text = query or next(usual for kind, usual in USUAL_QUERIES.items() if kind in engine.spec.kinds)
    spent: list[Cost] = []
    door = _Overheard((await app.door()).for_case(None, cache_age=None))
    said: dict[str, Any] = {"engine": name, "title": engine.spec.title, "query": text, "ok": True, "hits": []}
    began = perf_counter()
    try:
        hits = await Searcher({name: engine}, door, spent.append).search(name, Query(text=text, limit=limit))
        said["hits"] = [shown(hit) for hit in hits]
    except InquestError as error:
        said |= {"ok": False, "error": _error(error, door.last)}
    said["seconds"] = round(perf_counter() - began, 3)
    said["calls"] = sum(cost.search_calls for cost in spent)
    said["usd"] = round(sum(cost.usd for cost in spent), 6)
    return said


def shown(hit: Hit) -> dict[str, Any]:
    """A hit as it is shown: what is known of it, and nothing that is not."""
    found = hit.model_dump(mode="json", exclude_defaults=True)
    if hit.published is not None:
        found["published"] = hit.published.iso
    return {"url": hit.url, "title": hit.title, **found}


def _error(error: InquestError, last: Reply | None) -> dict[str, Any]:
    found: dict[str, Any] = {"kind": type(error).__name__, "message": str(error), "advice": error.advice}
    if isinstance(error, EngineError) and last is not None:
        found["status"] = last.status
        found["said"] = shorten(plain(last.text()[:20_000]), 300)
    return found


class _Overheard:
    """A door that remembers the last reply, in which keys are struck out."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self.last: Reply | None = None

    async def fetch(self, request: Request, *, purpose: Purpose, label: str = "") -> Reply:
        from inquest.net.redaction import without_fields

        self.last = None
        reply = await self._door.fetch(request, purpose=purpose, label=label)
        self.last = without_fields(reply, request.reply_secrets)
        return reply
