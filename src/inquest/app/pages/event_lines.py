"""How a page writes what a case holds: events as lines; dates, tiers and reasons in the sentences of the reports."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

from inquest.app.service.chatting import ALONE, chat_line
from inquest.domain.assessment import Verdict
from inquest.domain.case import Case
from inquest.domain.event import Event, EventType
from inquest.domain.plan import Decision
from inquest.kit.dialect import language_name
from inquest.reports import wording
from inquest.text.regex import regex
from inquest.text.urls import is_web_url, registrable_domain

_MARKER = regex(r"^\[[A-Z_]+\] ", re.M)
"""What a program listens for at the beginning of a line, and a person need not read."""
_ANSWERS = (EventType.QUERY_ANSWERED, EventType.SEARCH_EXECUTED)


@dataclass(frozen=True)
class PlanDecision:
    """What somebody decided on a plan, for the page to put into words."""

    decision: Decision
    revision: int


@dataclass(frozen=True)
class SourceLine:
    """A source as its event tells it, before the case holds it."""

    title: str
    domain: str
    stars: int
    key_finding: str
    url: str
    tier: int = 0
    """0: its event gives stars instead."""


@dataclass(frozen=True)
class Answered:
    """What an engine gave for a query."""

    engine: str
    """Its name, not its title."""
    query: str
    hits: int


@dataclass(frozen=True)
class EventLine:
    """One line. `verdict`: of the claim whose words follow, '' where the event has none; `decided`, `source`,
    `answered`: what is shown instead of words."""

    words: str
    verdict: str = ""
    decided: PlanDecision | None = None
    source: SourceLine | None = None
    answered: Answered | None = None


def event_line(event: Event) -> EventLine:
    """The line of an event in lists of what happened."""
    verdict, claim = event.data.get("verdict"), text_of(event, "claim_text")
    if event.type is EventType.FACT_CHECKED and verdict in set(Verdict) and claim:
        return EventLine(claim, verdict=str(verdict))
    return EventLine(event.text, decided=_decided(event), answered=_answered(event))


def chat_entry(event: Event) -> EventLine | None:
    """The line of an event in the conversation; None: it has none there."""
    if event.type is EventType.SOURCE_FOUND:
        return EventLine("", source=found_source(event))
    if event.type in (*ALONE, EventType.FACT_CHECKED):
        return event_line(event)
    words = plain_words(chat_line(event))
    return EventLine(words) if words else None


def plain_words(message: str) -> str:
    """A message of chat without markers and Markdown."""
    return _MARKER.sub("", message).replace("**", "").replace("## ", "")


def found_source(event: Event) -> SourceLine:
    """The source that the event tells of: one that was found, or that a desk has weighed."""
    stars, tier = event.data.get("stars"), event.data.get("tier")
    if event.type is EventType.SOURCE_EVALUATED:
        url = text_of(event, "source_url")
        rated = tier if isinstance(tier, int) else 0
        return SourceLine("", registrable_domain(url) or url, 0, text_of(event, "relevance"), url, rated)
    return SourceLine(
        title=text_of(event, "title") or event.text,
        domain=text_of(event, "domain"),
        stars=min(max(stars, 0), 5) if isinstance(stars, int) else 0,
        key_finding=text_of(event, "key_finding"),
        url=text_of(event, "url"),
    )


def said_by(event: Event) -> str:
    """The person who did what the event tells; '': nobody did."""
    return text_of(event, "by")


def _decided(event: Event) -> PlanDecision | None:
    decision, revision = event.data.get("decision"), event.data.get("revision")
    if event.type is not EventType.PLAN_DECIDED or decision not in set(Decision) or not isinstance(revision, int):
        return None
    return PlanDecision(Decision(str(decision)), revision)


def _answered(event: Event) -> Answered | None:
    engine, query = text_of(event, "engine"), text_of(event, "query")
    hits = event.data.get("hits", event.data.get("results_count"))
    if event.type not in _ANSWERS or not engine or not query or not isinstance(hits, int):
        return None
    return Answered(engine, query, hits)


def text_of(event: Event, name: str) -> str:
    """A text of the event's data; '' where it has none."""
    value = event.data.get(name)
    return value if isinstance(value, str) else ""


def _brief(case: Case) -> str:
    """The brief as it may be shown: a report that lay on the user's machine by its name alone."""
    text, report = case.brief.text, case.brief.check.report if case.brief.check else ""
    parts = PurePosixPath(unquote(urlsplit(report).path)).parts if report.startswith("file:") else ()
    for number in range(len(parts)):
        path = str(PurePosixPath(*parts[number:]))
        if text.endswith(path):
            return text.removesuffix(path) + parts[-1]
    return text


def _language(code: str) -> str:
    """The English name of a language; of one that has none here, its code."""
    return (language_name(code) or code).capitalize()


FORMATS: Mapping[str, Callable[..., Any]] = {
    "about": wording.about,
    "address": wording.address,
    "brief": _brief,
    "copies_heading": wording.copies_heading,
    "date_words": wording.date_words,
    "dated_by": wording.dated_by,
    "departures": wording.departures,
    "event_date": wording.event_date,
    "event_line": event_line,
    "figures": wording.figures,
    "independence": wording.independence,
    "is_web_url": is_web_url,
    "kind": wording.kind,
    "language": _language,
    "left_out": wording.left_out,
    "method": wording.method,
    "moment": wording.moment,
    "outages": wording.outages,
    "ranking_words": wording.ranking_words,
    "rating_words": wording.rating_words,
    "review_words": wording.review_words,
    "said_by": said_by,
    "standing": wording.standing,
    "stars": wording.stars,
    "story_words": wording.story_words,
    "titled": wording.titled,
    "witness": wording.witness,
}
"""By the name under which templates know them."""
