"""Events: which dated passages report events. The dates are those of the passages, never the model's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial

from inquest.analysts.marking import PromptBlock, message
from inquest.analysts.prompts import instructions
from inquest.analysts.replies import AnswerPart, Line, Lines, Listed, Unusable, kept, parse
from inquest.domain.document import Precision, Published
from inquest.domain.drafts import DatedPassage, EventDraft
from inquest.text.sentences import shorten

_MOST_PASSAGES = 120
_MOST_EVENTS = 30
_FINER = {Precision.YEAR: 0, Precision.MONTH: 1, Precision.DAY: 2, Precision.TIME: 3}


class _ReadEvent(AnswerPart):
    text: Line
    passages: Lines
    conflict: Line | None = None


class Answer(AnswerPart):
    """The events."""

    events: Listed[_ReadEvent]


def chosen(passages: Sequence[DatedPassage]) -> list[DatedPassage]:
    """The passages shown to the model, in order; if there are very many, the same share from every source."""
    if len(passages) <= _MOST_PASSAGES:
        return list(passages)
    rank: Counter[str] = Counter()
    ranked = []
    for order, passage in enumerate(passages):
        ranked.append((rank[passage.source_id], order, passage))
        rank[passage.source_id] += 1
    kept = sorted(ranked, key=lambda item: item[:2])[:_MOST_PASSAGES]
    return [passage for _, _, passage in sorted(kept, key=lambda item: item[1])]


ask = partial(instructions, "events", limit=f"At most {_MOST_EVENTS} events, those that matter most.")
"""The instructions, and after an unusable answer the reason why it was unusable."""


def question(topic: str, passages: Sequence[DatedPassage]) -> str:
    """The message."""
    blocks = [PromptBlock("topic", topic)]
    for passage in passages:
        fields = (("source", passage.source_id), ("date", _iso(passage)))
        blocks.append(PromptBlock("passage", shorten(passage.quote, 500), passage.id, fields))
    return message(blocks)


def _iso(passage: DatedPassage) -> str:
    return Published(at=passage.date, precision=passage.precision).iso


def answer(text: str, passages: Sequence[DatedPassage]) -> tuple[EventDraft, ...]:
    """The events, oldest first. Raises Unusable if the answer names events and none is based on a passage."""
    known = {passage.id: passage for passage in passages}
    given, malformed = kept(parse(text, Answer).events)
    taken: set[str] = set()
    drafts = []
    for each in given[: 2 * _MOST_EVENTS]:
        reported_by = [known[name] for name in dict.fromkeys(each.passages) if name in known and name not in taken]
        if reported_by and each.text:
            taken.update(passage.id for passage in reported_by)
            drafts.append(_draft(each, reported_by))
    if (given or malformed) and not drafts:
        raise Unusable("no event rested on passages that stand in the message")
    drafts.sort(key=lambda draft: draft.date)
    return tuple(drafts[:_MOST_EVENTS])


def _draft(each: _ReadEvent, reported_by: Sequence[DatedPassage]) -> EventDraft:
    """The event with the date that most passages give; among those, the most exact; among equals, the first named."""
    dates = Counter(_iso(passage) for passage in reported_by)
    best = max(
        reported_by, key=lambda passage: (_FINER[passage.precision], dates[_iso(passage)], -reported_by.index(passage))
    )
    # The coarser of two dates that agree is a prefix of the finer: 2024-03 and 2024-03-05.
    others = [date for date in dates if not (date.startswith(_iso(best)) or _iso(best).startswith(date))]
    conflict = each.conflict if others else None
    if others and not conflict:
        conflict = f"Sources give different dates: {', '.join(sorted([_iso(best), *others]))}."
    return EventDraft(
        date=best.date,
        precision=best.precision,
        text=shorten(each.text, 300),
        passages=tuple(passage.id for passage in reported_by),
        conflict=conflict,
    )
