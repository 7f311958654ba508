"""A case as chat messages with the markers of spec 004, and the analysis of a single page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from inquest.domain.errors import PageError
from inquest.domain.event import Event, EventType
from inquest.domain.plan import Brief, Mode, Plan
from inquest.domain.value import Value
from inquest.reports.case_json import summary_with_sources as summary_with_sources

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

_STARS, _MOST_LINES = 5, 6
_TOGETHER = (EventType.SOURCE_FOUND, EventType.CLAIM_EXTRACTED, EventType.FACT_CHECKED)
ALONE = (
    EventType.PLAN_DECIDED,
    EventType.PERSON_DECIDED,
    EventType.QUESTION_ASKED,
    EventType.CASE_ASSIGNED,
    EventType.CASE_CREATED,
)
"""People's actions, shown among the messages on a page."""


class SourceAnalysis(Value):
    """The analysis of a page named by the user (spec 004, `analyze_source_tool`)."""

    url: str
    title: str = ""
    content_summary: str = ""
    """At most 500 characters, verbatim from the page."""
    key_claims: tuple[str, ...] = ()
    domain: str
    credibility_score: int = 0
    """1 to 5; 0: not readable."""
    is_user_provided: bool = True
    is_reachable: bool
    error: str | None = None
    snapshot: str | None = None


class Grouped:
    """Group the events of a case into chat messages: consecutive events of one kind make one message."""

    def __init__(self) -> None:
        self._held: dict[str, list[Event]] = {}

    def add(self, event: Event) -> list[tuple[Event, ...]]:
        """Return the groups that the event completes, its own last; [] while it is held back or has no line."""
        if event.type in _TOGETHER or (event.type is EventType.STAGE_STARTED and event.marker == "PROGRESS"):
            self._held.setdefault(event.type.value, []).append(event)
            return []
        if not chat_line(event) and event.type not in ALONE:
            return []
        held, self._held = self._held, {}
        return [*(tuple(each) for each in held.values()), (event,)]

    @property
    def left(self) -> list[tuple[Event, ...]]:
        """The groups that are still held back."""
        return [tuple(each) for each in self._held.values()]


def message_of(events: Sequence[Event]) -> str:
    """Return a group of events as a chat message."""
    lines = list(dict.fromkeys(filter(None, map(chat_line, events))))
    if len(events) > 1 and events[0].type is EventType.STAGE_STARTED and len(lines) > _MOST_LINES:
        lines = [*lines[:_MOST_LINES], f"[PROGRESS] {len(lines) - _MOST_LINES} more searches and pages"]
    return "\n".join(lines)


def chat_line(event: Event) -> str:
    """Return the event as chat text; '' for events that a chat leaves out."""
    text = " ".join(event.text.split())
    if event.type is EventType.SOURCE_FOUND:
        value = event.data.get("stars")
        stars = min(max(value, 0), _STARS) if isinstance(value, int) else 0
        return (
            f"📄 **{' '.join(event.text.split())}**\n"
            f"   {'⭐' * stars}{' ' if stars else ''}{stars}/{_STARS} | {event.data.get('domain') or ''}\n"
            f"   💡 Key finding: “{' '.join(str(event.data.get('key_finding') or '').split())}”"
        )
    if event.type is EventType.FACT_CHECKED:
        sure = event.data.get("confidence")
        return f"[PROGRESS] {text}" + (f"\n   Confidence: {sure:.0%}" if isinstance(sure, float | int) else "")
    if event.marker:
        line, plan = f"[{event.marker}] {text}", event.data.get("plan")
        return f"{line}\n\n{plan_text(Plan.model_validate(plan))}" if isinstance(plan, dict) else line
    return f"[PROGRESS] {text}" if event.type is EventType.CLAIM_EXTRACTED else ""


def plan_text(plan: Plan) -> str:
    """Return the whole plan in the form of spec 004, with its estimated time."""
    low, high = plan.mode.settings.minutes
    pages = [f"{'⭐' * each.stars} {each.title or each.url}".strip() for each in plan.user_sources]
    parts = (
        ("What I'll investigate", plan.questions),
        ("Sources I'll gather", plan.source_kinds),
        ("Your sources analysed", pages),
        ("Asked", (", ".join(plan.engines),) if plan.engines else ()),
        ("Notes", plan.notes),
    )
    lists = [f"**{title}:**\n" + "\n".join(f"- {each}" for each in entries) for title, entries in parts if entries]
    mode = "Quick Search" if plan.mode is Mode.QUICK else "Detailed Inquiry"
    ends = f"**Mode:** {mode}\n**Estimated time:** {low} to {high} minutes"
    return "\n\n".join(("## 📋 Investigation Plan", f"**Investigation topic:** {plan.topic}", *lists, ends))


async def analyse_source(app: Resources, url: str) -> SourceAnalysis:
    """Read and analyse a page; for one that cannot be read the result has the reason. Raises InputError."""
    from inquest.analysts.local import LocalAnalyst
    from inquest.app.wiring.ratings import rate_urls
    from inquest.text.sentences import shorten

    (rated,) = rate_urls([url])
    try:
        _, document = await app.pages(await app.door()).read(url)
    except PageError as error:
        return SourceAnalysis(url=url, domain=rated["domain"], is_reachable=False, error=error.sentence)
    reading = await LocalAnalyst(app.reader, app.encoder).read(Brief(text=document.title or url), "", document)
    return SourceAnalysis(
        url=url,
        title=document.title,
        content_summary=shorten(reading.summary, 500),
        key_claims=tuple(each.text for each in reading.key_claims),
        domain=rated["domain"],
        credibility_score=rated["stars"],
        is_reachable=True,
        snapshot=document.snapshot,
    )
