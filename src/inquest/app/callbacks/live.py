"""Callbacks: what happens in a case is posted to an address of the user's, in order, while the case goes on (Q11).

    {"type": "SOURCE_FOUND", "investigation_id": "...", "data": {...}}      with the header X-Agent-Secret

They go through a door of their own, which lets them reach the receiver's host and no other inside: guarded, paced,
tried again where that can help. Nothing of it is recorded, and a receiver that fails never stops a case: the first
failure becomes one event that says so. A case that goes on in another process goes on telling where it was.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from types import TracebackType

from inquest.app.callbacks.callback_data import Payload, payloads
from inquest.app.callbacks.posting import LABEL, host_and_port, poster
from inquest.app.files import replacing
from inquest.app.settings import Settings
from inquest.domain.case import Case
from inquest.domain.errors import SettingError, StorageError
from inquest.domain.event import Event, EventType
from inquest.kit.ports import Clock, EventSink
from inquest.net.manners import Manners
from inquest.text.urls import is_web_url

DRAIN = 30.0
"""Seconds that a case that has ended waits for its last callbacks to be taken."""


class Callbacks:
    """Posts the events of one case. `tell` takes them; use as an async context manager, which at its end waits for
    what is still under way."""

    def __init__(
        self,
        settings: Settings,
        clock: Clock,
        sink: EventSink,
        case: Callable[[], Case],
        *,
        manners: Manners | None = None,
    ) -> None:
        """`case` gives the case as it stands. Raises SettingError for an address that is none."""
        self._url = settings.callback_url or ""
        if not is_web_url(self._url):
            raise SettingError(
                f"The setting INQUEST_CALLBACK_URL is no web address: '{self._url}'.",
                advice="Write it like http://127.0.0.1:3000/api/agent-callback.",
            )
        self._sink, self._case = sink, case
        self._host = host_and_port(self._url)
        self._settings, self._clock, self._manners = settings, clock, manners or Manners()
        self._stack = AsyncExitStack()
        self._kept = settings.home / "callbacks" / f"{case().id}.json"
        self._ids: dict[str, str] = {}
        self._told: set[str] = set()
        self._queue: asyncio.Queue[Event] = asyncio.Queue()
        self._worker: asyncio.Task[None] | None = None
        self._warned = False

    async def __aenter__(self) -> Callbacks:
        self._told, self._ids = await asyncio.to_thread(_read, self._kept)
        opened = poster(self._settings, self._clock, self._manners)
        self._posting = await self._stack.enter_async_context(opened)
        self._worker = asyncio.create_task(self._work(), name="callbacks")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._worker is not None
        try:
            if kind is None or issubclass(kind, Exception):
                taken = asyncio.ensure_future(self._queue.join())
                await asyncio.wait({taken, self._worker}, timeout=DRAIN, return_when=asyncio.FIRST_COMPLETED)
                taken.cancel()
        finally:
            self._worker.cancel()
            with suppress(asyncio.CancelledError):
                await self._worker
            await self._stack.aclose()

    def tell(self, event: Event) -> None:
        """Take an event; it is posted when those before it have been."""
        self._queue.put_nowait(event)

    async def _work(self) -> None:
        while True:
            event = await self._queue.get()
            try:
                for payload in payloads(event, self._case(), self._ids):
                    if payload.key not in self._told:
                        await self._deliver(payload)
            finally:
                self._queue.task_done()

    async def _deliver(self, payload: Payload) -> None:
        answer = await self._posting.post(self._url, self._case(), payload)
        if answer.error is not None:
            advice = " Check INQUEST_AGENT_SECRET." if answer.status in (401, 403) else ""
            said = f"{self._host} answered {payload.type} with status {answer.status}.{advice}"
            await self._warn(said if answer.status is not None else answer.error)
            return
        self._told.add(payload.key)
        if answer.theirs is not None:
            self._ids[payload.key] = answer.theirs
        await asyncio.to_thread(_write, self._kept, {key: self._ids.get(key) for key in sorted(self._told)})

    async def _warn(self, why: str) -> None:
        """Say once that callbacks fail; the case goes on, and so do later callbacks."""
        if self._warned:
            return
        self._warned = True
        with suppress(StorageError):  # which stops the case where it matters, and is said there
            await self._sink.emit(
                EventType.OUTAGE, f"callback {self._host}: {why}", what=LABEL, where=self._host, why=why
            )


def _read(path: Path) -> tuple[set[str], dict[str, str]]:
    """What an earlier process posted of this case, and the receiver's ids."""
    try:
        kept = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return set(), {}  # none yet, or cut off by a crash: then the receiver is told again
    return set(kept), {key: value for key, value in kept.items() if value is not None}


def _write(path: Path, told: dict[str, str | None]) -> None:
    with suppress(OSError):  # it serves a resumed case only; a full disk stops the case elsewhere, and says so
        path.parent.mkdir(exist_ok=True)
        with replacing(path) as part:
            part.write_text(json.dumps(told), "utf-8")
