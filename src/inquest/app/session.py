"""One case at work: a session takes it from its brief to its end, over as many days and processes as that takes."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Callable, Iterable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from inquest.app.clock import FixedClock
from inquest.app.rating import Ratings
from inquest.domain.brief import Brief
from inquest.domain.case import Case, CaseStatus
from inquest.domain.errors import BudgetMet, InputError, Outage, SettingError
from inquest.domain.event import Event, EventType, Stage
from inquest.domain.plan import NO_QUESTION, Approval, Decision, Plan
from inquest.domain.search import EngineKind
from inquest.domain.value import JsonValue
from inquest.kit.engine import Engine
from inquest.kit.ports import Clock, EventSink

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver

    from inquest.app.build import App
    from inquest.flow.budget import CaseBudget
    from inquest.flow.runner import CaseRunner
    from inquest.flow.services import Services

__all__ = ["Replayed", "Session", "new_session", "open_session", "replay"]

Listener = Callable[[Event], None]


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


class _Telling:
    """A sink that also tells listeners in this process. `earlier`: what the case told before it was cut off."""

    def __init__(self, sink: EventSink, earlier: Iterable[Event] = ()) -> None:
        self._sink = sink
        self._said = {(event.type, event.text): event for event in earlier if event.type in _ONCE}
        self.listeners: list[Listener] = []

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
        event = await self._sink.emit(type, text, stage=stage, marker=marker, **data)
        for listener in self.listeners:
            listener(event)
        return event


class _Untold:
    """A sink for replays: nothing is kept."""

    def __init__(self, case_id: str, clock: Clock) -> None:
        self._case_id, self._clock, self._count = case_id, clock, 0

    async def emit(
        self,
        type: EventType,
        text: str,
        *,
        stage: Stage | None = None,
        marker: str | None = None,
        **data: JsonValue,
    ) -> Event:
        self._count += 1
        return Event(
            id=self._count,
            case_id=self._case_id,
            at=self._clock.now(),
            type=type,
            stage=stage,
            text=text,
            marker=marker,
            data=data,
        )


class Session:
    """Use as an async context manager: the case is this process's while it is open."""

    def __init__(self, app: App, case: Case, *, fresh: bool) -> None:
        self._app = app
        self.case = case
        self._fresh = fresh
        self._stack = AsyncExitStack()
        self._runner: CaseRunner | None = None
        self._budget: CaseBudget | None = None
        self._telling: _Telling | None = None
        self._listeners: list[Listener] = []
        self._stop_asked = False

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
        from inquest.flow.runner import CaseRunner

        app, case = self._app, self.case
        store = await app.store()
        self._budget = CaseBudget(usd=case.brief.budget_usd, seconds=case.brief.deadline_seconds, spent=case.cost)
        earlier = [] if self._fresh else await app.events_of(case.id)
        self._telling = _Telling((await app.events()).sink(case.id, app.clock), earlier)
        self._telling.listeners += self._listeners
        door = (await app.door()).for_case(case.id, self._budget)
        services = await _services(app, case, door, self._budget, self._telling, app.clock)
        try:
            if app.settings.callback_url:
                from inquest.app.callbacks import Callbacks

                callbacks = Callbacks(app.settings, app.clock, self._telling, lambda: self.case)
                self._telling.listeners.append((await self._stack.enter_async_context(callbacks)).tell)
            saver = await _saver(app, self._stack)
            held_by = await store.holder(case.id)
            if held_by and _is_gone(held_by):
                await store.release(case.id, held_by)
            if self._fresh:  # only now, when nothing can be wrong with the settings any more
                await store.create(case)
            self._runner = CaseRunner(case, services, saver, store, _runner_name(), told=self._took_note)
            await self._stack.enter_async_context(self._runner)
        except BaseException:
            await self._stack.aclose()
            raise
        return self

    async def __aexit__(self, *exc: Any) -> None:
        await self._stack.__aexit__(*exc)

    def _took_note(self, case: Case) -> None:
        self.case = case

    async def begin(self) -> Case:
        """Make the plan, or go on from where the case is. Raises what `CaseRunner` raises."""
        assert self._runner is not None and self._telling is not None
        if self._fresh:
            await self._telling.emit(EventType.CASE_CREATED, self.case.brief.text, mode=self.case.brief.mode.value)
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


@dataclass(frozen=True)
class Replayed:
    """A case run again from its recording, and how its report compares."""

    case: Case
    same: bool
    difference: str
    replies: int


async def new_session(app: App, brief: Brief) -> Session:
    """A session for a new case. Raises InputError, SettingError."""
    app.engines_for(brief)
    if app.settings.uses_model:
        from inquest.app.models import check_models

        check_models(app.settings)
    now = app.clock.now()
    case = Case(
        id=f"{now:%Y%m%d}-{secrets.token_hex(4)}",
        status=CaseStatus.PLANNED,
        brief=brief,
        as_of=brief.as_of or now,
        created_at=now,
    )
    return Session(app, case, fresh=True)


async def open_session(app: App, case_id: str) -> Session:
    """A session for a case that waits, was cut off or was stopped. Raises NotFound, InputError."""
    case = await app.case(case_id)
    rejected = bool(case.approvals) and case.approvals[-1].decision is Decision.REJECT
    if case.status in (CaseStatus.COMPLETED, CaseStatus.PARTIAL, CaseStatus.FAILED) or rejected:
        raise InputError(
            f"The case {case.id} has ended ({case.status.value}).", advice=f"See it with `inquest show {case.id}`."
        )
    return Session(app, case, fresh=False)


async def replay(app: App, case_id: str) -> Replayed:
    """Run the case again with its own answers, and compare the reports byte for byte. Raises InputError."""
    from langgraph.checkpoint.memory import InMemorySaver

    from inquest.flow.budget import CaseBudget
    from inquest.flow.runner import CaseRunner

    case = await app.case(case_id)
    if case.summary is None:
        raise InputError(
            f"The case {case.id} has no report to compare with.", advice="Finish it with `inquest resume`."
        )
    clock = FixedClock(case.created_at)
    budget = CaseBudget()
    door = _Counting((await app.door()).for_case(case.id, budget, replay=True))
    services = await _services(app, case, door, budget, _Untold(case.id, clock), clock, replay=True)
    bare = case.model_copy(update={"plan": None, "approvals": (), "status": CaseStatus.PLANNED})
    runner = CaseRunner(bare, services, InMemorySaver(), None, "replay", timings=case.timings, cost=case.cost)
    async with runner:
        again = await runner.start()
        for approval in case.approvals:
            again = await runner.decide(approval)
    before, after = [await app.render(each, "md") for each in (case, again)]
    return Replayed(again, before == after, _first_difference(before, after), door.count)


class _Counting:
    """A door that counts what passes."""

    def __init__(self, door: Any) -> None:
        self._door, self.count = door, 0

    async def fetch(self, request: Any, **more: Any) -> Any:
        self.count += 1
        return await self._door.fetch(request, **more)

    def transport(self, model: str) -> Any:
        from inquest.net.transport import DoorTransport

        return DoorTransport(self, model)


def _first_difference(before: bytes, after: bytes) -> str:
    for number, (old, new) in enumerate(zip(before.splitlines(), after.splitlines(), strict=False), 1):
        if old != new:
            return f"line {number} was “{old.decode()[:200]}” and is “{new.decode()[:200]}”"
    return "" if before == after else "one is longer than the other"


async def _services(
    app: App, case: Case, door: Any, budget: CaseBudget, sink: EventSink, clock: Clock, *, replay: bool = False
) -> Services:
    from inquest.analysts.local import LocalAnalyst
    from inquest.app.pages import ReadPages
    from inquest.flow.fanout import CutList
    from inquest.flow.services import EngineChoice, Services
    from inquest.net.searcher import Searcher
    from inquest.readers import pick

    brief = case.brief
    engines = app.engines_for(brief)
    choices = _choices(engines, brief, EngineChoice)
    if replay and case.plan:
        engines, choices = _keyed(engines), _as_planned(choices, case.plan)
    ratings = [path for name in brief.collections if (path := app.collections.ratings(name))]
    local = LocalAnalyst()
    return Services(
        searcher=Searcher(engines, door, budget.spend),
        pages=ReadPages(door, app.archive, pick, clock, budget.spend),
        archive=app.archive,
        events=sink,
        clock=clock,
        budget=budget,
        mind=_mind(app, case, door, budget, local, replay=replay),
        local=local,
        rater=Ratings(app.settings, ratings),
        engines=tuple(choices),
        cut=CutList(budget, replayed=case.cut, why=_why_cut(case)) if replay else CutList(budget),
        earlier_outages=case.outages if replay else (),
    )


def _why_cut(case: Case) -> BudgetMet | None:
    if not case.cut:
        return None
    why = case.why.split(". ")[0] + "."
    kind = "cancelled" if "asked to stop" in why else "usd" if "USD" in why else "time"
    return BudgetMet(kind, why)  # type: ignore[arg-type]


def _choices(engines: Any, brief: Brief, choice: Any) -> list[Any]:
    """The engines in order of preference: those asked for and only those, or all."""
    names = list(brief.engines) or list(engines)
    if brief.collections:
        own = [name for name in engines if EngineKind.OWN in engines[name].spec.kinds]
        names = [*own, *(name for name in names if name not in own)]
    made = []
    for name in names:
        engine: Engine = engines[name]
        lacks = engine.lacks()
        if EngineKind.OWN in engine.spec.kinds and not brief.collections:
            if name not in brief.engines:
                continue
            lacks = "no collection was named: add --collection NAME"
        made.append(choice(name=name, kinds=engine.spec.kinds, lacks=lacks, asked_for=name in brief.engines))
    return made


def _keyed(engines: Mapping[str, Engine]) -> dict[str, Engine]:
    """The engines as if every key were there: on replay a request shows a placeholder where the key was."""
    from inquest.net.redaction import PLACEHOLDER

    return {
        name: type(engine)(engine.access.model_copy(update={"key": PLACEHOLDER})) if engine.lacks_key else engine
        for name, engine in engines.items()
    }


def _as_planned(choices: list[Any], plan: Plan) -> list[Any]:
    """The engines as they were when the case was planned, whatever keys are set or missing now."""
    said = dict(line.split(": ", 1) for line in plan.left_out if ": " in line)
    known = [choice for choice in choices if choice.name in plan.engines or choice.name in said]
    return [
        replace(
            choice, lacks=None if choice.name in plan.engines or said[choice.name] == NO_QUESTION else said[choice.name]
        )
        for choice in known
    ]


def _mind(app: App, case: Case, door: Any, budget: CaseBudget, local: Any, *, replay: bool) -> Any:
    """The analyst of the settings; of a case that is replayed, the one that its plan names."""
    named = case.plan.analyst if replay and case.plan else None
    if named == "local" or (named is None and not app.settings.uses_model):
        return local
    from inquest.app.models import model_analyst

    return model_analyst(app.settings, door, budget, local, replayed=named)


async def _saver(app: App, stack: AsyncExitStack) -> BaseCheckpointSaver[str]:
    """Checkpoints, in the same database as everything else."""
    url = app.settings.resolved_database_url
    if url.startswith("sqlite"):
        import aiosqlite
        from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

        path = url.removeprefix("sqlite:///")
        connection = await stack.enter_async_context(aiosqlite.connect(path, timeout=30))
        saver: Any = AsyncSqliteSaver(connection)
    else:
        try:
            from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
        except ImportError as error:
            raise SettingError(
                "PostgreSQL needs the extra packages of `inquest[postgres]`.", advice="Install them."
            ) from error
        saver = await stack.enter_async_context(AsyncPostgresSaver.from_conn_string(url))
    try:
        await saver.setup()
    except OSError as error:
        raise Outage(f"The checkpoints cannot be kept ({error}).") from error
    return saver  # type: ignore[no-any-return]


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
