"""What the nodes of a case are given: ports, analysts and desks, archived texts, and which company a claim is of."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Any, TypeVar, cast

from inquest.domain.check import GIVEN_CLAIMS
from inquest.domain.claim import Claim
from inquest.domain.document import Document, Snapshot
from inquest.domain.errors import ModelError, ModelUnavailable
from inquest.domain.event import EventType, Stage
from inquest.domain.report import OutageNote
from inquest.domain.search import EngineKind, Hit
from inquest.domain.source import Source
from inquest.kit.analyst import Analyst
from inquest.kit.desk import Desk, Subject
from inquest.kit.ports import DomainAges
from inquest.kit.reranker import Reranked
from inquest.kit.small_models import SentenceEncoder
from inquest.kit.tracing import NO_TRACES, Tracer
from inquest.retrieval.case_ports import CasePorts
from inquest.sources.owners import own_domains
from inquest.text.securities import Listing

ALWAYS = frozenset((EngineKind.OWN, EngineKind.FACT_CHECK))
"""Kinds of engine that every desk asks: the user's own documents, and who has checked a claim."""


class SharedWork:
    """The work that several nodes of the round a case is in need, by name: whoever needs it first begins it, and the
    others wait for it.

    A node that runs alone, because the other's result was kept before the case was cut off, begins it again itself, is
    given what was recorded, and so comes to the same. Nothing in here need be saved.
    """

    def __init__(self) -> None:
        self._round = 0
        self._tasks: dict[str, asyncio.Task[Any]] = {}
        self._waiting: dict[str, int] = {}

    async def once(self, round_: int, name: str, begin: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """What the work of this name gives, or raises. What is begun for earlier rounds is forgotten; what nobody waits
        for any more is stopped."""
        if round_ != self._round:
            self._round, self._tasks, self._waiting = round_, {}, {}
        tasks, waiting = self._tasks, self._waiting
        if name not in tasks:
            tasks[name] = asyncio.create_task(begin())
        task = cast("asyncio.Task[T]", tasks[name])
        waiting[name] = waiting.get(name, 0) + 1
        try:
            # One that waits may be cut off while another still needs it.
            return await asyncio.shield(task)
        finally:
            waiting[name] -= 1
            if not waiting[name] and not task.done():
                task.cancel()
                tasks.pop(name, None)
                await asyncio.gather(task, return_exceptions=True)


T = TypeVar("T")
Rerank = Callable[[str, Sequence[str]], Awaitable[Reranked]]
"""How well each of some texts fits a query; where the service fails, the local scores with the outage."""
Listings = Callable[[], Awaitable[Sequence[Listing]]]
"""Asks for the companies that markets list. Raises EngineError."""


@dataclass(frozen=True, kw_only=True)
class Services(CasePorts):
    """Ports, analysts and desks of one case."""

    analyst: Analyst
    """The analyst of the settings."""
    local: Analyst
    """The one that needs nothing."""
    domain_ages: DomainAges | None = None
    """None: no registry may be asked (a case of the user's own documents)."""
    reranker: Rerank | None = None
    """None: the local one, which ranking has built in."""
    desks: Mapping[str, Desk] = field(default_factory=dict)
    """The installed desks, by name."""
    listings: Listings | None = None
    """The companies that markets list; None: nobody may be asked for them."""
    work_of: Callable[[str], Awaitable[Hit | None]] | None = None
    """The record of a DOI, None where it is not registered; raises Outage. None: nobody may be asked."""
    encoder: SentenceEncoder | None = None
    """The small model that turns texts into vectors; None: there is none."""
    hints: tuple[str, ...] = ()
    """What the user can do before the plan is approved, for its notes."""
    began: datetime | None = None
    """When the case was created: its 'now' where the user gave none, and the same on every replay."""
    tracer: Tracer = NO_TRACES
    """Where the spans of its stages go."""
    shared: SharedWork = field(default_factory=SharedWork)
    """What several desks of a round need, done once."""
    begun: dict[str, asyncio.Future[dict[str, Any]]] = field(default_factory=dict)
    """Nodes that were begun before the graph was there, by name: what they add is taken from here once."""

    def now(self, as_of: datetime | None) -> datetime:
        """The moment from which the case counts: the user's, else that of its beginning."""
        return as_of or self.began or self.clock.now()

    async def answered(self, call: Callable[[Analyst], Awaitable[T]], stage: Stage) -> tuple[T, tuple[OutageNote, ...]]:
        """A judgment by the analyst of the settings; where the model is out, by the local one, and said so."""
        try:
            return await call(self.analyst), ()
        except ModelError as error:
            note = await self.outage("model", error.model, error, stage)
            await self.events.emit(
                EventType.DEGRADED, "The local analyst answers in place of the model.", stage=stage, model=error.model
            )
            return await call(self.local), (note,)

    async def model_unasked(self, known: Iterable[OutageNote], stage: Stage) -> tuple[OutageNote, ...]:
        """That the model was not asked about every claim before the case ended; () where the case has none, or its
        outage is `known`."""
        if self.analyst is self.local or any(note.what == "model" for note in known):
            return ()
        name = self.analyst.name
        error = ModelUnavailable(name, f"{name} was not asked about every claim before the case ended.")
        return (await self.outage("model", name, error, stage),)

    async def judged(
        self, label: str, call: Callable[[Analyst], Awaitable[T]], stage: Stage
    ) -> tuple[T, tuple[OutageNote, ...]]:
        """As `answered`, and by the local analyst where the budget is met before the model has answered."""
        (result,) = await self.side_by_side([(label, lambda: self.answered(call, stage))])
        return (await call(self.local), ()) if result is None else result


async def texts_of(sources: Iterable[Source], services: Services) -> dict[str, Document]:
    """The archived texts, by source id, in the order of the sources. Raises StorageError."""
    asked = list(sources)
    found = await asyncio.gather(*(services.archive.document(source.snapshot) for source in asked))
    return {source.id: document for source, document in zip(asked, found, strict=True) if document}


async def kept_words(text: str, services: Services) -> tuple[Snapshot, Document]:
    """The claims that a user wrote, archived like everything that is quoted. Raises StorageError."""
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
    return snapshot, document


def subject_for(claim: Claim, subject: Subject) -> Subject:
    """The case's subject, or that of the claim where it is another company's."""
    if not claim.company or claim.company == subject.company:
        return subject
    return subject.model_copy(
        update={"company": claim.company, "own_domains": tuple(sorted(own_domains(claim.company)))}
    )


def by_subject(claims: Sequence[Claim], subject: Subject) -> list[tuple[Subject, list[Claim]]]:
    """The claims of each company, companies in the order of their first claim."""
    groups: dict[str, tuple[Subject, list[Claim]]] = {}
    for claim in claims:
        own = subject_for(claim, subject)
        groups.setdefault(own.company, (own, []))[1].append(claim)
    return list(groups.values())


def with_nobody_to_ask(desks: Iterable[Desk], engines: Collection[str], services: Services) -> tuple[str, ...]:
    """Names of the desks that ask none of these engines, by their kinds. Not those for which an engine was chosen that
    is not ready: that is an outage, and reported as one."""
    kinds = {engine.name: set(engine.kinds) for engine in services.engines if engine.name in engines or engine.lacks}
    return tuple(
        desk.spec.name for desk in desks if not any({*desk.spec.kinds, *ALWAYS} & asked for asked in kinds.values())
    )
