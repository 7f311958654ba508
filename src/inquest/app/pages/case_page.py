"""The view model of a case page: progress, tabs, contradictions, conversation, plan changes, the reader's
permissions."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from inquest.app.cases.claim_decisions import claim_decisions
from inquest.app.cases.progress import Pace, pace_of
from inquest.app.cases.topic_records import decisions_of
from inquest.app.desks.watching import can_be_watched, watch_of
from inquest.app.pages.event_lines import (
    EventLine,
    Grouped,
    SourceLine,
    chat_entry,
    found_source,
    message_of,
    plain_words,
    text_of,
)
from inquest.app.service.case_actions import FURTHER_KINDS
from inquest.app.service.dispatching import case_work
from inquest.app.service.looking import assignees
from inquest.desks.market.summary import AnswerSection, parts_of
from inquest.domain.case import Case, CaseKind, CaseStatus, EarlierVerdict, Round
from inquest.domain.claim import Mention
from inquest.domain.event import (
    SAID_BY_PEOPLE,
    Assignment,
    CaseQuestion,
    Event,
    EventType,
    Stage,
    assignment_in,
    by_claim,
    questions_in,
)
from inquest.domain.finding import Finding
from inquest.domain.investigation import Review, Watch
from inquest.domain.person import Person, Role
from inquest.domain.report import Statement
from inquest.domain.source import Source
from inquest.domain.value import JsonObject, grouped
from inquest.reports import topic_parts
from inquest.reports.decided import as_decided, numbered
from inquest.reports.parts import Part
from inquest.reports.view import Checked, ReportView

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

_STEPS = {
    CaseKind.CLAIMS: ((Stage.PLAN,), (Stage.CLAIMS,), (Stage.DESKS,), (Stage.EXCHANGE, Stage.JUDGE), (Stage.SUMMARY,)),
    CaseKind.AUDIT: ((Stage.PLAN,), (Stage.SOURCES,), (Stage.JUDGE,), (Stage.SUMMARY,)),
    CaseKind.MARKET: ((Stage.PLAN,), (Stage.SOURCES,), (Stage.SUMMARY,)),
}
"""The stages in order; those of one group run in parallel."""
_USUAL_STEPS = (
    (Stage.PLAN,),
    (Stage.SOURCES,),
    (Stage.CLAIMS,),
    (Stage.FACT_CHECK, Stage.BIAS, Stage.TIMELINE),
    (Stage.SUMMARY,),
)
_LATEST_SOURCES = 5
_LATEST_LINES = 8
_URL_FIELD = {EventType.SOURCE_FOUND: "url", EventType.SOURCE_EVALUATED: "source_url"}
"""The events about a source, each with the field that holds its URL."""
_SHOWN_IN_PROGRESS = frozenset(
    (
        EventType.STAGE_STARTED, EventType.STAGE_FINISHED, EventType.QUERY_ANSWERED, EventType.SEARCH_EXECUTED,
        EventType.CLAIM_CHECKED, EventType.FACT_CHECKED, EventType.OUTAGE, EventType.ERROR,
        EventType.CONTRADICTION_DETECTED, EventType.VERDICT_CHANGED,
    )
)  # fmt: skip


@dataclass(frozen=True)
class CaseStep:
    """A stage of the case: `state` is done, now or later."""

    stage: str
    state: str


@dataclass(frozen=True)
class CaseProgress:
    """The progress of a case. `lines` and `sources` are the latest ones, newest first."""

    steps: tuple[CaseStep, ...] = ()
    sources: tuple[SourceLine, ...] = ()
    lines: tuple[Event, ...] = ()
    counts: dict[str, int] = field(default_factory=dict)
    """Numbers of sources, claims, checked claims and outages."""
    begun: datetime | None = None
    pace: Pace = field(default_factory=Pace)
    stopping: bool = False
    """True once a stop was requested."""


def progress_of(case: Case, events: Sequence[Event]) -> CaseProgress:
    """Return the progress according to these events, oldest first; in a further round, only that round counts."""
    if case.rounds:
        events = [event for event in events if event.at >= case.rounds[-1].at]
    sources = {text_of(e, _URL_FIELD[e.type]) or e.text: e for e in events if e.type in _URL_FIELD}
    latest = sorted(sources.values(), key=lambda event: event.id, reverse=True)[:_LATEST_SOURCES]
    pace = pace_of(case, events)
    return CaseProgress(
        steps=_steps(case, events),
        pace=pace,
        sources=tuple(map(found_source, latest)),
        lines=tuple(reversed([event for event in events if event.type in _SHOWN_IN_PROGRESS][-_LATEST_LINES:])),
        counts={
            "sources": max(len(sources), 0 if case.rounds else sum(not source.excluded for source in case.sources)),
            "claims": pace.claims,
            "checked": sum(event.type is EventType.FACT_CHECKED for event in events),
            "outages": len({event.text for event in events if event.type is EventType.OUTAGE}),
        },
        begun=events[0].at if events else None,
        stopping=any(event.type is EventType.CANCELLED for event in events),
    )


def _steps(case: Case, events: Iterable[Event]) -> tuple[CaseStep, ...]:
    groups = _STEPS.get(case.kind, _USUAL_STEPS)
    seen = {event.stage for event in events if event.stage is not None}
    reached = max((place for place, group in enumerate(groups) if seen.intersection(group)), default=0)
    if case.status.ended:
        reached = len(groups)
    states = ["done" if place < reached else "now" if place == reached else "later" for place in range(len(groups))]
    return tuple(CaseStep(stage.value, state) for group, state in zip(groups, states, strict=True) for stage in group)


TABS = (
    "summary", "verdicts", "sources", "contradictions", "bias", "timeline", "origin", "outages", "activity", "plan",
    "chat",
)  # fmt: skip
"""The tabs of a case, in display order."""
_SHOW_EVENTS = frozenset(("activity", "plan", "chat"))
"""The tabs that show more of a finished case's events than what people said."""


@dataclass(frozen=True)
class Tab:
    """A tab and the number of its entries; None: not counted."""

    name: str
    number: int | None = None


@dataclass(frozen=True)
class Clash:
    """A contradicted claim: a quote that makes or supports it, with its source, and every quote against it."""

    checked: Checked
    quote: Finding | Mention | None
    source: Source | None
    against: tuple[tuple[Finding, Source], ...]


def title_of(case: Case) -> str:
    """Return the heading of a case on its page and at the desk, before and after the report is written."""
    return case.plan.topic if case.plan and case.plan.topic else case.brief.text


@dataclass(frozen=True)
class CasePage:
    """A case with its events and what the current reader may do; everything derived is computed once."""

    case: Case
    """With people's decisions and the quotes of their questions."""
    events: tuple[Event, ...] = ()
    decisions: tuple[Review, ...] = ()
    """People's decisions on the level of a topic, oldest first."""
    answered: bool = False
    """True when the plan was answered but the stored case does not show it yet."""
    interrupted: bool = False
    """True if the case has not ended and its process has died."""
    may_review: bool = False
    """The reader may decide on verdicts."""
    may_work: bool = False
    """The reader may decide on plans, stop the case and resume it."""
    may_ask: bool = False
    """The reader may ask questions about the case, which has ended."""
    may_ask_more: bool = False
    """The reader may ask for a further round, and the case can have one."""
    asked: tuple[CaseQuestion, ...] = ()
    """Questions asked about the case since it ended, oldest first."""
    people: tuple[str, ...] = ()
    """Users the case may be assigned to; (): no users, or a reader with a link."""
    watch: Watch | None = None
    """Its own, if it is run again regularly."""
    may_watch: bool = False
    """The reader may have the case run again regularly; a topic is watched instead of its cases."""
    engines: Mapping[str, str] = field(default_factory=dict)
    """Titles of the search engines, by name."""
    shared: str = ""
    """The path of the reader's link; '': a signed-in person."""
    stored: Case | None = None
    """The case without the additions in `case`."""

    @property
    def rest(self) -> Hashable:
        """Everything the page depends on besides the stored case; its events only grow."""
        made = ("case", "stored", "events", "asked", "engines")
        others = tuple(getattr(self, each.name) for each in fields(self) if each.name not in made)
        return self.events[-1].id if self.events else 0, tuple(self.engines.items()), others

    @property
    def address(self) -> str:
        """The base path of the case and its evidence for this reader."""
        return self.shared or f"/cases/{self.case.id}"

    @cached_property
    def view(self) -> ReportView:
        decisions = by_claim(self.case.claims, claim_decisions(self.events))
        return ReportView(self.case, {}, self.decisions, decisions)

    @cached_property
    def title(self) -> str:
        return title_of(self.case)

    @cached_property
    def progress(self) -> CaseProgress:
        return progress_of(self.case, self.events)

    def earlier(self, claim: str) -> tuple[tuple[Round, EarlierVerdict], ...]:
        """Return the verdicts on this claim before each further round, oldest first."""
        return tuple((round_, old) for round_ in self.case.rounds for old in round_.verdicts if old.claim == claim)

    def looked_for(self, question: CaseQuestion) -> Round | None:
        """Return the latest further round begun for this question."""
        return next((each for each in reversed(self.case.rounds) if each.words == question.question), None)

    @property
    def round_answer(self) -> Statement | None:
        """The summary's answer to the request of the last further round; None: not answered yet."""
        words = self.case.rounds[-1].words if self.case.rounds else ""
        sections = self.case.summary.sections if self.case.summary and words else ()
        return next((said for part in sections for said in part.statements if said.text.startswith(words)), None)

    @cached_property
    def assignment(self) -> Assignment:
        return assignment_in(self.events)

    @cached_property
    def assignments(self) -> tuple[Event, ...]:
        """Assignments and notes, newest first."""
        return tuple(event for event in reversed(self.events) if event.type is EventType.CASE_ASSIGNED)

    @cached_property
    def chat(self) -> tuple[tuple[Event, tuple[EventLine, ...]], ...]:
        """The case as a conversation, oldest first: each message as its last event and its lines."""
        grouped = Grouped()
        groups = [group for event in self.events for group in grouped.add(event)]
        messages = ((group[-1], _chat_lines(group, self.engines)) for group in (*groups, *grouped.left))
        return tuple((event, lines) for event, lines in messages if lines)

    @cached_property
    def answer_parts(self) -> tuple[AnswerSection, ...]:
        """The parts of the market answer; (): not a market question, or not answered yet."""
        return parts_of(self.case.answer) if self.case.answer else ()

    @property
    def live(self) -> bool:
        """True while the case can change without a request from a person."""
        return not self.case.status.ended

    @property
    def waits(self) -> bool:
        """True while a plan waits for a decision."""
        return self.case.waits and not self.answered

    @property
    def resumable(self) -> bool:
        """True for a case that was stopped or interrupted and can be resumed."""
        return self.interrupted or (self.case.status is CaseStatus.CANCELLED and not self.case.is_rejected)

    @property
    def status(self) -> str:
        """The displayed status: that of the case, 'waits' while a plan waits for a decision, or 'interrupted'."""
        if self.waits:
            return "waits"
        if self.interrupted:
            return "interrupted"
        return "running" if self.answered else self.case.status.value

    @cached_property
    def tabs(self) -> tuple[Tab, ...]:
        """The tabs with content."""
        case = self.case
        numbers = {
            "verdicts": len(self.view.assessments),
            "sources": len(self.view.counted_sources),
            "contradictions": len(self.clashes),
            "timeline": len(case.timeline),
            "origin": len(self.view.stories),
            "outages": len(case.outages),
        }
        empty = {
            "bias": case.bias is None,
            "origin": not self.view.stories and not self.origin_parts,
            "plan": case.plan is None,
            "verdicts": not case.assessments and case.kind is CaseKind.MARKET,
            "contradictions": not self.clashes,
            "timeline": not case.timeline,
        }
        return tuple(Tab(name, numbers.get(name)) for name in TABS if not empty.get(name))

    @cached_property
    def plan_changes(self) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
        """The differences between the last two revisions of the plan: for questions, engines and queries, pairs of
        'removed' or 'added' and the text. Lists without changes are left out."""
        plans = [each for event in self.events if isinstance(each := event.data.get("plan"), dict)]
        if len(plans) < 2:
            return ()
        before, after = plans[-2], plans[-1]
        changed = {
            name: tuple(
                (sign, entry)
                for sign, one, other in (("removed", before, after), ("added", after, before))
                for entry in _entries(one, name)
                if entry not in _entries(other, name)
            )
            for name in ("questions", "engines", "queries")
        }
        return tuple((name, changes) for name, changes in changed.items() if changes)

    @cached_property
    def clashes(self) -> tuple[Clash, ...]:
        """The contradicted claims with the quotes on both sides, in the order of the verdicts tab."""
        found = []
        for checked in (each for _, group in self.view.groups for each in group if each.contradicting):
            quotes: tuple[Finding | Mention, ...] = (
                *(evidence.findings[0] for evidence in checked.supporting),
                *checked.claim.mentions,
            )
            source = self.view.sources.get(quotes[0].source_id) if quotes else None
            against = tuple((evidence.findings[0], evidence.source) for evidence in checked.contradicting)
            found.append(Clash(checked, quotes[0] if quotes else None, source, against))
        return tuple(found)

    @cached_property
    def leanings(self) -> dict[str, str]:
        """The leaning of each source's coverage, by source id."""
        per_source = self.case.bias.per_source if self.case.bias else ()
        return {each.source_id: each.leaning.value for each in per_source}

    @cached_property
    def origin_parts(self) -> tuple[Part, ...]:
        """The parts of a topic investigation after its level: origin, details, posts, context, review."""
        return topic_parts.after(self.view)

    @cached_property
    def level_parts(self) -> tuple[Part, ...]:
        """The parts on the level of a topic and its reasons."""
        return topic_parts.before(self.view)

    @cached_property
    def findings_of_source(self) -> dict[str, list[Finding]]:
        """Findings by source id."""
        return grouped((finding.source_id, finding) for finding in self.case.findings)

    def sources_of(self, source_ids: Iterable[str]) -> tuple[Source, ...]:
        """Return the sources with these ids in order, without those the case does not have."""
        return tuple(self.view.sources[each] for each in source_ids if each in self.view.sources)


def _chat_lines(events: Sequence[Event], titles: Mapping[str, str]) -> tuple[EventLine, ...]:
    """The lines of one chat message; searches and pages read are one."""
    if events[0].type is EventType.STAGE_STARTED:
        return (EventLine(plain_words(message_of(events, titles))),)
    return tuple(filter(None, (chat_entry(each, titles) for each in events)))


def _entries(plan: JsonObject, name: str) -> tuple[str, ...]:
    entries = plan.get(name) or ()
    texts = (each.get("text") if isinstance(each, dict) else each for each in entries)  # type: ignore[union-attr]
    return tuple(dict.fromkeys(str(text) for text in texts if text))


async def case_page(app: Resources, case: Case, person: Person, tab: str) -> CasePage:
    """Return the page of a case for this person, with the events that this tab shows. Raises StorageError."""
    decisions: tuple[Review, ...] = ()
    answered = False
    if case.brief.topic is not None:
        decisions = await decisions_of(app, case.id)
    if case.plan is not None and case.waits:
        answered = await (await case_work(app)).decision(case.id, case.plan.revision) is not None
    enough = SAID_BY_PEOPLE if case.status.ended and tab not in _SHOW_EVENTS else ()
    events = await app.events_of(case.id, *enough)
    ended = case.status in (CaseStatus.COMPLETED, CaseStatus.PARTIAL) and case.summary is not None
    works = person.may(Role.INVESTIGATOR)
    shown, asked = numbered(as_decided(case, claim_decisions(events)), questions_in(events))
    return CasePage(
        shown,
        tuple(events),
        decisions,
        answered,
        interrupted=not case.status.ended and case.id in await (await app.store()).interrupted(),
        may_review=person.may(Role.EDITOR),
        may_work=works,
        may_ask=works and case.status.ended,
        asked=asked,
        may_ask_more=works and ended and case.kind in FURTHER_KINDS,
        people=await assignees(app, case),
        watch=await watch_of(app, case),
        may_watch=person.may(Role.EDITOR) and can_be_watched(case) and case.brief.topic is None,
        engines=app.titles,
        stored=case,
    )


async def shared_page(app: Resources, case: Case, path: str) -> CasePage:
    """Return the page of a case for a reader with the link `path`. Raises StorageError."""
    events = await app.events_of(case.id, *SAID_BY_PEOPLE)
    return CasePage(as_decided(case, claim_decisions(events)), tuple(events), shared=path, stored=case)
