"""Extracts of documents for an inquiry: summary, key claims and dated sentences; and the events of the dated sentences,
each once, oldest first, with conflicting dates.

Relative dates ('last Tuesday') are counted from the day of publication, and left out if that is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta

from inquest.claims.claim_detection import ACTIONS, check_worth
from inquest.claims.merging import FigureRelation, ParsedStatement, figure_relation, parse_statement
from inquest.claims.relevance import TopicTerms, key_claims, scored_sentences, topic_terms
from inquest.claims.standalone import depends_on_context, main_organisation, without_attribution, without_leader
from inquest.domain.document import Document, Precision
from inquest.domain.drafts import DatedPassage, EventDraft, SourceReading
from inquest.domain.reasons import Reason
from inquest.domain.source import Source
from inquest.domain.value import grouped
from inquest.text.blocks import evidence_sentences
from inquest.text.moments import Moment, moments
from inquest.text.sentences import content_words, shorten
from inquest.text.similarity import overlap
from inquest.verdicts.weighing_reasons import name_of

MAX_EVENTS = 20
_MAX_TEXT, _MAX_QUOTE, _READ = 240, 600, 60_000
_WORTH, _ON_TOPIC = 0.3, 0.12
_PER_DOCUMENT = 8
_NOT_WHEN = ("by", "until", "before", "since")
"""Words before dates that are not the day of an event: limits, and 'since', which begins a state."""
_SOON = timedelta(days=150)
_TIME_APART = timedelta(days=200)
"""Maximum difference between the dates in two reports of one event."""
_LEAST_WORDS = 3
_ORDER = {Precision.YEAR: 0, Precision.MONTH: 1, Precision.DAY: 2, Precision.TIME: 3}

_Event = list[tuple[DatedPassage, ParsedStatement]]
"""The reports of one event."""
SUMMARY_LIMIT = 500
"""Characters (spec 004, Q4)."""
_MOST = 4
"""Sentences of a summary."""
_SAME = 0.6
_BY_NAMES = 0.4


def dated_passages(document: Document, source: Source, topic: str) -> tuple[DatedPassage, ...]:
    """The dated sentences of a document, in order: the 8 nearest to the subject, with ids unique within it."""
    terms, text = topic_terms(topic), document.text
    relevance = terms.of_document(document.title, text)
    if relevance < _ON_TOPIC:
        return ()
    misdated = any(each.code == "origin.misdated" for each in source.story_codes)
    reference = document.published.at.date() if document.published and not misdated else None
    organisation = main_organisation(document.title, text)
    found: list[tuple[float, int, DatedPassage]] = []
    before = ""
    for place, span in enumerate(evidence_sentences(document, _READ)):
        quote, previous = span.of(text), before
        before = quote
        moment = _moment(quote, reference) if len(quote) <= _MAX_QUOTE and "\n" not in quote.strip() else None
        worth = check_worth(quote).score if moment else 0.0
        if moment is None or worth < _WORTH or depends_on_context(without_leader(quote), organisation)[1]:
            continue
        passage = DatedPassage(
            id=f"{source.id}-{place}",
            source_id=source.id,
            snapshot=document.snapshot,
            quote=quote,
            start=span.start,
            end=span.end,
            date=datetime.combine(moment.start, time.min, UTC),
            precision=moment.precision,
            domain=name_of(source),
        )
        nearness = max(terms.of_sentence(quote), 0.6 * terms.of_sentence(previous), 0.5 * relevance)
        exact = 0.4 if moment.precision is Precision.YEAR else 1.0
        found.append((-worth * (0.4 + nearness) * exact, place, passage))
    kept = sorted(found, key=lambda each: each[:2])[:_PER_DOCUMENT]
    return tuple(passage for _, _, passage in sorted(kept, key=lambda each: each[1]))


def _moment(sentence: str, reference: date | None) -> Moment | None:
    """The most exact date of the event: no limit, future date or guessed year; the attribution's only if alone."""
    if not ACTIONS.search(sentence):
        return None
    candidates = [
        moment
        for moment in moments(sentence, reference)
        if moment.order not in _NOT_WHEN
        and (reference is None or moment.start <= reference)
        and (moment.precision is not Precision.DAY or moment.start == moment.end)
        and not _year_guessed(moment, sentence, reference)
    ]
    stated = without_attribution(without_leader(sentence))
    inside = [moment for moment in candidates if moment.span.of(sentence) in stated]
    return max(inside or candidates, key=lambda each: (_ORDER[each.precision], -each.span.start), default=None)


def _year_guessed(moment: Moment, sentence: str, reference: date | None) -> bool:
    """True for '14 March' in a text from November: the nearest one is certain only in the months after it."""
    has_year = re.search(r"\d{4}", moment.span.of(sentence))
    return moment.relative and not has_year and reference is not None and reference - moment.start > _SOON


def events_of(topic: str, passages: Sequence[DatedPassage], limit: int = MAX_EVENTS) -> tuple[EventDraft, ...]:
    """The most important events, oldest first; one dated by a year alone needs two sources."""
    terms = topic_terms(topic)
    events: list[_Event] = []
    for passage in sorted(passages, key=lambda each: (-_ORDER[each.precision], each.date, each.source_id, each.start)):
        text = passage.quote
        for moment in reversed(moments(text, passage.date.date())):
            text = f"{text[: moment.span.start]} {text[moment.span.end :]}"
        statement = parse_statement(without_attribution(without_leader(text)))
        event = next((each for each in events if _same_event(each, passage, statement)), None)
        if event is None:
            events.append(event := [])
        event.append((passage, statement))
    dated = [each for each in events if _publishers(each) > 1 or each[0][0].precision is not Precision.YEAR]
    ranked = sorted(dated, key=lambda each: (-_importance(each, terms), each[0][0].date))[:limit]
    drafts = [_draft([passage for passage, _ in each]) for each in ranked]
    return tuple(sorted(drafts, key=lambda draft: (draft.date, _ORDER[draft.precision], draft.text)))


def _publishers(event: _Event) -> int:
    return len({passage.domain or passage.source_id for passage, _ in event})


def _importance(event: _Event, terms: TopicTerms) -> float:
    best = max(check_worth(each.quote).score * (0.2 + 0.8 * terms.of_sentence(each.quote)) for each, _ in event)
    return best + 0.12 * min(3, _publishers(event) - 1) + 0.05 * max(_ORDER[each.precision] for each, _ in event)


def _same_event(event: _Event, passage: DatedPassage, statement: ParsedStatement) -> bool:
    """True for similar words on one day, or almost the same in one year or elsewhere with another day (a conflict)."""
    for other, known in event:
        jaccard, contained = overlap(statement.bag, known.bag)
        figures = figure_relation(statement, known)
        if figures is FigureRelation.DIFFER or min(len(statement.bag), len(known.bag)) < _LEAST_WORDS:
            continue
        coarser = min((passage.precision, other.precision), key=_ORDER.__getitem__)
        length = {Precision.YEAR: 4, Precision.MONTH: 7}.get(coarser, 10)
        same = passage.date.date().isoformat()[:length] == other.date.date().isoformat()[:length]
        if same and coarser is not Precision.YEAR:
            some = passage.precision is Precision.DAY and len(statement.bag & known.bag) >= _LEAST_WORDS
            if jaccard >= 0.3 or contained >= (0.3 if some else 0.6):
                return True
        elif same or (passage.source_id != other.source_id and abs(passage.date - other.date) <= _TIME_APART):
            near = jaccard >= (0.45 if figures is FigureRelation.SAME else 0.6) or contained >= 0.85
            if near and bool(statement.figures) == bool(known.figures):
                return True
    return False


def _draft(mentions: Sequence[DatedPassage]) -> EventDraft:
    """The event with its most exact date; of several, the one that most sources report, then the earliest."""
    dates = grouped(((passage.date, passage.precision), passage) for passage in mentions)
    (at, precision), there = min(dates.items(), key=lambda item: (-_ORDER[item[0][1]], -len(item[1]), item[0][0]))
    best = min(there, key=lambda each: (-round(check_worth(each.quote).score, 1), len(each.quote), each.source_id))
    whole = without_leader(" ".join(best.quote.split()))
    stated = without_attribution(whole)
    dated = [moment.span.of(whole) for moment in moments(whole, best.date.date())]
    # A date in the attribution is that of the report, so the attribution is kept.
    lost = dated and not any(each in stated for each in dated)
    return EventDraft(
        date=at,
        precision=precision,
        text=shorten(whole if lost else stated, _MAX_TEXT),
        passages=tuple(dict.fromkeys([best.id, *(each.id for each in mentions)])),
        conflict=_conflict(dates),
    )


def _conflict(dates: dict[tuple[datetime, Precision], list[DatedPassage]]) -> Reason | None:
    """The dates by source if they are on different days; a month and a day in it do not conflict."""
    exact = {key: reports for key, reports in dates.items() if _ORDER[key[1]] >= _ORDER[Precision.DAY]}
    if len({at.date() for at, _ in exact}) < 2:
        return None
    parts = []
    for (at, _), reports in sorted(exact.items(), key=lambda item: item[0][0]):
        names = list(dict.fromkeys(each.domain or each.source_id for each in reports))
        parts.append(Reason.of("summary.date_of", names=names[:3], date=at.date().isoformat()))
    return Reason.of("summary.dates_of", dates=parts)


def read_document(topic: str, brief: str, document: Document) -> SourceReading:
    """Summary, key claims and relevance of a document; empty for one without text."""
    about = topic_terms(topic, brief)
    relevance = about.of_document(document.title, document.text)
    if document.language not in (None, "en"):
        # Words of another language do not match, but names do.
        relevance = max(relevance, _BY_NAMES * about.named_in(f"{document.title} {document.text}"))
    return SourceReading(
        summary=summary_of(about, document),
        key_claims=key_claims(about, document, relevance),
        relevance=round(relevance, 3),
    )


def summary_of(about: TopicTerms, document: Document) -> str:
    """Whole sentences in their order, at most 500 characters. If none fits, the best one is shortened; without any, the
    summary is the title."""
    scored = [each for each in scored_sentences(about, document) if each.worth >= 0.15]
    ranked = sorted(scored, key=lambda each: (-each.score, each.order))
    chosen: list[tuple[int, str]] = []
    length = 0
    for each in ranked:
        text = " ".join(each.quote.split())
        words = frozenset(content_words(text))
        fits = length + len(text) + bool(chosen) <= SUMMARY_LIMIT
        if fits and not any(overlap(words, frozenset(content_words(other)))[1] > _SAME for _, other in chosen):
            length += len(text) + bool(chosen)
            chosen.append((each.order, text))
        if len(chosen) == _MOST:
            break
    if chosen:
        return " ".join(text for _, text in sorted(chosen))
    return shorten(ranked[0].quote if ranked else document.title, SUMMARY_LIMIT)
