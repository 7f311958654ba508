"""The languages of a case: its queries put once for each, and to whom that makes a difference."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from inquest.domain.check import DeskQuery
from inquest.domain.search import Query
from inquest.kit.dialect import language_name
from inquest.retrieval.engine_choice import EngineChoice
from inquest.text.phrases import capitalised, count, listed

__all__ = ["desk_queries_in", "language_notes", "queries_in"]


def queries_in(languages: Sequence[str], queries: Iterable[Query]) -> tuple[Query, ...]:
    """The queries, each once for each of these languages, one after another; one that is for one of them already stays
    as it is. `languages`: ISO 639-1; (): nothing changes."""
    return tuple(each for query in queries for each in _in_each(languages, query))


def desk_queries_in(languages: Sequence[str], queries: Iterable[DeskQuery]) -> tuple[DeskQuery, ...]:
    """The same for the queries of desks."""
    return tuple(
        each if query == each.query else each.model_copy(update={"query": query})
        for each in queries
        for query in _in_each(languages, each.query)
    )


def language_notes(languages: Sequence[str], engines: Sequence[EngineChoice]) -> tuple[str, ...]:
    """What to know before the plan is approved: which of these engines can be asked for a language at all."""
    if not languages or not engines:
        return ()
    names = listed([capitalised(language_name(code) or code) for code in languages])
    able = sum(each.filters_language for each in engines)
    whom = "none of the engines can" if not able else f"{able} of {count(len(engines), 'engine')} can"
    return (f"Pages in {names} are looked for: {whom} be asked for a language, the others give what they have.",)


def _in_each(languages: Sequence[str], query: Query) -> tuple[Query, ...]:
    if not languages or query.language in languages:
        return (query,)
    return tuple(query.model_copy(update={"language": language}) for language in languages)
