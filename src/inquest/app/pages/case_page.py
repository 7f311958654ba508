"""A case as its page shows it: tabs, verdicts with both sides, sources, contradictions, timeline, stories."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from inquest.app.cases.claim_decisions import claim_decisions
from inquest.app.cases.progress import Pace, pace_of
from inquest.app.pages.event_lines import EventLine, SourceLine, chat_entry, found_source, plain_words, text_of
from inquest.app.service.assigning import assignees
from inquest.app.service.chatting import Grouped, message_of
from inquest.app.service.deciding import FURTHER_KINDS
from inquest.app.service.dispatching import case_work
from inquest.desks.market.summary import AnswerLine, AnswerSection, parts_of
from inquest.domain.assessment import Verdict
from inquest.domain.assignment import Assignment, assignment_in
from inquest.domain.case import Case, CaseKind, CaseStatus, EarlierVerdict, Round
from inquest.domain.case_question import CaseQuestion, questions_in
from inquest.domain.claim import Mention
from inquest.domain.claim_decision import ClaimDecision, by_claim, standing_decision
from inquest.domain.event import Event, EventType, Stage
from inquest.domain.finding import Finding
from inquest.domain.market import MarketAnswer
from inquest.domain.person import Person, Role
from inquest.domain.report import Statement
from inquest.domain.source import Source
from inquest.domain.topic_history import Review
from inquest.domain.value import JsonObject
from inquest.reports import topic_parts
from inquest.reports.check_view import VERDICT_ORDER, CheckView
from inquest.reports.decided import as_decided, numbered
from inquest.reports.parts import Part
from inquest.reports.view import Checked, ReportView

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

_AT_ONCE = (Stage.FACT_CHECK, Stage.BIAS, Stage.TIMELINE)
_STEPS = {
    CaseKind.CLAIMS: ((Stage.PLAN,), (Stage.CLAIMS,), (Stage.DESKS,), (Stage.EXCHANGE, Stage.JUDGE), (Stage.SUMMARY,)),
    CaseKind.AUDIT: ((Stage.PLAN,), (Stage.SOURCES,), (Stage.JUDGE,), (Stage.SUMMARY,)),
    CaseKind.MARKET: ((Stage.PLAN,), (Stage.SOURCES,), (Stage.SUMMARY,)),
}
"""The stages in their order; those of one group run beside one another."""
_USUAL = ((Stage.PLAN,), (Stage.SOURCES,), (Stage.CLAIMS,), _AT_ONCE, (Stage.SUMMARY,))
_LATEST_SOURCES = 5
_LATEST_LINES = 8
_URL_OF = {EventType.SOURCE_FOUND: "url", EventType.SOURCE_EVALUATED: "source_url"}
"""Events that tell of a source, and where each has its address."""
_ON_A_CLAIM = (EventType.CLAIM_INVESTIGATING, EventType.CLAIM_CHECKED, EventType.FACT_CHECKED)
_SHOWN_IN_PROGRESS = frozenset(
    (
        EventType.STAGE_STARTED,
        EventType.STAGE_FINISHED,
        EventType.QUERY_ANSWERED,
        EventType.SEARCH_EXECUTED,
        EventType.CLAIM_CHECKED,
        EventType.FACT_CHECKED,
        EventType.OUTAGE,
        EventType.ERROR,
        EventType.CONTRADICTION_DETECTED,
        EventType.VERDICT_CHANGED,
    )
)


@dataclass(frozen=True)
class CaseStep:
    """A stage of the case: `state` is done, now or later."""

    stage: str
    state: str


@dataclass(frozen=True)
class CaseProgress:
    """What has happened so far. `lines` and `sources` are the latest, newest first."""

    steps: tuple[CaseStep, ...] = ()
    sources: tuple[SourceLine, ...] = ()
    lines: tuple[Event, ...] = ()
    checking: str = ""
    """The claim that was checked last."""
    counts: dict[str, int] = field(default_factory=dict)
    """found sources (those that the case holds are among them), claims, checked claims, outages."""
    begun: datetime | None = None
    """When the first of these events happened."""
    pace: Pace = field(default_factory=Pace)
    last_at: datetime | None = None
    stopping: bool = False
    """True once somebody asked it to stop."""


def progress_of(case: Case, events: Sequence[Event]) -> CaseProgress:
    """The state that these events, oldest first, have brought the case to; of a further round, its own alone."""
    if case.rounds:
        events = [event for event in events if event.at >= case.rounds[-1].at]
    checked = [event for event in events if event.type in _ON_A_CLAIM]
    found = {text_of(event, _URL_OF[event.type]) or event.text: event for event in events if event.type in _URL_OF}
    latest = sorted(found.values(), key=lambda event: event.id, reverse=True)[:_LATEST_SOURCES]
    pace = pace_of(case, events)
    return CaseProgress(
        steps=_steps(case, events),
        pace=pace,
        sources=tuple(map(found_source, latest)),
        lines=tuple(reversed([event for event in events if event.type in _SHOWN_IN_PROGRESS][-_LATEST_LINES:])),
        checking=text_of(checked[-1], "claim_text") or checked[-1].text if checked else "",
        counts={
            "sources": max(len(found), 0 if case.rounds else sum(not each.excluded for each in case.sources)),
            "claims": pace.claims,
            "checked": sum(event.type is EventType.FACT_CHECKED for event in events),
            "outages": len({event.text for event in events if event.type is EventType.OUTAGE}),
        },
        begun=events[0].at if events else None,
        last_at=events[-1].at if events else None,
        stopping=any(event.type is EventType.CANCELLED for event in events),
    )


def _steps(case: Case, events: Iterable[Event]) -> tuple[CaseStep, ...]:
    groups = _STEPS.get(case.kind, _USUAL)
    seen = {event.stage for event in events if event.stage is not None}
    reached = max((place for place, group in enumerate(groups) if seen.intersection(group)), default=0)
    if case.status.ended:
        reached = len(groups)
    states = ["done" if place < reached else "now" if place == reached else "later" for place in range(len(groups))]
    return tuple(CaseStep(stage.value, state) for group, state in zip(groups, states, strict=True) for stage in group)


@dataclass
class AnswerPoint:
    """A point of a list and the points below it."""

    line: AnswerLine
    below: list[AnswerLine] = field(default_factory=list)


@dataclass
class AnswerBlock:
    """A paragraph, or a list where there is none."""

    paragraph: AnswerLine | None = None
    points: list[AnswerPoint] = field(default_factory=list)


@dataclass(frozen=True)
class ShownAnswerPart:
    """A part under its heading."""

    heading: str
    numbered: bool
    of_the_work: bool
    """It says how the answer was made."""
    blocks: Sequence[AnswerBlock]


def answer_parts(answer: MarketAnswer) -> tuple[ShownAnswerPart, ...]:
    """All parts that have anything to say, in their order."""
    return tuple(_part(each) for each in parts_of(answer))


def _part(section: AnswerSection) -> ShownAnswerPart:
    blocks: list[AnswerBlock] = []
    for line in section.lines:
        if line.level == 0:
            blocks.append(AnswerBlock(paragraph=line))
            continue
        if not blocks or blocks[-1].paragraph is not None:
            blocks.append(AnswerBlock())
        points = blocks[-1].points
        if line.level > 1 and points:
            points[-1].below.append(line)
        else:
            points.append(AnswerPoint(line))
    return ShownAnswerPart(section.heading, section.numbered, section.of_the_work, blocks)


TABS = (
    "summary",
    "verdicts",
    "sources",
    "contradictions",
    "bias",
    "timeline",
    "origin",
    "outages",
    "activity",
    "plan",
    "chat",
)
"""The tabs of a case, in their order."""


@dataclass(frozen=True)
class Tab:
    """A tab and how much it holds; None: it is not counted."""

    name: str
    number: int | None = None


@dataclass(frozen=True)
class Clash:
    """A claim, the words of one who makes or supports it, and every quote against it with whoever says it."""

    checked: Checked
    said: Finding | Mention | None
    said_by: Source | None
    against: tuple[tuple[Finding, Source], ...]


def title_of(case: Case) -> str:
    """What is over the case, from its first minute to its report, and at the desk."""
    return case.plan.topic if case.plan and case.plan.topic else case.brief.text


@dataclass(frozen=True)
class CasePage:
    """One case with its events; everything else is looked up once."""

    case: Case
    events: tuple[Event, ...] = ()
    decisions: tuple[Review, ...] = ()
    """What people decided on the level of a topic, oldest first."""
    answered: bool = False
    """Somebody has answered the plan, though the case does not say so yet."""
    may_review: bool = False
    """Whoever looks may decide on verdicts."""
    may_work: bool = False
    """Whoever looks may decide on plans, stop the case and have it go on."""
    may_ask: bool = False
    """Whoever looks may ask the case, which has ended."""
    may_ask_more: bool = False
    """Whoever looks may ask for a further round, and the case can have one."""
    asked: tuple[CaseQuestion, ...] = ()
    """What people asked the case once it had ended, oldest first."""
    people: tuple[str, ...] = ()
    """The users that the case may be assigned to; (): the service has none, or a reader looks by a link."""
    engines: Mapping[str, str] = field(default_factory=dict)
    """Titles of the search engines, by name."""
    shared: str = ""
    """The path of the link by which a reader without an account looks; '': a signed-in person does."""

    @property
    def address(self) -> str:
        """The path under which the case and its evidence are, for whoever looks."""
        return self.shared or f"/cases/{self.case.id}"

    @cached_property
    def view(self) -> ReportView:
        return ReportView(self.case, {}, self.decisions)

    @cached_property
    def check(self) -> CheckView:
        return CheckView(self.view)

    @cached_property
    def title(self) -> str:
        return title_of(self.case)

    @cached_property
    def progress(self) -> CaseProgress:
        return progress_of(self.case, self.events)

    @cached_property
    def claim_decisions(self) -> Mapping[str, tuple[ClaimDecision, ...]]:
        """What people decided on each claim, oldest first; under '' what is on words that no claim has any more."""
        return by_claim(self.case.claims, claim_decisions(self.events))

    def decided(self, claim_id: str) -> ClaimDecision | None:
        """The decision that stands for the verdict on a claim; None: nobody has decided on it."""
        return standing_decision(self.claim_decisions.get(claim_id, ()))

    def earlier(self, claim: str) -> tuple[tuple[Round, EarlierVerdict], ...]:
        """How the verdict on this claim stood before each further round, oldest first."""
        return tuple((each, before) for each in self.case.rounds for before in each.verdicts if before.claim == claim)

    def looked_for(self, question: CaseQuestion) -> Round | None:
        """The further round that looks for the answer to a question; None: there is none."""
        return next((each for each in reversed(self.case.rounds) if each.words == question.question), None)

    @property
    def round_answer(self) -> Statement | None:
        """The answer to what the last further round was asked; None: it has none yet."""
        words = self.case.rounds[-1].words if self.case.rounds else ""
        sections = self.case.summary.sections if self.case.summary and words else ()
        return next((one for each in sections for one in each.statements if one.text.startswith(words)), None)

    @cached_property
    def assignment(self) -> Assignment:
        """Who works on the case, and how far they are."""
        return assignment_in(self.events)

    @cached_property
    def assignments(self) -> tuple[Event, ...]:
        """Every assignment and note, the latest first."""
        return tuple(event for event in reversed(self.events) if event.type is EventType.CASE_ASSIGNED)

    @cached_property
    def chat(self) -> tuple[tuple[Event, EventLine], ...]:
        """The case as a conversation: each event that has a line there, oldest first; what people said among them."""
        grouped = Grouped()
        groups = [group for event in self.events for group in grouped.add(event)]
        return tuple(
            (group[-1], line)
            for group in (*groups, *grouped.left)
            for line in (
                [EventLine(plain_words(message_of(group)))]
                if group[0].type is EventType.STAGE_STARTED
                else map(chat_entry, group)
            )
            if line
        )

    @cached_property
    def answer_parts(self) -> tuple[ShownAnswerPart, ...]:
        """The answer of the market desk, part by part; (): it is no market question, or is not answered yet."""
        return answer_parts(self.case.answer) if self.case.answer else ()

    @property
    def live(self) -> bool:
        """Whether more can happen without anybody asking for it."""
        return not self.case.status.ended

    @property
    def waits(self) -> bool:
        """Whether a plan waits for a decision."""
        return self.case.status is CaseStatus.PLANNED and self.case.plan is not None and not self.answered

    @property
    def resumable(self) -> bool:
        """Whether the case was stopped or cut off, and can be gone on with from where it was."""
        return self.case.status is CaseStatus.CANCELLED and not self.case.is_rejected

    @property
    def status(self) -> str:
        """The status, or 'waits' for a plan that waits for a decision."""
        if self.waits:
            return "waits"
        return "running" if self.answered else self.case.status.value

    @cached_property
    def tabs(self) -> tuple[Tab, ...]:
        """The tabs that have something to show."""
        case = self.case
        numbers = {
            "verdicts": len(self.view.assessments),
            "sources": len(self.view.counted_sources),
            "contradictions": sum(len(each.against) for each in self.clashes),
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
        """What the last revision of the plan has that the one before had not, and the other way round: questions,
        engines or queries, each with 'added' or 'removed' and the words; what did not change is left out."""
        plans = [each for event in self.events if isinstance(each := event.data.get("plan"), dict)]
        if len(plans) < 2:
            return ()
        before, after = plans[-2], plans[-1]
        found = (
            (
                name,
                tuple(
                    (sign, words)
                    for sign, one, other in (("removed", before, after), ("added", after, before))
                    for words in _words_of(one, name)
                    if words not in _words_of(other, name)
                ),
            )
            for name in ("questions", "engines", "queries")
        )
        return tuple((name, changes) for name, changes in found if changes)

    @cached_property
    def groups(self) -> tuple[tuple[Verdict, tuple[Checked, ...]], ...]:
        """The checked claims by verdict, those that need a reader's eye first."""
        claims = self.view.claims
        found = ((verdict, tuple(c for c in claims if c.assessment.verdict is verdict)) for verdict in VERDICT_ORDER)
        return tuple((verdict, group) for verdict, group in found if group)

    @cached_property
    def clashes(self) -> tuple[Clash, ...]:
        """Each contradicted claim with the quotes against it, beside the words of whoever says so; weightiest first."""
        return tuple(_clash(self.view, c) for _, group in self.groups for c in group if c.contradicting)

    @cached_property
    def leanings(self) -> dict[str, str]:
        """The leaning of each source's coverage, by source."""
        per_source = self.case.bias.per_source if self.case.bias else ()
        return {each.source_id: each.leaning.value for each in per_source}

    @cached_property
    def origin_parts(self) -> tuple[Part, ...]:
        """What only the investigation of a topic has beside its level: origin, details, posts, context, review."""
        return topic_parts.after(self.view)

    @cached_property
    def level_parts(self) -> tuple[Part, ...]:
        """The level of a topic and why."""
        return topic_parts.before(self.view)

    @cached_property
    def findings_of_source(self) -> dict[str, tuple[Finding, ...]]:
        """What rests on each source, by its id."""
        found: dict[str, list[Finding]] = {}
        for finding in self.case.findings:
            found.setdefault(finding.source_id, []).append(finding)
        return {source_id: tuple(findings) for source_id, findings in found.items()}

    def sources_of(self, source_ids: Iterable[str]) -> tuple[Source, ...]:
        """The sources of these ids, in their order, without those that the case does not hold."""
        return tuple(self.view.sources[each] for each in source_ids if each in self.view.sources)


def _clash(view: ReportView, checked: Checked) -> Clash:
    said = next((each.findings[0] for each in checked.supporting), None)
    words: Finding | Mention | None = said or next(iter(checked.claim.mentions), None)
    by = view.sources.get(words.source_id) if words else None
    against = tuple((each.findings[0], each.source) for each in checked.contradicting)
    return Clash(checked, words, by, against)


def _words_of(plan: JsonObject, name: str) -> tuple[str, ...]:
    entries = plan.get(name)
    found = (each.get("text") if isinstance(each, dict) else each for each in (entries or ()))  # type: ignore[union-attr]
    return tuple(dict.fromkeys(str(each) for each in found if each))


async def case_page(app: Resources, case: Case, person: Person) -> CasePage:
    """The page of a case with all its events, for this person. Raises StorageError."""
    decisions: tuple[Review, ...] = ()
    answered = False
    if case.brief.topic is not None:
        from inquest.app.cases.topic_records import decisions_of

        decisions = await decisions_of(app, case.id)
    if case.status is CaseStatus.PLANNED and case.plan is not None:
        answered = await (await case_work(app)).decision(case.id, case.plan.revision) is not None
    found = await app.events_of(case.id)
    ended = case.status in (CaseStatus.COMPLETED, CaseStatus.PARTIAL) and case.summary is not None
    works = person.may(Role.INVESTIGATOR)
    shown, asked = numbered(as_decided(case, claim_decisions(found)), questions_in(found))
    return CasePage(
        shown,
        tuple(found),
        decisions,
        answered,
        may_review=person.may(Role.EDITOR),
        may_work=works,
        may_ask=works and case.status.ended,
        asked=asked,
        may_ask_more=works and ended and case.kind in FURTHER_KINDS,
        people=await assignees(app, case),
        engines={name: engine.spec.title for name, engine in app.engines.items()},
    )


async def shared_page(app: Resources, case: Case, path: str) -> CasePage:
    """The page of a case as a reader sees it who has come by a link; `path` is the link's. Raises StorageError."""
    found = await app.events_of(case.id)
    return CasePage(as_decided(case, claim_decisions(found)), tuple(found), shared=path)
