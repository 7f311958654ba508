"""Analysts' changes to ratings and targets, in the words of pages and from engines' tables: events, not advice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from inquest.domain.market import AnalystAction, MarketQuote
from inquest.domain.search import Hit
from inquest.sources.freshness import Freshness, freshness_of
from inquest.text.sentences import fold

_MOST_QUOTES = 8


def commentary_of(quotes: Sequence[MarketQuote], leads: Sequence[AnalystAction]) -> tuple[AnalystAction, ...]:
    """Sentences on ratings, and the actions in engines' tables whose firm is named in none of them, newest first."""
    said = [
        AnalystAction(at=each.published, age=each.age, age_code=each.age_code, quote=each)
        for each in quotes[:_MOST_QUOTES]
    ]
    others = [lead for lead in leads if not any(fold(lead.firm) in fold(each.quote) for each in quotes)]
    return tuple(sorted((*said, *others), key=lambda each: each.at or "", reverse=True))


def actions_of_hits(hits: Iterable[Hit], now: datetime, titles: Mapping[str, str]) -> tuple[AnalystAction, ...]:
    """The actions in engines' tables (figures called 'grade'), newest first. `titles`: of engines, by name."""
    found = []
    for hit in hits:
        for figure in hit.figures:
            at = figure.at or hit.published
            if figure.name != "grade" or not figure.by or (at is not None and at.at > now):
                continue
            found.append(
                AnalystAction(
                    firm=figure.by,
                    action=str(hit.details.get("action") or ""),
                    grade_from=figure.previous_text,
                    grade_to=figure.text,
                    at=at.iso if at else None,
                    age=(age := freshness_of(at, now, Freshness.MARKET)).words,
                    age_code=age.code,
                    lead_by=titles.get(hit.engine, hit.engine),
                    lead_url=hit.url,
                )
            )
    return tuple(sorted(found, key=lambda each: each.at or "", reverse=True))
