"""The contract of a search engine: it builds requests and parses replies, and never does I/O.

A new engine is one file in `engines/`: an `EngineSpec` first, then `request` and `parse`. An engine that needs two
calls overrides `search` and yields twice. The same generator is driven by `net` (async, real), by a recording and by a
test. Anything malformed becomes `EngineFormat`, wherever in the flow it happens.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable
from itertools import islice
from typing import ClassVar, TypeVar

from inquest.domain.errors import EngineFormat
from inquest.domain.search import EngineKind, Hit, Query
from inquest.domain.value import Value
from inquest.kit.exchange import Reply, Request
from inquest.kit.service import MALFORMED, Service

T = TypeVar("T")

_MOST_ITEMS = 1000
"""Items of one reply that are read: more than any service is asked for, so that one that sends everything it has
keeps nobody waiting."""


class Limits(Value):
    """What an engine lets one key (or one address) do."""

    per_second: float = 1.0
    burst: int = 1
    """Calls that may go at once after a rest, where a service counts by the minute: within the minute no more go than
    `burst` and what `per_second` allows."""
    per_day: int | None = None
    per_month: int | None = None
    units: int = 1
    """What one call counts for, where a service counts a dear call for several."""
    counted_with: str = ""
    """The engine whose allowance it draws on, where one key is good for several engines; '': its own."""
    concurrency: int = 2
    timeout: float = 30.0
    """Seconds for one call (N2)."""


class EngineSpec(Value):
    """What there is to know of an engine before it is asked."""

    name: str
    """The file's name, and what users write in `--engines`."""
    title: str
    kinds: tuple[EngineKind, ...]
    key: str | None = None
    """The name its own clients use for the key's environment variable; None: keyless."""
    key_optional: bool = False
    """It answers without its key, but less; the key is sent where there is one."""
    url_setting: str | None = None
    """The setting that holds its address, where users run it themselves (INQUEST_SEARXNG_URL); None: a fixed one."""
    account_setting: str | None = None
    """The setting that says under which account it is asked, where the service wants one besides the key
    (GOOGLE_CSE_ID); it is needed wherever the key is, and is no secret. None: it wants none."""
    second_key: str | None = None
    """The setting of a second secret that goes with the key (REDDIT_CLIENT_SECRET); needed wherever the key is."""
    homepage: str
    documentation: str
    limits: Limits = Limits()
    usd_per_call: float = 0.0
    sees_days: int | None = None
    """How many days back it sees, where that is all it keeps; None: as far as it knows."""
    filters_time: bool = False
    """It can filter by time itself. Published dates are filtered afterwards in any case (N4)."""
    filters_domains: bool = False
    filters_language: bool = False
    terms: str = ""
    """Terms of use and the attribution that they ask for, where what it gives is cited row by row."""
    from_recordings: bool = True
    """False: written from its documentation alone, without a recorded reply to hold it against."""


class EngineAccess(Value):
    """What the settings say about one engine."""

    key: str | None = None
    url: str | None = None
    account: str | None = None
    second_key: str | None = None
    collections: tuple[str, ...] = ()
    """For the engine of the user's own documents: which collections."""
    tables: tuple[str, ...] = ()
    """For the engines of registers: the tables that are on this machine."""
    contact: str | None = None
    """An address that polite services (CrossRef, OpenAlex) ask for."""


class Engine(Service, ABC):
    """One search engine. `spec` comes first in the file; an instance holds its key and address."""

    spec: ClassVar[EngineSpec]
    access: EngineAccess
    where_it_changed = "leave it out with --engines and tell us."

    def __init__(self, access: EngineAccess | None = None) -> None:
        self.access = access or EngineAccess()

    def lacks(self) -> str | None:
        """What is missing before it can be asked, in words; None: it is ready."""
        if self.lacks_key:
            second = self.spec.second_key
            return (
                f"needs a key: set {self.spec.key}{f' and {second}' if second and not self.access.second_key else ''}"
            )
        if self.access.key or not self.spec.key:
            beside = (
                (self.spec.second_key, self.access.second_key),
                (self.spec.account_setting, self.access.account),
            )
            for setting, value in beside:
                if setting and not value:
                    return f"needs one more setting: set {setting}"
        if self.spec.url_setting and not self.access.url:
            return f"needs an address: set {self.spec.url_setting}"
        return None

    def usd_of(self, reply: Reply) -> float:
        """US dollars that a reply costs; no more than `usd_per_call`, which is set aside before it is asked."""
        return self.usd_per_call

    @property
    def usd_per_call(self) -> float:
        """US dollars that a call costs at most; 0 where the service answers without a key and none is set: there is
        nobody to bill."""
        return self.spec.usd_per_call if self.access.key or not self.spec.key_optional else 0.0

    @property
    def lacks_key(self) -> bool:
        """Whether it cannot be asked for want of a key."""
        return bool(self.spec.key and not self.access.key and not self.spec.key_optional)

    @abstractmethod
    def request(self, query: Query) -> Request:
        """The query in this engine's dialect."""

    @abstractmethod
    def parse(self, reply: Reply) -> list[Hit]:
        """The hits of a reply with status 2xx, best first. May raise anything a malformed body leads to."""

    def search(self, query: Query) -> Generator[Request, Reply, list[Hit]]:
        """Ask and parse, as a generator: yields requests, is sent replies, returns hits. Drivers run this. Raises
        EngineKeyRefused, EngineQuota, EngineUnavailable or EngineFormat."""
        reply = yield self.request(query)
        return self.parsed(reply, self.parse)[: query.limit]

    def hits(self, items: Iterable[T], build: Callable[[T, int], Hit | None]) -> list[Hit]:
        """Build a hit from each item; one that is malformed is left out and the others are kept. `build(item, rank)`
        may return None for an item that is not a hit. Raises EngineFormat only where there were items and every one of
        them was malformed. Of very many items the first thousand are read."""
        if isinstance(items, str | bytes | dict):
            raise TypeError(f"expected a list of items, got {type(items).__name__}")
        kept: list[Hit] = []
        malformed = 0
        for item in islice(items, _MOST_ITEMS):
            try:
                hit = build(item, len(kept) + 1)
            except MALFORMED:
                malformed += 1
                continue
            if hit is not None:
                kept.append(hit)
        if malformed and not kept:
            raise EngineFormat(
                self.name, f"None of the {malformed} items that {self.spec.title} returned could be read."
            )
        return kept
