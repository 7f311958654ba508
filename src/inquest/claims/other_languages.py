"""Searching in the language of the place: what of a claim is the same in every language, and which one to ask in.

Names, figures and years need no translation. Which language is asked in follows from the country that the claim, or
whoever it is about, names, and by the sources that were found before.
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
"""Sources in one language from which that language is asked in."""
_NAMES = 4
_NUMBERED = regex(r"\d$")
"""What only looks like a name: 'Scope 1', 'CO2'."""
_NUMBER = regex(r"\d{2,}(?:[.,]\d+)*|\d[.,]\d+")
"""A figure without its unit and its 'million', which other languages write otherwise."""


def language_to_ask_in(texts: Iterable[str], sources: Sequence[Source] = ()) -> str | None:
    """ISO 639-1 of the one language beside English in which most is likely to be found; None where nothing tells of
    one. `texts`: the claim and whoever it is about, what says most first; `sources`: those found before."""
    for text in texts:
        if named := languages_at(text):
            return named[0]
    spoken = Counter(each.language for each in sources if each.language not in (None, "en") and not each.excluded)
    most = max(spoken, key=lambda language: spoken[language], default=None)
    return most if most and spoken[most] >= _LEAST else None


def words_of_every_language(claim: Claim, company: str = "") -> str:
    """The claim's names with its figure and year, as one query; '' where it has no name but a country's."""
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
    """ISO 639-1 of the languages, other than English, that are read in the countries a text names, in its order; the
    names are met as they are spelt, with their capitals."""
    pattern, spoken = _countries()
    return tuple(dict.fromkeys(spoken[match.group()] for match in pattern.finditer(text)))


@cache
def _countries() -> tuple[re.Pattern[str], dict[str, str]]:
    table = entries(__name__, "countries")
    spoken = {name: language for language, listed in table.items() for name in listed.split("|")}
    longest_first = sorted(spoken, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)"), spoken
