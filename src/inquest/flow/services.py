"""The services of a case for its nodes: ports, analysts, desks and archived texts; and the subject of a claim."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from itertools import accumulate
from typing import Any, TypeVar, cast

from inquest.domain.check import GIVEN_CLAIMS
from inquest.domain.claim import Claim, Mention
from inquest.domain.document import Document, Snapshot
from inquest.domain.errors import ModelError, ModelUnavailable
from inquest.domain.event import EventType, Stage
from inquest.domain.report import OutageNote
from inquest.domain.search import EngineKind, Hit
from inquest.domain.source import Source
from inquest.domain.value import grouped
from inquest.kit.analyst import Analyst
from inquest.kit.desk import Desk, Subject
from inquest.kit.ports import NO_TRACES, DomainAges, SentenceEncoder, Tracer
from inquest.kit.reranker import Reranked
from inquest.retrieval.case_ports import CasePorts
from inquest.sources.owners import own_domains
from inquest.text.securities import Listing

ALWAYS = frozenset((EngineKind.OWN, EngineKind.FACT_CHECK))
"""Kinds of engine that every desk asks: the user's own documents, and fact checks."""


class SharedWork:
    """Work that several tasks need, by name: the first begins it, and the others wait for its result."""

    def __init__(self) -> None:
        self._tasks: dict[str, asyncio.Task[Any]] = {}
        self._waiting: dict[str, int] = {}

    async def once(self, name: str, begin: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Return the result of the work of this name, or its error. Work that nothing awaits any more is cancelled."""
        tasks, waiting = self._tasks, self._waiting
        if name not in tasks:
            tasks[name] = asyncio.create_task(begin())
        task = cast("asyncio.Task[T]", tasks[name])
        waiting[name] = waiting.get(name, 0) + 1
        try:
            # One waiter may be cut off while another still needs the result.
            return await asyncio.shield(task)
        finally:
            waiting[name] -= 1
            if not waiting[name] and not task.done():
                task.cancel()
                tasks.pop(name, None)
                await asyncio.gather(task, return_exceptions=True)


T = TypeVar("T")
Rerank = Callable[[str, Sequence[str]], Awaitable[Reranked]]
"""Scores texts by their relevance to a query; if the service fails, locally and with the outage."""
Listings = Callable[[], Awaitable[Sequence[Listing]]]
"""Returns the companies listed on markets. Raises EngineError."""


@dataclass(frozen=True, kw_only=True)
class Services(CasePorts):
    """Ports, analysts and desks of one case."""

    analyst: Analyst
    """The analyst of the settings."""
    local: Analyst
    """The analyst that needs no model server."""
    domain_ages: DomainAges | None = None
    """None: no registry may be asked (a case on the user's own documents)."""
    reranker: Rerank | None = None
    """None: the local one built into ranking."""
    desks: Mapping[str, Desk] = field(default_factory=dict)
    """The installed desks, by name."""
    listings: Listings | None = None
    """None: the list of companies may not be requested."""
    work_of: Callable[[str], Awaitable[Hit | None]] | None = None
    """Returns the record of a DOI, None if it is not registered; raises Outage. None: no registry may be asked."""
    works_like: Callable[[str], Awaitable[tuple[Hit, ...]]] | None = None
    """Returns the works that registries (`domain.audit.WORKS`) find for a reference; raises Outage."""
    encoder: SentenceEncoder | None = None
    hints: tuple[str, ...] = ()
    """Suggestions to the user before the plan is approved, for its notes."""
    began: datetime | None = None
    """Creation of the case: its 'now' if the user gave none, and the same on every replay."""
    tracer: Tracer = NO_TRACES
    shared: SharedWork = field(default_factory=SharedWork)
    """Work that several tasks of a case need, done once."""
    begun: dict[str, asyncio.Future[dict[str, Any]]] = field(default_factory=dict)
    """Nodes begun before the graph was loaded, by name; each result is taken from here once."""

    def now(self, as_of: datetime | None) -> datetime:
        """Return the 'now' of the case: the user's, else its creation."""
        return as_of or self.began or self.clock.now()

    async def answered(self, call: Callable[[Analyst], Awaitable[T]], stage: Stage) -> tuple[T, tuple[OutageNote, ...]]:
        """Call the analyst of the settings; if the model fails, the local one, and report it."""
        try:
            return await call(self.analyst), ()
        except ModelError as error:
            note = await self.outage("model", error.who, error, stage)
            await self.events.emit(
                EventType.DEGRADED, "The local analyst answers instead of the model.", stage=stage, model=error.who
            )
            return await call(self.local), (note,)

    async def skipped(self, why: str, stage: Stage, marker: str) -> dict[str, Any]:
        """Report that a stage has nothing to do; return its marker for the state."""
        await self.events.emit(EventType.STAGE_FINISHED, why, stage=stage, marker=marker)
        return {"markers": (marker,)}

    async def model_unasked(self, known: Iterable[OutageNote], stage: Stage) -> tuple[OutageNote, ...]:
        """Report that the case ended before its model, if any, was asked about every claim; () if that is `known`."""
        if self.analyst is self.local or any(note.what == "model" for note in known):
            return ()
        name = self.analyst.name
        error = ModelUnavailable(name, f"{name} had not been asked about every claim when the case ended.")
        return (await self.outage("model", name, error, stage),)

    async def judged(
        self, label: str, call: Callable[[Analyst], Awaitable[T]], stage: Stage
    ) -> tuple[T, tuple[OutageNote, ...]]:
        """`answered`, but by the local analyst if the budget is met before the model has answered."""
        (result,) = await self.side_by_side([(label, lambda: self.answered(call, stage))])
        return (await call(self.local), ()) if result is None else result


async def texts_of(sources: Iterable[Source], services: Services) -> dict[str, Document]:
    """Return the archived texts by source id, in the order of the sources. Raises StorageError."""
    asked = list(sources)
    found = await asyncio.gather(*(services.archive.document(source.snapshot) for source in asked))
    return {source.id: document for source, document in zip(asked, found, strict=True) if document}


async def with_places(
    claims: Sequence[Claim], source_id: str, services: Services
) -> tuple[list[Claim], Snapshot, Document]:
    """Archive the user's claims so that they can be quoted, and return them with their places. Raises StorageError."""
    texts = list(dict.fromkeys(claim.text for claim in claims))
    starts = dict(zip(texts, accumulate((len(each) + 1 for each in texts), initial=0), strict=False))
    text = "\n".join(texts)
    body = text.encode()
    name = f"sha256:{sha256(body).hexdigest()}"
    url = f"{GIVEN_CLAIMS}{name[7:19]}"
    snapshot = Snapshot(
        hash=name, url=url, final_url=url, content_type="text/plain; charset=utf-8",
        retrieved_at=services.now(None), size=len(body), provenance="given by the user",
    )  # fmt: skip
    await services.archive.put(body, snapshot)
    document = await services.archive.put_document(
        Document(snapshot=name, url=url, title="The claims as they were given", text=text, kind="text")
    )
    placed = []
    for claim in claims:
        start, end = starts[claim.text], starts[claim.text] + len(claim.text)
        mention = Mention(source_id=source_id, snapshot=name, quote=claim.text, start=start, end=end)
        placed.append(claim.model_copy(update={"mentions": (mention,)}))
    return placed, snapshot, document


def subject_for(claim: Claim, subject: Subject) -> Subject:
    """Return the subject of the case, with the company of the claim if it differs."""
    if not claim.company or claim.company == subject.company:
        return subject
    return subject.model_copy(
        update={"company": claim.company, "own_domains": tuple(sorted(own_domains(claim.company)))}
    )


def by_subject(claims: Sequence[Claim], subject: Subject) -> list[tuple[Subject, list[Claim]]]:
    """Group the claims by company, in the order of their first claims."""
    groups = grouped((claim.company or subject.company, claim) for claim in claims)
    return [(subject_for(group[0], subject), group) for group in groups.values()]


def desks_without_engine(desks: Iterable[Desk], engines: Collection[str], services: Services) -> tuple[str, ...]:
    """Return the names of the desks for which none of these engines is suitable. A desk for which an engine was chosen
    that is not ready is left out: that is reported as an outage."""
    kinds = {engine.name: set(engine.kinds) for engine in services.engines if engine.name in engines or engine.lacks}
    return tuple(
        desk.spec.name for desk in desks if not any({*desk.spec.kinds, *ALWAYS} & asked for asked in kinds.values())
    )
