"""The contract of a search engine: it builds requests and parses replies, and never does I/O.

A new engine is one file in `engines/`: an `EngineSpec` first, then `request` and `parse`. An engine that needs two
calls overrides `search` and yields twice. The network (`net`), a recording and a test drive the same generator.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Mapping
from datetime import datetime
from itertools import islice
from typing import ClassVar, TypeVar

from inquest.domain.errors import EngineFormat
from inquest.domain.search import EngineKind, Hit, Query
from inquest.domain.value import Value
from inquest.kit.dialect import address, secrets
from inquest.kit.exchange import MALFORMED, Reply, Request, Service, ServiceAccess, ServiceSpec
from inquest.text.dates import utc

T = TypeVar("T")

_MOST_ITEMS = 1000
"""Maximum items read of one reply, more than any engine requests."""


class Limits(Value):
    """The calls that a service allows one key (or one address)."""

    per_second: float = 1.0
    burst: int = 1
    """Calls allowed at once after a pause, if a service counts by the minute: a minute has at most `burst` calls and
    those of `per_second`."""
    per_day: int | None = None
    per_month: int | None = None
    units: int = 1
    """The number of calls that one call counts as."""
    counted_with: str = ""
    """The engine whose allowance it shares, if one key serves several engines; '': its own."""
    concurrency: int = 2
    timeout: float = 30.0
    """Seconds per call (N2)."""


class EngineSpec(ServiceSpec):
    """The static description of an engine; users write its name in `--engines`."""

    kinds: tuple[EngineKind, ...]
    key_optional: bool = False
    """It also answers without a key, with lower limits or fewer results."""
    url_setting: str | None = None
    """The setting of its address, if users run it themselves (INQUEST_SEARXNG_URL); None: a fixed address."""
    account_setting: str | None = None
    """The setting of the account that the service requires besides the key (GOOGLE_CSE_ID), not a secret; None: no
    account."""
    second_key: str | None = None
    """The setting of a second secret that the service requires besides the key (REDDIT_CLIENT_SECRET)."""
    limits: Limits = Limits()
    sees_days: int | None = None
    """The number of days that its results reach back; None: no limit known."""
    filters_time: bool = False
    """It filters by time itself. Published dates are filtered afterwards in any case (N4)."""
    filters_domains: bool = False
    filters_language: bool = False
    terms: str = ""
    """Terms of use and required attribution, if its rows are cited."""


class EngineAccess(ServiceAccess):
    """The settings of one engine."""

    url: str | None = None
    account: str | None = None
    second_key: str | None = None
    collections: tuple[str, ...] = ()
    """The collections to search, for the engine of the user's own documents."""
    tables: tuple[str, ...] = ()
    """The tables on this machine, for the engines of registers."""
    contact: str | None = None
    """The contact address that some services (Crossref, OpenAlex) ask for."""


class Engine(Service, ABC):
    """One search engine. `spec` comes first in the file; an instance holds its key and address."""

    spec: ClassVar[EngineSpec]
    access: EngineAccess
    where_it_changed = "leave it out with --engines and report it."

    def __init__(self, access: EngineAccess | None = None) -> None:
        self.access = access or EngineAccess()

    def lacks(self) -> str | None:
        """Name the missing setting; None: it is ready."""
        second = self.spec.second_key if not self.access.second_key else None
        account = self.spec.account_setting if not self.access.account else None
        if self.lacks_key:
            return f"needs a key: set {self.spec.key}{f' and {second}' if second else ''}"
        if (self.access.key or not self.spec.key) and (second or account):
            return f"needs one more setting: set {second or account}"
        if self.spec.url_setting and not self.access.url:
            return f"needs an address: set {self.spec.url_setting}"
        return None

    def usd_of(self, reply: Reply) -> float:
        """Return the price of a reply in US dollars, at most `usd_per_call`, which is reserved before the call."""
        return self.usd_per_call

    @property
    def usd_per_call(self) -> float:
        """The maximum price of a call in US dollars; 0 without a key, as nobody can be billed."""
        return self.spec.usd_per_call if self.access.key or not self.spec.key_optional else 0.0

    @property
    def lacks_key(self) -> bool:
        """True if its required key is not set."""
        return bool(self.spec.key and not self.access.key and not self.spec.key_optional)

    @abstractmethod
    def request(self, query: Query) -> Request:
        """Build the request for a query in this engine's syntax."""

    @abstractmethod
    def parse(self, reply: Reply) -> list[Hit]:
        """Return the hits of a reply with status 2xx, best first. May raise any of `MALFORMED` on a malformed body."""

    def search(self, query: Query) -> Generator[Request, Reply, list[Hit]]:
        """Search, as a generator that yields requests, is sent replies and returns hits. Raises EngineKeyRefused,
        EngineQuota, EngineUnavailable or EngineFormat."""
        reply = yield self.request(query)
        return self.parsed(reply, self.parse)[: query.limit]

    def get(self, base: str, parameters: Mapping[str, object], headers: tuple[tuple[str, str], ...] = ()) -> Request:
        """Build a GET request in which the key, wherever it is sent, is marked as a secret."""
        return Request(url=address(base, parameters), headers=headers, secrets=secrets(self.access.key))

    def hits(self, items: Iterable[T], build: Callable[[T], Hit | None]) -> list[Hit]:
        """Build a hit from each item, and number the hits in this order. A malformed item is left out; `build` returns
        None for an item that is not a hit. Raises EngineFormat if all items are malformed. Reads the first 1,000 items.
        """
        if isinstance(items, str | bytes | dict):
            raise TypeError(f"expected a list of items, got {type(items).__name__}")
        kept: list[Hit] = []
        malformed = 0
        for item in islice(items, _MOST_ITEMS):
            try:
                hit = build(item)
            except MALFORMED:
                malformed += 1
                continue
            if hit is not None:
                kept.append(hit.model_copy(update={"engine": self.name, "rank": len(kept) + 1}))
        if malformed and not kept:
            message = f"None of the {malformed} items that {self.spec.title} returned could be read."
            raise EngineFormat(self.name, message)
        return kept


def ranked(hits: Iterable[Hit]) -> list[Hit]:
    """Number hits of several replies, or those that remain of one, in their order."""
    return [hit.model_copy(update={"rank": rank}) for rank, hit in enumerate(hits, 1)]


def in_time(hit: Hit, since: datetime | None, until: datetime | None) -> bool:
    """Return True if the hit may have been published within the range, given the precision of its date."""
    if hit.published is None:
        return True
    if since is not None and utc(hit.published.latest) < utc(since):
        return False
    return until is None or utc(hit.published.at) <= utc(until)
