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
    until = _earlier(reading.range.until, as_of)
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
    if named := next((phrase for phrase in reading.phrases if len(phrase.split()) >= 3), ""):
        yield _Asked(named, f"Pages that name it in these words: {named}", exact=True)
    for question in reading.asked[:4]:
        yield _Asked(_question_words(question, first, reading), question)
    if reading.statement:
        yield _Asked(" ".join(dict.fromkeys(_plain_words(reading.statement))), reading.statement)
    yield _Asked(f"{first} {' '.join(terms[:2])}", f"What {first} says to it, who confirms it and who disputes it")
    yield _Asked(" ".join(reading.names[:4]), "Reports in any language: names are the same in all of them")
    if reading.technical:
        carrying = reading.terms[1:5] if len(reading.terms) > 4 else reading.terms
        yield _Asked(" ".join(carrying), "Independent studies", (EngineKind.SCHOLARLY,))
    else:
        yield _Asked(" ".join(terms[:5]), "The same elsewhere, whoever it is reported of")
    if reading.figures:
        figure = reading.figures[0]
        yield _Asked(f"{first} {' '.join(terms[:3])} {figure}", f"Where the figure {figure} comes from")
    yield _Asked(f"{who} {' '.join(terms[2:5])}", "What came before and after")


def _on_pages(reading: BriefReading, pages: Sequence[AnalysedUrl], kinds: Sequence[EngineKind]) -> Iterator[_Asked]:
    """What is asked about the user's own pages, and who has checked the subject before."""
    for page in pages[:2]:
        if not page.why_not and page.title:
            carrying = " ".join(key_terms(page.title, limit=8)) or page.title
            yield _Asked(carrying, f"Who else reports what stands in “{page.title}”")
    if EngineKind.ARCHIVE in kinds:
        for page in pages[:2]:
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
        bag = set(content_words(query.text))
        if not any(_alike(bag, query, other) for other in kept):
            kept.append(query)
    return tuple(kept)


def _alike(bag: set[str], query: Query, other: Query) -> bool:
    if query.text == other.text:
        return query.kinds == other.kinds
    there = set(content_words(other.text))
    if query.exact != other.exact or set(query.kinds) != set(other.kinds) or not bag or not there:
        return False
    return len(bag & there) / len(bag | there) > _SHARED_AT_MOST


def _question_words(question: str, first: str, reading: BriefReading) -> str:
    kept = _plain_words(question)
    lead = [] if any(word in question for word in first.split()) else [first]
    if len(kept) < 3:
        kept += [term for term in reading.terms[:3] if term not in kept]
    return " ".join((*lead, *dict.fromkeys(kept)))


def _plain_words(text: str) -> list[str]:
    """The words that carry a sentence, names included, in their order."""
    chosen = set(key_terms(text, limit=12))
    ordered = sorted(chosen, key=text.find)
    return ordered[:10]


def _earlier(one: datetime | None, other: datetime | None) -> datetime | None:
    return min((each for each in (one, other) if each), default=None)
