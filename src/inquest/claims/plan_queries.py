"""The queries of a plan: names with the words of the subject, from each angle that a desk searches."""

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
    """6 to 10 queries, most specific first, none nearly the same as another; fewer where the brief says very little."""
    if not reading.names and not reading.terms:
        return ()
    until = min((each for each in (reading.range.until, as_of) if each), default=None)
    asked = [*_on_matter(reading, topic), *_on_pages(reading, user_sources, kinds)]
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


def _on_matter(reading: BriefReading, topic: str) -> Iterator[_Asked]:
    """What is asked about the brief itself."""
    first, terms = _subject(reading)
    who = " ".join(reading.names[:2]) or first
    yield _Asked(f"{who} {' '.join(terms[:5])}", topic)
    for phrase in reading.phrases[:1]:
        yield _Asked(phrase, f"Pages that name it in these words: {phrase}", exact=True)
    for question in reading.asked[:4]:
        carrying = _plain_words(question) if first in question else [first, *_plain_words(question)]
        yield _Asked(" ".join(carrying if len(carrying) > 3 else [*carrying, *terms[:3]]), question)
    if reading.statement:
        yield _Asked(" ".join(_plain_words(reading.statement)), reading.statement)
    yield _Asked(f"{first} {' '.join(terms[:2])}", f"What {first} says to it, who confirms it and who disputes it")
    yield _Asked(" ".join(reading.names[:4]), "Reports in any language: names are the same in all of them")
    if reading.technical:
        yield _Asked(" ".join(reading.terms[:5]), "Independent studies", (EngineKind.SCHOLARLY,))
    else:
        yield _Asked(" ".join(terms[:5]), "The same elsewhere, whoever it is reported of")
    for figure in reading.figures[:1]:
        yield _Asked(f"{first} {' '.join(terms[:3])} {figure}", f"Where the figure {figure} comes from")
    yield _Asked(f"{who} {' '.join(terms[2:5])}", "What came before and after")


def _on_pages(reading: BriefReading, pages: Sequence[AnalysedUrl], kinds: Sequence[EngineKind]) -> Iterator[_Asked]:
    """What is asked about the user's own pages, and who has checked the subject before."""
    for page in pages[:2]:
        if not page.why_not and page.title:
            yield _Asked(" ".join(_plain_words(page.title)), f"Who else reports what stands in “{page.title}”")
        if EngineKind.ARCHIVE in kinds:
            yield _Asked(page.url, f"Earlier states of {page.url}", (EngineKind.ARCHIVE,))
    if EngineKind.FACT_CHECK in kinds and (reading.statement or reading.asked):
        first, terms = _subject(reading)
        yield _Asked(" ".join((first, *terms[:5])), "What fact-checkers have found", (EngineKind.FACT_CHECK,))


def _subject(reading: BriefReading) -> tuple[str, tuple[str, ...]]:
    """The first name, or the words that stand for one, and the words that carry the subject beside it."""
    if reading.names:
        return reading.names[0], reading.terms
    return " ".join(reading.terms[:2]), reading.terms[2:]


def likely_kinds(text: str) -> tuple[EngineKind, ...]:
    """What a question that names no kind of engine is put to, by what it is about: the press and the web, and
    literature where it is a technical matter."""
    return (*_PRESS, EngineKind.SCHOLARLY) if is_technical(text) else _PRESS


def answerable(query: Query, kinds: Sequence[EngineKind]) -> Query | None:
    """The query for the engines there are. One of a special kind that nobody searches is left out; one for press and
    web is asked of whatever there is."""
    if not kinds or not query.kinds or EngineKind.OWN in kinds or set(query.kinds) & set(kinds):
        return query
    if set(query.kinds) <= set(_PRESS):
        return query.model_copy(update={"kinds": ()})
    return None


def unlike(queries: Sequence[Query]) -> tuple[Query, ...]:
    """Each query once; of two that share most of their words and their kinds, the first."""
    kept: list[Query] = []
    for query in queries:
        if not any(_alike(query, other) for other in kept):
            kept.append(query)
    return tuple(kept)


def _alike(query: Query, other: Query) -> bool:
    if query.exact != other.exact or set(query.kinds) != set(other.kinds):
        return False
    here, there = set(content_words(query.text)), set(content_words(other.text))
    return query.text == other.text or (bool(here) and len(here & there) > _SHARED_AT_MOST * len(here | there))


def _plain_words(text: str) -> list[str]:
    """The words that carry a sentence, names included, in their order."""
    return sorted(key_terms(text, limit=12), key=text.find)[:10] or [text]
