"""The ports of the flow: all access to the outside, the storage and the small models go through one of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal, Protocol

from inquest.domain.case import Case
from inquest.domain.document import Document, Snapshot
from inquest.domain.errors import Shortage
from inquest.domain.event import Event, EventType, Stage
from inquest.domain.report import Cost
from inquest.domain.search import Hit, Query
from inquest.domain.source import DomainAge, Rating
from inquest.domain.value import JsonValue
from inquest.entailment.meaning import Meaning
from inquest.kit.engine import Limits
from inquest.kit.exchange import Purpose, Reply, Request
from inquest.kit.reranker import Reranked


class Clock(Protocol):
    """The time; in a replay, that of the case."""

    def now(self) -> datetime:
        """Aware, in UTC."""


class HttpClient(Protocol):
    """The only connection to the outside (`net`): guarded, limited, recorded."""

    async def fetch(self, request: Request, *, purpose: Purpose, label: str = "") -> Reply:
        """Send the request or serve it from the recording, and return a reply of any status. `label`: the engine's or
        model's name or 'page', for limits and messages. Raises PageError, EngineError, ModelError; NotRecorded on
        replay; BudgetMet."""


class Recording(Protocol):
    """Stored replies, for replay, the 24 h cache and nodes that run again."""

    async def find(self, fingerprint: str, *, case_id: str | None, younger_than: timedelta | None) -> Reply | None:
        """Return the stored reply: of that case if `case_id` is set, else of any, and not older than requested."""

    async def failure(self, fingerprint: str, *, case_id: str) -> str | None:
        """Return the case's error at this request, as passed to `keep_failure`."""

    async def keep(self, fingerprint: str, request: Request, reply: Reply, *, case_id: str | None) -> None:
        """Store a reply. The request's secrets are already replaced."""

    async def keep_failure(self, fingerprint: str, request: Request, error: str, *, case_id: str) -> None:
        """Store an outage as JSON, so that a replay repeats it."""


class QuotaCounter(Protocol):
    """The remaining calls per engine, shared by all processes on one database. `account` identifies the key."""

    async def take(self, engine: str, account: str, limits: Limits, *, at: datetime) -> float:
        """Count one call and return the seconds to wait for it. Raises EngineQuota without counting if the calls of the
        day or month are used up or the engine has requested a pause; StorageError."""

    async def heed(self, engine: str, account: str, *, at: datetime) -> float:
        """Return the seconds left of a pause that the engine requested. Counts nothing. Raises as `take`."""

    async def rest(self, engine: str, account: str, *, until: datetime, at: datetime) -> None:
        """Record that the engine requested a pause until then. Raises StorageError."""


class Archive(Protocol):
    """The evidence: bytes by hash, with the first text extracted from them."""

    async def put(self, body: bytes, snapshot: Snapshot) -> None:
        """Store the bytes (once per hash) and this retrieval of them. Raises StorageError."""

    async def body(self, snapshot_hash: str) -> bytes:
        """Return the bytes. Raises NotFound."""

    async def snapshot(self, snapshot_hash: str) -> Snapshot:
        """Return the first retrieval of these bytes. Raises NotFound."""

    async def put_document(self, document: Document) -> Document:
        """Store the text of a snapshot unless it has one, and return the stored one: the first text remains, so that
        offsets stay valid."""

    async def document(self, snapshot_hash: str) -> Document | None:
        """Return the text of the snapshot; None: not yet extracted."""


class EngineSearch(Protocol):
    """Search by engine name."""

    async def search(self, engine: str, query: Query) -> list[Hit]:
        """Run the engine over the HTTP client. Raises EngineError."""


class TextRanker(Protocol):
    """Relevance of texts to a query, by the configured reranker."""

    @property
    def is_local(self) -> bool:
        """True if no service is called."""

    async def rank(self, query: str, texts: Sequence[str]) -> Reranked:
        """Return one score from 0 to 1 per text, in order; `outage` is set if the local reranker replaced a service.
        Raises BudgetMet."""


class Pages(Protocol):
    """Documents by URL, file or hit: client, archive and readers in one."""

    async def read(self, url: str, *, hit: Hit | None = None) -> tuple[Snapshot, Document]:
        """Fetch, archive and read. Raises PageError, or EngineError for the user's own collection."""

    async def archived_copy(self, url: str) -> tuple[Snapshot, Document] | None:
        """Read an archive's copy of a page that is still online; None: no archive may be queried. Raises PageError."""


class DomainAges(Protocol):
    """The ages of domains, by their registries."""

    async def age(self, url: str) -> DomainAge:
        """Return the age of the URL's domain. Raises EngineError, BudgetMet, NotRecorded."""


class Rater(Protocol):
    """Ratings of sources in a case."""

    def publisher(self, url: str) -> Rating:
        """Return the rating of the URL's publisher."""

    def document(self, document: Document) -> Rating:
        """Return a document's rating: its publisher's, lowered for a press release."""


class CaseStore(Protocol):
    """Storage of cases and their findings."""

    async def create(self, case: Case) -> None: ...

    async def load(self, case_id: str) -> Case:
        """Load a case by id or its unambiguous beginning. Raises NotFound."""

    async def save(self, case: Case) -> None:
        """Replace the stored case, findings included, in one transaction. Raises Superseded if another runner has taken
        over the case, StorageError."""

    async def list(self, *, limit: int = 50) -> Sequence[Case]:
        """List cases, newest first."""


LEASE = timedelta(seconds=6)
"""Time after which a case is free if its runner has not renewed its lease."""

StopWish = Literal["stop", "report"]
"""A request to the runner of a case: stop, or stop and report the results so far."""


class Hold(Protocol):
    """The exclusive right to write a case, until another runner takes it."""

    async def take(self, *, lease: timedelta, wait: bool = False) -> None:
        """Take the case for running. `wait`: wait for the lease of an inactive holder to expire. Raises Busy if another
        runner holds the case, NotFound, StorageError."""

    def stay_alive(self, *, lease: timedelta) -> None:
        """Renew the lease from now until the case is released."""

    async def asked(self) -> StopWish:
        """Wait for a request to the runner. Raises Superseded if another runner has taken over the case."""

    async def release(self) -> None:
        """Release the case; ignored if another runner has it. Raises StorageError."""


class EventSink(Protocol):
    """Records events."""

    async def emit(
        self, type: EventType, text: str, *, stage: Stage | None = None, marker: str | None = None, **data: JsonValue
    ) -> Event: ...


class Budget(Protocol):
    """The remaining budget of a case, shared by all its calls."""

    def check(self) -> None:
        """Raise BudgetMet if money or time is used up, or the user has requested a stop."""

    def reserve(self, usd: float, purpose: Purpose = Purpose.PAGE) -> bool:
        """Reserve a request's maximum price; False if it may exceed the remaining money, calls or tokens."""

    def release(self, usd: float) -> None:
        """Return the reservation of a call without a cost."""

    def spend(self, cost: Cost, *, reserved: float | None = None) -> None:
        """Count a cost in place of its reservation (None: the same amount). Never raises; the next `check` does."""

    def fell_short(self, kind: Shortage) -> None:
        """Record that a request was left out for lack of money, time, tokens or calls."""

    @property
    def usd(self) -> float | None:
        """The budget in US dollars; None: no limit."""

    @property
    def spent(self) -> Cost: ...

    @property
    def seconds_to_ask(self) -> float | None:
        """The seconds left for outside requests; None: no deadline."""


class Objects(Protocol):
    """Bytes under keys such as `objects/ab/cdef...`. Every method raises StorageError if the store cannot be used."""

    async def put_absent(self, key: str, data: bytes) -> bool:
        """Store the bytes unless the key exists; return False if it does. Atomic."""

    async def put(self, key: str, data: bytes | Path) -> None:
        """Store the bytes, or the content of a file, which need not fit into memory; replaces any under the key."""

    async def get(self, key: str) -> bytes | None:
        """Return the bytes; None if the key does not exist."""

    async def get_file(self, key: str, path: Path) -> bool:
        """Write the bytes to the path; False if the key does not exist."""

    async def delete(self, keys: Iterable[str]) -> None:
        """Delete the keys; a missing key is ignored."""

    async def keys(self, prefix: str) -> Sequence[str]:
        """Return the keys with this prefix, which ends at a `/`, in order."""


class EvidenceRecords(Protocol):
    """Retrievals of snapshots, and the first text made of each. Every method raises StorageError."""

    async def add_retrieval(self, snapshot: Snapshot) -> None:
        """Record a retrieval; an identical one is ignored."""

    async def retrievals(self, snapshot_hash: str) -> tuple[Snapshot, ...]:
        """Return all retrievals of these bytes, in order of recording."""

    async def settle_text(self, snapshot_hash: str, text_hash: str) -> str:
        """Record the text made of the snapshot; the first one is kept and returned."""

    async def text_of(self, snapshot_hash: str) -> str | None:
        """Return the hash of the text made of the snapshot; None: not yet made."""

    async def forget(self, snapshot_hashes: Iterable[str], *, untouched_since: datetime) -> Sequence[str]:
        """Delete these records except those retrieved after that moment; return the deleted ones."""


@dataclass(frozen=True, slots=True)
class SharedFiles:
    """A shared collection as last published, and its writer."""

    files: Mapping[str, str] = field(default_factory=dict)
    """SHA-256 per path in the collection's folder; empty: nothing published yet."""
    epoch: int = 0
    """Incremented with every writer."""
    is_written: bool = False
    """True if its writer has renewed the lease recently."""


class CollectionRecords(Protocol):
    """The shared collections, with one writer each. Every method raises StorageError."""

    async def names(self) -> Sequence[str]:
        """Return the names of the published collections, in alphabetical order."""

    async def files(self, name: str) -> SharedFiles | None:
        """Return the collection as last published; None: no such collection."""

    async def take(self, name: str, writer: str, *, lease: timedelta) -> int:
        """Become the writer, also of a new name; return the epoch. Raises Busy if another writer is alive."""

    async def renew(self, name: str, epoch: int, *, lease: timedelta) -> None:
        """Renew the writer's lease. Raises Superseded if another has taken its place."""

    async def publish(self, name: str, epoch: int, files: Mapping[str, str]) -> None:
        """Publish these files as the collection; none: delete it. Raises Superseded."""

    async def release(self, name: str, epoch: int) -> None:
        """Stop writing; ignored if another is the writer."""


class PairReader(Protocol):
    """A cross-encoder: the relation of a passage to a claim, by meaning."""

    @property
    def name(self) -> str:
        """The model's name, shown and stored with a case."""

    @property
    def languages(self) -> tuple[str, ...]:
        """ISO 639-1 codes of its languages; empty: any."""

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Meaning]:
        """Return one meaning per (claim, passage), in order and independent of the other pairs. Raises ModelUnavailable
        if its files cannot be used."""


class SentenceEncoder(Protocol):
    """An encoder of texts as unit vectors; their scalar product is the similarity in meaning."""

    @property
    def name(self) -> str:
        """The model's name; vectors of different encoders are never compared."""

    @property
    def size(self) -> int:
        """The dimension of the vectors."""

    def encode(self, texts: Sequence[str]) -> list[bytes]:
        """Return one vector per text, in order, as little-endian 32-bit floats. Raises ModelUnavailable."""


Attribute = str | int | float | bool


class TraceSpan(Protocol):
    """One timed piece of work."""

    def note(self, **attributes: Attribute) -> None:
        """Add attributes; `_` in a name becomes `.`, as in `http.status`."""


class Tracer(Protocol):
    """The spans of one case."""

    def span(self, name: str, *, outside: bool = False, **attributes: Attribute) -> AbstractContextManager[TraceSpan]:
        """Open a span within a `with`; an error that leaves it is recorded by its type only. `outside`: a call to a
        service. No attribute holds a full address, a key or the text of a page."""


class _NoTraces:
    def span(self, name: str, *, outside: bool = False, **attributes: Attribute) -> AbstractContextManager[TraceSpan]:
        return nullcontext(self)

    def note(self, **attributes: Attribute) -> None:
        pass


NO_TRACES: Tracer = _NoTraces()
"""The tracer without traces."""
