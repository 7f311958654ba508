"""Dated sentences of documents, and the events that they report: each event once, oldest first, with conflicting dates.

The date of an event is the one in the sentence; relative ones ('last Tuesday') are counted from the day on which the
document was published, and left out where that is not known.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta

from inquest.claims.claim_detection import ACTIONS, check_worth
from inquest.claims.leaning import WE
from inquest.claims.relevance import TopicTerms, topic_terms
from inquest.claims.sameness import FigureRelation, ParsedStatement, figure_relation, overlap, parse_statement
from inquest.claims.standalone import depends_on_context, main_organisation, without_attribution, without_leader
from inquest.domain.document import Document, Precision
from inquest.domain.drafts import DatedPassage, EventDraft
from inquest.domain.source import Source
from inquest.stories.common_ground import CommonGround
from inquest.text.blocks import evidence_sentences
from inquest.text.moments import Moment, moments
from inquest.text.phrases import day, listed
from inquest.text.sentences import shorten
from inquest.verdicts.weighing_reasons import name_of

MAX_EVENTS = 20
_MAX_TEXT = 240
_READ = 60_000
_WORTH = 0.3
_ON_TOPIC = 0.12
_PER_DOCUMENT = 8
_NOT_WHEN = ("by", "until", "before", "since")
"""What is to be done by a day has not happened on it; what holds since a day is a state."""
_SOON = timedelta(days=150)
_TIME_APART = timedelta(days=200)
"""Two mentions of one event may differ in its date, but not by more."""
_ORDER = {Precision.YEAR: 0, Precision.MONTH: 1, Precision.DAY: 2, Precision.TIME: 3}


def dated_passages(document: Document, source: Source, topic: str) -> tuple[DatedPassage, ...]:
    """The sentences of a document that date something of the subject, in order, at most 8, the nearest to the subject.

    Their ids are unique within the document.
    """
    terms = topic_terms(topic)
    relevance = terms.of_document(document.title, document.text)
    if relevance < _ON_TOPIC:
        return ()
    reference = document.published.at.date() if document.published else None
    organisation = main_organisation(document.title, document.text)
    text = document.text
    spans = evidence_sentences(document, _READ)
    near = [terms.of_sentence(span.of(text)) for span in spans]
    found: list[tuple[float, int, DatedPassage]] = []
    for place, span in enumerate(spans):
        quote = span.of(text)
        if len(quote) > 600 or "\n" in quote.strip():
            continue
        moment = _moment(quote, reference)
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
        nearness = max(near[place], 0.6 * max(near[max(0, place - 1) : place + 2]), 0.5 * relevance)
        value = worth * (0.4 + nearness) * (0.4 if moment.precision is Precision.YEAR else 1.0)
        found.append((-value, place, passage))
    kept = sorted(sorted(found, key=lambda each: each[:2])[:_PER_DOCUMENT], key=lambda each: each[1])
    return tuple(passage for _, _, passage in kept)


def _moment(sentence: str, reference: date | None) -> Moment | None:
    """The date on which what the sentence reports happened: the most exact one, the first of them.

    Not a limit ('by 30 June'), the beginning of a state ('director since 2020'), a future date, or a day whose year is
    only guessed. A date in the attribution ('the paper reported on Tuesday') only where there is no other.
    """
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
    """'14 March' in a text of November may be that of any year: the nearest one is meant only in the months after."""
    has_year = re.search(r"\d{4}", moment.span.of(sentence))
    return moment.relative and not has_year and reference is not None and reference - moment.start > _SOON


@dataclass
class _Event:
    mentions: list[tuple[DatedPassage, ParsedStatement]] = field(default_factory=list)

    @property
    def publishers(self) -> set[str]:
        return {passage.domain or passage.source_id for passage, _ in self.mentions}


def events_of(topic: str, passages: Sequence[DatedPassage], limit: int = MAX_EVENTS) -> tuple[EventDraft, ...]:
    """The events that matter most to the topic, oldest first, at most `limit`.

    Reports of one event are merged: the same day and much the same words, or nearly the same words and figures with
    another day, which then is a conflict that is said. What matters: what bears on the topic, and what many sources
    write about. A year alone dates an event only where two sources tell it.
    """
    terms = topic_terms(topic)
    ordered = sorted(passages, key=lambda each: (-_ORDER[each.precision], each.date, each.source_id, each.start))
    groups: list[_Event] = []
    for passage in ordered:
        apart = parse_statement(_words(passage))
        group = next((each for each in groups if _same_event(each, passage, apart)), None)
        if group is None:
            group = _Event()
            groups.append(group)
        group.mentions.append((passage, apart))
    ground = CommonGround((passage.source_id, apart.bag) for group in groups for passage, apart in group.mentions)
    dated = [each for each in groups if len(each.publishers) > 1 or each.mentions[0][0].precision is not Precision.YEAR]
    ranked = sorted(dated, key=lambda each: (-_standing(each, terms, ground), each.mentions[0][0].date))[:limit]
    drafts = [_draft(each) for each in ranked]
    return tuple(sorted(drafts, key=lambda draft: (draft.date, _ORDER[draft.precision], draft.text)))


def _words(passage: DatedPassage) -> str:
    """The sentence without its dates, so that it is the event that is compared."""
    text = passage.quote
    for moment in reversed(moments(text, passage.date.date())):
        text = f"{text[: moment.span.start]} {text[moment.span.end :]}"
    return without_attribution(without_leader(text))


def _same_event(event: _Event, passage: DatedPassage, apart: ParsedStatement) -> bool:
    for other, taken in event.mentions:
        jaccard, contained = overlap(apart, taken)
        figures = figure_relation(apart, taken)
        if figures is FigureRelation.DIFFER or min(len(apart.bag), len(taken.bag)) < 3:
            continue
        apart_in_time = abs(passage.date - other.date)
        if _same_time(passage, other):
            shared = len(apart.bag & taken.bag)
            by_day = passage.precision is Precision.DAY and shared >= 3 and contained >= 0.3
            if jaccard >= 0.3 or contained >= 0.6 or by_day:
                return True
            continue
        both_or_none = bool(apart.figures) == bool(taken.figures)
        if passage.source_id == other.source_id or apart_in_time > _TIME_APART or not both_or_none:
            continue
        if jaccard >= 0.6 or contained >= 0.85 or (figures is FigureRelation.SAME and jaccard >= 0.45):
            return True
    return False


def _same_time(one: DatedPassage, other: DatedPassage) -> bool:
    coarser = min((one.precision, other.precision), key=_ORDER.__getitem__)
    length = {Precision.YEAR: 4, Precision.MONTH: 7}.get(coarser, 10)
    return one.date.date().isoformat()[:length] == other.date.date().isoformat()[:length]


def _standing(event: _Event, terms: TopicTerms, ground: CommonGround) -> float:
    best = max(
        check_worth(passage.quote).score
        * (0.2 + 0.4 * terms.of_sentence(passage.quote) + 0.8 * ground.centrality(apart.bag))
        for passage, apart in event.mentions
    )
    exact = max(_ORDER[passage.precision] for passage, _ in event.mentions)
    return best + 0.12 * min(3, len(event.publishers) - 1) + 0.05 * exact


def _draft(event: _Event) -> EventDraft:
    dates: dict[tuple[datetime, Precision], list[DatedPassage]] = {}
    for passage, _ in event.mentions:
        dates.setdefault((passage.date, passage.precision), []).append(passage)
    # The most exact date, reported by most; of several, the earliest.
    (at, precision), _ = min(dates.items(), key=lambda item: (-_ORDER[item[0][1]], -len(item[1]), item[0][0]))
    mentions = [passage for passage, _ in event.mentions]
    there = [each for each in mentions if (each.date, each.precision) == (at, precision)]
    best = min(
        there,
        key=lambda each: (
            bool(WE.search(each.quote)),
            -round(check_worth(each.quote).score, 1),
            len(each.quote),
            each.source_id,
        ),
    )
    return EventDraft(
        date=at,
        precision=precision,
        text=_text(best),
        passages=tuple(dict.fromkeys([best.id, *(each.id for each in mentions)])),
        conflict=_conflict(dates),
    )


def _text(passage: DatedPassage) -> str:
    whole = without_leader(" ".join(passage.quote.split()))
    stated = without_attribution(whole)
    dated = [moment.span.of(whole) for moment in moments(whole, passage.date.date())]
    # Where the date stands in the attribution, it is the report that is dated, and so it stays.
    lost = dated and not any(each in stated for each in dated)
    return shorten(whole if lost else stated, _MAX_TEXT)


def _conflict(dates: dict[tuple[datetime, Precision], list[DatedPassage]]) -> str | None:
    """What the sources say, where they give different days; a month and a day in it are no conflict."""
    exact = {key: reported_by for key, reported_by in dates.items() if _ORDER[key[1]] >= _ORDER[Precision.DAY]}
    days = {at.date() for at, _ in exact}
    if len(days) < 2:
        return None
    said = []
    for (at, precision), reported_by in sorted(exact.items(), key=lambda item: item[0][0]):
        who = list(dict.fromkeys(each.domain or each.source_id for each in reported_by))
        verb = "says" if len(who) == 1 else "say"
        said.append(f"{listed(who[:3])} {verb} {day(at, precision)}")
    return "; ".join(said) + "."
