"""A plan with a change worked in: 'also look at the health study', 'leave out scholarly sources', 'focus on 2023'.

The local analyst reads a change clause by clause as one of three directives (add, leave out, focus). Each changes
questions, queries or both, and is named in the notes. A clause without a directive is added as a question.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from inquest.claims.brief_reading import TimeRange, key_terms, subject_of, time_range
from inquest.claims.plan_queries import MAX_QUERIES, answerable, unlike
from inquest.domain.drafts import PlanDraft
from inquest.domain.plan import Plan
from inquest.domain.search import EngineKind, Query
from inquest.text.lexicon import entries, pattern, word_lists
from inquest.text.moments import moments
from inquest.text.phrases import capitalised, day, listed
from inquest.text.regex import regex
from inquest.text.sentences import content_words, shorten

_MAX_QUESTIONS = 6
_ADD, _DROP, _FOCUS = (pattern(__name__, name) for name in ("add", "drop", "focus"))
_SPLIT = pattern(__name__, "split")
_ASKING = pattern(__name__, "asking")
_KIND_NAMES = entries(__name__, "source_kind_names")
_KIND_WORDS = {
    EngineKind[kind]: set(content_words(" ".join(words)))
    for kind, words in word_lists(__name__, "source_kinds").items()
}
_ANY_KIND = set(content_words("sources engines articles literature sites media reports data material searches"))
_DOMAIN = regex(r"\b(?:[a-z0-9-]+\.)+[a-z]{2,}\b", re.I)
_MOST_OF = 0.6
"""Share of the words of what is left out that an item must have to be about it."""
_ABOUT_NOTHING_ELSE = 0.4
"""Share of an item's own words from which on nothing is left of it without them."""
_NOTHING_CHANGED = "Nothing in the plan was changed: say what to add, leave out or focus on."
_OTHER_TOPIC = (
    "That is another topic: finish or reject this plan and start a new inquiry for it. One inquiry has one topic."
)


@dataclass(frozen=True)
class _Draft:
    topic: str
    questions: tuple[str, ...]
    queries: tuple[Query, ...]
    source_kinds: tuple[str, ...]
    notes: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    """Questions that the user has just asked for: none of them gives way to another."""


def changed(before: Plan, change: str, kinds: Sequence[EngineKind], as_of: datetime | None) -> PlanDraft:
    """The plan `before` with the change worked in. A change without content leaves the plan as it is, with a note."""
    start = draft = _Draft(before.topic, before.questions, before.queries, before.source_kinds)
    other_topic = "instead" in change.lower().split() and not _shared(before.topic, change)
    if other_topic:
        draft = replace(start, notes=(_OTHER_TOPIC,))
    else:
        for part in _SPLIT.split(" ".join(change.split())):
            if part and (clause := part.strip(" ,:-")):
                draft = _apply(draft, clause)
        if draft == start:
            draft = replace(start, notes=(_NOTHING_CHANGED,))
    queries = unlike([each for query in draft.queries if (each := answerable(query, kinds))])
    room = max(1, _MAX_QUESTIONS - len(draft.added))
    return PlanDraft(
        topic=draft.topic,
        questions=tuple(dict.fromkeys((*draft.questions[:room], *draft.added)))[:_MAX_QUESTIONS],
        queries=queries[:MAX_QUERIES]
        or draft.queries[:1]
        or (Query(text=draft.topic, purpose=draft.topic, until=as_of),),
        source_kinds=draft.source_kinds,
        notes=draft.notes,
        other_topic=other_topic,
    )


def _shared(one: str, other: str) -> set[str]:
    return set(content_words(one)) & set(content_words(other))


def _apply(draft: _Draft, clause: str) -> _Draft:
    if match := _DROP.match(clause):
        return _without_subject(draft, match["what"])
    match = _FOCUS.match(clause)
    what = match["what"] if match else clause
    if (span := time_range(what)) != TimeRange() or (match and (span := time_range(f"focus on {what}")) != TimeRange()):
        draft = _limited(draft, span)
        for moment in reversed(moments(what)):
            what = what[: moment.span.start] + what[moment.span.end :]
        if not content_words(what):
            return draft
    if match:
        return _focused(draft, what)
    match = _ADD.match(clause)
    return _with_subject(draft, match["what"] if match else clause)


def _kind_named(what: str) -> EngineKind | None:
    """The kind of source that the words name and nothing else ('scholarly sources', not 'the health study')."""
    words = set(content_words(what))
    named = [kind for kind, known in _KIND_WORDS.items() if words & known and words <= known | _ANY_KIND]
    return named[0] if named else None


def _without_subject(draft: _Draft, what: str) -> _Draft:
    if kind := _kind_named(what):
        words = _KIND_WORDS[kind]
        note = f"Left out: {_KIND_NAMES[kind.name]}."
        others = tuple(each for each in draft.queries if set(each.kinds) != {kind})
        source_kinds = tuple(each for each in draft.source_kinds if not words & set(content_words(each)))
        draft = replace(draft, queries=others, source_kinds=source_kinds)
        return _each_query(draft, lambda q: {"kinds": tuple(each for each in q.kinds if each is not kind)}, note)
    note = f"Left out: {what}."
    if domains := _DOMAIN.findall(what):
        return _each_query(
            draft, lambda q: {"exclude_domains": tuple(dict.fromkeys((*q.exclude_domains, *domains)))}, note
        )
    unwanted = set(content_words(what))
    questions = tuple(kept for each in draft.questions if (kept := _without(each, unwanted)))
    queries = tuple(
        query.model_copy(update={"text": text, "purpose": _without(query.purpose, unwanted) or text})
        for query in draft.queries
        if (text := _without(query.text, unwanted)) and (_without(query.purpose, unwanted) or not query.purpose)
    )
    if (questions, queries) == (draft.questions, draft.queries):
        note = f"Nothing in the plan asks for {what}; pages that are only about it are not searched for."
    return replace(
        draft,
        questions=questions or draft.questions[:1],
        queries=queries or draft.queries[:1],
        notes=(*draft.notes, note),
    )


def _without(text: str, unwanted: set[str]) -> str:
    """The text without the items of an enumeration that name what is unwanted; '' where it is about nothing else."""
    words = set(content_words(text))
    met = unwanted & words
    if not met or len(met) < _MOST_OF * len(unwanted):
        return text
    if len(met) > _ABOUT_NOTHING_ELSE * len(words):
        return ""
    items = re.split(r"(?<=:)\s+|,\s+(?:and\s+)?", text.rstrip("?"))
    kept = [each for each in items if not unwanted & set(content_words(each))]
    if len(kept) == len(items) or not kept:
        return ""
    joined = ", ".join(kept).replace(":,", ":", 1)
    return f"{joined}?" if text.endswith("?") else joined


def _with_subject(draft: _Draft, what: str) -> _Draft:
    subject = (subject_of(draft.topic) or (draft.topic,))[0]
    topic = " ".join(key_terms(draft.topic, limit=5)) or draft.topic
    draft = replace(draft, notes=(*draft.notes, f"Added: {what.rstrip('?. ')}."))
    if kind := _kind_named(what):
        name = _KIND_NAMES[kind.name]
        query = _like(draft, f"{subject} {topic}", f"Added: {name}", kinds=(kind,))
        return replace(draft, queries=(query, *draft.queries), source_kinds=(*draft.source_kinds, capitalised(name)))
    if domains := tuple(_DOMAIN.findall(what)):
        query = _like(draft, f"{subject} {topic}", f"What {listed(domains)} has", domains=domains)
        return replace(draft, queries=(query, *draft.queries))
    question = _question(what)
    words = f"{subject} {' '.join(key_terms(what, limit=8)) or what}"
    query = _like(draft, " ".join(dict.fromkeys(words.split())), question)
    return replace(draft, added=(*draft.added, question), queries=(query, *draft.queries))


def _question(what: str) -> str:
    what = what.strip(". ")
    if _ASKING.match(what):
        return shorten(capitalised(what), 220)
    return shorten(f"What is known about {what.rstrip('?')}?", 220)


def _focused(draft: _Draft, what: str) -> _Draft:
    note = f"Focus: {what}."
    if kind := _kind_named(what):
        return _each_query(draft, lambda _: {"kinds": (kind,)}, f"Only {_KIND_NAMES[kind.name]} will be asked.")
    if domains := tuple(_DOMAIN.findall(what)):
        return _each_query(draft, lambda _: {"domains": domains}, note)
    words = tuple(dict.fromkeys((*subject_of(what)[:2], *key_terms(what, limit=5)))) or (what,)

    def nearer(query: Query) -> dict[str, object]:
        missing = [word for word in words if word.lower() not in query.text.lower()]
        return {} if query.exact or not missing else {"text": shorten(f"{query.text} {' '.join(missing)}", 200)}

    draft = _each_query(draft, nearer, note)
    return replace(
        draft,
        topic=f"{draft.topic}, in particular {shorten(what, 80)}",
        questions=tuple(dict.fromkeys((_question(what), *draft.questions)))[:_MAX_QUESTIONS],
    )


def _limited(draft: _Draft, span: TimeRange) -> _Draft:
    since = f"from {day(span.since)}" if span.since else ""
    until = f"until {day(span.until)}" if span.until else ""
    return _each_query(
        draft,
        lambda query: {"since": span.since or query.since, "until": span.until or query.until},
        f"Searches are limited to what was published {' '.join(filter(None, (since, until)))}.",
    )


def _each_query(draft: _Draft, update: Callable[[Query], dict[str, object]], note: str) -> _Draft:
    queries = tuple(query.model_copy(update=update(query)) for query in draft.queries)
    return replace(draft, queries=queries, notes=(*draft.notes, note))


def _like(
    draft: _Draft, text: str, purpose: str, kinds: tuple[EngineKind, ...] = (), domains: tuple[str, ...] = ()
) -> Query:
    """A new query in the time and language of the others."""
    model = draft.queries[0] if draft.queries else Query(text="")
    kinds = kinds or ((EngineKind.NEWS, EngineKind.WEB) if model.kinds else ())
    new = {"text": shorten(text, 200), "purpose": purpose, "kinds": kinds, "exact": False, "domains": domains}
    return model.model_copy(update=new)
