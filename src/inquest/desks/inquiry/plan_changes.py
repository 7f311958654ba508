"""A plan with a change worked in: 'also look at the health study', 'leave out scholarly sources', 'focus on 2023'.

The words of a revision are read as directives (add, leave out, focus, replace); each one changes questions, queries or
both, and is said in the notes. What cannot be read as one is added as a question, because the user wants to know it.
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
from inquest.text.lexicon import compiled, entries, pattern
from inquest.text.moments import moments
from inquest.text.phrases import capitalised, day, listed
from inquest.text.regex import regex
from inquest.text.sentences import content_words, shorten

_MAX_QUESTIONS = 6
_ADD = pattern(__name__, "add")
_DROP = pattern(__name__, "drop")
_FOCUS = pattern(__name__, "focus")
_TIME = regex(r"^(?:(?:please|and|but|also|then)\s+)*(?:since|after|before|until|between|from|in)\s+\d", re.I)
_OTHER = pattern(__name__, "other")
_SPLIT = pattern(__name__, "split")
_FILLER = pattern(__name__, "filler")
_KIND_NAMES = entries(__name__, "source_kind_names")
_KINDS = tuple(
    (compiled(words), EngineKind[kind], _KIND_NAMES[kind]) for kind, words in entries(__name__, "source_kinds").items()
)
_KIND_WORDS = pattern(__name__, "kind_words")
_DOMAIN = regex(r"\b(?:[a-z0-9-]+\.)+[a-z]{2,}\b", re.I)


@dataclass(frozen=True)
class _Draft:
    topic: str
    questions: tuple[str, ...]
    queries: tuple[Query, ...]
    source_kinds: tuple[str, ...]
    notes: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    """Questions the user has just asked for: none of them gives way to another."""


def changed(before: Plan, change: str, kinds: Sequence[EngineKind], as_of: datetime | None) -> PlanDraft:
    """The plan `before` with the change worked in. An empty change changes nothing, and says so."""
    start = _Draft(before.topic, before.questions, before.queries, before.source_kinds)
    parts = [part.strip(" ,:-") for part in _SPLIT.split(" ".join(change.split())) if part and part.strip(" ,:-")]
    if bool(_OTHER.search(change)) and not set(content_words(before.topic)) & set(content_words(change)):
        return _finished(replace(start, notes=(_OTHER_TOPIC,)), kinds, as_of, other_topic=True)
    draft = start
    for part in parts:
        draft = _apply(draft, part)
    if draft == start:
        draft = replace(draft, notes=("Nothing in the plan was changed: say what to add, leave out or focus on.",))
    return _finished(draft, kinds, as_of)


_OTHER_TOPIC = (
    "That is another topic: finish or reject this plan and start a new inquiry for it. One inquiry has one topic."
)


def _finished(
    draft: _Draft, kinds: Sequence[EngineKind], as_of: datetime | None, *, other_topic: bool = False
) -> PlanDraft:
    queries = unlike([each for each in (answerable(query, kinds) for query in (*draft.queries,)) if each])
    if not queries:
        queries = draft.queries[:1] or (Query(text=draft.topic, purpose=draft.topic, until=as_of),)
    return PlanDraft(
        topic=draft.topic,
        questions=tuple(dict.fromkeys((*draft.questions[: max(1, _MAX_QUESTIONS - len(draft.added))], *draft.added)))[
            :_MAX_QUESTIONS
        ],
        queries=queries[:MAX_QUERIES],
        source_kinds=draft.source_kinds,
        notes=draft.notes,
        other_topic=other_topic,
    )


def _apply(draft: _Draft, part: str) -> _Draft:
    if match := _DROP.match(part):
        what = _plain(match["left"] or match["what"] or "")
        return _dropped(draft, what) if what else draft
    if _TIME.match(part):
        return _at_time(draft, part)
    if match := _FOCUS.match(part):
        return _focused(draft, match["what"].strip())
    match_add = _ADD.match(part)
    return _added(draft, (match_add["what"] if match_add else part).strip())


def _question(what: str) -> str:
    what = re.sub(r"\s+(?:please|too|as\s+well|also)$", "", what.rstrip("?. "), flags=re.I)
    if re.match(r"(?:what|who|how|when|where|why|which)\s+(?:the|its?|their|his|her|an?)\b", what, re.I):
        return shorten(capitalised(what), 220)
    if _asks(what):
        return shorten(f"{capitalised(what)}?", 220)
    if re.fullmatch(r"(?:the\s+)?official\s+(?:records?|sources?|documents?)", what, re.I):
        return "What do the official records show?"
    return shorten(f"What is known about {what}?", 220)


def _plain(text: str) -> str:
    previous = ""
    while text != previous:
        previous, text = text, _FILLER.sub("", text.strip())
    return text


def _kind_named(what: str) -> tuple[EngineKind, str] | None:
    """The kind of source that the words name and nothing else ('scholarly sources', not 'the health study')."""
    for form, kind, name in _KINDS:
        rest = _KIND_WORDS.sub("", form.sub("", what))
        if form.search(what) and not content_words(rest):
            # One study is a thing to look at; studies are a kind of source.
            if kind is EngineKind.SCHOLARLY and re.fullmatch(r"(?:the\s+)?study", what, re.I):
                return None
            return kind, name
    return None


def _dropped(draft: _Draft, what: str) -> _Draft:
    note = f"Left out: {what}."
    if named := _kind_named(what):
        return _dropped_kind(draft, *named)
    if domains := tuple(_DOMAIN.findall(what)):
        return _each_query(
            draft, lambda q: {"exclude_domains": tuple(dict.fromkeys((*q.exclude_domains, *domains)))}, note
        )
    unwanted = set(content_words(what))
    questions = tuple(kept for each in draft.questions if (kept := _without(each, unwanted)))
    queries = tuple(
        query.model_copy(update={"text": text, "purpose": purpose})
        for query in draft.queries
        if (text := _without(query.text, unwanted)) and (purpose := _without(query.purpose, unwanted) or text)
    )
    source_kinds = tuple(each for each in draft.source_kinds if not unwanted & set(content_words(each)))
    if (questions, queries, source_kinds) == (draft.questions, draft.queries, draft.source_kinds):
        note = f"Nothing in the plan asks for {what}; pages that are only about it are not sought."
    return replace(
        draft,
        questions=questions or draft.questions[:1],
        queries=queries or draft.queries[:1],
        source_kinds=source_kinds,
        notes=(*draft.notes, note),
    )


def _dropped_kind(draft: _Draft, kind: EngineKind, name: str) -> _Draft:
    queries = []
    for query in draft.queries:
        rest = tuple(each for each in query.kinds if each is not kind)
        if rest or not query.kinds:
            queries.append(query.model_copy(update={"kinds": rest}))
    pattern = next(each for each, of, _ in _KINDS if of is kind)
    kept = tuple(each for each in draft.source_kinds if not pattern.search(each))
    return replace(draft, queries=tuple(queries), source_kinds=kept, notes=(*draft.notes, f"Left out: {name}."))


def _without(text: str, unwanted: set[str]) -> str:
    """The text without the item or words that name what is unwanted; '' where it is about nothing else."""
    there = content_words(text)
    met = unwanted & set(there)
    if not met or len(met) < 0.6 * len(unwanted):
        return text
    if len(met) / len(set(there)) > 0.4:
        return ""
    parts = re.split(r"(,\s+and\s+|,\s+|:\s+|\s+and\s+)", text)
    kept = ""
    for index in range(0, len(parts), 2):
        part, joint = parts[index], parts[index - 1] if index else ""
        words_of = set(content_words(part))
        if words_of & unwanted and len(words_of - unwanted) <= 1:
            kept += "?" if part.rstrip().endswith("?") and not kept.endswith("?") else ""
            continue
        kept += (joint if kept else "") + part
    if not unwanted & set(content_words(kept)):
        return kept
    if _asks(text):
        return ""
    return " ".join(word for word in text.split() if not set(content_words(word)) & unwanted)


def _added(draft: _Draft, said: str) -> _Draft:
    what = _plain(said)
    note = (*draft.notes, f"Added: {what.rstrip('?. ')}.")
    who = (subject_of(draft.topic) or (draft.topic,))[0]
    if named := _kind_named(what):
        kind, name = named
        words = " ".join(key_terms(draft.topic, limit=5) or (draft.topic,))
        lead = "" if kind is EngineKind.SCHOLARLY and len(words.split()) > 1 else f"{who} "
        query = _like(draft, f"{lead}{words}", f"Added: {name}", (kind,))
        return replace(
            draft, queries=(query, *draft.queries), source_kinds=(*draft.source_kinds, capitalised(name)), notes=note
        )
    if domains := tuple(_DOMAIN.findall(what)):
        query = _like(draft, f"{who} {' '.join(key_terms(draft.topic, limit=3))}", f"What {listed(domains)} has", ())
        return replace(draft, queries=(query.model_copy(update={"domains": domains}), *draft.queries), notes=note)
    question = _question(said)
    text = " ".join(dict.fromkeys(f"{who} {' '.join(key_terms(what, limit=8)) or what}".split()))
    query = _like(draft, text, question, ())
    return replace(
        draft,
        added=(*draft.added, question),
        queries=(query, *draft.queries),
        notes=note,
    )


def _asks(text: str) -> bool:
    return text.endswith("?") or bool(
        re.match(r"(?:who|what|when|where|why|how|which|whether|did|does|is|are|was|were|has|have)\b", text, re.I)
    )


def _focused(draft: _Draft, said: str) -> _Draft:
    what = _plain(said)
    note = f"Focus: {what}."
    if named := _kind_named(what):
        kind, name = named
        return _each_query(draft, lambda _: {"kinds": (kind,)}, f"Only {name} will be asked.")
    if domains := tuple(_DOMAIN.findall(what)):
        return _each_query(draft, lambda _: {"domains": domains}, note)
    without_time = what
    for moment in reversed(moments(what)):
        without_time = without_time[: moment.span.start] + without_time[moment.span.end :]
    if moments(what):
        draft = _at_time(draft, f"focus on {what}")
        if not key_terms(without_time) and not subject_of(without_time):
            return draft
        what = _plain(re.sub(r"\b(?:in|of|from|since|and|to|between|the years?)\b", " ", without_time))
    words = " ".join(dict.fromkeys((*subject_of(what)[:2], *key_terms(what, limit=5)))) or what
    question = _question(said if what in said else what)

    def nearer(query: Query) -> dict[str, object]:
        missing = [word for word in words.split() if word.lower() not in query.text.lower()]
        return {} if query.exact or not missing else {"text": shorten(f"{query.text} {' '.join(missing)}", 200)}

    nearer_draft = _each_query(draft, nearer, note)
    return replace(
        nearer_draft,
        topic=f"{draft.topic}, in particular {shorten(what, 80)}",
        questions=tuple(dict.fromkeys((question, *draft.questions)))[:_MAX_QUESTIONS],
    )


def _at_time(draft: _Draft, text: str) -> _Draft:
    span = time_range(text)
    if span == TimeRange():
        found = moments(text)
        if not found:
            return _added(draft, text)
        span = time_range(f"focus on {text}")
    said = " ".join(
        part
        for part in (
            f"from {day(span.since)}" if span.since else "",
            f"until {day(span.until)}" if span.until else "",
        )
        if part
    )
    return _each_query(
        draft,
        lambda query: {"since": span.since or query.since, "until": span.until or query.until},
        f"Searches are limited to what was published {said}.",
    )


def _each_query(draft: _Draft, update: Callable[[Query], dict[str, object]], note: str) -> _Draft:
    queries = tuple(query.model_copy(update=update(query)) for query in draft.queries)
    return replace(draft, queries=queries, notes=(*draft.notes, note))


def _like(draft: _Draft, text: str, purpose: str, kinds: tuple[EngineKind, ...]) -> Query:
    """A new query in the time and language of the others."""
    model = draft.queries[0] if draft.queries else Query(text="")
    wanted = kinds or ((EngineKind.NEWS, EngineKind.WEB) if model.kinds else ())
    return model.model_copy(
        update={"text": shorten(text, 200), "purpose": purpose, "kinds": wanted, "exact": False, "domains": ()}
    )
