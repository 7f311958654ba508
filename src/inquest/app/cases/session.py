"""A running case: a session takes it from its brief to its end, over any number of days and processes."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import AsyncExitStack, suppress
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from inquest.app.cases.checkpoints import forget_steps, last_checkpoint, open_saver, undo_half_write
from inquest.app.cases.progress import MemorySink
from inquest.app.wiring.case_services import CaseWork, case_services
from inquest.app.wiring.resources import Late
from inquest.app.wiring.small_models import CONNECTING, STORE, load_graph, load_last, loaded
from inquest.app.wiring.tracing import TracedClient
from inquest.domain.case import Case, CaseKind, CaseStatus
from inquest.domain.errors import InputError, StorageError
from inquest.domain.event import Event, EventType
from inquest.domain.market import KEPT_FOR
from inquest.domain.plan import Approval, Brief, Decision
from inquest.kit.ports import LEASE, NO_TRACES, Clock, EventSink

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver

    from inquest.app.wiring.resources import Resources
    from inquest.flow.runner import CaseRunner
    from inquest.flow.services import Services
    from inquest.retrieval.budget import CaseBudget
    from inquest.store.holds import CaseHold

Listener = Callable[[Event], None]
_OVER = (CaseStatus.COMPLETED, CaseStatus.PARTIAL, CaseStatus.FAILED)

_ONCE = frozenset(
    (
        EventType.PLAN_DECIDED, EventType.CASE_STARTED, EventType.SOURCE_FOUND, EventType.CLAIM_EXTRACTED,
        EventType.FACT_CHECKED, EventType.TIMELINE_EVENT, EventType.OUTAGE,
    )
)  # fmt: skip
"""Reported once, even if their node runs again after an interruption."""
_WORK = frozenset(
    (
        EventType.CLAIMS_ROUTED, EventType.AGENT_STARTED, EventType.AGENT_THINKING, EventType.CLAIM_INVESTIGATING,
        EventType.CLAIM_CHECKED, EventType.SEARCH_EXECUTED, EventType.SOURCE_EVALUATED,
        EventType.CONTRADICTION_DETECTED, EventType.EVIDENCE_FOUND, EventType.AGENT_COMPLETED,
        EventType.INFO_REQUEST_POSTED, EventType.INFO_REQUEST_ROUTED, EventType.INFO_RESPONSE_POSTED,
        EventType.REINVESTIGATION_REQUESTED, EventType.VERDICT_CHANGED, EventType.ERROR,
    )
)  # fmt: skip
"""May recur in another round, so they are omitted only as often as the interrupted work reported them."""


class _CaseSink:
    """An event sink that also notifies listeners in this process, and holds events until it is connected to the store.
    `earlier`: the events before an interruption."""

    def __init__(self, case_id: str, clock: Clock, earlier: Iterable[Event] = ()) -> None:
        self._sink: EventSink | None = None
        self._held: list[Event] = []
        self._memory = MemorySink(case_id, clock, self._held.append)
        self._connecting = asyncio.Lock()
        self._reported = {(event.type, event.text): event for event in earlier if event.type in _ONCE}
        self._again: list[Event] = []
        self.is_over = False
        """True once the end of the case is reported."""
        self.listeners: list[Listener] = []

    async def connect(self, sink: EventSink) -> None:
        """Send the events held so far, and all later ones, to this sink."""
        async with self._connecting:
            for event in self._held:
                await self._forward(sink, event.type, event.text, stage=event.stage, marker=event.marker, **event.data)
            self._sink = sink

    def expect_again(self, events: Iterable[Event]) -> None:
        """Omit these events of interrupted work once when it is repeated."""
        self._again = [event for event in events if event.type in _WORK]

    async def emit(self, type: EventType, text: str, **details: Any) -> Event:
        self.is_over = type is EventType.CASE_FINISHED
        if (type, text) in self._reported:
            return self._reported[(type, text)]
        earlier = next((event for event in self._again if (event.type, event.text) == (type, text)), None)
        if earlier is not None:
            self._again.remove(earlier)
            return earlier
        async with self._connecting:
            if self._sink is None:
                return self._memory.add(type, text, **details)
        return await self._forward(self._sink, type, text, **details)

    async def _forward(self, sink: EventSink, type: EventType, text: str, **details: Any) -> Event:
        event = await sink.emit(type, text, **details)
        for listener in self.listeners:
            listener(event)
        return event


class Session:
    """A case held by this process. Use as an async context manager."""

    def __init__(
        self, app: Resources, case: Case, *, fresh: bool, approved: bool = False, relayed: bool = False
    ) -> None:
        """`relayed`: a service sends the callbacks."""
        self._app, self._relayed = app, relayed
        self.case = case
        self._fresh, self._approved, self._stops = fresh, approved, False
        self._kept = asyncio.Event()
        """Set once the case and its events are stored."""
        self._asking: asyncio.Event | None = None
        """Set once a request of a new case is sent."""
        self._ahead: asyncio.Future[None] | None = None
        """The searches of a plan approved in advance."""
        self._stack = AsyncExitStack()
        self._runner: CaseRunner | None = None
        self._budget: CaseBudget | None = None
        self._sink: _CaseSink | None = None
        self._waits = False
        """True while the case waits for a decision, and at its end."""
        self._listeners: list[Listener] = []
        self._saver: BaseCheckpointSaver[str] | None = None
        self._hold: CaseHold | None = None
        """None for a new case not yet stored."""

    def listen(self, listener: Listener) -> None:
        """Notify the listener of every later event in this process."""
        self._listeners.append(listener)

    def stop(self) -> bool:
        """Stop and report partial results; with a plan approved in advance, once it exists. False: no plan is approved,
        so there is nothing to report."""
        self._stops = self._budget is not None and (self._approved or self.case.status is CaseStatus.RUNNING)
        if self._budget is not None and self.case.status is CaseStatus.RUNNING:
            self._budget.cancel()
        return self._stops

    def hand_over(self) -> None:
        """Leave the case to another process; callers that wait for it get HandedOver."""
        if self._runner is not None:
            self._runner.hand_over()

    async def __aenter__(self) -> Session:
        try:
            await self._enter()
        except BaseException as error:
            if isinstance(error, asyncio.CancelledError) and self._fresh and self._hold is not None:
                # It was stopped before its graph was loaded.
                why = "It was stopped; `inquest resume` continues it."
                self.case = self.case.model_copy(update={"status": CaseStatus.CANCELLED, "why": why})
                await asyncio.shield((await self._app.store(self._hold)).save(self.case))
            await self._stack.aclose()
            raise
        return self

    async def _enter(self) -> None:
        from inquest.flow.planned import exchange_limits, seconds_of
        from inquest.retrieval.budget import CaseBudget

        app = self._app
        if not self._fresh:
            # Before the case is read, because another runner may have changed it up to now.
            await self._hold_case()
            self.case = await app.case(self.case.id)
            _check_open(self.case)
        case = self.case
        seconds = seconds_of(case.brief, len(case.claims))
        self._budget = CaseBudget(
            usd=case.brief.budget_usd,
            seconds=seconds,
            tokens=case.brief.budget_tokens,
            calls=case.brief.budget_calls,
            spent=case.cost,
        )
        earlier = [] if self._fresh else await app.events_of(case.id)
        self._sink = _CaseSink(case.id, app.clock, earlier)
        self._sink.listeners += self._listeners
        longest = exchange_limits(seconds)
        from inquest.net.door import DAY

        age = None if case.brief.afresh else DAY
        view = (await app.door()).for_case(case.id, self._budget, cache_age=age, longest=longest, begins=self._fresh)
        self._stack.push_async_callback(view.end_case)
        # A new case, which no other runner knows, records replies before it is held.
        view = view.recorded_by(Late(lambda: app.recording(self._hold)))
        trace = app.traces.case(case) if app.traces else None
        if trace is not None:
            self._stack.callback(lambda: trace.end(self.case))
        client = TracedClient(view, trace) if trace is not None else view
        work = CaseWork(case, client, self._budget, self._sink, app.clock, tracer=trace or NO_TRACES)
        services = await case_services(app, work)
        if self._fresh:
            # Begin the plan of a new case, and wait until its first request is sent.
            from inquest.flow.planned import begin_plan

            await self._sink.emit(EventType.CASE_CREATED, case.brief.text, mode=case.brief.mode.value)
            plan = begin_plan(case.kind, case.brief, services)
            self._stack.push_async_callback(_stopped, plan)
            if self._approved:
                from inquest.flow.planned import search_ahead
                from inquest.flow.state import state_of

                self._ahead = asyncio.ensure_future(search_ahead(case.kind, state_of(case), plan, self._kept, services))
                self._stack.push_async_callback(_stopped, self._ahead)
            self._asking = view.asking
            await _out(plan, view.asking)
        await self._take(services, earlier)

    async def _hold_case(self) -> None:
        hold = await self._app.hold(self.case.id, f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(3)}")
        await hold.take(lease=LEASE, wait=True)
        self._stack.push_async_callback(_given_up, hold)
        hold.stay_alive(lease=LEASE)
        self._hold = hold

    @property
    def is_kept(self) -> bool:
        """True if the case is stored, so that it can be resumed."""
        return self._hold is not None or not self._fresh

    async def _take(self, services: Services, earlier: Sequence[Event]) -> None:
        """Store and hold a new case, connect its events, and create its runner. Raises StorageError."""
        from inquest.app.cases.progress import Beat

        app, case, sink = self._app, self.case, self._sink
        assert sink is not None
        if self._fresh:  # only now that the settings are known to be valid
            await loaded(*STORE, *(("genai_prices",) if app.settings.uses_model else ()))
            await (await app.store()).create(case)
            await self._hold_case()
        hold = self._hold
        assert hold is not None
        if app.settings.callback_url and not self._relayed:
            from inquest.app.callbacks.relay import relayed

            await self._stack.enter_async_context(relayed(app, case.id, sink))
        beat = Beat(sink, lambda: None if sink.is_over or self._waits else self.case, app.clock, earlier)
        sink.listeners.append(beat.note)
        await sink.connect((await app.events()).sink(case.id, app.clock, hold))
        await self._stack.enter_async_context(beat.going())
        self._kept.set()
        if self._ahead is not None and self._asking is not None:
            await _out(self._ahead, self._asking)  # if the plan itself needed no request
        sqlite = ("aiosqlite", "langgraph.checkpoint.sqlite.aio") if _is_sqlite(app) else ()
        await load_graph(case.kind, *sqlite)
        runner = await asyncio.to_thread(import_module, "inquest.flow.runner")
        saver = self._saver = await open_saver(await app.database(), hold, self._stack)
        if earlier:
            since = await last_checkpoint(saver, case.id)
            sink.expect_again(event for event in earlier if since is None or event.at > since)
        let_go = partial(undo_half_write, saver) if _is_sqlite(app) else None
        kept = runner.Kept(await app.store(hold), hold)
        self._runner = runner.CaseRunner(
            case, services, saver, kept, on_note=partial(setattr, self, "case"), let_go=let_go
        )
        await self._stack.enter_async_context(self._runner)
        self._stack.push_async_callback(_stopped, asyncio.ensure_future(load_last(app.settings, case.kind)))

    async def __aexit__(self, *exc: Any) -> None:
        try:
            is_over = self.case.status in _OVER or (self.case.status.ended and self.case.is_rejected)
            if self._saver is not None and is_over:
                await forget_steps(self._saver, self.case.id, is_sqlite=_is_sqlite(self._app))
        finally:  # close connections even if cancelled
            await self._stack.__aexit__(*exc)
        if self.case.brief.topic is not None and self.case.status.ended:
            from inquest.app.cases.topic_records import record_case

            await record_case(self._app, self.case)

    async def begin(self) -> Case:
        """Make the plan, or continue the case. Raises what `CaseRunner` raises."""
        assert self._runner is not None
        self.case = await (self._runner.start() if self._fresh else self._runner.resume())
        self._waits = True
        return self.case

    async def run(self, answer: Callable[[Case], Awaitable[Approval | None]]) -> Case:
        """Make the plan, or continue the case, and run it with the answer to each plan; None: the plan stays waiting.
        Raises what `CaseRunner` raises."""
        case = await self.begin()
        while case.status is CaseStatus.PLANNED and case.plan is not None:
            if (approval := await answer(case)) is None:
                break
            case = await self.decide(approval)
        return case

    async def decide(self, approval: Approval) -> Case:
        """Answer the plan; if it is approved, run to the end."""
        assert self._runner is not None
        self._waits = False
        if approval.decision is Decision.APPROVE and self._stops and self._budget is not None:
            self._budget.cancel()
        self.case = await self._runner.decide(approval)
        self._waits = True
        return self.case


async def _stopped(work: asyncio.Future[Any]) -> None:
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)


async def _out(work: asyncio.Future[Any], asking: asyncio.Event) -> None:
    """Wait until the work is done or its first request is sent."""
    other = asyncio.ensure_future(asking.wait())
    await asyncio.wait([work, other], return_when=asyncio.FIRST_COMPLETED)
    other.cancel()
    if asking.is_set() and not work.done():
        await asyncio.sleep(CONNECTING)


async def new_session(app: Resources, brief: Brief, *, approved: bool = False) -> Session:
    """A session for a new case. `approved`: the plan is approved in advance, so that its searches begin at once. Raises
    InputError, SettingError."""
    if brief.collections:
        await app.collections.refresh(*brief.collections)
    app.engines_for(brief)
    if app.settings.uses_model:
        from inquest.app.wiring.model_services import check_models, is_own, models_of
        from inquest.flow.planned import OWN_MODEL, seconds_of

        check_models(app.settings)
        if brief.deadline_seconds is None and any(map(is_own, models_of(app.settings).values())):
            brief = brief.model_copy(update={"deadline_seconds": OWN_MODEL * seconds_of(brief, 0)})
    kinds = {
        CaseKind.CLAIMS: brief.check,
        CaseKind.MARKET: brief.market,
        CaseKind.AUDIT: brief.audit,
        CaseKind.TOPIC: brief.topic,
    }
    now = app.clock.now()
    case = Case(
        id=f"{now:%Y%m%d}-{secrets.token_hex(4)}",
        kind=next((kind for kind, asked in kinds.items() if asked is not None), CaseKind.INQUIRY),
        status=CaseStatus.PLANNED,
        brief=brief,
        as_of=brief.as_of or now,
        created_at=now,
        kept_until=now + KEPT_FOR if brief.market and not brief.market.saved else None,
    )
    return Session(app, case, fresh=True, approved=approved)


async def open_session(app: Resources, case_id: str, *, relayed: bool = False) -> Session:
    """A session for a case that waits, was interrupted or was stopped. Raises NotFound, InputError."""
    case = await app.case(case_id)
    _check_open(case)
    return Session(app, case, fresh=False, relayed=relayed)


def _check_open(case: Case) -> None:
    if case.status in _OVER or case.is_rejected:
        raise InputError(
            f"The case {case.id} has ended ({case.status.value}).", advice=f"See it with `inquest show {case.id}`."
        )


def _is_sqlite(app: Resources) -> bool:
    return app.settings.resolved_database_url.startswith("sqlite")


async def _given_up(hold: CaseHold) -> None:
    with suppress(StorageError):  # the lease expires by itself
        await hold.release()
