"""Queries of a plan: names with the words of the subject, from every angle that a desk searches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from inquest.claims.brief_reading import BriefReading, is_technical, key_terms
from inquest.domain.plan import AnalysedUrl
from inquest.domain.search import EngineKind, Query
from inquest.text.sentences import content_words, shorten

MAX_QUERIES = 10
_PRESS = (EngineKind.NEWS, EngineKind.WEB)
_SHARED_AT_MOST = 0.8


class _Asked(NamedTuple):
    text: str
    purpose: str
    kinds: Sequence[EngineKind] = _PRESS
    exact: bool = False


def queries_for(
    reading: BriefReading,
    topic: str,
    user_sources: Sequence[AnalysedUrl],
    kinds: Sequence[EngineKind],
    as_of: datetime | None,
) -> tuple[Query, ...]:
    """Return 6 to 10 queries without near duplicates, most specific first; fewer for a brief that says very little."""
    if not reading.names and not reading.terms:
        return ()
    until = min((each for each in (reading.range.until, as_of) if each), default=None)
    asked = [*_on_brief(reading, topic), *_on_pages(reading, user_sources, kinds)]
    made = [
        Query(
            text=text,
            kinds=tuple(each.kinds),
            purpose=each.purpose,
            exact=each.exact,
            since=reading.range.since,
            until=until,
            language=reading.language,
        )
        for each in asked
        if (text := shorten(each.text, 180).rstrip("…"))
    ]
    return unlike([query for query in (answerable(query, kinds) for query in made) if query])[:MAX_QUERIES]


def _on_brief(reading: BriefReading, topic: str) -> Iterator[_Asked]:
    first, terms = _subject(reading)
    who = " ".join(reading.names[:2]) or first
    yield _Asked(f"{who} {' '.join(terms[:5])}", topic)
    for phrase in reading.phrases[:1]:
        yield _Asked(phrase, f"Pages with exactly these words: {phrase}", exact=True)
    for question in reading.asked[:4]:
        carrying = _plain_words(question) if first in question else [first, *_plain_words(question)]
        yield _Asked(" ".join(carrying if len(carrying) > 3 else [*carrying, *terms[:3]]), question)
    if reading.statement:
        yield _Asked(" ".join(_plain_words(reading.statement)), reading.statement)
    yield _Asked(f"{first} {' '.join(terms[:2])}", f"The reply of {first}, and who confirms or disputes it")
    yield _Asked(" ".join(reading.names[:4]), "Reports in any language: names are the same in all of them")
    if reading.technical:
        yield _Asked(" ".join(reading.terms[:5]), "Independent studies", (EngineKind.SCHOLARLY,))
    else:
        yield _Asked(" ".join(terms[:5]), "Similar reports elsewhere")
    for figure in reading.figures[:1]:
        yield _Asked(f"{first} {' '.join(terms[:3])} {figure}", f"Where the figure {figure} comes from")
    yield _Asked(f"{who} {' '.join(terms[2:5])}", "Events before and after")


def _on_pages(reading: BriefReading, pages: Sequence[AnalysedUrl], kinds: Sequence[EngineKind]) -> Iterator[_Asked]:
    """Build queries on the user's own pages, and for earlier fact checks of the subject."""
    for page in pages[:2]:
        if not page.why_not and page.title:
            yield _Asked(" ".join(_plain_words(page.title)), f"Other reports on the subject of “{page.title}”")
        if EngineKind.ARCHIVE in kinds:
            yield _Asked(page.url, f"Earlier versions of {page.url}", (EngineKind.ARCHIVE,))
    if EngineKind.FACT_CHECK in kinds and (reading.statement or reading.asked):
        first, terms = _subject(reading)
        yield _Asked(" ".join((first, *terms[:5])), "What fact-checkers have found", (EngineKind.FACT_CHECK,))


def _subject(reading: BriefReading) -> tuple[str, tuple[str, ...]]:
    """Return the first name, or the first terms in its place, and the remaining terms."""
    if reading.names:
        return reading.names[0], reading.terms
    return " ".join(reading.terms[:2]), reading.terms[2:]


def likely_kinds(text: str) -> tuple[EngineKind, ...]:
    """Return the kinds of engine for a question that names none: press and web, for technical subjects literature."""
    return (*_PRESS, EngineKind.SCHOLARLY) if is_technical(text) else _PRESS


def answerable(query: Query, kinds: Sequence[EngineKind]) -> Query | None:
    """Adapt a query to the available kinds of engine: press and web queries go to any, others only to their own kind.

    None: no available engine can answer it.
    """
    if not kinds or not query.kinds or EngineKind.OWN in kinds or set(query.kinds) & set(kinds):
        return query
    if set(query.kinds) <= set(_PRESS):
        return query.model_copy(update={"kinds": ()})
    return None


def unlike(queries: Sequence[Query]) -> tuple[Query, ...]:
    """Keep the first of any queries that share their kinds and most of their words."""
    kept: list[Query] = []
    for query in queries:
        if not any(_alike(query, other) for other in kept):
            kept.append(query)
    return tuple(kept)


def _alike(query: Query, other: Query) -> bool:
    if query.exact != other.exact or set(query.kinds) != set(other.kinds):
        return False
    one, two = set(content_words(query.text)), set(content_words(other.text))
    return query.text == other.text or (bool(one) and len(one & two) > _SHARED_AT_MOST * len(one | two))


def _plain_words(text: str) -> list[str]:
    """Return the key terms of a sentence, names included, in order."""
    return sorted(key_terms(text, limit=12), key=text.find)[:10] or [text]
