"""How a page writes what a case holds: dates, tiers, reasons. The sentences are those of the reports."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

from inquest.app.pages.event_lines import event_line, said_by
from inquest.domain.case import Case
from inquest.kit.dialect import language_name
from inquest.reports import wording
from inquest.text.urls import is_web_url


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
