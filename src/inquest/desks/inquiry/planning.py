"""The plan of an inquiry by rule, from the brief and the user's pages: topic, questions, queries, kinds of source; and
changes to it: 'also look at the health study', 'leave out X', 'focus on 2023'.

Each clause of a change is one of three directives (add, leave out, focus); a clause without one is added as a question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from inquest.claims.brief_reading import (
    READ_AT_MOST,
    BriefReading,
    TimeRange,
    key_terms,
    names_nothing,
    read_brief,
    subject_of,
    time_range,
)
from inquest.claims.plan_queries import MAX_QUERIES, answerable, queries_for, unlike
from inquest.desks.inquiry.brief_claims import besides, in_a_sentence, own_questions
from inquest.domain.drafts import PlanDraft
from inquest.domain.plan import AnalysedUrl, Brief, Plan
from inquest.domain.search import EngineKind, Query
from inquest.text.lexicon import entries, pattern, word_lists
from inquest.text.phrases import capitalised, day, language_name, listed
from inquest.text.regex import regex
from inquest.text.sentences import content_words, shorten

MAX_QUESTIONS = 6
_BARE_VERB = pattern(__name__, "bare_verb")
_ADD, _DROP, _FOCUS, _SPLIT, _ASKING = (pattern(__name__, name) for name in ("add", "drop", "focus", "split", "asking"))
_KIND_NAMES = entries(__name__, "source_kind_names")
_KIND_WORDS = {
    EngineKind[kind]: set(content_words(" ".join(words)))
    for kind, words in word_lists(__name__, "source_kinds").items()
}
_ANY_KIND = set(
    content_words("sources engines articles literature sites media networks reports data material searches")
)
_DOMAIN = regex(r"(?i)\b(?:[a-z0-9-]+\.)+[a-z]{2,}\b")
_MOST_OF = 0.6
"""Share of a subject's words from which a question or query is about it."""
_NOTHING_CHANGED = "Nothing in the plan was changed: say what to add, leave out or focus on."
_OTHER_TOPIC, _INSTEAD, _CHANGES = (pattern(__name__, name) for name in ("other_topic", "instead", "changes"))


def plan_for(
    brief: Brief,
    user_sources: Sequence[AnalysedUrl],
    kinds: Sequence[EngineKind],
    *,
    change: str = "",
    before: Plan | None = None,
) -> PlanDraft:
    """The plan, or the plan `before` with the change. `kinds`: those of the ready engines."""
    if before is not None:
        return changed(before, change, kinds, brief.as_of)
    reading = read_brief(brief.text, tuple(page.title for page in user_sources if page.title and not page.why_not))
    topic = topic_of(reading)
    return PlanDraft(
        topic=topic,
        questions=_questions(reading, topic),
        queries=queries_for(reading, topic, user_sources, kinds, brief.as_of),
        source_kinds=_source_kinds(reading, user_sources, kinds, brief),
        notes=_notes(brief, reading, user_sources),
    )


def topic_of(reading: BriefReading) -> str:
    """The topic in a few words: the subject of the first sentence and the most specific phrase."""
    opening, phrase = reading.opening, next(iter(reading.phrases), "")
    if reading.asked and reading.language not in ("en", None):
        return capitalised(listed(reading.names[:3]) or shorten(opening, 140))
    if reading.asked and _BARE_VERB.match(reading.asked[0]) and opening.lower()[:40] in reading.asked[0].lower():
        # 'How much did Harlow reduce ...' has no phrase that is clear alone, so the question is the topic.
        return shorten(reading.asked[0], 140)
    if not opening:
        names = listed(reading.names[:2])
        has_name = any(name.split()[0] in phrase for name in reading.names[:2])
        opening = phrase if has_name else names or phrase or " ".join(reading.terms[:4])
    opening = capitalised(shorten(opening, 140))
    new = set(content_words(phrase)) - set(content_words(opening))
    if len(content_words(opening)) < 6 and len(new) >= 2:
        return f"{opening}: {phrase}"
    return opening or "The topic of the brief"


def _questions(reading: BriefReading, topic: str) -> tuple[str, ...]:
    """The user's own questions, then the usual ones of fact-checking that are not among them."""
    asked = list(reading.asked[:4])
    words = set(" ".join(asked).lower().split())
    offered = []
    if not asked:
        stated = reading.statement.rstrip(".!")
        offered.append(f"Is it true that {stated}?" if stated else f"What is known about {in_a_sentence(topic)}?")
    if reading.figures and "how" not in words:
        figures = listed(reading.figures[:3])
        offered.append(f"Where does the figure of {figures} come from, and do other sources give the same?")
    offered.append(f"What does {in_a_sentence(reading.names[0] if reading.names else topic)} say, and who disagrees?")
    offered.append("Which official records or independent sources confirm or contradict it?")
    if "when" not in words:
        offered.append("When did it happen, and in what order did things become known?")
    if "who" not in words:
        offered.append("Who was responsible, who was affected, and who knew of it?")
    return tuple(dict.fromkeys([*asked, *offered]))[:MAX_QUESTIONS]


def _source_kinds(
    reading: BriefReading, user_sources: Sequence[AnalysedUrl], kinds: Sequence[EngineKind], brief: Brief
) -> tuple[str, ...]:
    about = reading.organisations[:1] or reading.names[:1]
    places = [name for name in reading.places if name not in about]
    wanted = ["Official records: regulators, courts, registers and filings"]
    wanted.append(
        f"Press reports, from {listed(places[:2])} and beyond" if places else "Press reports, local and national"
    )
    if about:
        wanted.append(f"What {about[0]} itself has published")
    if reading.technical:
        wanted.append("Studies, and experts who are independent of those involved")
    if EngineKind.OWN in kinds:
        own = f" ({', '.join(brief.collections)})" if brief.collections else ""
        wanted.append(f"Your own documents{own}")
    if any(not page.why_not for page in user_sources):
        wanted.append("The pages you named, and what they refer to")
    return tuple(wanted)


def _notes(brief: Brief, reading: BriefReading, user_sources: Sequence[AnalysedUrl]) -> tuple[str, ...]:
    notes = []
    if reading.language not in ("en", None):
        notes.append(
            f"The brief seems to be in {language_name(reading.language)}. The queries use its own words; the questions "
            "are in English, and the local analyst works best with English texts."
        )
    if len(brief.text) > READ_AT_MOST:
        notes.append(f"The brief is long: the plan is made from its first {READ_AT_MOST:,} characters.")
    if not reading.names and not reading.terms:
        notes.append("The brief names no person, organisation or subject: add one for a better plan.")
    if reading.range.since or reading.range.until:
        since = f"from {reading.range.since:%-d %B %Y}" if reading.range.since else ""
        until = f"until {reading.range.until:%-d %B %Y}" if reading.range.until else ""
        notes.append(f"Searches are limited to what was published {' '.join(part for part in (since, until) if part)}.")
    unread = [page.url for page in user_sources if page.why_not]
    if unread:
        notes.append(f"Could not be read: {listed(unread)}.")
    return tuple(notes)


def _noted(draft: PlanDraft, note: str, **update: object) -> PlanDraft:
    return draft.model_copy(update={"notes": (*draft.notes, note), **update})


def _each_query(draft: PlanDraft, update: Callable[[Query], dict[str, object]]) -> PlanDraft:
    return draft.model_copy(update={"queries": tuple(each.model_copy(update=update(each)) for each in draft.queries)})


def _with_query(draft: PlanDraft, text: str, purpose: str, **more: object) -> PlanDraft:
    """Add a query before the others, in their period and language."""
    like = draft.queries[0] if draft.queries else Query(text="")
    kinds = (EngineKind.NEWS, EngineKind.WEB) if like.kinds else ()
    new = {"text": shorten(text, 200), "purpose": purpose, "kinds": kinds, "exact": False, "domains": (), **more}
    return draft.model_copy(update={"queries": (like.model_copy(update=new), *draft.queries)})


def changed(before: Plan, change: str, kinds: Sequence[EngineKind], as_of: datetime | None) -> PlanDraft:
    """The plan `before` with the change; one without content leaves the plan as it is, with a note."""
    start = draft = PlanDraft(
        topic=before.topic, questions=before.questions, queries=before.queries, source_kinds=before.source_kinds
    )
    if other_topic(change, before.topic):
        return start.model_copy(update={"other_topic": True})
    for clause in _clauses(change):
        directives = ((_DROP, _left_out), (_FOCUS, _focused), (_ADD, _added))
        found = ((change, match["what"]) for form, change in directives if (match := form.match(clause)))
        apply, what = next(found, (_added, clause))
        draft = apply(draft, what)
    if draft == start:
        draft = _noted(start, _NOTHING_CHANGED)
    new = unlike([each for query in draft.queries if (each := answerable(query, kinds))])[:MAX_QUERIES]
    queries = tuple(each for each in draft.queries if each in before.queries or each in new)
    queries = queries[: max(MAX_QUERIES, len(before.queries))]
    queries = queries or draft.queries[:1] or (Query(text=draft.topic, purpose=draft.topic, until=as_of),)
    return draft.model_copy(update={"queries": queries})


def with_own(draft: PlanDraft, before: Plan, change: str, brief: str) -> PlanDraft:
    """A revision, by whichever analyst, with the brief's own questions that the plan had and the change does not leave
    out."""
    unwanted = [match["what"] for clause in _clauses(change) if (match := _DROP.match(clause))]
    own = own_questions(brief, before.questions, before.stated)
    kept = [each for each in before.questions if each in own and each not in draft.dropped]
    kept = [each for each in kept if not any(_is_on(each, what) for what in unwanted)]
    others = besides(draft.questions, kept)
    # No other question displaces those that the user has just asked for.
    old = [each for each in others if each in before.questions]
    room = max(MAX_QUESTIONS - len(kept) - (len(others) - len(old)), 0)
    every = dict.fromkeys((*(each for each in kept if each not in draft.questions), *draft.questions))
    stay = {*kept, *others} - {*old[room:]}
    return draft.model_copy(update={"questions": tuple(each for each in every if each in stay)})


def kinds_left_out(changes: Iterable[str]) -> set[EngineKind]:
    """The kinds of source that these changes, oldest first, leave out."""
    found: set[EngineKind] = set()
    for clause in (clause for change in changes for clause in _clauses(change)):
        if (drop := _DROP.match(clause)) and (kind := _kind_named(drop["what"])):
            found.add(kind)
        elif (add := _ADD.match(clause)) and (kind := _kind_named(add["what"])):
            found.discard(kind)
    return found


def other_topic(words: str, topic: str = "") -> str:
    """The topic that replaces the plan's ('forget this: X', 'X instead'); '' if the text only changes or adds to the
    plan."""
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


def _clauses(change: str) -> list[str]:
    parts = _SPLIT.split(" ".join(_OTHER_TOPIC.sub("", change.strip()).split()))
    return [clause for part in parts if part and (clause := part.strip(" ,:-"))]


def _kind_named(what: str) -> EngineKind | None:
    """The kind of source that the words name and nothing else ('scholarly sources', not 'the health study')."""
    words = set(content_words(what))
    return next((kind for kind, known in _KIND_WORDS.items() if words & known and words <= known | _ANY_KIND), None)


def _left_out(draft: PlanDraft, what: str) -> PlanDraft:
    if kind := _kind_named(what):
        words = _KIND_WORDS[kind]
        others = tuple(each for each in draft.queries if set(each.kinds) != {kind})
        source_kinds = tuple(each for each in draft.source_kinds if not words & set(content_words(each)))
        draft = _noted(draft, f"Left out: {_KIND_NAMES[kind.name]}.", queries=others, source_kinds=source_kinds)
        return _each_query(draft, lambda query: {"kinds": tuple(each for each in query.kinds if each is not kind)})
    if domains := _DOMAIN.findall(what):
        draft = _noted(draft, f"Left out: {what}.")
        return _each_query(draft, lambda q: {"exclude_domains": tuple(dict.fromkeys((*q.exclude_domains, *domains)))})
    questions = tuple(each for each in draft.questions if not _is_on(each, what))
    queries = tuple(each for each in draft.queries if not (_is_on(each.text, what) or _is_on(each.purpose, what)))
    if (questions, queries) == (draft.questions, draft.queries):
        return _noted(draft, f"The plan has no question or query on {what}; nothing was left out.")
    kept = {"questions": questions or draft.questions[:1], "queries": queries or draft.queries[:1]}
    return _noted(draft, f"Left out: {what}.", **kept)


def _is_on(text: str, what: str) -> bool:
    subject = set(content_words(what))
    met = subject & set(content_words(text))
    return bool(met) and len(met) >= _MOST_OF * len(subject)


def _added(draft: PlanDraft, what: str) -> PlanDraft:
    subject = (subject_of(draft.topic) or (draft.topic,))[0]
    topic = f"{subject} {' '.join(key_terms(draft.topic, limit=5)) or draft.topic}"
    draft = _noted(draft, f"Added: {what.rstrip('?. ')}.")
    if kind := _kind_named(what):
        name = _KIND_NAMES[kind.name]
        draft = draft.model_copy(update={"source_kinds": (*draft.source_kinds, capitalised(name))})
        return _with_query(draft, topic, f"Added: {name}", kinds=(kind,))
    if domains := tuple(_DOMAIN.findall(what)):
        return _with_query(draft, topic, f"What {listed(domains)} has", domains=domains)
    question = _question(what)
    words = f"{subject} {' '.join(key_terms(what, limit=8)) or what}"
    draft = draft.model_copy(update={"questions": (*draft.questions, question)})
    return _with_query(draft, " ".join(dict.fromkeys(words.split())), question)


def _question(what: str) -> str:
    what = what.strip(". ")
    asked = capitalised(what) if _ASKING.match(what) else f"What is known about {what.rstrip('?')}?"
    return shorten(asked, 220)


def _focused(draft: PlanDraft, what: str) -> PlanDraft:
    if (span := time_range(f"focus on {what}")) != TimeRange():
        limits = [f"{word} {day(at)}" for word, at in (("from", span.since), ("until", span.until)) if at]
        draft = _noted(draft, f"Searches are limited to what was published {' '.join(limits)}.")
        return _each_query(draft, lambda q: {"since": span.since or q.since, "until": span.until or q.until})
    if kind := _kind_named(what):
        draft = _noted(draft, f"Only {_KIND_NAMES[kind.name]} will be searched.")
        return _each_query(draft, lambda _: {"kinds": (kind,)})
    draft = _noted(draft, f"Focus: {what}.")
    if domains := tuple(_DOMAIN.findall(what)):
        return _each_query(draft, lambda _: {"domains": domains})
    words = tuple(dict.fromkeys((*subject_of(what)[:2], *key_terms(what, limit=5)))) or (what,)

    def nearer(query: Query) -> dict[str, object]:
        missing = [word for word in words if word.lower() not in query.text.lower()]
        return {} if query.exact or not missing else {"text": shorten(f"{query.text} {' '.join(missing)}", 200)}

    topic = f"{draft.topic}, in particular {shorten(what, 80)}"
    questions = tuple(dict.fromkeys((_question(what), *draft.questions)))
    return _each_query(draft, nearer).model_copy(update={"topic": topic, "questions": questions})
