"""Resources of use cases: settings, store, archive, HTTP client, engines, readers and small models.

Each is created on first use, so that a command loads only what it needs.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import unquote, urlsplit

from inquest.app.clock import SystemClock
from inquest.app.settings import Settings, host_and_port, load_settings
from inquest.app.wiring.engine_choices import made_engines, made_reranker, reranker_kinds, rerankers_of_a_replay
from inquest.app.wiring.pages import ReadPages, SecondTries, made_readers, readers_of_a_replay
from inquest.collection.registry_store import tables_in
from inquest.domain.errors import InputError, SettingError
from inquest.domain.plan import Brief
from inquest.domain.report import Cost
from inquest.domain.search import ON_THIS_MACHINE
from inquest.kit.engine import Engine
from inquest.kit.exchange import Reply, Request
from inquest.kit.ports import Clock, QuotaCounter, Recording, TextRanker
from inquest.kit.reranker import LOCAL
from inquest.kit.second_reader import SecondReader

if TYPE_CHECKING:
    from inquest.app.wiring.collections import Collections, Registries
    from inquest.app.wiring.tracing import OpenTelemetry
    from inquest.archive.files import FileArchive
    from inquest.archive.shared import SharedArchive
    from inquest.collection.sharing import Sharing
    from inquest.domain.case import Case
    from inquest.domain.document import Document, Snapshot
    from inquest.domain.event import Event, EventType
    from inquest.kit.desk import Desk
    from inquest.kit.ports import HttpClient, Objects, PairReader, SentenceEncoder
    from inquest.kit.reranker import Reranker
    from inquest.net.door import Door
    from inquest.store.case_figures import KnownOutlines
    from inquest.store.cases import Cases, KnownCases
    from inquest.store.database import Database
    from inquest.store.events import Events
    from inquest.store.holds import CaseHold
    from inquest.store.shared import ObjectEvidence, SharedCollections


_MOST_KEPT = 128
T = TypeVar("T")


class Kept:
    """A cache of content made from finished cases (pages, reports, JSON), valid for the case as it was read and
    everything else that the content depends on. Callers read these first, so a change in any of them shows at once."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, tuple[Case, Any]] = OrderedDict()

    def get(self, case: Case, rest: Hashable, make: Callable[[], T], *, anew: bool = False) -> T:
        """Return the content, made by `make` if it is not cached, if the case is still running, or if `anew`."""
        if not case.status.ended:
            return make()
        key = id(case), rest  # the entry keeps the case alive, so that no other object can have its id
        known = None if anew else self._kept.get(key)
        self._kept[key] = found = known or (case, make())
        self._kept.move_to_end(key)
        if len(self._kept) > _MOST_KEPT:
            self._kept.popitem(last=False)
        made: T = found[1]
        return made


class Late:
    """A port of the database that is opened at its first call, so that the first request of a case need not wait."""

    def __init__(self, opened: Callable[[], Awaitable[Any]]) -> None:
        self._opened = opened

    def __getattr__(self, name: str) -> Any:
        async def call(*args: Any, **kwargs: Any) -> Any:
            return await getattr(await self._opened(), name)(*args, **kwargs)

        return call


@asynccontextmanager
async def open_resources(settings: Settings | None = None, *, clock: Clock | None = None) -> AsyncIterator[Resources]:
    """Resources with the settings of this process, closed on exit. Raises SettingError, StorageError."""
    async with AsyncExitStack() as stack:
        yield Resources(settings or load_settings(), stack, clock or SystemClock())


class Resources:
    """Resources created on first use. Use cases are functions that take this object or parts of it."""

    def __init__(self, settings: Settings, stack: AsyncExitStack, clock: Clock) -> None:
        self.settings = settings
        self.clock = clock
        self._stack = stack
        self._database: Database | None = None
        self._door: Door | None = None
        self._calls: QuotaCounter | None = None
        self._known_cases: KnownCases = {}
        self._opening = asyncio.Lock()
        self.kept = Kept()
        self.known_outlines: KnownOutlines = {}
        try:
            settings.home.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SettingError(
                f"The data folder {settings.home} cannot be created ({error.strerror}).", advice="Set INQUEST_HOME."
            ) from error

    def use_settings(self, settings: Settings) -> None:
        """Use these settings, such as a new key, from now on. Running cases keep their earlier ones."""
        self.settings = settings
        for name in ("engines", "second_readers", "reranker_of_settings"):
            self.__dict__.pop(name, None)
        self._door = None

    # -- parts -------------------------------------------------------------------------------------------------------

    @property
    def archive_folder(self) -> Path:
        """The folder of snapshots."""
        return self.settings.home / "archive"

    @cached_property
    def archive(self) -> FileArchive | SharedArchive:
        """The archive: in the object store of the settings, otherwise in the data folder. Raises SettingError."""
        if self._objects is not None:
            from inquest.archive.shared import SharedArchive

            return SharedArchive(self._objects, self._evidence)
        from inquest.archive.files import FileArchive

        return FileArchive(self.archive_folder)

    @cached_property
    def _objects(self) -> Objects | None:
        if not self.settings.storage_url:
            return None
        from inquest.archive.shared import objects_at

        return objects_at(self.settings.storage_url)

    async def _evidence(self) -> ObjectEvidence:
        from inquest.store.shared import ObjectEvidence

        return ObjectEvidence(await self.database())

    @cached_property
    def collections(self) -> Collections:
        """The user's own documents."""
        from inquest.app.wiring.collections import Collections, encoding_of
        from inquest.archive.captures import captures

        home = self.settings.home
        made = Collections(
            home if self._objects is None else home / "shared",
            archive=self.archive,
            read=self._read_own,
            unpack=captures,
            clock=self.clock,
            encoding=encoding_of(self.settings),
        )
        made.sharing = self._sharing
        return made

    @cached_property
    def registries(self) -> Registries:
        """The tables of registers on this machine."""
        from inquest.app.wiring.collections import Registries

        return Registries(self.settings.home, self.archive, self.clock, self.door)

    @cached_property
    def _sharing(self) -> Sharing | None:
        if self._objects is None:
            return None
        from inquest.collection.sharing import Sharing

        writer = f"{socket.gethostname()}:{os.getpid()}"
        return Sharing(self.settings.home / "shared" / "collections", self._objects, self._shared_collections, writer)

    async def _shared_collections(self) -> SharedCollections:
        from inquest.store.shared import SharedCollections

        return SharedCollections(await self.database())

    async def _ask_collections(self, request: Request) -> Reply:
        await self.collections.refresh(unquote(urlsplit(request.url).netloc))
        return await self.collections.service(request)

    async def _ask_registries(self, request: Request) -> Reply:
        return await self.registries.service(request)

    async def database(self) -> Database:
        """The database, opened and migrated on first use."""
        async with self._opening:
            if self._database is None:
                # In a thread, because the import takes a quarter of a second.
                loaded = await asyncio.to_thread(import_module, "inquest.store.database")
                self._database = await loaded.Database.open(self.settings.resolved_database_url)
                self._stack.push_async_callback(self._database.close)
            else:
                return self._database
        from inquest.store.cases import forget_what_is_due

        await forget_what_is_due(self._database, self.archive, self.clock.now())  # the archive may ask for the database
        return self._database

    @cached_property
    def traces(self) -> OpenTelemetry | None:
        """The exporter of OpenTelemetry spans."""
        from inquest import __version__
        from inquest.app.wiring.tracing import traces_to

        made = traces_to(self.settings.traces, __version__)
        if made is not None:
            self._stack.push_async_callback(made.aclose)
        return made

    async def store(self, hold: CaseHold | None = None) -> Cases:
        """The stored cases, written by a person, or by the runner of this hold."""
        from inquest.store.cases import Cases

        return Cases(await self.database(), self.clock, hold)

    async def hold(self, case_id: str, runner: str) -> CaseHold:
        """The hold of this runner on the case, not yet taken."""
        from inquest.store.holds import CaseHold

        return CaseHold(await self.database(), case_id, runner)

    async def events(self) -> Events:
        """The stored events of cases."""
        from inquest.store.events import Events

        return Events(await self.database())

    async def door(self) -> Door:
        """The HTTP client of all outside requests."""
        if self._door is None:  # no await until it is set
            from inquest import __version__
            from inquest.app.wiring.model_services import model_hosts
            from inquest.net.client import Network
            from inquest.net.door import Door
            from inquest.net.outside import Allowances
            from inquest.net.policy import RequestPolicy
            from inquest.net.searcher import label_of
            from inquest.store import account_of

            settings, engines = self.settings, self.engines
            own = [host_and_port(engine.access.url) for engine in engines.values() if engine.access.url]
            limits = {name: settings.limits(engine.spec) for name, engine in engines.items()}
            limits |= {name: reader.limits for name, reader in self.second_readers.items() if name not in limits}
            accounts = {
                name: account_of(engine.access.key)
                for name, engine in engines.items()
                if engine.access.key or limits[name].per_day is not None or limits[name].per_month is not None
            }
            if settings.reranker != LOCAL:
                label = label_of(self.reranker_of_settings.name)
                limits[label] = settings.reranker_limits(label, self.reranker_of_settings.spec.limits)
                accounts[label] = account_of(self.reranker_of_settings.access.key)
            contact = f"; mailto:{settings.contact}" if settings.contact else ""
            self._door = Door(
                clock=self.clock,
                user_agent=f"Inquest/{__version__} (fact research{contact})",
                recording=Late(self.recording),
                network=Network(
                    allow_hosts=(*settings.allow_hosts, *filter(None, own)),
                    model_hosts=list(filter(None, map(host_and_port, model_hosts(settings)))),
                    proxy=settings.proxy,
                    ca_file=str(settings.ca_file) if settings.ca_file else None,
                    mcp=settings.mcp,
                ),
                allowances=Allowances(
                    limits=limits,
                    quotas=Late(self._quotas),
                    accounts=accounts,
                    titles=self.titles,
                    policy=RequestPolicy(obey_robots=settings.robots),
                    robots_folder=settings.home / "robots",
                ),
                mounts={"collection": self._ask_collections, "registry": self._ask_registries},
            )
            self._stack.push_async_callback(self._door.aclose)
        return self._door

    async def recording(self, hold: CaseHold | None = None) -> Recording:
        """The recorded replies, written without a hold or by the runner of this hold."""
        database = await self.database()
        from inquest.store.recording import ReplyRecording

        return ReplyRecording(database, self.archive, self.clock, hold)

    @property
    def titles(self) -> dict[str, str]:
        """Titles of the second readers and search engines, by name."""
        titles = {name: reader.title for name, reader in self.second_readers.items()}
        return titles | {name: engine.spec.title for name, engine in self.engines.items()}

    async def _quotas(self) -> QuotaCounter:
        database = await self.database()
        if self._calls is None:
            from inquest.store.quotas import Quotas

            self._calls = Quotas(database, self.titles)
        return self._calls

    @cached_property
    def second_readers(self) -> Mapping[str, SecondReader]:
        """Services tried for pages that are gone or refuse access, in the order of the settings."""
        return made_readers(self.settings)

    @cached_property
    def reranker_of_settings(self) -> Reranker:
        """The reranker of the settings. Raises SettingError if it is unknown or lacks its key."""
        return made_reranker(self.settings)

    def reranker(
        self, door: HttpClient, spend: Callable[[Cost], None] | None = None, *, replay: bool = False
    ) -> TextRanker:
        """A scorer of texts by their relevance to a question. Raises SettingError. `replay`: use the reranker recorded
        with the case instead of that of the settings."""
        from inquest.net.searcher import Reranking

        asked = rerankers_of_a_replay(self.settings) if replay else [self.reranker_of_settings]
        return Reranking(asked, reranker_kinds()[LOCAL](), door, spend)

    @cached_property
    def reader(self) -> PairReader | None:
        """The small model of entailment; None: rules judge alone. Raises SettingError."""
        from inquest.app.wiring.small_models import pair_reader

        return pair_reader(self.settings)

    @cached_property
    def encoder(self) -> SentenceEncoder | None:
        """The small model of sentence vectors; None: texts are compared by words. Raises SettingError."""
        from inquest.app.wiring.small_models import sentence_encoder

        return sentence_encoder(self.settings)

    @cached_property
    def engines(self) -> Mapping[str, Engine]:
        """Every engine, with its key and address from the settings."""
        return made_engines(self.settings)

    def engine(self, name: str) -> Engine:
        """The engine of this name. Raises InputError."""
        if name not in self.engines:
            known = ", ".join(sorted(self.engines))
            raise InputError(f"There is no engine '{name[:80]}'.", advice=f"Engines: {known}.")
        return self.engines[name]

    def engines_for(self, brief: Brief) -> Mapping[str, Engine]:
        """The engines, with local ones limited to the collections of the brief. Raises InputError."""
        known = self.collections.names() if brief.collections else ()
        for name in brief.collections:
            if name not in known:
                raise InputError(
                    f"There is no collection '{name}'.",
                    advice=f"Collections: {', '.join(known)}."
                    if known
                    else "Create one with `inquest collection add`.",
                )
        for name in brief.engines:
            self.engine(name)
        now = {"collections": brief.collections, "tables": tables_in(self.settings.home)}
        own = {
            name: type(engine)(engine.access.model_copy(update=now))
            for name, engine in self.engines.items()
            if ON_THIS_MACHINE & set(engine.spec.kinds)
        }
        return {**self.engines, **own}

    @cached_property
    def desks(self) -> Mapping[str, Desk]:
        """Every installed desk, in the order of their files."""
        from inquest.kit.discover import desks

        return {name: desk() for name, desk in desks("inquest.desks").items()}

    # -- reading -----------------------------------------------------------------------------------------------------

    def pages(self, door: Any) -> ReadPages:
        """Fetch, archive and read pages through this client."""
        from inquest.readers import pick

        return ReadPages(door, self.archive, pick, self.clock, second=self.second_tries(door))

    def second_tries(
        self, door: Any, spend: Callable[[Cost], None] = lambda cost: None, *, replay: bool = False
    ) -> SecondTries | None:
        """Other services for pages that are gone or refuse access; None if absent."""
        readers = readers_of_a_replay() if replay else self.second_readers
        if door is None or not readers:
            return None
        return SecondTries(readers.values(), door, allow_hosts=self.settings.allow_hosts, spend=spend)

    @cached_property
    def pages_offline(self) -> ReadPages:
        """Read documents on this machine, which need no HTTP client."""
        return self.pages(None)

    async def _read_own(self, body: bytes, snapshot: Snapshot) -> Document:
        """Read a document being added; it is archived only when a search finds it."""
        from inquest.readers import pick

        reader = pick(snapshot.content_type, body, snapshot.final_url)
        return await asyncio.to_thread(reader.read, body, snapshot)

    # -- cases -------------------------------------------------------------------------------------------------------

    async def case(self, case_id: str) -> Case:
        """Load a case by its id or an unambiguous prefix. Raises NotFound."""
        return await (await self.store()).load(case_id, self._known_cases)

    async def cases(self, limit: int = 50) -> list[Case]:
        """The newest cases, newest first."""
        return list(await (await self.store()).list(limit=limit))

    async def events_of(self, case_id: str, *types: EventType) -> list[Event]:
        """The events of a case in order, optionally of these types only."""
        return await (await self.events()).after(case_id, limit=None, types=types)

    async def snapshot_text(self, snapshot_hash: str) -> str:
        """The text of a snapshot that offsets refer to. Raises NotFound, PageError."""
        snapshot = await self.archive.snapshot(snapshot_hash)
        document = await self.archive.document(snapshot_hash)
        if document is None:
            document = await self.pages_offline.document(await self.archive.body(snapshot_hash), snapshot)
        return document.text
