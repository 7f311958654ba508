"""Searching in other languages: the query words of a claim that need no translation, and the language to search in.

Names, figures and years are the same in every language. The language follows from the country that the claim or its
subject names, else from the sources found so far.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache

from inquest.claims.press_words import figures_of, plain_query, without_form, years_of
from inquest.domain.claim import Claim
from inquest.domain.source import Source
from inquest.text.entities import names, same_name
from inquest.text.lexicon import entries
from inquest.text.regex import regex

_LEAST = 2
"""Number of sources in a language from which that language is searched."""
_NAMES = 4
_NUMBERED = regex(r"\d$")
"""Terms that only look like a name: 'Scope 1', 'CO2'."""
_NUMBER = regex(r"\d{2,}(?:[.,]\d+)*|\d[.,]\d+")
"""A figure without its unit and 'million', which other languages write differently."""


def language_to_ask_in(texts: Iterable[str], sources: Sequence[Source] = ()) -> str | None:
    """Return the ISO 639-1 code of the most promising language besides English, or None if nothing suggests one.

    `texts`: the claim and its subject, most informative first; `sources`: those found so far.
    """
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
