"""Change a plan by rule: 'also look at the health study', 'leave out X', 'focus on 2023'.

Each clause is one of three directives (add, leave out, focus); a clause without one is added as a question.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from inquest.claims.brief_reading import TimeRange, key_terms, names_nothing, subject_of, time_range
from inquest.claims.plan_queries import MAX_QUERIES, answerable, unlike
from inquest.domain.drafts import PlanDraft
from inquest.domain.plan import Plan
from inquest.domain.search import EngineKind, Query
from inquest.text.lexicon import entries, pattern, word_lists
from inquest.text.phrases import capitalised, day, listed
from inquest.text.regex import regex
from inquest.text.sentences import content_words, shorten

_MAX_QUESTIONS = 6
_ADD, _DROP, _FOCUS, _SPLIT, _ASKING = (pattern(__name__, name) for name in ("add", "drop", "focus", "split", "asking"))
_KIND_NAMES = entries(__name__, "source_kind_names")
_KIND_WORDS = {
    EngineKind[kind]: set(content_words(" ".join(words)))
    for kind, words in word_lists(__name__, "source_kinds").items()
}
_ANY_KIND = set(content_words("sources engines articles literature sites media reports data material searches"))
_DOMAIN = regex(r"(?i)\b(?:[a-z0-9-]+\.)+[a-z]{2,}\b")
_MOST_OF = 0.6
"""Share of the words of a subject from which a question or query is on it."""
_NOTHING_CHANGED = "Nothing in the plan was changed: say what to add, leave out or focus on."
_OTHER_TOPIC, _INSTEAD, _CHANGES = (pattern(__name__, name) for name in ("other_topic", "instead", "changes"))


@dataclass(frozen=True)
class _Draft:
    topic: str
    questions: tuple[str, ...]
    queries: tuple[Query, ...]
    source_kinds: tuple[str, ...]
    notes: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    """Questions that the user has just asked for, which no other displaces."""

    def noted(self, note: str) -> _Draft:
        return replace(self, notes=(*self.notes, note))

    def each_query(self, update: Callable[[Query], dict[str, object]]) -> _Draft:
        return replace(self, queries=tuple(query.model_copy(update=update(query)) for query in self.queries))

    def with_query(self, text: str, purpose: str, **more: object) -> _Draft:
        """Add a query before the others, in their period and language."""
        like = self.queries[0] if self.queries else Query(text="")
        kinds = (EngineKind.NEWS, EngineKind.WEB) if like.kinds else ()
        new = {"text": shorten(text, 200), "purpose": purpose, "kinds": kinds, "exact": False, "domains": (), **more}
        return replace(self, queries=(like.model_copy(update=new), *self.queries))


def changed(before: Plan, change: str, kinds: Sequence[EngineKind], as_of: datetime | None) -> PlanDraft:
    """The plan `before` with the change; one without content leaves the plan as it is, with a note."""
    start = draft = _Draft(before.topic, before.questions, before.queries, before.source_kinds)
    if other := other_topic(change, before.topic):
        draft = start.noted(f"Another topic: {other}")
    else:
        change = _OTHER_TOPIC.sub("", change.strip())
        for part in _SPLIT.split(" ".join(change.split())):
            if part and (clause := part.strip(" ,:-")):
                draft = _apply(draft, clause)
        if draft == start:
            draft = start.noted(_NOTHING_CHANGED)
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
        other_topic=bool(other),
    )


def other_topic(words: str, topic: str = "") -> str:
    """The topic that replaces the plan's, as a brief ('Actually, investigate X', 'forget this: X', 'X instead'); '' if
    the words change or add to the plan."""
    words = words.strip()
    opens = _OTHER_TOPIC.match(words)
    after = words[opens.end() :] if opens else words
    rest = _INSTEAD.sub("", after)
    if (not opens and rest == after) or names_nothing(rest):
        return ""
    drops = opens is not None and opens["drops"] is not None
    changes = any(form.match(rest) for form in (_CHANGES, _DROP, _FOCUS))
    shares = set(content_words(topic)) & set(content_words(rest))
    return "" if not drops and (changes or shares) else capitalised(rest)


def _apply(draft: _Draft, clause: str) -> _Draft:
    if match := _DROP.match(clause):
        return _left_out(draft, match["what"])
    if match := _FOCUS.match(clause):
        return _focused(draft, match["what"])
    match = _ADD.match(clause)
    return _added(draft, match["what"] if match else clause)


def _kind_named(what: str) -> EngineKind | None:
    """The kind of source that the words name alone ('scholarly sources', not 'the health study')."""
    words = set(content_words(what))
    return next((kind for kind, known in _KIND_WORDS.items() if words & known and words <= known | _ANY_KIND), None)


def _left_out(draft: _Draft, what: str) -> _Draft:
    if kind := _kind_named(what):
        words = _KIND_WORDS[kind]
        others = tuple(each for each in draft.queries if set(each.kinds) != {kind})
        source_kinds = tuple(each for each in draft.source_kinds if not words & set(content_words(each)))
        draft = replace(draft, queries=others, source_kinds=source_kinds).noted(f"Left out: {_KIND_NAMES[kind.name]}.")
        return draft.each_query(lambda query: {"kinds": tuple(each for each in query.kinds if each is not kind)})
    if domains := _DOMAIN.findall(what):
        draft = draft.noted(f"Left out: {what}.")
        return draft.each_query(lambda q: {"exclude_domains": tuple(dict.fromkeys((*q.exclude_domains, *domains)))})
    unwanted = set(content_words(what))

    def wanted(text: str) -> bool:
        met = unwanted & set(content_words(text))
        return not met or len(met) < _MOST_OF * len(unwanted)

    questions = tuple(each for each in draft.questions if wanted(each))
    queries = tuple(each for each in draft.queries if wanted(each.text) and wanted(each.purpose))
    if (questions, queries) == (draft.questions, draft.queries):
        return draft.noted(f"The plan has no question or query on {what}; nothing was left out.")
    draft = replace(draft, questions=questions or draft.questions[:1], queries=queries or draft.queries[:1])
    return draft.noted(f"Left out: {what}.")


def _added(draft: _Draft, what: str) -> _Draft:
    subject = (subject_of(draft.topic) or (draft.topic,))[0]
    topic = f"{subject} {' '.join(key_terms(draft.topic, limit=5)) or draft.topic}"
    draft = draft.noted(f"Added: {what.rstrip('?. ')}.")
    if kind := _kind_named(what):
        name = _KIND_NAMES[kind.name]
        draft = replace(draft, source_kinds=(*draft.source_kinds, capitalised(name)))
        return draft.with_query(topic, f"Added: {name}", kinds=(kind,))
    if domains := tuple(_DOMAIN.findall(what)):
        return draft.with_query(topic, f"What {listed(domains)} has", domains=domains)
    question = _question(what)
    words = f"{subject} {' '.join(key_terms(what, limit=8)) or what}"
    draft = replace(draft, added=(*draft.added, question))
    return draft.with_query(" ".join(dict.fromkeys(words.split())), question)


def _question(what: str) -> str:
    what = what.strip(". ")
    asked = capitalised(what) if _ASKING.match(what) else f"What is known about {what.rstrip('?')}?"
    return shorten(asked, 220)


def _focused(draft: _Draft, what: str) -> _Draft:
    if (span := time_range(f"focus on {what}")) != TimeRange():
        limits = [f"{word} {day(at)}" for word, at in (("from", span.since), ("until", span.until)) if at]
        draft = draft.noted(f"Searches are limited to what was published {' '.join(limits)}.")
        return draft.each_query(lambda q: {"since": span.since or q.since, "until": span.until or q.until})
    if kind := _kind_named(what):
        draft = draft.noted(f"Only {_KIND_NAMES[kind.name]} will be asked.")
        return draft.each_query(lambda _: {"kinds": (kind,)})
    draft = draft.noted(f"Focus: {what}.")
    if domains := tuple(_DOMAIN.findall(what)):
        return draft.each_query(lambda _: {"domains": domains})
    words = tuple(dict.fromkeys((*subject_of(what)[:2], *key_terms(what, limit=5)))) or (what,)

    def nearer(query: Query) -> dict[str, object]:
        missing = [word for word in words if word.lower() not in query.text.lower()]
        return {} if query.exact or not missing else {"text": shorten(f"{query.text} {' '.join(missing)}", 200)}

    return replace(
        draft.each_query(nearer),
        topic=f"{draft.topic}, in particular {shorten(what, 80)}",
        questions=tuple(dict.fromkeys((_question(what), *draft.questions)))[:_MAX_QUESTIONS],
    )
