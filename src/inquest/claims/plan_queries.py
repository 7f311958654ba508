"""Queries: those of a plan, with names and the words of the subject, from every angle that a desk searches; and those
in other languages.

Names, figures and years are the same in every language. The language follows from the country that the claim or its
subject names, else from the sources found so far."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import cache

from inquest.claims.brief_reading import BriefReading, is_technical, key_terms
from inquest.claims.press_words import figures_of, plain_query, without_form, years_of
from inquest.domain.claim import Claim
from inquest.domain.plan import AnalysedUrl
from inquest.domain.search import EngineKind, Query
from inquest.domain.source import Source
from inquest.text.entities import names, same_name
from inquest.text.lexicon import entries
from inquest.text.regex import regex
from inquest.text.sentences import content_words, shorten

MAX_QUERIES = 10
_PRESS = (EngineKind.NEWS, EngineKind.WEB)
_SHARED_AT_MOST = 0.8


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
    limits = {"since": reading.range.since, "until": until, "language": reading.language}
    short = ((each, shorten(each.text, 180).rstrip("…")) for each in asked)
    made = [each.model_copy(update={"text": text, **limits}) for each, text in short if text]
    return unlike([query for query in (answerable(query, kinds) for query in made) if query])[:MAX_QUERIES]


def _query(text: str, purpose: str, kinds: tuple[EngineKind, ...] = _PRESS, *, exact: bool = False) -> Query:
    return Query(text=text, purpose=purpose, kinds=kinds, exact=exact)


def _on_brief(reading: BriefReading, topic: str) -> Iterator[Query]:
    first, terms = _subject(reading)
    who = " ".join(reading.names[:2]) or first
    yield _query(f"{who} {' '.join(terms[:5])}", topic)
    for phrase in reading.phrases[:1]:
        yield _query(phrase, f"Pages with exactly these words: {phrase}", exact=True)
    for question in reading.asked[:4]:
        carrying = _plain_words(question) if first in question else [first, *_plain_words(question)]
        yield _query(" ".join(carrying if len(carrying) > 3 else [*carrying, *terms[:3]]), question)
    if reading.statement:
        yield _query(" ".join(_plain_words(reading.statement)), reading.statement)
    yield _query(f"{first} {' '.join(terms[:2])}", f"The reply of {first}, and who confirms or disputes it")
    yield _query(" ".join(reading.names[:4]), "Reports in any language: names are the same in all of them")
    if reading.technical:
        yield _query(" ".join(reading.terms[:5]), "Independent studies", (EngineKind.SCHOLARLY,))
    else:
        yield _query(" ".join(terms[:5]), "Similar reports elsewhere")
    for figure in reading.figures[:1]:
        yield _query(f"{first} {' '.join(terms[:3])} {figure}", f"Where the figure {figure} comes from")
    yield _query(f"{who} {' '.join(terms[2:5])}", "Events before and after")


def _on_pages(reading: BriefReading, pages: Sequence[AnalysedUrl], kinds: Sequence[EngineKind]) -> Iterator[Query]:
    """Build queries on the user's own pages, and for earlier fact checks of the subject."""
    for page in pages[:2]:
        if not page.why_not and page.title:
            yield _query(" ".join(_plain_words(page.title)), f"Other reports on the subject of “{page.title}”")
        if EngineKind.ARCHIVE in kinds:
            yield _query(page.url, f"Earlier versions of {page.url}", (EngineKind.ARCHIVE,))
    if EngineKind.FACT_CHECK in kinds and (reading.statement or reading.asked):
        first, terms = _subject(reading)
        yield _query(" ".join((first, *terms[:5])), "What fact-checkers have found", (EngineKind.FACT_CHECK,))


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
    None: no available engine can answer it."""
    if not kinds or not query.kinds or EngineKind.OWN in kinds or set(query.kinds) & set(kinds):
        return query
    if set(query.kinds) <= set(_PRESS):
        return query.model_copy(update={"kinds": ()})
    return None


def unlike(queries: Sequence[Query]) -> tuple[Query, ...]:
    """Keep the first of any queries that share their kinds and most of their words."""
    kept: list[tuple[Query, set[str]]] = []
    for query in queries:
        words = set(content_words(query.text))
        if not any(
            query.exact == other.exact
            and set(query.kinds) == set(other.kinds)
            and (query.text == other.text or len(words & theirs) > _SHARED_AT_MOST * len(words | theirs))
            for other, theirs in kept
        ):
            kept.append((query, words))
    return tuple(query for query, _ in kept)


def _plain_words(text: str) -> list[str]:
    """Return the key terms of a sentence, names included, in order."""
    return sorted(key_terms(text, limit=12), key=text.find)[:10] or [text]


_LEAST = 2  # Number of sources in a language from which that language is searched
_NAMES = 4
_NUMBERED = regex(r"\d$")  # Terms that only look like a name: 'Scope 1', 'CO2'
_NUMBER = regex(r"\d{2,}(?:[.,]\d+)*|\d[.,]\d+")
"""A figure without its unit and 'million', which other languages write differently."""


def language_to_ask_in(texts: Iterable[str], sources: Sequence[Source] = ()) -> str | None:
    """Return the ISO 639-1 code of the most promising language besides English, or None if nothing suggests one.
    `texts`: the claim and its subject, most informative first; `sources`: those found so far."""
    if named := next(filter(None, map(languages_at, texts)), None):
        return named[0]
    counts = Counter(each.language for each in sources if each.language not in (None, "en") and not each.excluded)
    most, number = next(iter(counts.most_common(1)), (None, 0))
    return most if number >= _LEAST else None


def words_of_every_language(claim: Claim, company: str = "") -> str:
    """Return the claim's names with its figure and year as one query; '' if it names only a country."""
    subject = without_form(company)
    named = [subject] if subject else []
    figures = figures_of(claim)
    for name in names(claim.text):
        measures = any(name.span.start < each.span.end and each.span.start < name.span.end for each in figures)
        known = any(same_name(name.text, other) for other in named)
        if name.sure and not (known or measures or _NUMBERED.search(name.text) or languages_at(name.text)):
            named.append(name.text)
    if not named:
        return ""
    numbers = [match.group() for each in figures[:1] if (match := _NUMBER.search(each.text))]
    years = [str(year) for year in years_of(claim)[-1:]]
    return plain_query(" ".join(dict.fromkeys([*named[:_NAMES], *numbers, *years])))


def languages_at(text: str) -> tuple[str, ...]:
    """Return the ISO 639-1 codes of the languages, English aside, of the countries named in a text (case-sensitive)."""
    pattern, languages = _countries()
    return tuple(dict.fromkeys(languages[match.group()] for match in pattern.finditer(text)))


@cache
def _countries() -> tuple[re.Pattern[str], dict[str, str]]:
    table = entries(__name__, "countries")
    languages = {name: language for language, listed in table.items() for name in listed.split("|")}
    longest_first = sorted(languages, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)"), languages
