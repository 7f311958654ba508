"""Plan: the question to the model, and its answer as a draft with only queries that the available engines can
search."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from inquest.analysts.marking import PromptBlock, message
from inquest.analysts.prompts import instructions
from inquest.analysts.replies import AnswerPart, Line, Lines, Listed, Named, Unusable, kept, parse
from inquest.claims.meant import MOST_MEANT
from inquest.claims.plan_queries import MAX_QUERIES, answerable, unlike
from inquest.desks.inquiry.planning import MAX_QUESTIONS
from inquest.domain.drafts import PlanDraft
from inquest.domain.plan import AnalysedUrl, Brief, Meant, MeantKind, Plan, Stated
from inquest.domain.search import EngineKind, Query
from inquest.text.sentences import content_words, fold, shorten, words

_BRIEF_AT_MOST = 20_000
_FEWEST_QUERIES, _MOST_STATED = 1, 8
_FROM_BRIEF = 0.6
"""Share of a statement's words that must be in the brief."""


class _Query(AnswerPart):
    text: Line
    kinds: Lines = []
    purpose: Line = ""
    exact: bool = False
    since: str | None = None
    until: str | None = None
    language: str | None = None


class _Meant(AnswerPart):
    name: Line
    kind: Named[MeantKind] = MeantKind.NAME
    within: Line = ""


class _Stated(AnswerPart):
    text: Line
    question: Line = ""


class Answer(AnswerPart):
    """A plan."""

    topic: Line
    questions: Lines
    queries: Listed[_Query]
    stated: Listed[_Stated] = []
    meant: Listed[_Meant] = []
    source_kinds: Lines = []
    notes: Lines = []


class Revision(Answer):
    """A plan changed at the user's request."""

    dropped: Lines = []
    other_topic: bool = False


def ask(kinds: Sequence[EngineKind], again: str = "") -> str:
    """The instructions."""
    return instructions("plan", again, kinds=", ".join(kinds) or "none", most=MAX_QUERIES)


def question(brief: Brief, user_sources: Sequence[AnalysedUrl], change: str, before: Plan | None) -> str:
    """The message."""
    blocks = [PromptBlock("brief", brief.text[:_BRIEF_AT_MOST], fields=_limits(brief))]
    for number, page in enumerate(user_sources, 1):
        if not page.why_not:
            fields = (("site", page.domain), ("title", page.title), ("address", page.url))
            blocks.append(PromptBlock("page", page.summary, f"U{number}", fields))
    if before is not None:
        lines = [f"topic: {before.topic}"]
        lines += [f"question: {asked}" for asked in before.questions]
        lines += [f"query: {query.text} ({', '.join(query.kinds) or 'any'})" for query in before.queries]
        lines += [f"kind of source: {kind}" for kind in before.source_kinds]
        blocks += [PromptBlock("plan", "\n".join(lines)), PromptBlock("change", change)]
    return message(blocks)


def _limits(brief: Brief) -> tuple[tuple[str, str], ...]:
    latest = (("nothing after", f"{brief.as_of:%Y-%m-%d}"),) if brief.as_of else ()
    if not brief.languages:
        return latest
    return (*latest, ("pages wanted in", f"{', '.join(brief.languages)}: write queries in each of these languages"))


def answer(text: str, brief: Brief, user_sources: Sequence[AnalysedUrl], kinds: Sequence[EngineKind]) -> PlanDraft:
    """The draft. Raises Unusable without queries or questions."""
    found = parse(text, Revision)
    questions = tuple(dict.fromkeys(shorten(line, 300) for line in found.questions if line))[:MAX_QUESTIONS]
    addresses = {*brief.urls, *(page.url for page in user_sources)}
    given, _ = kept(found.queries)
    made = [query for each in given if (query := _query(each, kinds, brief.as_of, addresses))]
    queries = unlike(made)[:MAX_QUERIES]
    if not found.topic or not questions or len(queries) < _FEWEST_QUERIES:
        raise Unusable("it had no topic, no question or no query that can be asked")
    return PlanDraft(
        topic=shorten(found.topic, 200),
        questions=questions,
        queries=queries,
        stated=_stated(kept(found.stated)[0], brief.text),
        meant=_meant(kept(found.meant)[0], brief.text),
        source_kinds=tuple(dict.fromkeys(shorten(line, 120) for line in found.source_kinds if line))[:6],
        notes=tuple(dict.fromkeys(shorten(line, 300) for line in found.notes if line))[:4],
        dropped=tuple(found.dropped),
        other_topic=found.other_topic,
    )


def _stated(given: Sequence[_Stated], text: str) -> tuple[Stated, ...]:
    """The statements with most of their words, and all their names and figures, in the brief; each once."""
    there = {fold(word.of(text)) for word in words(text)}
    found: dict[str, Stated] = {}
    for each in given:
        used = [word.of(each.text) for word in words(each.text)]
        exact = {fold(word) for word in used[1:] if word[:1].isupper() or any(map(str.isdigit, word))}
        shared = sum(fold(word) in there for word in used)
        if len(content_words(each.text)) > 1 and shared >= _FROM_BRIEF * len(used) and exact <= there:
            statement = f"{shorten(each.text, 400).rstrip('.!?')}."
            found.setdefault(fold(statement), Stated(text=statement, question=each.question))
    return tuple(found.values())[:_MOST_STATED]


def _meant(given: Sequence[_Meant], text: str) -> tuple[Meant, ...]:
    """The names that are in the brief, each once."""
    there = fold(text)
    found = {each.name: each for each in given if each.name and fold(each.name) in there}
    return tuple(
        Meant(name=each.name, kind=each.kind, within=each.within if fold(each.within) in there else "")
        for each in list(found.values())[:MOST_MEANT]
    )


def _query(given: _Query, kinds: Sequence[EngineKind], as_of: datetime | None, addresses: set[str]) -> Query | None:
    text = shorten(given.text, 180).rstrip("…").strip()
    wanted = tuple(kind for kind in EngineKind if kind in given.kinds)
    if EngineKind.ARCHIVE in wanted:
        # Archives are searched by address, and only for one that the user named.
        wanted = (EngineKind.ARCHIVE,) if text in addresses else tuple(k for k in wanted if k is not EngineKind.ARCHIVE)
    if not text:
        return None
    until = min((moment for moment in (_moment(given.until, end=True), as_of) if moment), default=None)
    since = _moment(given.since)
    language = (given.language or "").strip().lower()[:2]
    query = Query(
        text=text,
        kinds=wanted,
        purpose=shorten(given.purpose, 200),
        exact=given.exact,
        since=since if since and (until is None or since < until) else None,
        until=until,
        language=language if len(language) == 2 and language.isalpha() and language != "en" else None,
    )
    return answerable(query, kinds)


def _moment(written: str | None, *, end: bool = False) -> datetime | None:
    try:
        day = datetime.fromisoformat((written or "").strip()[:10])
    except ValueError:
        return None
    return day.replace(tzinfo=UTC, hour=23, minute=59, second=59) if end else day.replace(tzinfo=UTC)
