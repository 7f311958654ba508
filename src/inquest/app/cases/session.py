"""One case at work: a session takes it from its brief to its end, over as many days and processes as that takes."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
from collections.abc import Callable, Iterable, Sequence
from contextlib import AsyncExitStack, suppress
from datetime import datetime
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from inquest.app.wiring.case_services import CaseWork, case_services
from inquest.app.wiring.loading import load_later
from inquest.domain.brief import Brief
from inquest.domain.case import Case, CaseKind, CaseStatus
from inquest.domain.errors import InputError, Outage, SettingError
from inquest.domain.event import Event, EventType, Stage
from inquest.domain.market import KEPT_FOR
from inquest.domain.plan import Approval, Decision
from inquest.domain.value import JsonValue
from inquest.kit.ports import Clock, EventSink

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver

    from inquest.app.wiring.resources import Resources
    from inquest.flow.budget import CaseBudget
    from inquest.flow.runner import CaseRunner
    from inquest.flow.services import Services

__all__ = ["Session", "new_session", "open_session"]

Listener = Callable[[Event], None]

_OVER = (CaseStatus.COMPLETED, CaseStatus.PARTIAL, CaseStatus.FAILED)
"""What nobody goes on with."""

_TRIES, _BETWEEN_TRIES = 600, 0.05
"""How often, and after how many seconds, the lock on the making of tables is tried for: half a minute in all."""

_ONCE = frozenset(
    (
        EventType.SOURCE_FOUND,
        EventType.CLAIM_EXTRACTED,
        EventType.FACT_CHECKED,
        EventType.TIMELINE_EVENT,
        EventType.OUTAGE,
    )
)
"""What is found is told once, though the node that found it runs again after it was cut off."""
_WORK = frozenset(
    (
        EventType.CLAIMS_ROUTED,
        EventType.AGENT_STARTED,
        EventType.AGENT_THINKING,
        EventType.CLAIM_INVESTIGATING,
        EventType.SEARCH_EXECUTED,
        EventType.SOURCE_EVALUATED,
        EventType.CONTRADICTION_DETECTED,
        EventType.EVIDENCE_FOUND,
        EventType.AGENT_COMPLETED,
        EventType.INFO_REQUEST_POSTED,
        EventType.INFO_REQUEST_ROUTED,
        EventType.INFO_RESPONSE_POSTED,
        EventType.REINVESTIGATION_REQUESTED,
        EventType.VERDICT_CHANGED,
        EventType.ERROR,
    )
)
"""What desks and judge do may be the same in two rounds: it is left untold only as often as it was told by the work
that was cut off and is now done again."""


class _Telling:
    """A sink that also tells listeners in this process. What is told before it is connected to where events are kept is
    kept and told then. `earlier`: what the case told before it was cut off."""

    def __init__(self, case_id: str, clock: Clock, earlier: Iterable[Event] = ()) -> None:
        self._case_id, self._clock = case_id, clock
        self._sink: EventSink | None = None
        self._held: list[Event] = []
        self._connecting = asyncio.Lock()
        self._said = {(event.type, event.text): event for event in earlier if event.type in _ONCE}
        self._again: list[Event] = []
        self.listeners: list[Listener] = []

    async def connect(self, sink: EventSink) -> None:
        """From now on events go there, those first that were held."""
        async with self._connecting:
            for event in self._held:
                await self._tell(sink, event.type, event.text, stage=event.stage, marker=event.marker, **event.data)
            self._sink = sink

    def is_done_again(self, events: Iterable[Event]) -> None:
        """These were told by work that was cut off and will be done once more."""
        self._again = [event for event in events if event.type in _WORK]

    async def emit(
        self,
        type: EventType,
        text: str,
        *,
        stage: Stage | None = None,
        marker: str | None = None,
        **data: JsonValue,
    ) -> Event:
        if (type, text) in self._said:
            return self._said[(type, text)]
        told = next((event for event in self._again if (event.type, event.text) == (type, text)), None)
        if told is not None:
            self._again.remove(told)
            return told
        async with self._connecting:
            if self._sink is None:
                return self._hold(type, text, stage=stage, marker=marker, **data)
        return await self._tell(self._sink, type, text, stage=stage, marker=marker, **data)

    def _hold(self, type: EventType, text: str, *, stage: Stage | None, marker: str | None, **data: JsonValue) -> Event:
        event = Event(
            id=0,
            case_id=self._case_id,
            at=self._clock.now(),
            type=type,
            text=text,
            stage=stage,
            marker=marker,
            data=data,
        )
        self._held.append(event)
        return event

    async def _tell(
        self,
        sink: EventSink,
        type: EventType,
        text: str,
        *,
        stage: Stage | None,
        marker: str | None,
        **data: JsonValue,
    ) -> Event:
        event = await sink.emit(type, text, stage=stage, marker=marker, **data)
        for listener in self.listeners:
            listener(event)
        return event


class Session:
    """Use as an async context manager: the case is this process's while it is open."""

    def __init__(self, app: Resources, case: Case, *, fresh: bool) -> None:
        self._app = app
        self.case = case
        self._fresh = fresh
        self._stack = AsyncExitStack()
        self._runner: CaseRunner | None = None
        self._budget: CaseBudget | None = None
        self._telling: _Telling | None = None
        self._listeners: list[Listener] = []
        self._saver: BaseCheckpointSaver[str] | None = None

    def listen(self, listener: Listener) -> None:
        """Be told every event from now on, in this process."""
        self._listeners.append(listener)

    def stop(self) -> bool:
        """Stop and report what there is. False: nothing has been approved yet, so there is nothing to report."""
        if self._budget is None or self.case.status is not CaseStatus.RUNNING:
            return False
        self._budget.cancel()
        return True

    async def __aenter__(self) -> Session:
        from inquest.flow.budget import CaseBudget
        from inquest.flow.time_limits import exchange_limits, seconds_of

        app, case = self._app, self.case
        seconds = seconds_of(case.brief, len(case.claims))
        self._budget = CaseBudget(usd=case.brief.budget_usd, seconds=seconds, spent=case.cost)
        earlier = [] if self._fresh else await app.events_of(case.id)
        self._telling = _Telling(case.id, app.clock, earlier)
        self._telling.listeners += self._listeners
        view = (await app.door()).for_case(case.id, self._budget, longest=exchange_limits(seconds), begins=self._fresh)
        services = await case_services(app, CaseWork(case, view, self._budget, self._telling, app.clock))
        try:
            if self._fresh:
                await self._begin_plan(services, view.asking)
            await self._take(services, earlier)
        except BaseException:
            await self._stack.aclose()
            raise
        return self

    async def _begin_plan(self, services: Services, asking: asyncio.Event) -> None:
        """Begin the plan of a new case; what is needed after its first question is loaded when that is on its way."""
        from inquest.flow.first_step import begin_plan

        assert self._telling is not None
        case = self.case
        await self._telling.emit(EventType.CASE_CREATED, case.brief.text, mode=case.brief.mode.value)
        plan = begin_plan(case.kind, case.brief, services)
        self._stack.push_async_callback(_stopped, plan)
        asked = asyncio.ensure_future(asking.wait())
        await asyncio.wait([plan, asked], return_when=asyncio.FIRST_COMPLETED)
        asked.cancel()
        loading = load_later(case.kind, self._app.settings)
        self._stack.push_async_callback(asyncio.wait, [loading])

    async def _take(self, services: Services, earlier: Sequence[Event]) -> None:
        """Make the case this process's. Raises Busy, StorageError."""
        app, case = self._app, self.case
        assert self._telling is not None
        store = await app.store()
        if app.settings.callback_url:
            from inquest.app.cases.callbacks import Callbacks

            callbacks = Callbacks(app.settings, app.clock, self._telling, lambda: self.case)
            await self._stack.enter_async_context(callbacks)
            self._telling.listeners.append(callbacks.tell)
            for event in earlier:  # what an earlier process did not come to post
                callbacks.tell(event)
        runner = await asyncio.to_thread(import_module, "inquest.flow.runner")
        saver = self._saver = await _saver(app, self._stack)
        if earlier:
            since = await _last_checkpoint(saver, case.id)
            self._telling.is_done_again(event for event in earlier if since is None or event.at > since)
        held_by = await store.holder(case.id)
        if held_by and _is_gone(held_by):
            await store.release(case.id, held_by)
        if self._fresh:  # only now, when nothing can be wrong with the settings any more
            await store.create(case)
        await self._telling.connect((await app.events()).sink(case.id, app.clock))
        let_go = partial(_let_go, saver) if _is_sqlite(app) else None
        self._runner = runner.CaseRunner(
            case, services, saver, store, _runner_name(), told=self._took_note, let_go=let_go
        )
        await self._stack.enter_async_context(self._runner)

    async def __aexit__(self, *exc: Any) -> None:
        if self._saver is not None and self._is_over():
            await _forget_steps(self._saver, self.case.id, is_sqlite=_is_sqlite(self._app))
        await self._stack.__aexit__(*exc)
        if self.case.brief.topic is not None and self.case.status.ended:
            from inquest.app.cases.topic_records import record_case

            await record_case(self._app, self.case)

    def _is_over(self) -> bool:
        """Whether nobody can go on with it: it has ended, or its plan was rejected."""
        return self.case.status in _OVER or (self.case.status.ended and _is_rejected(self.case))

    def _took_note(self, case: Case) -> None:
        self.case = case

    async def begin(self) -> Case:
        """Make the plan, or go on from where the case is. Raises what `CaseRunner` raises."""
        assert self._runner is not None and self._telling is not None
        if self._fresh:
            self.case = await self._runner.start()
        else:
            self.case = await self._runner.resume()
        return self.case

    async def decide(self, approval: Approval) -> Case:
        """Answer the plan; after a yes, run to the end."""
        assert self._runner is not None
        if approval.decision is Decision.APPROVE:
            self.case = self.case.model_copy(update={"status": CaseStatus.RUNNING})
        self.case = await self._runner.decide(approval)
        return self.case


async def _stopped(work: asyncio.Future[Any]) -> None:
    """Nobody waits for it any more."""
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)


async def new_session(app: Resources, brief: Brief) -> Session:
    """A session for a new case. Raises InputError, SettingError."""
    app.engines_for(brief)
    if app.settings.uses_model:
        from inquest.app.wiring.model_services import check_models

        check_models(app.settings)
    now = app.clock.now()
    case = Case(
        id=f"{now:%Y%m%d}-{secrets.token_hex(4)}",
        kind=_kind(brief),
        status=CaseStatus.PLANNED,
        brief=brief,
        as_of=brief.as_of or now,
        created_at=now,
        kept_until=now + KEPT_FOR if brief.market and not brief.market.saved else None,
    )
    return Session(app, case, fresh=True)


def _kind(brief: Brief) -> CaseKind:
    if brief.check is not None:
        return CaseKind.CLAIMS
    if brief.market is not None:
        return CaseKind.MARKET
    return CaseKind.TOPIC if brief.topic is not None else CaseKind.INQUIRY


async def open_session(app: Resources, case_id: str) -> Session:
    """A session for a case that waits, was cut off or was stopped. Raises NotFound, InputError."""
    case = await app.case(case_id)
    if case.status in _OVER or _is_rejected(case):
        raise InputError(
            f"The case {case.id} has ended ({case.status.value}).", advice=f"See it with `inquest show {case.id}`."
        )
    return Session(app, case, fresh=False)


def _is_rejected(case: Case) -> bool:
    return bool(case.approvals) and case.approvals[-1].decision is Decision.REJECT


async def _forget_steps(saver: BaseCheckpointSaver[str], case_id: str, *, is_sqlite: bool) -> None:
    """Forget the checkpoints of a case that nobody goes on with: what it found is in the store, and they were nine
    tenths of its size. Where the database does not let them go now they stay, and nothing is lost."""
    try:
        await saver.adelete_thread(case_id)
        if is_sqlite:
            connection: Any = saver
            await connection.conn.executescript("PRAGMA incremental_vacuum")  # as a script it is carried on to its end
    except Exception as error:
        if type(error).__module__.partition(".")[0] not in ("sqlite3", "psycopg", "psycopg_pool"):
            raise


async def _saver(app: Resources, stack: AsyncExitStack) -> BaseCheckpointSaver[str]:
    """Checkpoints, in the same database as everything else."""
    url = app.settings.resolved_database_url
    if _is_sqlite(app):
        import aiosqlite
        from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

        path = url.removeprefix("sqlite:///")
        connection = await stack.enter_async_context(aiosqlite.connect(path, timeout=30))
        saver: Any = AsyncSqliteSaver(connection)
        stack.push_async_callback(_let_go, saver)
    else:
        try:
            from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
        except ImportError as error:
            raise SettingError(
                "PostgreSQL needs the extra packages of `inquest[postgres]`.", advice="Install them."
            ) from error
        saver = await stack.enter_async_context(AsyncPostgresSaver.from_conn_string(url))
        await _one_at_a_time(saver.conn)
    try:
        await saver.setup()
    except OSError as error:
        raise Outage(f"The checkpoints cannot be kept ({error}).") from error
    if not _is_sqlite(app):
        await saver.conn.execute("SELECT pg_advisory_unlock(hashtext('inquest checkpoints'))")
    return saver  # type: ignore[no-any-return]


def _is_sqlite(app: Resources) -> bool:
    return app.settings.resolved_database_url.startswith("sqlite")


async def _let_go(saver: Any) -> None:
    """Undo what an SQLite saver was cut off in between a write and its commit. A connection that is closed with an open
    transaction is kept, with its lock on the whole database, for as long as any cursor of it is referred to."""
    with suppress(ValueError):  # it is closed
        await saver.conn.rollback()


async def _one_at_a_time(connection: Any) -> None:
    """Wait until nobody else makes the tables of checkpoints in a fresh PostgreSQL database: two at once break each
    other's. The lock is the connection's and ends with it.

    It is tried for again and again: its indexes are made concurrently, which waits for every statement that is under
    way, and so for ever for one that waits for the lock."""
    for _ in range(_TRIES):
        got = await connection.execute("SELECT pg_try_advisory_lock(hashtext('inquest checkpoints')) AS got")
        if (await got.fetchone())["got"]:
            return
        await asyncio.sleep(_BETWEEN_TRIES)
    raise Outage("Another process has been making the tables of checkpoints for too long. Try again later.")


async def _last_checkpoint(saver: BaseCheckpointSaver[str], case_id: str) -> datetime | None:
    """When the case last got on for good; what it did after that is done again."""
    last = await saver.aget_tuple({"configurable": {"thread_id": case_id}})
    return datetime.fromisoformat(last.checkpoint["ts"]) if last else None


def _is_gone(runner: str) -> bool:
    """Whether a runner was a process of this machine that is no longer there; of others nothing can be told."""
    host, _, rest = runner.partition(":")
    pid = rest.partition(":")[0]
    if host != socket.gethostname() or not pid.isdigit():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


def _runner_name() -> str:
    return f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(3)}"
