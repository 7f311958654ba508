"""Events in words: chat messages with the markers of spec 004, lines on pages, and the reports' functions for dates,
tiers and reasons as templates call them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

from inquest.domain.case import Case
from inquest.domain.event import Event, EventType
from inquest.domain.finding import Verdict
from inquest.domain.plan import Decision, Mode, Plan
from inquest.domain.value import JsonObject
from inquest.kit.dialect import language_name
from inquest.reports import wording
from inquest.reports.case_json import summary_with_sources as summary_with_sources
from inquest.reports.view import VERDICT_WORDS
from inquest.reports.words import Words
from inquest.text.regex import regex
from inquest.text.urls import is_web_url, registrable_domain

_STARS, _MOST_LINES = 5, 6
_TOGETHER = (EventType.SOURCE_FOUND, EventType.CLAIM_EXTRACTED, EventType.FACT_CHECKED)
ALONE = (
    *(EventType.PLAN_DECIDED, EventType.PERSON_DECIDED, EventType.QUESTION_ASKED, EventType.CASE_ASSIGNED),
    EventType.CASE_CREATED,
)
"""People's actions, shown among the messages on a page."""


class Grouped:
    """Group the events of a case into chat messages: consecutive events of one kind make one message."""

    def __init__(self) -> None:
        self._held: dict[str, list[Event]] = {}

    def add(self, event: Event) -> list[tuple[Event, ...]]:
        """Return the groups that the event completes, its own last; [] while it is held back or has no line."""
        if event.type in _TOGETHER or (event.type is EventType.STAGE_STARTED and event.marker == "PROGRESS"):
            self._held.setdefault(event.type.value, []).append(event)
            return []
        if not chat_line(event, {}) and event.type not in ALONE:
            return []
        held, self._held = self._held, {}
        return [*(tuple(each) for each in held.values()), (event,)]

    @property
    def left(self) -> list[tuple[Event, ...]]:
        """The groups that are still held back."""
        return [tuple(each) for each in self._held.values()]


def message_of(events: Sequence[Event], titles: Mapping[str, str]) -> str:
    """Return a group of events as a chat message. `titles`: of search engines, by name."""
    lines = list(dict.fromkeys(filter(None, (chat_line(each, titles) for each in events))))
    if len(events) > 1 and events[0].type is EventType.STAGE_STARTED and len(lines) > _MOST_LINES:
        lines = [*lines[:_MOST_LINES], f"[PROGRESS] {len(lines) - _MOST_LINES} more searches and pages"]
    return "\n".join(lines)


def chat_line(event: Event, titles: Mapping[str, str]) -> str:
    """Return the event as chat text; '' for events that a chat leaves out."""
    text = " ".join(event.text.split())
    if event.type is EventType.SOURCE_FOUND:
        source = found_source(event)
        stars = f"{'⭐' * source.stars} " if source.stars else ""
        quoted = " ".join(source.key_finding.split())
        rated = f"{stars}{source.stars}/{_STARS} | {source.domain}"
        return f"📄 **{text}**\n   {rated}\n   💡 Key finding: “{quoted}”"
    if event.type is EventType.FACT_CHECKED:
        sure = event.data.get("confidence")
        return f"[PROGRESS] {text}" + (f"\n   Confidence: {sure:.0%}" if isinstance(sure, float | int) else "")
    if event.marker:
        line, plan = f"[{event.marker}] {text}", event.data.get("plan")
        return f"{line}\n\n{plan_text(Plan.model_validate(plan), titles)}" if isinstance(plan, dict) else line
    return f"[PROGRESS] {text}" if event.type is EventType.CLAIM_EXTRACTED else ""


def plan_text(plan: Plan, titles: Mapping[str, str]) -> str:
    """Return the whole plan in the form of spec 004, with its estimated time."""
    low, high = plan.mode.settings.minutes
    pages = [f"{'⭐' * each.stars} {each.title or each.url}".strip() for each in plan.user_sources]
    parts = (
        ("What I'll investigate", plan.questions),
        ("Sources I'll gather", plan.source_kinds),
        ("Your sources analysed", pages),
        ("Search engines", [titles.get(each, each) for each in plan.engines]),
        ("Notes", plan.notes),
    )
    lists = [f"**{title}:**\n" + "\n".join(f"- {each}" for each in entries) for title, entries in parts if entries]
    mode = "Quick Search" if plan.mode is Mode.QUICK else "Detailed Inquiry"
    ends = f"**Mode:** {mode}\n**Estimated time:** {low} to {high} minutes"
    return "\n\n".join(("## 📋 Investigation Plan", f"**Investigation topic:** {plan.topic}", *lists, ends))


_MARKER = regex(r"^\[[A-Z_]+\] ", re.M)
"""The marker at the beginning of a line, meant for programs."""
_ANSWERS = (EventType.QUERY_ANSWERED, EventType.SEARCH_EXECUTED)


@dataclass(frozen=True)
class SourceLine:
    """A source as its event describes it, before it is part of the case."""

    title: str
    domain: str
    stars: int
    key_finding: str
    url: str
    tier: int = 0
    """0: the event has stars instead."""


@dataclass(frozen=True)
class EventLine:
    """One line. `verdict`: that of the claim in `words`, if any. Shown instead of words: `source`; `decided`, with the
    decision and revision of a plan; `answered`, with engine, query and hits."""

    words: str
    verdict: str = ""
    decided: JsonObject | None = None
    source: SourceLine | None = None
    answered: JsonObject | None = None


def event_line(event: Event) -> EventLine:
    """Return the line of an event in a list of events."""
    verdict, claim = event.data.get("verdict"), text_of(event, "claim_text")
    if event.type is EventType.FACT_CHECKED and verdict in set(Verdict) and claim:
        return EventLine(claim, verdict=str(verdict))
    data, hits = event.data, event.data.get("hits", event.data.get("results_count"))
    if event.type is EventType.PLAN_DECIDED and data.get("decision") in set(Decision):
        return EventLine(event.text, decided=data if isinstance(data.get("revision"), int) else None)
    if event.type in _ANSWERS and text_of(event, "engine") and text_of(event, "query") and isinstance(hits, int):
        return EventLine(event.text, answered={**data, "hits": hits})
    return EventLine(event.text)


def chat_entry(event: Event, titles: Mapping[str, str]) -> EventLine | None:
    """Return the line of an event in the conversation, if it has one."""
    if event.type is EventType.SOURCE_FOUND:
        return EventLine("", source=found_source(event))
    if event.type in (*ALONE, EventType.FACT_CHECKED):
        return event_line(event)
    words = plain_words(chat_line(event, titles))
    return EventLine(words) if words else None


def plain_words(message: str) -> str:
    """Strip markers and Markdown from a chat message."""
    return _MARKER.sub("", message).replace("**", "").replace("## ", "")


def found_source(event: Event) -> SourceLine:
    """Return the source of a SOURCE_FOUND or SOURCE_EVALUATED event."""
    stars, tier = event.data.get("stars"), event.data.get("tier")
    if event.type is EventType.SOURCE_EVALUATED:
        url = text_of(event, "source_url")
        rated = tier if isinstance(tier, int) else 0
        return SourceLine("", registrable_domain(url) or url, 0, text_of(event, "relevance"), url, rated)
    return SourceLine(
        title=text_of(event, "title") or event.text,
        domain=text_of(event, "domain"),
        stars=min(max(stars, 0), _STARS) if isinstance(stars, int) else 0,
        key_finding=text_of(event, "key_finding"),
        url=text_of(event, "url"),
    )


def text_of(event: Event, name: str) -> str:
    """Return a text of the event's data; '' if absent."""
    value = event.data.get(name)
    return value if isinstance(value, str) else ""


def _brief(case: Case) -> str:
    """Return the text of the brief, with only the file name of a report from the user's machine."""
    text, report = case.brief.text, case.brief.check.report if case.brief.check else ""
    parts = PurePosixPath(unquote(urlsplit(report).path)).parts if report.startswith("file:") else ()
    for number in range(len(parts)):
        path = str(PurePosixPath(*parts[number:]))
        if text.endswith(path):
            return text.removesuffix(path) + parts[-1]
    return text


_OF_REPORTS = (
    "address copies_heading date_words departures event_date figures independence kind left_out method "
    "outages ranking_words rating_words review_words standing stars story_words titled unused_dates"
)
FORMATS: Mapping[str, Any] = {
    **{name: getattr(wording, name) for name in _OF_REPORTS.split()},
    "brief": _brief,
    "event_line": event_line,
    "is_web_url": is_web_url,
    "language": lambda code: (language_name(code) or code).capitalize(),
    "person": partial(text_of, name="by"),
    "leanings": Words("leanings"),
    "verdicts": VERDICT_WORDS,
}
"""Functions and tables of words by the name under which templates use them."""
