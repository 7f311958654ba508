"""The state of a case between nodes.

Nodes take a `CaseState` and return a `Delta`: only what they add or change. Checkpoints keep the state as plain JSON,
so that later versions and other programs can read them.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

from pydantic import TypeAdapter

from inquest.domain.audit import Audit, AuditItem, CitedText, CitedWork, Outcome
from inquest.domain.case import Case, CaseStatus
from inquest.domain.check import CheckRecord, DeskQuery, DeskStatus, InfoRequest, Progress
from inquest.domain.claim import Claim
from inquest.domain.finding import Assessment, Finding, NearestPassage, Reading
from inquest.domain.investigation import InvestigationResult, SoughtReport
from inquest.domain.market import MarketAnswer, MarketQuestion, SearchOutcome
from inquest.domain.plan import Approval, Brief, Plan
from inquest.domain.reasons import Reason, sentences
from inquest.domain.report import Bias, Coverage, EarlierCheck, OutageNote, Summary, TimelineEvent, distinct
from inquest.domain.search import Hit
from inquest.domain.source import DomainAge, Source
from inquest.domain.value import Published, Value, firsts
from inquest.kit.analyst import SourceReading
from inquest.kit.desk import Subject
from inquest.text.urls import comparison_key


class Vetted(Value):
    """Data of registries and archives on one source, asked for while its claims are checked."""

    age: DomainAge | None = None
    captured: Published | None = None
    """An archive's first capture of the page."""
    archive: str = ""
    """Title of the archive."""


class CheckState(CheckRecord):
    """The part of the state that only a check has. Changed by one node at a time, and replaced as a whole."""

    subject: Subject
    queries: tuple[DeskQuery, ...] = ()
    """Queries of all rounds so far."""
    iteration: int = 1
    read: dict[str, dict[str, tuple[str, ...]]] = {}
    """Comparison keys of the pages that were read, by desk and claim id."""
    new_findings: int = 0
    """In the last round."""
    aside: tuple[Source, ...] = ()
    """Pages that were read and that no finding rests on; their ids are their snapshots."""


class MarketState(Value):
    """The part of the state that only a market question has."""

    question: MarketQuestion
    article: str = ""
    """An imagined article to compare leads with; never shown."""
    gathered: SearchOutcome = SearchOutcome()


class CitedRead(Value):
    """A source of an audited text as it was read, or the outcome if it was not read."""

    url: str = ""
    snapshot: str = ""
    outcome: Outcome | None = None
    reasons: tuple[Reason, ...] = ()
    notes: tuple[Reason, ...] = ()
    """Reasons why its text may not be that of the cited page."""
    imitates: tuple[Reason, ...] = ()
    """The domain that it imitates, if any."""
    gone: bool = False
    """The page no longer exists, and a copy was read."""
    copy_of: str = ""
    """Provenance of the archived copy that was read in place of the page; '': the page was read."""
    record: CitedWork | None = None
    """Crossref's record of its DOI; None: no DOI, or no answer."""


class AuditState(Value):
    """The part of the state that only an audit has. Changed by one node at a time, and replaced as a whole."""

    asked: CitedText
    """The statements to judge and their sources."""
    left_out: int = 0
    """Citations beyond the limit."""
    read: dict[str, CitedRead] = {}
    """By source id."""
    judged: int = 0
    """Number of judged statements."""
    items: tuple[AuditItem, ...] = ()


class DeskResult(Value):
    """The result of a desk. Until all results are joined, the ids of sources are their snapshots, and findings have
    none."""

    desk: str
    sources: tuple[Source, ...] = ()
    findings: tuple[Finding, ...] = ()
    requests: tuple[InfoRequest, ...] = ()
    reviews: tuple[EarlierCheck, ...] = ()
    read: dict[str, tuple[str, ...]] = {}
    """Comparison keys of the pages that were read, by claim id."""
    judged: dict[str, dict[str, Reading]] = {}
    """Readings of the analyst, by claim id and place."""
    coverage: dict[str, Coverage] = {}
    """By claim id."""
    status: DeskStatus
    outages: tuple[OutageNote, ...] = ()


class CaseState(Value):
    """The state of a case."""

    brief: Brief
    plan: Plan | None = None
    approvals: tuple[Approval, ...] = ()
    sources: tuple[Source, ...] = ()
    readings: dict[str, SourceReading] = {}
    """By source id."""
    reviews: tuple[EarlierCheck, ...] = ()
    vetted: dict[str, Vetted] = {}
    """By source id."""
    claims: tuple[Claim, ...] = ()
    findings: tuple[Finding, ...] = ()
    coverage: dict[str, Coverage] = {}
    """By claim id."""
    assessments: tuple[Assessment, ...] = ()
    nearest: tuple[NearestPassage, ...] = ()
    """The passages nearest to the claims that could not be verified."""
    bias: Bias | None = None
    event_findings: tuple[Finding, ...] = ()
    """Findings that the timeline and the answers to questions rest on."""
    timeline: tuple[TimelineEvent, ...] = ()
    summary: Summary | None = None
    posts: tuple[Hit, ...] = ()
    """Hits of social networks on a topic, with the post, its author and its numbers."""
    sought: tuple[SoughtReport, ...] = ()
    """Reports that sources of a topic credit and that no engine found."""
    investigation: InvestigationResult | None = None
    check: CheckState | None = None
    market: MarketState | None = None
    answer: MarketAnswer | None = None
    auditing: AuditState | None = None
    audit: Audit | None = None
    desk_results: dict[str, DeskResult] = {}
    """By desk and round ('news 1'), until they are joined."""
    outages: tuple[OutageNote, ...] = ()
    departures: tuple[str, ...] = ()
    departure_codes: tuple[Reason, ...] = ()
    markers: tuple[str, ...] = ()
    timings: dict[str, float] = {}

    @property
    def planned(self) -> Plan:
        """The plan, in the nodes after the one that makes it."""
        assert self.plan is not None
        return self.plan

    @property
    def checking(self) -> CheckState:
        """The part of a check, in the nodes after its plan."""
        assert self.check is not None
        return self.check

    @property
    def read_unaided(self) -> bool:
        """True if there were sources to read and no language model to read them."""
        return any(not each.excluded for each in self.sources) and self.plan is not None and self.plan.unaided

    @property
    def missing(self) -> tuple[OutageNote, ...]:
        """The outages, each trouble once, without those of pages that were read in another way."""
        read = {comparison_key(source.url) for source in self.sources}
        notes: dict[tuple[str, str, str], OutageNote] = {}
        for note in distinct(self.outages):
            if note.what != "page":
                notes.setdefault(note.trouble, note)
            elif (key := comparison_key(note.where)) not in read:
                # A page that failed again at another stage counts once.
                notes.setdefault((note.what, key, ""), note)
        return tuple(notes.values())


Delta = dict[str, Any]
"""New values by field of CaseState; for the fields in `_ADDED` the additions."""
_ADDED: dict[str, Any] = {
    "desk_results": Annotated[dict[str, Any], operator.or_],
    "outages": Annotated[list[Any], operator.add],
    "departures": Annotated[list[str], operator.add],
    "departure_codes": Annotated[list[Any], operator.add],
    "markers": Annotated[list[str], operator.add],
    "timings": Annotated[dict[str, float], operator.or_],
}
"""Fields that several nodes add to at once, with their reducers."""
if TYPE_CHECKING:
    Channels = dict[str, Any]
else:
    Channels = TypedDict("Channels", {name: _ADDED.get(name, Any) for name in CaseState.model_fields}, total=False)
"""The state as LangGraph keeps it: plain JSON."""
_SAME = (
    *("plan", "approvals", "sources", "claims", "assessments", "nearest", "reviews", "bias", "timeline", "summary"),
    *("investigation", "answer", "audit", "departures", "departure_codes", "markers", "timings"),
)
"""Fields that a case takes unchanged from the state."""


def departed(codes: Sequence[Reason]) -> Delta:
    """Departures from the plan, in words and as codes."""
    return {"departures": sentences(codes), "departure_codes": tuple(codes)}


@cache
def _adapter(field: str) -> TypeAdapter[Any]:
    annotation: Any = CaseState.model_fields[field].annotation
    return TypeAdapter(annotation)


def load(channels: Mapping[str, Any]) -> CaseState:
    """Parse the state that LangGraph keeps."""
    return CaseState.model_validate({k: v for k, v in channels.items() if k in CaseState.model_fields})


def dump(delta: Delta) -> dict[str, Any]:
    """Dump a delta as plain JSON values."""
    return {field: _adapter(field).dump_python(value, mode="json") for field, value in delta.items()}


def added(state: CaseState, delta: Delta) -> CaseState:
    """Apply a delta to the state by the rules of `_ADDED`."""
    update = dict(delta)
    for field in _ADDED.keys() & delta.keys():
        before, more = getattr(state, field), delta[field]
        update[field] = before | more if isinstance(before, dict) else (*before, *more)
    return state.model_copy(update=update)


def state_of(case: Case) -> CaseState:
    """Return the state in which a case begins."""
    return CaseState(brief=case.brief, plan=case.plan, approvals=case.approvals)


def case_of(case: Case, state: CaseState, *, status: CaseStatus, **more: Any) -> Case:
    """Return the case with the results in the state."""
    check = state.check
    record = CheckRecord(**{name: getattr(check, name) for name in CheckRecord.model_fields}) if check else None
    return case.model_copy(
        update={
            **{name: getattr(state, name) for name in _SAME},
            "status": status,
            "findings": (*state.findings, *state.event_findings),
            "check": record,
            "outages": state.missing,
            **more,
        }
    )


def coverage_with(
    before: Mapping[str, Coverage], more: Iterable[tuple[str, Coverage]], first: Coverage | None = None
) -> dict[str, Coverage]:
    """Add up the coverage by claim id. `first`: that of a claim before anything is added."""
    total = dict(before)
    for claim_id, coverage in more:
        total[claim_id] = total.get(claim_id, first or Coverage()) + coverage
    return total


def new_outages(found: Iterable[OutageNote], known: Iterable[OutageNote]) -> tuple[OutageNote, ...]:
    """Return the outages that are not `known`, each trouble once."""
    seen = {note.trouble for note in known}
    return tuple(firsts((note.trouble, note) for note in found if note.trouble not in seen).values())


def added_up(before: Iterable[DeskStatus], after: Iterable[DeskStatus]) -> tuple[DeskStatus, ...]:
    """Add up the statuses of each desk over all rounds; the last state counts, but an error is kept."""
    total: dict[str, DeskStatus] = {}
    for status in (*before, *after):
        if earlier := total.get(status.desk):
            error = " ".join(dict.fromkeys(filter(None, (earlier.error, status.error))))
            summed = ("searches", "findings", "contradictions")
            update: dict[str, object] = {name: getattr(earlier, name) + getattr(status, name) for name in summed}
            for name in ("claims_assigned", "claims_completed"):
                update[name] = max(getattr(earlier, name), getattr(status, name))
            update |= {"error": error, "status": Progress.ERROR if error else status.status}
            status = status.model_copy(update=update)
        total[status.desk] = status
    return tuple(total.values())
