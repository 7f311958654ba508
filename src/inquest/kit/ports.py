"""The ports of the flow: everything that touches the outside is behind one of these."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal, Protocol

from inquest.domain.case import Case
from inquest.domain.document import Document, Snapshot
from inquest.domain.errors import Shortage
from inquest.domain.event import Event, EventType, Stage
from inquest.domain.report import Cost
from inquest.domain.search import Hit, Query
from inquest.domain.source import DomainAge, Rating
from inquest.domain.value import JsonValue
from inquest.kit.engine import Limits
from inquest.kit.exchange import Purpose, Reply, Request
from inquest.kit.reranker import Reranked


class Clock(Protocol):
    """The time. A replay is given the time of the case."""

    def now(self) -> datetime:
        """Aware, in UTC."""
        ...


class HttpClient(Protocol):
    """The only connection to the outside (`net`): guarded, limited, recorded."""

    async def fetch(self, request: Request, *, purpose: Purpose, label: str = "") -> Reply:
        """Carry the request out, or serve it from the recording. A reply of any status is a reply. `label` names who
        asks (the engine's or model's name, 'page'), for limits and messages. Raises PageForbidden, PageRefused,
        PageTooLarge, PageUnavailable for pages; EngineQuota and EngineUnavailable for engines; ModelUnavailable for
        models; NotRecorded on replay; BudgetMet."""
        ...


class Recording(Protocol):
    """Outside replies, kept: serves replay, the 24 h cache and a node that runs again."""

    async def find(self, fingerprint: str, *, case_id: str | None, younger_than: timedelta | None) -> Reply | None:
        """Return the stored reply: of that case if `case_id` is given, else of any, and not older than requested."""
        ...

    async def failure(self, fingerprint: str, *, case_id: str) -> str | None:
        """The error that the case met at this request, as `keep_failure` was given it."""
        ...

    async def keep(self, fingerprint: str, request: Request, reply: Reply, *, case_id: str | None) -> None:
        """Keep a reply. The request comes with its secrets already replaced."""
        ...

    async def keep_failure(self, fingerprint: str, request: Request, error: str, *, case_id: str) -> None:
        """Keep an outage (as JSON), so that a replay meets it again."""
        ...


class QuotaCounter(Protocol):
    """What engines may still be asked, shared by all processes on one database. `account` stands for a key."""

    async def take(self, engine: str, account: str, limits: Limits, *, at: datetime) -> float:
        """Count one call and reserve its turn: the seconds to wait for it. Raises EngineQuota, and then counts nothing,
        where the day's or month's calls are used up or the engine asked to be left alone; StorageError."""
        ...

    async def heed(self, engine: str, account: str, *, at: datetime) -> float:
        """Seconds until the engine may be asked, as it said itself. Counts nothing. Raises as `take`."""
        ...

    async def rest(self, engine: str, account: str, *, until: datetime, at: datetime) -> None:
        """Remember that the engine asked to be left alone until then. Raises StorageError."""
        ...


class Archive(Protocol):
    """Evidence: bytes known by their hash, and the text once made of them."""

    async def put(self, body: bytes, snapshot: Snapshot) -> None:
        """Keep the bytes (once per hash) and this retrieval of them. Raises StorageError."""
        ...

    async def body(self, snapshot_hash: str) -> bytes:
        """The bytes. Raises NotFound."""
        ...

    async def snapshot(self, snapshot_hash: str) -> Snapshot:
        """The first retrieval of these bytes. Raises NotFound."""
        ...

    async def put_document(self, document: Document) -> Document:
        """Keep the text made of a snapshot. The first text is kept, so that offsets hold for ever: if there is one
        already, that one is returned."""
        ...

    async def document(self, snapshot_hash: str) -> Document | None:
        """The text made of the snapshot, or None if none was made."""
        ...


class EngineSearch(Protocol):
    """Asks engines by name."""

    async def search(self, engine: str, query: Query) -> list[Hit]:
        """Drive the engine through the door. Raises EngineError."""
        ...


class TextRanker(Protocol):
    """Scores how well texts fit a question, by the configured reranker."""

    @property
    def is_local(self) -> bool:
        """True if no service is asked."""
        ...

    async def rank(self, query: str, texts: Sequence[str]) -> Reranked:
        """One score from 0 to 1 for each text, in their order; `outage` where the local one stood in. Raises
        BudgetMet."""
        ...


class Pages(Protocol):
    """From a URL, file or hit to a document: door, archive and readers as one."""

    async def read(self, url: str, *, hit: Hit | None = None) -> tuple[Snapshot, Document]:
        """Fetch, archive and read. Raises PageError, or EngineError for the user's own collection."""
        ...

    async def archived_copy(self, url: str) -> tuple[Snapshot, Document] | None:
        """A page that can be read today as an archive has it; None: nobody may be asked. Raises PageError."""
        ...


class DomainAges(Protocol):
    """Asks registries how old domains are."""

    async def age(self, url: str) -> DomainAge:
        """Return the age of the URL's domain. Raises EngineError if the registry could not be asked, BudgetMet,
        NotRecorded.
        """
        ...


class Rater(Protocol):
    """Rates sources by the ratings of this case."""

    def publisher(self, url: str) -> Rating:
        """Return the rating of the URL's publisher."""
        ...

    def document(self, document: Document) -> Rating:
        """Return a document's rating: its publisher's, lowered for a press release."""
        ...


class CaseStore(Protocol):
    """Storage of cases and their findings."""

    async def create(self, case: Case) -> None: ...

    async def load(self, case_id: str) -> Case:
        """By id or by its unambiguous beginning. Raises NotFound."""
        ...

    async def save(self, case: Case) -> None:
        """Replace what is kept of the case, findings included, in one transaction. Raises Superseded where another
        runner has taken the case from the one that saves, StorageError."""
        ...

    async def list(self, *, limit: int = 50) -> Sequence[Case]:
        """Newest first."""
        ...


LEASE = timedelta(seconds=6)
"""Time after which a case is free if its runner has not renewed its lease."""

StopWish = Literal["stop", "report"]
"""A request to the runner of a case: stop, or stop and report the results so far."""


class Hold(Protocol):
    """The exclusive right to write a case, until another runner takes it."""

    async def take(self, *, lease: timedelta, wait: bool = False) -> None:
        """Take the case for running. `wait`: until the lease of a holder that has fallen silent runs out. Raises Busy
        where another runner holds it, NotFound, StorageError."""
        ...

    def stay_alive(self, *, lease: timedelta) -> None:
        """Renew the lease from now until the case is released."""
        ...

    async def asked(self) -> StopWish:
        """Wait until somebody asks something of the runner. Raises Superseded where another runner has taken the
        case."""
        ...

    async def release(self) -> None:
        """Release the case; ignored if another runner has it. Raises StorageError."""
        ...


class EventSink(Protocol):
    """Records events."""

    async def emit(
        self,
        type: EventType,
        text: str,
        *,
        stage: Stage | None = None,
        marker: str | None = None,
        **data: JsonValue,
    ) -> Event: ...


class Budget(Protocol):
    """The remaining budget of a case, shared by all its calls."""

    def check(self) -> None:
        """Raise BudgetMet if money or time is used up, or the user has asked to stop."""
        ...

    def reserve(self, usd: float, purpose: Purpose = Purpose.PAGE) -> bool:
        """Set a request's highest price aside; False where it could exceed what is left of money, calls or tokens."""
        ...

    def release(self, usd: float) -> None:
        """Give a reservation back, of a call that came to nothing."""
        ...

    def spend(self, cost: Cost, *, reserved: float | None = None) -> None:
        """Count what was spent, in place of what was reserved for it (None: its very price). Raises nothing: what is
        spent is spent; the next `check` speaks."""
        ...

    def fell_short(self, kind: Shortage) -> None:
        """Record that something was not asked for lack of money, time, tokens or calls."""
        ...

    @property
    def usd(self) -> float | None:
        """The budget in US dollars; None: no limit."""
        ...

    @property
    def spent(self) -> Cost: ...

    @property
    def seconds_to_ask(self) -> float | None:
        """Until nobody outside is asked or waited for any more; None: no deadline."""
        ...
