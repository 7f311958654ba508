"""Run a case from its last checkpoint to the next decision or to its end, and save it after each node."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple, TypedDict, Unpack

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.types import Command
from langsmith.run_helpers import tracing_context

from inquest.domain.case import Case, CaseKind, CaseStatus, EarlierVerdict, as_before, in_force, is_further
from inquest.domain.errors import BudgetMet, HandedOver, InquestError, StorageError, Superseded
from inquest.domain.event import EventType, Stage
from inquest.domain.finding import Assessment
from inquest.domain.languages import count, listed
from inquest.domain.market import AnswerState
from inquest.domain.plan import Approval, Decision
from inquest.domain.report import Citation, Cost, OutageNote
from inquest.domain.value import grouped
from inquest.flow.graphs import case_graph
from inquest.flow.planned import no_engine_note, report_plan, seconds_of
from inquest.flow.services import Services
from inquest.flow.state import CaseState, Delta, added, case_of, dump, load, state_of
from inquest.kit.ports import CaseStore, Hold

_NAMES = {
    CaseKind.INQUIRY: "inquiry",
    CaseKind.CLAIMS: "check",
    CaseKind.TOPIC: "investigation",
    CaseKind.MARKET: "answer",
    CaseKind.AUDIT: "audit",
}
"""The noun for a case of each kind in messages."""


class Kept(NamedTuple):
    """The store of a case, and the hold, already taken, under which its runner writes there."""

    store: CaseStore
    hold: Hold


class RunOptions(TypedDict, total=False):
    """Options of a runner that most cases do not need."""

    timings: Mapping[str, float] | None
    """For a replay: the timings of the recorded case, which it must not replace by its own. Likewise `cost`."""
    cost: Cost | None
    on_note: Callable[[Case], None]
    """Called with the case whenever something was added."""
    let_go: Callable[[], Awaitable[None]] | None
    """Rolls back an interrupted write of the saver, whose lock would keep all others from writing."""


class CaseRunner:
    """One case in this process. Use as an async context manager: while open it follows requests to stop or report.

    If another runner takes the case, the running method raises Superseded, and nothing more is written.
    """

    def __init__(
        self,
        case: Case,
        services: Services,
        saver: BaseCheckpointSaver[str],
        kept: Kept | None,
        **options: Unpack[RunOptions],
    ) -> None:
        """`kept`: None for a replay, which is not saved."""
        self.case = case
        self._services = services
        self._kept = kept
        self._timings, self._cost = options.get("timings"), options.get("cost")
        self._on_note: Callable[[Case], None] | None = options.get("on_note")
        self._let_go = options.get("let_go")
        self._state = state_of(case)
        self._further = Further(case)
        self._graph = case_graph(case.kind, services, saver, self._after_node)
        self._config: Any = {"configurable": {"thread_id": case.id}}
        self._saving = asyncio.Lock()
        self._following: asyncio.Task[None] | None = None
        self._work: asyncio.Future[Any] | None = None
        self._lost: Superseded | HandedOver | None = None
        """The reason why the case no longer belongs to this runner; None: it does."""
        self._is_stopping = False
        """True once another process has asked to stop."""

    @property
    def _name(self) -> str:
        return _NAMES[self.case.kind]

    async def __aenter__(self) -> CaseRunner:
        if self._kept:
            self._following = asyncio.create_task(self._follow(self._kept.hold))
        self._services.budget.pause()
        return self

    async def __aexit__(self, *exc: object) -> None:
        self._services.budget.close()
        if self._following:
            self._following.cancel()
            with suppress(asyncio.CancelledError):
                await self._following

    def hand_over(self) -> None:
        """Leave the case for another process to continue: the running method raises HandedOver."""
        self._lost = HandedOver(f"Case {self.case.id} was handed over: this process ends.")
        if self._work is not None:
            self._work.cancel()

    async def start(self) -> Case:
        """Make the plan; the case then waits for a decision."""
        return await self._run(dump({"brief": self._state.brief}))

    async def decide(self, approval: Approval) -> Case:
        """Approve, reject or revise the plan; once approved, run to the end."""
        await self._services.events.emit(
            EventType.PLAN_DECIDED,
            f"Plan {approval.revision}: {approval.decision.value} by {approval.by}"
            + (f": {approval.text}" if approval.text else ""),
            decision=approval.decision.value,
            by=approval.by,
            how=approval.how,
            revision=approval.revision,
        )
        # Part of the case from now on, even if the work is cut off before the next step is saved.
        self._state = self._state.model_copy(update={"approvals": (*self._state.approvals, approval)})
        if approval.decision is Decision.APPROVE:
            await self._keep(CaseStatus.RUNNING)
            await self._services.events.emit(
                EventType.CASE_STARTED, f"The {self._name} has started.", marker="INVESTIGATION_STARTED"
            )
        return await self._run(Command(resume=approval.model_dump(mode="json")))

    async def resume(self) -> Case:
        """Continue from the last checkpoint. Requests already made are answered from the recording."""
        snapshot = await self._graph.aget_state(self._config)
        # If it was cut off before the first node ended, the checkpoint may be empty or have no next node.
        if "brief" not in snapshot.values or not (snapshot.next or snapshot.values.get("plan")):
            await self.start()
            return await self._repeat_revisions()
        self._state = load(snapshot.values)
        # If it was killed after the last of several nodes and before the step was saved, it has tasks and no next node.
        if snapshot.interrupts:
            await self._keep(CaseStatus.PLANNED)
            return await self._repeat_revisions()
        if not (snapshot.next or snapshot.tasks):
            # It was killed after its last step was saved and before its end was.
            return self.case if self.case.status.ended else await self._finish()
        await self._services.events.emit(EventType.CASE_RESUMED, "The case resumes where it left off.")
        return await self._run(None)

    async def _repeat_revisions(self) -> Case:
        """In a further round, repeat the revisions of the plan that are not yet in the state."""
        for approval in self._further.revisions[len(self._state.approvals) :]:
            await self.decide(approval)
        return self.case

    async def _run(self, payload: Any) -> Case:
        if (lost := self._lost) is not None:
            raise lost
        budget = self._services.budget
        budget.start(None if self._services.replayed else self._seconds())
        try:
            # LangGraph would send every step to LangSmith where the environment asks for traces.
            with tracing_context(enabled=False):
                self._work = asyncio.ensure_future(self._graph.ainvoke(payload, self._config))
                await self._work
        except asyncio.CancelledError:
            if (lost := self._lost) is not None:
                if self._let_go is not None:
                    await self._let_go()
                raise lost from None
            await asyncio.shield(self._stopped())
            if self._is_stopping:
                return self.case
            raise
        except (Superseded, StorageError):
            raise  # nothing can be saved: the case continues from its last checkpoint
        except InquestError as error:
            await self._end(CaseStatus.FAILED, error.sentence)
            raise
        finally:
            self._work = None
            budget.pause()
        snapshot = await self._graph.aget_state(self._config)
        self._state = load(snapshot.values)
        if snapshot.next:  # the approval
            return await self._keep(CaseStatus.PLANNED)
        return await self._finish()

    def _seconds(self) -> float:
        """Return the time of the whole case, by the claims known so far."""
        return seconds_of(self._state.brief, len(self._state.claims))

    async def _stopped(self) -> None:
        if self._let_go is not None:
            await self._let_go()
        await self._end(CaseStatus.CANCELLED, "It was stopped; continue with `inquest resume`.")

    async def _finish(self) -> Case:
        state = self._state
        last = state.approvals[-1] if state.approvals else None
        if last and last.decision is Decision.REJECT:
            return await self._end(CaseStatus.CANCELLED, f"The plan was rejected by {last.by}.")
        met = self._services.cut.fell_short()
        # A check and an investigation report that nothing was found; an inquiry without a source has no report.
        asked = state.plan is not None and bool(state.plan.engines)
        reported = (
            (state.summary is not None if state.check else asked and state.investigation is not None)
            or state.audit is not None
            or (state.answer is not None and state.answer.state is not AnswerState.COULD_NOT_ASK)
        )
        if not reported and all(source.excluded for source in state.sources):
            stopped = met is not None and met.kind == "cancelled"
            why = "It was stopped before any source was read." if stopped else _no_source(state, self._services)
            return await self._end(CaseStatus.CANCELLED if stopped else CaseStatus.FAILED, why, met)
        return await self._reported(state, met)

    async def _reported(self, state: CaseState, met: BudgetMet | None) -> Case:
        """End a case that has something to report."""
        if state.answer is not None and state.answer.state is AnswerState.COULD_NOT_ASK and not met:
            # The user's own filings are reported; no engine could be asked.
            why = f"{_no_source(state, self._services)} What you provided is reported."
            return await self._end(CaseStatus.PARTIAL, why)
        if met:
            await self._services.events.emit(EventType.BUDGET_MET, str(met), kind=met.kind)
            return await self._end(CaseStatus.PARTIAL, f"{met} What had been found by then is reported.", met)
        # A desk that is not installed is not a failure of this case; the plan and the report mention it.
        if failed := tuple(note for note in state.missing if note.what != "desk"):
            return await self._end(CaseStatus.PARTIAL, _outages_in_words(failed))
        return await self._end(CaseStatus.COMPLETED, "")

    async def _end(self, status: CaseStatus, why: str, met: BudgetMet | None = None) -> Case:
        if self._further.has_failed(status, self._services.cut.fell_short()):
            self.case = self._further.as_before(self.case, why)
            text = f"The further round produced no result: {self.case.rounds[-1].result}"
            return await self._finished(await self._keep(self.case.status), text)
        case = await self._keep(status, why=why, budget_met=met.kind if met else "")
        for before, after in self._further.changes(case):
            number, was, now = case.rounds[-1].number, before.verdict.value, after.verdict.value
            await self._services.events.emit(
                EventType.VERDICT_CHANGED,
                f"Round {number}: {after.claim_id} was {was}, is now {now}",
                stage=Stage.JUDGE,
                claim_id=after.claim_id,
                claim_text=before.claim,
                before=was,
                verdict=now,
                confidence=round(after.confidence, 2),
                round=number,
            )
        text = f"The {self._name} ended as {status.value}. {why}"
        return await self._finished(case, f"The {self._name} is complete." if status is CaseStatus.COMPLETED else text)

    async def _finished(self, case: Case, text: str) -> Case:
        marker, status = case.status.end_marker, case.status.value
        await self._services.events.emit(EventType.CASE_FINISHED, text, marker=marker, status=status, why=case.why)
        return case

    async def _after_node(self, delta: Delta) -> None:
        self._state = added(self._state, delta)
        await self._keep(self.case.status)
        if "plan" in delta:  # only now, so that a subscriber who reads the case finds the plan
            await report_plan(delta["plan"], self._services, delta.get("claims", ()))

    async def _keep(self, status: CaseStatus, **more: Any) -> Case:
        async with self._saving:
            state = self._state
            cost = self._cost if self._cost is not None else self._services.budget.spent
            if (case := self._further.kept(self.case, state, status)) is not None:
                case = case.model_copy(update={"cost": cost})
            else:
                if self._timings is not None:
                    more["timings"] = dict(self._timings)
                case = case_of(
                    self.case,
                    state,
                    status=status,
                    approvals=self._further.approvals(state),
                    cut=tuple(self._services.cut.labels),
                    citations=citations(state),
                    cost=cost,
                    **more,
                )
            if self._kept:
                await self._kept.store.save(case)
            self.case = case
            if self._on_note is not None:
                self._on_note(self.case)
            return self.case

    async def _follow(self, hold: Hold) -> None:
        """Follow requests of other processes, until one asks to stop or takes the case."""
        while self._lost is None and not self._is_stopping:
            try:
                wish = await hold.asked()
            except Superseded as error:
                self._lost = error
            else:
                if wish == "report" and self.case.status is CaseStatus.RUNNING:
                    self._services.budget.cancel()
                else:
                    self._is_stopping = True
        if self._work is not None:
            self._work.cancel()


def citations(state: CaseState) -> tuple[Citation, ...]:
    """Number the quoted spans in the order of summary, verdicts and timeline; findings on one span share a number."""
    findings = {finding.id: finding for finding in (*state.findings, *state.event_findings)}
    urls = {source.id: source.url for source in state.sources}
    order: dict[str, None] = {}
    for section in state.summary.sections if state.summary else ():
        for statement in section.statements:
            order.update(dict.fromkeys(statement.finding_ids))
    for assessment in state.assessments:
        order.update(dict.fromkeys((*assessment.supporting, *assessment.contradicting)))
    for event in state.timeline:
        order.update(dict.fromkeys(event.finding_ids))
    cited = (findings[finding_id] for finding_id in order if finding_id in findings)
    by_span = grouped(((finding.snapshot, finding.start, finding.end), finding) for finding in cited)
    return tuple(
        Citation(
            n=n,
            finding_id=first.id,
            source_id=first.source_id,
            url=urls[first.source_id],
            quote=first.quote,
            also=tuple(other.id for other in others),
        )
        for n, (first, *others) in enumerate(by_span.values(), 1)
    )


def _no_source(state: CaseState, services: Services) -> str:
    engines = state.plan.engines if state.plan else ()
    if state.plan is not None and state.check is None:  # those that had a query
        if state.market is not None:
            asked = {each.engine for each in state.market.gathered.engines}
        else:
            from inquest.flow.nodes.gather import searches

            asked = {each.engine for each in searches(state, services)}
        engines = tuple(name for name in engines if name in asked)
    out = {name for note in state.missing if note.what == "engine" for name in (note.names or (note.where,))}
    unread = {note.where for note in state.missing if note.what == "page"}
    if unread:
        sentence = f"No source could be read: {count(len(unread), 'page')} could not be fetched or read."
    elif engines and set(engines) <= out:
        sentence = f"No search was possible: {listed(services.titles(engines))} could not be queried."
    elif engines:
        asked_now = services.titles(name for name in engines if name not in out)
        sentence = f"No source was found; queried: {', '.join(asked_now)}."
    else:
        sentence = f"No search was possible. {no_engine_note(state.plan.unasked if state.plan else ())}"
    if state.missing:
        sentence += f" {_outages_in_words(state.missing)}"
    later = sum(source.excluded is not None for source in state.sources)
    if later:
        sentence += f" {later} {'page was' if later == 1 else 'pages were'} published after the as-of date."
    return sentence


def _outages_in_words(outages: tuple[OutageNote, ...]) -> str:
    out = grouped((note.what, name) for note in outages for name in (note.names or (note.where,)))
    counts = {what: len(set(names)) for what, names in out.items()}
    parts = [f"{number} {what}{'s' if number > 1 else ''}" for what, number in counts.items()]
    return "Could not be queried or read: " + " and ".join(", ".join(parts).rsplit(", ", 1)) + "."


class Further:
    """The further round that a runner is executing. In the first round of a case it has no effect."""

    def __init__(self, case: Case) -> None:
        self._round = case.rounds[-1] if is_further(case) else None
        self._history = case.approvals
        self._in_force = in_force(case.approvals, case.rounds)
        self._failed = False

    @property
    def revisions(self) -> tuple[Approval, ...]:
        """The changes of the plan that were asked for and are not yet approved."""
        return tuple(each for each in self._in_force if each.decision is Decision.REVISE) if self._round else ()

    def approvals(self, state: CaseState) -> tuple[Approval, ...]:
        """Return all decisions on plans of the case, those of earlier rounds first."""
        if self._round is None:
            return state.approvals
        return (*self._history, *state.approvals[len(self._in_force) :])

    def kept(self, case: Case, state: CaseState, status: CaseStatus) -> Case | None:
        """Return the case with its earlier results if the round still runs or has failed, else None."""
        if self._round is None or (status.ended and not self._failed):
            return None
        plan = case.plan if self._failed else state.plan or case.plan
        return case.model_copy(update={"status": status, "plan": plan, "approvals": self.approvals(state)})

    def has_failed(self, status: CaseStatus, met: BudgetMet | None) -> bool:
        """True if the round ended without a result that could replace the earlier one."""
        stopped = met is not None and met.kind == "cancelled"
        return self._round is not None and (stopped or status in (CaseStatus.CANCELLED, CaseStatus.FAILED))

    def as_before(self, case: Case, why: str) -> Case:
        """Return the case as it was before the round, which failed for the reason `why`."""
        self._failed = True
        return as_before(case, why)

    def changes(self, case: Case) -> Iterator[tuple[EarlierVerdict, Assessment]]:
        """Yield each verdict that the round has changed, before and after."""
        if self._round is None:
            return
        by_id: dict[str, Assessment] = {each.claim_id: each for each in case.assessments}
        by_claim = {claim.text: by_id[claim.id] for claim in case.claims if claim.id in by_id}
        for before in self._round.verdicts:
            after = by_claim.get(before.claim)
            if after is not None and after.verdict is not before.verdict:
                yield before, after
